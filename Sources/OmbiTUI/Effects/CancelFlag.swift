import Synchronization

/// A cancellation flag for work on another thread.
final class CancelFlag: Sendable {
    private let isRaised = Atomic(false)

    var isCancelled: Bool { isRaised.load(ordering: .relaxed) }

    func cancel() { isRaised.store(true, ordering: .relaxed) }
}
