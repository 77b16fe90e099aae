/// The output of a headless run.
struct RunReport {
    enum Output: Equatable, Sendable {
        case table, json, bodies, jsonLines
        /// Each with its status, its headers and its body laid out, for a terminal.
        case responses
        /// Nothing but a report that is written to the standard output.
        case silent
    }

    /// A result with what is made of it where it comes in, several at the same time.
    struct Judged: Sendable {
        var result: SessionResult
        /// True for one that the session takes for passed, and that an option of the command line fails.
        var failsByOption: Bool
        /// Nil for one that passed.
        var failureClass: FailureClass?
        /// The text of its row; empty for an output that has none.
        var row: String
        /// Nil where no report is written.
        var reported: ReportedRun?
    }

    let jobs: JobList
    let output: Output
    var thresholds: [Threshold] = []
    /// The colours of bodies that are laid out; nil for none.
    var painter: TextPainter?
    /// True for requests that are sent more than once.
    var showsStatistics = false
    /// Nil where none is wanted.
    var files: ReportFiles?
    var plan = RunPlan()
    /// The line about a load that a terminal shows while it runs; nil for none.
    var live: LiveLine?
    /// True to fail what passes only after a retry.
    var failsRetries = false
    /// True for exit statuses by the kind of the failures.
    var hasExitClasses = false
    /// Compares the responses with files; nil where that is not asked for.
    var snapshots: SnapshotRun?
    /// The number of results that the session takes for passed.
    private(set) var optionFailures = 0
    private var failureClasses: [FailureClass: Int] = [:]
    private var running = 0
    /// True once it was said that the schedule is not kept.
    private var hasWarned = false
    /// True once a request has waited for the limit of its server.
    private var hasHeldBack = false
    private let table: RunTable
    private var json = RunJSON()
    private var statistics = RunStatistics()
    private var limits = HostLimits()

    init(_ jobs: JobList, output: Output) {
        self.jobs = jobs
        self.output = output
        table = RunTable(jobs.widest, isColored: StandardOutput.isColored)
    }

    /// True where the starts of requests count: for any other run they would cost a lock each.
    var followsStarts: Bool { live != nil || plan.scheduledCount != nil }

    /// Takes in that the request of a turn is about to be sent.
    mutating func begin(_ turn: RunTurn) {
        running += 1
        if turn.isHeldBack { hasHeldBack = true }
        guard !hasWarned, let lateness = turn.lateness, lateness > RunTurn.tolerance, plan.scheduledCount != nil
        else { return }
        hasWarned = true
        live?.clear()
        let cause = Self.delayCause(isHeldBack: hasHeldBack, running: running, of: plan.concurrency)
        StandardError.report("the schedule is not kept: \(cause); times count from the schedule")
    }

    /// Takes in that a request waits for the limit of its server. Says so at once: it may wait for a minute.
    mutating func hold() {
        let notice = limits.notice()
        tell(notice)
    }

    private func tell(_ notice: String?) {
        guard let notice else { return }
        live?.clear()
        StandardError.report(notice)
    }

    /// Returns why requests begin late.
    /// - Parameter isHeldBack: true where a request has waited for the limit of its server: those behind it wait, too.
    static func delayCause(isHeldBack: Bool, running: Int, of concurrency: Int) -> String {
        if isHeldBack { return "a server allows few more requests" }
        return running < concurrency
            ? "this machine does not keep up"
            : "as many requests are in flight as --concurrency allows (\(concurrency))"
    }

    func progress(after elapsed: Duration) -> LoadProgress {
        LoadProgress(
            elapsed: elapsed, count: statistics.count, running: running, p50: statistics.percentile(50),
            p95: statistics.percentile(95), p99: statistics.percentile(99), failures: failureClasses)
    }

    func judged(_ result: SessionResult, _ turn: RunTurn) -> Judged {
        var result = result
        let hasPassed = result.passed
        let differences = snapshots?.failures(of: result, jobs[turn.order].order) ?? []
        let failsByRetries = failsRetries && hasPassed && !result.retriedAttempts.isEmpty
        if failsByRetries {
            let attempts = Count.of(result.attemptCount, "attempt")
            result.failures.append("passed only after \(attempts), and --strict-retries is given")
        }
        result.failures += differences
        let failureClass: FailureClass? = failsByRetries && differences.isEmpty ? .retries : FailureClass(result)
        return Judged(
            result: result, failsByOption: hasPassed && !result.passed, failureClass: failureClass,
            row: row(of: result, turn), reported: files?.reported(result, turn, failureClass))
    }

