/// A step of a run, reported as it happens. Times are measured from the start of the run, on the monotonic clock.
public enum RequestEvent: Sendable, Equatable {
    /// Attempt `number` of at most `attempts` started. Numbers start at 1.
    case attemptStarted(number: Int, attempts: Int, at: Duration)
    /// An `Authenticator` adds credentials to the attempt's request.
    case authenticating(attempt: Int, at: Duration)
    /// The attempt reached a phase. A redirect may repeat phases.
    case phaseReached(attempt: Int, phase: RequestPhase, at: Duration)
    /// A redirect that the attempt follows.
    case redirected(attempt: Int, RedirectReport, at: Duration)
    /// The number of bytes of the body sent so far; `expected` is the total, nil if unknown.
    case bodySent(attempt: Int, bytes: Int, expected: Int?, at: Duration)
    /// Status and headers of the last response of a chain of redirects.
    case headReceived(attempt: Int, ResponseHead, at: Duration)
    /// A large body starts to arrive; its first part can be read from the store while the rest arrives. For a small one
    /// the event comes when its rest is late, or when the attempt fails: the store has the part received until then.
    case bodyStarted(attempt: Int, ResponseStore, at: Duration)
    /// The number of bytes of the body received so far, after content decoding; `expected` is nil if the total is
    /// unknown.
    case bodyReceived(attempt: Int, bytes: Int, expected: Int?, at: Duration)
    /// An `Authenticator` obtains new credentials after a 401. If it succeeds, one attempt beyond those allowed follows.
    case refreshingCredentials(attempt: Int, at: Duration)
    /// An attempt ended, with any outcome.
    case attemptFinished(AttemptReport)
    /// Attempt number `attempt` starts at `until`. With `WaitReason.breaker` the run asks again at that time, and
    /// repeats this event if the attempt is still held; `until` equals `at` while the breaker waits for the probe of
    /// another run.
    case waiting(attempt: Int, until: Duration, reason: WaitReason, at: Duration)
    /// Attempts were added to the run (`RequestHandle.addAttempts(_:)`).
    case attemptsAdded(attempts: Int, at: Duration)
    /// Every attempt failed, and the fallback response is used. The validator has not checked it yet.
    case fallbackUsed(at: Duration)
    /// The last event of a run.
    case finished(RequestReport)
}

/// The reason for a wait before the next attempt.
public enum WaitReason: Sendable, Equatable {
    /// The `Backoff` of the policy.
    case backoff
    /// The `Retry-After` header of the response.
    case retryAfter
    /// The `retry:` field of a stream of events, 3 s by default, after its connection ended or broke.
    case reconnection
    /// An `Authenticator` obtained new credentials after a 401. Not announced by `RequestEvent.waiting`: its length is not
    /// known in advance.
    case credentials
    /// The `CircuitBreaker` of the origin holds the attempt.
    case breaker
}

/// A retry that was not made, because its wait would have exceeded the SLA or the policy's limit, or because the retry
/// budget of its origin is exhausted.
public struct MissedRetry: Sendable, Equatable {
    /// The wait that the retry needed.
    public var wait: Duration
    /// The reason for the wait.
    public var reason: WaitReason
    /// The time that was left of the SLA; without an SLA more than any wait.
    public var slaLeft: Duration
    /// `RetryPolicy.maximumRetryAfter`, if the wait was longer; nil if the SLA was the reason.
    public var maximum: Duration?
    /// The budget that had no retry left; nil if time was the reason.
    public var budget: SpentRetryBudget?

    /// Creates a missed retry, for tests and for programs that store reports.
    public init(wait: Duration, reason: WaitReason, slaLeft: Duration, maximum: Duration? = nil) {
        self.wait = wait
        self.reason = reason
        self.slaLeft = slaLeft
        self.maximum = maximum
    }
}

/// One attempt of a run: its cost, its outcome, and the reason for it.
public struct AttemptReport: Sendable, Equatable {
    /// The outcome of an attempt.
    public enum Outcome: Sendable, Equatable {
        /// A response that was decoded and passed the validator; for a stream of events, a connection that the server
        /// ended.
        case succeeded
        /// A failure, with a description for people.
        case failed(RetryPolicy.Failure, String)
        /// A middleware or the authenticator threw an error that ends the run; the value describes it.
        case stopped(String)
        /// The run was cancelled.
        case cancelled
        /// The next attempt was started at once (`RequestHandle.retryNow()`).
        case abandoned
        /// The SLA of the run ended during the attempt.
        case slaExceeded
    }

