/// The clock of a run; replaceable, so that backoff and SLA can be tested without waiting.
package protocol RunClock: Sendable {
    /// The monotonic time since an arbitrary start.
    var now: Duration { get }
    /// Seconds since 1970, for dates in headers.
    var secondsSince1970: Int { get }
    /// Calls `block` once after `delay`, on a thread of the clock, unless the timer is cancelled before. Never calls it
    /// from within `schedule`.
    func schedule(after delay: Duration, _ block: @escaping @Sendable () -> Void) -> any RunTimer
}

/// A running timer.
package protocol RunTimer: Sendable {
    func cancel()
}
