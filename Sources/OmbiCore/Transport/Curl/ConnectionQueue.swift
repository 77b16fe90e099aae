#if canImport(CCurl)
/// Decides which transfer may go next: at most so many at once to an origin and in all, first come first served at each
/// origin, and origins in turn.
///
/// Over HTTP/1.1 a transfer takes a connection for itself, so a limit of transfers is one of connections. Over HTTP/2 many
/// share one, up to `maximumStreams`.
struct ConnectionQueue {
    /// A number for an origin, good as long as a transfer goes or waits there.
    typealias Place = Int

    /// Where a transfer goes or waits, and whether it may go.
    struct Turn: Sendable {
        var place: Place
        var isHeld: Bool
    }

    private struct Waiting {
        let transfer: CurlTransferID
        /// The transfer's own limit of connections to its origin.
        let limit: Int
    }

    private struct Entry {
        var origin: CurlOrigin
        var active = 0
        /// In order; those that have left since are still in it.
        var line = Fifo<Waiting>()
        var waiting = 0
        /// Whether requests share a connection; nil before the first response.
        var isMultiplexed: Bool?
        var isInTurn = false

        init(_ origin: CurlOrigin) {
            self.origin = origin
            isMultiplexed = origin.mayMultiplex ? nil : false
        }

        var isIdle: Bool { active == 0 && waiting == 0 }
    }

    /// Of all transfers together. Lowered for a while when the system has no more descriptors.
    private(set) var maximum: Int
    private let configuredMaximum: Int
    private let maximumStreams: Int
    private(set) var active = 0
    private var entries: [Entry] = []
    private var places: [CurlOrigin: Place] = [:]
    private var freePlaces: [Place] = []
    private var waiting: Set<CurlTransferID> = []
    /// The places that have room and transfers that wait, and only lack room in all.
    private var turns = Fifo<Place>()

    /// What is known of origins where nothing goes on is kept for so many.
    private static let maximumIdlePlaces = 1000

    init(maximum: Int, maximumStreams: Int) {
        self.maximum = max(maximum, 1)
        configuredMaximum = self.maximum
        self.maximumStreams = max(maximumStreams, 1)
    }

    mutating func place(of origin: CurlOrigin) -> Place {
        if let place = places[origin] { return place }
        if places.count >= Self.maximumIdlePlaces { forgetIdlePlaces() }
        let entry = Entry(origin.copy)
        let place = freePlaces.popLast() ?? entries.count
        if place < entries.count { entries[place] = entry } else { entries.append(entry) }
        places[entry.origin] = place
        return place
    }

    private mutating func forgetIdlePlaces() {
        for (origin, place) in places where entries[place].isIdle {
            places[origin] = nil
            freePlaces.append(place)
        }
    }

    func isMultiplexed(at place: Place) -> Bool? { entries[place].isMultiplexed }
    func isIdle(at place: Place) -> Bool { entries[place].isIdle }

    /// What a response has shown.
    mutating func learn(isMultiplexed: Bool, at place: Place) {
        entries[place].isMultiplexed = isMultiplexed
        putInTurn(place)
    }

    /// Whether the transfer may go at once. If not, it waits, and comes out of `next()` in its turn.
    /// - Parameter limit: Connections to the origin at the same time over HTTP/1.1.
    mutating func enter(_ transfer: CurlTransferID, at place: Place, limit: Int) -> Bool {
        let newcomer = Waiting(transfer: transfer, limit: limit)
        if entries[place].waiting == 0, active < maximum, turns.isEmpty, hasRoom(place, for: newcomer) {
            take(place)
            return true
        }
        waiting.insert(transfer)
        entries[place].line.append(newcomer)
        entries[place].waiting += 1
        putInTurn(place)
        return false
    }

    /// A transfer that went gives its turn back, because the system has no descriptor for it; it waits before all others of
    /// its origin until somebody else has ended. False, and nothing changes, when it is the only one under way.
    mutating func goBack(_ transfer: CurlTransferID, at place: Place, limit: Int) -> Bool {
        guard active > 1 else { return false }
        active -= 1
        entries[place].active -= 1
        maximum = active
        waiting.insert(transfer)
        entries[place].line.prepend(Waiting(transfer: transfer, limit: limit))
        entries[place].waiting += 1
        putInTurn(place)
        return true
    }

    /// A transfer that went has ended.
    mutating func leave(_ place: Place) {
        active -= 1
        entries[place].active -= 1
        if active == 0 { maximum = configuredMaximum }
        putInTurn(place)
    }

    /// A transfer that waits has ended. False when it is its turn already: then it leaves as one that went.
    mutating func withdraw(_ transfer: CurlTransferID, at place: Place) -> Bool {
        guard waiting.remove(transfer) != nil else { return false }
        entries[place].waiting -= 1
        if entries[place].line.count > 2 * entries[place].waiting + 32 {
            entries[place].line.removeAll { !waiting.contains($0.transfer) }
        }
        // The one behind it may have a higher limit.
        putInTurn(place)
        return true
    }

    /// The next transfer that may go; nil when none waits, or none has room.
    mutating func next() -> CurlTransferID? {
        while active < maximum, let place = turns.popFirst() {
            entries[place].isInTurn = false
            guard let first = first(place), hasRoom(place, for: first) else { continue }
            _ = entries[place].line.popFirst()
            entries[place].waiting -= 1
            waiting.remove(first.transfer)
            take(place)
            putInTurn(place)
            return first.transfer
        }
        return nil
    }

    private mutating func take(_ place: Place) {
        active += 1
        entries[place].active += 1
    }

    private func hasRoom(_ place: Place, for transfer: Waiting) -> Bool {
        let limit = entries[place].isMultiplexed == true ? maximumStreams : transfer.limit
        return entries[place].active < max(limit, 1)
    }

    /// The place takes its turn behind the others when it has room and somebody waits.
    private mutating func putInTurn(_ place: Place) {
        guard !entries[place].isInTurn, let first = first(place), hasRoom(place, for: first) else { return }
        entries[place].isInTurn = true
        turns.append(place)
    }

    /// Those before it that have left are dropped.
    private mutating func first(_ place: Place) -> Waiting? {
        while let first = entries[place].line.first {
            if waiting.contains(first.transfer) { return first }
            _ = entries[place].line.popFirst()
        }
        return nil
    }
}
#endif
