/// The only code of the front end with side effects. Its results come back as events, in order, on the main queue.
@MainActor
final class EffectRunner {
    var onEvent: (Event) -> Void = { _ in }

    private let display: any Display
    lazy var session = makeSession()
    private let makeSession: () -> Session
    private let questions: Questions
    /// Nil where nothing is kept.
    let history: History?
    private var runs: [RunID: SessionRun] = [:]
    private let input: ViewInput?
    /// Created for the first body.
    private lazy var viewers = ViewerWorker(input: input) { [emit = emitter] in emit(.viewer($0, $1)) }
    private lazy var outputs: OutputRunner = {
        hasOutputs = true
        return OutputRunner(emit: emitter, clipboard: clipboard) { [weak self] in self?.open($0) }
    }()
    private var hasOutputs = false
    private lazy var clipboard = Clipboard(clipboardChoice, emit: emitter)
    private let clipboardChoice: ClipboardChoice
    private let watchCommand: [String]
    /// The last page of the manual.
    private let commandsPage: @Sendable () -> String?
    private lazy var changeCommand = ChangeCommand(watchCommand) { [emit = emitter] in
        emit(.notice(Notice(.failure, $0)))
    }
    /// Writing files must not block the keys.
    private let background = DispatchQueue(label: "ombi.background", qos: .userInitiated)
    /// Those who do a little there share one thread: two that wait for their turn may wake one of Dispatch's.
    private lazy var briefly = BriefWork(on: background)
    /// Asks the history of another program, which may keep it waiting: saving must not.
    private let following = BriefWork(on: DispatchQueue(label: "ombi.following", qos: .utility))
    private let drafts: DraftKeeper
    private lazy var watcher = CollectionWatcher(
        on: briefly, load: { OpenedFile.load($0) },
        onRead: { [emit = emitter, history, following] loaded in
            following.add { OpenedFile.follow(loaded, in: history) }
            emit(.changed(loaded))
        })
    /// The paths of the command line, the files that were read, and the time before, in nanoseconds since 1970.
    private var opened: (paths: [String], files: [String], start: Int)?
    private(set) var isShown = false
    /// Questions to the history that wait for the first frame.
    var waitingQueries: [HistoryQuery] = []
    /// The search through the history that was begun last.
    var searching: Task<Void, Never>?
    /// Files that are compared with those of before, and looked through for secrets, after the first frame.
    private var unseen: [LoadedCollection] = []
    private let writing = DispatchGroup()

    /// - Parameter input: the input that the command line opens.
    init(
        display: any Display, session: @escaping () -> Session, questions: Questions = Questions(),
        history: History? = nil, input: ViewInput? = nil, clipboard: ClipboardChoice = .auto,
        watchCommand: [String] = [], commandsPage: @escaping @Sendable () -> String? = { nil }
    ) {
        self.watchCommand = watchCommand
        self.commandsPage = commandsPage
        self.questions = questions
        self.history = history
        clipboardChoice = clipboard
        self.display = display
        self.input = input
        makeSession = session
        drafts = DraftKeeper(Drafts.standard, on: background, writing: writing)
        questions.onAsk { [emit = emitter] in emit(.question($0)) }
        history?.onProblem { [emit = emitter] in emit(.notice(Notice(.warning, $0))) }
    }

    /// Bytes of collections that take less time to read than a second frame does to draw.
    private static let maximumReadAtOnce = 200_000

    /// Reads the collections at the paths: before the first frame, or behind it when there is much to read.
    func open(_ paths: [String], environment: String?) {
        let start = FileStamp.now
        guard CollectionFinder.size(of: paths) > Self.maximumReadAtOnce else {
            return opened(paths, OpenedFile.read(paths), environment, since: start)
        }
        onEvent(.opening)
        background.async { [weak self] in
            let loaded = OpenedFile.read(paths)
            DispatchQueue.main.async {
                MainActor.assumeIsolated { self?.opened(paths, loaded, environment, since: start) }
            }
        }
    }

    private func opened(
        _ paths: [String], _ loaded: [LoadedCollection], _ environment: String?, since start: Int
    ) {
        opened = (paths, loaded.map(\.path), start)
        inspectAfterFirstFrame(loaded)
        onEvent(.opened(loaded, environment: environment))
        if isShown { watch() }
    }

