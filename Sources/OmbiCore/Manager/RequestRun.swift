/// One run of a request: builds it, attempts it, decodes and validates, waits and attempts again, keeps the SLA, and
/// falls back.
///
/// It has no thread of its own. Whoever brings news (the caller, the transport, a timer) changes the state under the
/// lock, and then does what follows from it outside: only there is code of others called, such as transports, clocks,
/// decoders, validators and handlers, and only there are their objects let go. So that code may come back to the run,
/// take its time, and lose against the SLA.
final class RequestRun: Sendable {
    /// The result of the last attempt, kept in case no further one follows.
    enum LastAttempt {
        case response(TransportResponse)
        case failure(RunFailure)
    }

    /// The last event of an attempt.
    enum Answer {
        case finished(TransportResponse, TransportMetrics)
        case failed(TransportError, TransportMetrics)
        /// By a middleware or an authenticator.
        case threw(any Error, TransportMetrics, after: TransportResponse?)
    }

    /// The result of all attempts.
    enum Settled {
        case known(RunResult)
        /// A response that is decoded and validated yet.
        case response(TransportResponse)
    }

    /// A wait under way.
    struct Wait {
        /// Of the attempt before it.
        let attempt: Int
        let startedAt: Duration
        /// Of the attempt after it.
        let next: AttemptReport.Reason
        /// The number of a hold of the breaker; nil for a wait that ends by itself.
        var hold: Int?
        var timer: (any RunTimer)?
    }

    struct State {
        /// nil once the run has ended.
        var work: (any RunWork)?
        /// When the state was last changed, since the start of the run.
        var now: Duration = .zero
        var request: TransportRequest?
        /// As it went out last, where middlewares or an authenticator may have changed it.
        var sentRequest: TransportRequest?
        /// nil where there are none.
        var surroundings: Surroundings?
        /// For the tasks of attempts and refreshes that other threads start; nil if there are none.
        var context: TaskContext?
        var scope: Scope?
        var attempts = AttemptHistory()
        var allowedAttempts: Int
        /// Attempts that no longer count, because a connection stood since.
        var forgivenAttempts = 0
        var attempt: RunningAttempt?
        var wait: Wait?
        /// nil before the first attempt, and for a policy without a breaker and a budget.
        var guarded: GuardedOrigin?
        var lastAttempt: LastAttempt?
        /// The last thing that the server sent, whole or not.
        var lastResponse: TransportResponse?
        var slaTimer: (any RunTimer)?
        var isGivenUp = false
        /// True from the head of an open-ended response on, where the SLA ends with it.
        var hasNoSLA = false
        var refreshes = RefreshAllowance()
        /// The number of attempts when the last response was last evaluated.
        var lastEvaluation: Int?
        var progress: ProgressDelivery?
        /// nil if nobody can request them.
        var events: EventLog?
        var leftovers = Leftovers()

        var hasEnded: Bool { work == nil }

        /// - Parameter event: Makes the event from the time since the start.
        mutating func record(_ event: (Duration) -> RequestEvent) {
            guard let dropped = events?.add(event(now)), !dropped.isEmpty else { return }
            leftovers.values.append(dropped)
        }
    }

    /// Values that a change has taken out of the state. They are released outside the lock, since they may run foreign code.
    struct Leftovers {
        var slaTimer: (any RunTimer)?
        var waitTimer: (any RunTimer)?
        var task: (any TransportTask)?
        var cancelsTask = false
        var scope: Scope?
        var values: [Any] = []

        func clearAway() {
            slaTimer?.cancel()
            waitTimer?.cancel()
            if cancelsTask { task?.cancel() }
            scope?.cancel()
        }
    }

