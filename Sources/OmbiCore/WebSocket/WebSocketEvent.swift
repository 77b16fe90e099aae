/// One step in the life of a WebSocket.
public struct WebSocketEvent: Sendable {
    /// Since the WebSocket was made, on the monotonic clock.
    public var at: Duration
    /// What happened.
    public var kind: Kind

    /// For tests, and for programs that keep events.
    public init(at: Duration, kind: Kind) {
        self.at = at
        self.kind = kind
    }

    /// What happened.
    public enum Kind: Sendable {
        /// Connection number `attempt` is being made; numbers start at 1 and count every attempt to connect.
        case connecting(attempt: Int)
        /// The handshake was accepted: the server's response, and what the connection cost. Its `wait` is the time from
        /// the connection to the response.
        case connected(ResponseHead, TransportMetrics)
        /// A message was handed over to the system.
        case sent(WebSocketMessage.Kind, bytes: Int)
        /// A message came in.
        case received(WebSocketMessage.Kind, bytes: Int)
        /// A ping goes out, of `WebSocket.ping()` or of `WebSocketOptions.pingInterval`.
        case pingSent
        /// A ping came in. The pong goes out by itself.
        case pingReceived
        /// The pong to a ping came in, so long after the ping.
        case pongReceived(after: Duration)
        /// The first close frame, of this side or of the peer.
        case closing(WebSocketCloseCode, reason: String, byPeer: Bool)
        /// Connection number `attempt` is made after a wait, and why the one before ended.
        case reconnecting(attempt: Int, after: Duration, because: WebSocketError)
        /// The last event; the error is nil after a regular close.
        case closed(WebSocketError?)
        /// The number of earlier events that are no longer kept.
        case skipped(Int)
    }
}

/// The events of a WebSocket as an async sequence. Each iteration begins with the oldest event that is kept (the newest
/// 256 are) and ends after `WebSocketEvent.Kind.closed(_:)`, or when its task is cancelled.
///
/// It does not keep the WebSocket open.
public struct WebSocketEvents: AsyncSequence, Sendable {
    public typealias Element = WebSocketEvent
    public typealias Failure = Never

    let core: WebSocketCore

    public func makeAsyncIterator() -> Iterator { Iterator(core: core) }

    /// Goes through the events that are kept, and waits for those to come.
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
    /// Of the first event that is kept; counted from the first one of all.
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
        /// And the position behind it.
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
