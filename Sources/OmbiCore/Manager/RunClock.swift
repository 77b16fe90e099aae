import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

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

/// Real time: one dispatch timer per call, released as soon as it is cancelled.
struct SystemClock: RunClock {
    private static let start = ContinuousClock.now

    var now: Duration { ContinuousClock.now - Self.start }

    var secondsSince1970: Int { Int(time(nil)) }

    func schedule(
        after delay: Duration, on queue: DispatchQueue, _ block: @escaping @Sendable () -> Void
    ) -> any RunTimer {
        let source = DispatchSource.makeTimerSource(queue: queue)
        source.schedule(deadline: .now() + .nanoseconds(delay.nanosecondsClamped))
        source.setEventHandler(handler: block)
        source.activate()
        return SystemTimer(source: source)
    }
}

/// The sources of libdispatch may be used from any thread; only the annotation is missing on some platforms.
private struct SystemTimer: RunTimer, @unchecked Sendable {
    let source: any DispatchSourceTimer

    func cancel() { source.cancel() }
}
