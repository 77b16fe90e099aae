#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The state of the current attempt.
struct RunningAttempt {
    let number: Int
    let startedAt: Duration
    let reason: AttemptReport.Reason
    var task: (any TransportTask)?
    var phases: PhaseClock
    var bytesReceived = 0
    var bytesSent = 0
    /// The head of the response; nil until it arrives.
    var head: ResponseHead?
    var store: ResponseStore?
    var response: TransportResponse?
    /// The part that arrived of a response that failed.
    var brokenOff: TransportResponse?
    /// The time at which the response was complete; set while new credentials are obtained before it is evaluated.
    var answeredAt: Duration?
    /// True if the middlewares have passed a request on; nil without middlewares.
    var hasSent: Bool?
    /// The code around the attempt that has the request or the response; nil while the transport has.
    var holder: SLAExceeded.Holder?
    /// True after the last event of the transport; later ones are ignored.
    var hasAnswered = false
    /// The thread inside `Transport.start`. Events from there wait until `start` returns, so that any number of
    /// attempts needs the stack of one.
    var starter: pthread_t?
    /// The last event, if it came from within `start`.
    var earlyAnswer: RequestRun.Answer?
    /// The kind of failure of the transport.
    var errorCode: TransportError.Code?
    /// The retry whose wait was too long.
    var missedRetry: MissedRetry?
    /// The trace that the request names; nil for one that is not traced.
    var trace: TraceContext?
    /// The headers with which the middlewares and the authenticator sent the request; nil without any.
    var sent: RequestHeaders?
    /// The time for which a breaker held the attempt.
    var held: Duration?

    init(number: Int, startedAt: Duration, reason: AttemptReport.Reason) {
        self.number = number
        self.startedAt = startedAt
        self.reason = reason
        phases = PhaseClock(startedAt: startedAt)
        starter = pthread_self()
    }

    /// True if the calling thread is inside `Transport.start`.
    var isStartedHere: Bool { starter.map { pthread_equal($0, pthread_self()) != 0 } ?? false }

    /// Returns the metrics known so far, for an attempt that ends before the transport reports.
    func metrics(at now: Duration) -> TransportMetrics {
        TransportMetrics(timings: phases.timings(until: now), bytesReceived: bytesReceived, bytesSent: bytesSent)
    }

    /// The response, or the part received so far; nil before its head.
    var partialResponse: TransportResponse? {
        response
            ?? head.map {
                TransportResponse(url: $0.url, headers: $0.headers, statusCode: $0.statusCode, body: store?.data)
            }
    }

    /// Returns true if nothing of the request can have reached the server before it failed with `error`.
    func nothingSent(_ error: TransportError) -> Bool {
        if hasSent == false { return true }
        return switch error.code {
        case .cannotFindHost, .cannotConnectToHost, .secureConnectionFailed, .certificateNotTrusted, .unsupportedURL,
            .transportUnavailable:
            true
        default: !phases.reached.isEmpty && phases.reached.isDisjoint(with: [.send, .wait, .receive])
        }
    }
}