    /// Begins what waits for the first frame.
    func firstFrameShown() {
        isShown = true
        watch()
        let takeOver = drafts.takingOverScratch { [emit = emitter] in
            emit(.notice(Workbench.notice(ofDraft: $0, of: "scratch requests")))
        } then: { [weak self] in
            self?.onEvent(.scratch($0))
        }
        if let takeOver { briefly.add(takeOver) }
        if history != nil, let note = AwayNote.standard {
            following.add { [emit = emitter] in if let message = note.take() { emit(.notice(message)) } }
        }
        inspectAfterFirstFrame(unseen)
        unseen = []
        for query in waitingQueries { ask(query) }
        waitingQueries = []
    }

    /// Lets requests that were renamed while no Ombi ran keep their history, and warns of secrets in plain text. Files
    /// that are opened before the first frame wait for it, so that the start does not load SQLite.
    private func inspectAfterFirstFrame(_ files: [LoadedCollection]) {
        guard isShown else { return unseen += files }
        for file in files { watcher.watchDocuments(of: file) }
        following.add { [emit = emitter, history] in
            for file in files { OpenedFile.follow(file, in: history, recognises: true) }
            if let notice = PlainSecretsNotice.first(in: files) { emit(.notice(notice)) }
        }
    }

    private func watch() {
        guard let opened else { return }
        watcher.watch(opened.paths, open: opened.files, since: opened.start)
    }

    /// Waits for the end of pending work: no file is left half written, and copies have arrived. The history has its own end.
    func finish() {
        watcher.stop()
        if hasOutputs { outputs.finish() }
        drafts.end()
        _ = writing.wait(timeout: .now() + .seconds(10))
        clipboard.finish()
    }

    /// Runs that wait for a person go on without an answer.
    func endQuestions() { questions.end() }

    /// Called whenever something may have been edited.
    func keepDrafts(isEdited: Bool, of unsaved: @escaping @MainActor () -> [UnsavedFile]) {
        drafts.keep(isEdited: isEdited, unsaved)
    }

    func run(_ effect: Effect) {
        switch effect {
        case .send(let order): send(order)
        case .check(let orders, let run): check(orders, for: run)
        case .preview(let order): preview(order)
        case .cancel(let id): runs[id]?.finish()
        case .retryNow(let id): runs[id]?.retryNow()
        case .addAttempts(let id, let count): runs[id]?.addAttempts(count)
        case .message(let id, let message): runs[id]?.send(message)
        case .editCookies(let edit, let home): perform(edit, in: home)
        case .history(let query): ask(query)
        case .writeIncident(let text, let files): writeIncident(text, of: files)
        case .view(let id, let order): viewers.run(order, for: id)
        case .output(let id, let output): outputs.run(output, for: id)
        case .save(let path, let collection, let fingerprint, let overwriting):
            save(collection, to: path, fingerprint, overwriting: overwriting)
        case .keepSecrets(let secrets, let path): keep(secrets, beside: path)
        case .grantMoved(let secrets, let path):
            background.async(group: writing) { MovedSecrets.grant(secrets, in: path) }
        case .grant(let edit): session.grant(edit)
        case .keepDraft(let unsaved): drafts.keepForGood(unsaved)
        case .discardDraft(let file): Drafts.standard?.discard(file: file)
        case .replaceDraft(let file, let unsaved): drafts.replace(file, by: unsaved)
        case .edit(let target, let text, let line): edit(target, text, line: line)
        case .editFile(let path, let line): editFile(path, line: line)
        case .listFolder(let path, let folder): read { .folder(FolderListing(of: path, in: folder)) }
        case .checkSecrets(let sources, let folder): read { .secretsChecked(SecretReader.check(sources, in: folder)) }
        case .copy(let text, let name): clipboard.copy(.init(text: text, name: name ?? "the text"))
        case .copyCurl(let order, let revealsSecrets): copyCurl(order, revealsSecrets)
        case .readManual: readManual()
        case .useTheme(let base): display.use(ThemeChoice(base))
        case .answer(let id, let text): questions.answer(id, text)
        case .signOut(let file, let environment): signOut(file, environment)
        case .browse(let url): browse(url)
        case .submitRedirect(let address, let id): submitRedirect(address, for: id)
        case .tick(let delay): emit(.tick, after: delay)
        case .watchTick(let number, let delay): emit(.watchTick(number), after: delay)
        case .batchTick(let id, let delay): emit(.batchTick(id), after: delay)
        case .readData(let plan): read { plan.readingData() }
        case .readExample(let file): read { file.reading() }
        case .forgetRows: session.forgetRows()
        case .ringBell: display.ringBell()
        case .tellChange(let line): changeCommand?.run(line)
        case .suspend: suspend()
        case .begin, .convert, .open, .reload: runOnFiles(effect)
        case .readSchema, .introspect: runOnSchemas(effect)
        case .redraw, .quit: break
        }
    }

