#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// The attempt loop: everything here runs on the queue of the run.
extension RequestRun {
    func startAttempt() {
        guard let request else { return }
        endWait()
        let number = attempts.count + 1
        attempt = RunningAttempt(number: number, startedAt: now)
        emit(.attemptStarted(number: number, attempts: allowedAttempts, at: now))
        attempt?.task = plan.transport.start(request) { [self] event in
            let at = now
            queue.async { self.receive(event, attempt: number, at: at) }
        }
    }

    func endWait() {
        guard let wait else { return }
        wait.timer.cancel()
        self.wait = nil
        attempts[attempts.count - 1].wait = now - wait.startedAt
    }

    private func receive(_ event: TransportEvent, attempt number: Int, at: Duration) {
        guard attempt?.number == number else { return }
        switch event {
        case .phase(let phase):
            guard attempt?.phases.enter(phase, at: at) == true else { return }
            emit(.phaseReached(attempt: number, phase: phase, at: at))
        case .sent(let bytes, let expected):
            attempt?.bytesSent = bytes
            emit(.bodySent(attempt: number, bytes: bytes, expected: expected, at: at))
        case .head(let head):
            emit(.headReceived(attempt: number, head, at: at))
        case .received(let bytes, let expected):
            attempt?.bytesReceived = bytes
            emit(.bodyReceived(attempt: number, bytes: bytes, expected: expected, at: at))
        case .finished(let response, let metrics):
            received(response, metrics)
        case .failed(let error, let metrics):
            failed(error, metrics)
        }
    }

    private func received(_ response: TransportResponse, _ metrics: TransportMetrics) {
        plan.log?.response(response)
        guard let code = response.statusCode, plan.policy.failures.contains(.status),
            plan.policy.statusCodes.contains(code)
        else { return decoded(response, metrics) }
        lastAttempt = .response(response)
        let words = StatusCode.words(code)
        conclude(.failed(.status, words), decision(.status, response: response), metrics, response)
    }

    private func decoded(_ response: TransportResponse, _ metrics: TransportMetrics) {
        guard let attempt else { return }
        let result = evaluate(response)
        guard case .failure(let error) = result else {
            finishAttempt(attempt, outcome: .succeeded, metrics: metrics, response: response)
            return end(result)
        }
        let failure: RetryPolicy.Failure = error.stage == .parsing ? .decoding : .validation
        lastAttempt = .failure(error)
        conclude(.failed(failure, error.description), decision(failure), metrics, response)
    }

    private func failed(_ error: TransportError, _ metrics: TransportMetrics) {
        let failure: RetryPolicy.Failure = error.code == .timedOut ? .timeout : .connection
        switch error.code {
        case .timedOut: lastAttempt = .failure(.timedOut)
        case .cancelled: lastAttempt = .failure(.cancelled)
        default: lastAttempt = .failure(.connectionError(error))
        }
        let outcome: AttemptReport.Outcome =
            error.code == .cancelled ? .cancelled : .failed(failure, error.description)
        let decision = error.code.mayPass ? decision(failure, error: error) : .stop
        conclude(outcome, decision, metrics, nil)
    }

    private func decision(
        _ failure: RetryPolicy.Failure, response: TransportResponse? = nil, error: TransportError? = nil
    ) -> RetryDecision {
        guard let attempt, let request, !givenUp else { return .stop }
        var retryAfter: Duration?
        if plan.policy.honorsRetryAfter, let text = response?[.retryAfter]?.text {
            retryAfter = RetryAfter.wait(text, now: plan.clock.secondsSince1970)
        }
        return RetryDecision.decide(
            plan.policy,
            RetryDecision.Situation(
                failure: failure, attempt: attempt.number, attempts: allowedAttempts,
                nothingSent: error.map(attempt.nothingSent) ?? false, request: request, retryAfter: retryAfter,
                slaLeft: plan.sla - now, random: plan.random()))
    }

    /// Reports the attempt and goes on as decided.
    private func conclude(
        _ outcome: AttemptReport.Outcome, _ decision: RetryDecision, _ metrics: TransportMetrics,
        _ response: TransportResponse?
    ) {
        guard let attempt else { return }
        finishAttempt(attempt, outcome: outcome, metrics: metrics, response: response, decision: decision)
        guard case .retry(let wait, let reason) = decision else { return endWithLastAttempt() }
        guard wait > .zero else { return startAttempt() }
        let start = now
        emit(.waiting(attempt: attempt.number + 1, until: start + wait, reason: reason, at: start))
        let number = attempt.number
        let timer = plan.clock.schedule(after: wait, on: queue) { [self] in
            if self.wait != nil, attempts.count == number { startAttempt() }
        }
        self.wait = Wait(startedAt: start, timer: timer)
    }

    func finishAttempt(
        _ attempt: RunningAttempt, outcome: AttemptReport.Outcome, metrics: TransportMetrics,
        response: TransportResponse? = nil, decision: RetryDecision = .stop
    ) {
        self.attempt = nil
        var report = AttemptReport(
            number: attempt.number, startedAt: attempt.startedAt, duration: now - attempt.startedAt,
            metrics: metrics, outcome: outcome, response: response)
        if case .retry(let wait, let reason) = decision {
            report.willRetry = true
            report.wait = wait > .zero ? wait : nil
            report.waitReason = wait > .zero ? reason : nil
        }
        attempts.append(report)
        emit(.attemptFinished(report))
    }
}

// Decoding comes before validation.
extension RequestRun {
    func evaluate(_ response: TransportResponse) -> Outcome {
        do {
            let body = try requestable.responseDecoder.decode(data(of: response))
            return validate(
                T.Response(url: response.url, headers: response.headers, statusCode: response.statusCode, body: body))
        } catch {
            return .failure(error as? T.Failure ?? .decodingError(error))
        }
    }

    func validate(_ response: T.Response) -> Outcome {
        requestable.responseValidator.validate(response).mapError { .validationError($0) }
    }

    /// nil where HTTP allows no body, so that a decoder need not make something of nothing.
    private func data(of response: TransportResponse) -> Data? {
        guard response.body?.isEmpty ?? true else { return response.body }
        let bodiless = request?.method == .head || [204, 205, 304].contains(response.statusCode ?? 0)
        return bodiless ? nil : response.body
    }
}

extension TransportError.Code {
    /// Whether another attempt may fare better.
    fileprivate var mayPass: Bool {
        switch self {
        case .cancelled, .unsupportedURL, .transportUnavailable, .responseTooLarge, .tooManyRedirects: false
        default: true
        }
    }
}
