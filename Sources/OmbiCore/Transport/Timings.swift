/// A step of one attempt, in the order in which they happen.
public enum RequestPhase: String, Sendable, Hashable, CaseIterable, Codable {
    /// Waiting for other requests, because as many as may are under way to the host, or in all.
    case queue
    /// Looking up the name of the host.
    case resolve
    /// Making the connection.
    case connect
    /// Agreeing on keys, and checking who the server is.
    case tls = "TLS"
    /// Sending the request.
    case send
    /// Waiting for the first byte of the response.
    case wait
    /// Receiving the response.
    case receive
}

/// How long each phase of one attempt took. A phase that did not happen (no TLS, a reused connection) is zero.
public struct Timings: Sendable, Equatable {
    /// Waiting for other requests.
    public var queue: Duration
    /// Looking up the name of the host.
    public var resolve: Duration
    /// Making the connection.
    public var connect: Duration
    /// Agreeing on keys.
    public var tls: Duration
    /// Sending the request.
    public var send: Duration
    /// From the request being sent to the first byte of the response.
    public var wait: Duration
    /// From the first byte of the response to the last one.
    public var receive: Duration

    /// Each zero unless it is given.
    public init(
        queue: Duration = .zero, resolve: Duration = .zero, connect: Duration = .zero, tls: Duration = .zero,
        send: Duration = .zero, wait: Duration = .zero, receive: Duration = .zero
    ) {
        self.queue = queue
        self.resolve = resolve
        self.connect = connect
        self.tls = tls
        self.send = send
        self.wait = wait
        self.receive = receive
    }

    /// All phases together: how long the attempt took.
    public var total: Duration { queue + resolve + connect + tls + send + wait + receive }

    /// The time of one phase.
    public subscript(phase: RequestPhase) -> Duration {
        get {
            switch phase {
            case .queue: queue
            case .resolve: resolve
            case .connect: connect
            case .tls: tls
            case .send: send
            case .wait: wait
            case .receive: receive
            }
        }
        set {
            switch phase {
            case .queue: queue = newValue
            case .resolve: resolve = newValue
            case .connect: connect = newValue
            case .tls: tls = newValue
            case .send: send = newValue
            case .wait: wait = newValue
            case .receive: receive = newValue
            }
        }
    }
}
