// The attempt loop.
extension RequestRun {
    func beginAttempt(_ state: inout State) -> Step {
        guard !state.hasEnded, let request = state.request else { return .none }
        endWait(&state)
        let number = state.attempts.count + 1
        let start = now
        state.attempt = RunningAttempt(number: number, startedAt: start)
        emit(.attemptStarted(number: number, attempts: state.allowedAttempts, at: start))
        return .attempt(number: number, request)
    }

    func endWait(_ state: inout State) {
        guard let wait = state.wait else { return }
        wait.timer.cancel()
        state.wait = nil
        state.attempts[state.attempts.count - 1].wait = now - wait.startedAt
    }

    func start(_ number: Int, _ request: TransportRequest) {
        let task = plan.transport.start(request) { self.receive($0, attempt: number) }
        let isOver = state.withLock { state in
            guard state.attempt?.number == number else { return true }
            state.attempt?.task = task
            return false
        }
        if isOver { task.cancel() }
    }

    private func receive(_ event: TransportEvent, attempt number: Int) {
        if let log = plan.log, case .finished(let response, _) = event {
            log.response(response, to: state.withLock { $0.request })
        }
        change { state in
            guard state.attempt?.number == number else { return .none }
            switch event {
            case .finished(let response, let metrics): return received(&state, response, metrics)
            case .failed(let error, let metrics): return failed(&state, error, metrics)
            default:
                progressed(&state, event)
                return .none
            }
        }
        tellProgress(event)
    }

    private func tellProgress(_ event: TransportEvent) {
        switch event {
        case .sent(let bytes, let expected):
            work.uploadProgress?(TransferProgress(bytes: bytes, expected: expected))
        case .received(let bytes, let expected):
            work.downloadProgress?(TransferProgress(bytes: bytes, expected: expected))
        default: return
        }
    }

    private func progressed(_ state: inout State, _ event: TransportEvent) {
        guard let number = state.attempt?.number else { return }
        let at = now
        switch event {
        case .phase(let phase):
            guard state.attempt?.phases.enter(phase, at: at) == true else { return }
            emit(.phaseReached(attempt: number, phase: phase, at: at))
        case .sent(let bytes, let expected):
            state.attempt?.bytesSent = bytes
            emit(.bodySent(attempt: number, bytes: bytes, expected: expected, at: at))
        case .redirected(let redirect):
            emit(.redirected(attempt: number, redirect, at: at))
        case .head(let head):
            emit(.headReceived(attempt: number, head, at: at))
        case .body(let store):
            emit(.bodyStarted(attempt: number, store, at: at))
        case .received(let bytes, let expected):
            state.attempt?.bytesReceived = bytes
            emit(.bodyReceived(attempt: number, bytes: bytes, expected: expected, at: at))
        case .data, .finished, .failed: return
        }
    }

    private func received(
        _ state: inout State, _ response: TransportResponse, _ metrics: TransportMetrics
    ) -> Step {
        guard let attempt = state.attempt, let request = state.request else { return .none }
        guard let code = response.statusCode, plan.policy.failures.contains(.status),
            plan.policy.statusCodes.contains(code)
        else {
            state.attempt?.task = nil
            return .evaluate(attempt: attempt.number, request, response, metrics)
        }
        state.lastAttempt = .response(response)
        return conclude(
            &state, .failed(.status, StatusCode.words(code)), decision(state, .status, response: response), metrics,
            response)
    }

    private func failed(_ state: inout State, _ error: TransportError, _ metrics: TransportMetrics) -> Step {
        let failure: RetryPolicy.Failure = error.code == .timedOut ? .timeout : .connection
        switch error.code {
        case .timedOut: state.lastAttempt = .failure(.timedOut(error))
        case .cancelled: state.lastAttempt = .failure(.cancelled)
        default: state.lastAttempt = .failure(.connection(error))
        }
        let outcome: AttemptReport.Outcome =
            error.code == .cancelled ? .cancelled : .failed(failure, error.sentence)
        let decision = error.code.isTransient ? decision(state, failure, error: error) : .stop
        return conclude(&state, outcome, decision, metrics, nil)
    }

