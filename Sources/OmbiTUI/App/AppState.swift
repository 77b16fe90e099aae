/// The state of the explorer. Only `update` and `receive` change it: they pass actions and events on to the part that
/// handles them, without side effects, and return the effects to run.
struct AppState: Equatable, Sendable {
    private(set) var size: Size
    /// The clock of the program at the last action or event.
    private(set) var now = Duration.zero
    var workbench: Workbench
    var runs = Runs()
    var tree = TreePane()
    var requestPane = RequestPane()
    var responsePane = ResponsePane()
    /// The editor of environments, which covers the panes while it is open.
    var environmentPane: EnvironmentPane?
    /// The table of a folder's run, which covers the panes while it is open.
    var batchPane = BatchPane()
    var focus = Focus.tree
    private(set) var isZoomed = false
    var splits = Splits()
    var moved: Divider?
    /// The commands chosen last in the palette, the newest first.
    private var recent: [String] = []
    var overlays: [Overlay] = []
    /// Questions that wait until nothing else has the keys.
    private var questions: [Overlay] = []
    /// The time that a slow terminal takes to show a frame.
    private(set) var lag = Duration.zero
    var notice: Notice?
    private var passing: PassingNotice?
    private var log = MessageLog()
    private(set) var begunKeys: [Key] = []
    /// The time of the last key for a prompt that was taken away under it; nil for none.
    var lostPromptAt: Duration?
    /// The memory of the last time, and the environment of the command line.
    private(set) var remembered: WorkspaceMemory?
    private(set) var givenEnvironment: String?
    let keymap: Keymap
    /// The folder that is opened, for the start screen.
    var startFolder = ""
    /// True where the rows of requests show their last runs.
    var showsSparklines = true

    /// - Parameter overrides: those of the session, for the texts that say what will be sent.
    init(size: Size, keymap: Keymap = .standard, overrides: Overrides = Overrides()) {
        self.size = size
        workbench = Workbench(overrides: overrides)
        self.keymap = keymap
        follow()
    }

    var layout: Layout {
        Layout(
            size: size, focus: focus, zoomed: isZoomed, splits: splits, isWriting: requestPane.isWriting,
            isUnsent: isUnsent, showsNode: workbench.showsNode, names: tree.columnsOfNames)
    }

    /// True where the response shows nothing but that there is none.
    private var isUnsent: Bool { run == nil && workbench.selected != nil && !responsePane.tab.showsHistory }

    /// The last run of the selected request.
    var run: RunState? { runs[workbench.selected] }

    // The optimizer of Swift 6.3 fails where this is inlined.
    @inline(never) var responseView: ResponseView {
        ResponseView(
            run: run, now: now, columns: layout.inside(.response)?.columns ?? 0,
            description: workbench.request?.description, cookies: cookies,
            history: runs.history(of: workbench.selected), unrecorded: workbench.unrecorded,
            marked: runs.markedEntry,
            otherEnvironment: otherEnvironment, documented: workbench.request?.documentedResponses ?? [])
    }

    /// The environment that the response came from, where that is not the one in use.
    private var otherEnvironment: String? {
        guard let run, run.environment != workbench.context?.chosenEnvironment?.name else { return nil }
        return run.environment ?? "no environment"
    }

    var shownViewer: Viewer? { responsePane.showsBody(responseView) ? run?.viewer : nil }

    // MARK: Actions

    /// A curl command replaces the request whose URL is edited; outside of all fields it becomes a scratch request.
    func action(forPaste text: String) -> Action? {
        guard overlays.isEmpty, environmentPane == nil, !batchPane.isOpen else {
            return scopes.first?.takesText ?? false ? .text(.insert(text)) : nil
        }
        if showsStartPage { return .files(.paste(text)) }
        if focus == .request, requestPane.takesCurl(text) { return .request(.takeCurl(text)) }
        if scopes.first?.takesText != true, let redirect = redirect(text) { return redirect }
        return scopes.first?.takesText ?? false ? .text(.insert(text)) : .files(.paste(text))
    }

