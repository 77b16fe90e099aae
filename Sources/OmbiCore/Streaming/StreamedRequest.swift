/// A request that keeps the bytes of its response as they are. All other members come from the base request.
struct StreamedRequest<Base: Requestable>: Requestable, RequestWrapper {
    typealias RequestBody = Base.RequestBody
    typealias ResponseBody = Data
    typealias ResponseError = Base.ResponseError

    let base: Base
    /// Headers that replace the request's.
    var addedHeaders: RequestHeaders = [:]
    /// Returns true for responses accepted regardless of the request's validator.
    var passes: @Sendable (TransportResponse) -> Bool = { _ in false }
    /// Replaces the decoder: throws for an invalid response that the validator accepts.
    var check: @Sendable (TransportResponse) throws -> Void = { _ in }
    var downloadProgress: (@Sendable (TransferProgress) -> Void)?
    var wrappedRequest: any Requestable { base }

    var path: String { base.path }
    var method: RequestMethod { base.method }
    var query: [URLQueryItem] { get throws { try base._query } }
    var headers: RequestHeaders { get throws { try base._headers.merging(addedHeaders) } }
    var body: RequestBody? { nil }
    var bodyStream: BodyStream? { get throws { try base._bodyStream } }
    var authentication: RequestAuthentication? { get throws { try base._authentication } }
    var authenticator: (any Authenticator)? { base._authenticator }
    var requestEncoder: BodyEncoder<RequestBody> { base._requestEncoder }
    var responseDecoder: BodyDecoder<Data> {
        .response { [check] response in
            try check(response)
            return response.body
        }
    }
    var timeoutInterval: TimeInterval { base._timeoutInterval }
    var attemptTimeout: Duration? { base._attemptTimeout }
    var requestInterceptor: RequestInterceptor { base._requestInterceptor }
    var uploadProgress: (@Sendable (TransferProgress) -> Void)? { base._uploadProgress }
    /// Lets the compiler infer `RequestBody`.
    var _requestEncoder: BodyEncoder<RequestBody> { base._requestEncoder }
    var _encodedBody: EncodedBody? { get throws { try base._encodedBody } }

    /// The part of the validator that needs no decoded body.
    var responseValidator: ResponseValidator<Data, ResponseError> {
        let validator = base._responseValidator
        return ResponseValidator(beforeDecoding: { [passes] in passes($0) ? nil : validator.refusal(of: $0) })
    }
}

/// A stream as listed by its manager: the run until the head arrives, and then the body.
final class StreamedRun: Running {
    private enum Phase {
        case running(any Requestable)
        case flowing(any Requestable, PieceBuffer)
        case ended
    }

    private struct State {
        var phase: Phase
        var isCancelled = false
    }

    let run: RequestRun
    private let state: Lock<State>

    init(_ run: RequestRun, of request: any Requestable) {
        self.run = run
        state = Lock(State(phase: .running(request)))
    }

    var progress: (attempt: Int, duration: Duration) { run.progress }

    var requestable: (any Requestable)? {
        switch state.withLock({ $0.phase }) {
        case .running(let request), .flowing(let request, _): request
        case .ended: nil
        }
    }

    func cancel() {
        let phase = state.withLock { state in
            state.isCancelled = true
            return state.phase
        }
        run.cancel()
        if case .flowing(_, let pieces) = phase { pieces.cancel() }
    }

    /// Continues with the body until it has been read or cancelled.
    func follow(_ pieces: PieceBuffer, atEnd: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            if case .running(let request) = state.phase { state.phase = .flowing(request, pieces) }
            return state.isCancelled
        }
        if isCancelled { pieces.cancel() }
        pieces.whenOver {
            let before = self.state.withLock { exchange(&$0.phase, with: .ended) }
            withExtendedLifetime(before) {}
            atEnd()
        }
    }
}

/// An attempt that lasts until the body of its response has been read: a Swift task opens a response, or several in a
/// row, and reads the bodies while they arrive.
final class ReadingAttempt: TransportTask {
    typealias OnEvent = @Sendable (TransportEvent) -> Void

    /// A response whose head has arrived; the body follows if the head was accepted.
    struct Opened {
        let stream: StreamAttempt
        /// `finished` with the head, and with the body of a rejected response; or the failure.
        let last: TransportEvent
        let isAccepted: Bool
    }

    private struct State {
        var isCancelled = false
        var stream: StreamAttempt?
        var answer: AsyncStream<TransportEvent>.Continuation?
        var work: Task<Void, Never>?
        var metrics = TransportMetrics()
        var isAccepted = false
    }

    private let base: any Transport
    /// Receives all events except `finished` and `failed`.
    let onEvent: OnEvent
    private let state = Lock(State())

    init(_ base: any Transport, onEvent: @escaping OnEvent) {
        self.base = base
        self.onEvent = onEvent
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }
    /// The cost of the current request, once it has ended.
    var metrics: TransportMetrics { state.withLock { $0.metrics } }

    /// Starts after the end of the previous attempt.
    /// - Parameter run: Returns the last event; nil after `cancel`.
    func start(after previous: ReadingAttempt?, _ run: @escaping @Sendable () async -> TransportEvent?) {
        let work = Task {
            await previous?.end()
            if let last = await run() { self.onEvent(last) }
        }
        state.withLock { $0.work = work }
    }

    func cancel() {
        let (stream, answer) = state.withLock { state in
            state.isCancelled = true
            return (state.stream.take(), state.answer.take())
        }
        stream?.abandon()
        answer?.finish()
    }

    /// Cancels the attempt, and waits until nothing of it is running.
    func end() async {
        cancel()
        await state.withLock { $0.work }?.value
    }

    /// Sends a request, and returns at the head of the response; nil after `cancel`.
    func open(
        _ request: TransportRequest, isRefused: @escaping @Sendable (TransportResponse) -> Bool
    ) async -> Opened? {
        let (answers, answer) = AsyncStream.makeStream(of: TransportEvent.self)
        let stream = StreamAttempt(isRefused: { self.note(isRefused: isRefused($0)) }) { [onEvent] event in
            switch event {
            case .finished, .failed:
                answer.yield(event)
                answer.finish()
            case .received, .body: return
            default: onEvent(event)
            }
        }
        let isCancelled = state.withLock { state in
            guard !state.isCancelled else { return true }
            (state.stream, state.answer) = (stream, answer)
            (state.isAccepted, state.metrics) = (false, TransportMetrics())
            return false
        }
        guard !isCancelled else { return nil }
        var request = request
        request.responseDelivery = .pieces
        stream.pieces.setTask(
            base.start(request) { event in
                self.note(event)
                stream.receive(event)
            })
        var iterator = answers.makeAsyncIterator()
        guard let last = await iterator.next() else { return nil }
        return Opened(stream: stream, last: last, isAccepted: state.withLock { $0.isAccepted })
    }

    private func note(isRefused: Bool) -> Bool {
        state.withLock { $0.isAccepted = !isRefused }
        return isRefused
    }

    private func note(_ event: TransportEvent) {
        switch event {
        case .finished(_, let metrics), .failed(_, let metrics): state.withLock { $0.metrics = metrics }
        default: return
        }
    }
}

/// A connection whose head was accepted.
struct EndedConnection: Equatable {
    /// The wait before the next connection; nil for none.
    var wait: Duration?
}
