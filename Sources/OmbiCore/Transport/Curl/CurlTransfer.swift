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
    private(set) var redirects = 0
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
    /// The server does not know "Expect: 100-continue"; the request is to be sent without it (RFC 9110 §10.1.1).
    var expectationFailed = false
    var headIsTold = false
    var bytesTold = 0
    var headerBytes = 0
    var lastProgress: ContinuousClock.Instant

    /// Of all responses of the attempt together; newer versions of libcurl give up at 300 KiB, with fewer words.
    static let maximumHeaderBytes = 256 << 10
    static let progressInterval: Duration = .milliseconds(40)

    init(_ job: CurlJob, context: CurlContext) {
        self.job = job
        self.context = context
        turn = job.turn
        hop = Hop(job.request)
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
        guard openBody() else { throw ownFailure ?? TransportError(code: .requestBodyFailed) }
        CurlSetup(handle: handle).apply(hop, connectLimit: connectLimit)
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
        return end(.failed(error, TransportMetrics(timings: phases.timings(until: now))))
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
        if result == CURLE_OK || result == CURLE_TOO_MANY_REDIRECTS, ownFailure == nil { return succeeded(handle) }
        let failure = CurlFailure(transfer: self, handle: handle, code: result)
        if ownFailure == nil, !hasConnected, failure.lacksDescriptors { return .noDescriptors }
        return .end(fail(ownFailure ?? failure.error))
    }

    private func succeeded(_ handle: CurlHandle) -> Outcome {
        if expectationFailed {
            hop.dropExpectation()
            startsOver()
            return .goOn
        }
        guard followsRedirect else {
            tellHead()
            tellReceived()
            return .end(end(.finished(response, metrics(handle))))
        }
        do throws(TransportError) {
            try follow(handle)
            return .goOn
        } catch {
            return .end(end(.failed(error, metrics(handle))))
        }
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
        redirects += 1
        hop.follow(to: target, statusCode: head.statusCode)
        startsOver()
    }

    /// Another request is to follow.
    private func startsOver() {
        head = ResponseHeadParser()
        body = ResponseBody()
        followsRedirect = false
        expectationFailed = false
        headIsTold = false
        bytesTold = 0
    }

    private func end(_ event: TransportEvent) -> CurlEnd {
        handle = nil
        upload = CurlUpload()
        body.store?.finish()
        return CurlEnd(event: event, onEvent: job.onEvent)
    }
}
