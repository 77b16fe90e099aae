// The end of a run: exactly once, with the last thing that was learned or with the fallback response.
extension RequestRun {
    /// The parts of the end, taken out of the state, so that a handle of the run keeps neither bodies nor anything of
    /// the caller's alive.
    final class Ending {
        let result: RunResult
        let work: any RunWork
        /// The state before the end, without the events.
        let last: State

        init(result: RunResult, work: any RunWork, last: State) {
            self.result = result
            self.work = work
            self.last = last
        }
    }

    func end(_ state: inout State, _ failure: RunFailure) -> Step { end(&state, .failure(failure)) }

    func endWithLastAttempt(_ state: inout State) -> Step {
        dropWait(&state)
        return settleLastAttempt(&state)
    }

    private func settleLastAttempt(_ state: inout State) -> Step {
        switch state.lastAttempt {
        case .response(let response): settle(&state, .response(response))
        case .failure(let error): settle(&state, .known(.failure(error)))
        case nil: settle(&state, .known(.failure(.unknown)))
        }
    }

    func end(_ state: inout State, _ result: RunResult) -> Step {
        guard let work = state.work else { return .none }
        dropWait(&state)
        if origins != nil { releasePass(&state) }
        state.leftovers.slaTimer = state.slaTimer
        state.leftovers.scope = state.scope
        var last = State(
            now: state.now, attempts: AttemptHistory(count: state.attempts.count),
            allowedAttempts: state.allowedAttempts)
        swap(&last, &state)
        swap(&last.events, &state.events)
        swap(&last.leftovers, &state.leftovers)
        return .end(Ending(result: result, work: work, last: last))
    }

    func finish(_ ending: Ending) {
        let (outcome, result) = fallBack(ending.result, ending)
        guard let progress = ending.last.progress else { return handOver(result, outcome, ending) }
        let box = Lock((result: result, ending: ending))
        progress.finish {
            let (result, ending) = box.withLock { $0 }
            self.handOver(result, outcome, ending)
        }
    }

    private func handOver(_ result: RunResult, _ outcome: RequestReport.Outcome, _ ending: Ending) {
        ending.work.finish(result, of: self) {
            change { state in
                state.record { duration in
                    .finished(
                        RequestReport(
                            attempts: ending.last.attempts.reports, attemptCount: ending.last.attempts.count,
                            duration: duration, sla: sla, outcome: outcome,
                            request: ending.last.sentRequest ?? ending.last.request))
                }
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
            state.record { .fallbackUsed(at: $0) }
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

// The state for observers, on any thread.
extension RequestRun {
    /// nil once the run has ended.
    var requestable: (any Requestable)? { state.withLock { $0.work }?.anyRequestable }

    /// The attempt under way, or the one before the wait under way, and the time since the start.
    var progress: (attempt: Int, duration: Duration) {
        let now = now
        return state.withLock { ($0.attempt?.number ?? $0.attempts.count, now) }
    }

    /// The event at `index`, if it has happened.
    func read(_ index: Int) -> LogReading<RequestEvent> { state.withLock { $0.events?.read(index) ?? .end } }

    /// The report of the finished run; nil before the end.
    var report: RequestReport? { state.withLock { $0.events?.report } }

    /// Calls `waiter` as soon as the event at `index` is there; at once when it is.
    /// - Returns: A number to wake it by; nil when it was called.
    func wait(for index: Int, _ waiter: @escaping WaitList.Waiter) -> Int? {
        let number = state.withLock { $0.events?.wait(for: index, waiter) }
        if number == nil { waiter() }
        return number
    }

    /// Calls the waiter now, if it is still waiting.
    func wake(_ number: Int) { state.withLock { $0.events?.waiters.take(number) }?() }
}

/// The result of a run, for any number of waiters.
struct RunOutcome<T: Requestable>: Sendable {
    typealias Result = Swift.Result<T.Response, T.Failure>

    private struct State {
        var result: Result?
        var waiters = WaitList()
    }

    private let state = Lock(State())

    /// The result; nil before the end.
    var current: Result? { state.withLock { $0.result } }

    func set(_ result: Result) {
        let waiters = state.withLock { state in
            state.result = result
            return state.waiters.takeAll()
        }
        for waiter in waiters { waiter() }
    }

    /// Calls `waiter` once there is a result, which may be at once.
    /// - Returns: A number for waking it; nil if it was called.
    func wait(_ waiter: @escaping WaitList.Waiter) -> Int? {
        let number = state.withLock { $0.result == nil ? $0.waiters.add(waiter) : nil }
        if number == nil { waiter() }
        return number
    }

    /// Calls the waiter now, if it is still waiting.
    func wake(_ number: Int) { state.withLock { $0.waiters.take(number) }?() }
}

extension RunOutcome {
    /// Waits for the end of the run that `start` begins. Cancelling the task cancels the run.
    func untilEnd(of run: RequestRun, _ start: () -> Void) async {
        await withTaskCancellationHandler {
            start()
            await withCheckedContinuation { continuation in
                _ = wait { continuation.resume() }
            }
        } onCancel: {
            run.cancel()
        }
    }
}

extension RunOutcome where T.ResponseBody: Sendable {
    /// Returns the result of the run that `start` begins, as `untilEnd(of:_:)` waits for it.
    func result(of run: RequestRun, _ start: () -> Void) async -> Result {
        await untilEnd(of: run, start)
        return current ?? .failure(.unknownError)
    }

    /// The result, for which it waits; nil if the waiting task is cancelled first.
    var resultUnlessCancelled: Result? {
        get async {
            await WaitList.suspend(wait: wait) { wake($0) }
            return current
        }
    }
}
