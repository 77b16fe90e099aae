import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Real time. All runs share one timer of the system, set to the earliest of their deadlines: most deadlines (an SLA
/// of minutes) never come, and a timer of the system for each would cost more than the rest of the engine.
package struct SystemClock: RunClock {
    package init() {}

    private static let start = ContinuousClock.now
    private static let alarm = Alarm(now: { ContinuousClock.now - start })

    package var now: Duration { ContinuousClock.now - Self.start }

    package var secondsSince1970: Int { Int(time(nil)) }

    package func schedule(after delay: Duration, _ block: @escaping @Sendable () -> Void) -> any RunTimer {
        Self.alarm.schedule(at: now + min(max(delay, .zero), .longest), block)
    }
}
