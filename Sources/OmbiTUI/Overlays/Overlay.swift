/// A layer over the panes that takes the keys. Overlays are drawn bottom up, and handle actions top down.
enum Overlay: Equatable, Sendable {
    case help(HelpOverlay)
    case log(LogOverlay)
    case preview(PreviewOverlay)
    case picker(PickerOverlay)
    case question(QuestionOverlay)
    case gate(GateOverlay)
    case prompt(PromptOverlay)
    case conflicts(ConflictOverlay)
    case simulator(SimulatorOverlay)
    case folderRun(FolderRunOverlay)
    case history(HistoryOverlay)

    init(_ question: SessionQuestion) {
        switch question.subject {
        case .secret(let secret): self = .prompt(PromptOverlay(.secret(secret, question.id)))
        case .gate(let gate): self = .gate(GateOverlay(gate, question.id))
        }
    }

    /// Takes note of the time at which it is shown first.
    mutating func open(at now: Duration, on screen: Size) {
        guard case .gate(var gate) = self else { return }
        gate.open(at: now, on: screen)
        self = .gate(gate)
    }

    var scope: KeyScope {
        switch self {
        case .help(let help): help.scope
        case .log: .log
        case .preview: .preview
        case .picker: .picker
        case .question(let question): question.scope
        case .gate: .gate
        case .prompt, .folderRun: .field
        case .conflicts: .conflicts
        case .simulator: .simulating
        case .history(let history): history.scope
        }
    }

    /// The name of the command that a palette has under its cursor.
    var chosenCommand: String? {
        if case .picker(let picker) = self, picker.isPalette { picker.chosen?.name } else { nil }
    }

    /// Handles an action on a screen of that size. Returns nil while the overlay stays, and its answer when it closes.
    /// - Parameter now: the time of the action.
    mutating func handle(_ action: Action, on screen: Size, at now: Duration) -> [Action]? {
        let area = Rect(screen).dropBottom(1)
        switch self {
        case .help(var help):
            let closes = action == .leave && help.leave()
            help.handle(action, on: screen)
            self = .help(help)
            return closes ? [] : nil
        case .gate(var gate):
            defer { self = .gate(gate) }
            return gate.handle(action, on: screen, at: now)
        case .history(var history):
            defer { self = .history(history) }
            return history.handle(action, in: area)
        case _ where action == .leave: return onLeave
        case .log(var log):
            log.handle(action, on: screen)
            self = .log(log)
            return nil
        case .preview(var preview):
            defer { self = .preview(preview) }
            return preview.handle(action, on: screen)
        case .picker(var picker):
            defer { self = .picker(picker) }
            return picker.handle(action, in: area)
        case .question(let question): return question.handle(action, in: area)
        case .prompt(var prompt):
            defer { self = .prompt(prompt) }
            return prompt.handle(action, in: area)
        case .conflicts(var conflicts):
            defer { self = .conflicts(conflicts) }
            return conflicts.handle(action, in: area)
        case .simulator(var simulator):
            defer { self = .simulator(simulator) }
            return simulator.handle(action, in: area)
        case .folderRun(var form):
            defer { self = .folderRun(form) }
            return form.handle(action, in: area)
        }
    }

    /// The answer of an overlay that is left without one.
    private var onLeave: [Action] {
        switch self {
        case .question(let question): question.onLeave.map { [$0] } ?? []
        case .prompt(let prompt): prompt.onLeave
        default: []
        }
    }

    /// Draws the overlay and returns the cursor's position in it.
    func draw(on surface: inout Surface, in screen: Rect) -> Point? {
        switch self {
        case .help(let help): help.draw(on: &surface, in: screen)
        case .log(let log): log.draw(on: &surface, in: screen)
        case .preview(let preview): preview.draw(on: &surface, in: screen)
        case .picker(let picker): picker.draw(on: &surface, in: screen)
        case .question(let question): question.draw(on: &surface, in: screen)
        case .gate(let gate): gate.draw(on: &surface, in: screen)
        case .prompt(let prompt): prompt.draw(on: &surface, in: screen)
        case .conflicts(let conflicts): conflicts.draw(on: &surface, in: screen)
        case .simulator(let simulator): simulator.draw(on: &surface, in: screen)
        case .folderRun(let form): form.draw(on: &surface, in: screen)
        case .history(let history): history.draw(on: &surface, in: screen)
        }
    }
}

/// The frame of every overlay: cleared, boxed, with a title.
enum OverlayFrame {
    static func draw(_ title: String, columns: Int, rows: Int, on surface: inout Surface, in screen: Rect) -> Rect {
        draw(title, around: inside(columns: columns, rows: rows, in: screen), on: &surface)
    }

    @discardableResult
    static func draw(_ title: String, around inside: Rect, on surface: inout Surface) -> Rect {
        let rect = Rect(
            column: inside.column - 2, row: inside.row - 1, columns: inside.columns + 4, rows: inside.rows + 2)
        surface.fill(rect, style: Style(.plain))
        surface.box(rect, style: Style(.focusedBorder))
        surface.write(
            " \(title) ", at: Point(column: rect.column + 2, row: rect.row), style: Style(.title, .bold),
            limit: max(0, rect.columns - 4))
        return inside
    }

    /// Writes a mark into the bottom of the frame around `inside`, at its end.
    static func mark(_ spans: [Span], around inside: Rect, on surface: inout Surface) {
        guard !spans.isEmpty else { return }
        let columns = spans.reduce(2) { $0 + TextWidth.of($1.text) }
        let line = Rect(column: inside.column, row: inside.endRow, columns: inside.columns, rows: 1)
        var pen = Pen(line.right(columns))
        pen.write([Span(text: " ", role: .plain)] + spans + [Span(text: " ", role: .plain)], on: &surface)
    }

    /// Lines of text, of which those that are wider than a frame go on below, as far indented; none does where that would
    /// take more than so many rows.
    static func wrapped(_ lines: [String], columns: Int, rows: Int = .max) -> [String] {
        let wrapped = lines.flatMap { line in
            guard TextWidth.of(line) > columns else { return [line] }
            let margin = String(line.prefix { $0 == " " })
            return WrappedText.lines(of: line, columns: columns - margin.count).map { margin + $0 }
        }
        return wrapped.count <= rows ? wrapped : lines
    }

    /// The part of the screen inside a frame for so many columns and rows.
    static func inside(columns: Int, rows: Int, in screen: Rect) -> Rect {
        screen.centered(columns: min(columns + 4, screen.columns), rows: min(rows + 2, screen.rows))
            .inset(by: 1).dropLeft(1).dropRight(1)
    }
}
