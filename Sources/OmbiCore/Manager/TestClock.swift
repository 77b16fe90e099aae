/// A clock that stands still until a test moves it, so that waits and SLAs need no time.
///
///     let clock = TestClock()
///     let manager = RequestManager(host: "https://api.example.com", transport: stub, clock: clock)
///     let task = manager.send(request, sla: .seconds(60))
///     clock.advance(by: .seconds(60))
public final class TestClock: Clock {
    /// A moment, counted from the time at which the clock was made.
    public struct Instant: InstantProtocol {
        /// The time since the clock was made.
        public let offset: Duration

        /// The moment `duration` later.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        /// The time from here to another moment; negative for an earlier one.
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        /// Whether the left moment comes first.
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
        /// Sleepers that were cancelled before they slept.
        var cancelled: Set<Int> = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

        mutating func takeWatchers() -> [CheckedContinuation<Void, Never>] {
            let count = sleepers.count
            defer { watchers.removeAll { $0.count <= count } }
            return watchers.filter { $0.count <= count }.map(\.continuation)
        }
    }

    private let state = Lock(State())

    /// A clock at zero.
    public init() {}

    /// The moment to which time was moved.
    public var now: Instant { state.withLock { $0.now } }
    /// Zero: deadlines are exact.
    public var minimumResolution: Duration { .zero }

    /// The number of tasks and runs that wait on the clock.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Returns when at least `count` wait on the clock. A test that moves time before would move it for nobody.
    public func waitForSleepers(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.sleepers.count < count { state.watchers.append((count, continuation)) }
                return state.sleepers.count >= count
            }
            if isReady { continuation.resume() }
        }
    }

    /// Waits for a sleeper, and moves time to the earliest deadline. Returns how far that was.
    @discardableResult public func advanceToNextDeadline() async -> Duration {
        await waitForSleepers()
        let step = state.withLock { state in
            state.sleepers.map(\.deadline).min().map { state.now.duration(to: $0) } ?? .zero
        }
        advance(by: step)
        return step
    }

    /// Moves time forward, and wakes those whose deadline has come, the earliest first.
    public func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let now = state.now
            defer { state.sleepers.removeAll { $0.deadline <= now } }
            return state.sleepers.filter { $0.deadline <= now }.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Waits until time was moved to `deadline`. Throws `CancellationError` when the task is cancelled.
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
