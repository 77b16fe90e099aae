/// A step of one attempt, in the order in which they happen.
public enum RequestPhase: String, Sendable, Hashable, CaseIterable, Codable {
    case resolve
    case connect
    case tls = "TLS"
    case send
    case wait
    case receive
}

/// How long each phase of one attempt took. A phase that did not happen (no TLS, a reused connection) is zero.
public struct Timings: Sendable, Equatable {
    public var resolve: Duration
    public var connect: Duration
    public var tls: Duration
    public var send: Duration
    /// From the request being sent to the first byte of the response.
    public var wait: Duration
    public var receive: Duration

    public init(
        resolve: Duration = .zero, connect: Duration = .zero, tls: Duration = .zero, send: Duration = .zero,
        wait: Duration = .zero, receive: Duration = .zero
    ) {
        self.resolve = resolve
        self.connect = connect
        self.tls = tls
        self.send = send
        self.wait = wait
        self.receive = receive
    }

    public var total: Duration { resolve + connect + tls + send + wait + receive }

    public subscript(phase: RequestPhase) -> Duration {
        get {
            switch phase {
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
