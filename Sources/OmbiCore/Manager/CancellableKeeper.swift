/// Keeps an `AnyCancellable` alive until its run has ended, because dropping one would cancel it.
final class CancellableKeeper: Sendable {
    private struct State {
        var kept: AnyCancellable?
        var isReleased = false
    }

    private let state = Lock(State())

    func keep(_ cancellable: AnyCancellable) -> AnyCancellable {
        state.withLock { if !$0.isReleased { $0.kept = cancellable } }
        return cancellable
    }

    /// What was kept is let go outside the lock: that may cancel, and come back here.
    func release() {
        let kept = state.withLock { state in
            state.isReleased = true
            defer { state.kept = nil }
            return state.kept
        }
        _ = kept
    }
}
