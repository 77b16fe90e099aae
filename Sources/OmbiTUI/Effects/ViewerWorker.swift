import Dispatch
import OmbiCore
import OmbiDocument
import OmbiTerminal

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Runs the orders of viewers, each kind on a thread of its own; a newer order cancels the one before it.
@MainActor
final class ViewerWorker {
    private let emit: @Sendable (Event) -> Void
    /// The input of `ombi view`.
    private let input: ViewInput?
    private let queue = DispatchQueue(label: "ombi.viewer", qos: .userInitiated, attributes: .concurrent)
    private var readers: [ViewerID: BodyReader] = [:]
    private var finding: [ViewerID: CancelFlag] = [:]
    private var stepping: [ViewerID: CancelFlag] = [:]
    private var asking: [ViewerID: CancelFlag] = [:]
    private var locating: [ViewerID: CancelFlag] = [:]
    private var saving: [ViewerID: CancelFlag] = [:]
    /// Files being written.
    private let saves = DispatchGroup()
    /// Copies being written for other programs.
    private var copying: [ViewerID: CancelFlag] = [:]
    /// Copies that are written and not opened yet; nil when no more of them will be opened.
    private let copies = Lock<[BodyCopy]?>([])
    private let open: (BodyCopy) -> Void

    /// - Parameter open: opens a copy in another program.
    init(
        input: ViewInput?, emit: @escaping @Sendable (Event) -> Void, open: @escaping (BodyCopy) -> Void
    ) {
        self.input = input
        self.emit = emit
        self.open = open
    }

    func run(_ order: ViewerOrder, for id: ViewerID) {
        switch order {
        case .read(let source, let contentType): read(source, contentType, id)
        case .stopReading: stopReading(id)
        case .readMore(let isComplete): readers[id]?.read(isComplete: isComplete)
        case .find(let query, let document, let offset):
            stepping.removeValue(forKey: id)?.cancel()
            start(\.finding, id) { ViewerJobs.find(query, document, from: offset, $0, emit: $1) }
        case .findNext(let step, let document):
            // Counting goes on meanwhile.
            start(\.stepping, id) { ViewerJobs.findNext(step, document, $0, emit: $1) }
        case .stopStepping: stepping.removeValue(forKey: id)?.cancel()
        case .stopFinding:
            stepping.removeValue(forKey: id)?.cancel()
            finding.removeValue(forKey: id)?.cancel()
        case .filter(let path, let document, let number):
            start(\.asking, id) { ViewerJobs.filter(path, document, number, $0, emit: $1) }
        case .stopAsking: asking.removeValue(forKey: id)?.cancel()
        case .shell(let command, let page, let number):
            start(\.asking, id) { $1(.ran(ShellCommand.run(command, input: page.input, flag: $0), number: number)) }
        case .compare(let old, let new, let number):
            start(\.asking, id) { flag, answer in
                BodyComparison(from: old, to: new) { flag.isCancelled }.map { answer(.compared($0, number: number)) }
            }
        case .locate(let path, let document, let number):
            start(\.locating, id) { ViewerJobs.locate(path, document, number, $0, emit: $1) }
        case .save(let path, let document, let form):
            let answer = teller(id)
            save(id) { flag, tell in
                let notice = BodyFile.save(document, form, to: path, flag, tell: tell)
                if notice == nil { answer(.isThere(path: path, form)) }
                return notice
            }
        case .open(let program, let document): self.open(document, in: program, id)
        case .stopSaving: saving.removeValue(forKey: id)?.cancel()
        case .copy(let page, let part): copy(part, of: page, id)
        case .forget: forget(id)
        }
    }

    @discardableResult
    private func start(
        _ kind: ReferenceWritableKeyPath<ViewerWorker, [ViewerID: CancelFlag]>, _ id: ViewerID,
        _ job: @escaping @Sendable (CancelFlag, @escaping @Sendable (ViewerEvent) -> Void) -> Void
    ) -> CancelFlag {
        self[keyPath: kind][id]?.cancel()
        let flag = CancelFlag()
        self[keyPath: kind][id] = flag
        let answer = teller(id)
        queue.async { job(flag, answer) }
        return flag
    }

