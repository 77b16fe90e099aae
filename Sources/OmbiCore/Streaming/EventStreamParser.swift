/// An event of a stream of server-sent events (WHATWG HTML §9.2).
public struct ServerSentEvent: Sendable, Hashable {
    /// The last event ID of the stream when the event arrived; empty if the server has set none.
    public var id: String
    /// The event type; "message" unless the server sets another.
    public var type: String
    /// The lines of the data, joined by line feeds.
    public var data: String
    /// The time at which the end of the event arrived, since the call of
    /// `RequestManager.events(_:authentication:retry:)`.
    public var arrivedAt: Duration
    /// The time since the previous event, across connections; nil for the first one.
    public var gap: Duration?

    /// Creates an event, for tests.
    public init(
        id: String = "", type: String = "message", data: String, arrivedAt: Duration = .zero, gap: Duration? = nil
    ) {
        self.id = id
        self.type = type
        self.data = data
        self.arrivedAt = arrivedAt
        self.gap = gap
    }
}

extension ServerSentEvent {
    /// Returns the value in the data, as JSON. Throws the error of the decoder.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, with decoder: JSONDecoder = JSONDecoder()
    ) throws -> Value {
        try decoder.decode(type, from: Data(data.utf8))
    }
}

/// A parser for a stream of server-sent events, in pieces with arbitrary boundaries (WHATWG HTML §9.2.6). Pure.
struct EventStreamParser {
    /// The maximum size of one event with all of its lines, in bytes.
    static let maximumEvent = 1 << 20

    /// The ID of the last event, across connections.
    private(set) var lastEventID: String
    /// The last reconnection time sent by the server; nil if none was.
    private(set) var reconnectionTime: Duration?

    private var line: [UInt8] = []
    private var endedWithReturn = false
    private var isFirstLine = true
    private var id: String
    private var type = ""
    private var data: String?
    /// The size of the current event.
    private var byteCount = 0

    init(lastEventID: String = "", reconnectionTime: Duration? = nil) {
        self.reconnectionTime = reconnectionTime
        self.lastEventID = lastEventID
        id = lastEventID
    }

    /// Returns the completed events. Throws for one that is too large.
    mutating func parse(_ piece: Data) throws(CodingFailure) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        for byte in piece {
            let followsReturn = endedWithReturn
            endedWithReturn = byte == 0x0D
            if byte == 0x0A, followsReturn { continue }
            guard byte == 0x0A || byte == 0x0D else {
                byteCount += 1
                guard byteCount <= Self.maximumEvent else {
                    throw CodingFailure("an event is longer than \(Self.maximumEvent) bytes")
                }
                line.append(byte)
                continue
            }
            if let event = endLine() { events.append(event) }
        }
        return events
    }

    private mutating func endLine() -> ServerSentEvent? {
        var bytes = line[...]
        if isFirstLine, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        isFirstLine = false
        defer { line.removeAll(keepingCapacity: line.capacity <= 4096) }
        guard !bytes.isEmpty else { return dispatch() }
        let colon = bytes.firstIndex(of: 0x3A)
        let name = String(decoding: bytes[..<(colon ?? bytes.endIndex)], as: UTF8.self)
        var value = bytes[(colon.map { $0 + 1 } ?? bytes.endIndex)...]
        if value.first == 0x20 { value = value.dropFirst() }
        set(name, value)
        return nil
    }

    private mutating func set(_ name: String, _ value: ArraySlice<UInt8>) {
        let text = String(decoding: value, as: UTF8.self)
        switch name {
        case "event": type = text
        case "data": data = data.map { $0 + "\n" + text } ?? text
        case "id": if !value.contains(0) { id = text }
        case "retry":
            guard !value.isEmpty, value.allSatisfy(\.isASCIIDigit) else { return }
            reconnectionTime = min(Int64(text).map { .milliseconds($0) } ?? .longest, .longest)
        default: return
        }
    }

    /// Ends an event at an empty line. One without data only sets the ID.
    private mutating func dispatch() -> ServerSentEvent? {
        lastEventID = id
        defer { (type, data, byteCount) = ("", nil, 0) }
        return data.map { ServerSentEvent(id: lastEventID, type: type.isEmpty ? "message" : type, data: $0) }
    }
}

/// A queue of events between a connection and its reader: the connection waits while the reader is behind.
final class EventQueue: Sendable {
    /// The size of events, in bytes, above which the connection waits until a quarter of it is left.
    static let highWaterMark = 256 * 1024

    private typealias Waiter = CheckedContinuation<Void, Never>

    private struct State {
        var events = Fifo<ServerSentEvent>()
        var byteCount = 0
        var hasEnded = false
        var readers: [Waiter] = []
        var writers: [Waiter] = []

        mutating func take() -> (ServerSentEvent?, hasEnded: Bool, writers: [Waiter]) {
            guard let event = events.popFirst() else { return (nil, hasEnded, []) }
            byteCount -= event.byteCount
            guard byteCount <= EventQueue.highWaterMark / 4, !writers.isEmpty else { return (event, hasEnded, []) }
            return (event, hasEnded, exchange(&writers, with: []))
        }
    }

    private let state = Lock(State())

    /// Adds events, and waits until there is room for more, or the queue has ended.
    func put(_ events: [ServerSentEvent]) async {
        guard add(events) else { return }
        await withCheckedContinuation { (writer: Waiter) in
            let hasRoom = state.withLock { state in
                let hasRoom = state.hasEnded || state.byteCount <= Self.highWaterMark
                if !hasRoom { state.writers.append(writer) }
                return hasRoom
            }
            if hasRoom { writer.resume() }
        }
    }

    /// Adds events at once. Returns true if there is no room for more.
    @discardableResult func add(_ events: [ServerSentEvent]) -> Bool {
        let (isFull, readers) = state.withLock { state -> (Bool, [Waiter]) in
            guard !state.hasEnded else { return (false, []) }
            for event in events {
                state.events.append(event)
                state.byteCount += event.byteCount
            }
            return (state.byteCount > Self.highWaterMark, exchange(&state.readers, with: []))
        }
        for reader in readers { reader.resume() }
        return isFull
    }

    func next() async -> ServerSentEvent? {
        while true {
            let (event, hasEnded, writers) = state.withLock { $0.take() }
            for writer in writers { writer.resume() }
            if event != nil || hasEnded { return event }
            await withCheckedContinuation { (reader: Waiter) in
                let isReady = state.withLock { state in
                    let isReady = !state.events.isEmpty || state.hasEnded
                    if !isReady { state.readers.append(reader) }
                    return isReady
                }
                if isReady { reader.resume() }
            }
        }
    }

    /// Ends the queue. Queued events remain available unless dropped.
    func finish(dropping: Bool = false) {
        let before = state.withLock { state in
            exchange(&state, with: State(events: dropping ? Fifo() : state.events, hasEnded: true))
        }
        for waiter in before.readers + before.writers { waiter.resume() }
    }
}

extension ServerSentEvent {
    fileprivate var byteCount: Int { data.utf8.count + type.utf8.count + id.utf8.count + 64 }
}
