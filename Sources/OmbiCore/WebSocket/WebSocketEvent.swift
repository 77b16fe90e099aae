/// One step in the life of a WebSocket.
public struct WebSocketEvent: Sendable {
    /// The time since the creation of the WebSocket, on the monotonic clock.
    public var at: Duration
    /// The kind of event, with its details.
    public var kind: Kind

    /// Creates an event, for tests and for programs that store events.
    public init(at: Duration, kind: Kind) {
        self.at = at
        self.kind = kind
    }

    /// A kind of event, with its details.
    public enum Kind: Sendable {
        /// Connection number `attempt` is started; numbers start at 1 and include failed connections.
        case connecting(attempt: Int)
        /// The handshake was accepted: the server's response, and the cost of the connection. Its `wait` is the time
        /// from the connection to the response.
        case connected(ResponseHead, TransportMetrics)
        /// The system accepted all bytes of a message.
        case sent(WebSocketMessage.Kind, bytes: Int)
        /// A message was received.
        case received(WebSocketMessage.Kind, bytes: Int)
        /// A ping is sent, by `WebSocket.ping()` or `WebSocketOptions.pingInterval`.
        case pingSent
        /// A ping was received. The pong is sent automatically.
        case pingReceived
        /// The pong to a ping was received, with the time since the ping.
        case pongReceived(after: Duration)
        /// The first close frame of either side.
        case closing(WebSocketCloseCode, reason: String, byPeer: Bool)
        /// Connection number `attempt` follows after a wait, because of the previous connection's end.
        case reconnecting(attempt: Int, after: Duration, because: WebSocketError)
        /// The last event; the error is nil after a regular close.
        case closed(WebSocketError?)
        /// The number of earlier events no longer kept.
        case skipped(Int)
    }
}

/// The events of a WebSocket as an async sequence. Each iteration starts with the oldest event kept (the newest 256
/// are) and ends after `WebSocketEvent.Kind.closed(_:)`, or when its task is cancelled.
///
/// It does not keep the WebSocket open.
public struct WebSocketEvents: AsyncSequence, Sendable {
    public typealias Element = WebSocketEvent
    public typealias Failure = Never

    let core: WebSocketCore

    public func makeAsyncIterator() -> Iterator { Iterator(core: core) }

    /// An iterator over the events kept, which waits for further ones.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let core: WebSocketCore
        private var position = 0

        init(core: WebSocketCore) { self.core = core }

        public mutating func next() async -> WebSocketEvent? {
            guard let next = await core.event(at: position) else { return nil }
            position = next.position
            return next.event
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> WebSocketEvent? { await next() }
    }
}

/// The newest events of a WebSocket.
struct WebSocketHistory {
    private var events = Fifo<WebSocketEvent>()
    /// The position of the first event kept, counted from the first one of all.
    private var first = 0
    private var hasEnded = false

    private static let maximumEvents = 256

    mutating func add(_ event: WebSocketEvent) {
        events.append(event)
        if case .closed = event.kind { hasEnded = true }
        guard events.count > Self.maximumEvents else { return }
        _ = events.popFirst()
        first += 1
    }

    func read(_ position: Int) -> LogReading<WebSocketEvent> {
        guard let event = events[max(position - first, 0)] else { return hasEnded ? .end : .nothingYet }
        guard position < first else { return .event(event, next: position + 1) }
        return .event(WebSocketEvent(at: event.at, kind: .skipped(first - position)), next: first)
    }
}

/// A complete message of a WebSocket (RFC 6455 §5.6).
public enum WebSocketMessage: Sendable, Hashable {
    /// Text; sent as UTF-8.
    case text(String)
    /// Bytes.
    case binary(Data)

    /// The kind of a message.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Text.
        case text
        /// Bytes.
        case binary
    }

    /// The kind of the message.
    public var kind: Kind {
        switch self {
        case .text: .text
        case .binary: .binary
        }
    }

    /// The length in bytes; of text, in UTF-8.
    public var count: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .binary(let data): data.count
        }
    }

    /// The text; nil for bytes.
    public var text: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }

    /// The bytes; of text, in UTF-8.
    public var data: Data {
        switch self {
        case .text(let text): Data(text.utf8)
        case .binary(let data): data
        }
    }
}

extension WebSocketMessage: ExpressibleByStringInterpolation {
    public init(stringLiteral text: String) { self = .text(text) }
}

/// The code of a close frame (RFC 6455 §7.4 and the IANA registry). Codes from 4000 to 4999 belong to applications:
/// `WebSocketCloseCode(rawValue: 4001)`.
public struct WebSocketCloseCode: RawRepresentable, Sendable, Hashable {
    /// The number in the close frame.
    public let rawValue: UInt16

