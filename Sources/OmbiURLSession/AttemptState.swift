import Foundation
import OmbiCore

/// One attempt as a value. Events of the session, the timer and the caller change it, and it returns the actions to
/// take. It has neither threads nor sessions; times are relative to the start of the attempt.
struct AttemptState {
    /// An action to take, in order.
    enum Action {
        case emit(TransportEvent)
        /// Create a task for the hop. Its events carry the number.
        case send(Hop, number: Int)
        case storeCookies(ResponseHead)
        /// End the current task; its later events are ignored.
        case stop
        /// Deliver the next held piece.
        case drain
        /// Check the time limits again at that time.
        case watch(Duration)
        /// The last event.
        case end(TransportEvent)
    }

    let request: TransportRequest
    let limits: ResponseLimits
    var actions: [Action] = []
    var hasEnded = false
    var hop: Hop
    /// The number of the current hop, from 0.
    var number = 0
    var redirects: [RedirectReport] = []
    var phases = PhaseClock(startedAt: .zero)
    var phasesBefore = Timings()
    var head: ReceivedHead?
    var body = ResponseBody()
    /// The body bytes of the final response, decoded.
    var bytesReceived = 0
    var bytesSent = 0
    var measured: SessionMetrics?
    var lastByteAt = Duration.zero
    private(set) var isPaused = false
    var followsRedirect = false
    private var bytesSkipped = 0
    /// The start of the body of the current redirect: that of one which is not followed shows.
    private(set) var skipped = Data()
    private var bytesTold = 0
    private var lastProgressAt = Duration.zero
    /// True while a timer is set that calls `checkLimits`.
    var isWatched = false
    var held: HeldPieces?
    /// The end of the task, while pieces are held.
    private var completion: (error: URLError?, at: Duration)?

    private static let progressInterval: Duration = .milliseconds(40)
    /// The limit for the unused body of a redirect; beyond that its task is ended.
    static let maximumSkippedBytes = 64 << 10

    init(_ request: TransportRequest, limits: ResponseLimits) {
        self.request = request
        self.limits = limits
        hop = Hop(request)
    }

    mutating func takeActions() -> [Action] { exchange(&actions, with: []) }

    mutating func begin(at now: Duration) {
        guard hop.method != .get || hop.bodyLength == 0 else {
            return fail(
                TransportError(code: .unsupportedOption, message: "URLSession sends no body with GET"), at: now)
        }
        enter(.connect, at: now)
        watchLimits()
        actions.append(.send(hop, number: number))
    }

    // MARK: What a session reports

    mutating func receive(_ event: SessionTaskEvent, number: Int, at now: Duration) {
        guard !hasEnded, number == self.number else { return }
        lastByteAt = now
        switch event {
        case .sent(let bytes): sent(bytes, at: now)
        case .head(let head): received(head, at: now)
        case .data(let data): received(data, at: now)
        case .measured(let metrics): measured = metrics
        case .completed(let error, let head):
            // Some heads are not reported before the end.
            if error == nil, let head { received(head, at: now) }
            completed(error, at: now)
        }
    }

    private mutating func sent(_ bytes: Int, at now: Duration) {
        guard bytes > bytesSent, head == nil else { return }
        bytesSent = bytes
        enter(.send, at: now)
        let expected = hop.bodyLength
        let isComplete = bytes >= expected ?? .max
        if isComplete || isProgressDue(at: now) { emit(.sent(bytes: bytes, expected: expected)) }
        if isComplete { enter(.wait, at: now) }
    }

    private mutating func received(_ head: ReceivedHead, at now: Duration) {
        guard self.head == nil, !head.isInterim else { return }
        enterRemaining(upTo: .receive, at: now)
        self.head = head
        if head.headers[.setCookie] != nil { actions.append(.storeCookies(responseHead(head))) }
        followsRedirect = isRedirect(head)
        guard !followsRedirect else { return }
        emit(.head(responseHead(head)))
        guard request.responseDelivery == .whole else { return }
        body = ResponseBody(length: mayHaveBody(head) ? head.contentLength : 0, limits: limits)
        if let store = body.store { emit(.body(store)) }
    }

    private mutating func received(_ data: Data, at now: Duration) {
        guard !data.isEmpty, head != nil else { return }
        guard !followsRedirect else { return skip(data, at: now) }
        if request.responseDelivery == .pieces { return receivedPiece(data, at: now) }
        do throws(TransportError) {
            try append(data)
            if isProgressDue(at: now) { emitReceived() }
        } catch {
            fail(error, at: now)
        }
    }

    private mutating func append(_ data: Data) throws(TransportError) {
        guard data.count <= limits.maximumBytes - bytesReceived else {
            throw TransportError(
                code: .responseTooLarge,
                message: "the response from \(hop.url.server) is larger than \(limits.maximumBytes) bytes")
        }
        let result = data.withUnsafeBytes { bytes in
            Result { () throws(TransportError) in try body.append(bytes) }
        }
        try result.get()
        bytesReceived += data.count
    }

