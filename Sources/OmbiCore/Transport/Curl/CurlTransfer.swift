#if canImport(CCurl)
internal import CCurl
import OmbiPlatform

/// One attempt on the wire: from its turn in the queue to its last event. Confined to a loop, on whose thread libcurl
/// calls back.
final class CurlTransfer {
    /// The outcome of a transfer when libcurl has finished.
    enum Outcome {
        case end(CurlEnd)
        /// Another request follows: for a redirect, or without an expectation.
        case goOn
        /// Nothing was sent, because the system had no descriptor for a connection.
        case noDescriptors
    }

    let job: CurlJob
    let context: CurlContext
    /// Its origin in the queue, and the state of its admission.
    var turn: ConnectionQueue.Turn
    /// Its entry in the deadlines of the loop.
    var nextLook: ContinuousClock.Instant?

    // Set only in the extensions of this class.
    private(set) var handle: CurlHandle?
    private(set) var hop: Hop
    private(set) var redirects: [RedirectReport] = []
    /// The number of connections made for the redirects so far.
    private(set) var connectionsOfRedirects = 0
    var tls: TLSReport?
    var sentCertificates: SentCertificates?
    var decoder: ContentDecoder?
    var undecoded = UndecodedBody()
    var head = ResponseHeadParser()
    var body = ResponseBody()
    var upload = CurlUpload()
    var phases = PhaseClock(startedAt: .zero)
    /// The reason why Ombi itself stopped the transfer.
    var ownFailure: TransportError?
    /// The time of the last transferred byte or completed step.
    var lastActivity: ContinuousClock.Instant
    private(set) var hopStartedAt: ContinuousClock.Instant
    /// True once the current hop has a connection.
    var hasConnected = false
    /// True while libcurl pauses the response until `resume`.
    var isHeldBack = false
    /// The error code of a socket that the system refused.
    var socketError: CInt = 0
    /// True after an attempt without any other connection of the loop.
    var hasTriedWithoutOthers = false
    var followsRedirect = false
    /// The number of bytes from the body of a response other than the last.
    var bytesSkipped = 0
    /// The body of the current redirect, as it comes.
    var hopBody = HopBody()
    /// True if the open connection has delivered unrequested bytes.
    var wantsOtherConnection = false
    private var hasStartedAgain = false
    /// True if the server does not support "Expect: 100-continue"; the request has to be sent without it (RFC 9110
    /// §10.1.1).
    var expectationFailed = false
    var headIsTold = false
    var bytesTold = 0
    var headerBytes = 0
    var lastProgress: ContinuousClock.Instant

    /// The limit for all responses of the attempt together; newer versions of libcurl fail at 300 KiB, with a less
    /// specific message.
    static let maximumHeaderBytes = 256 << 10
    static let progressInterval: Duration = .milliseconds(40)
    /// The maximum size of a body that libcurl copies and sends together with the header.
    private static let maximumBodyInMemory = 64 << 10

    init(_ job: CurlJob, context: CurlContext) {
        self.job = job
        self.context = context
        turn = job.turn
        hop = Hop(job.request)
        hop.streamBody(above: Self.maximumBodyInMemory)
        lastActivity = context.now
        hopStartedAt = context.now
        lastProgress = job.startedAt
    }

    var request: TransportRequest { job.request }
    var configuration: CurlTransport.Configuration { context.configuration }
    var connectionsPerHost: Int {
        request.settings.value.maximumConnectionsPerHost ?? configuration.maximumConnectionsPerHost
    }
    var mayUseProxy: Bool {
        switch request.settings.value.proxy {
        case .none: false
        case .server: true
        case .environment: Self.hasProxyVariables
        }
    }

    private static let hasProxyVariables = ["http_proxy", "all_proxy", "ALL_PROXY"].contains { (name: String) in
        getenv(name) != nil
    }

    var now: Duration { ContinuousClock.now - job.startedAt }

    /// Starts the first hop, that of a redirect, or the same one again.
    func begin(on handle: CurlHandle) throws(TransportError) {
        self.handle = handle
        socketError = 0
        hasConnected = false
        isHeldBack = false
        hopStartedAt = context.now
        lastActivity = context.now
        guard upload.isUntouched || openBody() else { throw ownFailure ?? TransportError(code: .requestBodyFailed) }
        try handle.use(request.settings, hop.trust)
        try CurlSetup(handle: handle).apply(hop.withCookies(from: request.cookieJar), connectLimit: connectLimit)
        if hasStartedAgain { handle.reconnect() }
        if let authentication = hop.connectionAuthentication {
            try CurlSetup(handle: handle).apply(authentication, request.settings.value)
        }
    }

    /// Puts the transfer back to waiting for its turn.
    func wait() {
        handle = nil
        turn.isHeld = false
        enter(.queue)
    }

    func enter(_ phase: RequestPhase) {
        lastActivity = context.now
        guard phases.phase != phase, phases.enter(phase, at: now) else { return }
        job.onEvent(.phase(phase))
    }

