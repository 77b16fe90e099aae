/// The state of a program on the screen, which `Application` holds and drives.
protocol ProgramState {
    var keymap: Keymap { get }
    /// The scopes for key lookup, nearest first.
    var scopes: [KeyScope] { get }
    /// The keys so far of a chord that waits for its next one.
    var begunKeys: [Key] { get }
    /// The action of a text that was pasted in one piece; nil for none.
    func action(forPaste text: String) -> Action?
    mutating func update(_ action: Action, at time: Duration) -> [Effect]
    mutating func receive(_ event: Event, at time: Duration) -> [Effect]
    /// The edits that are not saved, with the text that is being typed.
    var unsaved: [UnsavedFile] { get }
    /// False where `unsaved` is empty, at once.
    var isEdited: Bool { get }
    /// The state that the next start takes up again; nil for none.
    var memory: WorkspaceMemory? { get }
    /// The runs in flight, which go on when the terminal goes away.
    func away(at time: Duration) -> AwayRuns
    func draw() -> (surface: Surface, cursor: Point?)
}

extension ProgramState {
    func action(forPaste text: String) -> Action? {
        scopes.first?.takesText ?? false ? .text(.insert(text)) : nil
    }

    var unsaved: [UnsavedFile] { [] }
    var isEdited: Bool { false }
    var memory: WorkspaceMemory? { nil }
    func away(at time: Duration) -> AwayRuns { AwayRuns([]) }
}

extension AppState: ProgramState {}

/// The state of `ombi view`: one viewer that fills the screen.
struct PagerState: ProgramState, Equatable, Sendable {
    var viewer: Viewer
    let name: String
    let keymap: Keymap
    private(set) var size: Size
    private(set) var notice: Notice?
    private(set) var begunKeys: [Key] = []
    private(set) var help: HelpOverlay?

    /// - Parameters:
    ///   - name: the name of the file, for the title.
    ///   - document: the document to show; nil when it is still to be read.
    ///   - differences: the offset of each difference in a document that is a comparison.
    init(
        name: String, size: Size, document: BodyDocument? = nil, differences: [Int] = [], keymap: Keymap = .pager
    ) {
        self.name = name
        self.size = size
        self.keymap = keymap
        viewer = Viewer(id: ViewerID(0))
        viewer.name = name
        viewer.resize(to: inside.size)
        viewer.differencesOfBody = differences
        if let document { _ = viewer.receive(.read(document)) }
    }

    var scopes: [KeyScope] {
        if let help { return [help.scope] }
        return viewer.hasPrompt ? viewer.keyScopes : viewer.keyScopes + [.lists, .everywhere]
    }

    var start: [Effect] {
        viewer.body == nil ? [.view(viewer.id, .read(.input, contentType: Self.contentType(of: name)))] : []
    }

    /// The content type by file extension, for formats that bytes do not reveal.
    private static func contentType(of name: String) -> String? {
        switch name.split(separator: ".").last?.lowercased() {
        case "json": "application/json"
        case "xml": "application/xml"
        case "csv": "text/csv"
        case "tsv", "tab": "text/tab-separated-values"
        case "md", "markdown": "text/markdown"
        case "yaml", "yml": "application/yaml"
        case "jsonl", "ndjson": "application/x-ndjson"
        default: nil
        }
    }

    private var screen: Rect { Rect(size) }
    private var inside: Rect { screen.dropTop(1).dropBottom(1) }

    mutating func update(_ action: Action, at time: Duration) -> [Effect] {
        let action = keyClicked(by: action) ?? action
        begunKeys = action.begunKeys
        notice = action.chordNotice
        if !begunKeys.isEmpty || notice != nil { return [] }
        defer { viewer.resize(to: inside.size) }
        if help != nil { return updateHelp(action) }
        if let effects = viewer.perform(action) { return effects.outcomes(of: viewer.id).effects(notice: &notice) }
        switch action {
        case .app(.help): help = HelpOverlay(keymap: keymap, scopes: scopes)
        case .app(.manual): return [.readManual]
        case .mouse(.wheel(_, let lines)): viewer.scroll(by: lines)
        case .mouse(.drag(let point)): viewer.drag(point.relative(to: inside))
        case .mouse(.click(let point)): if inside.contains(point) { viewer.click(point.relative(to: inside)) }
        case .run(.cancel): return stopReading()
        case .app(.redraw): return [.redraw]
        case .app(.suspend): return [.suspend]
        case .app(.quit): return [.quit]
        default: break
        }
        return []
    }

    private mutating func stopReading() -> [Effect] {
        if viewer.body?.document.isComplete ?? false {
            notice = Notice(.info, "All of it is here already")
            return []
        }
        return [.view(viewer.id, .stopReading)]
    }

    private mutating func updateHelp(_ action: Action) -> [Effect] {
        switch action {
        case .app(.redraw): return [.redraw]
        case .app(.suspend): return [.suspend]
        case .leave: if help?.leave() ?? true { help = nil }
        default: help?.handle(action, on: size)
        }
        return []
    }

    mutating func receive(_ event: Event, at time: Duration) -> [Effect] {
        defer { viewer.resize(to: inside.size) }
        switch event {
        case .resized(let size): self.size = size
        case .viewer(_, let event): return viewer.receive(event).outcomes(of: viewer.id).effects(notice: &notice)
        case .copied(let message): notice = Notice(.success, message)
        case .editorFailed(let message): notice = Notice(.failure, message)
        case .notice(let notice): self.notice = notice
        case .manual(let pages): help = HelpOverlay(manual: pages)
        case .terminating: return [.quit]
        default: break
        }
        return []
    }

    func draw() -> (surface: Surface, cursor: Point?) {
        var surface = Surface(size: size)
        drawTitle(on: &surface)
        var cursor = viewer.draw(on: &surface, in: inside, focused: true)
        statusLine.draw(on: &surface, in: screen.bottom(1), above: screen.dropBottom(1))
        if let help { cursor = help.draw(on: &surface, in: screen.dropBottom(1)) }
        return (surface, cursor)
    }

    private var statusLine: StatusLine {
        let hints =
            begunKeys.isEmpty
            ? viewer.hints(keymap.footer(in: scopes)) : keymap.continuations(of: begunKeys, in: scopes)
        return StatusLine(runs: [], notice: notice, hints: hints, begun: begunKeys, now: .zero)
    }

    private func keyClicked(by action: Action) -> Action? {
        guard case .mouse(.click(let point)) = action, screen.bottom(1).contains(point) else { return nil }
        return statusLine.action(at: point.column, columns: screen.columns)
    }

    private func drawTitle(on surface: inout Surface) {
        var pen = Pen(screen.top(1))
        pen.write(" ", on: &surface)
        pen.write(name, Style(.title, .bold), on: &surface)
        guard let document = viewer.body?.document else { return }
        pen.write(" · \(TimeText.size(document.raw.count))", Style(.dim), on: &surface)
        if !document.isComplete { pen.write(" · reading", Style(.running), on: &surface) }
    }
}
