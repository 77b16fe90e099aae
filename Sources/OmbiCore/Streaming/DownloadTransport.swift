/// A transport between a run and its own, for a response saved to a file: for the run an attempt ends when the file is
/// complete, so that retries and the SLA apply to the whole download. An attempt continues where the previous one broke
/// off.
final class DownloadTransport: Transport {
    private struct State {
        var latest: ReadingAttempt?
        var completion: TransportResponse?
        var problem: UnwritableFile?
    }

    let base: any Transport
    let file: PartialFile
    /// Returns true for responses other than a file.
    let isRefused: @Sendable (TransportResponse) -> Bool
    private let state = Lock(State())

    init(_ base: any Transport, into file: PartialFile, isRefused: @escaping @Sendable (TransportResponse) -> Bool) {
        self.base = base
        self.file = file
        self.isRefused = isRefused
    }

    var acceptedEncodings: String? { base.acceptedEncodings }
    /// The response that completed the file; nil until then.
    var completion: TransportResponse? { state.withLock { $0.completion } }
    var problem: UnwritableFile? { state.withLock { $0.problem } }

    func start(
        _ request: TransportRequest, onEvent: @escaping @Sendable (TransportEvent) -> Void
    ) -> any TransportTask {
        let attempt = ReadingAttempt(base, onEvent: onEvent)
        let previous = state.withLock { state in
            state.completion = nil
            return exchange(&state.latest, with: attempt)
        }
        attempt.start(after: previous) { await DownloadAttempt(self, attempt).run(request) }
        return attempt
    }

    func complete(by response: TransportResponse) { state.withLock { $0.completion = response } }

    func fail(_ problem: UnwritableFile) { state.withLock { $0.problem = problem } }

    /// Waits until nothing writes the file any more.
    func end() async {
        await state.withLock { $0.latest.take() }?.end()
    }
}

/// One attempt at a file: requests the missing part and, if that cannot be used, the whole.
struct DownloadAttempt: Sendable {
    /// The result of one request.
    private enum Step {
        /// The last event.
        case report(TransportEvent)
        /// Another request follows, from the end of the file or without a range.
        case again(usingRanges: Bool)
        case cancelled
    }

    private typealias Opened = ReadingAttempt.Opened
    private typealias Point = (offset: Int, record: PartialFile.Record)

    let download: DownloadTransport
    let attempt: ReadingAttempt
    private var file: PartialFile { download.file }

    init(_ download: DownloadTransport, _ attempt: ReadingAttempt) {
        self.download = download
        self.attempt = attempt
    }

    /// Returns the last event; nil if the attempt was cancelled.
    func run(_ request: TransportRequest) async -> TransportEvent? {
        // Ranges are defined for GET alone (RFC 9110 §14.2), and a request may set its own.
        var usesRanges = request.method == .get && request.headers[.range] == nil
        while true {
            switch await step(request, from: usesRanges ? file.resumePoint : nil) {
            case .report(let last): return last
            case .again(let usingRanges): usesRanges = usingRanges
            case .cancelled: return nil
            }
        }
    }

    private func step(_ request: TransportRequest, from point: Point?) async -> Step {
        var request = request
        if let point {
            request.headers[.range] = .string("bytes=\(point.offset)-")
            request.headers[.ifRange] = .string(point.record.validator)
        }
        let isPart = point != nil
        let opened = await attempt.open(request) { response in
            !(response.statusCode == 206 && isPart) && download.isRefused(response)
        }
        guard let opened else { return .cancelled }
        guard case .finished(let response, _) = opened.last else { return .report(opened.last) }
        do {
            switch (response.statusCode, point) {
            case (416, .some(let point)):
                return response.ends(point) ? complete(response) : try await startAgain(opened)
            case (206, .some(let point)):
                guard let range = response.continuation(of: point) else { return try await startAgain(opened) }
                return try await copy(opened, response, end: range.last + 1, total: range.total ?? point.record.total)
            case (206, nil) where opened.isAccepted && request.headers[.range] == nil:
                opened.stream.abandon()
                return .report(
                    failure(.malformedResponse, "the server sent a part (206) where the whole was asked for"))
            default:
                guard opened.isAccepted else { return .report(opened.last) }
                let total = request.method == .head ? 0 : response.bodyLength
                try await file.startOver(
                    validator: response.statusCode == 200 ? response.resumeValidator : nil, total: total)
                return try await copy(opened, response, end: total, total: total)
            }
        } catch {
            opened.stream.abandon()
            download.fail(error)
            return .report(failure(.responseNotStored, error.description))
        }
    }

