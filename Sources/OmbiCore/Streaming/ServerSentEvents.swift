/// The server-sent events of a request, from `RequestManager.events(_:authentication:retry:)`.
///
///     for try await event in manager.events(Prices()) where event.type == "price" {
///         show(event.data)
///     }
///
/// The first loop connects. When the connection ends or breaks, it is made again after the server's reconnection time
/// (3 s by default), with the ID of the last event. A response with 204 ends the loop; a type other than
/// `text/event-stream`, and a rejected status, throw. Each event is delivered once: two loops share them.
///
/// All connections are attempts of one run, whose events and controls are in `handle`. The run continues as long as the
/// value or one of its iterators is kept. At most some 256 KiB of events are buffered: beyond that the transfer is
/// paused. Events are not kept after reading.
public struct ServerSentEvents<Request: Requestable>: AsyncSequence, Sendable {
    public typealias Element = ServerSentEvent
    public typealias Failure = RequestError<Request.ResponseError>

    private let reader: EventReader<Request>

    init(reader: EventReader<Request>) { self.reader = reader }

    /// The run: each connection is one of its attempts, with `AttemptReport.Reason.reconnect` from the second on.
    /// `skipWait()` connects at once, and `giveUp()` ends the events with the current connection.
    public var handle: any RequestHandle { reader.handle }

    public func makeAsyncIterator() -> Iterator { Iterator(reader: reader) }

    /// An iterator that waits for each event.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        private let reader: EventReader<Request>
        private var hasEnded = false

        init(reader: EventReader<Request>) { self.reader = reader }

        /// Returns the next event; nil after a 204, and at the end of a connection that is not made again.
        public mutating func next() async throws(Failure) -> ServerSentEvent? {
            guard !hasEnded else { return nil }
            // An error is the end.
            hasEnded = true
            let event = try await reader.next()
            hasEnded = event == nil
            return event
        }

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(Failure) -> ServerSentEvent? {
            try await next()
        }
    }
}

/// The reading end of a stream of events: ends the run when it is released.
final class EventReader<Request: Requestable>: Sendable {
    private let manager: RequestManager
    private let source: EventStreamTransport
    private let outcome = RunOutcome<StreamedRequest<Request>>()
    private let run: RequestRun
    private let hasStarted = Lock(false)

    init(_ manager: RequestManager, _ request: Request, _ options: RunOptions) {
        self.manager = manager
        let policy = options.policy
        let validator = StreamedRequest(base: request).responseValidator
        let source = EventStreamTransport(
            manager.transport, clock: manager.clock, log: manager.log,
            maximumWait: policy.retries > 0 && (request.method.isIdempotent || policy.retriesUnsafeMethods)
                ? policy.maximumRetryAfter : nil
        ) { policy.repeats($0) || validator.refusal(of: $0) != nil }
        self.source = source
        var options = options
        options.stream = source
        run = manager.makeRun(
            StreamedRequest(
                base: request, addedHeaders: ["Accept": "text/event-stream", "Cache-Control": "no-store"],
                check: { try source.check($0) }),
            options, fallback: nil, recordsEvents: true, transport: source, outcome: outcome)
        _ = outcome.wait { source.queue.finish() }
    }

    deinit { run.cancel() }

    var handle: any RequestHandle { RequestTask(run: run, outcome: outcome) }

    func next() async throws(RequestError<Request.ResponseError>) -> ServerSentEvent? {
        let event = await withTaskCancellationHandler {
            start()
            return await source.queue.next()
        } onCancel: {
            run.cancel()
            source.queue.finish(dropping: true)
        }
        guard event == nil else { return event }
        if Task.isCancelled { throw .cancelled }
        if case .failure(let error) = outcome.current { throw error }
        return nil
    }

    /// Does nothing after the first call; a run that was cancelled before sends nothing.
    private func start() {
        if !hasStarted.withLock({ exchange(&$0, with: true) }) { manager.start(run) }
    }
}

extension RequestManager {
    /// Returns the server-sent events of a request; connects when the first loop over them starts.
    ///
    /// An attempt lasts as long as its connection, and so does the call of a middleware's `next`, which returns the
    /// head.
    ///
    /// - Parameters:
    ///   - requestable: The request. Its validator checks the head of each response.
    ///   - authentication: Credentials for a request without its own; nil uses those of the manager.
    ///   - retry: The policy for failures to connect; an accepted connection resets the count and the backoff. With 0
    ///     retries, and for methods that are not idempotent unless the policy allows them, the events end with their
    ///     connection.
    public final func events<T: Requestable>(
        _ requestable: T, authentication: RequestAuthentication? = nil,
        retry: RetryPolicy = RetryPolicy(
            retries: .max, backoff: .exponential(first: .seconds(1), jitter: 0.2, ceiling: .seconds(60)))
    ) -> ServerSentEvents<T> {
        ServerSentEvents(
            reader: EventReader(
                self, requestable, RunOptions(authentication: authentication, policy: retry, sla: nil)))
    }
}

/// A transport between a run and its own, for server-sent events: for the run an attempt lasts as long as its
/// connection, while the events bypass it into a queue.
final class EventStreamTransport: Transport {
    /// The HTML standard's "few seconds".
    private static let usualWait: Duration = .seconds(3)