    private func row(of result: SessionResult, _ turn: RunTurn) -> String {
        switch output {
        case .table:
            isShown(result) ? StandardOutput.glyphs.text(table.row(jobs[turn.order], result)) + "\n" : ""
        case .jsonLines: RunJSON.line(jobs[turn.order], result, latency: turn.latency)
        case .bodies, .json, .responses, .silent: ""
        }
    }

    /// Next to a live line on the same terminal only failures have rows.
    private func isShown(_ result: SessionResult) -> Bool {
        live == nil || !result.passed || !StandardOutput.isTerminal
    }

    mutating func add(_ judged: Judged, _ turn: RunTurn) {
        let result = judged.result
        statistics.add(result, turn)
        running = max(0, running - 1)
        limits.add(result)
        let notice = turn.isHeldBack ? limits.notice(of: result) : nil
        tell(notice)
        if judged.failsByOption { optionFailures += 1 }
        if let failureClass = judged.failureClass { failureClasses[failureClass, default: 0] += 1 }
        if let run = judged.reported { files?.add(run, result, turn) }
        if !result.dependencies.isEmpty {
            live?.clear()
            tell(result.dependencies, jobs[turn.order])
        }
        switch output {
        case .table, .jsonLines:
            guard !judged.row.isEmpty else { break }
            if StandardOutput.isTerminal { live?.clear() }
            StandardOutput.write(judged.row)
        case .bodies: print(bodyOf: jobs[turn.order], result)
        case .responses:
            let head = ResponseHeadText.text(result, isColored: StandardOutput.isColored)
            if !head.isEmpty { StandardOutput.show(head) }
            print(bodyOf: jobs[turn.order], result)
        case .json:
            StandardOutput.write(json.add(jobs[turn.order], result, at: turn.number, latency: turn.latency))
        case .silent: break
        }
    }

    func add(_ event: StreamedEvent, _ turn: RunTurn) {
        let job = jobs[turn.order]
        if output == .jsonLines { return StandardOutput.write(RunJSON.line(job, event)) }
        StandardOutput.print((jobs.count > 1 ? SafeText.line(job.name) + "  " : "") + event.row)
    }

    /// Writes the end and the reports.
    /// - Parameter interruption: the exit status of a run that a signal ended; nil for any other.
    /// - Returns: the exit status of a run that did not succeed; nil for success.
    mutating func end(_ tally: Tally, duration: Duration, _ interruption: ExitStatus? = nil) -> ExitStatus? {
        live?.clear()
        statistics.missed = missed(interruption)
        let results = thresholds.map { ($0, $0.failure(of: statistics)) }
        let failures = results.compactMap(\.1)
        switch output {
        case .json:
            let end = json.end(tally, statistics, limits, thresholds: results, duration: duration)
            StandardOutput.write(end)
        case .table:
            StandardOutput.show(table.summary(tally, duration: duration))
            if showsStatistics { StandardOutput.show(table.summary(statistics)) }
            for line in limits.lines() { StandardOutput.show(line) }
        case .jsonLines:
            StandardOutput.write(RunJSON.lastLine(tally, statistics, results, limits, duration: duration))
        case .bodies, .responses, .silent: break
        }
        for failure in failures { StandardError.report(failure) }
        if plan.scheduledCount != nil, let delay = statistics.delayWords { StandardError.report(delay) }
        if let notice = earlyEnd(after: duration, interruption) { StandardError.report(notice) }
        let isWritten =
            files?.write(
                tally, statistics, results, duration: duration, interruption: interruption?.interruption) ?? true
        let areUsable = snapshots?.printSummary() ?? true
        if let interruption { return interruption }
        if !isWritten || !areUsable { return .inputOutput }
        guard tally.failed > 0 || !failures.isEmpty else { return nil }
        return hasExitClasses ? ExitStatus(Set(failureClasses.keys), missesLimit: !failures.isEmpty) : .failure
    }

    /// Returns why a run for a certain time has ended before it; nil where no server is the cause.
    private func earlyEnd(after duration: Duration, _ interruption: ExitStatus?) -> String? {
        guard case .duration(let limit) = plan.length, limit - duration > RunTurn.tolerance, interruption == nil,
            !plan.ignoresRateLimits, !(plan.failsFast && !failureClasses.isEmpty),
            plan.scheduledCount == nil || (statistics.missed ?? 0) > 0
        else { return nil }
        return limits.earlyEnd(left: limit - duration)
    }

    /// The number of scheduled requests that were not sent; nil where another end than that of the time came first.
    private func missed(_ interruption: ExitStatus?) -> Int? {
        guard interruption == nil, !(plan.failsFast && !failureClasses.isEmpty) else { return nil }
        return plan.scheduledCount.map { max(0, $0 - statistics.count) }
    }

