#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A transport between a run and its own, for server-sent events: for the run an attempt lasts as long as its
/// connection, while the events bypass it into a queue.
final class EventStreamTransport: Transport, ContinuedStream {
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

    /// A body with the head is that of a middleware, such as a cache: its events are all there are.
    private func takeBody(of response: TransportResponse) throws(CodingFailure) {
        guard let body = response.body, !body.isEmpty else { return }
        let isFirst = state.withLock { state in
            defer { state.hasBody = true }
            return !state.hasBody
        }
        guard isFirst else { return }
        var parser = EventStreamParser()
        queue.add(try parser.parse(body))
    }

    // MARK: For the run

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
        let (previous, generation) = state.withLock { state in
            defer { state.latest = attempt }
            return (state.latest, state.generation)
        }
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
