#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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

    /// Returns the events of the next received bytes.
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
            if !hasClosed { outbox.pong(frame(.pong, payload)) }
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
        outbox.close(frame(.close, Data(bytes + reason.utf8)))
    }

    private func frame(_ opcode: Opcode, _ payload: Data) -> Data {
        payload.withUnsafeBytes { FrameEncoder.frame(opcode, $0, mask: mask()) }
    }
}
