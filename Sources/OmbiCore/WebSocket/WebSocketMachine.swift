/// The client's side of one WebSocket connection (RFC 6455), as a value: bytes and commands go in, events and bytes
/// come out. It has neither a network nor a clock.
struct WebSocketMachine {
    enum Event {
        /// The handshake is accepted: messages may be sent from now on.
        case opened(ResponseHead, subprotocol: String?)
        case message(WebSocketMessage)
        case ping
        case pong(Data)
        /// The peer's close frame; the response to it is in the outbox. No event follows.
        case closed(WebSocketCloseCode, reason: String)
        /// The peer is rejected; the outbox has the close frame if one is possible. No event follows.
        case failed(WebSocketError)
    }

    private enum Stage {
        case opening(HandshakeReader)
        case open(FrameDecoder)
        case ended
    }

    private var stage: Stage
    private(set) var outbox = WebSocketOutbox()
    /// True if a close frame is in the outbox, or sent.
    private(set) var hasClosed = false
    private let server: String
    private let limits: FrameDecoder.Limits
    private let mask: @Sendable () -> UInt32

    /// Creates a connection with the handshake request in its outbox.
    init(
        _ handshake: OpeningHandshake, limits: FrameDecoder.Limits,
        mask: @escaping @Sendable () -> UInt32 = { UInt32.random(in: .min ... .max) }
    ) {
        server = handshake.request.url.server
        self.limits = limits
        self.mask = mask
        stage = .opening(HandshakeReader(handshake))
        outbox.append([handshake.bytes], message: 0)
    }

    /// Returns the next bytes to write; nil if there are none.
    mutating func takeBatch() -> WebSocketOutbox.Batch? { outbox.take() }

    mutating func receive(_ bytes: Data) -> [Event] {
        switch stage {
        case .opening(var reader):
            let progress = reader.read(bytes)
            stage = .opening(reader)
            return opening(progress)
        case .open(var decoder):
            // Moved out of the stage, so that changing the decoder does not copy it.
            stage = .ended
            return decode(bytes, &decoder)
        case .ended: return []
        }
    }

    /// Returns the error for an end before the handshake was accepted or a close frame was received.
    func end(_ error: TransportError) -> WebSocketError {
        guard case .opening(let reader) = stage else { return .connectionError(error) }
        return reader.end(error)
    }

    private mutating func opening(_ progress: HandshakeReader.Progress) -> [Event] {
        switch progress {
        case .incomplete: return []
        case .refused(let error):
            stage = .ended
            return [.failed(error)]
        case .accepted(let head, let subprotocol, let rest):
            stage = .open(FrameDecoder(limits: limits))
            return [.opened(head, subprotocol: subprotocol)] + (rest.isEmpty ? [] : receive(rest))
        }
    }

    private mutating func decode(_ bytes: Data, _ decoder: inout FrameDecoder) -> [Event] {
        var items: [FrameDecoder.Item] = []
        let violation = bytes.withUnsafeBytes { bytes -> FrameViolation? in
            do throws(FrameViolation) {
                try decoder.decode(bytes, into: &items)
                return nil
            } catch {
                return error
            }
        }
        var events = items.map { event($0) }
        if case .closed? = events.last { return events }
        guard let violation else {
            stage = .open(decoder)
            return events
        }
        events.append(fail(violation))
        return events
    }

    private mutating func event(_ item: FrameDecoder.Item) -> Event {
        switch item {
        case .text(let text): return .message(.text(text))
        case .binary(let data): return .message(.binary(data))
        case .pong(let payload): return .pong(payload)
        case .ping(let payload):
            if !hasClosed { outbox.pong = frame(.pong, payload) }
            return .ping
        case .close(let number, let reason):
            if !hasClosed {
                outbox.dropFrames()
                putClose(number, "")
            }
            return .closed(number.map(WebSocketCloseCode.init) ?? .noStatus, reason: reason)
        }
    }

    /// Fails the connection (RFC 6455 §7.1.7).
    private mutating func fail(_ violation: FrameViolation) -> Event {
        if !hasClosed {
            outbox.dropFrames()
            putClose(violation.code.rawValue, "")
        }
        let code = WebSocketCloseCode(rawValue: violation.code.rawValue)
        return .failed(.protocolError(code, "\(server) sent \(violation.what)"))
    }
}

// Sending.
extension WebSocketMachine {
    /// - Parameter number: The number that `WebSocketOutbox.Batch.messages` contains when the message is written; above
    ///   0.
    mutating func send(_ frames: [Data], number: Int) { outbox.append(frames, message: number) }

