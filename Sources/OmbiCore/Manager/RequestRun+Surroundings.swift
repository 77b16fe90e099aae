// Middlewares around the whole run, and credentials that are refreshed.
extension RequestRun {
    /// The middlewares around a run, while it goes on.
    struct Scope {
        /// As it was built.
        var request: TransportRequest?
        var task: Task<Void, Never>?
        /// Waits for the last attempt.
        var continuation: CheckedContinuation<Result<TransportResponse, any Error>, Never>?
        var hasCalledNext = false
        /// The result of the last attempt, and the response it belongs to.
        var settled: Settled?

        func cancel() {
            task?.cancel()
            continuation?.resume(returning: .failure(TransportError.cancelled))
        }
    }

    // MARK: Around the run

    /// Passes the request through the middlewares around the run; the last of them starts the attempts.
    func startScope(_ request: TransportRequest, _ surroundings: Surroundings, _ work: any RunWork) -> Step {
        let task = Task {
            do {
                let response = try await Surroundings.pass(request, through: surroundings.aroundRun[...]) { request in
                    try await self.attemptAll(request, work)
                }
                scopeReturned(response)
            } catch {
                let failure = work.failure(error, after: self.state.withLock { $0.lastResponse })
                change { end(&$0, failure) }
            }
        }
        return update { state in
            if state.hasEnded { state.leftovers.scope = Scope(task: task) } else { state.scope?.task = task }
            return .none
        }
    }

    /// Takes along the task-local values of the caller, unless the first attempt is certainly the only task.
    func makeContext(for surroundings: Surroundings) -> TaskContext? {
        guard surroundings.surroundsAttempts else { return nil }
        let isAlone = state.withLock { $0.allowedAttempts == 1 && $0.events == nil }
        return isAlone && surroundings.authenticator == nil ? nil : TaskContext()
    }

    /// Behind the last middleware around the run: every attempt and wait.
    private func attemptAll(_ request: TransportRequest, _ work: any RunWork) async throws -> TransportResponse {
        let isFirst = state.withLock { state in
            defer { state.scope?.hasCalledNext = true }
            return state.scope?.hasCalledNext != true
        }
        guard isFirst else { throw SecondCall() }
        do { try RequestBuilder.check(request) } catch { throw work.error(.malformed(error)) }
        // The middlewares may have set values of their own.
        let context = state.withLock({ $0.surroundings }).flatMap(makeContext)
        return try await withCheckedContinuation { continuation in
            change { state in
                guard !state.hasEnded else {
                    state.leftovers.scope = Scope(continuation: continuation)
                    return .none
                }
                state.request = request
                state.context = context
                state.scope?.continuation = continuation
                return beginAttempt(&state, .first)
            }
        }.get()
    }

    /// Goes on after the last attempt: with the middleware that waits for it, or else with the end.
    func settle(_ state: inout State, _ settled: Settled) -> Step {
        guard let continuation = state.scope?.continuation, let work = state.work else {
            return finishSettled(&state, settled)
        }
        state.scope?.continuation = nil
        state.scope?.settled = settled
        return .resume(continuation, settled, state.lastResponse, work)
    }

    func resume(
        _ continuation: CheckedContinuation<Result<TransportResponse, any Error>, Never>, _ settled: Settled,
        _ response: TransportResponse?, _ work: any RunWork
    ) {
        switch (settled, response) {
        case (.response(let response), _), (.known(.response), let response?),
            (.known(.failure(.rejected)), let response?):
            continuation.resume(returning: .success(response))
        case (.known(.failure(let failure)), _): continuation.resume(returning: .failure(work.error(failure)))
        case (.known(.response), nil): continuation.resume(returning: .failure(work.error(.unknown)))
        }
    }

    /// A response that is as it was has been decoded and validated already.
    private func scopeReturned(_ response: TransportResponse) {
        change { state in
            if let settled = state.scope?.settled, let last = state.lastResponse, last.isSame(as: response) {
                return finishSettled(&state, settled)
            }
            return finishSettled(&state, .response(response))
        }
    }

    private func finishSettled(_ state: inout State, _ settled: Settled) -> Step {
        switch settled {
        case .known(let result): return end(&state, result)
        case .response(let response):
            guard let work = state.work else { return .none }
            state.lastEvaluation = state.attempts.count
            let method = (state.request ?? state.scope?.request)?.method ?? .get
            return .evaluateLast(response, method, work)
        }
    }

    /// Decodes and validates the response of the last attempt, or of a middleware, while the SLA goes on.
    func evaluateLast(_ response: TransportResponse, _ method: RequestMethod, _ work: any RunWork) -> Step {
        let result = work.evaluate(response, to: method)
        return update { state in
            guard state.attempt == nil, state.wait == nil, state.lastEvaluation == state.attempts.count else {
                return .none
            }
            return end(&state, result)
        }
    }

