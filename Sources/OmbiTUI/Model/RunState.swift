typealias RunID = RunOrder.ID

/// One run of a request so far: the events of the engine folded into the state that the screen shows.
struct RunState: Equatable, Sendable {
    enum Stage: Equatable, Sendable {
        case preparing
        case attempting
        case waiting(since: Duration, until: Duration, WaitReason)
        case ended(SessionResult.Ending)
    }

    let id: RunID
    let item: ItemID
    let name: String
    /// The environment that it was sent to; nil for none.
    var environment: String?
    /// False where its request or its environment keeps no runs.
    var isKept = true
    /// The start on the clock of the program; the engine's times count from here.
    private(set) var startedAt: Duration
    /// The time that it took to fill in the request, before the engine's times begin.
    private(set) var preparation = Duration.zero
    private(set) var stage = Stage.preparing
    private(set) var attempt = 0
    private(set) var attempts = 1
    private(set) var attemptStartedAt = Duration.zero
    /// The time for which a breaker held the first attempt.
    private(set) var heldFirst = Duration.zero
    private(set) var phases: [PhaseStart] = []
    /// The bytes of the request's body that were sent, and all of them, if known.
    private(set) var upload: Upload?
    private(set) var received = 0
    private(set) var expected: Int?
    /// The times of the first and the last bytes of a large body, since the start of the run.
    private(set) var bodyStartedAt: Duration?
    private(set) var receivedAt = Duration.zero
    private(set) var head: ResponseHead?
    private(set) var finished: [AttemptReport] = []
    private var bodies = AttemptBodies()
    /// The number of the attempt whose response shows in place of the final one; nil for the final one.
    private(set) var openedNumber: Int?
    /// The place among the redirects of the run of the one whose response shows; nil for that of the attempt itself.
    private(set) var openedRedirect: Int?
    /// The example that shows in place of the final response; nil for none.
    @Rare private(set) var example: OpenedExample?
    /// True for one that was never sent: an example shows, and nothing else is there.
    var isExampleOnly = false
    /// The body of the final response while another one shows.
    @Rare private(set) var finalBody: NamedBody?
    /// The line above that body, which says why it is not all.
    @Rare private(set) var finalInterruption: String?
    @Rare private(set) var report: RequestReport?
    private(set) var endedAt: Duration?
    @Rare var sent: PreparedRequest?
    /// The page at which the run's user signs in; nil once that is done.
    @Rare private(set) var signIn: SignIn?
    /// True once somebody was asked to sign in.
    private(set) var hasSignedIn = false
    /// The viewer of the body of the last attempt that had one.
    @Rare var viewer: Viewer?
    /// The body of a run of a batch, until somebody looks at it: a thousand responses need no thousand viewers.
    @Rare var unread: BodySource?
    /// The place in the history of a run that was opened from there; nil for one of this session.
    @Rare var recorded: RecordedPlace?
    /// The duration of the longest of the runs that were opened one after the other: their timelines have one axis.
    var longest = Duration.zero
    @Rare var previousBody: NamedBody?
    /// True where that body is of a later run than this one, which was opened from the history.
    var isBeforeNewer = false
    /// The part that came of a response that failed.
    @Rare private(set) var partial: TransportResponse?
    /// True for a run that failed before its first attempt.
    private(set) var isUnsent = false
    /// The failures of the ended run, a sentence each; empty when it passed.
    private(set) var failures: [String] = []
    /// The verdict on each expectation of the ended run.
    private(set) var expectations: [ExpectationResult] = []
    /// The requests that were sent first, each with the variable that it was sent for.
    private(set) var dependencies: [DependencyState] = []
    /// The pages that the body is joined of; nil for a response that is whole.
    private(set) var pages: PageSummary?
    /// The response that stands in for one that failed; nil where none was needed.
    @Rare private(set) var fallback: Fallback?
    /// True while the body is that of the fallback.
    var showsFallback = false
    /// The number of times that the fallback and the response took each other's place.
    var exchanges = 0
    /// The place in the body to begin with: that of the run whose pages are continued, or of the watched run before.
    @Rare var place: Viewer.Place?
    /// The values that were captured from the response; secret ones are masked.
    private(set) var captured: [CapturedValue] = []

