/// A transport between a run and its own, for a streamed response: for the run an attempt ends with the head of the
/// response, while the pieces of the body bypass it into a buffer.
///
/// Retries, the SLA, middlewares and credentials therefore apply until a head is accepted. The body of a response whose
/// head the validator rejects is collected, for the error.
final class StreamTransport: Transport {
    /// The maximum size in bytes; a longer body of a rejected response is cut off.
    static let maximumErrorBody = 1 << 20

    private let base: any Transport
    private let isRefused: @Sendable (TransportResponse) -> Bool
    private let latest = Lock<StreamAttempt?>(nil)

    init(_ base: any Transport, isRefused: @escaping @Sendable (TransportResponse) -> Bool) {
        self.base = base
        self.isRefused = isRefused
    }

    var acceptedEncodings: String? { base.acceptedEncodings }

    func start(
        _ request: TransportRequest, onEvent: @escaping @Sendable (TransportEvent) -> Void
    ) -> any TransportTask {
        var request = request
        request.responseDelivery = .pieces
        let attempt = StreamAttempt(isRefused: isRefused, onEvent: onEvent)
        take(replacingBy: attempt)?.abandon()
        attempt.pieces.setTask(base.start(request) { attempt.receive($0) })
        return attempt
    }

    /// Transfers ownership of the latest attempt's body. A body that is not taken ends with the next attempt, or with
    /// `cancel`.
    func takePieces() -> PieceBuffer? { take(replacingBy: nil)?.pieces }

    func cancel() { take(replacingBy: nil)?.abandon() }

    private func take(replacingBy attempt: StreamAttempt?) -> StreamAttempt? {
        latest.withLock { exchange(&$0, with: attempt) }
    }
}

final class StreamAttempt: TransportTask {
    private enum Phase {
        case waiting
        /// The validator checks the head, on a thread that delays no transfer; the pieces received meanwhile.
        case deciding([Data])
        /// The head was accepted, and the run has its last event.
        case streaming
        /// The head was rejected; the response so far, for the error.
        case collecting(TransportResponse)
        case ended
    }

    private struct State {
        var phase = Phase.waiting
        /// The last event of the transport, if it precedes the decision.
        var last: TransportEvent?
        /// nil once the run has its last event.
        var onEvent: (@Sendable (TransportEvent) -> Void)?
    }

    let pieces = PieceBuffer()
    private let isRefused: @Sendable (TransportResponse) -> Bool
    private let state: Lock<State>

    init(
        isRefused: @escaping @Sendable (TransportResponse) -> Bool,
        onEvent: @escaping @Sendable (TransportEvent) -> Void
    ) {
        self.isRefused = isRefused
        state = Lock(State(onEvent: onEvent))
    }

    /// Cancels on behalf of the run. Once that has its last event, the body belongs to the reader: a run may cancel an
    /// attempt it believes to be over.
    func cancel() {
        if state.withLock({ $0.onEvent != nil }) { abandon() }
    }

    /// Ends the transfer, even with a reader.
    func abandon() {
        let before = state.withLock { exchange(&$0, with: State(phase: .ended)) }
        withExtendedLifetime(before) {}
        pieces.cancel()
    }

    /// Handles the events of the transport, which arrive one at a time.
    func receive(_ event: TransportEvent) {
        switch event {
        case .head(let head): receive(head)
        case .data(let piece): receive(piece)
        case .finished, .failed:
            let isDeciding = state.withLock { state in
                guard case .deciding = state.phase else { return false }
                state.last = event
                return true
            }
            if !isDeciding { finish(event) }
        default: state.withLock { $0.onEvent }?(event)
        }
    }

    private func receive(_ head: ResponseHead) {
        let onEvent = state.withLock { state in
            if case .waiting = state.phase { state.phase = .deciding([]) }
            return state.onEvent
        }
        onEvent?(.head(head))
        pieces.setHeld(true)
        let response = TransportResponse(head: head)
        WorkPool.shared.run { self.decide(response) }
    }

    private func decide(_ response: TransportResponse) {
        if isRefused(response) {
            let early = state.withLock { state -> [Data] in
                guard case .deciding(let early) = state.phase else { return [] }
                state.phase = .collecting(response)
                return early
            }
            for piece in early { receive(piece) }
        } else {
            reportLast(.finished(response, TransportMetrics()))
            while let early = takeEarly() {
                for piece in early { pieces.append(piece) }
            }
        }
        pieces.setHeld(false)
        if let last = state.withLock({ $0.last }) { finish(last) }
    }

    /// Returns nil once all were taken: from then on pieces go straight to the reader.
    private func takeEarly() -> [Data]? {
        state.withLock { state in
            guard case .deciding(let early) = state.phase else { return nil }
            state.phase = early.isEmpty ? .streaming : .deciding([])
            return early.isEmpty ? nil : early
        }
    }

    private func receive(_ piece: Data) {
        enum Step {
            case none, stream
            case cut(TransportResponse)
        }
        let step = state.withLock { state -> Step in
            switch state.phase {
            case .streaming: return .stream
            case .deciding(var early):
                state.phase = .waiting
                early.append(piece)
                state.phase = .deciding(early)
                return .none
            case .collecting(var response):
                state.phase = .waiting
                var body = response.body ?? Data()
                response.body = nil
                let room = StreamTransport.maximumErrorBody - body.count
                body.append(piece.prefix(room))
                response.body = body
                state.phase = .collecting(response)
                return piece.count > room ? .cut(response) : .none
            case .waiting, .ended: return .none
            }
        }
        switch step {
        case .none: return
        case .stream: pieces.append(piece)
        case .cut(let response):
            // Not on the thread of the transport: the last event may take long to handle.
            WorkPool.shared.run {
                self.reportLast(.finished(response, TransportMetrics()))
                self.abandon()
            }
        }
    }

    private func finish(_ event: TransportEvent) {
        let collected = state.withLock { state -> TransportResponse? in
            if case .collecting(let response) = state.phase { response } else { nil }
        }
        switch event {
        case .finished(let response, let metrics):
            pieces.finish(.success(()))
            reportLast(.finished(collected ?? response, metrics))
        case .failed(var error, let metrics):
            pieces.finish(.failure(error))
            if let collected { error.response = collected }
            reportLast(.failed(error, metrics))
        default: return
        }
    }

    /// Delivers the last event of the attempt; only the first call has an effect.
    private func reportLast(_ event: TransportEvent) {
        state.withLock { $0.onEvent.take() }?(event)
    }
}
