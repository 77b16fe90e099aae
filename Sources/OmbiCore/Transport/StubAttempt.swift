/// One attempt at a stub. Its events are delivered on its own queue.
final class StubAttempt: TransportTask {
    private enum Step {
        case wait(Duration)
        case report(TransportEvent)
        case head(ResponseHead)
        case piece(Data)
        case end(TransportError?)
    }

    private struct State {
        var request: TransportRequest
        /// nil once the last event has been delivered, or is about to be.
        var onEvent: (@Sendable (TransportEvent) -> Void)?
        var response: TransportResponse?
        var steps: [Step] = []
        var next = 0
        var isPaused = false
        var timer: Task<Void, Never>?
        /// The elapsed time, pauses excluded.
        var elapsed: Duration = .zero
        var sent = 0
        var head: ResponseHead?
        var received = Data()
    }

    let queue = DispatchQueue(label: "ombi.stub.attempt")
    private let clock: any Clock<Duration>
    private let state: Lock<State>

    init(
        _ request: TransportRequest, clock: any Clock<Duration>,
        onEvent: @escaping @Sendable (TransportEvent) -> Void
    ) {
        self.clock = clock
        state = Lock(State(request: request, onEvent: onEvent))
    }

    func cancel() { end { _ in .failure(TransportError.cancelled) } }

    func pause() { state.withLock { $0.isPaused = $0.request.responseDelivery == .pieces } }

    func resume() {
        state.withLock { $0.isPaused = false }
        queue.async { self.advance() }
    }

    /// Reads the body of the request, like a real transport, and plays the reply.
    func start(_ reply: StubTransport.Handler) {
        var request = state.withLock { $0.request }
        guard state.withLock({ $0.onEvent != nil }) else { return }
        do {
            if let stream = request.bodyStream { request.body = try stream.data }
        } catch {
            return end { _ in .failure(TransportError(code: .requestBodyFailed, message: "\(error)")) }
        }
        let chosen = reply(request)
        state.withLock { state in
            state.sent = request.body?.count ?? 0
            state.response = chosen.response(to: request)
            state.steps = Self.steps(of: chosen, to: request)
        }
        queue.async { self.advance() }
    }

    private static func steps(of reply: StubTransport.Reply, to request: TransportRequest) -> [Step] {
        guard let response = reply.response(to: request) else { return [.wait(reply.delay), .end(reply.error)] }
        let sent = request.body?.count ?? 0
        var steps: [Step] = sent > 0 ? [.report(.sent(bytes: sent, expected: sent))] : []
        steps += [.report(.phase(.wait)), .wait(reply.delay), .report(.phase(.receive))]
        if let code = response.statusCode {
            let url = response.url ?? request.url
            steps.append(.head(ResponseHead(url: url, statusCode: code, headers: response.headers ?? [:])))
        }
        var rest = response.body ?? Data()
        while !rest.isEmpty {
            steps.append(.piece(rest.prefix(reply.pieceLength)))
            rest = rest.dropFirst(reply.pieceLength)
            if !rest.isEmpty { steps.append(.wait(reply.pieceDelay)) }
        }
        return steps + [.end(reply.error)]
    }

    /// Takes steps until one has to wait. Runs on the queue.
    private func advance() {
        while let step = state.withLock({ Self.takeStep(&$0) }) {
            switch step {
            case .wait(let time): if time > .zero { return wait(time) }
            case .report(let event): report { _ in event }
            case .head(let head):
                state.withLock { $0.request.cookieJar }?.store(head.headers, from: head.url)
                report { state in
                    state.head = head
                    return .head(head)
                }
            case .piece(let piece): report(piece)
            case .end(let error): return end { state in error.map { .failure($0) } ?? .success(()) }
            }
        }
    }

    private static func takeStep(_ state: inout State) -> Step? {
        guard state.onEvent != nil, state.timer == nil, state.next < state.steps.count else { return nil }
        if state.isPaused, state.head != nil { return nil }
        defer { state.next += 1 }
        return state.steps[state.next]
    }

    private func report(_ event: (inout State) -> TransportEvent) {
        let (onEvent, event) = state.withLock { ($0.onEvent, event(&$0)) }
        onEvent?(event)
    }

    private func report(_ piece: Data) {
        if state.withLock({ $0.request.responseDelivery }) == .pieces { report { _ in .data(piece) } }
        report { state in
            state.received += piece
            let length = state.head?.headers[.contentLength].flatMap { Int($0.text) }
            return .received(bytes: state.received.count, expected: length ?? state.response?.body?.count)
        }
    }
}

// Timers and the end.
extension StubAttempt {
    /// Continues after the wait, or ends with an earlier timeout.
    private func wait(_ time: Duration) {
        let limit = state.withLock { state in
            let left = state.request.attemptTimeout.map { $0 - state.elapsed }
            let limit = min(state.request.idleTimeout ?? .longest, left ?? .longest)
            state.elapsed += min(time, limit)
            return limit
        }
        let timer = Task { [clock] in
            try? await Self.sleep(min(time, limit), clock)
            queue.async { self.wake(timedOut: time > limit) }
        }
        let isOver = state.withLock { state in
            state.timer = timer
            return state.onEvent == nil
        }
        if isOver { timer.cancel() }
    }

    private static func sleep(_ time: Duration, _ clock: some Clock<Duration>) async throws {
        try await clock.sleep(for: time)
    }

    private func wake(timedOut: Bool) {
        state.withLock { $0.timer = nil }
        guard timedOut else { return advance() }
        end { _ in .failure(TransportError(code: .timedOut, message: "the stub's reply did not come in time")) }
    }

    /// Delivers the last event, unless it has been delivered.
    private func end(_ result: (State) -> Result<Void, TransportError>) {
        let (onEvent, event, timer) = state.withLock { state in
            let ending = (state.onEvent, Self.lastEvent(of: state, result(state)), state.timer)
            state.onEvent = nil
            return ending
        }
        timer?.cancel()
        guard let onEvent else { return }
        queue.async { onEvent(event) }
    }

    private static func lastEvent(of state: State, _ result: Result<Void, TransportError>) -> TransportEvent {
        let metrics = TransportMetrics(bytesReceived: state.received.count, bytesSent: state.sent)
        switch result {
        case .success:
            var response = state.response ?? TransportResponse()
            if state.request.responseDelivery == .pieces { response.body = nil }
            return .finished(response, metrics)
        case .failure(var error):
            if error.response == nil, let head = state.head {
                error.response = TransportResponse(head: head, body: state.received)
            }
            return .failed(error, metrics)
        }
    }
}
