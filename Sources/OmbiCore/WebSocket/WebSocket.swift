/// A connection for messages in both directions (RFC 6455). `RequestManager.webSocket(for:)` opens it.
///
///     let socket = manager.webSocket("/prices")
///     try await socket.send("subscribe")
///     for try await message in socket.messages { print(message) }
///
/// It starts to connect at once, and answers pings automatically. All methods may be called from any thread. It stays
/// open as long as the handle, one of its `messages` or an iterator over them exists. When the last one is released,
/// the peer gets the code 1001 and the connection is dropped.
public final class WebSocket: Sendable {
    let core: WebSocketCore

    init(core: WebSocketCore) { self.core = core }

    deinit { core.abandon() }

    /// The messages of the peer, in order. Ends after a regular close (1000, 1001, or no code), throws after any other end.
    ///
    /// A slow reader slows the peer down: unread messages fill `WebSocketOptions.bufferBytes`, and then the system's
    /// buffers, until the peer has to wait. Pings are not answered meanwhile. Several readers share the messages: each
    /// message goes to one of them.
    public var messages: Messages { Messages(socket: self) }

    /// The connections, messages, pings and the close. The newest 256 are kept: a slow reader gets
    /// `WebSocketEvent.Kind.skipped(_:)` in place of the others.
    public var events: WebSocketEvents { WebSocketEvents(core: core) }

    /// Waits for the connection, or after a loss for the next one. The first call also returns if the connection has
    /// ended already and is not made again: its messages can still be read.
    /// - Returns: The server's response to the opening handshake.
    @discardableResult
    public func opened() async throws(WebSocketError) -> ResponseHead { try await core.opened() }

    /// Sends a message; waits for the connection if there is none yet.
    ///
    /// Returns when the system has accepted the bytes, which does not mean that the peer has received them. Throws if
    /// the connection breaks before that: the peer has not received the whole message. Cancelling the task withdraws
    /// the message, unless a part of it was sent.
    public func send(_ message: WebSocketMessage) async throws(WebSocketError) { try await core.send(message) }

    /// Sends a text; see `send(_:)-(WebSocketMessage)`.
    public func send(_ text: String) async throws(WebSocketError) { try await core.send(.text(text)) }

    /// Sends bytes; see `send(_:)-(WebSocketMessage)`.
    public func send(_ data: Data) async throws(WebSocketError) { try await core.send(.binary(data)) }

    /// Sends a ping and waits for the pong.
    /// - Returns: The round-trip time since the call.
    @discardableResult
    public func ping() async throws(WebSocketError) -> Duration { try await core.ping() }

    /// Sends pending messages and a close frame, and waits for the end of the connection, at most
    /// `WebSocketOptions.closeTimeout`. Messages that arrive afterwards are not delivered; those that have arrived can
    /// still be read. Does nothing when the WebSocket is closed.
    ///
    /// Throws `WebSocketError.malformedClose(_:)` for a code that cannot be sent, and for a reason of more than 123 bytes
    /// of UTF-8, and nothing else.
    public func close(code: WebSocketCloseCode = .normal, reason: String = "") async throws(WebSocketError) {
        try await core.close(code, reason)
    }

    /// Drops the connection at once, without a close frame. Pending calls throw `WebSocketError.cancelled`.
    public func cancel() { core.cancel() }

    /// The code of the peer's close frame on the last connection that ended: `noStatus` if the frame had none,
    /// `abnormal` without a frame; nil until a connection has ended.
    public var closeCode: WebSocketCloseCode? { core.withState { $0.lastClose?.code } }

    /// The text of the peer's close frame; empty if there was none, nil until a connection has ended.
    public var closeReason: String? { core.withState { $0.lastClose?.reason } }

    /// The subprotocol chosen by the server; nil before the connection, and if it chose none.
    public var subprotocol: String? { core.withState { $0.subprotocol } }
}

extension WebSocket {
    /// The messages of a WebSocket as an async sequence.
    public struct Messages: AsyncSequence, Sendable {
        public typealias Element = WebSocketMessage
        public typealias Failure = WebSocketError

        let socket: WebSocket

        public func makeAsyncIterator() -> Iterator { Iterator(socket: socket) }

        /// An iterator over the messages. A cancelled task gets `WebSocketError.cancelled`, and no message is lost.
        public struct Iterator: AsyncIteratorProtocol, Sendable {
            let socket: WebSocket
            private var hasEnded = false

            init(socket: WebSocket) { self.socket = socket }

            public mutating func next() async throws(WebSocketError) -> WebSocketMessage? {
                guard !hasEnded else { return nil }
                // An error is the end.
                hasEnded = true
                let message = try await socket.core.nextMessage()
                hasEnded = message == nil
                return message
            }

            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(WebSocketError) -> WebSocketMessage? {
                try await next()
            }
        }
    }
}

