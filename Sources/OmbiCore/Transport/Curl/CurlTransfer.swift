#if canImport(CCurl)
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
    private(set) var redirects: [RedirectReport] = []
    /// Connections that were made for the redirects so far.
    private(set) var connectionsOfRedirects = 0
    private(set) var tls: TLSReport?
    private var decoder: ContentDecoder?
    private(set) var head = ResponseHeadParser()
    private(set) var body = ResponseBody()
    private(set) var phases = PhaseClock(startedAt: .zero)
    /// Why Ombi itself stopped the transfer.
    private(set) var ownFailure: TransportError?
    private var reader: (any BodyReader)?
    private(set) var followsRedirect = false
    private var bytesSkipped = 0
    private var wantsOtherConnection = false
    private var hasStartedAgain = false
    private var bytesSent = 0
    private var bytesTold = 0
    private var headerBytes = 0
    private var lastProgressAt = Duration.zero

    /// Of all responses of the attempt together; newer versions of libcurl give up at 300 KiB, with fewer words.
    private static let maximumHeaderBytes = 256 << 10
    /// Of the body of a redirect, which nobody reads; beyond that the connection is given up.
    private static let maximumSkippedBytes = 64 << 10
    /// libcurl takes a body up to here into its own memory, and sends it together with the header.
    private static let maximumBodyInMemory = 64 << 10
    private static let progressInterval: Duration = .milliseconds(40)

    init(_ job: CurlJob, configuration: CurlTransport.Configuration) {
        self.job = job
        self.configuration = configuration
        hop = Hop(job.request)
        hop.streamBody(above: Self.maximumBodyInMemory)
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
        try handle.use(request.settings, hop.trust)
        try CurlSetup(handle: handle).apply(hop.withCookies(from: request.cookieJar), timeLeft: timeLimit - now)
    }

    func enter(_ phase: RequestPhase) {
        guard phases.phase != phase, phases.enter(phase, at: now) else { return }
        job.onEvent(.phase(phase))
    }

    /// The connection stands; the request goes out now. False when it must not go over this one.
    func startsSending(localPort: CInt) -> Bool {
        if let handle, handle.pool.hasUnaskedBytes(for: handle, localPort: localPort) {
            wantsOtherConnection = true
            return false
        }
        noteTLS()
        enter(.send)
        if hop.bodyLength == 0 { enter(.wait) }
        return true
    }

    /// Before libcurl lets go of the handle.
    func leaveConnection(_ result: CURLcode) {
        if result == CURLE_OK, head.httpVersion?.hasPrefix("1") == true, let handle { handle.pool.leave(handle) }
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
            return stop(
                .responseTooLarge, "the header from \(hop.url.place) is larger than \(Self.maximumHeaderBytes) bytes")
        }
        guard head.add(line) else {
            if let problem = head.problem {
                return stop(.malformedResponse, "the response from \(hop.url.place) \(problem)")
            }
            return true
        }
        if mayHaveBody, let problem = head.lengthProblem {
            return stop(.malformedResponse, "the response from \(hop.url.place) \(problem)")
        }
        request.cookieJar?.store(head.headers, from: hop.url)
        followsRedirect = isRedirect
        guard !followsRedirect else { return true }
        job.onEvent(.head(ResponseHead(url: hop.url, statusCode: head.statusCode, headers: head.headers)))
        body = ResponseBody(length: mayHaveBody ? head.contentLength : 0, limits: configuration.limits)
        decoder = nil
        if let store = body.store { job.onEvent(.body(store)) }
        return true
    }

    /// False, for libcurl to stop the transfer.
    private func stop(_ code: TransportError.Code, _ message: String) -> Bool {
        ownFailure = TransportError(code: code, message: message)
        return false
    }

    /// libcurl tells how much it has sent only now and then; what a response answers must have been told before it.
    private func startsReceiving() {
        if hop.bodyLength > 0, let handle { sent(bytes: handle.size(CURLINFO_SIZE_UPLOAD_T)) }
        noteTLS()
        enter(.receive)
    }

    private func noteTLS() {
        guard tls == nil, hop.url.scheme?.lowercased() == "https" else { return }
        tls = handle?.tlsReport(isVerified: request.settings.value.tls.verifiesServer || hop.trust != .own)
    }

    /// False to stop the transfer.
    func received(body bytes: UnsafeRawBufferPointer) -> Bool {
        guard !followsRedirect else {
            bytesSkipped += bytes.count
            return bytesSkipped <= Self.maximumSkippedBytes
        }
        return decodes ? decode(bytes) : keep(bytes)
    }

    private var decodes: Bool {
        head.headers[.contentEncoding] != nil && request.settings.value.acceptsCompression
            && handle?.library.codings.names.isEmpty == false
    }

    private func decode(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let handle else { return false }
        do throws(CodingProblem) {
            if decoder == nil { decoder = try ContentDecoder(head.contentEncoding, handle.library.codings) }
            return try decoder?.decode(bytes, keep) ?? keep(bytes)
        } catch {
            return stop(.malformedResponse, "the body from \(hop.url.place) \(error.words)")
        }
    }

    private func keep(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= configuration.maximumResponseBytes - body.count else {
            return stop(
                .responseTooLarge,
                "the response from \(hop.url.place) is larger than \(configuration.maximumResponseBytes) bytes")
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
        if wantsOtherConnection || hasDied(handle, result) {
            do {
                try startAgain(handle)
                return nil
            } catch {
                return end(.failed(error, metrics(handle)))
            }
        }
        // What becomes of the body of a redirect does not matter.
        if followsRedirect, ownFailure == nil, result != CURLE_OPERATION_TIMEDOUT {
            do {
                try follow(handle)
                return nil
            } catch {
                return end(.failed(error, metrics(handle)))
            }
        }
        let result = result == CURLE_SEND_ERROR && isWhole ? CURLE_OK : result
        let metrics = metrics(handle)
        // libcurl takes a header that breaks off for a whole one.
        if result == CURLE_OK, ownFailure == nil, !head.isComplete {
            ownFailure = TransportError(
                code: .connectionLost,
                message: "the connection to \(hop.url.place) broke within the header of the response")
        }
        if result == CURLE_OK, ownFailure == nil, let decoder {
            do throws(CodingProblem) { try decoder.finish() } catch {
                ownFailure = TransportError(
                    code: .malformedResponse, message: "the body from \(hop.url.place) \(error.words)")
            }
        }
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

    /// The connection was an open one, and nothing came over it: most likely its server had just closed it. libcurl then
    /// takes another one, but only five times in the life of a handle.
    private func hasDied(_ handle: CurlHandle, _ result: CURLcode) -> Bool {
        [CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING].contains { $0 == result } && ownFailure == nil
            && !hasStartedAgain && head.httpVersion == nil && handle.number(CURLINFO_NUM_CONNECTS) == 0
    }

    /// Sends the request over a new connection.
    private func startAgain(_ handle: CurlHandle) throws(TransportError) {
        hasStartedAgain = true
        wantsOtherConnection = false
        bytesSent = 0
        try prepare(handle)
        handle.reconnect()
    }

    /// The server answered all that it wanted to before it had read all of the request's body.
    private var isWhole: Bool {
        head.isComplete && ownFailure == nil && (!mayHaveBody || head.contentLength == body.count)
    }

    private func follow(_ handle: CurlHandle) throws(TransportError) {
        let (next, report) = try redirect(handle)
        guard now < timeLimit else { throw CurlFailure.timedOut(hop.url.place, after: timeLimit) }
        connectionsOfRedirects += handle.number(CURLINFO_NUM_CONNECTS)
        redirects.append(report)
        hop = next
        job.onEvent(.redirected(report))
        head = ResponseHeadParser()
        body = ResponseBody()
        decoder = nil
        followsRedirect = false
        bytesSkipped = 0
        bytesSent = 0
        hasStartedAgain = false
        tls = nil
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
        body.moveToStore(configuration.limits)
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
#endif