    mutating func update(_ action: Action, at time: Duration) -> [Effect] {
        now = time
        if isForLostPrompt(action) { return [] }
        // A screen that shows nothing takes no action blindly.
        if Layout.isTooSmall(size), !Self.blindActions.contains(action) { return [] }
        // The end of a click is no news: what the click said stays.
        if action.isRelease, overlays.last != nil || tree.drag?.target == nil { return [] }
        var action = keyClicked(by: action) ?? action
        if action != .files(.undo), action != .files(.redo) { workbench.undoesNext = nil }
        if workbench.sendsOnEnter {
            workbench.sendsOnEnter = false
            if action == .request(.edit) { action = .run(.send) }
        }
        begunKeys = action.begunKeys
        notice = action.chordNotice
        if !begunKeys.isEmpty || notice != nil { return [] }
        var effects = overlays.isEmpty ? take(handle(action)) : answer(action)
        if !workbench.held.isEmpty, requestPane.editing == nil, environmentPane?.editing == nil, !isChoosing {
            effects += take(workbench.takeHeld(mayAsk: mayAsk))
        }
        if !questions.isEmpty, mayAsk { show(questions.removeFirst()) }
        return workbench.takeTyped().map(Effect.grant) + effects + follow()
    }

    /// The actions that need no look at the screen.
    private static let blindActions: [Action] = [.app(.interrupt), .app(.quit), .app(.suspend), .app(.redraw)]

    /// False where an overlay that opens by itself would take keys that are meant for another part.
    var mayAsk: Bool {
        overlays.allSatisfy { if case .preview = $0 { true } else { false } }
            && (showsStartPage || !(scopes.first?.takesText ?? false))
    }

    /// Passes an action to the part that it is for; editors and bodies come before keys of the program.
    private mutating func handle(_ action: Action) -> [Outcome] {
        if showsStartPage, case .text(.insert(let text)) = action {
            return [.open(.prompt(PromptOverlay(.first, text: text)))]
        }
        if case .environments(let action) = action, let outcomes = perform(action) { return outcomes }
        if case .mouse(.click(let point)) = action, marksCompletion(at: point) { return handle(.accept) }
        let whole = whole
        if let outcomes = environmentPane?.handle(action, on: &workbench, in: whole) { return outcomes }
        let table = table
        if batchPane.isOpen, let outcomes = batchPane.handle(action, on: &runs, workbench, in: table, at: now) {
            return outcomes
        }
        if focus == .tree, let outcomes = tree.search(action, in: &workbench) { return outcomes }
        if focus == .tree, action == .leave, tree.clearMarks() { return [] }
        if focus == .request, let outcomes = requestPane.edit(action, on: &workbench, in: layout.inside(.request)) {
            return outcomes
        }
        if focus == .response, let outcomes = responsePane.filterHistory(action) { return outcomes }
        if focus == .response, let outcomes = responsePane.performOnBody(action, responseView, in: &runs) {
            return outcomes
        }
        switch action {
        case .app(let action): return perform(action)
        case .files(let action): return workbench.perform(action)
        case .run(let action): return perform(action)
        case .batch(let action): return perform(action)
        case .tree(let action): return tree.perform(action, on: &workbench)
        case .request(let action): return requestPane.perform(action, on: &workbench)
        case .response(let action): return perform(action)
        case .mouse(let action): return perform(action)
        case .move(let movement): return move(movement)
        case .copy: return copy()
        case .chooseCopy: return chooseCopy()
        case .copyText(let text, let name): return [.effect(.copy(text, named: name))]
        case .inOrder(let actions): return actions.map(Outcome.perform)
        case .view: return showingBody(action)
        case .leave: return leave()
        case .editor, .text, .accept, .nextField, .confirm, .environments: return []
        }
    }

    /// The screen above the line of keys.
    var whole: Rect { Rect(size).dropBottom(1) }

    /// The part of the screen for the table of a run: all between the header and the line of keys.
    var table: Rect { whole.dropTop(layout.header?.rows ?? 0) }

    /// Opens and closes the editor of environments; nil for an action in it.
    private mutating func perform(_ action: EnvironmentAction) -> [Outcome]? {
        switch action {
        case .open:
            guard let file = workbench.shownContext, file.collection != nil, !file.isScratch else {
                return .notify(.info, "There is no collection whose environments could be edited")
            }
            var pane = EnvironmentPane(path: file.path, size: whole.size)
            let outcomes = pane.open(workbench)
            environmentPane = pane
            return outcomes
        case .close: environmentPane = nil
        case .goTo(let id):
            environmentPane = nil
            return [.focus(.request), .perform(.tree(.select(.request(id))))]
        default: return nil
        }
        return []
    }

