/// The progress of a run when its SLA ended.
public struct SLAExceeded: Error, Sendable, Equatable {
    /// The limit over all attempts and waits.
    public var sla: Duration
    /// The current attempt, or the one before the current wait; 0 if none had started.
    public var attempt: Int
    /// The phase of the attempt; nil in a wait, and before the first attempt.
    public var phase: RequestPhase?
    /// The server, such as "127.0.0.1:8080"; nil if the request was not built yet.
    public var place: String?
    /// The last response received: complete, or the status, the headers and the bytes so far of one in progress; nil if
    /// nothing had arrived.
    public var response: TransportResponse?

    /// Creates the error, for tests and custom errors.
    public init(
        sla: Duration, attempt: Int = 0, phase: RequestPhase? = nil, place: String? = nil,
        response: TransportResponse? = nil
    ) {
        self.sla = sla
        self.attempt = attempt
        self.phase = phase
        self.place = place
        self.response = response
    }
}

extension SLAExceeded: CustomStringConvertible {
    /// A sentence in lower case without a full stop.
    public var description: String {
        guard attempt > 0 else { return "the SLA of \(sla.words) left no time for an attempt" }
        guard let phase else { return "the SLA of \(sla.words) ended in the wait after attempt \(attempt)" }
        let place = place ?? "the server"
        let activity =
            switch phase {
            case .queue: "waiting for a free connection to \(place)"
            case .resolve: "looking up \(place)"
            case .connect: "connecting to \(place)"
            case .tls: "negotiating TLS with \(place)"
            case .send: "sending the request to \(place)"
            case .wait: "waiting for a response from \(place)"
            case .receive: "receiving the response from \(place)"
            }
        return "the SLA of \(sla.words) ended in attempt \(attempt) while \(activity)"
    }
}
