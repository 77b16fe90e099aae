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
/// Each loop makes a connection of its own, when it begins. Where the connection ends or breaks, the loop connects again
/// after the time that the server has named (3 s by default), with the ID of the last event. A response with 204 ends the
/// loop; another type than `text/event-stream`, and a refused status, throw. Nothing that was taken is kept.
public struct ServerSentEvents<Request: Requestable>: AsyncSequence, Sendable {
    public typealias Element = ServerSentEvent
    public typealias Failure = RequestError<Request.ResponseError>

    let manager: RequestManager
    let request: Request
    let options: RunOptions

    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Connects, reads and connects again.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        private let events: ServerSentEvents
        private var body: ResponseStream<Request.ResponseError>.Body.Iterator?
        private var parser = EventStreamParser()
        private var parsed = Fifo<ServerSentEvent>()
        private var hasConnected = false
        private var hasEnded = false

        init(_ events: ServerSentEvents) { self.events = events }

        /// Returns the next event; nil after a 204, and at the end of a connection that is not to be made again.
        public mutating func next() async throws(Failure) -> ServerSentEvent? {
            while true {
                if let event = parsed.popFirst() { return event }
                guard !hasEnded else { return nil }
                do throws(Failure) {
                    guard try await connect() else { break }
                    try await read()
                } catch {
                    (hasEnded, body) = (true, nil)
                    throw error
                }
            }
            hasEnded = true
            return nil
        }

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(Failure) -> ServerSentEvent? {
            try await next()
        }

        /// False where there is nothing to connect to any more.
        private mutating func connect() async throws(Failure) -> Bool {
            guard body == nil else { return true }
            if hasConnected {
                guard events.reconnects else { return false }
                await events.manager.clock.sleep(for: parser.reconnectionTime ?? .seconds(3))
                if Task.isCancelled { throw .cancelled }
            }
            let stream = try await events.manager.stream(events.streamed(after: parser.lastEventID), events.options)
            guard stream.head.statusCode != 204 else { return false }
            let type = stream.head.headers[.contentType]?.text ?? ""
            let name = type.prefix { $0 != ";" }.filter { $0 != " " }
            guard name.lowercased() == "text/event-stream" else {
                throw .decodingError(
                    CodingFailure("the response is no stream of events: its type is \"\(type)\""),
                    TransportResponse(
                        url: stream.head.url, headers: stream.head.headers, statusCode: stream.head.statusCode))
            }
            // An event that was cut off is dropped.
            let before = parser.reconnectionTime
            parser = EventStreamParser(lastEventID: parser.lastEventID, reconnectionTime: before)
            (body, hasConnected) = (stream.body.makeAsyncIterator(), true)
            return true
        }

        private mutating func read() async throws(Failure) {
            let piece: Data?
            do throws(Failure) {
                piece = try await body?.next()
            } catch {
                switch error {
                case .connectionError, .timedOut:
                    guard events.reconnects else { throw error }
                    piece = nil
                default: throw error
                }
            }
            guard let piece else { return body = nil }
            do throws(CodingFailure) {
                for event in try parser.parse(piece) { parsed.append(event) }
            } catch {
                throw .decodingError(error)
            }
        }
    }
}

extension ServerSentEvents {
    /// Whether the connection is made again after its end.
    fileprivate var reconnects: Bool {
        options.policy.retries > 0 && (request.method.isIdempotent || options.policy.retriesUnsafeMethods)
    }

    fileprivate func streamed(after id: String) -> StreamedRequest<Request> {
        var headers: RequestHeaders = ["Accept": "text/event-stream", "Cache-Control": "no-store"]
        if !id.isEmpty { headers["Last-Event-ID"] = .string(id) }
        return StreamedRequest(base: request, addedHeaders: headers)
    }
}

extension RequestManager {
    /// Returns the server-sent events of a request; connects when a loop over them begins.
    ///
    /// - Parameters:
    ///   - requestable: The request. Its validator looks at the head of each response.
    ///   - authentication: Credentials for a request that has none of its own; nil leaves them to the manager.
    ///   - retry: Which failures to connect are worth another attempt. With 0 retries, and for methods that are not
    ///     idempotent unless the policy allows them, the events end with their connection.
    public final func events<T: Requestable>(
        _ requestable: T, authentication: RequestAuthentication? = nil,
        retry: RetryPolicy = RetryPolicy(
            retries: .max, backoff: .exponential(first: .seconds(1), jitter: 0.2, ceiling: .seconds(60)))
    ) -> ServerSentEvents<T> {
        ServerSentEvents(
            manager: self, request: requestable,
            options: RunOptions(authentication: authentication, policy: retry, sla: nil))
    }
}

extension RunClock {
    /// Returns after `duration`, or when the task is cancelled.
    func sleep(for duration: Duration) async {
        let gate = SleepGate()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                gate.set(continuation)
                gate.keep(schedule(after: duration) { gate.open() })
            }
        } onCancel: {
            gate.open()
        }
    }
}

/// Resumes a continuation once.
private final class SleepGate: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Void, Never>?
        var timer: (any RunTimer)?
        var isOpen = false
    }

    private let state = Lock(State())

    func set(_ continuation: CheckedContinuation<Void, Never>) {
        let isOpen = state.withLock { state in
            if !state.isOpen { state.continuation = continuation }
            return state.isOpen
        }
        if isOpen { continuation.resume() }
    }

    func keep(_ timer: any RunTimer) {
        let isOpen = state.withLock { state in
            if !state.isOpen { state.timer = timer }
            return state.isOpen
        }
        if isOpen { timer.cancel() }
    }

    func open() {
        let before = state.withLock { state in
            defer { state = State(isOpen: true) }
            return state
        }
        before.timer?.cancel()
        before.continuation?.resume()
    }
}
