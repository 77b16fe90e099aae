#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An event of a stream of server-sent events (WHATWG HTML §9.2).
public struct ServerSentEvent: Sendable, Hashable {
    /// The last event ID of the stream when the event came; empty where the server has set none.
    public var id: String
    /// "message" unless the server says otherwise.
    public var type: String
    /// The lines of the data, joined by line feeds.
    public var data: String
    /// When the end of the event came in, since `RequestManager.events(_:authentication:retry:)` was called.
    public var arrivedAt: Duration
    /// The time since the event before, of an earlier connection too; nil for the first one.
    public var gap: Duration?

    /// For tests.
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

/// Parses a stream of server-sent events, in pieces that may end anywhere (WHATWG HTML §9.2.6). Pure.
struct EventStreamParser {
    /// In bytes, for one event with all of its lines.
    static let maximumEvent = 1 << 20

    /// Of the events so far, those of earlier connections included.
    private(set) var lastEventID: String
    /// As the server has said last; nil where it has not.
    private(set) var reconnectionTime: Duration?

    private var line: [UInt8] = []
    private var endedWithReturn = false
    private var isFirstLine = true
    private var id: String
    private var type = ""
    private var data: String?
    /// Of the event under way.
    private var byteCount = 0

    init(lastEventID: String = "", reconnectionTime: Duration? = nil) {
        self.reconnectionTime = reconnectionTime
        self.lastEventID = lastEventID
        id = lastEventID
    }

    /// Returns the events that are complete. Throws where one is too large.
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
            guard !value.isEmpty, value.allSatisfy({ 0x30...0x39 ~= $0 }) else { return }
            reconnectionTime = min(Int64(text).map { .milliseconds($0) } ?? .longest, .longest)
        default: return
        }
    }

    /// At an empty line. An event without data only sets the ID.
    private mutating func dispatch() -> ServerSentEvent? {
        lastEventID = id
        defer { (type, data, byteCount) = ("", nil, 0) }
        return data.map { ServerSentEvent(id: lastEventID, type: type.isEmpty ? "message" : type, data: $0) }
    }
}