    /// Creates a code from any number; not all are sendable (`isSendable`).
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// 1000: the purpose of the connection is fulfilled.
    public static let normal = Self(rawValue: 1000)
    /// 1001: the server shuts down, or the client leaves.
    public static let goingAway = Self(rawValue: 1001)
    /// 1002: the peer violated the protocol.
    public static let protocolError = Self(rawValue: 1002)
    /// 1003: the kind of message is not accepted.
    public static let unsupportedData = Self(rawValue: 1003)
    /// 1005: the close frame had no code. Never sent.
    public static let noStatus = Self(rawValue: 1005)
    /// 1006: the connection ended without a close frame. Never sent.
    public static let abnormal = Self(rawValue: 1006)
    /// 1007: text that is not UTF-8, or other data inconsistent with the kind of message.
    public static let invalidPayload = Self(rawValue: 1007)
    /// 1008: a message violated the receiver's policy.
    public static let policyViolation = Self(rawValue: 1008)
    /// 1009: a message exceeded the receiver's limit.
    public static let messageTooBig = Self(rawValue: 1009)
    /// 1010: the server did not negotiate an extension that the client requires.
    public static let missingExtension = Self(rawValue: 1010)
    /// 1011: an error of the server.
    public static let internalError = Self(rawValue: 1011)
    /// 1012: the server restarts.
    public static let serviceRestart = Self(rawValue: 1012)
    /// 1013: the server is overloaded.
    public static let tryAgainLater = Self(rawValue: 1013)
    /// 1014: a gateway got no valid response from the upstream server.
    public static let badGateway = Self(rawValue: 1014)

    /// True if a close frame may carry the code: not those that stand for a missing code, nor unassigned ones.
    public var isSendable: Bool { FrameDecoder.isCloseCode(rawValue) }

    /// True for a regular end: 1000 and 1001, and a close frame without a code.
    var isRegular: Bool { [.normal, .goingAway, .noStatus].contains(self) }
}

extension WebSocketCloseCode: CustomStringConvertible {
    /// "1001 going away"; the number alone for an unregistered code.
    public var description: String { Self.names[rawValue].map { "\(rawValue) \($0)" } ?? "\(rawValue)" }

    private static let names: [UInt16: String] = [
        1000: "normal closure", 1001: "going away", 1002: "protocol error", 1003: "unsupported data",
        1005: "no status received", 1006: "abnormal closure", 1007: "invalid payload", 1008: "policy violation",
        1009: "message too big", 1010: "missing extension", 1011: "internal error", 1012: "service restart",
        1013: "try again later", 1014: "bad gateway",
    ]
}

/// The failure of a WebSocket: it could not be opened, or did not end by a regular close.
public enum WebSocketError: Error, Sendable {
    /// The opening handshake could not be built. The cause is a `MalformedRequest`, or the error of an interceptor.
    case malformedRequest(any Error)
    /// The authenticator threw the cause.
    case authenticationFailed(any Error)
    /// A middleware threw the cause.
    case middlewareFailed(any Error)
    /// The connection failed, or broke without a close frame. Includes time limits (`TransportError.Code.timedOut`).
    case connectionError(TransportError)
    /// The server did not accept the opening handshake: the reason, and its response.
    case refused(String, TransportResponse)
    /// The peer violated the protocol, or a limit of `WebSocketOptions`: the close code sent to it, and the violation.
    case protocolError(WebSocketCloseCode, String)
    /// The WebSocket is closed: the code and the reason of the received close frame, or of the one that was sent first.
    case closed(WebSocketCloseCode, reason: String)
    /// The close code is not sendable, or the reason is too long. Nothing was sent.
    case malformedClose(String)
    /// The Swift task or the WebSocket was cancelled.
    case cancelled

    /// The server's response to a refused handshake, complete or cut off; nil in all other cases.
    public var response: TransportResponse? {
        switch self {
        case .refused(_, let response): response
        case .connectionError(let error): error.response
        case .malformedRequest, .authenticationFailed, .middlewareFailed, .protocolError, .closed, .malformedClose,
            .cancelled:
            nil
        }
    }
}

extension WebSocketError: CustomStringConvertible {
    /// A sentence in lower case without a full stop.
    public var description: String {
        switch self {
        case .malformedRequest(let cause): "the opening handshake could not be built: \(ErrorText.sentence(cause))"
        case .authenticationFailed(let cause): "the authentication failed: \(ErrorText.sentence(cause))"
        case .middlewareFailed(let cause): "a middleware failed: \(ErrorText.sentence(cause))"
        case .connectionError(let error): error.description
        case .refused(let reason, _): reason
        case .protocolError(_, let what): what
        case .closed(let code, let reason):
            "the WebSocket was closed with \(code)" + (reason.isEmpty ? "" : " (\"\(reason.visible)\")")
        case .malformedClose(let reason): reason
        case .cancelled: "cancelled"
        }
    }
}
