#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One attempt at a file: asks for what is missing, and, where that cannot be used, for the whole.
final class DownloadAttempt: TransportTask {
    typealias OnEvent = @Sendable (TransportEvent) -> Void

    /// What comes of one request.
    private enum Step {
        /// The last event.
        case tell(TransportEvent)
        /// Another request follows, from where the file ends or without a range.
        case again(usingRanges: Bool)
        case cancelled
    }

    /// A response whose head has come; the body follows where the head was accepted.
    private struct Opened {
        var stream: StreamAttempt
        var last: TransportEvent
        var isAccepted: Bool
    }

    private struct State {
        var isCancelled = false
        var stream: StreamAttempt?
        var answer: AsyncStream<TransportEvent>.Continuation?
        var work: Task<Void, Never>?
        /// Of the request under way.
        var metrics = TransportMetrics()
        var isAccepted = false
    }

    private let download: DownloadTransport
    private let onEvent: OnEvent
    private let state = Lock(State())
    private var file: PartialFile { download.file }

    init(_ download: DownloadTransport, onEvent: @escaping OnEvent) {
        self.download = download
        self.onEvent = onEvent
    }

    /// Begins when the attempt before has let go of the file.
    func start(_ request: TransportRequest, after previous: DownloadAttempt?) {
        let work = Task {
            await previous?.end()
            await self.run(request)
        }
        state.withLock { $0.work = work }
    }

    func cancel() {
        let before = state.withLock { state in
            defer { (state.isCancelled, state.stream, state.answer) = (true, nil, nil) }
            return state
        }
        before.stream?.abandon()
        before.answer?.finish()
    }

    /// Returns when nothing of it is under way any more.
    func end() async {
        cancel()
        await state.withLock { $0.work }?.value
    }

    private func run(_ request: TransportRequest) async {
        // Ranges are defined for GET alone (RFC 9110 §14.2), and a request may have one of its own.
        var usesRanges = request.method == .get && request.headers[.range] == nil
        while true {
            switch await step(request, from: usesRanges ? file.resumePoint : nil) {
            case .tell(let last): return onEvent(last)
            case .again(let usingRanges): usesRanges = usingRanges
            case .cancelled: return
            }
        }
    }

    private typealias Point = (offset: Int, record: PartialFile.Record)

    private func step(_ request: TransportRequest, from point: Point?) async -> Step {
        var request = request
        request.responseDelivery = .pieces
        if let point {
            request.headers[.range] = .string("bytes=\(point.offset)-")
            request.headers[.ifRange] = .string(point.record.validator)
        }
        guard let opened = await open(request, isPart: point != nil) else { return .cancelled }
        guard case .finished(let response, _) = opened.last else { return .tell(opened.last) }
        do {
            switch (response.statusCode, point) {
            case (416, .some(let point)):
                return response.ends(point) ? complete(response) : try await startAgain(opened)
            case (206, .some(let point)):
                guard let range = response.continuation(of: point) else { return try await startAgain(opened) }
                return try await copy(opened, response, end: range.last + 1, total: range.total ?? point.record.total)
            case (206, nil) where opened.isAccepted && request.headers[.range] == nil:
                opened.stream.abandon()
                return .tell(failure(.malformedResponse, "the server sent a part (206) where the whole was asked for"))
            default:
                guard opened.isAccepted else { return .tell(opened.last) }
                let total = request.method == .head ? 0 : response.bodyLength
                try await file.startOver(
                    validator: response.statusCode == 200 ? response.resumeValidator : nil, total: total)
                return try await copy(opened, response, end: total, total: total)
            }
        } catch {
            opened.stream.abandon()
            download.fail(error)
            return .tell(failure(.responseNotStored, error.description))
        }
    }

    /// A range that does not continue what there is: the whole is fetched, and in this attempt no range is asked for again.
    private func startAgain(_ opened: Opened) async throws(UnwritableFile) -> Step {
        opened.stream.abandon()
        try await file.startOver()
        return .again(usingRanges: false)
    }

