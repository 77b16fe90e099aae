#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The client's side of one WebSocket connection (RFC 6455), as a value: bytes and wishes go in, events and bytes come
/// out. It knows neither a network nor a clock.
struct WebSocketMachine {
    enum Event {
        /// The handshake is accepted: messages may go out from now on.
        case opened(ResponseHead, subprotocol: String?)
        case message(WebSocketMessage)
        case ping
        case pong(Data)
        /// The peer's close frame; the answer to it is in the outbox. Nothing comes after it.
        case closed(WebSocketCloseCode, reason: String)
        /// The peer is refused, and has been told why where it can be. Nothing comes after it.
        case failed(WebSocketError)
    }

    private enum Stage {
        case opening(HandshakeReader)
        case open(FrameDecoder)
        case ended
    }

    private var stage: Stage
    private(set) var outbox = WebSocketOutbox()
    /// Whether a close frame is in the outbox, or out.
    private(set) var hasClosed = false
    private let place: String
    private let limits: FrameDecoder.Limits
    private let mask: @Sendable () -> UInt32

    /// The request of the handshake lies in the outbox at once.
    init(
        _ handshake: OpeningHandshake, limits: FrameDecoder.Limits,
        mask: @escaping @Sendable () -> UInt32 = { UInt32.random(in: .min ... .max) }
    ) {
        place = handshake.request.url.place
        self.limits = limits
        self.mask = mask
        stage = .opening(HandshakeReader(handshake))
        outbox.append([handshake.bytes], message: 0)
    }

    /// The next bytes to write; nil when there are none.
    mutating func takeBatch() -> WebSocketOutbox.Batch? { outbox.take() }

    /// What the next bytes of the connection come to.
    mutating func receive(_ bytes: Data) -> [Event] {
        switch stage {
        case .opening(var reader):
            let progress = reader.read(bytes)
            stage = .opening(reader)
            return opening(progress)
        case .open(var decoder):
            // Out of the stage, so that the decoder is not copied to be changed.
            stage = .ended
            return decode(bytes, &decoder)
        case .ended: return []
        }
    }

    /// Why the connection has ended, when it did so before the handshake was accepted or a close frame had come.
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

    /// RFC 6455 §7.1.7.
    private mutating func fail(_ violation: FrameViolation) -> Event {
        if !hasClosed {
            outbox.dropFrames()
            putClose(violation.code.rawValue, "")
        }
        let code = WebSocketCloseCode(rawValue: violation.code.rawValue)
        return .failed(.protocolError(code, "\(place) sent \(violation.what)"))
    }
}

// What goes out.
extension WebSocketMachine {
    /// - Parameter number: What `WebSocketOutbox.Batch.messages` names when the message is out; above 0.
    mutating func send(_ frames: [Data], number: Int) { outbox.append(frames, message: number) }

    /// Takes a message back. False when a part of it is out already.
    mutating func takeBack(_ number: Int) -> Bool { outbox.dropMessage(number) }

    mutating func ping(_ payload: Data) { outbox.ping(frame(.ping, payload)) }

    /// The close frame goes out behind all messages; a second one does not.
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
