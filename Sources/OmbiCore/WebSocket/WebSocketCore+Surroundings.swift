// Middlewares and an authenticator around each opening handshake: a Swift task, which ends before the WebSocket opens.
extension WebSocketCore {
    /// The task around a handshake, and the continuation that awaits its response.
    struct SurroundedHandshake {
        typealias Continuation = CheckedContinuation<Result<TransportResponse, TransportError>, Never>

        let id: Int
        var task: LaterTask?
        /// nil unless a handshake is in progress.
        var continuation: Continuation?

        func cancel() {
            task?.cancel()
            continuation?.resume(returning: .failure(TransportError.cancelled))
        }
    }

    func surround(_ request: TransportRequest, _ surroundings: Surroundings) {
        var id: Int?
        change { state in
            guard case .connecting = state.phase else { return }
            id = state.makeID()
            state.surrounded = id.map { SurroundedHandshake(id: $0) }
        }
        guard let id else { return }
        let context = withState { $0.context }
        let newContext = context == nil && plan.options.reconnect.retries > 0 ? TaskContext() : nil
        let task = LaterTask(in: context) { await self.pass(request, through: surroundings, id) }
        change { state in
            if let newContext, !state.hasEnded { state.context = newContext }
            if state.surrounded?.id == id {
                state.surrounded?.task = task
            } else {
                state.effects.append { task.cancel() }
            }
        }
    }

    private func pass(_ request: TransportRequest, through surroundings: Surroundings, _ id: Int) async {
        let sent = Lock<TransportRequest?>(nil)
        do {
            let middlewares = surroundings.aroundRun + surroundings.aroundAttempt
            let response = try await Surroundings.pass(request, through: middlewares[...]) { request in
                let request = try await self.authenticated(request, surroundings.authenticator)
                do { try RequestBuilder.check(request) } catch { throw WebSocketError.malformedRequest(error) }
                sent.withLock { $0 = request }
                let response = try await self.handshake(request, id)
                if response.statusCode != 401 { surroundings.authenticator?.accepted(response, to: request) }
                return response
            }
            if let request = sent.withLock({ $0 }), try await refresh(surroundings.authenticator, response, request) {
                return connectAgain(response, id)
            }
            settle(.success(response), id)
        } catch {
            settle(.failure(error), id)
        }
    }

    private func authenticated(
        _ request: TransportRequest, _ authenticator: (any Authenticator)?
    ) async throws -> TransportRequest {
        guard let authenticator else { return request }
        do {
            return try await authenticator.authenticate(request)
        } catch {
            throw Self.error(ofAuthenticator: error)
        }
    }

    /// Refreshes credentials after a 401, as often as `RefreshAllowance` says until a handshake is accepted.
    private func refresh(
        _ authenticator: (any Authenticator)?, _ response: TransportResponse, _ request: TransportRequest
    ) async throws -> Bool {
        guard let authenticator, withState({ $0.refreshes.allows(response) }) else { return false }
        change { $0.refreshes.use(for: response) }
        do {
            return try await authenticator.refresh(after: response, to: request)
        } catch {
            throw Self.error(ofAuthenticator: error)
        }
    }

    /// Converts an authenticator's error. Network failures remain such.
    private static func error(ofAuthenticator error: any Error) -> WebSocketError {
        switch RunFailure(ofAuthenticator: error, after: nil) {
        case .connection(let error), .timedOut(let error): .connectionError(error)
        case .cancelled: .cancelled
        default: .authenticationFailed(error)
        }
    }

