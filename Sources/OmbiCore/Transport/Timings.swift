/// A step of one attempt, in order of occurrence.
public enum RequestPhase: String, Sendable, Hashable, CaseIterable, Codable {
    /// Waiting for other requests, because the limit for the host or in total is reached.
    case queue
    /// Looking up the host name.
    case resolve
    /// Making the connection.
    case connect
    /// Exchanging keys, and verifying the server.
    case tls = "TLS"
    /// Sending the request.
    case send
    /// Waiting for the first byte of the response.
    case wait
    /// Receiving the response.
    case receive
}

/// The duration of each phase of one attempt. A skipped phase (no TLS, a reused connection) is zero.
public struct Timings: Sendable, Equatable {
    /// Waiting for other requests.
    public var queue: Duration
    /// Looking up the host name.
    public var resolve: Duration
    /// Making the connection.
    public var connect: Duration
    /// Exchanging keys, and verifying the server.
    public var tls: Duration
    /// Sending the request.
    public var send: Duration
    /// From the sent request to the first byte of the response.
    public var wait: Duration
    /// From the first byte of the response to the last one.
    public var receive: Duration

    /// Creates timings; omitted phases are zero.
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

    /// The sum of all phases: the duration of the attempt.
    public var total: Duration { queue + resolve + connect + tls + send + wait + receive }

    /// The duration of one phase.
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
