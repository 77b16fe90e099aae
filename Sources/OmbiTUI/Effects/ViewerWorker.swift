import Dispatch
import OmbiCore
import OmbiDocument

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Does what viewers order, each kind of order on a thread of its own; a newer order cancels the one before it.
@MainActor
final class ViewerWorker {
    private let emit: @Sendable (Event) -> Void
    /// What `ombi view` reads.
    private let input: ViewInput?
    private let queue = DispatchQueue(label: "ombi.viewer", qos: .userInitiated, attributes: .concurrent)
    private var readers: [ViewerID: BodyReader] = [:]
    private var finding: [ViewerID: CancelFlag] = [:]
    private var asking: [ViewerID: CancelFlag] = [:]

    init(input: ViewInput?, emit: @escaping @Sendable (Event) -> Void) {
        self.input = input
        self.emit = emit
    }

    func run(_ order: ViewerOrder, for id: ViewerID) {
        switch order {
        case .read(let source, let contentType): read(source, contentType, id)
        case .readMore(let isComplete): readers[id]?.read(isComplete: isComplete)
        case .find(let query, let document, let offset):
            start(\.finding, id) { ViewerJobs.find(query, document, from: offset, $0, emit: $1) }
        case .findNext(let query, let document, let offset, let forward):
            // The count goes on meanwhile.
            let answer = teller(id)
            queue.async { ViewerJobs.findNext(query, document, from: offset, forward: forward, emit: answer) }
        case .stopFinding: finding.removeValue(forKey: id)?.cancel()
        case .filter(let path, let document, let number):
            start(\.asking, id) { ViewerJobs.filter(path, document, number, $0, emit: $1) }
        case .stopFiltering: asking.removeValue(forKey: id)?.cancel()
        case .shell(let command, let document, let number):
            start(\.asking, id) { $1(.ran(ShellCommand.run(command, input: document.raw, flag: $0), number: number)) }
        case .compare(let old, let new, let number):
            start(\.asking, id) { flag, answer in
                BodyComparison(from: old, to: new) { flag.isCancelled }.map { answer(.compared($0, number: number)) }
            }
        case .locate(let path, let document):
            start(\.asking, id) { $1(ViewerJobs.locate(path, document, $0)) }
        case .save(let path, let document, let form):
            let emit = emit
            queue.async { emit(.told(BodyFile.save(document, form, to: path))) }
        case .open: break
        case .forget: forget(id)
        }
    }

    private func start(
        _ kind: ReferenceWritableKeyPath<ViewerWorker, [ViewerID: CancelFlag]>, _ id: ViewerID,
        _ job: @escaping @Sendable (CancelFlag, @Sendable (ViewerEvent) -> Void) -> Void
    ) {
        self[keyPath: kind][id]?.cancel()
        let flag = CancelFlag()
        self[keyPath: kind][id] = flag
        let answer = teller(id)
        queue.async { job(flag, answer) }
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
            input.read(
                onMore: { reader.read(isComplete: $0) }, onFailure: { answer(.inputFailed($0)) })
        }
        readers[id] = reader
        reader.read()
    }

    private func forget(_ id: ViewerID) {
        readers.removeValue(forKey: id)?.cancel()
        finding.removeValue(forKey: id)?.cancel()
        asking.removeValue(forKey: id)?.cancel()
    }

    private func teller(_ id: ViewerID) -> @Sendable (ViewerEvent) -> Void {
        let emit = emit
        return { emit(.viewer(id, $0)) }
    }
}

extension Bytes {
    /// What has come of a body that grows in its store.
    init(_ store: ResponseStore) {
        let (base, count) = store.withUnsafeBytes { ($0.bindMemory(to: UInt8.self).baseAddress, $0.count) }
        guard let base else {
            self = .empty
            return
        }
        self.init(base: base, count: count, owner: store)
    }

    /// The bytes of data without a copy where it is large.
    init(keeping data: Data) {
        guard data.count > 1 << 12 else {
            self.init(data)
            return
        }
        // Data of this size lies on the heap, where it stays as long as somebody has it and nobody changes it; the
        // keeper has it and cannot be changed.
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
