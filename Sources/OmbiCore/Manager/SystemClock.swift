import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

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
