/// The recorded runs of a request again, under another policy: a pure function of both.
///
/// Each run takes its own attempts first, as they were recorded. Where a policy allows more than that, the further ones are
/// those that were recorded next, whichever run they belong to: an outage stays one, and the same input has the same result.
package struct PolicySimulation: Equatable, Sendable {
    /// The way in which an attempt ended.
    package enum Ending: Equatable, Sendable {
        /// With a response that passed.
        case passed
        /// With a response that failed an expectation: no policy repeats it.
        case rejected
        /// With a failure that another attempt may mend.
        case failed
        /// Cut off by its timeout or by the SLA; its natural end is unknown.
        case cutOff
        /// A failure that is not repeated, such as a POST that may have reached the server.
        case final
    }

    package struct Attempt: Equatable, Sendable {
        /// The time since the attempt before it ended, or since the start of the run.
        package var gap: Duration
        package var duration: Duration
        package var ending: Ending
        /// True if the server did not respond, or failed with a status from 500 on: a failure in the sense of a
        /// breaker.
        package var isServerFailure: Bool

        /// - Parameter isServerFailure: nil to derive it from the ending.
        package init(
            gap: Duration = .zero, duration: Duration, ending: Ending, isServerFailure: Bool? = nil
        ) {
            self.gap = gap
            self.duration = duration
            self.ending = ending
            self.isServerFailure = isServerFailure ?? (ending == .failed || ending == .cutOff)
        }
    }

    package struct Run: Equatable, Sendable {
        /// In the order in which they were made; one at least.
        package var attempts: [Attempt]
        package var duration: Duration
        package var passed: Bool
        /// Nil for no limit.
        package var sla: Duration?
        /// The time since a moment common to all runs.
        package var startedAt = Duration.zero

        /// The time after the last attempt.
        var tail: Duration {
            max(.zero, duration - attempts.reduce(.zero) { $0 + $1.gap + $1.duration })
        }
    }

    /// The parts of a policy to simulate; nil keeps the recorded one.
    package struct Policy: Equatable, Sendable {
        package var retries: Int?
        /// The wait before the second attempt.
        package var firstWait: Duration?
        /// The ratio of each wait to the one before it.
        package var factor = 2.0
        package var timeout: Duration?
        package var sla: Duration?
        /// Shared by all runs, like the breaker.
        package var retryBudget: RetryBudget?
        package var breaker: CircuitBreaker?

        package init(
            retries: Int? = nil, firstWait: Duration? = nil, factor: Double = 2, timeout: Duration? = nil,
            sla: Duration? = nil, retryBudget: RetryBudget? = nil, breaker: CircuitBreaker? = nil
        ) {
            (self.retries, self.firstWait, self.factor) = (retries, firstWait, factor)
            (self.timeout, self.sla) = (timeout, sla)
            (self.retryBudget, self.breaker) = (retryBudget, breaker)
        }

        /// True if nothing differs from the recorded policy.
        package var isAsRecorded: Bool {
            retries == nil && firstWait == nil && timeout == nil && sla == nil && !isShared
        }

        /// True if the outcome of a run depends on other runs.
        var isShared: Bool { retryBudget != nil || breaker != nil }

        /// The wait before an attempt, its number from 2 on.
        func wait(before number: Int) -> Duration? {
            guard let firstWait else { return nil }
            let seconds = (2..<max(2, number)).reduce(firstWait / .seconds(1)) { seconds, _ in
                min(seconds * factor, Self.maximumWait)
            }
            return .seconds(seconds)
        }

        /// In seconds: a day is longer than any SLA.
        private static let maximumWait = 86_400.0
    }

    /// A run as it would have gone.
    package struct Outcome: Equatable, Sendable {
        package var passed: Bool
        package var duration: Duration
        package var attempts: Int
        /// The time for which a breaker held its attempts.
        package var held = Duration.zero
        /// True if the retry budget was exhausted.
        package var isOverBudget = false
    }

    /// All runs together.
    package struct Figures: Equatable, Sendable {
        package var runs: Int
        package var passed: Int
        package var attempts: Int
        /// The runs with attempts that a breaker held.
        package var held: Int
        /// The runs whose next retry the budget had no room for.
        package var overBudget: Int
        /// The durations of runs; nil without runs.
        package var times: HistoryStatistics.Percentiles?

        /// From 0 to 1; nil without runs.
        package var success: Double? { runs == 0 ? nil : Double(passed) / Double(runs) }
        package var attemptsPerRun: Double? { runs == 0 ? nil : Double(attempts) / Double(runs) }

        init(_ outcomes: [Outcome]) {
            runs = outcomes.count
            passed = outcomes.count(where: \.passed)
            attempts = outcomes.reduce(0) { $0 + $1.attempts }
            held = outcomes.count { $0.held > .zero }
            overBudget = outcomes.count(where: \.isOverBudget)
            times = HistoryStatistics.Percentiles(outcomes.map(\.duration))
        }
    }

    /// The oldest first.
    package let runs: [Run]
    /// All attempts in order, and the index after the attempts of each run.
    private let pool: [Attempt]
    private let ends: [Int]
    package let recorded: Figures
    /// The wait before further attempts where a policy leaves it as recorded: the median.
    private let usualGap: Duration

    /// The maximum number of runs that are read: the newest ones.
    package static let maximumRuns = 5000

    /// - Parameter runs: the oldest first; those without an attempt are left out.
    package init(_ runs: [Run]) {
        let runs = runs.filter { !$0.attempts.isEmpty }
        self.runs = runs
        pool = runs.flatMap(\.attempts)
        var end = 0
        ends = runs.map { run in
            end += run.attempts.count
            return end
        }
        let gaps = runs.flatMap { $0.attempts.dropFirst().map(\.gap) }.sorted()
        usualGap = gaps.isEmpty ? .zero : gaps[gaps.count / 2]
        recorded = Figures(
            runs.map { Outcome(passed: $0.passed, duration: $0.duration, attempts: $0.attempts.count) })
    }

    package func figures(_ policy: Policy = Policy()) -> Figures {
        Figures(policy.isShared ? sharedOutcomes(policy) : runs.indices.map { outcome(ofRunAt: $0, policy) })
    }

    /// Returns the run at an index as it would have gone by itself, without a budget and a breaker.
    package func outcome(ofRunAt index: Int, _ policy: Policy) -> Outcome {
        let run = runs[index]
        // A recorded run has already lived within its own limit.
        let sla = policy.sla ?? (policy.isAsRecorded ? nil : run.sla)
        let maximum = policy.retries.map { max(0, $0) + 1 } ?? run.attempts.count
        var elapsed = Duration.zero
        for number in 1...maximum {
            var attempt = attempt(number, ofRunAt: index)
            if number > 1 { attempt.gap = policy.wait(before: number) ?? attempt.gap }
            // A wait that would not end within the SLA is not begun.
            if number > 1, let sla, elapsed + attempt.gap >= sla {
                return Outcome(passed: false, duration: elapsed, attempts: number - 1)
            }
            attempt.limit(to: policy.timeout)
            elapsed += attempt.gap + attempt.duration
            if let sla, elapsed > sla { return Outcome(passed: false, duration: sla, attempts: number) }
            switch attempt.ending {
            case .passed: return Outcome(passed: true, duration: elapsed + run.tail, attempts: number)
            case .rejected, .final: return Outcome(passed: false, duration: elapsed + run.tail, attempts: number)
            case .failed, .cutOff: break
            }
        }
        return Outcome(passed: false, duration: elapsed + run.tail, attempts: maximum)
    }

    /// The attempt with a number of a run: its own, or one of those that were recorded next.
    func attempt(_ number: Int, ofRunAt index: Int) -> Attempt {
        let own = runs[index].attempts
        if number <= own.count { return own[number - 1] }
        var attempt = pool[(ends[index] + number - own.count - 1) % pool.count]
        attempt.gap = usualGap
        return attempt
    }
}

