/// One step of a run, told while it happens. Times are since the start of the run, on the monotonic clock.
public enum RequestEvent: Sendable, Equatable {
    /// Attempt `number` of at most `attempts` began. Numbers start at 1.
    case attemptStarted(number: Int, attempts: Int, at: Duration)
    case phaseReached(attempt: Int, phase: RequestPhase, at: Duration)
    case bodySent(attempt: Int, bytes: Int, expected: Int?, at: Duration)
    case headReceived(attempt: Int, ResponseHead, at: Duration)
    /// A large body begins to come in; what has come can be read from the store while the rest arrives.
    case bodyStarted(attempt: Int, ResponseStore, at: Duration)
    case bodyReceived(attempt: Int, bytes: Int, expected: Int?, at: Duration)
    case attemptFinished(AttemptReport)
    /// Attempt number `attempt` starts at `until`.
    case waiting(attempt: Int, until: Duration, reason: WaitReason, at: Duration)
    /// Someone added attempts to the run under way.
    case attemptsAdded(attempts: Int, at: Duration)
    case fallbackUsed(at: Duration)
    /// The last event of a run.
    case finished(RequestReport)
}

/// Why the engine waits before the next attempt.
public enum WaitReason: Sendable, Equatable {
    case backoff
    case retryAfter
}

/// One attempt of a run: what it cost, what came of it, and why it was repeated.
public struct AttemptReport: Sendable, Equatable {
    public enum Outcome: Sendable, Equatable {
        case succeeded
        /// What failed, and a sentence for people.
        case failed(RetryPolicy.Failure, String)
        case cancelled
        /// Somebody wanted the next attempt at once (`RequestTask.retryNow`).
        case abandoned
        /// The SLA of the run ended while the attempt was under way.
        case slaExceeded
    }

    public var number: Int
    /// Since the start of the run.
    public var startedAt: Duration
    public var duration: Duration
    public var metrics: TransportMetrics
    public var outcome: Outcome
    /// What the server answered; nil when no complete response came.
    public var response: TransportResponse?
    public var willRetry: Bool
    /// The wait after this attempt, when there was one.
    public var wait: Duration?
    public var waitReason: WaitReason?

    public init(
        number: Int, startedAt: Duration, duration: Duration, metrics: TransportMetrics = TransportMetrics(),
        outcome: Outcome, response: TransportResponse? = nil, willRetry: Bool = false, wait: Duration? = nil,
        waitReason: WaitReason? = nil
    ) {
        self.number = number
        self.startedAt = startedAt
        self.duration = duration
        self.metrics = metrics
        self.outcome = outcome
        self.response = response
        self.willRetry = willRetry
        self.wait = wait
        self.waitReason = waitReason
    }

    public var endedAt: Duration { startedAt + duration }
}

/// A whole run: every attempt, and how it ended.
public struct RequestReport: Sendable, Equatable {
    public enum Outcome: Sendable, Equatable {
        case succeeded
        case fallback
        case failed(String)
        case slaExceeded
        case cancelled
    }

    public var attempts: [AttemptReport]
    /// From the start of the run to its end, waits included.
    public var duration: Duration
    /// The limit over all attempts and waits.
    public var sla: Duration
    public var outcome: Outcome
    /// What went on the wire; nil when the request could not be built.
    public var request: TransportRequest?

    public init(
        attempts: [AttemptReport], duration: Duration, sla: Duration, outcome: Outcome,
        request: TransportRequest? = nil
    ) {
        self.attempts = attempts
        self.duration = duration
        self.sla = sla
        self.outcome = outcome
        self.request = request
    }
}