    /// A request that was sent first.
    struct DependencyState: Equatable, Sendable {
        var variable: String
        var run: RunState
    }

    /// The start of a phase of the current attempt, since the start of the run.
    struct PhaseStart: Equatable, Sendable {
        var phase: RequestPhase
        var at: Duration
    }

    /// The progress of sending a body.
    struct Upload: Equatable, Sendable {
        var sent: Int
        var expected: Int?

        /// `12.3 MB of 100 MB`
        var text: String { TimeText.size(sent) + (expected.map { " of " + TimeText.size($0) } ?? "") }
    }

    init(id: RunID, item: ItemID, name: String, startedAt: Duration) {
        self.id = id
        self.item = item
        self.name = name
        self.startedAt = startedAt
    }

    var isRunning: Bool {
        if case .ended = stage { false } else { true }
    }

    /// The final response of the server, if any.
    var response: TransportResponse? {
        if case .ended(.response(let response)) = stage { response } else { nil }
    }

    /// The response, or the part that came of one that failed.
    var receivedResponse: TransportResponse? { response ?? partial }

    /// The attempt whose response shows in place of the final one, or a redirect of it; nil for the final one.
    var opened: AttemptReport? {
        let attempt = openedNumber.flatMap { number in finished.last { $0.number == number } }
        guard let attempt, let redirect = openedHop?.redirect else { return attempt }
        return attempt.redirected(by: redirect)
    }

    /// The redirect whose response shows, with its place among those of its attempt, from 1, and their number.
    var openedHop: (redirect: FollowedRedirect, place: Int, count: Int)? {
        guard let openedRedirect, let redirects = sent?.redirects, let redirect = redirects[safe: openedRedirect] else {
            return nil
        }
        let place = redirects[...openedRedirect].count { $0.attempt == redirect.attempt }
        return (redirect, place, redirects.count { $0.attempt == redirect.attempt })
    }

    /// The request whose response shows, as it was sent.
    var openedRequest: PreparedRequest? {
        guard let sent, let attempt = openedNumber.flatMap({ number in finished.last { $0.number == number } }) else {
            return self.sent
        }
        guard let openedHop else { return sent.sent(as: attempt) }
        return sent.redirected(by: attempt)[safe: openedHop.place - 1]?.request
    }

    /// True while an attempt or an example shows in place of the final response.
    var hasOpened: Bool { openedNumber != nil || example != nil }

    /// The response on the screen: the example, that of the opened attempt, the fallback or the final one.
    var shownResponse: TransportResponse? {
        if let example { return example.response }
        if let opened { return opened.received }
        return showsFallback ? fallback?.response?.response : receivedResponse
    }

    /// The headers of the response, which come before its body.
    var headers: RequestHeaders? {
        if let example { return example.response.headers }
        if let opened { return opened.received?.headers }
        return receivedResponse?.headers ?? head?.headers
    }

    func serverTiming(of attempt: AttemptReport) -> [ServerTiming] {
        // The headers of the last response of the history are those of the run.
        let isLast = attempt.number == finished.last?.number && !isRunning
        let headers = attempt.received?.headers ?? (isLast ? receivedResponse?.headers : nil)
        return headers.map(ServerTiming.metrics) ?? []
    }

    /// Bytes per second of the body being received; nil while too little is known.
    var rate: Int? {
        guard let bodyStartedAt, received > 0 else { return nil }
        let seconds = (receivedAt - bodyStartedAt).inSeconds
        return seconds > 0.05 ? Int(Double(received) / seconds) : nil
    }

    /// The progress of a body that is being sent; nil once all of it was.
    var sending: Upload? {
        guard phases.last?.phase == .send, head == nil, let upload, upload.sent < upload.expected ?? .max else {
            return nil
        }
        return upload
    }

    /// The number of the body of this attempt, or of the pages so far, among those of the run.
    var viewerNumber: Int { (pages == nil ? attempt : -attempt - 1) + exchanges * Self.exchangeStep }

    /// More than the attempts of a run.
    private static let exchangeStep = 1_000_000