    private func runOnFiles(_ effect: Effect) {
        switch effect {
        case .begin(let collection, let path): begin(collection, at: path)
        case .convert(let path, let fingerprint, let target): convert(path, fingerprint, to: target)
        case .open(let path): open(path: path)
        case .reload(let path): reload(path)
        default: break
        }
    }

    // MARK: Requests

    private func send(_ order: RunOrder) {
        runs[order.id] = session.send(order, on: .main) { [weak self] event in
            MainActor.assumeIsolated {
                if case .ended = event { self?.runs[order.id] = nil }
                if case .ended = event { self?.showCookies(of: CookieHome(order)) }
                self?.onEvent(.run(order.id, event))
            }
        }
    }

    private func perform(_ edit: CookieEdit, in home: CookieHome) {
        if !session.cookies.perform(edit, in: home) {
            onEvent(.notice(Notice(.failure, "A cookie cannot have this value: no ; and no control characters")))
        }
        showCookies(of: home)
    }

    private func showCookies(of home: CookieHome) {
        if let cookies = session.cookies.cookies(of: home) { onEvent(.cookies(home, cookies)) }
    }

    private func check(_ orders: [RunOrder], for run: CheckedRun) {
        let (session, emit) = (session, emitter)
        Task.detached {
            let sound = orders.filter { (try? session.check([$0])) != nil }
            do throws(ResolveError) {
                try await session.prepare(sound)
                emit(.checked(run, isReady: !sound.isEmpty))
            } catch {
                emit(.refused(run, error.description))
            }
        }
    }

    private func signOut(_ file: String, _ environment: String?) {
        let (session, emit) = (session, emitter)
        Task.detached {
            await session.signOut(file: file, environment: environment)
            let place = environment.map { " of \($0)" } ?? ""
            emit(.notice(Notice(.success, "Signed out\(place): the next request signs in")))
        }
    }

    private func browse(_ url: String) {
        let emit = emitter
        DispatchQueue.global(qos: .userInitiated).async { Browser.show(url) { emit(.notice($0)) } }
    }

    private func submitRedirect(_ address: String, for id: SignIn.ID) {
        guard let problem = session.submitRedirect(address, for: id) else { return }
        onEvent(.notice(Notice(.failure, problem)))
    }

    private func preview(_ order: RunOrder) {
        let (session, emit) = (session, emitter)
        Task.detached {
            do throws(ResolveError) {
                // It sends nothing, and shows what would be asked.
                try await session.prepare([order], asking: { _, _ in .refused }, toleratesRefusals: true)
                var preview = try session.preview(order)
                preview.queryProblems = order.queryProblems
                emit(.previewed(order.request.name, preview))
            } catch {
                emit(.notice(Notice(.failure, error.description)))
            }
        }
    }

    // MARK: Files

    private func save(_ collection: Collection, to path: String, _ fingerprint: Fingerprint, overwriting: Bool) {
        let (emit, history) = (emitter, history)
        background.async(group: writing) {
            do throws(SaveError) {
                let saved = try CollectionFile.save(
                    collection, to: path, expecting: fingerprint, overwriting: overwriting)
                emit(.saved(path: path, collection, saved))
                history?.follow(file: path, CollectionOutline(collection), recognises: false)
            } catch {
                let changed =
                    switch error {
                    case .changedOnDisk, .removedOnDisk: true
                    case .failed, .unreadable, .foreign: false
                    }
                emit(.saveFailed(path: path, message: error.description, changedOnDisk: changed))
            }
        }
    }

    private func keep(_ secrets: [PlainSecret], beside path: String) {
        let emit = emitter
        background.async(group: writing) {
            let notice = PlainSecretsNotice.afterMoving(secrets, outOf: path)
            emit(.secretsKept(path: path, notice, isKept: notice.kind == .success))
        }
    }

    private func readManual() {
        let (emit, commandsPage) = (emitter, self.commandsPage)
        background.async {
            do {
                let files = PosixFileSystem()
                let pages = try Installation.manual().map { String(decoding: try files.read($0), as: UTF8.self) }
                emit(.manual(pages + [commandsPage()].compactMap { $0 }))
            } catch {
                emit(.notice(Notice(.failure, "\(error)".asSentence)))
            }
        }
    }

    private func reload(_ path: String) {
        let emit = emitter
        background.async { emit(.changed(OpenedFile.load(path))) }
    }

