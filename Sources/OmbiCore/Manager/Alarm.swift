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
    /// The identity of an entry; that of a removed entry matches nothing.
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

    /// Removes an entry and returns its block; nil if it is gone.
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