    /// False while the attempts show instead of the body.
    var showsBody: Bool {
        guard viewer != nil else { return false }
        if case .waiting = stage, pages == nil { return false }
        return true
    }

    /// The body to compare with that of the next run; without a body, the one of the previous run.
    var body: NamedBody? {
        guard unread == nil else { return nil }
        return ownBody ?? previousBody
    }

    /// The body of the final response; nil without a whole one.
    private var ownBody: NamedBody? {
        guard !hasOpened else { return finalBody }
        guard let viewer, let document = viewer.body?.document, document.isComplete, viewer.interruption == nil,
            !showsFallback
        else {
            return nil
        }
        return NamedBody(name: "\(viewer.name) (before)", document: document)
    }

    var failure: String? {
        if case .ended(.failure(let message)) = stage { message } else { nil }
    }

    /// True for a run that is recorded at its end: something of it leaves the machine.
    var isRecorded: Bool { isKept && (sent != nil || dependencies.contains { !$0.run.finished.isEmpty }) }

    /// Zero for none: that of Ombi does not hold for a stream.
    var sla: Duration {
        // Of each page.
        if let pages, pages.count > 1 { return .zero }
        if isOpenEnded, sent?.sla.source == .ombi { return .zero }
        return (report?.sla ?? sent?.sla.value) ?? .zero
    }

    /// True for a response that has no end of its own.
    var isOpenEnded: Bool { pages == nil && OpenEndedResponse.follows(head) }

    /// True while messages can be sent.
    var isConversation: Bool { isRunning && head?.statusCode == 101 }

    /// The duration of the run, so far or in total.
    func elapsed(now: Duration) -> Duration {
        report?.duration ?? max(.zero, (endedAt ?? now) - startedAt)
    }

    mutating func prepare(_ sent: PreparedRequest, now: Duration) {
        self.sent = sent
        attempts = sent.attempts.value
        // The requests that were sent first have timelines of their own.
        let others = dependencies.reduce(Duration.zero) { $0 + $1.run.elapsed(now: now) }
        preparation = max(.zero, now - startedAt - others)
        startedAt = now
    }

    mutating func fold(_ event: RequestEvent) {
        switch event {
        case .attemptStarted(let number, let attempts, let at): beginAttempt(number, of: attempts, at: at)
        case .phaseReached(_, let phase, let at): phases.append(PhaseStart(phase: phase, at: at))
        case .bodySent(_, let bytes, let expected, _): upload = Upload(sent: bytes, expected: expected)
        case .redirected, .authenticating, .refreshingCredentials: break
        case .bodyStarted(_, _, let at): (bodyStartedAt, receivedAt) = (at, at)
        case .headReceived(_, let head, _): self.head = head
        case .bodyReceived(_, let bytes, let expected, let at):
            (received, self.expected, receivedAt) = (bytes, expected, at)
        case .attemptFinished(let report): bodies.add(report, to: &finished)
        case .waiting(_, let until, let reason, let at): beginWait(until, reason, at: at)
        case .attemptsAdded(let attempts, _): self.attempts = attempts
        case .fallbackUsed: break
        case .finished(let report): finish(report)
        }
    }

    /// Takes in a step of a request that is sent first.
    mutating func fold(_ step: DependencyEvent, now: Duration) {
        var index = dependencies.lastIndex { $0.run.item == step.item && $0.run.isRunning }
        if index == nil {
            let run = RunState(id: id, item: step.item, name: step.request, startedAt: now)
            dependencies.append(DependencyState(variable: step.variable, run: run))
            index = dependencies.count - 1
        }
        guard let index else { return }
        switch step.event {
        case .prepared(let sent): dependencies[index].run.prepare(sent, now: now)
        case .step(let event): dependencies[index].run.fold(event)
        case .redirected(let redirect): dependencies[index].run.add(redirect)
        // The page to open shows with the run that waits for it.
        case .signIn(let signIn): take(signIn)
        case .captured(let values): dependencies[index].run.capture(values)
        case .page(let pages): dependencies[index].run.take(pages)
        case .ended(let result): dependencies[index].run.end(result, now: now)
        case .dependency: break
        }
    }

