// The attempt loop.
extension RequestRun {
    /// - Parameter asProbe: true for an attempt that no breaker holds, as somebody wants it now.
    func beginAttempt(_ state: inout State, _ reason: AttemptReport.Reason, asProbe: Bool = false) -> Step {
        guard let work = state.work, var request = state.request else { return .none }
        if origins != nil, let step = hold(&state, request, reason, asProbe: asProbe || reason == .manual) {
            return step
        }
        dropWait(&state)
        let number = state.attempts.count + 1
        let trace = request.beginSpan(isFirst: number == 1)
        if trace != nil { state.request = request }
        let (attempts, at) = (state.allowedAttempts, state.now)
        let surroundings = state.surroundings?.surroundsAttempts == true ? state.surroundings : nil
        state.attempt = RunningAttempt(number: number, startedAt: at, reason: reason)
        state.attempt?.trace = trace
        if let since = state.guarded?.heldSince {
            state.attempt?.held = at - since
            state.guarded?.heldSince = nil
        }
        if let surroundings {
            state.attempt?.hasSent = false
            state.attempt?.holder = surroundings.aroundAttempt.isEmpty ? .authenticator : .middleware
        }
        state.record { .attemptStarted(number: number, attempts: attempts, at: $0) }
        return .attempt(number: number, request, surroundings, work)
    }

    /// Ends the wait under way with the next attempt.
    func endWait(_ state: inout State) -> Step { state.wait.map { beginAttempt(&state, $0.next) } ?? .none }

    func dropWait(_ state: inout State) {
        guard let wait = state.wait.take() else { return }
        state.leftovers.waitTimer = wait.timer
        if let hold = wait.hold, let origin = state.guarded?.origin { origins?.forget(hold, of: origin) }
        state.attempts.setLastWait(state.now - wait.startedAt, wait.hold == nil ? nil : .breaker)
    }

    /// On the thread that has begun the attempt.
    func start(
        _ number: Int, _ request: TransportRequest, _ surroundings: Surroundings?, _ work: any RunWork
    ) -> Step {
        let request = stream?.continued(request) ?? request
        if number > 1, stream != nil, surroundings == nil { work.log?.request(request) }
        let task = startTask(number, request, surroundings, work)
        return update { state in
            guard state.attempt?.number == number else {
                state.leftovers.task = task
                state.leftovers.cancelsTask = true
                return .none
            }
            state.attempt?.starter = nil
            // Of an attempt whose credentials are being refreshed already it is the refreshing that can be cancelled.
            if state.attempt?.task == nil { state.attempt?.task = task } else { state.leftovers.values.append(task) }
            return state.attempt?.earlyAnswer.map { .answer(attempt: number, $0, work) } ?? .none
        }
    }

    private func startTask(
        _ number: Int, _ request: TransportRequest, _ surroundings: Surroundings?, _ work: any RunWork
    ) -> any TransportTask {
        guard let surroundings else {
            return work.transport.startThroughGate(request) { self.receive($0, attempt: number) }
        }
        let attempt = SurroundedAttempt(self, number, surroundings, work)
        attempt.start(request, in: number == 1 ? nil : state.withLock { $0.context })
        return attempt
    }

    func receive(_ event: TransportEvent, attempt number: Int) {
        switch event {
        case .finished(let response, let metrics):
            ResponseTurn.perform { hear(.finished(response, metrics), attempt: number) }
        case .failed(let error, let metrics):
            ResponseTurn.perform { hear(.failed(error, metrics), attempt: number) }
        default: note(event, attempt: number)
        }
    }

    /// The frequent events before the end have no consequences.
    private func note(_ event: TransportEvent, attempt number: Int) {
        let now = now
        let waiters = state.withLock { state -> [WaitList.Waiter] in
            guard state.attempt?.number == number, state.attempt?.hasAnswered == false else { return [] }
            state.now = max(state.now, now)
            progressed(&state, event)
            state.progress?.add(event)
            return state.events?.waiters.takeAll() ?? []
        }
        for waiter in waiters { waiter() }
    }

