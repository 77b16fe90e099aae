#if canImport(CCurl)
/// The admission of transfers: limited per origin and in total, in order of arrival per origin, and round-robin among
/// origins.
///
/// Over HTTP/1.1 a transfer occupies a connection, so that a limit of transfers is one of connections. Over HTTP/2 many
/// share one, up to `maximumStreams`.
struct ConnectionQueue {
    /// The index of an origin, valid as long as it has active or waiting transfers.
    typealias Place = Int

    /// A transfer's origin in the queue, and true for `isHeld` once it is admitted.
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
        /// The waiting transfers in order, including those that have been withdrawn since.
        var line = Fifo<Waiting>()
        var waiting = 0
        /// True if requests share a connection; nil before the first response.
        var isMultiplexed: Bool?
        var isInTurn = false

        init(_ origin: CurlOrigin) {
            self.origin = origin
            isMultiplexed = origin.mayMultiplex ? nil : false
        }

        var isIdle: Bool { active == 0 && waiting == 0 }
    }

    /// The limit for all transfers together. Lowered temporarily when the system runs out of descriptors.
    private(set) var maximum: Int
    private let configuredMaximum: Int
    private let maximumStreams: Int
    private(set) var active = 0
    private var entries: [Entry] = []
    private var places: [CurlOrigin: Place] = [:]
    private var freePlaces: [Place] = []
    private var waiting: Set<CurlTransferID> = []
    /// The origins with free capacity and waiting transfers, which only the total limit holds back.
    private var turns = Fifo<Place>()

    /// The number of idle origins whose state is kept.
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

    /// Stores the protocol that a response has revealed.
    mutating func learn(isMultiplexed: Bool, at place: Place) {
        entries[place].isMultiplexed = isMultiplexed
        putInTurn(place)
    }

    /// Returns true if the transfer is admitted at once. Otherwise it waits, and `next()` returns it in its turn.
    /// - Parameter limit: The maximum number of concurrent connections to the origin over HTTP/1.1.
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

    /// Returns an admitted transfer to the queue, because the system has no descriptor for it; it waits before all
    /// others of its origin until another transfer has ended. Returns false, without any change, for the only active
    /// transfer.
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

    /// Ends an admitted transfer.
    mutating func leave(_ place: Place) {
        active -= 1
        entries[place].active -= 1
        if active == 0 { maximum = configuredMaximum }
        putInTurn(place)
    }

    /// Removes a waiting transfer. Returns false if it has been admitted meanwhile and has to `leave(_:)`.
    mutating func withdraw(_ transfer: CurlTransferID, at place: Place) -> Bool {
        guard waiting.remove(transfer) != nil else { return false }
        entries[place].waiting -= 1
        if entries[place].line.count > 2 * entries[place].waiting + 32 {
            entries[place].line.removeAll { !waiting.contains($0.transfer) }
        }
        // The next transfer may have a higher limit.
        putInTurn(place)
        return true
    }

    /// Admits the next transfer; nil if none waits, or none has capacity.
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

    /// Appends an origin to the turns if it has free capacity and waiting transfers.
    private mutating func putInTurn(_ place: Place) {
        guard !entries[place].isInTurn, let first = first(place), hasRoom(place, for: first) else { return }
        entries[place].isInTurn = true
        turns.append(place)
    }

    /// Returns the first waiting transfer, dropping withdrawn ones before it.
    private mutating func first(_ place: Place) -> Waiting? {
        while let first = entries[place].line.first {
            if waiting.contains(first.transfer) { return first }
            _ = entries[place].line.popFirst()
        }
        return nil
    }
}
#endif
