internal import CCurl

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One attempt on the wire: from the first option that is set to the last event that is told. Belongs to a loop, on
/// whose queue libcurl calls back.
final class CurlTransfer {
    private let job: CurlJob
    let configuration: CurlTransport.Configuration

    private(set) var handle: CurlHandle?
    private(set) var hop: Hop
    private(set) var redirects = 0
    private(set) var head = ResponseHeadParser()
    private(set) var body = ResponseBody()
    private(set) var phases = PhaseClock(startedAt: .zero)
    /// Why Ombi itself stopped the transfer.
    private(set) var ownFailure: TransportError?
    private var reader: (any BodyReader)?
    private var followsRedirect = false
    private var bytesSent = 0
    private var bytesTold = 0
    private var headerBytes = 0
    private var lastProgressAt = Duration.zero

    /// Of all responses of the attempt together; newer versions of libcurl give up at 300 KiB, with fewer words.
    private static let maximumHeaderBytes = 256 << 10
    private static let progressInterval: Duration = .milliseconds(40)

    init(_ job: CurlJob, configuration: CurlTransport.Configuration) {
        self.job = job
        self.configuration = configuration
        hop = Hop(job.request)
    }

    var timeLimit: Duration { request.attemptTimeout ?? request.idleTimeout ?? .longest }
    var id: Int { job.id }
    var request: TransportRequest { job.request }

    /// Since the start of the attempt.
    var now: Duration { ContinuousClock.now - job.startedAt }

    func begin(on handle: CurlHandle) throws(TransportError) {
        self.handle = handle
        try prepare(handle)
    }

    private func prepare(_ handle: CurlHandle) throws(TransportError) {
        guard openBody() else { throw ownFailure ?? TransportError(code: .requestBodyFailed) }
        CurlSetup(handle: handle).apply(hop.withCookies(from: request.cookieJar), timeLeft: timeLimit - now)
    }

    func enter(_ phase: RequestPhase) {
        guard phases.phase != phase, phases.enter(phase, at: now) else { return }
        job.onEvent(.phase(phase))
    }

    /// The connection stands; the request goes out now.
    func startsSending() {
        enter(.send)
        if hop.bodyLength == 0 { enter(.wait) }
    }

    /// Goes to the start of the stream that is to be sent. False when it cannot be opened.
    func openBody() -> Bool {
        do {
            reader = try hop.bodyStream?.open()
            return true
        } catch {
            ownFailure = TransportError(code: .requestBodyFailed, message: "\(error)")
            return false
        }
    }