    /// The end of an attempt: only the first one counts.
    func hear(_ answer: Answer, attempt number: Int) {
        change { state in
            guard let work = state.work, state.attempt?.number == number, state.attempt?.hasAnswered == false else {
                return .none
            }
            state.attempt?.hasAnswered = true
            if case .finished(let response, _) = answer { state.attempt?.response = response }
            guard state.attempt?.isStartedHere == false else {
                state.attempt?.earlyAnswer = answer
                return .none
            }
            return .answer(attempt: number, answer, work)
        }
    }

    private func progressed(_ state: inout State, _ event: TransportEvent) {
        guard let number = state.attempt?.number else { return }
        switch event {
        case .phase(let phase):
            guard state.attempt?.phases.enter(phase, at: state.now) == true else { return }
            state.record { .phaseReached(attempt: number, phase: phase, at: $0) }
        case .sent(let bytes, let expected):
            state.attempt?.bytesSent = bytes
            state.record { .bodySent(attempt: number, bytes: bytes, expected: expected, at: $0) }
        case .redirected(let redirect):
            state.record { .redirected(attempt: number, redirect, at: $0) }
        case .head(let head):
            state.attempt?.head = head
            if state.request?.liftedLimits.contains(.sla) == true, OpenEndedResponse.isAnnounced(by: head.headers) {
                state.hasNoSLA = true
            }
            reportHead(&state, head)
            state.record { .headReceived(attempt: number, head, at: $0) }
        case .body(let store):
            state.attempt?.store = store
            state.record { .bodyStarted(attempt: number, store, at: $0) }
        case .received(let bytes, let expected):
            state.attempt?.bytesReceived = bytes
            state.record { .bodyReceived(attempt: number, bytes: bytes, expected: expected, at: $0) }
        case .data, .finished, .failed: return
        }
    }

    /// Goes on after the end of an attempt.
    func answered(_ answer: Answer, attempt number: Int, _ work: any RunWork) -> Step {
        switch answer {
        case .finished(let response, let metrics):
            if let ended = stream?.endedConnection {
                return connectionEnded(ended, .finished(response, metrics), attempt: number, work)
            }
            if let log = work.log { log.response(response, to: state.withLock { $0.sentRequest ?? $0.request }) }
            return update(attempt: number) { state in
                refreshIfNeeded(&state, response, metrics, work)
                    ?? .decide(attempt: number, response, metrics, work)
            }
        case .failed(let error, let metrics): return failed(error, metrics, attempt: number, work)
        case .threw(let error, let metrics, let response):
            return threw(work.failure(error, after: response), metrics, response, attempt: number, work)
        }
    }

    /// Retries a response for its status, or else decodes and validates it.
    func decide(
        _ response: TransportResponse, _ metrics: TransportMetrics, attempt number: Int, _ work: any RunWork
    ) -> Step {
        guard let code = response.statusCode, policy.repeats(response) else {
            return evaluate(response, metrics, attempt: number, work)
        }
        return update(attempt: number) { state in
            state.keep(.response(response))
            return conclude(
                &state, .failed(.status, StatusCode.words(code)), decision(state, .status, response: response),
                metrics, response)
        }
    }

    /// A middleware or the authenticator threw.
    private func threw(
        _ failure: RunFailure, _ metrics: TransportMetrics, _ response: TransportResponse?, attempt number: Int,
        _ work: any RunWork
    ) -> Step {
        switch failure {
        case .connection(let error), .timedOut(let error):
            return failed(error, metrics, attempt: number, work)
        case .rejected: return reject(failure, response, metrics, attempt: number, work)
        default:
            let sentence = work.sentence(failure)
            return update(attempt: number) { state in
                state.keep(.failure(failure))
                return conclude(&state, .stopped(sentence), .stop, metrics, response)
            }
        }
    }

    /// Changes the state unless the attempt was given up meanwhile.
    private func update(attempt number: Int, _ body: (inout State) -> Step) -> Step {
        update { $0.attempt?.number == number ? body(&$0) : .none }
    }

    private func failed(
        _ error: TransportError, _ metrics: TransportMetrics, attempt number: Int, _ work: any RunWork
    ) -> Step {
        if let ended = stream?.endedConnection, ended.wait != nil, error.code.isTransient {
            return connectionEnded(ended, .failed(error, metrics), attempt: number, work)
        }
        return update(attempt: number) { failed(&$0, error, metrics) }
    }