    private mutating func take(_ outcomes: [Outcome]) -> [Effect] {
        var effects: [Effect] = []
        for outcome in outcomes {
            switch outcome {
            case .effect(let effect): effects.append(recorded(effect))
            case .notice(let new):
                notice = new
                if let new { log.add(new, at: now) }
            case .passing(let new):
                passing = new
                effects += take([.notice(new.notice)])
            case .open(let overlay): overlays.append(overlay)
            case .ask(let overlay): if mayAsk { show(overlay) } else { questions.append(overlay) }
            case .focus(let pane): focus = pane
            case .perform(let action):
                effects += follow()
                effects += take(handle(action))
            }
        }
        return effects
    }

    /// Lets the panes follow what the others have changed. Returns the effects of showing another request.
    @discardableResult
    private mutating func follow() -> [Effect] {
        tree.follow(&workbench, size: inside(.tree))
        // The sizes of the others depend on it.
        workbench.showsNode = folder != nil
        requestPane.follow(workbench, size: inside(.request))
        let responseSize = inside(.response)
        let whole = whole
        environmentPane?.follow(workbench, size: whole.size)
        batchPane.follow(runs.batch, size: BatchPane.inside(table).size)
        followEnvironments()
        let effects =
            runs.showBody(of: workbench.selected) + followRecent() + followLast() + followHistory()
            + followSimulation() + followSearch()
        let view = responseView
        responsePane.follow(view, size: responseSize)
        runs.resizeViewer(of: workbench.selected, to: ResponsePane.bodySize(in: responseSize))
        return effects + followPrompt(view)
    }

    /// The size of a pane; of a hidden one, the size that it will have when shown.
    private func inside(_ pane: Focus) -> Size {
        let inside =
            layout.inside(pane)
            ?? Layout(size: size, focus: pane, zoomed: isZoomed, splits: splits, names: tree.columnsOfNames)
            .inside(pane)
        return inside?.size ?? Size(columns: 80, rows: 10)
    }

    mutating func perform(_ action: AppAction) -> [Outcome] {
        switch action {
        case .focus(let pane): focus = pane
        case .focusNext: focus = focus.next
        case .focusPrevious: focus = focus.previous
        case .zoom: isZoomed.toggle()
        case .moveSplit(let movement): moveSplit(movement)
        case .help: return [.open(.help(HelpOverlay(keymap: keymap, scopes: scopes, first: usualKeys(10))))]
        case .useTheme(let base):
            let text = "The theme \(base.rawValue), until Ombi ends; \"theme\" in the settings keeps it"
            return [.effect(.useTheme(base))] + .notify(.info, text)
        case .log: return [.open(.log(LogOverlay(log, at: now)))]
        case .manual: return [.effect(.readManual)]
        case .palette: return [.open(.picker(palette(recent: recent)))]
        case .askForIncident:
            let range = troubledRange ?? "1h.."
            return [.open(.prompt(PromptOverlay(.incident(proposed: range), text: range, isSelected: true)))]
        case .askForMark: return [.open(.prompt(PromptOverlay(.moment)))]
        case .markMoment(let name): return [.effect(.history(.markMoment(name)))]
        case .showAllHistory: return showAllHistory()
        case .showObjectives: return showObjectives()
        case .compareAroundMark: return [.effect(.history(.aroundMark(workbench.files.map(\.path))))]
        case .useRecorded(let entry, let use): return perform(use, on: entry)
        case .writeIncident(let text): return [.effect(.writeIncident(text, of: workbench.files.map(\.path)))]
        case .unbound(let key):
            if let action = actionOnBody(of: key) { return showingBody(action) }
            // Not through the log: a slip of a finger is no news.
            notice = Notice(.info, meaning(of: key))
        case .chord, .endChord: break
        case .redraw: return [.effect(.redraw)]
        case .suspend: return [.effect(.suspend)]
        case .interrupt: return interrupt()
        case .quit: return quit()
        case .quitCancelling: return workbench.quit()
        case .quitWithoutSaving: return [.effect(.quit)]
        case .answer(let id, let text): return [.effect(.answer(id, text))]
        }
        return []
    }

    /// The body takes its actions in every tab of the response: it shows for them.
    func showingBody(_ action: Action) -> [Outcome] {
        if focus == .response, shownViewer != nil { return [] }
        if let run, run.showsBody, run.viewer != nil {
            return [.perform(.response(.showTab(ResponseTab.body.number))), .perform(action)]
        }
        guard let run, run.isRunning else { return .notify(.info, "There is no body yet; s sends the request") }
        return .notify(.info, "There is no body yet; x cancels the run", during: .run(run.id))
    }

