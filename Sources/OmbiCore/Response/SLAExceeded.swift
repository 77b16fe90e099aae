/// The progress of a run when its SLA ended.
public struct SLAExceeded: Error, Sendable, Equatable {
    /// The limit over all attempts and waits.
    public var sla: Duration
    /// The current attempt, or the one before the current wait; 0 if none had started.
    public var attempt: Int
    /// The phase of the attempt; nil in a wait, before the first attempt, and where `holder` is not nil.
    public var phase: RequestPhase?
    /// The part of the program that had the request or its response; nil in a phase of the network, and in a wait.
    public var holder: Holder?
    /// The server, such as "127.0.0.1:8080"; nil if the request was not built yet.
    public var server: String?
    /// The last response received: complete, or the status, the headers and the bytes so far of one in progress; nil if
    /// nothing had arrived.
    public var response: TransportResponse?

    /// A part of the program that a request passes through.
    public enum Holder: Sendable, Hashable {
        /// A middleware around the attempt, which had not passed the request on.
        case middleware
        /// A middleware around the attempt, which had the response.
        case returningMiddleware
        /// A middleware around the run, before the first attempt or after the last one.
        case runMiddleware
        /// The authenticator, which was obtaining credentials.
        case authenticator
        /// The authenticator, which was obtaining new credentials after a 401.
        case refresh
        /// The transport, which had not reported a phase.
        case transport
        /// The circuit breaker of the origin, which held the next attempt.
        case breaker
    }

    /// Creates the error, for tests and custom errors.
    public init(
        sla: Duration, attempt: Int = 0, phase: RequestPhase? = nil, holder: Holder? = nil, server: String? = nil,
        response: TransportResponse? = nil
    ) {
        self.sla = sla
        self.attempt = attempt
        self.phase = phase
        self.holder = holder
        self.server = server
        self.response = response
    }
}

extension SLAExceeded: CustomStringConvertible {
    /// A sentence in lower case without a full stop.
    public var description: String {
        if holder == .breaker {
            return "the SLA of \(sla.text) ended while the breaker of \(server ?? "the server") held "
                + (attempt > 0 ? "the attempt after attempt \(attempt)" : "the first attempt")
        }
        guard attempt > 0 else {
            return holder == nil
                ? "the SLA of \(sla.text) left no time for an attempt"
                : "the SLA of \(sla.text) ended in a middleware around the run, before the first attempt"
        }
        let server = server ?? "the server"
        if holder == .runMiddleware {
            return "the SLA of \(sla.text) ended in a middleware around the run, after attempt \(attempt)"
        }
        if let holder { return "the SLA of \(sla.text) ended in attempt \(attempt) \(place(of: holder, server))" }
        guard let phase else { return "the SLA of \(sla.text) ended in the wait after attempt \(attempt)" }
        let activity =
            switch phase {
            case .queue: "waiting for a free connection to \(server)"
            case .resolve: "looking up \(server)"
            case .connect: "connecting to \(server)"
            case .tls: "negotiating TLS with \(server)"
            case .send: "sending the request to \(server)"
            case .wait: "waiting for a response from \(server)"
            case .receive: "receiving the response from \(server)"
            }
        return "the SLA of \(sla.text) ended in attempt \(attempt) while \(activity)"
    }

    private func place(of holder: Holder, _ server: String) -> String {
        switch holder {
        case .runMiddleware: "in a middleware around the run"
        case .middleware: "in a middleware, before anything was sent to \(server)"
        case .returningMiddleware: "in a middleware, after the response from \(server)"
        case .authenticator: "while credentials were being obtained, before anything was sent to \(server)"
        case .refresh: "while new credentials for \(server) were being obtained"
        case .transport: "while waiting for \(server)"
        case .breaker: "before the next one, which the breaker of \(server) held"
        }
    }
}