    private func failed(
        _ state: inout State, _ error: TransportError, _ metrics: TransportMetrics, decision: RetryDecision? = nil
    ) -> Step {
        var error = error
        if error.response == nil { error.response = state.attempt?.partialResponse }
        if let response = error.response { state.keep(response) }
        state.attempt?.brokenOff = error.response
        let failure: RetryPolicy.Failure = error.code == .timedOut ? .timeout : .connection
        state.keep(.failure(RunFailure(error)))
        state.attempt?.errorCode = error.code == .cancelled ? nil : error.code
        let outcome: AttemptReport.Outcome =
            error.code == .cancelled ? .cancelled : .failed(failure, error.sentence)
        let decided = decision ?? (error.code.isTransient ? self.decision(state, failure, error: error) : .stop)
        return conclude(&state, outcome, decided, metrics, nil)
    }

    /// A connection that stood has ended. What failed before it no longer counts.
    private func connectionEnded(
        _ ended: EndedConnection, _ answer: Answer, attempt number: Int, _ work: any RunWork
    ) -> Step {
        if case .finished(let response, let metrics) = answer, ended.wait == nil {
            return evaluate(response, metrics, attempt: number, work)
        }
        return update(attempt: number) { state in
            if state.allowedAttempts < .max { state.allowedAttempts += number - state.forgivenAttempts }
            state.forgivenAttempts = number
            state.refreshes = RefreshAllowance()
            let decision =
                state.isGivenUp ? .stop : RetryDecision.retry(after: ended.wait ?? .zero, reason: .reconnection)
            switch answer {
            case .finished(let response, let metrics):
                state.keep(.response(response))
                return conclude(&state, .succeeded, decision, metrics, response)
            case .failed(let error, let metrics): return failed(&state, error, metrics, decision: decision)
            case .threw: return .none
            }
        }
    }

    /// Decodes and validates, outside the lock: the attempt may have been given up by the time that it is done.
    private func evaluate(
        _ response: TransportResponse, _ metrics: TransportMetrics, attempt number: Int, _ work: any RunWork
    ) -> Step {
        let result = work.evaluate(response, to: state.withLock { $0.request?.method } ?? .get)
        if case .failure(let failure) = result {
            return reject(failure, response, metrics, attempt: number, work)
        }
        return update(attempt: number) { state in
            finishAttempt(&state, outcome: .succeeded, metrics: metrics, response: response)
            return settle(&state, .known(result))
        }
    }

    private func reject(
        _ failure: RunFailure, _ response: TransportResponse?, _ metrics: TransportMetrics, attempt number: Int,
        _ work: any RunWork
    ) -> Step {
        let sentence = work.sentence(failure)
        return update(attempt: number) { state in
            state.keep(.failure(failure))
            return conclude(
                &state, .failed(failure.kind, sentence), decision(state, failure.kind), metrics, response)
        }
    }

    private func decision(
        _ state: State, _ failure: RetryPolicy.Failure, response: TransportResponse? = nil,
        error: TransportError? = nil
    ) -> RetryDecision {
        guard let attempt = state.attempt, let request = state.sentRequest ?? state.request, !state.isGivenUp else {
            return .stop
        }
        var retryAfter: Duration?
        if policy.honorsRetryAfter, let text = response?[.retryAfter]?.text {
            retryAfter = RetryAfter.wait(text, now: clock.secondsSince1970)
        }
        let slaLeft = (sla ?? .longest * 2) - state.now
        let decision = RetryDecision.decide(
            policy,
            RetryDecision.Situation(
                failure: failure, attempt: attempt.number - state.forgivenAttempts,
                attempts: state.allowedAttempts == .max ? .max : state.allowedAttempts - state.forgivenAttempts,
                nothingSent: error.map(attempt.nothingSent) ?? false, request: request, retryAfter: retryAfter,
                slaLeft: slaLeft, random: .random(in: -1...1)))
        return budgeted(decision, state, slaLeft: slaLeft)
    }