    private func begin(_ collection: Collection, at path: String?) {
        let path =
            path
            ?? NewCollection.path(for: collection.name, opened: opened?.paths ?? [], files: opened?.files ?? [])
        let emit = emitter
        background.async(group: writing) { [weak self] in
            do throws(SaveError) {
                emit(.begun(try NewCollection.create(collection, at: path)))
                DispatchQueue.main.async { MainActor.assumeIsolated { self?.watcher.watch(path) } }
            } catch {
                emit(.notice(Notice(.failure, error.description)))
            }
        }
    }

    private func convert(_ path: String, _ fingerprint: Fingerprint, to target: String) {
        let emit = emitter
        background.async(group: writing) { [weak self] in
            let (loaded, notice) = NewCollection.make(of: fingerprint, from: path, at: BodyFile.expanded(target))
            emit(.converted(path: path, to: loaded, notice))
            guard let new = loaded?.path else { return }
            DispatchQueue.main.async { MainActor.assumeIsolated { self?.watcher.watch(new) } }
        }
    }

    private func open(path: String) {
        let emit = emitter
        background.async { [weak self] in
            let loaded = OpenedFile.read([BodyFile.expanded(path)])
            emit(.added(loaded, path: path))
            DispatchQueue.main.async {
                MainActor.assumeIsolated {
                    self?.inspectAfterFirstFrame(loaded)
                    for file in loaded { self?.watcher.watch(file.path) }
                }
            }
        }
    }

    /// Reads beside the queue of the saves: a network drive may hang.
    private func read(_ event: @escaping @Sendable () -> Event) {
        let emit = emitter
        DispatchQueue.global(qos: .userInitiated).async { emit(event()) }
    }

    // MARK: The terminal

    private func edit(_ target: EditorTarget, _ text: String, line: Int) {
        withTerminalGivenBack {
            try ExternalEditor.edit(text, suffix: target.suffix, line: line)
        } then: {
            onEvent(.edited(target, text: $0))
        }
    }

    private func open(_ copy: BodyCopy) {
        withTerminalGivenBack {
            try ExternalEditor.show(copy)
        } then: { wasChanged in
            if wasChanged { onEvent(.notice(Notice(.info, "Changes are not kept; S saves the body"))) }
        }
    }

    private func editFile(_ path: String, line: Int) {
        withTerminalGivenBack {
            try ExternalEditor.open(path, line: line)
        } then: {
            onEvent(.reloaded(OpenedFile.load(path)))
        }
    }

    private func withTerminalGivenBack<Result>(
        _ body: () throws -> Result, then finish: (Result) -> Void
    ) {
        display.suspend()
        let result = Swift.Result { try body() }
        display.resume()
        onEvent(.resized(display.size))
        switch result {
        case .success(let value): finish(value)
        case .failure(let error): onEvent(.editorFailed("\(error)"))
        }
    }

    private func suspend() {
        if display.stop() {
            onEvent(.resized(display.size))
        } else {
            onEvent(.editorFailed("There is no shell to go back to"))
        }
    }

    private func copyCurl(_ order: RunOrder, _ revealsSecrets: Bool) {
        let (session, emit) = (session, emitter)
        // Secrets may be in files, or take a program.
        Task.detached { [weak self] in
            do throws(ResolveError) {
                try await session.prepare([order])
                let text = try session.curlCommand(for: order, revealsSecrets: revealsSecrets)
                let name = "curl, filled in" + (revealsSecrets ? " with its secrets" : "")
                let copy = Clipboard.Copy(text: text, name: name, holdsSecrets: revealsSecrets)
                DispatchQueue.main.async { MainActor.assumeIsolated { self?.clipboard.copy(copy) } }
            } catch {
                emit(.notice(Notice(.failure, error.description)))
            }
        }
    }

    private func emit(_ event: Event, after delay: Duration) {
        let emit = emitter
        DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(Int(delay.milliseconds.rounded(.up)))) {
            emit(event)
        }
    }

    // MARK: The way back

    /// Delivers events on the main queue, in the order in which they were emitted.
    var emitter: @Sendable (Event) -> Void {
        { [weak self] event in
            DispatchQueue.main.async { MainActor.assumeIsolated { self?.onEvent(event) } }
        }
    }
}

extension EditorTarget {
    /// The file extension, by which the editor chooses its syntax colours.
    fileprivate var suffix: String {
        switch self {
        case .body(_, let suffix): suffix
        case .headers, .message: ".txt"
        }
    }
}
