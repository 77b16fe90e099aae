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