    /// Says what was sent first, once for all that waited for it.
    private func tell(_ dependencies: [DependencyResult], _ job: Job) {
        for dependency in dependencies where !dependency.isShared {
            let outcome = dependency.statusCode.map(StatusCode.words) ?? "no response"
            let time = dependency.duration.map { ", \(TimeText.duration($0))" } ?? ""
            let sent = "sent \(dependency.request) first, for {{\(dependency.variable)}} of \(job.name)"
            StandardError.print(line: "\(sent): \(outcome)\(time)")
        }
    }

    private func print(bodyOf job: Job, _ result: SessionResult) {
        let failures = result.passed ? nil : result.failures.joined(separator: "; ")
        for text in [failures, result.remark, result.fallback?.words].compactMap(\.self) {
            StandardError.print(line: "\(job.name): \(text)")
        }
        let response = result.fallback?.response?.response ?? result.receivedResponse
        guard let response, let bytes = response.body.map(Array.init) else { return }
        guard output == .responses else { return StandardOutput.write(body: bytes) }
        LaidOutBody(bytes, contentType: response.headers?[.contentType]?.text, painter: painter).print()
    }
}

/// The results of a headless run as a table for people.
struct RunTable {
    var nameColumns: Int
    var isColored: Bool

    init(_ jobs: [Job], isColored: Bool) {
        nameColumns = min(56, jobs.map { TextWidth.of($0.name) }.max() ?? 0)
        self.isColored = isColored
    }

    /// `✓ GET    demo/users/list users   200  12 ms  1.2 kB`
    func row(_ job: Job, _ result: SessionResult) -> String {
        let status = result.receivedResponse?.statusCode.map(String.init) ?? "–"
        let time = result.report.map { TimeText.duration($0.duration) } ?? "–"
        let size = result.receivedResponse.map { TimeText.size($0.body?.count ?? 0) } ?? "–"
        let attempts = result.attemptsOfPage
        let mark = result.passed ? paint("✓", .green) : paint("✗", .red)
        var row = "\(mark) \(job.request.method.shortName.padded(to: 5)) "
        row += SafeText.line(job.name).padded(to: nameColumns) + "  \(status.padded(to: 3))"
        row += "  " + time.leftPadded(to: 7) + "  " + size.leftPadded(to: 7)
        if attempts > 1 { row += "  \(attempts) attempts" }
        if let pages = result.pages { row += "  " + pages.words }
        return row + failures(result) + result.notes.map { "\n    " + paint(SafeText.line($0), .yellow) }.joined()
    }

    /// One failure behind the row, several in lines below it.
    private func failures(_ result: SessionResult) -> String {
        let lines = result.failures.map { paint(SafeText.line($0), .red) }
        if lines.count < 2 { return lines.map { "  " + $0 }.joined() }
        let unmet = result.expectations.contains { !$0.isMet }
        return (unmet && result.expectations.count > 1 ? "  " + result.expectations.words : "")
            + lines.map { "\n    " + $0 }.joined()
    }

    func summary(_ tally: Tally, duration: Duration) -> String {
        let verdict = tally.failed == 0 ? paint("all passed", .green) : paint("\(tally.failed) failed", .red)
        return "\(Count.of(tally.count, "request")), \(verdict), \(TimeText.duration(duration))"
    }

    /// `p50 12 ms, p95 40 ms, p99 41 ms, max 80 ms; first try 98 %, eventually 100 %`
    func summary(_ statistics: RunStatistics) -> String {
        let times = Self.words(statistics.service)
        let shares = [("first try", statistics.firstTry), ("eventually", statistics.eventual)].compactMap {
            name, share in
            share.map { "\(name) \(Percent.text($0))" }
        }
        let all = [times, shares].filter { !$0.isEmpty }.map { $0.joined(separator: ", ") }.joined(separator: "; ")
        guard let latency = statistics.latency else { return all }
        return "from the schedule: \(Self.words(latency).joined(separator: ", "))\nfrom the start: \(all)"
    }

    private static func words(_ times: RunTimes) -> [String] {
        let percentiles = [50, 95, 99].compactMap { percent in
            times.percentile(Double(percent)).map { "p\(percent) \(TimeText.duration($0))" }
        }
        return percentiles + (times.maximum.map { ["max \(TimeText.duration($0))"] } ?? [])
    }

    private func paint(_ text: String, _ color: Paint) -> String { isColored ? color.text(text) : text }
}
