/// A request on its way through a transport, as an async call that is cancelled with its task.
///
/// A body that is delivered in pieces goes past the middlewares: the call returns with the head, and the rest is held
/// back, with the transport paused, until `release`.
final class NetworkCall: Sendable {
    typealias Outcome = Result<TransportResponse, TransportError>

    private struct State {
        var continuation: CheckedContinuation<Outcome, Never>?
        var task: (any TransportTask)?
        var isCancelled = false
        /// Of a response in pieces everything from its head on; nil once it was released.
        var held: [TransportEvent]?
        /// The head that takes the place of the transport's, once there is one.
        var head: TransportResponse?
        /// By who takes the pieces.
        var isPaused = false
        var received: TransportResponse?
        var metrics = TransportMetrics()
    }

    private let inPieces: Bool
    private let forward: @Sendable (TransportEvent) -> Void
    private let state: Lock<State>

    /// `forward` gets what the transport reports on the way.
    init(_ delivery: ResponseDelivery, forward: @escaping @Sendable (TransportEvent) -> Void) {
        inPieces = delivery == .pieces
        self.forward = forward
        state = Lock(State(held: inPieces ? [] : nil))
    }

    /// What the request has cost, once it has ended.
    var metrics: TransportMetrics { state.withLock { $0.metrics } }

    /// The response, or the head of one in pieces; nil where none came.
    var received: TransportResponse? { state.withLock { $0.received } }

    /// Whether there is a response whose rest is held back.
    var holdsResponse: Bool { state.withLock { $0.held?.isEmpty == false } }

    func response(
        to request: TransportRequest, from transport: any Transport
    ) async throws(TransportError) -> TransportResponse {
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if !state.isCancelled { state.continuation = continuation }
                    return state.isCancelled
                }
                if isCancelled { return continuation.resume(returning: .failure(Self.cancelled)) }
                keep(transport.start(request) { self.receive($0) })
            }
        } onCancel: {
            cancel()
        }
        return try outcome.get()
    }

    static let cancelled = TransportError(code: .cancelled, message: "cancelled")

    private func keep(_ task: any TransportTask) {
        let (isCancelled, isHeld) = state.withLock { state in
            if !state.isCancelled { state.task = task }
            return (state.isCancelled, state.held?.isEmpty == false)
        }
        if isCancelled { task.cancel() } else if isHeld { task.pause() }
    }

    /// Ends the request at once, whatever the transport does about it.
    func cancel() {
        let before = state.withLock { state in
            defer { state = State(isCancelled: true, received: state.received, metrics: state.metrics) }
            return state
        }
        before.task?.cancel()
        before.continuation?.resume(returning: .failure(Self.cancelled))
    }

    func pause() {
        let task = state.withLock { state in
            state.isPaused = true
            return state.task
        }
        task?.pause()
    }

    func resume() {
        let task = state.withLock { state in
            state.isPaused = false
            return state.task
        }
        task?.resume()
    }

    private func receive(_ event: TransportEvent) {
        switch event {
        case .finished(let response, let metrics): end(.success(response), metrics, event)
        case .failed(let error, let metrics): end(.failure(error), metrics, event)
        case .head(let head) where inPieces:
            hold(event)
            let response = TransportResponse(url: head.url, headers: head.headers, statusCode: head.statusCode)
            answer(.success(response))
        case .data: hold(event)
        default: if !state.withLock({ $0.isCancelled }) { forward(event) }
        }
    }

    private func end(_ outcome: Outcome, _ metrics: TransportMetrics, _ event: TransportEvent) {
        state.withLock { $0.metrics = metrics }
        if inPieces { hold(event) }
        answer(outcome)
    }

    private func answer(_ outcome: Outcome) {
        let continuation = state.withLock { state in
            defer { state.continuation = nil }
            if state.continuation != nil, case .success(let response) = outcome { state.received = response }
            return state.continuation
        }
        continuation?.resume(returning: outcome)
    }

    /// Keeps an event for `release`, and pauses the transport; after `release` lets it pass.
    private func hold(_ event: TransportEvent) {
        let (passes, head, task) = state.withLock { state -> (Bool, TransportResponse?, (any TransportTask)?) in
            guard !state.isCancelled, state.held != nil else { return (!state.isCancelled, state.head, nil) }
            state.held?.append(event)
            return (false, nil, state.task)
        }
        if passes { forward(head.map(event.with) ?? event) }
        task?.pause()
    }

    /// Lets a response in pieces go on, with its head as the middlewares have left it.
    func release(_ head: TransportResponse) {
        state.withLock { $0.head = head }
        while let held = takeHeld() {
            for event in held { forward(event.with(head)) }
        }
        state.withLock { $0.isPaused ? nil : $0.task }?.resume()
    }

    /// nil when nothing is held back any more, and nothing will be.
    private func takeHeld() -> [TransportEvent]? {
        state.withLock { state in
            guard let held = state.held, !held.isEmpty else {
                state.held = nil
                return nil
            }
            state.held = []
            return held
        }
    }
}

extension TransportEvent {
    /// The same event of a response whose head is another one.
    fileprivate func with(_ head: TransportResponse) -> TransportEvent {
        switch self {
        case .head(let own):
            .head(
                ResponseHead(
                    url: head.url ?? own.url, statusCode: head.statusCode ?? own.statusCode,
                    headers: head.headers ?? own.headers))
        case .finished(let own, let metrics):
            .finished(
                TransportResponse(
                    url: head.url, headers: head.headers, statusCode: head.statusCode, body: own.body), metrics)
        default: self
        }
    }
}