    func refuse(_ error: TransportError) -> CurlEnd {
        var error = error
        if error.code != .cancelled, let redirect = redirects.last { error.response = redirect.response }
        guard phases.phase != nil else { return end(.failed(error, TransportMetrics())) }
        return end(.failed(error, TransportMetrics(timings: phases.timings(until: now), redirects: redirects)))
    }

    /// Ends the attempt without its response, which a cancelling caller does not need.
    func cancel() -> CurlEnd {
        guard let handle else { return refuse(TransportError.cancelled) }
        reportPart()
        return end(.failed(TransportError.cancelled, metrics(handle)))
    }

    /// Ends the attempt with the part of the response received so far.
    func fail(_ error: TransportError) -> CurlEnd {
        guard let handle else { return refuse(error) }
        keepUndecoded()
        noteFailedTLS()
        reportPart()
        var error = error
        error.response = partialResponse
        return end(.failed(error, metrics(handle)))
    }

    /// The response as far as it came, also that of a redirect which is not followed; the last redirect where none came.
    private var partialResponse: TransportResponse? {
        guard head.statusCode >= 200, head.problem == nil else { return redirects.last?.response }
        var response = response
        if followsRedirect, let handle { response.body = bodyOfRedirect(handle).data }
        return response
    }

    var response: TransportResponse {
        TransportResponse(
            url: hop.url, headers: head.headers, statusCode: head.statusCode, body: body.isPassedOn ? nil : body.data)
    }

    func finish(_ result: CURLcode) -> Outcome {
        guard let handle else { return .end(refuse(TransportError(code: .unknown))) }
        if wantsOtherConnection || hasDied(handle, result) {
            startsAgain()
            return .goOn
        }
        // A response other than the last need not be whole.
        if !isFinal, ownFailure == nil {
            if result != CURLE_OK, head.contentLength != bytesSkipped { hopBody.isPartial = true }
            return goOn(handle)
        }
        let result = result == CURLE_SEND_ERROR && isWhole ? CURLE_OK : result
        if result == CURLE_OK || result == CURLE_TOO_MANY_REDIRECTS, ownFailure == nil { return succeeded(handle) }
        let failure = CurlFailure(transfer: self, handle: handle, code: result)
        if ownFailure == nil, !hasConnected, failure.lacksDescriptors { return .noDescriptors }
        return .end(fail(ownFailure ?? failure.error))
    }

    private func succeeded(_ handle: CurlHandle) -> Outcome {
        if let error = incompleteness { return .end(fail(error)) }
        reportHead()
        reportReceived()
        return .end(end(.finished(response, metrics(handle))))
    }

    /// The error of a response that is incomplete although libcurl reports success.
    private var incompleteness: TransportError? {
        guard head.isComplete else {
            return TransportError(
                code: .connectionLost,
                message: "the connection to \(hop.url.server) broke within the header of the response")
        }
        do throws(CodingProblem) {
            if let problem = undecoded.problem, problem.reason != nil { throw problem }
            if undecoded.problem == nil { try decoder?.finish() }
            return nil
        } catch {
            return error.error(from: hop.url.server)
        }
    }

    /// True if the server sent its whole response before it had read all of the request's body.
    private var isWhole: Bool {
        head.isComplete && ownFailure == nil && (!mayHaveBody || head.contentLength == body.count)
    }

    private func goOn(_ handle: CurlHandle) -> Outcome {
        if expectationFailed {
            hop.dropExpectation()
        } else {
            do throws(TransportError) {
                try follow(handle)
            } catch {
                var error = error
                error.response = partialResponse
                return .end(end(.failed(error, metrics(handle))))
            }
        }
        startsOver()
        return .goOn
    }

    private func follow(_ handle: CurlHandle) throws(TransportError) {
        let (next, report) = try redirect(handle)
        connectionsOfRedirects += handle.number(CURLINFO_NUM_CONNECTS)
        redirects.append(report)
        hop = next
        job.onEvent(.redirected(report))
        (tls, sentCertificates) = (nil, nil)
        hasStartedAgain = false
    }

    /// Resets the state for another request.
    private func startsOver() {
        head = ResponseHeadParser()
        body = ResponseBody()
        decoder = nil
        undecoded = UndecodedBody()
        upload = CurlUpload()
        followsRedirect = false
        expectationFailed = false
        headIsTold = false
        bytesTold = 0
        bytesSkipped = 0
        hopBody = HopBody()
    }

    /// Returns true if a reused connection delivered nothing: most likely its server had just closed it. libcurl then
    /// switches to another one, but only five times in the life of a handle.
    private func hasDied(_ handle: CurlHandle, _ result: CURLcode) -> Bool {
        [CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING].contains { $0 == result } && ownFailure == nil
            && !hasStartedAgain && head.httpVersion == nil && handle.number(CURLINFO_NUM_CONNECTS) == 0
    }

    /// Prepares the same request for a new connection.
    private func startsAgain() {
        hasStartedAgain = true
        wantsOtherConnection = false
    }

    private func end(_ event: TransportEvent) -> CurlEnd {
        handle = nil
        upload = CurlUpload()
        decoder = nil
        body.store?.finish()
        return CurlEnd(event: event, onEvent: job.onEvent)
    }
}
#endif