    /// The work that a change of the state leaves for outside the lock. The rare cases are indirect, which keeps the type small.
    enum Step {
        case none
        indirect case scope(TransportRequest, Surroundings, any RunWork)
        case attempt(number: Int, TransportRequest, Surroundings?, any RunWork)
        case answer(attempt: Int, Answer, any RunWork)
        indirect case refresh(
            attempt: Int, any Authenticator, TransportRequest, TransportResponse, TransportMetrics, any RunWork)
        /// Decodes and validates a response, or retries its status.
        case decide(attempt: Int, TransportResponse, TransportMetrics, any RunWork)
        indirect case evaluateLast(TransportResponse, RequestMethod, any RunWork)
        indirect case resume(
            CheckedContinuation<Result<TransportResponse, any Error>, Never>, Settled, TransportResponse?,
            any RunWork)
        case wait(attempt: Int, Duration, WaitReason)
        case hold(Int, until: Duration)
        case end(Ending)
    }

    let policy: RetryPolicy
    /// The limit over all attempts and waits; nil is none.
    let sla: Duration?
    let clock: any RunClock
    let stream: EventStreamTransport?
    /// nil for a policy without a breaker and a budget.
    let origins: OriginRegistry?
    let state: Lock<State>
    /// On the clock.
    let startedAt: Duration
    /// The same moment as `origins` count time; zero without them.
    let originStart: Duration

    init(
        _ work: any RunWork, options: RunOptions, clock: any RunClock, recordsEvents: Bool,
        origins: OriginRegistry?
    ) {
        policy = options.policy
        self.origins = origins
        sla = options.sla.map { min($0, .longest) }
        self.clock = clock
        stream = options.stream
        startedAt = clock.now
        originStart = origins?.now(startedOn: clock) ?? .zero
        let retries = max(policy.retries, 0)
        state = Lock(
            State(
                work: work, attempts: AttemptHistory(keepsBodies: recordsEvents),
                allowedAttempts: retries == .max ? .max : retries + 1,
                events: recordsEvents ? EventLog() : nil))
    }

    /// Since the start of the run.
    var now: Duration { clock.now - startedAt }

    /// Builds the request on the thread of the caller, and starts the first attempt. Does nothing when the run was
    /// cancelled before, and returns false.
    func start() -> Bool {
        if let sla, sla <= .zero {
            change { end(&$0, .slaExceeded(SLAExceeded(sla: sla))) }
            return true
        }
        guard let work = keepSLA() else { return false }
        start(work)
        return true
    }

    private func start(_ work: any RunWork) {
        do {
            let (request, surroundings) = try work.build()
            // An attempt with surroundings logs what they make of it.
            if surroundings?.surroundsAttempts != true { work.log?.request(request) }
            let progress = work.progress()
            let context = surroundings.flatMap(makeContext)
            change { state in
                guard !state.hasEnded else { return .none }
                state.progress = progress
                state.surroundings = surroundings
                state.context = context
                if let surroundings, !surroundings.aroundRun.isEmpty {
                    state.scope = Scope(request: request)
                    return .scope(request, surroundings, work)
                }
                state.request = request
                return beginAttempt(&state, .first)
            }
        } catch {
            change { end(&$0, .malformed(error)) }
        }
    }

    /// Changes the state unless the attempt is over.
    func change(attempt number: Int, _ body: (inout State) -> Step) {
        change { $0.attempt?.number == number ? body(&$0) : .none }
    }

    /// nil when the run was cancelled meanwhile.
    private func keepSLA() -> (any RunWork)? {
        guard let sla else { return state.withLock { $0.work } }
        let timer = clock.schedule(after: sla) { self.abort(.slaExceeded) }
        let work = state.withLock { state in
            if !state.hasEnded { state.slaTimer = timer }
            return state.work
        }
        if work == nil { timer.cancel() }
        return work
    }

    /// Changes the state, and does what follows from it.
    func change(_ body: (inout State) -> Step) { perform(update(body)) }

    /// Changes the state, and lets go of what is no longer needed. The time is taken before: a clock may be code of
    /// others.
    func update(_ body: (inout State) -> Step) -> Step {
        let now = now
        let (step, leftovers, waiters) = state.withLock { state in
            state.now = max(state.now, now)
            let step = body(&state)
            let leftovers = exchange(&state.leftovers, with: Leftovers())
            return (step, leftovers, state.events?.waiters.takeAll() ?? [])
        }
        leftovers.clearAway()
        for waiter in waiters { waiter() }
        return step
    }