    private mutating func receivedPiece(_ data: Data, at now: Duration) {
        guard isPaused || held != nil else { return hand(over: data, at: now) }
        do throws(TransportError) {
            if held == nil { held = HeldPieces(limits: limits) }
            try held?.append(data)
        } catch {
            fail(error, at: now)
        }
    }

    private mutating func hand(over piece: Data, at now: Duration) {
        bytesReceived += piece.count
        emit(.data(piece))
        if isProgressDue(at: now) { emitReceived() }
    }

    private mutating func completed(_ error: URLError?, at now: Duration) {
        if followsRedirect { return follow(at: now) }
        guard held == nil else {
            completion = (error, now)
            return
        }
        if let error { return fail(failure(error), at: now) }
        finish(at: now)
    }

    // MARK: What the caller does

    /// Both take effect at once and not in the order of events, so that they apply to pieces in transit. Returns true
    /// if the state changes.
    mutating func pause() -> Bool {
        guard !isPaused, request.responseDelivery == .pieces else { return false }
        isPaused = true
        return true
    }

    mutating func resume() -> Bool { exchange(&isPaused, with: false) }

    /// Handles `resume` in the order of events.
    mutating func resumed(at now: Duration) {
        lastByteAt = now
        watchLimits()
        if held != nil { actions.append(.drain) }
    }

    /// Delivers one piece: the reader may pause again before the next.
    mutating func drain(at now: Duration) {
        guard !hasEnded, !isPaused, held != nil else { return }
        lastByteAt = now
        if let piece = held?.next() {
            hand(over: piece, at: now)
            actions.append(.drain)
        } else {
            held = nil
            if let completion { completed(completion.error, at: now) }
        }
    }

    mutating func cancel(at now: Duration) { fail(TransportError.cancelled, at: now) }

    // MARK: Progress

    mutating func emit(_ event: TransportEvent) { actions.append(.emit(event)) }

    mutating func enter(_ phase: RequestPhase, at now: Duration) {
        if phases.enter(phase, at: now) { emit(.phase(phase)) }
    }

    /// Enters skipped phases: a session reports none before the first byte is sent or received.
    mutating func enterRemaining(upTo last: RequestPhase, at now: Duration) {
        let order: [RequestPhase] = [.connect, .send, .wait, .receive]
        let reached = phases.phase.flatMap(order.firstIndex) ?? 0
        for phase in order.dropFirst(reached + 1).prefix(while: { $0 != last }) + [last] { enter(phase, at: now) }
    }

    mutating func emitReceived() {
        guard bytesReceived > bytesTold else { return }
        bytesTold = bytesReceived
        emit(.received(bytes: bytesTold, expected: head?.contentLength))
    }

    private mutating func isProgressDue(at now: Duration) -> Bool {
        guard now - lastProgressAt >= Self.progressInterval else { return false }
        lastProgressAt = now
        return true
    }

    func mayHaveBody(_ head: ReceivedHead) -> Bool {
        hop.method != .head && ![204, 304].contains(head.statusCode)
    }

    func responseHead(_ head: ReceivedHead) -> ResponseHead {
        ResponseHead(url: hop.url, statusCode: head.statusCode, headers: head.headers)
    }
}

// Redirects, followed by the same rules as in the other transport.
extension AttemptState {
    private var policy: RedirectPolicy { request.connection.redirects }

    func isRedirect(_ head: ReceivedHead) -> Bool {
        policy.maximum > 0 && Hop.isRedirect(head.statusCode) && head.headers[.location] != nil
    }

    mutating func skip(_ data: Data, at now: Duration) {
        bytesSkipped += data.count
        skipped.append(data.prefix(Self.maximumSkippedBytes - skipped.count))
        guard bytesSkipped > Self.maximumSkippedBytes else { return }
        actions.append(.stop)
        follow(at: now)
    }

    mutating func follow(at now: Duration) {
        guard let head else { return }
        do throws(TransportError) {
            try request.checkRedirects(redirects.count)
            let location = head.headers[.location]?.text ?? ""
            let (next, report) = try hop.redirected(
                by: responseHead(head), to: URL(string: location, relativeTo: hop.url)?.absoluteURL,
                timings: hopTimings(at: now), remoteAddress: measured?.remoteAddress)
            redirects.append(report)
            emit(.redirected(report))
            begin(next, at: now)
        } catch {
            fail(error, at: now)
        }
    }

    private mutating func begin(_ next: Hop, at now: Duration) {
        hop = next
        number += 1
        phasesBefore = phases.timings(until: now)
        head = nil
        followsRedirect = false
        (bytesSkipped, skipped) = (0, Data())
        bytesSent = 0
        measured = nil
        enter(.connect, at: now)
        actions.append(.send(hop, number: number))
    }
}
