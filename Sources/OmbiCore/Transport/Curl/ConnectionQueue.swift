#if canImport(CCurl)

/// The admission of transfers: limited per origin and in total, in order of arrival per origin, and round-robin among
/// origins.
///
/// Over HTTP/1.1 a transfer occupies a connection, so that a limit of transfers is one of connections. Over HTTP/2 many
/// share one, up to `maximumStreams`.
struct ConnectionQueue {
    /// The index of an origin, valid as long as it has active or waiting transfers.
    typealias Slot = Int

    /// A transfer's origin in the queue, and true for `isHeld` once it is admitted.
    struct Turn: Sendable {
        var slot: Slot
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
    private var slots: [CurlOrigin: Slot] = [:]
    private var freeSlots: [Slot] = []
    private var waiting: Set<CurlTransferID> = []
    /// The origins with free capacity and waiting transfers, which only the total limit holds back.
    private var turns = Fifo<Slot>()

    /// The number of idle origins whose state is kept.
    private static let maximumIdleSlots = 1000

    init(maximum: Int, maximumStreams: Int) {
        self.maximum = max(maximum, 1)
        configuredMaximum = self.maximum
        self.maximumStreams = max(maximumStreams, 1)
    }

    mutating func slot(of origin: CurlOrigin) -> Slot {
        if let slot = slots[origin] { return slot }
        if slots.count >= Self.maximumIdleSlots { forgetIdleSlots() }
        let entry = Entry(origin.copy)
        let slot = freeSlots.popLast() ?? entries.count
        if slot < entries.count { entries[slot] = entry } else { entries.append(entry) }
        slots[entry.origin] = slot
        return slot
    }

    private mutating func forgetIdleSlots() {
        for (origin, slot) in slots where entries[slot].isIdle {
            slots[origin] = nil
            freeSlots.append(slot)
        }
    }

    func isMultiplexed(at slot: Slot) -> Bool? { entries[slot].isMultiplexed }
    func isIdle(at slot: Slot) -> Bool { entries[slot].isIdle }

    /// Stores the protocol that a response has revealed.
    mutating func learn(isMultiplexed: Bool, at slot: Slot) {
        entries[slot].isMultiplexed = isMultiplexed
        putInTurn(slot)
    }

    /// Returns true if the transfer is admitted at once. Otherwise it waits, and `next()` returns it in its turn.
    /// - Parameter limit: The maximum number of concurrent connections to the origin over HTTP/1.1.
    mutating func enter(_ transfer: CurlTransferID, at slot: Slot, limit: Int) -> Bool {
        let newcomer = Waiting(transfer: transfer, limit: limit)
        if entries[slot].waiting == 0, active < maximum, turns.isEmpty, hasRoom(slot, for: newcomer) {
            take(slot)
            return true
        }
        waiting.insert(transfer)
        entries[slot].line.append(newcomer)
        entries[slot].waiting += 1
        putInTurn(slot)
        return false
    }

    /// Returns an admitted transfer to the queue, because the system has no descriptor for it; it waits before all
    /// others of its origin until another transfer has ended. Returns false, without any change, for the only active
    /// transfer.
    mutating func goBack(_ transfer: CurlTransferID, at slot: Slot, limit: Int) -> Bool {
        guard active > 1 else { return false }
        active -= 1
        entries[slot].active -= 1
        maximum = active
        waiting.insert(transfer)
        entries[slot].line.prepend(Waiting(transfer: transfer, limit: limit))
        entries[slot].waiting += 1
        putInTurn(slot)
        return true
    }

    /// Ends an admitted transfer.
    mutating func leave(_ slot: Slot) {
        active -= 1
        entries[slot].active -= 1
        if active == 0 { maximum = configuredMaximum }
        putInTurn(slot)
    }

    /// Removes a waiting transfer. Returns false if it has been admitted meanwhile and has to `leave(_:)`.
    mutating func withdraw(_ transfer: CurlTransferID, at slot: Slot) -> Bool {
        guard waiting.remove(transfer) != nil else { return false }
        entries[slot].waiting -= 1
        if entries[slot].line.count > 2 * entries[slot].waiting + 32 {
            entries[slot].line.removeAll { !waiting.contains($0.transfer) }
        }
        // The next transfer may have a higher limit.
        putInTurn(slot)
        return true
    }

