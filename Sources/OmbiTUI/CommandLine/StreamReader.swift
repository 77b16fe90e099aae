import OmbiBase

/// The events of a body while it arrives: server-sent events, lines of JSON, or records of a JSON text sequence (RFC 7464).
struct StreamReader {
    private enum Kind { case events, lines, records }

    /// The bytes of an event or of a line. A server that never ends one would take all memory.
    static let maximumEvent = 16 << 20
    private let maximumEvent: Int
    /// The bytes that are read at a time: their events are in memory together.
    private static let portion = 64 << 10
    /// The blocks in the index from which on a new one is begun.
    private static let maximumBlocks = 4096

    private var kind: Kind
    /// False until it is known where the text begins: behind a byte order mark.
    private var hasStart = false
    private var index = EventIndex()
    /// The number of blocks of the index that were read, and the start of the next line.
    private var readBlocks = 0
    private var lineStart = 0
    private var count = 0
    private let isConversation: Bool
    private var received = 0
    private var last: Duration?
    /// The end of the bytes that were read.
    private(set) var position = 0
    /// The reason why nothing more is read, as a sentence.
    private(set) var problem: String?

    /// Nil for a response that is no stream. The messages of a WebSocket are kept as events.
    init?(_ head: ResponseHead, maximumEvent: Int = StreamReader.maximumEvent) {
        self.maximumEvent = maximumEvent
        guard OpenEndedResponse.follows(head) else { return nil }
        let said = head.headers[.contentType].flatMap { ContentType($0.text)?.type } ?? ""
        let type = head.statusCode == 101 ? "text/event-stream" : said
        guard !type.hasPrefix("multipart/") else { return nil }
        isConversation = head.statusCode == 101
        kind = type == "text/event-stream" ? .events : JSONStreamType.isSequence(type) ? .records : .lines
    }

    /// Returns the next events that have arrived, those of a portion; empty once all are read. A block of comments only
    /// is none.
    mutating func read(_ bytes: Bytes, _ arrivals: BodyArrivals?, isComplete: Bool) -> [StreamedEvent] {
        guard findStart(of: bytes, isComplete: isComplete) else { return [] }
        while problem == nil {
            let end = min(bytes.count, position + Self.portion)
            let isLast = end == bytes.count
            let events =
                kind == .events
                ? readEvents(bytes[0..<end], arrivals, isComplete: isComplete && isLast)
                : readLines(bytes[0..<end], arrivals, isComplete: isComplete && isLast)
            position = end
            if !events.isEmpty || isLast { return events }
        }
        return []
    }

    /// Returns false while too little has come.
    private mutating func findStart(of bytes: Bytes, isComplete: Bool) -> Bool {
        guard !hasStart else { return true }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let head = bytes.array(0..<min(mark.count, bytes.count))
        guard isComplete || bytes.count > mark.count || !mark.starts(with: head) else { return false }
        hasStart = true
        lineStart = head == mark ? mark.count : 0
        index = EventIndex(start: lineStart)
        // Some servers send lines under that type.
        if kind == .records, lineStart < bytes.count, bytes[lineStart] != Self.recordSeparator { kind = .lines }
        return true
    }

    private static let recordSeparator: UInt8 = 0x1E
    /// A larger record is not complete before the next one begins.
    private static let maximumEarlyRecord = 64 << 10

    private mutating func readEvents(
        _ bytes: Bytes, _ arrivals: BodyArrivals?, isComplete: Bool
    ) -> [StreamedEvent] {
        index.extend(over: bytes, isComplete: isComplete)
        var events: [StreamedEvent] = []
        for range in index.events[readBlocks...] where checkSize(range, "an event") {
            let event = ServerEvent(in: bytes, range, limit: maximumEvent)
            guard event.hasData || event.id != nil else { continue }
            events.append(next(event.data, event.type, event.id, arrivals?.time(upTo: range.upperBound)))
        }
        readBlocks = index.events.count
        let unfinished = index.unfinished(in: bytes)
        if let unfinished { checkSize(unfinished, "an event") }
        if readBlocks > Self.maximumBlocks, !isComplete {
            (index, readBlocks) = (EventIndex(start: unfinished?.lowerBound ?? bytes.count), 0)
        }
        return events
    }

    private mutating func readLines(_ bytes: Bytes, _ arrivals: BodyArrivals?, isComplete: Bool) -> [StreamedEvent] {
        var events: [StreamedEvent] = []
        var start = position
        let separator = kind == .records ? Self.recordSeparator : 0x0A
        while let end = (start..<bytes.count).first(where: { bytes[$0] == separator }) {
            start = end + 1
            guard let event = line(endingAt: start, bytes, arrivals) else { continue }
            events.append(event)
        }
        guard isComplete || endsRecord(bytes) else {
            checkSize(lineStart..<bytes.count, "a line")
            return events
        }
        return events + [line(endingAt: bytes.count, bytes, arrivals)].compactMap { $0 }
    }

    /// True at the end of a whole record: the next one, which would end it, may take its time.
    private func endsRecord(_ bytes: Bytes) -> Bool {
        guard kind == .records, bytes.count > lineStart, bytes.count - lineStart <= Self.maximumEarlyRecord,
            bytes[bytes.count - 1] == 0x0A
        else { return false }
        let text = bytes.text(lineStart..<bytes.count).drop { $0 == "\u{1E}" || $0.isWhitespace }
        return (try? JSONValue.parse(String(text))) != nil
    }

    /// Returns the event of a line without the space around it; nil for an empty one.
    private mutating func line(endingAt end: Int, _ bytes: Bytes, _ arrivals: BodyArrivals?) -> StreamedEvent? {
        var range = lineStart..<end
        lineStart = end
        guard checkSize(range, "a line") else { return nil }
        // A record of a sequence begins with a separator (RFC 7464).
        while !range.isEmpty, bytes[range.upperBound - 1] <= 0x20 { range = range.lowerBound..<range.upperBound - 1 }
        while !range.isEmpty, bytes[range.lowerBound] <= 0x20 { range = range.lowerBound + 1..<range.upperBound }
        return range.isEmpty ? nil : next(bytes.text(range), nil, nil, arrivals?.time(upTo: end))
    }

    /// Ends the reading at an event that is too large.
    @discardableResult private mutating func checkSize(_ range: ByteRange, _ name: String) -> Bool {
        guard problem == nil else { return false }
        guard range.count > maximumEvent else { return true }
        problem = "\(name) of the stream is larger than \(maximumEvent) bytes"
        return false
    }

    private mutating func next(_ data: String, _ type: String?, _ id: String?, _ time: Duration?) -> StreamedEvent {
        count += 1
        let gap = time.flatMap { time in last.map { time - $0 } }
        last = time
        let isReceived = !isConversation || type?.hasPrefix("received") ?? false
        if isReceived { received += 1 }
        return StreamedEvent(
            number: count, time: time, gap: gap, type: type, id: id, data: data,
            received: isReceived ? received : nil)
    }
}