    /// Handles a range that does not continue the file: the whole is requested, and no further range in this attempt.
    private func startAgain(_ opened: Opened) async throws(UnwritableFile) -> Step {
        opened.stream.abandon()
        try await file.startOver()
        return .again(usingRanges: false)
    }

    /// Writes the body to the file.
    /// - Parameters:
    ///   - end: The end of the body in the file; nil if unknown.
    ///   - total: The length of the whole file.
    private func copy(
        _ opened: Opened, _ response: TransportResponse, end: Int?, total: Int?
    ) async throws(UnwritableFile) -> Step {
        attempt.onEvent(.received(bytes: file.length, expected: total))
        while true {
            let pieces: [Data]?
            do throws(TransportError) {
                pieces = try await opened.stream.pieces.nextPieces()
            } catch {
                return attempt.isCancelled ? .cancelled : .report(.failed(error, attempt.metrics))
            }
            guard let pieces else { break }
            try await file.append(pieces)
            guard file.length <= end ?? .max else {
                opened.stream.abandon()
                try await file.startOver()
                return .report(failure(.malformedResponse, "the response is longer than it says"))
            }
            attempt.onEvent(.received(bytes: file.length, expected: total))
        }
        if let end, file.length < end {
            return .report(failure(.connectionLost, "the response ended after \(file.length) of \(end) bytes"))
        }
        // A server may send less than requested.
        if response.statusCode == 206, file.resumePoint != nil, file.length != total {
            return .again(usingRanges: true)
        }
        return complete(response)
    }

    private func complete(_ response: TransportResponse) -> Step {
        var response = response
        response.body = nil
        download.complete(by: response)
        return .report(.finished(response, attempt.metrics))
    }

    private func failure(_ code: TransportError.Code, _ message: String) -> TransportEvent {
        .failed(TransportError(code: code, message: message), attempt.metrics)
    }
}

extension TransportResponse {
    fileprivate var resumeValidator: String? {
        guard let headers, !headers.isEncoded else { return nil }
        return headers.resumeValidator
    }

    /// The announced length in bytes; nil if unknown.
    fileprivate var bodyLength: Int? {
        guard let headers, !headers.isEncoded, headers["Transfer-Encoding"] == nil else { return nil }
        return headers[.contentLength].flatMap { Int($0.text) }
    }

    private var contentRange: ContentRange? { headers?[.contentRange].flatMap { ContentRange($0.text) } }

    /// Returns true if nothing follows the existing bytes (RFC 9110 §15.5.17).
    fileprivate func ends(_ point: (offset: Int, record: PartialFile.Record)) -> Bool {
        guard let content = contentRange, content.range == nil else { return false }
        return content.total == point.offset && point.offset == point.record.total ?? point.offset
            && isSame(point.record)
    }

    /// Returns the last byte of a part that continues the existing bytes, and the length of the whole (RFC 9110
    /// §15.3.7).
    fileprivate func continuation(
        of point: (offset: Int, record: PartialFile.Record)
    ) -> (last: Int, total: Int?)? {
        guard let content = contentRange, let range = content.range, range.lowerBound == point.offset,
            content.total ?? point.record.total == point.record.total ?? content.total, headers?.isEncoded == false,
            range.upperBound < point.record.total ?? .max, isSame(point.record)
        else { return nil }
        return (range.upperBound, content.total)
    }

    /// Returns false if the response names another version than the requested one.
    private func isSame(_ record: PartialFile.Record) -> Bool {
        guard record.validator.hasPrefix("\""), let tag = headers?[.etag]?.text else { return true }
        return tag == record.validator
    }
}
