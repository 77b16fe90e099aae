#if canImport(CCurl)
/// The deadlines of transfers, earliest first.
///
/// A transfer usually has one entry. Progress (a received byte) does not move the entry: at its time the transfer is
/// checked, and gets a later one. Entries of finished transfers stay until then, or until there are too many.
struct CurlDeadlines {
    struct Entry {
        let time: ContinuousClock.Instant
        let transfer: CurlTransferID
    }

    /// A binary heap.
    private var entries: [Entry] = []

    var earliest: ContinuousClock.Instant? { entries.first?.time }
    var count: Int { entries.count }

    mutating func add(_ transfer: CurlTransferID, at time: ContinuousClock.Instant) {
        entries.append(Entry(time: time, transfer: transfer))
        var place = entries.count - 1
        while place > 0, entries[place].time < entries[(place - 1) / 2].time {
            entries.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    /// Removes and returns the earliest entry if it is due.
    mutating func takeDue(_ now: ContinuousClock.Instant) -> Entry? {
        guard let first = entries.first, first.time <= now else { return nil }
        let last = entries.removeLast()
        if !entries.isEmpty {
            entries[0] = last
            sink()
        }
        return first
    }

    /// Drops the entries that are no longer needed.
    mutating func keep(where isNeeded: (Entry) -> Bool) {
        entries = entries.filter(isNeeded).sorted { $0.time < $1.time }
    }

    private mutating func sink() {
        var place = 0
        while true {
            var smallest = place
            for child in 2 * place + 1...2 * place + 2 where child < entries.count {
                if entries[child].time < entries[smallest].time { smallest = child }
            }
            guard smallest != place else { return }
            entries.swapAt(place, smallest)
            place = smallest
        }
    }
}
#endif
