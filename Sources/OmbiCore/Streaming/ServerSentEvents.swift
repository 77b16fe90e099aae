#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
            do throws(Failure) {
                let event = try await reader.next()
                hasEnded = event == nil
                return event
            } catch {
                hasEnded = true
                throw error
            }
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
        let isFirst = hasStarted.withLock { hasStarted in
            defer { hasStarted = true }
            return !hasStarted
        }
        if isFirst { manager.start(run) }
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
