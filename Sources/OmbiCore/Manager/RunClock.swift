import OmbiPlatform

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

/// A clock that advances only on demand, so that tests of waits and SLAs take no time.
///
///     let clock = TestClock()
///     let manager = RequestManager(host: "https://api.example.com", transport: stub, clock: clock)
///     let task = manager.send(request, sla: .seconds(60))
///     clock.advance(by: .seconds(60))
public final class TestClock: Clock {
    /// A point in time, relative to the creation of the clock.
    public struct Instant: InstantProtocol {
        /// The time since the creation of the clock.
        public let offset: Duration

        /// Returns the instant `duration` later.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        /// Returns the time to another instant; negative for an earlier one.
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        /// Compares the offsets.
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        let number: Int
        let deadline: Instant
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now = Instant(offset: .zero)
        var sleepers: [Sleeper] = []
        var lastNumber = 0
        /// The sleepers cancelled before they slept.
        var cancelled: Set<Int> = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

        mutating func takeWatchers() -> [CheckedContinuation<Void, Never>] {
            let count = sleepers.count
            defer { watchers.removeAll { $0.count <= count } }
            return watchers.filter { $0.count <= count }.map(\.continuation)
        }
    }

    private let state = Lock(State())

    /// Creates a clock at zero.
    public init() {}

    /// The current time of the clock.
    public var now: Instant { state.withLock { $0.now } }
    /// Zero: deadlines are exact.
    public var minimumResolution: Duration { .zero }

    /// The number of tasks and runs waiting on the clock.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Waits until at least `count` tasks and runs wait on the clock. Advancing earlier would wake none of them.
    public func waitForSleepers(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.sleepers.count < count { state.watchers.append((count, continuation)) }
                return state.sleepers.count >= count
            }
            if isReady { continuation.resume() }
        }
    }

    /// Waits for a sleeper, and advances to the earliest deadline. Returns the distance.
    @discardableResult public func advanceToNextDeadline() async -> Duration {
        await waitForSleepers()
        let step = state.withLock { state in
            state.sleepers.map(\.deadline).min().map { state.now.duration(to: $0) } ?? .zero
        }
        advance(by: step)
        return step
    }

    /// Advances time, and wakes the sleepers whose deadlines have passed, earliest first.
    public func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let now = state.now
            defer { state.sleepers.removeAll { $0.deadline <= now } }
            return state.sleepers.filter { $0.deadline <= now }.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Waits until time reaches `deadline`. Throws `CancellationError` if the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (isOver, watchers) = state.withLock { state -> (Bool, [CheckedContinuation<Void, Never>]) in
                    if deadline <= state.now || state.cancelled.remove(number) != nil { return (true, []) }
                    state.sleepers.append(Sleeper(number: number, deadline: deadline, continuation: continuation))
                    return (false, state.takeWatchers())
                }
                for watcher in watchers { watcher.resume() }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let sleeper = state.withLock { state -> Sleeper? in
                guard let index = state.sleepers.firstIndex(where: { $0.number == number }) else {
                    state.cancelled.insert(number)
                    return nil
                }
                return state.sleepers.remove(at: index)
            }
            sleeper?.continuation.resume()
        }
        _ = state.withLock { $0.cancelled.remove(number) }
        try Task.checkCancellation()
    }
}