extension PolicySimulation.Attempt {
    /// Cuts the attempt off at a timeout. An attempt that was cut off before is cut off again, whatever the timeout.
    mutating func limit(to timeout: Duration?) {
        guard let timeout, ending == .cutOff || duration > timeout else { return }
        // A breaker counts it like any other attempt without a response in time.
        (duration, ending, isServerFailure) = (timeout, .cutOff, true)
    }
}

extension HistoryReader {
    /// The newest runs of a selection with their attempts, to be tried under other policies. Cancelled runs do not count.
    func simulation(_ filter: HistoryFilter) throws(DatabaseError) -> PolicySimulation {
        let (condition, values) = try condition(filter)
        let rows = try database.rows(
            """
            SELECT recorded.id, recorded.duration, recorded.outcome, recorded.sla, recorded.method,
                attempt.started, attempt.duration, attempt.outcome, attempt.failure, attempt.pause, attempt.status,
                recorded.started
            FROM (SELECT id, started, duration, outcome, sla, method FROM run WHERE \(condition) AND run.outcome != 3
                ORDER BY run.id DESC LIMIT ?) AS recorded JOIN attempt ON attempt.run = recorded.id
            ORDER BY recorded.id, attempt.number
            """, values + [.integer(PolicySimulation.maximumRuns)], read: RecordedAttempt.init)
        var runs: [PolicySimulation.Run] = []
        var index = 0
        while index < rows.count {
            let attempts = rows[index...].prefix { $0.run == rows[index].run }
            runs.append(PolicySimulation.Run(attempts))
            index += attempts.count
        }
        return PolicySimulation(runs)
    }
}