    /// Adds a redirect of the attempt under way. The result has all of them once more.
    mutating func add(_ redirect: FollowedRedirect) {
        guard var sent else { return }
        sent.redirects.append(redirect)
        FollowedRedirect.limit(&sent.redirects)
        self.sent = sent
    }

    mutating func take(_ signIn: SignIn?) {
        self.signIn = signIn
        hasSignedIn = hasSignedIn || signIn != nil
    }

    mutating func take(_ pages: PageSummary) { self.pages = pages }

    mutating func capture(_ values: [CapturedValue]) { captured = values }

    mutating func end(_ result: SessionResult, now: Duration) {
        stage = .ended(result.ending)
        endedAt = now
        sent = result.prepared ?? sent
        partial = result.partial
        let begun = finished.count + (result.report?.attemptCount ?? 0)
        // Masked once more, by what the run has learned since.
        if let report = result.report { (finished, bodies) = (report.attempts, AttemptBodies()) }
        isUnsent = failure != nil && attempt == 0 && begun == 0 && partial == nil
        failures = result.failures
        expectations = result.expectations
        pages = result.pages
        fallback = result.fallback
        let isOfHistory = recorded != nil
        viewer?.hasMorePages = result.pages?.hasMore ?? false && !isOfHistory
    }

    /// Has the response of an attempt, or of a redirect of it, in place of the final one; nil for the final one.
    mutating func open(attempt number: Int?, redirect: Int? = nil) { open(number, redirect, nil) }

    mutating func open(_ example: OpenedExample) { open(nil, nil, example) }

    private mutating func open(_ number: Int?, _ redirect: Int?, _ example: OpenedExample?) {
        if !hasOpened { (finalBody, finalInterruption) = (ownBody, viewer?.interruption) }
        (openedNumber, openedRedirect, self.example) = (number, redirect, example)
        if !hasOpened { finalBody = nil }
        exchanges += 1
    }

    /// A hold that is reported again goes on.
    private mutating func beginWait(_ until: Duration, _ reason: WaitReason, at: Duration) {
        var since = at
        if reason == .breaker, case .waiting(let before, _, .breaker) = stage { since = before }
        stage = .waiting(since: since, until: until > at ? until : since, reason)
    }

    private mutating func beginAttempt(_ number: Int, of attempts: Int, at: Duration) {
        if case .waiting(let since, _, .breaker) = stage {
            endHold(from: since, at: at)
        } else if let last = finished.last, let planned = last.wait {
            // `r` ends a wait early.
            finished[finished.count - 1].wait = min(planned, max(.zero, at - last.endedAt))
        }
        stage = .attempting
        attempt = number
        self.attempts = attempts
        attemptStartedAt = at
        phases = []
        (upload, received, expected, head) = (nil, 0, nil, nil)
        (bodyStartedAt, receivedAt) = (nil, .zero)
    }

    /// A hold goes on from the wait before it, if there is one.
    private mutating func endHold(from since: Duration, at: Duration) {
        guard let last = finished.last else { return heldFirst = max(.zero, at - since) }
        finished[finished.count - 1].wait = max(.zero, at - last.endedAt)
        finished[finished.count - 1].waitReason = .breaker
    }

    private mutating func finish(_ report: RequestReport) {
        self.report = report
        (finished, bodies) = (report.attempts, AttemptBodies())
    }
}

/// A run in the row of its request.
struct RunSummary: Equatable, Sendable {
    enum Mark: Equatable, Sendable {
        case running, succeeded, failed
    }

    var mark: Mark
    var statusCode: Int?
    var duration: Duration?
    /// True for a run of an earlier session.
    var isOld = false

    /// The same of a run of an earlier session.
    var asOld: RunSummary {
        var old = self
        old.isOld = true
        return old
    }
}

extension RecentRun {
    var summary: RunSummary {
        RunSummary(mark: passed ? .succeeded : .failed, statusCode: status, duration: duration).asOld
    }
}

extension RunState {
    var summary: RunSummary {
        RunSummary(mark: mark, statusCode: receivedResponse?.statusCode, duration: report?.duration)
    }

    private var mark: RunSummary.Mark {
        switch stage {
        case .preparing, .attempting, .waiting: .running
        case .ended: failures.isEmpty ? .succeeded : .failed
        }
    }
}
