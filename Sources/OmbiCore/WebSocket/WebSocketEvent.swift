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

    enum Reading {
        /// An event and the next position.
        case event(WebSocketEvent, next: Int)
        case nothingYet
        case end
    }

    func read(_ position: Int) -> Reading {
        guard let event = events[max(position - first, 0)] else { return hasEnded ? .end : .nothingYet }
        guard position < first else { return .event(event, next: position + 1) }
        return .event(WebSocketEvent(at: event.at, kind: .skipped(first - position)), next: first)
    }
}
