/// The result of a run, for any number of waiters.
struct RunOutcome<T: Requestable>: Sendable {
    typealias Result = Swift.Result<T.Response, T.Failure>
    /// A closure called once, outside the lock.
    typealias Waiter = @Sendable () -> Void

    private struct State {
        var result: Result?
        var waiters: [(number: Int, call: Waiter)] = []
        var lastWaiter = 0
    }

    private let state = Lock(State())

    /// The result; nil before the end.
    var current: Result? { state.withLock { $0.result } }

    func set(_ result: Result) {
        let waiters = state.withLock { state in
            state.result = result
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.call() }
    }

    /// Calls `waiter` once there is a result, which may be at once.
    /// - Returns: A number for waking it; nil if it was called.
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

extension RunOutcome {
    func untilKnown() async {
        await withCheckedContinuation { continuation in
            _ = wait { continuation.resume() }
        }
    }
}

extension RunOutcome where T.ResponseBody: Sendable {
    /// The result, for which it waits.
    var result: Result {
        get async {
            await withCheckedContinuation { continuation in
                _ = wait { continuation.resume() }
            }
            return current ?? .failure(.unknownError)
        }
    }

    /// The result, for which it waits; nil if the waiting task is cancelled first.
    var resultUnlessCancelled: Result? {
        get async {
            let waiter = Lock<Int?>(nil)
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let number = wait { continuation.resume() }
                    waiter.withLock { $0 = number }
                    if Task.isCancelled, let number { wake(number) }
                }
            } onCancel: {
                if let number = waiter.withLock({ $0 }) { wake(number) }
            }
            return current
        }
    }
}