    /// Decodes and validates, outside the lock: the attempt may have been given up by the time that it is done.
    func evaluate(
        _ response: TransportResponse, of request: TransportRequest, _ metrics: TransportMetrics, attempt number: Int
    ) {
        let result = work.evaluate(response, to: request.method)
        change { state in
            guard let attempt = state.attempt, attempt.number == number else { return .none }
            guard case .failure(let failure) = result else {
                finishAttempt(&state, attempt, outcome: .succeeded, metrics: metrics, response: response)
                return end(&state, .known(result))
            }
            let kind = failure.kind
            state.lastAttempt = .failure(failure)
            return conclude(
                &state, .failed(kind, work.words(failure)), decision(state, kind), metrics, response)
        }
    }

    private func decision(
        _ state: State, _ failure: RetryPolicy.Failure, response: TransportResponse? = nil,
        error: TransportError? = nil
    ) -> RetryDecision {
        guard let attempt = state.attempt, let request = state.request, !state.isGivenUp else { return .stop }
        var retryAfter: Duration?
        if plan.policy.honorsRetryAfter, let text = response?[.retryAfter]?.text {
            retryAfter = RetryAfter.wait(text, now: plan.clock.secondsSince1970)
        }
        return RetryDecision.decide(
            plan.policy,
            RetryDecision.Situation(
                failure: failure, attempt: attempt.number, attempts: state.allowedAttempts,
                nothingSent: error.map(attempt.nothingSent) ?? false, request: request, retryAfter: retryAfter,
                slaLeft: plan.sla - now, random: plan.random()))
    }

    /// Reports the attempt and goes on as decided.
    private func conclude(
        _ state: inout State, _ outcome: AttemptReport.Outcome, _ decision: RetryDecision,
        _ metrics: TransportMetrics, _ response: TransportResponse?
    ) -> Step {
        guard let attempt = state.attempt else { return .none }
        guard case .retry(let wait, let reason) = decision else {
            finishAttempt(&state, attempt, outcome: outcome, metrics: metrics, response: response)
            return endWithLastAttempt(&state)
        }
        finishAttempt(
            &state, attempt, outcome: outcome, metrics: metrics, response: response, willRetry: true,
            wait: wait > .zero ? (wait, reason) : nil)
        return wait > .zero ? beginWait(&state, wait, reason) : beginAttempt(&state)
    }

    private func beginWait(_ state: inout State, _ wait: Duration, _ reason: WaitReason) -> Step {
        let number = state.attempts.count
        let start = now
        emit(.waiting(attempt: number + 1, until: start + wait, reason: reason, at: start))
        let timer = plan.clock.schedule(after: wait) { [self] in
            change { $0.wait?.attempt == number ? beginAttempt(&$0) : .none }
        }
        state.wait = Wait(attempt: number, startedAt: start, timer: timer)
        return .none
    }

    func finishAttempt(
        _ state: inout State, _ attempt: RunningAttempt, outcome: AttemptReport.Outcome, metrics: TransportMetrics,
        response: TransportResponse? = nil, willRetry: Bool = false, wait: (Duration, WaitReason)? = nil
    ) {
        state.attempt = nil
        let report = AttemptReport(
            number: attempt.number, startedAt: attempt.startedAt, duration: now - attempt.startedAt,
            metrics: metrics, outcome: outcome, response: response, willRetry: willRetry, wait: wait?.0,
            waitReason: wait?.1)
        state.attempts.append(report)
        emit(.attemptFinished(report))
    }
}

extension RunFailure {
    /// Of a response that came.
    fileprivate var kind: RetryPolicy.Failure {
        if case .rejected(_, .parsing) = self { .decoding } else { .validation }
    }
}
