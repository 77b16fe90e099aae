// The end of a run: exactly once, with the last thing that was learned or with the fallback response.
extension RequestRun {
    /// What the end is made of, taken out of the state: whoever still holds the handle of the run must not hold the
    /// bodies with it.
    struct Ending {
        var result: LastResult
        var attempts: [AttemptReport]
        var request: TransportRequest?

        enum LastResult {
            case known(RunResult)
            /// A response whose status was to be retried, and that is decoded and validated after all.
            case response(TransportResponse, of: TransportRequest)
        }
    }

    func end(_ state: inout State, _ failure: RunFailure) -> Step { end(&state, .known(.failure(failure))) }

    func endWithLastAttempt(_ state: inout State) -> Step {
        switch (state.lastAttempt, state.request) {
        case (.response(let response), let request?): end(&state, .response(response, of: request))
        case (.failure(let error), _): end(&state, .known(.failure(error)))
        default: end(&state, .known(.failure(.unknown)))
        }
    }

    func end(_ state: inout State, _ result: Ending.LastResult) -> Step {
        guard !state.hasEnded else { return .none }
        state.hasEnded = true
        endWait(&state)
        state.slaTimer?.cancel()
        let ending = Ending(result: result, attempts: state.attempts, request: state.request)
        state.slaTimer = nil
        state.attempts = []
        state.request = nil
        state.lastAttempt = nil
        return .end(ending)
    }

    func finish(_ ending: Ending) {
        let last: RunResult =
            switch ending.result {
            case .known(let result): result
            case .response(let response, let request): work.evaluate(response, to: request.method)
            }
        let (outcome, result) = fallBack(last, ending)
        emit(
            .finished(
                RequestReport(
                    attempts: ending.attempts, duration: now, sla: plan.sla, outcome: outcome,
                    request: ending.request)))
        work.finish(result)
    }

    /// A failure gives way to the fallback response, if there is one that passes the validator.
    private func fallBack(_ result: RunResult, _ ending: Ending) -> (RequestReport.Outcome, RunResult) {
        guard case .failure(let failure) = result else { return (.succeeded, result) }
        plan.log?.failure(work.words(failure))
        if case .cancelled = failure { return (.cancelled, result) }
        guard let fallback = work.fallBack() else { return (outcome(failure, ending.attempts), result) }
        emit(.fallbackUsed(at: now))
        plan.log?.failure("using the fallback response")
        guard case .failure(let failure) = fallback else { return (.fallback, fallback) }
        return (.failed(work.words(failure)), fallback)
    }

    private func outcome(_ failure: RunFailure, _ attempts: [AttemptReport]) -> RequestReport.Outcome {
        switch failure {
        case .slaExceeded: return .slaExceeded
        case .timedOut:
            guard case .failed(_, let sentence) = attempts.last?.outcome else { return .failed(work.words(failure)) }
            return .failed(sentence)
        default: return .failed(work.words(failure))
        }
    }
}
