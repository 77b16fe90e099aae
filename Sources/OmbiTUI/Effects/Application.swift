/// Connects the parts on the main thread: input becomes actions, actions change the state, effects run, their results
/// come back as events, and after each burst the screen is drawn once.
///
/// Generic, since a state behind a protocol would be copied, some kilobytes, at each look.
@MainActor
final class Application<State: ProgramState> {
    private let display: any Display
    private let loop: MainLoop
    private let runner: EffectRunner
    private var state: State
    private var needsDrawing = true
    private var shownLag = Duration.zero
    private var ending: Signal?
    /// True once the terminal is gone.
    private var isHungUp = false
    /// The runs whose ends are waited for, once nothing else happens any more.
    private var away: AwayRuns?
    private var isShown = false
    private var typedPaste = TypedPaste()
    /// True once the terminal has reported its background, or has replied without doing so.
    private var knowsBackground = false
    private var memoryFile: MemoryFile?
    private var memory: WorkspaceMemory?
    private let start = ContinuousClock.now

    /// - Parameters:
    ///   - session: made for the first request, behind the first frame.
    ///   - input: the input that the command line opens.
    ///   - clipboard: the way to the clipboard.
    ///   - commandsPage: the last page of the manual, in Markdown, made when the manual is read.
    init(
        display: any Display, loop: MainLoop, state: State,
        session: @escaping @autoclosure () -> Session = Session(), questions: Questions = Questions(),
        history: History? = nil, input: ViewInput? = nil, clipboard: ClipboardChoice = .auto,
        watchCommand: [String] = [], commandsPage: @escaping @Sendable () -> String? = { nil }
    ) {
        self.display = display
        self.loop = loop
        self.state = state
        runner = EffectRunner(
            display: display, session: session, questions: questions, history: history, input: input,
            clipboard: clipboard, watchCommand: watchCommand, commandsPage: commandsPage)
        runner.onEvent = { [unowned self] in receive($0) }
    }

    /// Reads the collections at the paths, and before them the memory of the last time.
    func open(_ paths: [String], environment: String?, memory file: MemoryFile? = nil) {
        memoryFile = file
        do throws(DamagedMemory) {
            memory = try file?.read()
            if let memory { receive(.remembered(memory)) }
            runner.open(paths, environment: environment)
        } catch {
            runner.open(paths, environment: environment)
            receive(.notice(Notice(.warning, error.description)))
        }
    }

    /// Writes the memory for the next start, where it has changed.
    private func keepMemory() {
        guard let memoryFile, let new = withState({ $0.memory }), new != memory else { return }
        // There is nobody to report an error to.
        try? memoryFile.write(new, since: memory)
    }

    func show(_ notice: Notice) { receive(.notice(notice)) }

    func start(_ effects: [Effect]) { run(effects) }

    /// Runs until the user quits or the terminal goes away.
    /// - Returns: the signal that ended it; nil when the user did.
    func run() -> Signal? {
        loop.run(
            onInput: { [unowned self] in handle($0) },
            onSignal: { [unowned self] in handle($0) },
            afterEach: { [unowned self] in drawIfNeeded() })
        keepMemory()
        if !isHungUp {
            let time = now
            runner.endQuestions()
            wait(for: withState { $0.away(at: time) }.cancelled(at: time))
        }
        runner.finish()
        return ending
    }

    /// Waits for the runs in flight where the terminal went away, and notes them for the next start. The terminal has been
    /// left.
    func finishRuns(_ note: AwayNote? = .standard) {
        // A signal to end may come in one burst with that of the terminal.
        guard isHungUp, ending == nil || ending == .hangUp else { return }
        let time = now
        let runs = withState { $0.away(at: time) }
        guard runs.deadline != nil else { return }
        Detachment.leaveTerminal()
        wait(for: runs)
        runner.finish()
        note?.write(away?.ended ?? [])
    }

    /// Waits until runs have ended and are recorded. Nothing is drawn or read any more, and no effect runs, so that
    /// nothing else is sent.
    private func wait(for runs: AwayRuns) {
        guard runs.deadline != nil else { return }
        away = runs
        // Their results come by the main queue, which the loop runs.
        loop.run(
            onInput: { _ in },
            onSignal: { [unowned self] in if [.terminate, .interrupt, .quit].contains($0) { loop.stop() } },
            afterEach: { [unowned self] in followAway() })
    }

    /// Cancels the runs whose time is over, and ends the loop once none is left.
    private func followAway() {
        for id in away?.overdue(at: now) ?? [] { runner.run(.cancel(id)) }
        guard let deadline = away?.deadline else { return loop.stop() }
        loop.alarm = start + deadline
    }

    private var now: Duration { ContinuousClock.now - start }

    /// Reads the state in place. A method called on the property of a class would get a copy, some kilobytes.
    private func withState<Value>(_ read: (inout State) -> Value) -> Value { read(&state) }

    // MARK: In

