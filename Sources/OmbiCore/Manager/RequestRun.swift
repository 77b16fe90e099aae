/// One run of a request: builds it, attempts it, decodes and validates, waits and attempts again, keeps the SLA, and
/// falls back.
///
/// It has no thread of its own. Whoever brings news (the caller, the transport, a timer) changes the state under the
/// lock, and then does what follows from it outside: only there is code of others called, such as transports, clocks,
/// decoders, validators and handlers, and only there are their objects let go. So that code may come back to the run,
/// take its time, and lose against the SLA.
final class RequestRun: Sendable {
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
        var timer: (any RunTimer)?
    }

    struct State {
        /// nil once the run has ended.
        var work: (any RunWork)?
        /// When the state was last changed, since the start of the run.
        var now: Duration = .zero
        var request: TransportRequest?
        var attempts: [AttemptReport] = []
        var allowedAttempts: Int
        var attempt: RunningAttempt?
        var wait: Wait?
        var lastAttempt: LastAttempt?
        /// The last thing that the server sent, whole or not.
        var lastResponse: TransportResponse?
        var slaTimer: (any RunTimer)?
        var isGivenUp = false
        var progress: ProgressDelivery?
        /// nil where nobody can ask for them.
        var events: EventLog?
        var leftovers = Leftovers()

        var hasEnded: Bool { work == nil }

        mutating func record(_ event: @autoclosure () -> RequestEvent) { events?.add(event()) }
    }

    /// What a change of the state has taken out of it. It goes outside the lock, because it may be code of others.
    struct Leftovers {
        var slaTimer: (any RunTimer)?
        var waitTimer: (any RunTimer)?
        var task: (any TransportTask)?
        var cancelsTask = false
        var values: [Any] = []

        func clearAway() {
            slaTimer?.cancel()
            waitTimer?.cancel()
            if cancelsTask { task?.cancel() }
        }
    }

    /// What a change of the state leaves to be done outside the lock.
    enum Step {
        case none
        case attempt(number: Int, TransportRequest, any RunWork)
        /// The last event of an attempt.
        case answer(attempt: Int, TransportEvent, any RunWork)
        case wait(attempt: Int, Duration, WaitReason)
        case end(Ending)
    }

    let policy: RetryPolicy
    /// The limit over all attempts and waits; nil is none.
    let sla: Duration?
    let clock: any RunClock
    let state: Lock<State>
    private let startedAt: Duration

    init(_ work: any RunWork, options: RunOptions, clock: any RunClock, recordsEvents: Bool) {
        policy = options.policy
        sla = options.sla.map { min($0, .longest) }
        self.clock = clock
        startedAt = clock.now
        let retries = max(policy.retries, 0)
        state = Lock(
            State(
                work: work, allowedAttempts: retries == .max ? .max : retries + 1,
                events: recordsEvents ? EventLog() : nil))
    }

    /// Since the start of the run.
    var now: Duration { clock.now - startedAt }

    /// Builds the request on the thread of the caller, and starts the first attempt. Does nothing when the run was
    /// cancelled before.
    func start() {
        if let sla, sla <= .zero { return change { end(&$0, .slaExceeded(SLAExceeded(sla: sla))) } }
        guard let work = keepSLA() else { return }
        do {
            let request = try work.build()
            work.log?.request(request)
            let progress = work.progress()
            change { state in
                guard !state.hasEnded else { return .none }
                state.request = request
                state.progress = progress
                return beginAttempt(&state)
            }
        } catch {
            change { end(&$0, .malformed(error)) }
        }
    }

    /// nil when the run was cancelled meanwhile.
    private func keepSLA() -> (any RunWork)? {
        guard let sla else { return state.withLock { $0.work } }
        let timer = clock.schedule(after: sla) { self.abort(.slaExceeded(sla)) }
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
            defer { state.leftovers = Leftovers() }
            return (step, state.leftovers, state.events?.takeWaiters() ?? [])
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
            case .attempt(let number, let request, let work): step = start(number, request, work)
            case .answer(let number, let event, let work): step = answered(event, attempt: number, work)
            case .wait(let number, let wait, let reason): step = beginWait(attempt: number, wait, reason)
            case .end(let ending): return finish(ending)
            }
        }
    }
}
