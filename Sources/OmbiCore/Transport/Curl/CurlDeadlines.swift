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
        var position = entries.count - 1
        while position > 0, entries[position].time < entries[(position - 1) / 2].time {
            entries.swapAt(position, (position - 1) / 2)
            position = (position - 1) / 2
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
        var position = 0
        while true {
            var smallest = position
            for child in 2 * position + 1...2 * position + 2 where child < entries.count {
                if entries[child].time < entries[smallest].time { smallest = child }
            }
            guard smallest != position else { return }
            entries.swapAt(position, smallest)
            position = smallest
        }
    }
}
#endif