/// A row of an attempt with its run.
private struct RecordedAttempt: Sendable {
    var run: Int
    var runDuration: Duration
    var outcome: RecordedOutcome
    var sla: Duration?
    var method: RequestMethod
    var startedAt: Duration
    var duration: Duration
    /// As `AttemptCode` has it.
    var code: Int
    var failure: RetryPolicy.Failure?
    var wasRepeated: Bool
    var status: Int?
    /// Since 1970.
    var runStartedAt: Duration

    init(_ row: Database.Row) {
        run = row.integer(0)
        runDuration = row.duration(1)
        outcome = RecordedOutcome(rawValue: row.integer(2)) ?? .error
        sla = row.optionalDuration(3)
        method = RequestMethod(rawValue: row.text(4)) ?? .post
        startedAt = row.duration(5)
        duration = row.duration(6)
        code = row.integer(7)
        failure = row.optionalInteger(8).map(AttemptCode.failure)
        wasRepeated = row.optionalInteger(9) != nil
        status = row.status(10)
        runStartedAt = .microseconds(row.integer(11))
    }

    /// True for a failure of the server or of the way to it, unless the run expects it.
    var isServerFailure: Bool {
        switch code {
        case 0, 1:
            if let status { return status >= 500 && (outcome != .passed || wasRepeated) }
            return code == 1 && (failure == .connection || failure == .timeout)
        case 5: return true
        default: return false
        }
    }

    func ending(isLast: Bool) -> PolicySimulation.Ending {
        guard isLast else { return failure == .timeout ? .cutOff : .failed }
        // A status that was repeated may be what the request expects.
        if outcome == .passed { return .passed }
        switch code {
        case 0: return .rejected
        case 1 where failure == .timeout: return mayRepeat ? .cutOff : .final
        case 1: return mayRepeat ? .failed : .final
        case 4: return .failed
        case 5: return .cutOff
        default: return .final
        }
    }

    /// True if the engine repeats such a failure: the request is idempotent, or it did not reach the server.
    private var mayRepeat: Bool { method.isIdempotent || failure == .connection || wasRepeated }
}

extension PolicySimulation.Run {
    /// - Parameter rows: The rows of one run, at least one.
    fileprivate init(_ rows: ArraySlice<RecordedAttempt>) {
        var end = Duration.zero
        var attempts: [PolicySimulation.Attempt] = []
        for row in rows {
            attempts.append(
                .init(
                    gap: max(.zero, row.startedAt - end), duration: row.duration,
                    ending: row.ending(isLast: attempts.count == rows.count - 1),
                    isServerFailure: row.isServerFailure))
            end = row.startedAt + row.duration
        }
        self.init(
            attempts: attempts, duration: rows.first?.runDuration ?? .zero, passed: rows.first?.outcome == .passed,
            sla: rows.first?.sla, startedAt: rows.first?.runStartedAt ?? .zero)
    }
}
