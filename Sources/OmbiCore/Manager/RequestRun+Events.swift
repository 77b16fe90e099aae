// The state for observers, on any thread.
extension RequestRun {
    /// nil once the run has ended.
    var requestable: (any Requestable)? { state.withLock { $0.work }?.anyRequestable }

    /// The attempt under way, or the one before the wait under way, and the time since the start.
    var progress: (attempt: Int, duration: Duration) {
        let now = now
        return state.withLock { ($0.attempt?.number ?? $0.attempts.count, now) }
    }

    /// The event at `index`, if it has happened.
    func read(_ index: Int) -> EventLog.Reading { state.withLock { $0.events?.read(index) ?? .end } }

    /// The report of the finished run; nil before the end.
    var report: RequestReport? { state.withLock { $0.events?.report } }

    /// Calls `waiter` as soon as the event at `index` is there; at once when it is.
    /// - Returns: A number to wake it by; nil when it was called.
    func wait(for index: Int, _ waiter: @escaping EventLog.Waiter) -> Int? {
        let number = state.withLock { $0.events?.wait(for: index, waiter) }
        if number == nil { waiter() }
        return number
    }

    /// Calls the waiter now, if it is still waiting.
    func wake(_ number: Int) { state.withLock { $0.events?.takeWaiter(number) }?() }
}
