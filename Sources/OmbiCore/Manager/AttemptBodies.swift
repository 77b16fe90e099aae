import OmbiPlatform

/// The bodies that a run keeps of attempts that another one followed, within limits. Equal bodies are kept once.
///
/// The body of the last attempt is the response of the run, and not counted. The oldest bodies go first, but for that of
/// the first attempt.
package struct AttemptBodies: Sendable, Equatable {
    /// In bytes.
    package static let maximumBody = 2 << 20
    /// In bytes, of all bodies.
    package static let maximumTotal = 32 << 20

    /// The consequences of a change for others that hold the same attempts.
    struct Changes {
        /// The attempts whose body is another object now, or no longer kept.
        var numbers: [Int] = []
        /// The values that are no longer kept, for release outside a lock.
        var values: [Any] = []
    }

    private struct Content: Equatable {
        var body: Data
        /// The numbers of the attempts with this body, in order.
        var attempts: [Int]
    }

    /// In the order in which they recurred last.
    private var contents: [Content] = []
    private var total = 0
    private var first: Int?

    package init() {}

    package static func limit(_ reports: inout [AttemptReport]) {
        var bodies = AttemptBodies()
        for index in reports.indices.dropLast() { bodies.keep(index, of: &reports) }
    }

    /// Adds an attempt to a list, which is the only one that this value limits.
    package mutating func add(_ report: AttemptReport, to reports: inout [AttemptReport]) {
        if let last = reports.indices.last { keep(last, of: &reports) }
        reports.append(report)
    }

    /// Keeps the body of an attempt that another one follows.
    @discardableResult
    mutating func keep(_ index: Int, of reports: inout [AttemptReport]) -> Changes {
        let number = reports[index].number
        if first == nil { first = number }
        guard let body = reports[index].received?.body, !body.isEmpty else { return Changes() }
        guard body.count <= Self.maximumBody else {
            reports[index].omitBody()
            return Changes(numbers: [number], values: [body])
        }
        if let known = contents.firstIndex(where: { $0.body == body }) {
            reports[index].received?.body = contents[known].body
            contents[known].attempts.append(number)
            contents.append(contents.remove(at: known))
            return Changes(numbers: [number], values: [body])
        }
        contents.append(Content(body: body, attempts: [number]))
        total += body.count
        return removeOldest(from: &reports)
    }

    private mutating func removeOldest(from reports: inout [AttemptReport]) -> Changes {
        var changes = Changes()
        while total > Self.maximumTotal, let oldest = contents.firstIndex(where: { $0.attempts.first != first }) {
            let content = contents.remove(at: oldest)
            total -= content.body.count
            changes.numbers += content.attempts
            changes.values.append(content.body)
        }
        guard !changes.numbers.isEmpty else { return changes }
        for index in reports.indices where changes.numbers.contains(reports[index].number) {
            reports[index].omitBody()
        }
        return changes
    }

    /// Lets go of an attempt that is not listed any more; `first` is the one that begins the list then.
    mutating func forget(_ number: Int, first: Int?) {
        self.first = first
        guard let index = contents.firstIndex(where: { $0.attempts.contains(number) }) else { return }
        contents[index].attempts.removeAll { $0 == number }
        guard contents[index].attempts.isEmpty else { return }
        total -= contents.remove(at: index).body.count
    }
}

extension [AttemptReport] {
    /// True for an attempt whose response does not end the run: another one followed, or was due to.
    package func isFollowed(_ index: Int) -> Bool { index < count - 1 || self[index].willRetry }
}

extension AttemptReport {
    /// Lets go of the body, and keeps its size.
    package mutating func omitBody() {
        guard let body = received?.body, !body.isEmpty else { return }
        omittedBody = body.count
        received?.body = nil
    }

    /// Drops the body, and the bodies of the redirects before it.
    /// - Returns: The bodies, for release outside a lock.
    mutating func omitBodies() -> [Any] {
        var bodies: [Any] = []
        if let body = received?.body { bodies.append(body) }
        omitBody()
        for index in metrics.redirects.indices {
            if let body = metrics.redirects[index].body.take() { bodies.append(body) }
        }
        return bodies
    }
}

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
        response ?? head.map { TransportResponse(head: $0, body: store?.data) }
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