    /// Letters that came together are one edit: each by itself would copy all of a long text.
    func handle(_ burst: [InputEvent]) {
        if withState({ $0.scopes == [.start] }), burst.count > 1, let text = TypedPaste.letters(of: burst),
            case .text? = action(for: burst[0])
        {
            return text.contains(where: \.isNewline) ? perform(paste: text) : perform(.text(.insert(text)))
        }
        if withState({ $0.scopes.first?.takesText != true }) {
            switch typedPaste.meaning(of: burst, at: now) {
            case .keys: break
            case .paste(let text): return perform(paste: text)
            case .dropped(let count): return receive(.notice(Self.dropped(count)))
            }
        }
        var typed = ""
        for input in burst {
            let action = action(for: input)
            if case .text(.insert(let letter))? = action, case .key = input {
                typed += letter
                continue
            }
            insertTyped(&typed)
            if let action { perform(action) } else { handle(input) }
        }
        insertTyped(&typed)
    }

    private static func dropped(_ count: Int) -> Notice {
        let letters = Count.of(count, "letter")
        return Notice(
            .warning,
            "Dropped a paste of \(letters), which would run as commands; paste a URL or a curl command, or into a field"
        )
    }

    private func insertTyped(_ text: inout String) {
        if !text.isEmpty { perform(.text(.insert(text))) }
        text = ""
    }

    private func perform(paste text: String) {
        if let action = action(for: .paste(text)) { perform(action) }
    }

    private func action(for input: InputEvent) -> Action? {
        switch input {
        case .key(let key):
            withState { $0.keymap.action(for: key, after: $0.begunKeys, in: $0.scopes) } ?? .app(.unbound(key))
        case .mouse(let mouse): mouse.action
        case .paste(let text): withState { $0.action(forPaste: text) }
        case .background, .focus, .status, .margins, .end: nil
        }
    }

    private func handle(_ input: InputEvent) {
        switch input {
        case .key, .mouse, .paste: break
        case .background(let background):
            knowsBackground = true
            display.adapt(to: background)
            needsDrawing = true
        case .focus: break
        case .status: takeReply()
        case .margins: display.hasMargins()
        case .end:
            isHungUp = true
            receive(.terminating)
        }
    }

    /// Lets the terminal have the next frame, and says in that when it takes more than a tenth of a second.
    private func takeReply() {
        display.replied()
        if !knowsBackground {
            // A terminal replies in order: this one has not reported its background.
            knowsBackground = true
            if display.adapt(to: nil) { needsDrawing = true }
        }
        let lag = Duration.milliseconds(100 * Int(display.lag.milliseconds / 100))
        guard lag != shownLag else { return }
        shownLag = lag
        // It shows with the next frame: one for it alone would have a reply and a lag of its own.
        let needsFrame = needsDrawing
        receive(.lagging(lag))
        needsDrawing = needsFrame
    }

    private func handle(_ signal: Signal) {
        switch signal {
        case .windowChanged:
            display.resized()
            receive(.resized(display.size))
        case .terminate, .hangUp, .interrupt, .quit:
            if ending == nil || signal != .hangUp { ending = signal }
            isHungUp = isHungUp || signal == .hangUp
            receive(.terminating)
        case .stop: perform(.app(.suspend))
        case .continue: redraw()
        }
    }

    private func perform(_ action: Action) {
        run(state.update(action, at: now))
        keepDrafts()
    }

    private func receive(_ event: Event) {
        if away != nil { return followAway(event) }
        run(state.receive(event, at: now))
        switch event {
        case .saved, .converted: keepDrafts()
        default: break
        }
    }

    private func followAway(_ event: Event) {
        if case .run(let id, .ended(let result)) = event { away?.end(id, result) }
    }

    private func keepDrafts() {
        runner.keepDrafts(isEdited: withState { $0.isEdited }) { [weak self] in self?.withState { $0.unsaved } ?? [] }
    }

    // MARK: Out

    private func run(_ effects: [Effect]) {
        needsDrawing = true
        for effect in effects {
            switch effect {
            case .quit: loop.stop()
            case .redraw: redraw()
            default: runner.run(effect)
            }
        }
    }

    private func redraw() {
        display.resized()
        needsDrawing = true
    }

    /// Draws what has changed; done after each burst of events.
    func drawIfNeeded() {
        loop.alarm = needsDrawing ? display.isBehindUntil : nil
        guard needsDrawing, loop.alarm == nil else { return }
        needsDrawing = false
        let (surface, cursor) = withState { $0.draw() }
        display.show(surface, cursor: cursor)
        guard !isShown else { return }
        isShown = true
        runner.firstFrameShown()
    }
}

extension Mouse {
    private static let wheelLines = 3

    var action: Action? {
        switch kind {
        case .press: button == .left ? .mouse(.click(position)) : nil
        case .wheelUp: .mouse(.wheel(position, -Self.wheelLines))
        case .wheelDown: .mouse(.wheel(position, Self.wheelLines))
        case .drag: button == .left ? .mouse(.drag(position)) : nil
        case .release: .mouse(.release(position))
        case .wheelLeft, .wheelRight: nil
        }
    }
}