    /// nil after `cancel`.
    private func open(_ request: TransportRequest, isPart: Bool) async -> Opened? {
        let (answers, answer) = AsyncStream.makeStream(of: TransportEvent.self)
        let stream = StreamAttempt(isRefused: { self.isRefused($0, isPart: isPart) }) { [onEvent] event in
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
        stream.pieces.setTask(
            download.base.start(request) { event in
                self.note(event)
                stream.receive(event)
            })
        var iterator = answers.makeAsyncIterator()
        guard let last = await iterator.next() else { return nil }
        return Opened(stream: stream, last: last, isAccepted: state.withLock { $0.isAccepted })
    }

    private func isRefused(_ response: TransportResponse, isPart: Bool) -> Bool {
        let isRefused = response.statusCode == 206 && isPart ? false : download.isRefused(response)
        state.withLock { $0.isAccepted = !isRefused }
        return isRefused
    }

    private func note(_ event: TransportEvent) {
        switch event {
        case .finished(_, let metrics), .failed(_, let metrics): state.withLock { $0.metrics = metrics }
        default: return
        }
    }

    /// Writes the body down.
    /// - Parameters:
    ///   - end: Where the body ends in the file; nil where that is not known.
    ///   - total: The length of the whole file.
    private func copy(
        _ opened: Opened, _ response: TransportResponse, end: Int?, total: Int?
    ) async throws(UnwritableFile) -> Step {
        onEvent(.received(bytes: file.length, expected: total))
        while true {
            let pieces: [Data]?
            do throws(TransportError) {
                pieces = try await opened.stream.pieces.nextPieces()
            } catch {
                return isCancelled ? .cancelled : .tell(.failed(error, metrics))
            }
            guard let pieces else { break }
            try await file.append(pieces)
            guard file.length <= end ?? .max else {
                opened.stream.abandon()
                try await file.startOver()
                return .tell(failure(.malformedResponse, "the response is longer than it says"))
            }
            onEvent(.received(bytes: file.length, expected: total))
        }
        if let end, file.length < end {
            return .tell(failure(.connectionLost, "the response ended after \(file.length) of \(end) bytes"))
        }
        // A server may send less than was asked for.
        if response.statusCode == 206, file.resumePoint != nil, file.length != total {
            return .again(usingRanges: true)
        }
        return complete(response)
    }

    private func complete(_ response: TransportResponse) -> Step {
        var response = response
        response.body = nil
        download.complete(by: response)
        return .tell(.finished(response, metrics))
    }

    private var isCancelled: Bool { state.withLock { $0.isCancelled } }
    private var metrics: TransportMetrics { state.withLock { $0.metrics } }

    private func failure(_ code: TransportError.Code, _ message: String) -> TransportEvent {
        .failed(TransportError(code: code, message: message), metrics)
    }
}

extension TransportResponse {
    fileprivate var resumeValidator: String? {
        guard let headers, !headers.isEncoded else { return nil }
        return headers.resumeValidator
    }

    /// nil where it is not known.
    fileprivate var bodyLength: Int? {
        guard let headers, !headers.isEncoded, headers["Transfer-Encoding"] == nil else { return nil }
        return headers[.contentLength].flatMap { Int($0.text) }
    }

    private var contentRange: ContentRange? { headers?[.contentRange].flatMap { ContentRange($0.text) } }

    /// Whether there is nothing after what is there (RFC 9110 §15.5.17).
    fileprivate func ends(_ point: (offset: Int, record: PartialFile.Record)) -> Bool {
        guard let content = contentRange, content.range == nil else { return false }
        return content.total == point.offset && point.offset == point.record.total ?? point.offset
            && isSame(point.record)
    }

    /// The last byte of a part that continues what is there, and the length of the whole (RFC 9110 §15.3.7).
    fileprivate func continuation(
        of point: (offset: Int, record: PartialFile.Record)
    ) -> (last: Int, total: Int?)? {
        guard let content = contentRange, let range = content.range, range.lowerBound == point.offset,
            content.total ?? point.record.total == point.record.total ?? content.total, headers?.isEncoded == false,
            range.upperBound < point.record.total ?? .max, isSame(point.record)
        else { return nil }
        return (range.upperBound, content.total)
    }

    /// False where the response names another version than was asked for.
    private func isSame(_ record: PartialFile.Record) -> Bool {
        guard record.validator.hasPrefix("\""), let tag = headers?[.etag]?.text else { return true }
        return tag == record.validator
    }
}
