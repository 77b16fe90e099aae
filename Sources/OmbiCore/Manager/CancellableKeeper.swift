import Synchronization

/// Keeps an `AnyCancellable` alive until its run has ended, because dropping one would cancel it.
final class CancellableKeeper: Sendable {
    private struct State {
        var kept: Handover<AnyCancellable>?
        var isReleased = false
    }

    private let state = Mutex(State())

    func keep(_ cancellable: AnyCancellable) -> AnyCancellable {
        let kept = Handover(cancellable)
        state.withLock { if !$0.isReleased { $0.kept = kept } }
        return cancellable
    }

    func release() {
        let kept = state.withLock { state in
            state.isReleased = true
            defer { state.kept = nil }
            return state.kept
        }
        _ = kept
    }
}