    /// Admits the next transfer; nil if none waits, or none has capacity.
    mutating func next() -> CurlTransferID? {
        while active < maximum, let slot = turns.popFirst() {
            entries[slot].isInTurn = false
            guard let first = first(slot), hasRoom(slot, for: first) else { continue }
            _ = entries[slot].line.popFirst()
            entries[slot].waiting -= 1
            waiting.remove(first.transfer)
            take(slot)
            putInTurn(slot)
            return first.transfer
        }
        return nil
    }

    private mutating func take(_ slot: Slot) {
        active += 1
        entries[slot].active += 1
    }

    private func hasRoom(_ slot: Slot, for transfer: Waiting) -> Bool {
        let limit = entries[slot].isMultiplexed == true ? maximumStreams : transfer.limit
        return entries[slot].active < max(limit, 1)
    }

    /// Appends an origin to the turns if it has free capacity and waiting transfers.
    private mutating func putInTurn(_ slot: Slot) {
        guard !entries[slot].isInTurn, let first = first(slot), hasRoom(slot, for: first) else { return }
        entries[slot].isInTurn = true
        turns.append(slot)
    }

    /// Returns the first waiting transfer, dropping withdrawn ones before it.
    private mutating func first(_ slot: Slot) -> Waiting? {
        while let first = entries[slot].line.first {
            if waiting.contains(first.transfer) { return first }
            _ = entries[slot].line.popFirst()
        }
        return nil
    }
}

/// The unit of connection limits: scheme, host and port (RFC 6454 §4), and the settings that decide the version of
/// HTTP.
struct CurlOrigin: Hashable, Sendable {
    /// "https://api.example.com:8443"
    private(set) var server: Substring
    let version: Connection.HTTPVersion
    let unixSocket: String?

    init(_ url: URL, _ connection: ConnectionBox) {
        server = Self.server(url.absoluteString)
        version = connection.value.httpVersion
        unixSocket = connection.value.unixSocket
    }

    /// An equal value that does not retain the whole URL.
    var copy: CurlOrigin {
        var copy = self
        copy.server = Substring(String(server))
        return copy
    }

    /// True if many requests may share one connection.
    var mayMultiplex: Bool {
        switch version {
        case .http1: false
        case .http2PriorKnowledge: true
        case .automatic, .http2, .http3: server.utf8.dropFirst(4).first == UInt8(ascii: "s")
        }
    }

    /// Returns everything before the path, normalized for comparison. Most URLs already are.
    private static func server(_ text: String) -> Substring {
        let bytes = text.utf8
        let name = bytes.firstIndex(of: UInt8(ascii: ":")).flatMap {
            bytes.index($0, offsetBy: 3, limitedBy: bytes.endIndex)
        }
        let end = bytes[(name ?? bytes.startIndex)...].firstIndex {
            $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#")
        }
        let server = text[..<(end ?? bytes.endIndex)]
        let isPlain = server.utf8.allSatisfy { !(0x41...0x5A).contains($0) && $0 != UInt8(ascii: "@") }
        return isPlain ? withoutUsualPort(server) : withoutUsualPort(normalized(server, name: name))
    }

    private static func normalized(_ server: Substring, name: String.Index?) -> Substring {
        guard let name, let at = server[name...].utf8.lastIndex(of: UInt8(ascii: "@")) else {
            return Substring(server.lowercased())
        }
        return Substring((server[..<name] + server[server.utf8.index(after: at)...]).lowercased())
    }

    private static func withoutUsualPort(_ server: Substring) -> Substring {
        let port = server.utf8.dropFirst(4).first == UInt8(ascii: "s") ? ":443" : ":80"
        return server.utf8.suffix(port.utf8.count).elementsEqual(port.utf8) ? server.dropLast(port.utf8.count) : server
    }
}
#endif
