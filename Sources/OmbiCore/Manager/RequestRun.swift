/// One run of a request: builds it, attempts it, decodes and validates, waits and attempts again, keeps the SLA, and
/// falls back.
///
/// It has no thread of its own. Whoever brings news (the caller, the transport, a timer) changes the state under the
/// lock, and then does what follows from it outside: only there is code of others called, such as transports, decoders,
/// validators and handlers. So that code may come back to the run, take its time, and lose against the SLA.
final class RequestRun: RunControl {
    /// What the last attempt gave, kept for the case that no further one follows.
    enum LastAttempt {
        case response(TransportResponse)
        case failure(RunFailure)
    }

    /// A wait under way.
    struct Wait {
        /// Of the attempt before it.
        let attempt: Int
        let startedAt: Duration
        let timer: any RunTimer
    }

    struct State {
        var request: TransportRequest?
        var attempts: [AttemptReport] = []
        var allowedAttempts: Int
        var attempt: RunningAttempt?
        var wait: Wait?
        var lastAttempt: LastAttempt?
        var slaTimer: (any RunTimer)?
        var isGivenUp = false
        var hasEnded = false
    }

    /// What a change of the state leaves to be done outside the lock.
    enum Step {
        case none
        case attempt(number: Int, TransportRequest)
        case evaluate(attempt: Int, TransportRequest, TransportResponse, TransportMetrics)
        case end(Ending)
    }

    let work: any RunWork
    let plan: RunPlan
    let state: Lock<State>
    private let listener: (@Sendable (RequestEvent) -> Void)?
    private let startedAt: Duration

    /// `listener` gets every event in order, from within the run: it must only pass them on.
    init(_ work: any RunWork, plan: RunPlan, listener: (@Sendable (RequestEvent) -> Void)?) {
        self.work = work
        self.plan = plan
        self.listener = listener
        startedAt = plan.clock.now
        let retries = max(plan.policy.retries, 0)
        state = Lock(State(allowedAttempts: retries == .max ? .max : retries + 1))
    }

    /// Since the start of the run.
    var now: Duration { plan.clock.now - startedAt }

    func emit(_ event: @autoclosure () -> RequestEvent) { listener?(event()) }

    /// Builds the request on the thread of the caller, and starts the first attempt.
    func start() {
        guard plan.sla > .zero else { return change { end(&$0, .slaExceeded(SLAExceeded(sla: plan.sla))) } }
        guard keepSLA() else { return }
        do {
            let request = try work.build()
            plan.log?.request(request)
            change { state in
                guard !state.hasEnded else { return .none }
                state.request = request
                return beginAttempt(&state)
            }
        } catch {
            change { end(&$0, .malformed(error)) }
        }
    }

    /// False when the run was cancelled meanwhile.
    private func keepSLA() -> Bool {
        let timer = plan.clock.schedule(after: plan.sla) { self.abort(.slaExceeded) }
        let hasEnded = state.withLock { state in
            if !state.hasEnded { state.slaTimer = timer }
            return state.hasEnded
        }
        if hasEnded { timer.cancel() }
        return !hasEnded
    }

    /// Changes the state, and does what follows from it.
    func change(_ body: (inout State) -> Step) {
        switch state.withLock(body) {
        case .none: return
        case .attempt(let number, let request): start(number, request)
        case .evaluate(let number, let request, let response, let metrics):
            evaluate(response, of: request, metrics, attempt: number)
        case .end(let ending): finish(ending)
        }
    }
}

extension RequestRun {
    func cancel() { abort(.cancelled) }

    func giveUp() {
        change { state in
            state.isGivenUp = true
            return state.wait == nil ? .none : endWithLastAttempt(&state)
        }
    }

    func skipWait() {
        change { $0.wait == nil ? .none : beginAttempt(&$0) }
    }

    func retryNow() {
        var abandoned: (any TransportTask)?
        change { state in
            guard !state.hasEnded, !state.isGivenUp, state.request != nil else { return .none }
            if let attempt = state.attempt {
                abandoned = attempt.task
                finishAttempt(&state, attempt, outcome: .abandoned, metrics: attempt.metrics(at: now), willRetry: true)
            }
            state.allowedAttempts = max(state.allowedAttempts, state.attempts.count + 1)
            return beginAttempt(&state)
        }
        abandoned?.cancel()
    }

    func addAttempts(_ count: Int) {
        change { state in
            guard !state.hasEnded, !state.isGivenUp, count > 0 else { return .none }
            let (sum, overflow) = state.allowedAttempts.addingReportingOverflow(count)
            state.allowedAttempts = overflow ? .max : sum
            emit(.attemptsAdded(attempts: state.allowedAttempts, at: now))
            return .none
        }
    }

    enum Abortion {
        case cancelled
        case slaExceeded
    }

    /// Ends the attempt or the wait under way, and the run.
    private func abort(_ reason: Abortion) {
        var task: (any TransportTask)?
        change { state in
            guard !state.hasEnded else { return .none }
            let failure: RunFailure = reason == .cancelled ? .cancelled : .slaExceeded(progress(of: state))
            if let attempt = state.attempt {
                task = attempt.task
                finishAttempt(
                    &state, attempt, outcome: reason == .cancelled ? .cancelled : .slaExceeded,
                    metrics: attempt.metrics(at: now))
            }
            return end(&state, failure)
        }
        task?.cancel()
    }

    private func progress(of state: State) -> SLAExceeded {
        SLAExceeded(
            sla: plan.sla, attempt: state.attempt?.number ?? state.attempts.count,
            phase: state.attempt.map { $0.phases.phase ?? .resolve }, place: state.request.map { $0.url.place },
            response: state.attempts.last?.response)
    }
}
