import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

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

/// Real time. All runs share one system timer, set to the earliest of their deadlines: most deadlines (an SLA of
/// minutes) never expire, and a system timer for each would cost more than the rest of the engine.
///
/// It stops while the system is suspended, like the timers of Dispatch: the two must use the same clock.
package struct SystemClock: RunClock {
    package init() {}

    private static let start = SuspendingClock.now
    private static let alarm = Alarm(now: { SuspendingClock.now - start })

    package var now: Duration { SuspendingClock.now - Self.start }

    package var secondsSince1970: Int { Int(time(nil)) }

    package func schedule(after delay: Duration, _ block: @escaping @Sendable () -> Void) -> any RunTimer {
        Self.alarm.schedule(at: now + min(max(delay, .zero), .longest), block)
    }
}

/// An adapter from a standard library clock to `RunClock`.
struct ClockAdapter<C: Clock>: RunClock where C.Duration == Duration {
    private let clock: C
    private let start: C.Instant

    init(_ clock: C) {
        self.clock = clock
        start = clock.now
    }

    var now: Duration { start.duration(to: clock.now) }
    var secondsSince1970: Int { SystemClock().secondsSince1970 }

    /// The deadline is computed before the task sleeps, since time may advance in between.
    func schedule(after delay: Duration, _ block: @escaping @Sendable () -> Void) -> any RunTimer {
        let deadline = clock.now.advanced(by: delay)
        return Timer(
            task: Task.detached { [clock] in
                do {
                    try await clock.sleep(until: deadline, tolerance: nil)
                    WorkPool.shared.run(block)
                } catch {}
            })
    }

    private struct Timer: RunTimer {
        let task: Task<Void, Never>

        func cancel() { task.cancel() }
    }
}
