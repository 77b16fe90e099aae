// Stepping in, from any thread.
extension RequestRun {
    func cancel() { abort(.cancelled) }

    func giveUp() {
        change { state in
            state.isGivenUp = true
            return state.wait == nil ? .none : endWithLastAttempt(&state)
        }
    }

    func skipWait() {
        change { endWait(&$0) }
    }

    func retryNow() {
        change { state in
            guard !state.hasEnded, !state.isGivenUp, state.request != nil, state.scope?.settled == nil else {
                return .none
            }
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
            let (attempts, at) = (state.allowedAttempts, state.now)
            state.record(.attemptsAdded(attempts: attempts, at: at))
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
        guard let attempt else { return wait == nil && scope != nil ? .runMiddleware : nil }
        return attempt.holder ?? (attempt.phases.phase == nil ? .transport : nil)
    }
}