    private func open(_ document: BodyDocument, in program: BodyProgram, _ id: ViewerID) {
        let copies = copies
        copying[id] = save(id) { [weak self] flag, tell in
            switch BodyCopy.make(of: document, for: program, flag, tell: tell) {
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
        let answer = teller(id)
        save(id) { flag, tell in
            let writer = page.writer(of: part)
            var beginning = writer
            let text = beginning.next(Clipboard.mostBytes + 1) ?? []
            guard text.count <= Clipboard.mostBytes else {
                return Clipboard.keep(writer, suffix: page.document.suffix, flag, tell: tell)
            }
            answer(.copied(String(decoding: text, as: UTF8.self)))
            return nil
        }
    }

    /// Writes a file, and reports its progress and outcome. It goes on when the viewer is gone.
    @discardableResult
    private func save(
        _ id: ViewerID, _ job: @escaping @Sendable (CancelFlag, (SaveProgress) -> Void) -> Notice?
    ) -> CancelFlag {
        let (emit, saves) = (emit, saves)
        saves.enter()
        return start(\.saving, id) { flag, answer in
            let notice = job(flag) { answer(.saving($0)) }
            answer(.saving(nil))
            if let notice { emit(.told(notice)) }
            saves.leave()
        }
    }

    /// Waits for pending saves, and cancels those that take too long, so that no part of a file is left. Copies that
    /// are not open yet are deleted at once.
    func finish() {
        for flag in copying.values { flag.cancel() }
        _ = copies.withLock { $0.take() }
        guard saves.wait(timeout: .now() + .seconds(10)) == .timedOut else { return }
        for flag in saving.values { flag.cancel() }
        _ = saves.wait(timeout: .now() + .seconds(2))
    }

    private func read(_ source: BodySource, _ contentType: String?, _ id: ViewerID) {
        readers[id]?.cancel()
        let answer = teller(id)
        let reader: BodyReader
        switch source {
        case .data(let data):
            let bytes = Bytes(keeping: data)
            reader = BodyReader(contentType: contentType, isComplete: true, bytes: { bytes }, emit: answer)
        case .store(let store):
            reader = BodyReader(contentType: contentType, isComplete: false, bytes: { Bytes(store) }, emit: answer)
        case .input:
            guard let input else { return }
            reader = BodyReader(contentType: contentType, isComplete: false, bytes: { input.bytes }, emit: answer)
            readers[id] = reader
            return input.read(
                onMore: { reader.read(isComplete: $0) }, onFailure: { answer(.inputFailed($0)) })
        }
        readers[id] = reader
        reader.read()
    }

    private func stopReading(_ id: ViewerID) {
        guard input?.end() == true else { return }
        teller(id)(.inputFailed("stopped: this is what had come"))
        readers[id]?.read(isComplete: true)
    }

    private func forget(_ id: ViewerID) {
        readers.removeValue(forKey: id)?.cancel()
        finding.removeValue(forKey: id)?.cancel()
        stepping.removeValue(forKey: id)?.cancel()
        asking.removeValue(forKey: id)?.cancel()
        locating.removeValue(forKey: id)?.cancel()
    }

    private func teller(_ id: ViewerID) -> @Sendable (ViewerEvent) -> Void {
        let emit = emit
        return { emit(.viewer(id, $0)) }
    }
}

extension Bytes {
    /// The bytes so far of a body that grows in its store.
    init(_ store: ResponseStore) {
        let (base, count) = store.withUnsafeBytes { ($0.bindMemory(to: UInt8.self).baseAddress, $0.count) }
        guard let base else {
            self = .empty
            return
        }
        self.init(base: base, count: count, owner: store)
    }

    /// The bytes of data, without a copy when it is large.
    init(keeping data: Data) {
        guard data.count > 1 << 12 else {
            self.init(data)
            return
        }
        // Data of this size is on the heap, where it stays as long as it has an owner and is not mutated; the keeper
        // owns it and cannot be mutated.
        let keeper = DataKeeper(data)
        let base = keeper.data.withUnsafeBytes { $0.bindMemory(to: UInt8.self).baseAddress }
        guard let base else {
            self = .empty
            return
        }
        self.init(base: base, count: data.count, owner: keeper)
    }
}

private final class DataKeeper: Sendable {
    let data: Data

    init(_ data: Data) { self.data = data }
}
