import Dispatch

/// The time that a run goes by. A seam, so that backoff and SLA can be tested without waiting.
protocol RunClock: Sendable {
    /// Monotonic, from an arbitrary start.
    var now: Duration { get }
    /// Seconds since 1970, for dates in headers.
    var secondsSince1970: Int { get }
    /// Calls `block` once on `queue` after `delay`, unless the timer is cancelled before.
    func schedule(
        after delay: Duration, on queue: DispatchQueue, _ block: @escaping @Sendable () -> Void
    ) -> any RunTimer
}

/// A timer that has been started.
protocol RunTimer: Sendable {
    func cancel()
}
