import OmbiBase

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