    private mutating func moveSplit(_ movement: SplitMovement) {
        let layout = layout
        switch movement {
        case .left, .right:
            let divider: Divider = layout.shape == .columns && focus != .tree ? .requestColumns : .tree
            guard layout.tree != nil, layout.request != nil else { return }
            splits.move(divider, by: movement == .left ? -2 : 2, in: layout)
        case .up, .down:
            guard layout.shape != .columns, layout.request != nil, layout.response != nil else { return }
            splits.move(.requestRows, by: movement == .up ? -1 : 1, in: layout)
        }
    }

    private mutating func move(_ movement: Movement) -> [Outcome] {
        switch focus {
        case .tree: return tree.move(movement, in: &workbench)
        case .request: requestPane.move(movement, in: workbench)
        case .response: responsePane.move(movement, responseView)
        }
        return []
    }

    private func copy() -> [Outcome] {
        switch focus {
        case .response where run != nil || hasEntry: return responsePane.copy(responseView)
        case .tree:
            guard let row = tree.current, row.method == nil else { return requestPane.copy(workbench, as: .url) }
            return [.effect(.copy(row.name, named: "the name"))]
        case .request, .response: return requestPane.copy(workbench)
        }
    }

    private func chooseCopy() -> [Outcome] {
        let here = focus == .response ? responsePane.copies(responseView) : []
        let items = here + requestPane.copies(workbench, withRow: focus == .request)
        guard !items.isEmpty else { return .notify(.info, "Select a request first; Enter opens a folder") }
        return [.open(.picker(PickerOverlay(title: "Copy", items: items)))]
    }

    // MARK: Overlays

    private mutating func answer(_ action: Action) -> [Effect] {
        switch action {
        case .app(.redraw), .app(.suspend): return take(handle(action))
        case .app(.quit) where overlays.last?.scope == .decision: return take(quit())
        default:
            guard let answer = overlays[overlays.count - 1].handle(action, on: size, at: now) else { return [] }
            if let name = overlays.removeLast().chosenCommand { remember(name) }
            return take(answer.map(Outcome.perform))
        }
    }

    private mutating func show(_ overlay: Overlay) {
        var overlay = overlay
        overlay.open(at: now, on: size)
        overlays.append(overlay)
    }

    private mutating func remember(_ command: String) {
        recent = Array(([command] + recent.filter { $0 != command }).prefix(Self.maximumRecent))
    }

    private static let maximumRecent = 8

    // MARK: Events

    mutating func receive(_ event: Event, at time: Duration) -> [Effect] {
        now = time
        if case .gate(var gate)? = overlays.last {
            gate.wake(at: now)
            overlays[overlays.count - 1] = .gate(gate)
        }
        let prompted = runs.prompted
        defer { noteLostPrompt(prompted) }
        let effects = take(outcomes(of: event))
        forgetRecent(after: event)
        if let passing, !runs.isUnderWay(passing.subject) {
            if notice == passing.notice { notice = nil }
            self.passing = nil
        }
        return effects + take(renewQuitting()) + follow()
    }

    private mutating func outcomes(of event: Event) -> [Outcome] {
        switch event {
        case .resized(let size): self.size = size
        case .remembered(let memory): restore(memory)
        case .opening: workbench.isReading = true
        case .opened(let loaded, let environment):
            let outcomes = workbench.open(loaded, environment)
            givenEnvironment = environment
            tree.open(&workbench)
            return outcomes + restoreTree()
        case .begun, .converted, .added: return newFiles(of: event)
        case .scratch(let collection): return workbench.restoreScratch(collection)
        case .reloaded(let loaded): return reloaded(loaded)
        case .changed(let loaded): return changed(loaded)
        case .checked(let run, let isReady): return checked(run, isReady: isReady)
        case .refused(let run, let message): return refused(run, message)
        case .previewed(let name, let preview):
            return [.open(.preview(PreviewOverlay("Preview of \(name)", PreviewRows.rows(preview).map(\.spans))))]
        case .run(let id, let event): return receive(event, of: id)
        case .question(let question):
            let waiting = "A request waits for an answer, which is asked for next"
            return (mayAsk ? [] : .notify(.warning, waiting)) + [.ask(Overlay(question))]
        case .cookies(let home, let cookies): runs.cookies[home] = cookies
        case .history(let answer): return receive(answer)
        case .viewer(let id, let event): return runs.receive(event, of: id).outcomes(of: id)
        case .notice(let notice): return [.notice(notice)]
        case .saved(let path, let collection, let fingerprint): return saved(path, collection, fingerprint)
        case .secretsKept(let path, let notice, let isKept): return workbench.kept(path, notice, isKept)
        case .saveFailed(let path, let message, let changed):
            return workbench.saveFailed(path, message, changedOnDisk: changed)
        case .edited(let target, let text): return workbench.takeEdited(target, text)
        case .editorFailed(let message): return .notify(.failure, message)
        case .copied(let message): return .notify(.success, message)
        case .lagging(let lag): self.lag = lag
        case .manual(let pages): return [.open(.help(HelpOverlay(manual: pages)))]
        case .folder(let listing):
            requestPane.receive(listing)
            responsePane.receive(listing, responseView)
            environmentPane?.receive(listing)
        case .secretsChecked(let checks): environmentPane?.receive(checks)
        case .schema(let place, let schema, let use): return requestPane.receive(schema, at: place, for: use, workbench)
        case .tick: return runs.ticked().map(Outcome.effect)
        case .watchTick(let number): return watchTicked(number)
        case .batchTick(let id): return runs.batchTicked(id, at: now).map(Outcome.effect)
        case .dataRead, .dataUnread, .exampleRead: return readFile(event)
        case .terminating: return keepDrafts()
        }
        return []
    }