    private struct State {
        var parser = EventStreamParser()
        /// The number of attempts of the run; bytes from connections of earlier ones are ignored.
        var generation = 0
        var latest: ReadingAttempt?
        /// True after the head of the latest connection was accepted.
        var stands = false
        var problem: CodingFailure?
        /// True after the events of a body that came with its head.
        var hasBody = false
        var lastArrival: Duration?
    }

    let queue = EventQueue()
    private let base: any Transport
    private let clock: any RunClock
    private let startedAt: Duration
    /// The maximum wait before a connection is made again after its end; nil if none is made.
    private let maximumWait: Duration?
    private let log: RequestLog?
    private let isRefused: @Sendable (TransportResponse) -> Bool
    private let state = Lock(State())

    init(
        _ base: any Transport, clock: any RunClock, log: RequestLog?, maximumWait: Duration?,
        isRefused: @escaping @Sendable (TransportResponse) -> Bool
    ) {
        self.base = base
        self.clock = clock
        startedAt = clock.now
        self.log = log
        self.maximumWait = maximumWait
        self.isRefused = isRefused
    }

    var acceptedEncodings: String? { base.acceptedEncodings }

    /// Throws if a response is not a stream of events; one with a 204 is the end of the events.
    func check(_ response: TransportResponse) throws {
        if let problem = state.withLock({ $0.problem }) { throw problem }
        guard response.statusCode != 204 else { return }
        if response.isEventStream { return try takeBody(of: response) }
        let type = response.headers?[.contentType]?.text ?? ""
        throw CodingFailure("the response is no stream of events: its type is \"\(type.visible)\"")
    }

    /// The events of a response whose body came with its head, as a middleware such as a cache returns it.
    private func takeBody(of response: TransportResponse) throws(CodingFailure) {
        guard let body = response.body, !body.isEmpty else { return }
        guard !state.withLock({ exchange(&$0.hasBody, with: true) }) else { return }
        var parser = EventStreamParser()
        queue.add(try parser.parse(body))
    }

    // MARK: For the run

    /// Returns the request of the next connection, on the thread that starts the attempt.
    func continued(_ request: TransportRequest) -> TransportRequest {
        let id = state.withLock { state in
            state.generation += 1
            // An incomplete event is dropped.
            state.parser = EventStreamParser(
                lastEventID: state.parser.lastEventID, reconnectionTime: state.parser.reconnectionTime)
            state.stands = false
            return state.parser.lastEventID
        }
        guard !id.isEmpty else { return request }
        var request = request
        request.headers["Last-Event-ID"] = .string(id)
        return request
    }

    /// Read at the end of an attempt; nil if its response was rejected, or none arrived.
    var endedConnection: EndedConnection? {
        state.withLock { state in
            guard state.stands, state.problem == nil else { return nil }
            return EndedConnection(wait: maximumWait.map { min(state.parser.reconnectionTime ?? Self.usualWait, $0) })
        }
    }

    func start(
        _ request: TransportRequest, onEvent: @escaping @Sendable (TransportEvent) -> Void
    ) -> any TransportTask {
        let attempt = ReadingAttempt(base, onEvent: onEvent)
        let (previous, generation) = state.withLock { (exchange(&$0.latest, with: attempt), $0.generation) }
        attempt.start(after: previous) { await self.read(request, attempt, generation) }
        return attempt
    }

    // MARK: Connections

    /// Returns the last event of an attempt.
    private func read(
        _ request: TransportRequest, _ attempt: ReadingAttempt, _ generation: Int
    ) async -> TransportEvent? {
        let opened = await attempt.open(request) { [isRefused] in !$0.isEventStream || isRefused($0) }
        guard let opened else { return nil }
        guard opened.isAccepted, case .finished(let response, _) = opened.last else { return opened.last }
        let isCurrent = state.withLock { state in
            guard state.generation == generation else { return false }
            state.stands = true
            return true
        }
        guard isCurrent else { return nil }
        log?.response(response, to: request)
        do throws(TransportError) {
            try await readEvents(opened, attempt, generation)
        } catch {
            return attempt.isCancelled ? nil : .failed(error, attempt.metrics)
        }
        return .finished(response, attempt.metrics)
    }

    private func readEvents(
        _ opened: ReadingAttempt.Opened, _ attempt: ReadingAttempt, _ generation: Int
    ) async throws(TransportError) {
        var byteCount = 0
        while let pieces = try await opened.stream.pieces.nextPieces() {
            for piece in pieces {
                guard let events = parse(piece, generation) else { return opened.stream.abandon() }
                if !events.isEmpty { await queue.put(events) }
                byteCount += piece.count
            }
            attempt.onEvent(.received(bytes: byteCount, expected: nil))
        }
    }

    /// Returns nil at the end of the stream.
    private func parse(_ piece: Data, _ generation: Int) -> [ServerSentEvent]? {
        let now = clock.now - startedAt
        return state.withLock { state in
            guard state.generation == generation, state.problem == nil else { return nil }
            do throws(CodingFailure) {
                var events = try state.parser.parse(piece)
                for index in events.indices {
                    events[index].arrivedAt = now
                    events[index].gap = state.lastArrival.map { now - $0 }
                    state.lastArrival = now
                }
                return events
            } catch {
                state.problem = error
                return nil
            }
        }
    }
}

extension TransportResponse {
    fileprivate var isEventStream: Bool {
        statusCode != 204 && MediaType.essence(of: headers?[.contentType]?.text ?? "") == "text/event-stream"
    }
}
