/// One step of a run, told while it happens. Times are since the start of the run, on the monotonic clock.
public enum RequestEvent: Sendable, Equatable {
    /// Attempt `number` of at most `attempts` began. Numbers start at 1.
    case attemptStarted(number: Int, attempts: Int, at: Duration)
    /// An `Authenticator` adds credentials to the attempt's request.
    case authenticating(attempt: Int, at: Duration)
    /// The attempt came to this phase. After a redirect a phase may come again.
    case phaseReached(attempt: Int, phase: RequestPhase, at: Duration)
    /// A redirect that the attempt follows.
    case redirected(attempt: Int, RedirectReport, at: Duration)
    /// Bytes of the body that have gone out, and how many there are.
    case bodySent(attempt: Int, bytes: Int, expected: Int?, at: Duration)
    /// Status and headers of the last response of a chain of redirects.
    case headReceived(attempt: Int, ResponseHead, at: Duration)
    /// A large body begins to come in; what has come can be read from the store while the rest arrives. Of a small one it
    /// is told when the attempt fails: the store has the part that had come.
    case bodyStarted(attempt: Int, ResponseStore, at: Duration)
    /// Bytes of the body that have come in after content decoding; `expected` is nil when the number is not known.
    case bodyReceived(attempt: Int, bytes: Int, expected: Int?, at: Duration)
    /// An `Authenticator` obtains new credentials after a 401. If it succeeds, one attempt beyond those allowed follows.
    case refreshingCredentials(attempt: Int, at: Duration)
    /// An attempt ended, whatever came of it.
    case attemptFinished(AttemptReport)
    /// Attempt number `attempt` starts at `until`.
    case waiting(attempt: Int, until: Duration, reason: WaitReason, at: Duration)
    /// Someone added attempts to the run under way.
    case attemptsAdded(attempts: Int, at: Duration)
    /// Every attempt failed, and the fallback response is taken. It has not passed the validator yet.
    case fallbackUsed(at: Duration)
    /// The last event of a run.
    case finished(RequestReport)
}

/// Why time passes before the next attempt.
public enum WaitReason: Sendable, Equatable {
    /// As the `Backoff` of the policy says.
    case backoff
    /// As the `Retry-After` header of the response says.
    case retryAfter
    /// As the stream of events said with `retry:`, or 3 s: its connection ended or broke.
    case reconnection
    /// An `Authenticator` obtained new credentials after a 401. Not announced by `RequestEvent.waiting`: its length is not
    /// known in advance.
    case credentials
}

/// One attempt of a run: what it cost, what came of it, and why it was repeated.
public struct AttemptReport: Sendable, Equatable {
    /// What came of an attempt.
    public enum Outcome: Sendable, Equatable {
        /// A response that was decoded and that passed the validator; for a stream of events a connection that the server
        /// ended.
        case succeeded
        /// What failed, and a sentence for people.
        case failed(RetryPolicy.Failure, String)
        /// A middleware or the authenticator threw something that ends the run, as a sentence for people.
        case stopped(String)
        /// Somebody cancelled the run.
        case cancelled
        /// Somebody wanted the next attempt at once (`RequestHandle.retryNow()`).
        case abandoned
        /// The SLA of the run ended while the attempt was under way.
        case slaExceeded
    }

    /// The reason for an attempt.
    public enum Reason: String, Sendable, Hashable, CaseIterable, Codable {
        /// The first one.
        case first
        /// The one before had failed, and the policy allowed another.
        case retry
        /// The connection of a stream of events had ended, or had broken off; the outcome of the attempt before says
        /// which.
        case reconnect
        /// `RequestHandle.retryNow()` was called.
        case manual
        /// The one before got a 401, and the `Authenticator` obtained new credentials.
        case credentialsRefreshed
    }

    /// From 1.
    public var number: Int
    /// The reason why it was made.
    public var reason: Reason
    /// Since the start of the run.
    public var startedAt: Duration
    /// Without the wait that follows.
    public var duration: Duration
    /// What the transport measured; phases that it did not report are zero.
    public var metrics: TransportMetrics
    /// What came of it.
    public var outcome: Outcome
    /// What the server answered; nil when no complete response came.
    public var response: TransportResponse?
    /// Whether another attempt follows. A run that is cancelled in the wait has none in spite of it.
    public var willRetry: Bool
    /// The wait after this attempt, when there was one.
    public var wait: Duration?
    /// nil when there was no wait.
    public var waitReason: WaitReason?

    /// For tests, and for programs that keep reports.
    public init(
        number: Int, reason: Reason = .first, startedAt: Duration, duration: Duration,
        metrics: TransportMetrics = TransportMetrics(), outcome: Outcome, response: TransportResponse? = nil,
        willRetry: Bool = false, wait: Duration? = nil, waitReason: WaitReason? = nil
    ) {
        self.number = number
        self.reason = reason
        self.startedAt = startedAt
        self.duration = duration
        self.metrics = metrics
        self.outcome = outcome
        self.response = response
        self.willRetry = willRetry
        self.wait = wait
        self.waitReason = waitReason
    }

    /// Since the start of the run.
    public var endedAt: Duration { startedAt + duration }
}

/// A whole run: every attempt, and how it ended.
public struct RequestReport: Sendable, Equatable {
    /// How a run ended.
    public enum Outcome: Sendable, Equatable {
        /// With a response of the server.
        case succeeded
        /// With the fallback response.
        case fallback
        /// With an error, as a sentence for people.
        case failed(String)
        /// The SLA ended first.
        case slaExceeded
        /// Somebody cancelled it.
        case cancelled
    }

    /// In order; empty when nothing was sent. Of more than 100 the newest 100, and of those only the newest 10 with the
    /// bodies of their responses.
    public var attempts: [AttemptReport]
    /// The number of all attempts, those that are no longer in `attempts` included.
    public var attemptCount: Int
    /// From the start of the run to its end, waits included.
    public var duration: Duration
    /// The limit over all attempts and waits; nil is none.
    public var sla: Duration?
    /// How it ended.
    public var outcome: Outcome
    /// What went on the wire; nil when the request could not be built.
    public var request: TransportRequest?

    /// For tests, and for programs that keep reports.
    public init(
        attempts: [AttemptReport], attemptCount: Int? = nil, duration: Duration, sla: Duration?, outcome: Outcome,
        request: TransportRequest? = nil
    ) {
        self.attempts = attempts
        self.attemptCount = attemptCount ?? attempts.count
        self.duration = duration
        self.sla = sla
        self.outcome = outcome
        self.request = request
    }
}
