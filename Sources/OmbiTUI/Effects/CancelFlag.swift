import Synchronization

/// Tells work on another thread that nobody waits for it any more.
final class CancelFlag: Sendable {
    private let isRaised = Atomic(false)

    var isCancelled: Bool { isRaised.load(ordering: .relaxed) }

    func cancel() { isRaised.store(true, ordering: .relaxed) }
}
