import OmbiCore
import OmbiDocument
import OmbiViewer

/// The events of a body while it arrives: server-sent events, or lines of JSON.
struct StreamReader {
    private enum Kind { case events, lines }

    private let kind: Kind
    private var index = EventIndex()
    /// The number of blocks of the index that were read, and the start of the next line.
    private var readBlocks = 0
    private var lineStart = 0
    private var count = 0
    private let isConversation: Bool
    private var received = 0
    private var last: Duration?

    /// Nil for a response that is no stream. The messages of a WebSocket are kept as events.
    init?(_ head: ResponseHead) {
        guard OpenEndedResponse.follows(head) else { return nil }
        let type = head.statusCode == 101 ? "text/event-stream" : head.headers[.contentType]?.text.lowercased() ?? ""
        guard !type.hasPrefix("multipart/") else { return nil }
        isConversation = head.statusCode == 101
        kind = type.hasPrefix("text/event-stream") ? .events : .lines
    }

    /// Returns the events that have arrived since. A block of comments only is none.
    mutating func read(_ bytes: Bytes, _ arrivals: BodyArrivals?, isComplete: Bool) -> [StreamedEvent] {
        kind == .events
            ? readEvents(bytes, arrivals, isComplete: isComplete) : readLines(bytes, arrivals, isComplete: isComplete)
    }

    private mutating func readEvents(
        _ bytes: Bytes, _ arrivals: BodyArrivals?, isComplete: Bool
    ) -> [StreamedEvent] {
        index.extend(over: bytes, isComplete: isComplete)
        defer { readBlocks = index.events.count }
        return index.events[readBlocks...].compactMap { range in
            let event = ServerEvent(in: bytes, range)
            guard !event.data.isEmpty || event.id != nil else { return nil }
            return next(event.data, event.type, event.id, arrivals?.time(upTo: range.upperBound))
        }
    }

    private mutating func readLines(_ bytes: Bytes, _ arrivals: BodyArrivals?, isComplete: Bool) -> [StreamedEvent] {
        var events: [StreamedEvent] = []
        var end = lineStart
        while end < bytes.count {
            let isEnd = bytes[end] == 0x0A
            end += 1
            guard isEnd || isComplete && end == bytes.count else { continue }
            // A record of a sequence begins with a separator (RFC 7464).
            let isPadding = { (byte: UInt8) in byte <= 0x20 }
            let line = bytes.array(lineStart..<end).drop(while: isPadding)
            lineStart = end
            guard !line.isEmpty else { continue }
            let text = String(
                decoding: line[..<(line.lastIndex { !isPadding($0) }.map { $0 + 1 } ?? line.endIndex)], as: UTF8.self)
            events.append(next(text, nil, nil, arrivals?.time(upTo: end)))
        }
        return events
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
