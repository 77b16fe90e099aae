/// A request to a transport as an async call, which is cancelled with its task.
final class NetworkCall: Sendable {
    typealias Outcome = Result<TransportResponse, TransportError>

    private struct State {
        var continuation: CheckedContinuation<Outcome, Never>?
        var task: (any TransportTask)?
        var isCancelled = false
        var received: TransportResponse?
        var metrics = TransportMetrics()
    }

    private let forward: @Sendable (TransportEvent) -> Void
    private let state = Lock(State())

    /// - Parameter forward: Receives the transport's intermediate events.
    init(forward: @escaping @Sendable (TransportEvent) -> Void) { self.forward = forward }

    /// The cost of the request, once it has ended.
    var metrics: TransportMetrics { state.withLock { $0.metrics } }

    /// The response; nil if none arrived.
    var received: TransportResponse? { state.withLock { $0.received } }

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
                keep(transport.startThroughGate(request) { self.receive($0) })
            }
        } onCancel: {
            cancel()
        }
        return try outcome.get()
    }

    static let cancelled = TransportError(code: .cancelled, message: "cancelled")

    private func keep(_ task: any TransportTask) {
        let isCancelled = state.withLock { state in
            if !state.isCancelled { state.task = task }
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    /// Ends the request at once, without waiting for the transport.
    private func cancel() {
        let before = state.withLock { state in
            defer { state = State(isCancelled: true, received: state.received, metrics: state.metrics) }
            return state
        }
        before.task?.cancel()
        before.continuation?.resume(returning: .failure(Self.cancelled))
    }

    private func receive(_ event: TransportEvent) {
        switch event {
        case .finished(let response, let metrics): end(.success(response), metrics)
        case .failed(let error, let metrics): end(.failure(error), metrics)
        default: if !state.withLock({ $0.isCancelled }) { forward(event) }
        }
    }

    private func end(_ outcome: Outcome, _ metrics: TransportMetrics) {
        let continuation = state.withLock { state in
            state.metrics = metrics
            defer { state.continuation = nil }
            if state.continuation != nil, case .success(let response) = outcome { state.received = response }
            return state.continuation
        }
        continuation?.resume(returning: outcome)
    }
}
