import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

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
