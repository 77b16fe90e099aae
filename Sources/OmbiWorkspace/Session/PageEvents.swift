import OmbiCore

/// Makes the events of a page those of the whole run: with its times and the numbers of its attempts, and without its
/// body, which goes into the joined document.
struct PageEvents: Sendable {
    /// The time at which the page was requested.
    let offset: Duration
    /// The number of attempts before it.
    let attempts: Int
    /// True where the body shows while it arrives.
    let passesBody: Bool
    private let onEvent: @Sendable (SessionEvent) -> Void

    init(
        offset: Duration, attempts: Int, passesBody: Bool, _ onEvent: @escaping @Sendable (SessionEvent) -> Void
    ) {
        (self.offset, self.attempts, self.passesBody, self.onEvent) = (offset, attempts, passesBody, onEvent)
    }

    func receive(_ event: RequestEvent) { if let event = shifted(event) { onEvent(.step(event)) } }

    private func shifted(_ event: RequestEvent) -> RequestEvent? {
        switch event {
        case .attemptStarted(let number, let count, let at):
            return .attemptStarted(number: number + attempts, attempts: count + attempts, at: at + offset)
        case .authenticating(let attempt, let at):
            return .authenticating(attempt: attempt + attempts, at: at + offset)
        case .phaseReached(let attempt, let phase, let at):
            return .phaseReached(attempt: attempt + attempts, phase: phase, at: at + offset)
        case .bodySent(let attempt, let bytes, let expected, let at):
            return .bodySent(attempt: attempt + attempts, bytes: bytes, expected: expected, at: at + offset)
        case .headReceived, .bodyStarted, .bodyReceived: return passesBody ? event : nil
        case .refreshingCredentials(let attempt, let at):
            return .refreshingCredentials(attempt: attempt + attempts, at: at + offset)
        case .attemptFinished(let report): return .attemptFinished(shifted(report))
        case .waiting(let attempt, let until, let reason, let at):
            return .waiting(attempt: attempt + attempts, until: until + offset, reason: reason, at: at + offset)
        case .attemptsAdded(let count, let at): return .attemptsAdded(attempts: count + attempts, at: at + offset)
        case .fallbackUsed(let at): return .fallbackUsed(at: at + offset)
        // The run is finished with its last page.
        case .redirected, .finished: return nil
        }
    }

    func shifted(_ report: AttemptReport) -> AttemptReport {
        var report = report
        report.number += attempts
        report.startedAt += offset
        return report
    }
}

/// The attempts of all pages of a run.
struct PageReports {
    private(set) var first: RequestReport?
    private var attempts: [AttemptReport] = []
    /// The number of attempts, with those that are not kept.
    private(set) var count = 0

    /// The attempts that are kept, as in `RequestReport.attempts`.
    private static let maximumAttempts = 100

    mutating func add(_ report: RequestReport?, _ events: PageEvents) {
        guard let report else { return }
        if first == nil { first = report }
        count += report.attemptCount
        attempts += report.attempts.map(events.shifted)
        attempts.removeFirst(max(0, attempts.count - Self.maximumAttempts))
        // The joined body has the pages that came.
        for index in attempts.indices where attempts[index].outcome == .succeeded { attempts[index].omitBody() }
        AttemptBodies.limit(&attempts)
    }

    /// Returns the report of the whole run. An SLA holds for each page, so only a run of one has it.
    func report(_ duration: Duration, isOnePage: Bool, _ problem: String?) -> RequestReport {
        RequestReport(
            attempts: attempts, attemptCount: count, duration: duration, sla: isOnePage ? first?.sla : nil,
            outcome: problem.map { .failed($0) } ?? .succeeded, request: first?.request)
    }
}

/// The place at which the pages of a request go on: the next run continues the document of the last one there.
struct PageMark: Sendable {
    struct Key: Hashable, Sendable {
        var file: String
        var environment: String?
        var item: ItemID

        init(_ order: RunOrder) {
            (file, environment, item) = (order.file, order.environment, order.request.id)
        }
    }

    var target: PageTarget
    var joiner: PageJoiner
    /// The URLs that were requested.
    var visited: Set<String>
    /// The pages so far.
    var pages: PageSummary
}