    /// nil to stop the transfer.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        do {
            return try reader?.read(into: buffer) ?? 0
        } catch {
            ownFailure = TransportError(code: .requestBodyFailed, message: "\(error)")
            return nil
        }
    }

    func sent(bytes: Int) {
        let expected = hop.bodyLength
        guard bytes > bytesSent else { return }
        bytesSent = bytes
        if bytes >= expected || isProgressDue() { job.onEvent(.sent(bytes: bytes, expected: expected)) }
        if bytes >= expected, phases.phase == .send { enter(.wait) }
    }

    /// False to stop the transfer.
    func received(headerLine line: UnsafeRawBufferPointer) -> Bool {
        if phases.phase != .receive { startsReceiving() }
        headerBytes += line.count
        guard headerBytes <= Self.maximumHeaderBytes else {
            ownFailure = TransportError(
                code: .responseTooLarge,
                message: "the header from \(hop.place) is larger than \(Self.maximumHeaderBytes) bytes")
            return false
        }
        guard head.add(line) else { return true }
        request.cookieJar?.store(head.headers, from: hop.url)
        followsRedirect =
            configuration.maximumRedirects > 0 && Hop.isRedirect(head.statusCode) && head.headers[.location] != nil
        guard !followsRedirect else { return true }
        job.onEvent(.head(ResponseHead(url: hop.url, statusCode: head.statusCode, headers: head.headers)))
        body = ResponseBody(length: mayHaveBody ? head.contentLength : 0, configuration: configuration)
        if let store = body.store { job.onEvent(.body(store)) }
        return true
    }

    /// libcurl tells how much it has sent only now and then; what a response answers must have been told before it.
    private func startsReceiving() {
        if hop.bodyLength > 0, let handle { sent(bytes: handle.size(CURLINFO_SIZE_UPLOAD_T)) }
        enter(.receive)
    }

    /// False to stop the transfer.
    func received(body bytes: UnsafeRawBufferPointer) -> Bool {
        guard !followsRedirect else { return true }
        guard bytes.count <= configuration.maximumResponseBytes - body.count else {
            ownFailure = TransportError(
                code: .responseTooLarge,
                message: "the response from \(hop.place) is larger than \(configuration.maximumResponseBytes) bytes")
            return false
        }
        do {
            try body.append(bytes)
        } catch {
            ownFailure = error
            return false
        }
        if isProgressDue() { tellReceived() }
        return true
    }

    private var mayHaveBody: Bool { hop.method != .head && ![204, 304].contains(head.statusCode) }

    private func tellReceived() {
        guard body.count > bytesTold else { return }
        bytesTold = body.count
        job.onEvent(.received(bytes: bytesTold, expected: head.contentLength))
    }

    private func isProgressDue() -> Bool {
        let now = now
        guard now - lastProgressAt >= Self.progressInterval else { return false }
        lastProgressAt = now
        return true
    }

    /// nil when the attempt goes on to where a redirect points.
    func finish(_ result: CURLcode) -> CurlEnd? {
        guard let handle else { return nil }
        if result == CURLE_OK, followsRedirect {
            do {
                try follow(handle)
                return nil
            } catch {
                return end(.failed(error, metrics(handle)))
            }
        }
        let metrics = metrics(handle)
        if result == CURLE_OK, ownFailure == nil {
            tellReceived()
            let response = TransportResponse(
                url: hop.url, headers: head.headers, statusCode: head.statusCode, body: body.data)
            return end(.finished(response, metrics))
        }
        let error = ownFailure ?? CurlFailure(transfer: self, handle: handle, code: result).error
        tellPart()
        return end(.failed(error, metrics))
    }

    private func follow(_ handle: CurlHandle) throws(TransportError) {
        guard redirects < configuration.maximumRedirects else {
            throw TransportError(
                code: .tooManyRedirects,
                message:
                    "\(LogMask.url(request.url.absoluteString)) redirects more than \(configuration.maximumRedirects) times"
            )
        }
        let text = handle.text(CURLINFO_REDIRECT_URL) ?? head.headers[.location]?.text ?? ""
        guard let target = URL(string: text), ["http", "https"].contains(target.scheme?.lowercased()) else {
            throw TransportError(
                code: .unsupportedURL, message: "\(hop.place) redirects to \"\(text)\", which is not an HTTP URL")
        }
        guard now < timeLimit else { throw CurlFailure.timedOut(hop.place, after: timeLimit) }
        redirects += 1
        hop.follow(to: target, statusCode: head.statusCode)
        head = ResponseHeadParser()
        body = ResponseBody()
        followsRedirect = false
        bytesSent = 0
        try prepare(handle)
    }

    func cancel() -> CurlEnd? {
        handle.map {
            tellPart()
            return end(.failed(Self.cancelled, metrics($0)))
        }
    }

    /// Shows what came of a small body, too, when no more comes.
    private func tellPart() {
        guard body.store == nil, !followsRedirect else { return }
        body.moveToStore(configuration)
        guard let store = body.store else { return }
        job.onEvent(.body(store))
        tellReceived()
    }

    func refuse(_ error: TransportError) -> CurlEnd { end(.failed(error, TransportMetrics())) }

    private static let cancelled = TransportError(code: .cancelled, message: "cancelled")

    private func end(_ event: TransportEvent) -> CurlEnd {
        handle = nil
        reader = nil
        body.store?.close()
        return CurlEnd(event: event, onEvent: job.onEvent)
    }
}
