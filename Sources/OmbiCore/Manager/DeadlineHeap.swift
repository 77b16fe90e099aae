/// Deadlines with what to do at each, the earliest first. A binary heap in which every entry knows its place, so that
/// taking one out does not need a search.
struct DeadlineHeap {
    private struct Entry {
        let deadline: Duration
        let id: Int
        let block: @Sendable () -> Void
    }

    private var entries: [Entry] = []
    private var places: [Int: Int] = [:]
    private var nextID = 0

    var earliest: Duration? { entries.first?.deadline }
    var count: Int { entries.count }

    mutating func add(_ deadline: Duration, _ block: @escaping @Sendable () -> Void) -> Int {
        nextID += 1
        entries.append(Entry(deadline: deadline, id: nextID, block: block))
        places[nextID] = entries.count - 1
        raise(entries.count - 1)
        return nextID
    }

    /// Harmless when it is gone.
    mutating func remove(_ id: Int) {
        if let place = places[id] { removeEntry(at: place) }
    }

    /// Takes out what is due, the earliest first.
    mutating func takeDue(_ now: Duration) -> [@Sendable () -> Void] {
        var due: [@Sendable () -> Void] = []
        while let first = entries.first, first.deadline <= now {
            due.append(first.block)
            removeEntry(at: 0)
        }
        return due
    }

    private mutating func removeEntry(at place: Int) {
        places[entries[place].id] = nil
        let last = entries.removeLast()
        guard place < entries.count else { return }
        put(last, at: place)
        raise(place)
        sink(place)
    }

    private mutating func put(_ entry: Entry, at place: Int) {
        entries[place] = entry
        places[entry.id] = place
    }

    private mutating func swap(_ left: Int, _ right: Int) {
        let entry = entries[left]
        put(entries[right], at: left)
        put(entry, at: right)
    }

    private mutating func raise(_ start: Int) {
        var place = start
        while place > 0, entries[place].deadline < entries[(place - 1) / 2].deadline {
            swap(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    private mutating func sink(_ start: Int) {
        var place = start
        while true {
            var smallest = place
            for child in [2 * place + 1, 2 * place + 2] where child < entries.count {
                if entries[child].deadline < entries[smallest].deadline { smallest = child }
            }
            guard smallest != place else { return }
            swap(place, smallest)
            place = smallest
        }
    }
}