    /// Returns the response to the opening handshake, even if it is a refusal.
    private func handshake(_ request: TransportRequest, _ id: Int) async throws(TransportError) -> TransportResponse {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: SurroundedHandshake.Continuation) in
                change { state in
                    guard state.surrounded?.id == id, state.surrounded?.continuation == nil else {
                        return state.effects.append {
                            continuation.resume(returning: .failure(TransportError.cancelled))
                        }
                    }
                    // Only the last of several handshakes is used.
                    drop(&state, .cancelled)
                    state.surrounded?.continuation = continuation
                }
                if Task.isCancelled { self.answer(.failure(TransportError.cancelled), id) }
                if withState({ $0.surrounded?.id == id && $0.surrounded?.continuation != nil }) { open(request) }
            }
        } onCancel: {
            answer(.failure(TransportError.cancelled), id)
        }
        return try result.get()
    }

    private func answer(_ result: Result<TransportResponse, TransportError>, _ id: Int) {
        change { if $0.surrounded?.id == id { answer(&$0, result) } }
    }

    private func answer(_ state: inout State, _ result: Result<TransportResponse, TransportError>) {
        guard let continuation = state.surrounded?.continuation.take() else { return }
        state.effects.append { continuation.resume(returning: result) }
    }

    private func connectAgain(_ response: TransportResponse, _ id: Int) {
        var isUnderWay = false
        change { state in
            guard state.surrounded?.id == id else { return }
            isUnderWay = true
            state.surrounded = nil
            let cause = state.link?.failure ?? refusal(response)
            drop(&state, cause)
            record(&state, .reconnecting(attempt: state.linkCount + 1, after: .zero, because: cause))
        }
        if isUnderWay { connect() }
    }

    private func refusal(_ response: TransportResponse) -> WebSocketError {
        .refused(
            "a middleware refused the WebSocket: \(response.statusCode.map(StatusCode.words) ?? "no status")", response)
    }

    /// Continues after the middlewares have returned or thrown.
    private func settle(_ result: Result<TransportResponse, any Error>, _ id: Int) {
        change { state in
            guard state.surrounded?.id == id else { return }
            state.surrounded = nil
            switch result {
            case .success(let response): settle(&state, response)
            case .failure(let error):
                let cause = Self.error(ofMiddleware: error)
                drop(&state, cause)
                goOn(&state, after: cause)
            }
        }
    }

    private static func error(ofMiddleware error: any Error) -> WebSocketError {
        switch error {
        case let error as WebSocketError: error
        case let error as TransportError: error.code == .cancelled ? .cancelled : .connectionError(error)
        default: .middlewareFailed(error)
        }
    }

    private func settle(_ state: inout State, _ response: TransportResponse) {
        guard let link = state.link, link.failure == nil, let accepted = link.accepted, response.statusCode == 101
        else {
            let cause = state.link?.failure ?? refusal(response)
            drop(&state, cause)
            return goOn(&state, after: cause)
        }
        state.link?.accepted = nil
        let url = response.url ?? link.handshake.request.url
        opened(
            &state, ResponseHead(url: url, statusCode: 101, headers: response.headers ?? [:]), accepted.subprotocol)
        for event in accepted.events { handle(event, &state) }
        pump(&state)
    }

    /// Holds the events after an accepted handshake until the middlewares around it have returned. Returns false if
    /// there are none.
    func leaveToSurroundings(_ event: WebSocketMachine.Event, _ state: inout State) -> Bool {
        guard state.surrounded != nil, case .connecting = state.phase else { return false }
        if case .opened(let head, let subprotocol) = event {
            state.link?.accepted = (subprotocol, [])
            state.link?.deadline = nil
            answer(&state, .success(TransportResponse(head: head)))
            return true
        }
        guard state.link?.accepted != nil else { return false }
        state.link?.accepted?.events.append(event)
        return true
    }

    /// Passes the failure of a handshake to the middlewares around it. Returns false if there are none.
    func leaveToSurroundings(_ state: inout State) -> Bool {
        guard state.surrounded != nil, case .connecting = state.phase, let failure = state.link?.failure else {
            return false
        }
        state.link?.deadline = nil
        switch failure {
        case .refused(_, let response): answer(&state, .success(response))
        case .connectionError(let error): answer(&state, .failure(error))
        default: answer(&state, .failure(TransportError(code: .malformedResponse, message: failure.description)))
        }
        return true
    }
}
