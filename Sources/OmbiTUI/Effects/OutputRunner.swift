/// Writes bodies: to files, for other programs, for the clipboard. A newer output of a viewer cancels the one before it.
@MainActor
final class OutputRunner {
    private enum Kind { case save, open }

    private let emit: @Sendable (Event) -> Void
    private let jobs = Jobs<Kind>()
    /// Files being written.
    private let saves = DispatchGroup()
    /// Copies that are written and not opened yet; nil when no more of them will be opened.
    private let copies = Lock<[BodyCopy]?>([])
    private let open: (BodyCopy) -> Void
    private let clipboard: Clipboard
    private let temporaryFolder: String

    /// - Parameters:
    ///   - temporaryFolder: the folder of copies for other programs.
    ///   - open: opens a copy in another program.
    init(
        emit: @escaping @Sendable (Event) -> Void, clipboard: Clipboard? = nil,
        temporaryFolder: String = ExternalEditor.temporaryFolder, open: @escaping (BodyCopy) -> Void
    ) {
        self.emit = emit
        self.temporaryFolder = temporaryFolder
        self.clipboard = clipboard ?? Clipboard(.auto, emit: emit)
        self.open = open
    }

    func run(_ output: BodyOutput, for id: ViewerID) {
        switch output {
        case .save(let path, let document, let form, let overwriting):
            let emit = emit
            write(.save, id) { flag, tell in
                do throws(FileError) {
                    return try BodyFile.save(document, form, to: path, overwriting: overwriting, flag, tell: tell)
                } catch {
                    let exists = error.code == FileError.isThere
                    emit(.viewer(id, .notSaved(path: path, form, reason: error.description, exists: exists)))
                    return nil
                }
            }
        case .open(let program, let document): open(document, in: program, id)
        case .copy(let page, let part): copy(part, of: page, id)
        case .copyText(let text, let name): emit(.viewer(id, .copied(text, named: name)))
        case .stopSaving:
            jobs.cancel(.save, of: id)
            jobs.cancel(.open, of: id)
        }
    }

    private func open(_ document: BodyDocument, in program: BodyProgram, _ id: ViewerID) {
        let (copies, temporaryFolder) = (copies, temporaryFolder)
        write(.open, id) { [weak self] flag, tell in
            switch BodyCopy.make(of: document, for: program, in: temporaryFolder, flag, tell: tell) {
            case .success(let copy):
                copies.withLock { $0?.append(copy) }
                DispatchQueue.main.async { MainActor.assumeIsolated { self?.openCopies() } }
            case .failure(let failure): return Notice(flag.isCancelled ? .info : .failure, failure.description)
            }
            return nil
        }
    }

    private func openCopies() {
        let written = copies.withLock { copies in
            defer { copies = copies.map { _ in [] } }
            return copies ?? []
        }
        written.forEach(open)
    }

    private func copy(_ part: ViewerPage.Part, of page: ViewerPage, _ id: ViewerID) {
        let emit = emit
        let (maximum, fetch) = (clipboard.maximumBytes, clipboard.fetch)
        write(.save, id) { flag, tell in
            let writer = page.writer(of: part)
            var beginning = writer
            let text = beginning.next(maximum + 1) ?? []
            guard text.count <= maximum else {
                return Clipboard.keep(
                    writer, named: page.name(of: part), suffix: page.document.suffix, fetch, flag, tell: tell)
            }
            emit(.viewer(id, .copied(String(decoding: text, as: UTF8.self), named: page.name(of: part))))
            return nil
        }
    }

    /// Writes a file, and reports its progress and outcome. It goes on when the viewer is gone.
    private func write(
        _ kind: Kind, _ id: ViewerID, _ job: @escaping @Sendable (CancelFlag, (SaveProgress) -> Void) -> Notice?
    ) {
        let (emit, saves) = (emit, saves)
        saves.enter()
        jobs.start(kind, of: id) { flag in
            let notice = job(flag) { emit(.viewer(id, .saving($0))) }
            emit(.viewer(id, .saving(nil)))
            if let notice { emit(.notice(notice)) }
            saves.leave()
        }
    }

    /// Waits for pending saves, and cancels those that take too long, so that no part of a file is left. Copies that
    /// are not open yet are deleted at once.
    func finish() {
        jobs.cancelAll(.open)
        _ = copies.withLock { $0.take() }
        guard saves.wait(timeout: .now() + .seconds(10)) == .timedOut else { return }
        jobs.cancelAll(.save)
        _ = saves.wait(timeout: .now() + .seconds(2))
    }
}

/// Does work in its turn at a queue, on one thread that ends when nothing is left: a thread of Dispatch would wake up an
/// idle program once more to end.
final class BriefWork: Sendable {
    private typealias Work = @Sendable () -> Void

    let queue: DispatchQueue
    /// nil while no thread runs.
    private let waiting = Lock<[Work]?>(nil)

    init(on queue: DispatchQueue) { self.queue = queue }

    func add(_ work: @escaping @Sendable () -> Void) {
        let isFirst = waiting.withLock { waiting in
            guard waiting == nil else {
                waiting?.append(work)
                return false
            }
            waiting = [work]
            return true
        }
        guard isFirst, !DetachedThread.run({ self.drain { self.queue.sync(execute: $0) } }) else { return }
        queue.async { self.drain { $0() } }
    }

    private func drain(_ perform: (@escaping Work) -> Void) {
        while let next = waiting.withLock({ waiting in
            defer { waiting = waiting?.isEmpty ?? true ? nil : [] }
            return waiting
        }), !next.isEmpty {
            for work in next { perform(work) }
        }
    }
}
