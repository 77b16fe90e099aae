import Synchronization

/// A cancellation flag for work on another thread.
package final class CancelFlag: Sendable {
    private let isRaised = Atomic(false)

    package init() {}

    package var isCancelled: Bool { isRaised.load(ordering: .relaxed) }

    package func cancel() { isRaised.store(true, ordering: .relaxed) }
}