    /// Steps follow each other in a loop, however many a transport answers within `start`.
    private func perform(_ step: Step) {
        var step = step
        while true {
            switch step {
            case .none: return
            case .scope(let request, let surroundings, let work): step = startScope(request, surroundings, work)
            case .attempt(let number, let request, let surroundings, let work):
                step = start(number, request, surroundings, work)
            case .answer(let number, let answer, let work): step = answered(answer, attempt: number, work)
            case .refresh(let number, let authenticator, let request, let response, let metrics, let work):
                step = refresh(attempt: number, authenticator, request, response, metrics, work)
            case .decide(let number, let response, let metrics, let work):
                step = decide(response, metrics, attempt: number, work)
            case .evaluateLast(let response, let method, let work): step = evaluateLast(response, method, work)
            case .resume(let continuation, let settled, let response, let work):
                return resume(continuation, settled, response, work)
            case .wait(let number, let wait, let reason): step = beginWait(attempt: number, wait, reason)
            case .hold(let number, let until): step = beginHold(number, until: until)
            case .end(let ending): return finish(ending)
            }
        }
    }
}

// Stepping in, from any thread.
extension RequestRun {
    func cancel() { abort(.cancelled) }

    func giveUp() {
        change { state in
            state.isGivenUp = true
            if state.wait?.hold != nil, state.lastAttempt == nil { return end(&state, .cancelled) }
            return state.wait == nil ? .none : endWithLastAttempt(&state)
        }
    }

    func skipWait() {
        change { $0.wait?.hold == nil ? endWait(&$0) : probe(&$0) }
    }

    func retryNow() {
        change { state in
            guard !state.hasEnded, !state.isGivenUp, state.request != nil, state.scope?.settled == nil else {
                return .none
            }
            if state.wait?.hold != nil { return probe(&state) }
            if state.attempt != nil {
                finishAttempt(&state, outcome: .abandoned, willRetry: true)
                state.leftovers.cancelsTask = true
            }
            state.allowedAttempts = max(state.allowedAttempts, state.attempts.count + 1)
            return beginAttempt(&state, .manual)
        }
    }

    func addAttempts(_ count: Int) {
        change { state in
            guard !state.hasEnded, !state.isGivenUp, count > 0 else { return .none }
            let (sum, overflow) = state.allowedAttempts.addingReportingOverflow(count)
            state.allowedAttempts = overflow ? .max : sum
            let attempts = state.allowedAttempts
            state.record { .attemptsAdded(attempts: attempts, at: $0) }
            return .none
        }
    }

    enum Abortion {
        case cancelled
        case slaExceeded
    }

    /// Ends the attempt or the wait under way, and the run.
    func abort(_ reason: Abortion) {
        change { state in
            guard !state.hasEnded, reason != .slaExceeded || !state.hasNoSLA else { return .none }
            let (failure, outcome): (RunFailure, AttemptReport.Outcome) =
                switch reason {
                case .cancelled: (.cancelled, .cancelled)
                case .slaExceeded: (.slaExceeded(progress(of: state)), .slaExceeded)
                }
            if state.attempt != nil {
                finishAttempt(&state, outcome: outcome)
                state.leftovers.cancelsTask = true
            }
            return end(&state, failure)
        }
    }

    private func progress(of state: State) -> SLAExceeded {
        SLAExceeded(
            sla: sla ?? .zero, attempt: state.attempt?.number ?? state.attempts.count,
            phase: state.holder == nil ? state.attempt?.phases.phase : nil, holder: state.holder,
            server: state.request.map { $0.url.server },
            response: state.attempt?.partialResponse ?? state.lastResponse)
    }
}

extension RequestRun.State {
    /// The part of the program that the run waits for; nil in a phase of the network, and in a wait.
    fileprivate var holder: SLAExceeded.Holder? {
        guard let attempt else {
            return wait?.hold != nil ? .breaker : wait == nil && scope != nil ? .runMiddleware : nil
        }
        return attempt.holder ?? (attempt.phases.phase == nil ? .transport : nil)
    }
}
