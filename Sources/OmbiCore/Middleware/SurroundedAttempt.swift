/// An attempt with middlewares or an authenticator around it: a Swift task that passes the request through them to the
/// transport. A run treats it like an attempt of a transport.
///
/// Cancelling it cancels the task. Code that ignores cancellation delays nothing: a run ignores the events of an
/// abandoned attempt.
final class SurroundedAttempt: TransportTask {
    private struct State {
        /// nil after cancellation.
        var work: (any RunWork)?
        var task: LaterTask?
        /// The last request sent.
        var call: NetworkCall?
    }

    private let run: RequestRun
    private let number: Int
    private let surroundings: Surroundings
    private let state: Lock<State>

    init(_ run: RequestRun, _ number: Int, _ surroundings: Surroundings, _ work: any RunWork) {
        self.run = run
        self.number = number
        self.surroundings = surroundings
        state = Lock(State(work: work))
    }

    /// - Parameter context: The task-local values of the attempt; nil for those of the caller.
    func start(_ request: TransportRequest, in context: TaskContext?) {
        let task = LaterTask(in: context) { await self.attempt(request) }
        let isCancelled = state.withLock { state in
            if state.work != nil { state.task = task }
            return state.work == nil
        }
        if isCancelled { task.cancel() }
    }

    func cancel() {
        let before = state.withLock { state in
            defer { (state.work, state.task) = (nil, nil) }
            return state
        }
        before.task?.cancel()
    }

    private func attempt(_ request: TransportRequest) async {
        do {
            let response = try await Surroundings.pass(request, through: surroundings.aroundAttempt[...]) { request in
                try await self.send(request)
            }
            answer(response)
        } catch {
            let call = state.withLock { $0.call }
            run.hear(.threw(error, call?.metrics ?? TransportMetrics(), after: call?.received), attempt: number)
        }
        // A finished task need not be cancelled.
        state.withLock { $0.task = nil }
    }

    private func answer(_ response: TransportResponse) {
        let metrics = state.withLock { $0.call }?.metrics ?? TransportMetrics()
        run.receive(.finished(response, metrics), attempt: number)
    }

    /// Sends the request with its credentials, behind the last middleware.
    private func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard let work = state.withLock({ $0.work }) else { throw NetworkCall.cancelled }
        let request = try await authenticated(request, work)
        do { try RequestBuilder.check(request) } catch { throw work.error(.malformed(error)) }
        guard run.sends(request, attempt: number) else { throw NetworkCall.cancelled }
        work.log?.request(request)
        let call = NetworkCall { [run, number] in run.receive($0, attempt: number) }
        state.withLock { $0.call = call }
        let response = try await call.response(to: request, from: work.transport)
        if !surroundings.aroundAttempt.isEmpty { run.handsBack(attempt: number) }
        if response.statusCode != 401 { surroundings.authenticator?.accepted(response, to: request) }
        return response
    }

    private func authenticated(_ request: TransportRequest, _ work: any RunWork) async throws -> TransportRequest {
        guard let authenticator = surroundings.authenticator else { return request }
        run.authenticates(attempt: number)
        do {
            return try await authenticator.authenticate(request).bindingFields(addedTo: request)
        } catch {
            throw work.error(RunFailure(ofAuthenticator: error, after: nil))
        }
    }
}

extension LaterTask: TransportTask {}