    /// The reason for an attempt.
    public enum Reason: String, Sendable, Hashable, CaseIterable, Codable {
        /// The first attempt.
        case first
        /// The previous attempt failed, and the policy allowed another.
        case retry
        /// The connection of a stream of events ended or broke; the outcome of the previous attempt distinguishes the
        /// two.
        case reconnect
        /// `RequestHandle.retryNow()` was called.
        case manual
        /// The previous attempt got a 401, and the `Authenticator` obtained new credentials.
        case credentialsRefreshed
    }

    /// The number of the attempt, from 1.
    public var number: Int
    /// The reason for the attempt.
    public var reason: Reason
    /// The time since the start of the run.
    public var startedAt: Duration
    /// The time from start to end, without the wait that follows.
    public var duration: Duration
    /// The transport's measurements; phases it did not report are zero.
    public var metrics: TransportMetrics
    /// The outcome of the attempt.
    public var outcome: Outcome
    /// The response of the server; nil if none arrived completely.
    public var response: TransportResponse? {
        get { isPartial ? nil : received }
        set { (received, isPartial) = (newValue, false) }
    }
    /// The response, or the part of it that arrived; nil if nothing did.
    public var received: TransportResponse?
    /// True if `received` is the part that arrived of a response that broke off.
    public var isPartial = false
    /// The length in bytes of a body that exceeded the limit for the bodies of earlier attempts; nil if the body was
    /// kept.
    public var omittedBody: Int?
    /// True if another attempt was due to follow; a run that is cancelled during the wait makes none.
    public var willRetry: Bool
    /// The wait after this attempt; nil for none.
    public var wait: Duration?
    /// The reason for the wait; nil without a wait.
    public var waitReason: WaitReason?
    /// The kind of failure of the transport; nil for any other outcome.
    public var errorCode: TransportError.Code?
    /// The retry that the policy would have made if its wait had been shorter, or the budget larger; nil for any other
    /// end.
    public var missedRetry: MissedRetry?
    /// The trace that the request named; nil for one that was not traced.
    package var trace: TraceContext?
    /// The headers that the request had in this attempt, where middlewares or an authenticator may change them; nil for
    /// any other.
    package var sent: RequestHeaders?
    /// The time for which the breaker held the attempt before it started; nil if it did not.
    public var held: Duration?

    /// Creates a report, for tests and for programs that store reports.
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
        received = response
        self.willRetry = willRetry
        self.wait = wait
        self.waitReason = waitReason
    }

    /// The time since the start of the run.
    public var endedAt: Duration { startedAt + duration }
    package var serverTiming: [ServerTiming] { received?.headers.map(ServerTiming.metrics) ?? [] }
}

/// A whole run: every attempt, and the outcome.
public struct RequestReport: Sendable, Equatable {
    /// The outcome of a run.
    public enum Outcome: Sendable, Equatable {
        /// A response of the server.
        case succeeded
        /// The fallback response.
        case fallback
        /// An error, described for people.
        case failed(String)
        /// The SLA ended first.
        case slaExceeded
        /// The run was cancelled.
        case cancelled
    }

    /// The attempts in order, limited to the newest 100; empty if nothing was sent. Of the attempts before the last
    /// one, bodies up to 2 MiB are kept, with a total of 32 MiB; the oldest are dropped first, except the body of the
    /// first attempt.
    public var attempts: [AttemptReport]
    /// The number of all attempts, including those no longer in `attempts`.
    public var attemptCount: Int
    /// The time from the start of the run to its end, waits included.
    public var duration: Duration
    /// The limit over all attempts and waits; nil for none.
    public var sla: Duration?
    /// The outcome of the run.
    public var outcome: Outcome
    /// The request as sent; nil if it could not be built.
    public var request: TransportRequest?

    /// Creates a report, for tests and for programs that store reports.
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

/// The events of one run as an async sequence: always from the start of the run to `RequestEvent.finished`. Ends early
/// when the iterating task is cancelled.
public struct RequestEvents: AsyncSequence, Sendable {
    public typealias Element = RequestEvent
    public typealias Failure = Never

    let run: RequestRun

    public func makeAsyncIterator() -> Iterator { Iterator(run: run) }

    /// An iterator over the events from the first one, which waits for further ones.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let run: RequestRun
        private var index = 0

        init(run: RequestRun) { self.run = run }

        public mutating func next() async -> RequestEvent? {
            while !Task.isCancelled {
                switch run.read(index) {
                case .event(let event, let next):
                    index = next
                    return event
                case .end: return nil
                case .nothingYet: await waitForNext()
                }
            }
            return nil
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> RequestEvent? { await next() }

        private func waitForNext() async {
            await WaitList.suspend(wait: { run.wait(for: index, $0) }, wake: { [run] in run.wake($0) })
        }
    }
}