    // MARK: Around an attempt

    func authenticates(attempt number: Int) {
        change { state in
            guard state.attempt?.number == number else { return .none }
            state.attempt?.holder = .authenticator
            state.record { .authenticating(attempt: number, at: $0) }
            return .none
        }
    }

    /// Takes note of the request as it goes out. False when the attempt is over.
    func sends(_ request: TransportRequest, attempt number: Int) -> Bool {
        var isUnderWay = false
        change { state in
            guard state.attempt?.number == number, state.attempt?.hasAnswered == false else { return .none }
            isUnderWay = true
            if let before = state.sentRequest { state.leftovers.values.append(before) }
            state.sentRequest = request
            state.attempt?.sent = request.headers
            state.attempt?.hasSent = true
            state.attempt?.holder = nil
            return .none
        }
        return isUnderWay
    }

    /// Notes that the middlewares around an attempt have its response.
    func handsBack(attempt number: Int) {
        state.withLock { if $0.attempt?.number == number { $0.attempt?.holder = .returningMiddleware } }
    }

    // MARK: Credentials

    private func mayRefresh(_ state: State, _ response: TransportResponse) -> Bool {
        state.surroundings?.authenticator != nil && state.refreshes.allows(response) && !state.isGivenUp
            && state.sentRequest != nil
    }

    /// After a 401, as often as `RefreshAllowance` says: gets new credentials before it is decided about the response.
    func refreshIfNeeded(
        _ state: inout State, _ response: TransportResponse, _ metrics: TransportMetrics, _ work: any RunWork
    ) -> Step? {
        guard mayRefresh(state, response), let authenticator = state.surroundings?.authenticator,
            let request = state.sentRequest, let number = state.attempt?.number
        else { return nil }
        state.refreshes.use(for: response)
        state.attempt?.answeredAt = state.now
        state.attempt?.holder = .refresh
        state.record { .refreshingCredentials(attempt: number, at: $0) }
        return .refresh(attempt: number, authenticator, request, response, metrics, work)
    }

    func refresh(
        attempt number: Int, _ authenticator: any Authenticator, _ request: TransportRequest,
        _ response: TransportResponse, _ metrics: TransportMetrics, _ work: any RunWork
    ) -> Step {
        let task = LaterTask(in: state.withLock { $0.context }) {
            let result: Result<Bool, any Error>
            do {
                result = .success(try await authenticator.refresh(after: response, to: request))
            } catch {
                result = .failure(error)
            }
            self.refreshed(result, attempt: number, response, metrics, work)
        }
        return update { state in
            guard state.attempt?.number == number else {
                state.leftovers.task = task
                state.leftovers.cancelsTask = true
                return .none
            }
            state.attempt?.task = task
            return .none
        }
    }

    private func refreshed(
        _ result: Result<Bool, any Error>, attempt number: Int, _ response: TransportResponse,
        _ metrics: TransportMetrics, _ work: any RunWork
    ) {
        switch result {
        case .success(true):
            change(attempt: number) { state in
                guard !state.isGivenUp else { return .decide(attempt: number, response, metrics, work) }
                if state.allowedAttempts < .max { state.allowedAttempts += 1 }
                finishAttempt(
                    &state, outcome: .failed(.status, StatusCode.words(401)), metrics: metrics, response: response,
                    willRetry: true, wait: (state.now - (state.attempt?.answeredAt ?? state.now), .credentials))
                return beginAttempt(&state, .credentialsRefreshed)
            }
        case .success(false):
            change(attempt: number) { _ in .decide(attempt: number, response, metrics, work) }
        case .failure(let error):
            let failure = RunFailure(ofAuthenticator: error, after: response)
            change(attempt: number) { state in
                // Without a connection nothing was refreshed; another attempt may do so.
                if failure.isOfNetwork { state.refreshes = RefreshAllowance() }
                return .answer(attempt: number, .threw(work.error(failure), metrics, after: response), work)
            }
        }
    }
}

extension TransportResponse {
    /// True if this is the other response, unchanged. A large body is not compared byte by byte: the same bytes lie at the
    /// same address.
    fileprivate func isSame(as other: TransportResponse) -> Bool {
        guard url == other.url, statusCode == other.statusCode, headers == other.headers,
            body?.count == other.body?.count
        else { return false }
        guard let body, let theirs = other.body, body.count > 64 else { return body == other.body }
        return body.withUnsafeBytes { left in theirs.withUnsafeBytes { left.baseAddress == $0.baseAddress } }
    }
}