    /// Withdraws a message. Returns false if a part of it is written already.
    mutating func takeBack(_ number: Int) -> Bool { outbox.dropMessage(number) }

    mutating func ping(_ payload: Data) { outbox.ping(frame(.ping, payload)) }

    /// Sends a close frame after all messages, unless one was sent before.
    mutating func close(_ code: WebSocketCloseCode, reason: String) {
        if !hasClosed { putClose(code.rawValue, reason) }
    }

    private mutating func putClose(_ number: UInt16?, _ reason: String) {
        hasClosed = true
        let bytes = number.map { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } ?? []
        outbox.close = frame(.close, Data(bytes + reason.utf8))
    }

    private func frame(_ opcode: Opcode, _ payload: Data) -> Data {
        payload.withUnsafeBytes { FrameEncoder.frame(opcode, $0, mask: mask()) }
    }
}

/// The frames to send: control frames precede messages, even between fragments, and the close frame is last (RFC 6455
/// §5.4, §5.5).
struct WebSocketOutbox {
    /// Frames to write together, and the messages that they complete.
    struct Batch: Equatable {
        var bytes: Data
        var messages: [Int] = []
    }

    private var pings = Fifo<Data>()
    /// The response to the newest ping only (RFC 6455 §5.5.3), so that a flood of pings takes no memory.
    var pong: Data?
    private var frames = Fifo<(bytes: Data, message: Int?)>()
    var close: Data?

    /// The size up to which a batch takes more frames; a longer frame is a batch of its own.
    private static let batchBytes = 64 << 10

    mutating func ping(_ frame: Data) { pings.append(frame) }

    /// - Parameter message: The number in the batch that has the last of the frames.
    mutating func append(_ frames: [Data], message: Int) {
        for (index, frame) in frames.enumerated() {
            self.frames.append((frame, index == frames.count - 1 ? message : nil))
        }
    }

    /// Drops all frames except the close frame.
    mutating func dropFrames() {
        pings = Fifo()
        pong = nil
        frames = Fifo()
    }

    /// Drops the frames of a message. Returns false if a part of it is written already; then the rest is sent too.
    mutating func dropMessage(_ message: Int) -> Bool {
        // Its frames start after the last one of the previous message.
        var kept = Fifo<(bytes: Data, message: Int?)>()
        var group: [(bytes: Data, message: Int?)] = []
        var isDropped = false
        while let frame = frames.popFirst() {
            group.append(frame)
            guard frame.message != nil else { continue }
            if frame.message == message, !Self.isBegun(group[0].bytes) {
                isDropped = true
            } else {
                for frame in group { kept.append(frame) }
            }
            group = []
        }
        frames = kept
        return isDropped
    }

    /// Returns true for a continuation frame: the first frame of its message is written already.
    private static func isBegun(_ frame: Data) -> Bool {
        frame.first.map { $0 & 0x0F == Opcode.continuation.rawValue } ?? false
    }

    /// Returns nil if there is nothing to write.
    mutating func take() -> Batch? {
        var batch = Batch(bytes: Data())
        while let ping = pings.popFirst() { batch.bytes.append(ping) }
        if let pong = pong.take() { batch.bytes.append(pong) }
        while let next = frames.first, batch.bytes.isEmpty || batch.bytes.count + next.bytes.count <= Self.batchBytes {
            _ = frames.popFirst()
            if batch.bytes.isEmpty { batch.bytes = next.bytes } else { batch.bytes.append(next.bytes) }
            if let message = next.message { batch.messages.append(message) }
        }
        if frames.isEmpty, let close = close.take() { batch.bytes.append(close) }
        return batch.bytes.isEmpty ? nil : batch
    }
}

/// A list of suspended Swift tasks in order of arrival. Each is resumed once, by the code that removes it.
struct Waiters<Value: Sendable> {
    typealias Outcome = Result<Value, WebSocketError>
    typealias Continuation = CheckedContinuation<Outcome, Never>

    private var waiting: [(id: Int, continuation: Continuation)] = []

    var count: Int { waiting.count }

    mutating func add(_ id: Int, _ continuation: Continuation) { waiting.append((id, continuation)) }

    /// Returns nil if the task is not waiting any more.
    mutating func remove(_ id: Int) -> Continuation? {
        waiting.firstIndex { $0.id == id }.map { waiting.remove(at: $0).continuation }
    }

    mutating func removeFirst() -> Continuation? { waiting.isEmpty ? nil : waiting.removeFirst().continuation }

    mutating func removeAll() -> [Continuation] {
        exchange(&waiting, with: []).map { $0.continuation }
    }
}
