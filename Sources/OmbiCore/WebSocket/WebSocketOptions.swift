/// Settings of one WebSocket. Those of the connection under it are in `RequestManager` and `Connection`.
public struct WebSocketOptions: Sendable {
    /// The subprotocols to offer, the preferred one first (RFC 6455 §1.9). The server chooses one or none.
    public var subprotocols: [String]
    /// The maximum length of a received message in bytes; a longer one closes the connection with 1009. 16 MiB by default.
    public var maximumMessageBytes: Int
    /// The maximum length of a received frame in bytes; a longer one closes the connection with 1009. 16 MiB by default.
    public var maximumFrameBytes: Int
    /// The size of unread messages in bytes from which the peer has to wait; 256 KiB by default. The current message
    /// and one read of the connection are extra.
    public var bufferBytes: Int
    /// The length in bytes of the fragments of longer messages, which let pings pass in between; nil, the default,
    /// sends each message in one frame.
    public var fragmentBytes: Int?
    /// The silence of the peer after which a ping is sent; 30 s by default, nil sends none.
    public var pingInterval: Duration?
    /// The maximum silence of the peer after such a ping before the connection counts as broken; 20 s by default.
    public var pingTimeout: Duration
    /// The limit of the closing handshake, and of the wait for more from a peer to which nothing can be sent; then the
    /// connection is dropped. 5 s by default.
    public var closeTimeout: Duration
    /// The policy for reconnects; none by default. Give it a backoff. See <doc:WebSockets>.
    public var reconnect: RetryPolicy
    /// The close codes of a peer after which to reconnect: 1001, 1005 and 1011 to 1014 by default.
    public var reconnectCodes: Set<WebSocketCloseCode>
    /// Returns the messages to send first on every connection, such as subscriptions. Called before each attempt to
    /// connect.
    public var firstMessages: @Sendable () -> [WebSocketMessage]

    /// The default of `reconnectCodes`: the peer left, failed, restarts, or is overloaded.
    public static let transientCloseCodes: Set<WebSocketCloseCode> = [
        .goingAway, .noStatus, .internalError, .serviceRestart, .tryAgainLater, .badGateway,
    ]

    /// Creates the default options.
    public init() {
        subprotocols = []
        maximumMessageBytes = 16 << 20
        maximumFrameBytes = 16 << 20
        bufferBytes = 256 << 10
        fragmentBytes = nil
        pingInterval = .seconds(30)
        pingTimeout = .seconds(20)
        closeTimeout = .seconds(5)
        reconnect = .never
        reconnectCodes = Self.transientCloseCodes
        firstMessages = { [] }
    }

    /// Creates the default options with changes:
    ///
    ///     let socket = manager.webSocket("/prices", options: WebSocketOptions { $0.subprotocols = ["v2"] })
    public init(_ change: (inout WebSocketOptions) -> Void) {
        self.init()
        change(&self)
    }
}
