// The end of a run: exactly once, with the last thing that was learned or with the fallback response.
extension RequestRun {
    /// What the end is made of, taken out of the state: whoever still holds a handle of the run holds neither the
    /// bodies with it nor anything of the caller's.
    struct Ending {
        var result: LastResult
        var work: any RunWork
        var progress: ProgressDelivery?
        var attempts: [AttemptReport]
        var request: TransportRequest?
        var lastAttempt: LastAttempt?
        var lastResponse: TransportResponse?

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
        guard let work = state.work else { return .none }
        endWait(&state)
        let ending = Ending(
            result: result, work: work, progress: state.progress, attempts: state.attempts, request: state.request,
            lastAttempt: state.lastAttempt, lastResponse: state.lastResponse)
        state.leftovers.slaTimer = state.slaTimer
        state.slaTimer = nil
        state.work = nil
        state.progress = nil
        state.attempts = []
        state.request = nil
        state.lastAttempt = nil
        state.lastResponse = nil
        return .end(ending)
    }

    func finish(_ ending: Ending) {
        let last: RunResult =
            switch ending.result {
            case .known(let result): result
            case .response(let response, let request): ending.work.evaluate(response, to: request.method)
            }
        let (outcome, result) = fallBack(last, ending)
        guard let progress = ending.progress else { return handOver(result, outcome, ending) }
        let box = Lock((result: result, ending: ending))
        progress.finish {
            let (result, ending) = box.withLock { $0 }
            self.handOver(result, outcome, ending)
        }
    }

    private func handOver(_ result: RunResult, _ outcome: RequestReport.Outcome, _ ending: Ending) {
        ending.work.finish(result, of: self) {
            change { state in
                let duration = state.now
                state.record(
                    .finished(
                        RequestReport(
                            attempts: ending.attempts, duration: duration, sla: sla, outcome: outcome,
                            request: ending.request)))
                return .none
            }
        }
    }

    /// A failure gives way to the fallback response, if there is one that passes the validator.
    private func fallBack(_ result: RunResult, _ ending: Ending) -> (RequestReport.Outcome, RunResult) {
        guard case .failure(let failure) = result else { return (.succeeded, result) }
        let work = ending.work
        work.log?.failure(work.sentence(failure))
        if case .cancelled = failure { return (.cancelled, result) }
        guard let fallback = work.fallBack() else { return (outcome(failure, work), result) }
        change { state in
            let at = state.now
            state.record(.fallbackUsed(at: at))
            return .none
        }
        work.log?.failure("using the fallback response")
        guard case .failure(let failure) = fallback else { return (.fallback, fallback) }
        return (.failed(work.sentence(failure)), fallback)
    }

    private func outcome(_ failure: RunFailure, _ work: any RunWork) -> RequestReport.Outcome {
        if case .slaExceeded = failure { .slaExceeded } else { .failed(work.sentence(failure)) }
    }
}