    /// Reports the attempt and goes on as decided.
    private func conclude(
        _ state: inout State, _ outcome: AttemptReport.Outcome, _ decision: RetryDecision,
        _ metrics: TransportMetrics, _ response: TransportResponse?
    ) -> Step {
        guard case .retry(let wait, let reason) = decision else {
            if case .miss(let missed) = decision { state.attempt?.missedRetry = missed }
            finishAttempt(&state, outcome: outcome, metrics: metrics, response: response)
            return endWithLastAttempt(&state)
        }
        finishAttempt(
            &state, outcome: outcome, metrics: metrics, response: response, willRetry: true,
            wait: wait > .zero ? (wait, reason) : nil)
        let next: AttemptReport.Reason = reason == .reconnection ? .reconnect : .retry
        guard wait > .zero else { return beginAttempt(&state, next) }
        let number = state.attempts.count
        state.wait = Wait(attempt: number, startedAt: state.now, next: next)
        return .wait(attempt: number, wait, reason)
    }

    /// Sets the timer before the wait is reported: a test may move its clock at once.
    func beginWait(attempt number: Int, _ wait: Duration, _ reason: WaitReason) -> Step {
        let timer = clock.schedule(after: wait) { [self] in
            change { $0.wait?.attempt == number && $0.wait?.hold == nil ? endWait(&$0) : .none }
        }
        return update { state in
            guard let start = state.wait?.startedAt, state.wait?.attempt == number, state.wait?.hold == nil else {
                state.leftovers.waitTimer = timer
                return .none
            }
            state.wait?.timer = timer
            state.record { .waiting(attempt: number + 1, until: start + wait, reason: reason, at: $0) }
            return .none
        }
    }

    func finishAttempt(
        _ state: inout State, outcome: AttemptReport.Outcome, metrics: TransportMetrics? = nil,
        response: TransportResponse? = nil, willRetry: Bool = false, wait: (Duration, WaitReason)? = nil
    ) {
        guard let attempt = state.attempt else { return }
        if origins != nil {
            reportOutcome(&state, attempt, outcome, statusCode: (response ?? attempt.response)?.statusCode)
        }
        state.leftovers.task = attempt.task
        let part = response ?? attempt.brokenOff ?? attempt.partialResponse
        if let part { state.keep(part) }
        state.attempt = nil
        var report = AttemptReport(
            number: attempt.number, reason: attempt.reason, startedAt: attempt.startedAt,
            duration: (attempt.answeredAt ?? state.now) - attempt.startedAt,
            metrics: metrics ?? attempt.metrics(at: state.now), outcome: outcome,
            response: response ?? attempt.response, willRetry: willRetry, wait: wait?.0, waitReason: wait?.1)
        (report.errorCode, report.missedRetry) = (attempt.errorCode, attempt.missedRetry)
        (report.trace, report.held, report.sent) = (attempt.trace, attempt.held, attempt.sent)
        if report.received == nil, let part { (report.received, report.isPartial) = (part, true) }
        let changes = state.attempts.add(report)
        if !changes.values.isEmpty { state.leftovers.values.append(changes.values) }
        state.record { _ in .attemptFinished(report) }
        state.followBodies(of: changes.numbers)
    }
}

extension RequestRun.State {
    /// Keeps the result of an attempt, and drops the previous one.
    mutating func keep(_ last: RequestRun.LastAttempt) {
        if let before = lastAttempt { leftovers.values.append(before) }
        lastAttempt = last
    }

    /// Keeps in the events what the history of attempts keeps of bodies.
    fileprivate mutating func followBodies(of numbers: [Int]) {
        guard !numbers.isEmpty, let before = events?.followBodies(of: numbers, in: attempts.reports) else { return }
        leftovers.values.append(before)
    }

    /// Keeps the last thing that the server sent.
    mutating func keep(_ response: TransportResponse) {
        if let before = lastResponse { leftovers.values.append(before) }
        lastResponse = response
    }
}

extension RunFailure {
    /// The kind of a failure that came with a response.
    fileprivate var kind: RetryPolicy.Failure {
        if case .rejected(_, .parsing) = self { .decoding } else { .validation }
    }
}
