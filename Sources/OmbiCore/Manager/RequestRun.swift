import Dispatch

/// One run of a request: builds it, attempts it, decodes and validates, waits and attempts again, keeps the SLA, and
/// falls back.
///
/// Unchecked because its state is touched on `queue` only: the methods of `RunControl`, the events of the transport and
/// the timers all come in through that queue. What leaves it is handed over once (`Handover`).
final class RequestRun<T: Requestable>: RunControl, @unchecked Sendable {
    typealias Outcome = Result<T.Response, T.Failure>

    /// What the last attempt gave, kept for the case that no further one follows.
    enum LastAttempt {
        case response(TransportResponse)
        case failure(T.Failure)
    }

    /// A wait under way.
    struct Wait {
        let startedAt: Duration
        let timer: any RunTimer
    }

    let requestable: T
    let plan: RunPlan
    /// On the shared threads of the system: a thread of its own for each run would cost most of the time in switching.
    let queue = DispatchQueue(label: "ombi.run", target: .global(qos: .userInitiated))
    private let callFallback: T.Response?
    private let build: @Sendable () throws -> TransportRequest
    private let onEvent: @Sendable (RequestEvent) -> Void
    private var handler: (@Sendable (Outcome) -> Void)?
    private let startedAt: Duration
    private var slaTimer: (any RunTimer)?
    private var hasBegun = false
    private var hasEnded = false

    var request: TransportRequest?
    var attempts: [AttemptReport] = []
    var allowedAttempts: Int
    var givenUp = false
    var attempt: RunningAttempt?
    var wait: Wait?
    var lastAttempt: LastAttempt?

    /// `onEvent` and `handler` are called on the queue of the run, in order; `handler` once and last.
    init(
        _ requestable: T, plan: RunPlan, fallback: T.Response?,
        build: @escaping @Sendable () throws -> TransportRequest,
        onEvent: @escaping @Sendable (RequestEvent) -> Void, handler: @escaping @Sendable (Outcome) -> Void
    ) {
        self.requestable = requestable
        self.plan = plan
        callFallback = fallback
        self.build = build
        self.onEvent = onEvent
        self.handler = handler
        startedAt = plan.clock.now
        let retries = max(plan.policy.retries, 0)
        allowedAttempts = retries == .max ? .max : retries + 1
    }

    func start() { queue.async { self.begin() } }

    func cancel() { queue.async { self.abort(.cancelled) } }

    func giveUp() {
        queue.async {
            self.givenUp = true
            if self.wait != nil { self.endWithLastAttempt() }
        }
    }

    func retryNow() {
        queue.async { if self.wait != nil { self.startAttempt() } }
    }

    func addAttempts(_ count: Int) {
        queue.async {
            guard !self.hasEnded, !self.givenUp, count > 0 else { return }
            let (sum, overflow) = self.allowedAttempts.addingReportingOverflow(count)
            self.allowedAttempts = overflow ? .max : sum
            self.emit(.attemptsAdded(attempts: self.allowedAttempts, at: self.now))
        }
    }

    /// Since the start of the run.
    var now: Duration { plan.clock.now - startedAt }

    func emit(_ event: RequestEvent) { onEvent(event) }

    private func begin() {
        guard !hasEnded else { return }
        guard plan.sla > .zero else { return end(.failure(.slaExceeded)) }
        slaTimer = plan.clock.schedule(after: plan.sla - now, on: queue) { self.abort(.slaExceeded) }
        do {
            let request = try build()
            self.request = request
            plan.log?.request(request)
            startAttempt()
        } catch {
            end(.failure(error as? T.Failure ?? .malformedRequest(error)))
        }
    }

    private enum Abortion {
        case cancelled
        case slaExceeded
    }

    /// Ends the attempt or the wait under way, and the run.
    private func abort(_ reason: Abortion) {
        guard !hasEnded else { return }
        if let attempt {
            attempt.task?.cancel()
            finishAttempt(
                attempt, outcome: reason == .cancelled ? .cancelled : .slaExceeded,
                metrics: attempt.metrics(at: now))
        }
        end(.failure(reason == .cancelled ? .cancelled : .slaExceeded))
    }

    func endWithLastAttempt() {
        switch lastAttempt {
        case .response(let response): end(evaluate(response))
        case .failure(let error): end(.failure(error))
        case nil: end(.failure(.unknownError))
        }
    }

    func end(_ result: Outcome) {
        guard !hasEnded else { return }
        hasEnded = true
        endWait()
        slaTimer?.cancel()
        slaTimer = nil
        let (outcome, result) = fallBack(result)
        emit(
            .finished(
                RequestReport(
                    attempts: attempts, duration: now, sla: plan.sla, outcome: outcome, request: request)))
        let handler = handler
        self.handler = nil
        // Whoever still holds the handle of the run must not hold the bodies with it.
        attempts = []
        request = nil
        lastAttempt = nil
        handler?(result)
    }

    /// A failure gives way to the fallback response, if there is one that passes the validator.
    private func fallBack(_ result: Outcome) -> (RequestReport.Outcome, Outcome) {
        guard case .failure(let error) = result else { return (.succeeded, result) }
        plan.log?.failure(error.description)
        if case .cancelled = error { return (.cancelled, result) }
        guard let fallback = requestable.fallbackResponse ?? callFallback else {
            return (reportOutcome(error), result)
        }
        emit(.fallbackUsed(at: now))
        plan.log?.failure("using the fallback response")
        let validated = validate(fallback)
        guard case .failure(let error) = validated else { return (.fallback, validated) }
        return (.failed(error.description), validated)
    }

    private func reportOutcome(_ error: T.Failure) -> RequestReport.Outcome {
        switch error {
        case .slaExceeded: return .slaExceeded
        case .timedOut:
            guard case .failed(_, let sentence) = attempts.last?.outcome else { return .failed(error.description) }
            return .failed(sentence)
        default: return .failed(error.description)
        }
    }
}