    /// Takes in files that were made or opened after the start.
    private mutating func newFiles(of event: Event) -> [Outcome] {
        switch event {
        case .begun(let loaded): workbench.begun(loaded)
        case .converted(let path, let new, let notice): workbench.converted(path, to: new, notice)
        case .added(let loaded, let path): keepingField(workbench.added(loaded, at: path))
        default: []
        }
    }

    /// Runs of requests that were renamed stay theirs once that is saved.
    private mutating func saved(_ path: String, _ collection: Collection, _ fingerprint: Fingerprint) -> [Outcome] {
        finishBeforeQuitting()
        let moves = workbench.renamed(in: path, to: collection)
        return moves.map(Outcome.move) + workbench.saved(path, collection, fingerprint)
    }

    private mutating func receive(_ event: SessionEvent, of id: RunID) -> [Outcome] {
        let isOfBatch = runs.batch?.row(of: id) != nil
        let before = runs[id: id]
        runs.noteRecorded(event, of: before?.item ?? runs.batch?.item(of: id), before)
        let effects = runs.receive(event, of: id, at: now).map(Outcome.effect)
        if case .signIn(let signIn) = event { return effects + show(signIn, of: id) }
        if isOfBatch {
            guard let batch = runs.batch, batch.isEnded else { return effects }
            if showsSparklines { runs.recentFiles = [] }
            // An open table shows the result itself.
            return effects + (batchPane.isOpen ? [] : [.notice(batch.ending)])
        }
        guard case .ended(let result) = event, let run = runs[id: id] ?? before else { return effects }
        if runs[id: id] == nil {
            // The run before is on the screen again.
            return effects + watchEnded(result, of: run.item)
                + .notify(.info, "\(run.name): cancelled before it was sent")
        }
        let isWatched = runs.watch?.item == run.item
        let after =
            refreshRecent(of: run.item) + watchEnded(result, of: run.item)
            + workbench.readingDocument(after: result, of: run.item)
        guard run.item != workbench.selected else { return effects + after }
        // A watch says what changes, not every result.
        return (isWatched ? [] : [.notice(run.ending)]) + effects + after
    }

    private mutating func restore(_ memory: WorkspaceMemory) {
        remembered = memory
        if !memory.dividers.isEmpty { splits.dividers = memory.dividers }
        if !memory.prompts.isEmpty { runs.viewerSettings.prompts = memory.prompts }
        memory.requestTab.flatMap(RequestTab.init).map { requestPane.restore($0) }
        memory.responseTab.flatMap(ResponseTab.init).map { responsePane.show($0) }
        if let pane = memory.fullScreen.flatMap(Focus.init) { (focus, isZoomed) = (pane, true) }
    }

    private mutating func restoreTree() -> [Outcome] {
        // A list that takes the whole screen shows no reason once the message is gone.
        let files = workbench.files
        if layout.shape == .stacked, !files.isEmpty, files.allSatisfy({ $0.readProblem != nil }) { focus = .request }
        guard let remembered else { return [] }
        let outcomes = workbench.restore(environments: remembered.environments, besides: givenEnvironment)
        let node = remembered.selected.flatMap(workbench.node)
        tree.restore(closed: workbench.closedNodes(remembered), selecting: node, in: &workbench)
        return outcomes
    }
}
