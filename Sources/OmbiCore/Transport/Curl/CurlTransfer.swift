#if canImport(CCurl)
internal import CCurl

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// One attempt on the wire: from its turn in the queue to the last event that is told. Belongs to a loop, on whose thread
/// libcurl calls back.
final class CurlTransfer {
    /// What becomes of a transfer when libcurl has done its part.
    enum Outcome {
        case end(CurlEnd)
        /// It goes on with another request: where a redirect points, or without an expectation.
        case goOn
        /// Nothing has been sent, because the system had no descriptor for a connection.
        case noDescriptors
    }

    let job: CurlJob
    let context: CurlContext
    /// Where it goes or waits in the queue, and whether it is its turn.
    var turn: ConnectionQueue.Turn
    /// Its entry in the deadlines of the loop.
    var nextLook: ContinuousClock.Instant?

    // Set in the parts of this class alone.
    private(set) var handle: CurlHandle?
    private(set) var hop: Hop
    private(set) var redirects: [RedirectReport] = []
    /// Connections that were made for the redirects so far.
    private(set) var connectionsOfRedirects = 0
    var tls: TLSReport?
    var decoder: ContentDecoder?
    var head = ResponseHeadParser()
    var body = ResponseBody()
    var upload = CurlUpload()
    var phases = PhaseClock(startedAt: .zero)
    /// Why Ombi itself stopped the transfer.
    var ownFailure: TransportError?
    /// When a byte went or came last, or another step was reached.
    var lastActivity: ContinuousClock.Instant
    private(set) var hopStartedAt: ContinuousClock.Instant
    /// Of the hop under way.
    var hasConnected = false
    /// libcurl holds the response back until `resume`.
    var isHeldBack = false
    /// The system refused a socket, with this code.
    var socketError: CInt = 0
    /// It has been tried without any other connection of the loop.
    var hasTriedWithoutOthers = false
    var followsRedirect = false
    /// Of the body of a response that is not the last.
    var bytesSkipped = 0
    /// Something that nobody asked for has come over the connection that is open.
    var wantsOtherConnection = false
    private var hasStartedAgain = false
    /// The server does not know "Expect: 100-continue"; the request is to be sent without it (RFC 9110 §10.1.1).
    var expectationFailed = false
    var headIsTold = false
    var bytesTold = 0
    var headerBytes = 0
    var lastProgress: ContinuousClock.Instant

    /// Of all responses of the attempt together; newer versions of libcurl give up at 300 KiB, with fewer words.
    static let maximumHeaderBytes = 256 << 10
    static let progressInterval: Duration = .milliseconds(40)
    /// libcurl takes a body up to here into its own memory, and sends it together with the header.
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

    /// Since the start of the attempt.
    var now: Duration { ContinuousClock.now - job.startedAt }

    /// The first hop, or the one that a redirect asks for; or the same once more.
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
    }

    /// It is not its turn yet, or not any more.
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
        guard phases.phase != nil else { return end(.failed(error, TransportMetrics())) }
        return end(.failed(error, TransportMetrics(timings: phases.timings(until: now), redirects: redirects)))
    }

    /// Whoever cancels wants nothing of the response either.
    func cancel() -> CurlEnd {
        let error = TransportError(code: .cancelled, message: "cancelled")
        guard let handle else { return refuse(error) }
        tellPart()
        return end(.failed(error, metrics(handle)))
    }

    /// Ends the attempt with what has come of the response.
    func fail(_ error: TransportError) -> CurlEnd {
        guard let handle else { return refuse(error) }
        tellPart()
        var error = error
        error.response = partialResponse
        return end(.failed(error, metrics(handle)))
    }

    private var partialResponse: TransportResponse? {
        head.isComplete && isFinal ? response : nil
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
        // What becomes of the body of a response that is not the last does not matter.
        if !isFinal, ownFailure == nil { return goOn(handle) }
        let result = result == CURLE_SEND_ERROR && isWhole ? CURLE_OK : result
        if result == CURLE_OK || result == CURLE_TOO_MANY_REDIRECTS, ownFailure == nil { return succeeded(handle) }
        let failure = CurlFailure(transfer: self, handle: handle, code: result)
        if ownFailure == nil, !hasConnected, failure.lacksDescriptors { return .noDescriptors }
        return .end(fail(ownFailure ?? failure.error))
    }

    private func succeeded(_ handle: CurlHandle) -> Outcome {
        if let error = incompleteness { return .end(fail(error)) }
        tellHead()
        tellReceived()
        return .end(end(.finished(response, metrics(handle))))
    }

    /// What libcurl takes for whole, and what is not.
    private var incompleteness: TransportError? {
        guard head.isComplete else {
            return TransportError(
                code: .connectionLost,
                message: "the connection to \(hop.url.place) broke within the header of the response")
        }
        do throws(CodingProblem) { try decoder?.finish() } catch {
            return TransportError(
                code: .malformedResponse, message: "the body from \(hop.url.place) \(error.words)")
        }
        return nil
    }

    /// The server answered all that it wanted to before it had read all of the request's body.
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
        tls = nil
        hasStartedAgain = false
    }

    /// Another request is to follow.
    private func startsOver() {
        head = ResponseHeadParser()
        body = ResponseBody()
        decoder = nil
        upload = CurlUpload()
        followsRedirect = false
        expectationFailed = false
        headIsTold = false
        bytesTold = 0
        bytesSkipped = 0
    }

    /// The connection was an open one, and nothing came over it: most likely its server had just closed it. libcurl then
    /// takes another one, but only five times in the life of a handle.
    private func hasDied(_ handle: CurlHandle, _ result: CURLcode) -> Bool {
        [CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING].contains { $0 == result } && ownFailure == nil
            && !hasStartedAgain && head.httpVersion == nil && handle.number(CURLINFO_NUM_CONNECTS) == 0
    }

    /// The same request is to follow, over a new connection.
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
