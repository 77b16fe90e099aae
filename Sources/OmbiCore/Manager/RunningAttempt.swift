#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The attempt under way, as far as it has come.
struct RunningAttempt {
    let number: Int
    let startedAt: Duration
    let reason: AttemptReport.Reason
    var task: (any TransportTask)?
    var phases: PhaseClock
    var bytesReceived = 0
    var bytesSent = 0
    /// What has come of the response.
    var head: ResponseHead?
    var store: ResponseStore?
    var response: TransportResponse?
    /// When the response was complete, where new credentials are got before it is decided about.
    var answeredAt: Duration?
    /// Whether the middlewares have let a request through; nil where there are none.
    var hasSent: Bool?
    /// The transport has told its last event; whatever it still tells is not heard.
    var hasAnswered = false
    /// The thread that is inside `Transport.start`. What the transport answers from there waits until `start` returns,
    /// so that any number of attempts needs no more stack than one.
    var starter: pthread_t?
    /// The last event, where it came from within `start`.
    var earlyAnswer: RequestRun.Answer?

    init(number: Int, startedAt: Duration, reason: AttemptReport.Reason) {
        self.number = number
        self.startedAt = startedAt
        self.reason = reason
        phases = PhaseClock(startedAt: startedAt)
        starter = pthread_self()
    }

    /// Whether the calling thread is inside `Transport.start`.
    var isStartedHere: Bool { starter.map { pthread_equal($0, pthread_self()) != 0 } ?? false }

    /// What is known when the attempt is ended before the transport has reported.
    func metrics(at now: Duration) -> TransportMetrics {
        TransportMetrics(timings: phases.timings(until: now), bytesReceived: bytesReceived, bytesSent: bytesSent)
    }

    /// The response, or as much of it as has come; nil before there is a head.
    var partialResponse: TransportResponse? {
        response
            ?? head.map {
                TransportResponse(url: $0.url, headers: $0.headers, statusCode: $0.statusCode, body: store?.data)
            }
    }

    /// Whether nothing of the request can have reached the server when it ended with `error`.
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
