/// The results of a headless run, or what another command found, from which reports are written.
struct ReportedRuns: Equatable, Sendable {
    /// The number of runs that passed at once and are listed, and the same of all others; more are only counted.
    static let maximumListed = 10_000
    /// The number of runs that are kept with request and response; of more, those that failed or were repeated.
    static let maximumDetailed = 500

    /// The words of the command.
    var title = "ombi run"
    /// The word for one of them.
    var unit = "request"
    /// The words for those that were skipped.
    var skipped = "not sent"
    private(set) var runs: [ReportedRun] = []
    private(set) var counts = Counts()
    private(set) var times = TimeBuckets()
    var startedAt = Date(timeIntervalSince1970: 0)
    var duration: Duration = .zero
    /// `p95` with its time, from the shortest to the longest.
    var percentiles: [Percentile] = []
    /// The same from the scheduled starts; empty without a schedule.
    var latencies: [Percentile] = []
    /// The sentence about a schedule that was not kept; nil for none.
    var delay: String?
    var checks: [ReportedCheck] = []
    /// `ended by SIGTERM`; nil for a run that came to its end.
    var interruption: String?

    struct Percentile: Equatable, Sendable {
        var name: String
        var time: Duration
    }

    struct Counts: Equatable, Sendable {
        var failed = 0
        var flaky = 0
        var passed = 0
        var warned = 0
        var skipped = 0
        /// Those that are counted but not listed.
        var unlisted = 0

        /// Those that were not skipped.
        var sent: Int { failed + flaky + passed + warned }
    }

    mutating func add(_ run: ReportedRun) {
        switch run.verdict {
        case .failed: counts.failed += 1
        case .flaky: counts.flaky += 1
        case .passed: counts.passed += 1
        case .warned: counts.warned += 1
        case .skipped: counts.skipped += 1
        }
        if run.verdict != .skipped { times.add(run.duration) }
        let others = counts.failed + counts.flaky + counts.warned + counts.skipped
        guard (run.verdict == .passed ? counts.passed : others) <= Self.maximumListed else {
            counts.unlisted += 1
            return
        }
        runs.append(run)
    }

    /// Counts runs that were not sent and are not listed.
    mutating func addSkipped(_ count: Int) {
        counts.skipped += count
        counts.unlisted += count
    }

    /// Brings the runs into the order of their turns, and gives those of one name, as it shows, different ones.
    mutating func finish() {
        // The numbers are sorted, as each move of a run takes all its members along.
        runs = runs.indices.sorted { runs[$0].place.number < runs[$1].place.number }.map { runs[$0] }
        var (used, numbers) = (Set<String>(minimumCapacity: runs.count), [String: Int]())
        for index in runs.indices {
            let (name, fullName) = (runs[index].place.name, SafeText.line(runs[index].fullName))
            var isNew = used.insert(fullName).inserted
            while !isNew {
                let number = numbers[fullName, default: 1] + 1
                numbers[fullName] = number
                runs[index].place.name = "\(name) (\(number))"
                isNew = used.insert(SafeText.line(runs[index].fullName)).inserted
            }
        }
    }

    /// `40 requests, 1 failed, 2 passed after retries, 3 not sent, 1 limit missed`
    var summary: String {
        let warnings = counts.warned == 1 ? "warning" : "warnings"
        let parts = [
            (counts.failed, "failed"), (counts.flaky, "passed after retries"), (counts.warned, warnings),
            (counts.skipped, skipped),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let missed = failedChecks.count - (interruption == nil ? 0 : 1)
        let limits = missed > 0 ? [Count.of(missed, "limit") + " missed"] : []
        let all = [Count.of(counts.sent + counts.skipped, unit)] + (parts.isEmpty ? ["all passed"] : parts) + limits
        return all.joined(separator: ", ")
    }

    /// `from the schedule: p50 12 ms, p90 30 ms, p95 40 ms, p99 80 ms`; nil without a schedule.
    var latencyWords: String? {
        guard !latencies.isEmpty else { return nil }
        let times = latencies.map { "\($0.name) \(TimeText.duration($0.time))" }.joined(separator: ", ")
        return "from the schedule: " + times
    }

    /// The listed runs with a verdict, in the order of their turns.
    func listed(_ verdict: ReportedRun.Verdict) -> [ReportedRun] { indices(of: verdict).map { runs[$0] } }

    /// The indices of the same.
    func indices(of verdict: ReportedRun.Verdict) -> [Int] { runs.indices.filter { runs[$0].verdict == verdict } }

    /// The runs that failed, in the order of their turns. Cancelled ones are last, as another failure may be why.
    var failedRuns: [ReportedRun] {
        let failed = listed(.failed)
        return failed.filter { $0.failureClass != .cancelled } + failed.filter { $0.failureClass == .cancelled }
    }

    /// The limits that were missed and the end of an interrupted run.
    var failedChecks: [ReportedCheck] { checks.filter { $0.failure != nil } }
}

/// The kind of a failed run, for exit codes and reports.
enum FailureClass: String, Sendable {
    /// A response that is not as expected, by its status or otherwise.
    case expectation
    /// Passed, but only after a retry, where that counts as a failure.
    case retries
    case sla
    /// No connection, no response in time, or one that broke off.
    case connection
    case tls
    case cancelled
    /// Nothing that could be sent or kept, such as a missing secret.
    case other

    /// The class of a result; nil for one that passed.
    init?(_ result: SessionResult) {
        guard !result.passed else { return nil }
        switch result.ending {
        case .cancelled: self = .cancelled
        case .response: self = .expectation
        case .failure: self.init(withoutResponse: result.report)
        }
    }

    private init(withoutResponse report: RequestReport?) {
        guard let report, let last = report.attempts.last else {
            self = report?.outcome == .slaExceeded ? .sla : .other
            return
        }
        if report.outcome == .slaExceeded || last.outcome == .slaExceeded {
            self = .sla
            return
        }
        switch last.errorCode {
        case .secureConnectionFailed?, .certificateNotTrusted?: self = .tls
        case .cannotFindHost?, .cannotConnectToHost?, .connectionLost?, .timedOut?, .malformedResponse?:
            self = .connection
        case nil: self = last.isTimeout ? .connection : .other
        default: self = .other
        }
    }

    /// True where there is no response to judge.
    var isError: Bool { self != .expectation && self != .retries }
}

extension AttemptReport {
    fileprivate var isTimeout: Bool {
        if case .failed(.timeout, _) = outcome { return true }
        return false
    }
}
