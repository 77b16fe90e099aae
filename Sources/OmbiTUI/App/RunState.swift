import OmbiCore
import OmbiWorkspace

/// One run of a request as it is known so far: the events of the engine folded into what the screen shows.
struct RunState: Equatable, Sendable {
    enum Stage: Equatable, Sendable {
        case preparing
        case attempting
        case waiting(since: Duration, until: Duration, WaitReason)
        case ended(RunResult)
    }

    let id: RunID
    let item: ItemID
    let name: String
    /// On the clock of the program; the times of the engine count from here.
    private(set) var startedAt: Duration
    private(set) var stage = Stage.preparing
    private(set) var attempt = 0
    private(set) var attempts = 1
    private(set) var attemptStartedAt = Duration.zero
    private(set) var phases: [PhaseStart] = []
    private(set) var received = 0
    private(set) var expected: Int?
    private(set) var head: ResponseHead?
    private(set) var finished: [AttemptReport] = []
    private(set) var report: RequestReport?
    private(set) var endedAt: Duration?
    var sent: SentRequest?
    /// The laid-out body of the final response.
    var document: BodyDocument?
    /// What is wrong with the ended run; empty when nothing is.
    private(set) var failures: [String] = []

    /// When a phase of the attempt under way began, since the start of the run.
    struct PhaseStart: Equatable, Sendable {
        var phase: RequestPhase
        var at: Duration
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

    /// The final answer of the server, when there is one.
    var response: TransportResponse? {
        if case .ended(.response(let response)) = stage { response } else { nil }
    }

    var failure: String? {
        if case .ended(.failure(let message)) = stage { message } else { nil }
    }

    var sla: Duration { report?.sla ?? sent?.sla ?? .zero }

    /// How long the run has taken so far, or took.
    func elapsed(now: Duration) -> Duration {
        report?.duration ?? max(.zero, (endedAt ?? now) - startedAt)
    }

    mutating func prepare(_ sent: SentRequest, now: Duration) {
        self.sent = sent
        attempts = sent.attempts
        startedAt = now
    }

    mutating func fold(_ event: RequestEvent) {
        switch event {
        case .attemptStarted(let number, let attempts, let at): beginAttempt(number, of: attempts, at: at)
        case .phaseReached(_, let phase, let at): phases.append(PhaseStart(phase: phase, at: at))
        case .bodySent, .bodyStarted: break
        case .headReceived(_, let head, _): self.head = head
        case .bodyReceived(_, let bytes, let expected, _): (received, self.expected) = (bytes, expected)
        case .attemptFinished(let report): finished.append(report)
        case .waiting(_, let until, let reason, let at): stage = .waiting(since: at, until: until, reason)
        case .attemptsAdded(let attempts, _): self.attempts = attempts
        case .fallbackUsed: break
        case .finished(let report): finish(report)
        }
    }

    mutating func end(_ result: RunResult, now: Duration) {
        stage = .ended(result)
        endedAt = now
        failures = Verdict.failures(of: result, expectation: sent?.expectation, report: report)
    }

    private mutating func beginAttempt(_ number: Int, of attempts: Int, at: Duration) {
        stage = .attempting
        attempt = number
        self.attempts = attempts
        attemptStartedAt = at
        phases = []
        (received, expected, head) = (0, nil, nil)
    }

    private mutating func finish(_ report: RequestReport) {
        self.report = report
        finished = report.attempts
    }
}
