/// The bounds of the events of a stream, found while it arrives: they end at empty lines.
package struct EventIndex: Sendable {
    /// The lines of each event that is complete, without the empty line. Blocks that only hold comments count.
    package private(set) var events: [ByteRange] = []
    /// The start of the event that is still arriving.
    private var start: Int
    /// The start of the line that is still arriving, and the end of the scanned bytes.
    private var lineStart: Int
    private var scanned: Int
    private let limits: IndexLimits
    /// The limit at which the index stopped; the remaining text is in no event.
    package private(set) var limit: IndexLimit?

    /// - Parameter start: The offset of the text, after a byte order mark.
    package init(start: Int = 0, limits: IndexLimits = IndexLimits()) {
        self.start = start
        self.limits = limits
        lineStart = start
        scanned = start
    }

    package mutating func extend(over bytes: Bytes, isComplete complete: Bool) {
        // The byte after a CR decides whether it ends the line.
        let endsInLineFeed = !bytes.isEmpty && bytes[bytes.count - 1] == 0x0A
        let available = complete || endsInLineFeed ? bytes.count : bytes.count - 1
        let maximumCount = limits.memory / MemoryLayout<ByteRange>.stride
        while limit == nil, scanned < available,
            let end = ByteScan.first(0x0A, or: 0x0D, in: bytes, scanned..<available)
        {
            scanned = end + 1
            guard ByteScan.isLineEnd(bytes, end) else { continue }
            if LineIndex.withoutEnd(lineStart..<scanned, in: bytes) == lineStart {
                if lineStart > start { events.append(start..<lineStart) }
                if events.count > maximumCount { limit = .memory(limits.memory) }
                start = scanned
            }
            lineStart = scanned
        }
        scanned = max(scanned, available)
    }

    /// Returns the received part of the next event. A stream that ends here never completes it.
    package func unfinished(in bytes: Bytes) -> ByteRange? {
        start < bytes.count ? start..<bytes.count : nil
    }
}

/// One server-sent event (HTML Standard, section 9.2.6).
package struct ServerEvent: Sendable, Equatable {
    /// `message` when the server gave none.
    package var type = "message"
    package var id: String?
    /// The `data` lines, with line feeds between them.
    package var data = ""
    /// False for a block without a `data` line, which is no event.
    package private(set) var hasData = false
    /// The milliseconds after which the server asks the client to reconnect.
    package var retry: Int?
    /// Lines that begin with a colon: often only there to keep the connection open.
    package var comments: [String] = []
    /// Fields that are not in the standard.
    package var unknown: [String] = []

    /// The bytes of a message, which a log of messages notes in a field `bytes`.
    package var size: Int? {
        unknown.lazy.compactMap { $0.hasPrefix("bytes: ") ? Int($0.dropFirst(7)) : nil }.first
    }

    /// - Parameter range: The lines of one event (see `EventIndex`).
    package init(in bytes: Bytes, _ range: ByteRange, limit: Int = 1 << 20) {
        let range = bytes.clamp(range.lowerBound..<min(range.upperBound, range.lowerBound + limit))
        var lines: [String] = []
        var start = range.lowerBound
        while start < range.upperBound {
            let next = min(range.upperBound, LineIndex.nextLine(after: start, in: bytes) ?? range.upperBound)
            read(bytes.text(start..<LineIndex.withoutEnd(start..<next, in: bytes)), &lines)
            start = next
        }
        hasData = !lines.isEmpty
        data = lines.joined(separator: "\n")
    }

    private mutating func read(_ line: String, _ data: inout [String]) {
        guard !line.isEmpty else { return }
        let name = line.prefix { $0 != ":" }
        var value = line.dropFirst(name.count + 1)
        if value.first == " " { value = value.dropFirst() }
        switch name {
        case "": comments.append(String(value))
        case "data": data.append(String(value))
        case "event": type = value.isEmpty ? "message" : String(value)
        case "id": if !value.contains("\0") { id = String(value) }
        case "retry": if let number = Int(value), number >= 0 { retry = number }
        default: unknown.append(line)
        }
    }
}