/// Settings of one WebSocket. Those of the connection under it are in `RequestManager` and `Connection`.
public struct WebSocketOptions: Sendable {
    /// The subprotocols to offer, the preferred one first (RFC 6455 §1.9). The server chooses one or none.
    public var subprotocols: [String] = []
    /// The maximum length of a received message in bytes; a longer one closes the connection with 1009. 16 MiB by default.
    public var maximumMessageBytes = 16 << 20
    /// The maximum length of a received frame in bytes; a longer one closes the connection with 1009. 16 MiB by default.
    public var maximumFrameBytes = 16 << 20
    /// The number of bytes of unread messages at which the peer must wait; 256 KiB by default. The current message and
    /// one read of the connection come on top.
    public var bufferBytes = 256 << 10
    /// The length in bytes of the fragments of longer messages, which let pings pass in between; nil, the default,
    /// sends each message in one frame.
    public var fragmentBytes: Int?
    /// The silence of the peer after which a ping is sent; 30 s by default, nil sends none.
    public var pingInterval: Duration? = .seconds(30)
    /// The maximum silence of the peer after such a ping before the connection counts as broken; 20 s by default.
    public var pingTimeout: Duration = .seconds(20)
    /// The limit of the closing handshake, and of the wait for data from a peer that no longer takes any; the
    /// connection is then dropped. 5 s by default.
    public var closeTimeout: Duration = .seconds(5)
    /// The policy for reconnects; none by default. Give it a backoff. See <doc:WebSockets>.
    public var reconnect: RetryPolicy = .never
    /// The close codes of a peer after which to reconnect: 1001, 1005 and 1011 to 1014 by default.
    public var reconnectCodes: Set<WebSocketCloseCode> = Self.transientCloseCodes
    /// Returns the messages to send first on every connection, such as subscriptions. Called before each attempt to
    /// connect.
    public var firstMessages: @Sendable () -> [WebSocketMessage] = { [] }

    /// The default of `reconnectCodes`: the peer left, failed, restarts, or is overloaded.
    public static let transientCloseCodes: Set<WebSocketCloseCode> = [
        .goingAway, .noStatus, .internalError, .serviceRestart, .tryAgainLater, .badGateway,
    ]

    /// Creates the default options.
    public init() {}

    /// Creates the default options with changes:
    ///
    ///     let socket = manager.webSocket("/prices", options: WebSocketOptions { $0.subprotocols = ["v2"] })
    public init(_ change: (inout WebSocketOptions) -> Void) {
        self.init()
        change(&self)
    }
}

// Opening WebSockets.
extension RequestManager {
    /// Opens a WebSocket, which starts to connect at once. Its methods, `WebSocket.messages` and `WebSocket.events`
    /// report failures.
    ///
    /// Path, query, headers, credentials, interceptors and timeouts of the request apply, and so do the settings of the
    /// manager; `https` in its host stands for `wss`, `http` for `ws`. The timeout limits connection and handshake
    /// together. Coders, validators and fallbacks have no effect; a method other than GET, or a body, makes the request
    /// malformed. Redirects are not followed. The request is built again for each connection, and passes the
    /// middlewares and the authenticator; after a 401 that refreshes credentials once, and another connection is made
    /// at once.
    ///
    /// - Parameters:
    ///   - requestable: The description of the opening handshake.
    ///   - authentication: Credentials for a request without its own; nil uses those of the manager.
    ///   - options: Subprotocols, limits, pings and reconnects.
    public final func webSocket<T: Requestable>(
        for requestable: T, authentication: RequestAuthentication? = nil,
        options: WebSocketOptions = WebSocketOptions()
    ) -> WebSocket {
        webSocket(options) { try self.buildSurrounded(requestable, requestable._responseDecoder, authentication) }
    }

    /// Opens a WebSocket with a request that is made already. Each connection has a span of its own.
    package final func webSocket(_ built: BuiltRequest, options: WebSocketOptions) -> WebSocket {
        webSocket(options) {
            var request = try built.request.get()
            _ = request.beginSpan(isFirst: false)
            return (request, built.surroundings)
        }
    }

    private func webSocket(_ options: WebSocketOptions, make: @escaping WebSocketCore.MakeRequest) -> WebSocket {
        let plan = WebSocketCore.Plan(options: options, transport: transport, clock: clock, log: log)
        let core = WebSocketCore(plan, make: make)
        core.connect()
        return WebSocket(core: core)
    }

    /// Opens a WebSocket at a path, with the settings of the manager.
    public final func webSocket(_ path: String, options: WebSocketOptions = WebSocketOptions()) -> WebSocket {
        webSocket(for: ComposableRequest<NoBody, NoBody, NoError>().path(path), options: options)
    }
}
