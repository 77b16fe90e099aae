/// The result of a run, for those who wait for it: once, or as often as they like.
struct RunOutcome<T: Requestable>: Sendable {
    typealias Result = Swift.Result<T.Response, T.Failure>
    /// Called once, outside the lock.
    typealias Waiter = @Sendable () -> Void

    private struct State {
        var result: Result?
        var waiters: [(number: Int, call: Waiter)] = []
        var lastWaiter = 0
    }

    private let state = Lock(State())

    /// nil before the end.
    var current: Result? { state.withLock { $0.result } }

    func set(_ result: Result) {
        let waiters = state.withLock { state in
            state.result = result
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.call() }
    }

    /// Calls `waiter` as soon as there is a result, at once where there is one.
    /// - Returns: A number to wake it by; nil when it was called.
    func wait(_ waiter: @escaping Waiter) -> Int? {
        let number: Int? = state.withLock { state in
            guard state.result == nil else { return nil }
            state.lastWaiter += 1
            state.waiters.append((state.lastWaiter, waiter))
            return state.lastWaiter
        }
        if number == nil { waiter() }
        return number
    }

    /// Calls the waiter now, if it is still waiting.
    func wake(_ number: Int) {
        let waiter = state.withLock { state in
            state.waiters.firstIndex { $0.number == number }.map { state.waiters.remove(at: $0) }
        }
        waiter?.call()
    }
}
