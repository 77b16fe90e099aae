/// The progress of a run when its SLA ended.
public struct SLAExceeded: Error, Sendable, Equatable {
    /// The limit over all attempts and waits.
    public var sla: Duration
    /// The current attempt, or the one before the current wait; 0 if none had started.
    public var attempt: Int
    /// The phase of the attempt; nil in a wait, and before the first attempt.
    public var phase: RequestPhase?
    /// The server, such as "127.0.0.1:8080"; nil if the request was not built yet.
    public var server: String?
    /// The last response received: complete, or the status, the headers and the bytes so far of one in progress; nil if
    /// nothing had arrived.
    public var response: TransportResponse?

    /// Creates the error, for tests and custom errors.
    public init(
        sla: Duration, attempt: Int = 0, phase: RequestPhase? = nil, server: String? = nil,
        response: TransportResponse? = nil
    ) {
        self.sla = sla
        self.attempt = attempt
        self.phase = phase
        self.server = server
        self.response = response
    }
}

extension SLAExceeded: CustomStringConvertible {
    /// A sentence in lower case without a full stop.
    public var description: String {
        guard attempt > 0 else { return "the SLA of \(sla.text) left no time for an attempt" }
        guard let phase else { return "the SLA of \(sla.text) ended in the wait after attempt \(attempt)" }
        let server = server ?? "the server"
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
}
