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

/// Any number of one-shot timers on a single system timer. Each fires once, on a thread of the `WorkPool`, not before
/// its deadline.
final class Alarm: Sendable {
    private struct State {
        var deadlines = DeadlineHeap()
        /// The deadline of the system timer; nil if none is set.
        var setTo: Duration?
        var source: (any DispatchSourceTimer)?
    }

    private struct Timer: RunTimer {
        let alarm: Alarm
        let id: DeadlineHeap.ID

        /// The block and its captures are released outside the lock.
        func cancel() {
            let removed = alarm.state.withLock { Removed(block: $0.deadlines.remove(id)) }
            withExtendedLifetime(removed) {}
        }

        /// A bare closure would be wrapped on its way out of the lock.
        private struct Removed {
            let block: (@Sendable () -> Void)?
        }
    }

    private let state = Lock(State())
    private let now: @Sendable () -> Duration

    init(now: @escaping @Sendable () -> Duration) { self.now = now }

    func schedule(at deadline: Duration, _ block: @escaping @Sendable () -> Void) -> any RunTimer {
        let id = state.withLock { state in
            let id = state.deadlines.add(deadline, block)
            setSource(&state)
            return id
        }
        return Timer(alarm: self, id: id)
    }

    /// Sets the system timer to the earliest deadline. A timer set for a removed deadline fires without effect and is
    /// set again.
    private func setSource(_ state: inout State) {
        guard let earliest = state.deadlines.earliest, earliest < state.setTo ?? .longest * 2 else { return }
        let source = state.source ?? makeSource()
        state.source = source
        state.setTo = earliest
        source.schedule(
            deadline: .now() + .nanoseconds((earliest - now()).nanosecondsClamped), leeway: .milliseconds(1))
    }

    private func makeSource() -> any DispatchSourceTimer {
        let source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "ombi.alarm", qos: .userInitiated))
        source.setEventHandler { [self] in fire() }
        source.activate()
        return source
    }

    private func fire() {
        let due = state.withLock { state in
            state.setTo = nil
            let due = state.deadlines.takeDue(now())
            setSource(&state)
            return due
        }
        for block in due { WorkPool.shared.run(block) }
    }
}

/// A binary heap of deadlines with their blocks, earliest first. Every entry knows its position, so that removal needs
/// no search.
struct DeadlineHeap {
    /// The identity of an entry; once removed, it matches nothing.
    struct ID: Sendable, Hashable {
        fileprivate let slot: Int32
        fileprivate let generation: Int32
    }

    private struct Entry {
        let deadline: Duration
        let slot: Int32
        let block: @Sendable () -> Void
    }

    /// The heap index of an entry; reused with the next generation.
    private struct Slot {
        var position = 0
        var generation: Int32 = 0
    }

    private var entries: [Entry] = []
    private var slots: [Slot] = []
    private var freeSlots: [Int32] = []

    var earliest: Duration? { entries.first?.deadline }
    var count: Int { entries.count }

    mutating func add(_ deadline: Duration, _ block: @escaping @Sendable () -> Void) -> ID {
        let slot = takeSlot()
        entries.append(Entry(deadline: deadline, slot: slot, block: block))
        slots[Int(slot)].position = entries.count - 1
        raise(entries.count - 1)
        return ID(slot: slot, generation: slots[Int(slot)].generation)
    }

    private mutating func takeSlot() -> Int32 {
        if let slot = freeSlots.popLast() { return slot }
        slots.append(Slot())
        return Int32(slots.count - 1)
    }

    /// Removes an entry and returns its block; nil if it has fired or was removed.
    mutating func remove(_ id: ID) -> (@Sendable () -> Void)? {
        let slot = slots[Int(id.slot)]
        guard slot.generation == id.generation else { return nil }
        defer { removeEntry(at: slot.position) }
        return entries[slot.position].block
    }

    /// Removes and returns the due blocks, earliest first.
    mutating func takeDue(_ now: Duration) -> [@Sendable () -> Void] {
        var due: [@Sendable () -> Void] = []
        while let first = entries.first, first.deadline <= now {
            due.append(first.block)
            removeEntry(at: 0)
        }
        return due
    }

    private mutating func removeEntry(at position: Int) {
        let slot = entries[position].slot
        slots[Int(slot)].generation &+= 1
        freeSlots.append(slot)
        let last = entries.removeLast()
        guard position < entries.count else { return }
        put(last, at: position)
        raise(position)
        sink(position)
    }

    private mutating func put(_ entry: Entry, at position: Int) {
        entries[position] = entry
        slots[Int(entry.slot)].position = position
    }

    private mutating func swap(_ left: Int, _ right: Int) {
        let entry = entries[left]
        put(entries[right], at: left)
        put(entry, at: right)
    }

    private mutating func raise(_ start: Int) {
        var position = start
        while position > 0, entries[position].deadline < entries[(position - 1) / 2].deadline {
            swap(position, (position - 1) / 2)
            position = (position - 1) / 2
        }
    }

    private mutating func sink(_ start: Int) {
        var position = start
        while true {
            var smallest = position
            for child in 2 * position + 1...2 * position + 2 where child < entries.count {
                if entries[child].deadline < entries[smallest].deadline { smallest = child }
            }
            guard smallest != position else { return }
            swap(position, smallest)
            position = smallest
        }
    }
}
