extension HistoryReader {
    /// Runs that are read one by one; the figures of more come from their counts.
    static let maximumExact = 2_000

    /// The figures of the runs that a filter selects.
    func statistics(
        _ filter: HistoryFilter, now: Date, maximumExact: Int = HistoryReader.maximumExact
    ) throws(DatabaseError) -> HistoryStatistics {
        if try isTallied(filter, moreThan: maximumExact) {
            var tallied = try tallied(filter, now: now)
            tallied.addresses = try talliedAddresses(filter)
            tallied.add(try newestPhases(filter))
            return tallied
        }
        let (condition, values) = try condition(filter)
        let runs = try database.rows(
            "SELECT started, duration, outcome, attempts, sla FROM run WHERE \(condition)", values
        ) { row in
            HistoryStatistics.Run(
                startedAt: row.date(0), duration: row.duration(1),
                outcome: RecordedOutcome(rawValue: row.integer(2)) ?? .error, attempts: row.count(3),
                sla: row.optionalDuration(4))
        }
        // A cancelled or abandoned attempt says nothing about the server.
        let attempts = try database.rows(
            """
            SELECT attempt.duration FROM run JOIN attempt ON attempt.run = run.id
            WHERE \(condition) AND attempt.outcome IN (0, 1)
            """, values
        ) { $0.duration(0) }
        var statistics = HistoryStatistics(
            runs: runs, attempts: attempts, failures: try failures(.each, condition, values),
            retries: try retries(.each, condition, values), now: now)
        statistics.addresses = try addresses(.each, condition, values)
        statistics.add(try attemptPhases(condition, values))
        return statistics
    }

    /// The attempts of a selection by their addresses, without the figures of its runs: a million take a second.
    func hosts(
        _ filter: HistoryFilter, now: Date, maximumExact: Int = HistoryReader.maximumExact
    ) throws(DatabaseError) -> HistoryStatistics {
        guard try isTallied(filter, moreThan: maximumExact) else {
            return try statistics(filter, now: now, maximumExact: maximumExact)
        }
        var hosts = HistoryStatistics(runs: [], attempts: [], now: now)
        (hosts.isRounded, hosts.addresses) = (true, try talliedAddresses(filter))
        hosts.add(try newestPhases(filter))
        return hosts
    }

    private func talliedAddresses(_ filter: HistoryFilter) throws(DatabaseError) -> [HistoryAddress] {
        let (condition, values) = try condition(filter)
        return try addresses(.tallied, condition, values)
    }

    private func newestPhases(_ filter: HistoryFilter) throws(DatabaseError) -> [AttemptPhases] {
        var newest = filter
        newest.last = Self.maximumExact
        let (condition, values) = try condition(newest)
        return try attemptPhases(condition, values)
    }

    /// The times of the phases of attempts that ended by themselves, with their addresses.
    private func attemptPhases(
        _ condition: String, _ values: [Database.Value]
    ) throws(DatabaseError) -> [AttemptPhases] {
        let phases = RequestPhase.allCases
        let columns = phases.map { "attempt." + $0.rawValue.lowercased() }.joined(separator: ", ")
        return try database.rows(
            """
            SELECT coalesce(attempt.address, 0), \(columns) FROM run JOIN attempt ON attempt.run = run.id
            WHERE \(condition) AND attempt.outcome IN (0, 1)
            """, values
        ) { row in
            AttemptPhases(address: row.integer(0), times: phases.indices.map { row.duration($0 + 1) })
        }
    }

    /// The attempts of runs, each for itself or counted.
    struct Attempts {
        /// `run` has the columns that a condition names.
        var tables: String
        /// The table with the columns of attempts.
        var name: String
        var count: String
        /// True for those that are not the first of their run.
        var isRepeat: String
        /// The tables with the addresses of attempts.
        var tablesWithAddress: String
        /// The duration, or the limit of its step.
        var time: String

        static let each = Attempts(
            tables: "run JOIN attempt ON attempt.run = run.id", name: "attempt", count: "count(*)",
            isRepeat: "attempt.number > 1", tablesWithAddress: "run JOIN attempt ON attempt.run = run.id",
            time: "attempt.duration")
        static let tallied = Attempts(
            tables: "attempt_tally AS run", name: "run", count: "sum(run.count)", isRepeat: "run.isRepeat",
            tablesWithAddress: "address_tally AS run", time: "run.upTo")
    }

    /// Counts the attempts that failed although their runs did not expect it.
    func failures(
        _ attempts: Attempts, _ condition: String, _ values: [Database.Value]
    ) throws(DatabaseError) -> [HistoryStatistics.Count] {
        let table = attempts.name
        let counts = try database.rows(
            """
            SELECT \(table).outcome, \(table).failure, \(table).status, \(attempts.count) AS number
            FROM \(attempts.tables) WHERE \(condition) AND \(AttemptCode.isFailure(in: table))
            GROUP BY \(table).outcome, \(table).failure, \(table).status HAVING number > 0 ORDER BY number DESC
            """, values
        ) { row in
            HistoryStatistics.Count(
                AttemptCode.name(
                    ofOutcome: row.integer(0), failure: row.integer(1), status: row.optionalInteger(2)), row.count(3))
        }
        return HistoryStatistics.Count.joined(counts)
    }

    func retries(
        _ attempts: Attempts, _ condition: String, _ values: [Database.Value]
    ) throws(DatabaseError) -> [HistoryStatistics.Count] {
        try database.rows(
            """
            SELECT \(attempts.name).reason, \(attempts.count) AS number FROM \(attempts.tables)
            WHERE \(condition) AND \(attempts.isRepeat)
                AND \(attempts.name).reason != \(AttemptCode.index(of: AttemptReport.Reason.credentialsRefreshed))
            GROUP BY \(attempts.name).reason HAVING number > 0
            ORDER BY number DESC
            """, values
        ) { HistoryStatistics.Count(AttemptCode.name(AttemptCode.reason($0.integer(0))), $0.count(1)) }
    }
}

extension AttemptCode {
    /// Returns true for the numbers of an attempt that failed although its run did not expect it, and of one whose response the
    /// run rejects.
    /// - Parameter failure: negative for none.
    static func isFailure(outcome: Int, failure: Int) -> Bool {
        ([1, 2, 5].contains(outcome) || outcome == 0 && failure >= 0) && failure < expected
    }

    /// The same as a condition on the rows of a table.
    static func isFailure(in table: String) -> String {
        """
        (\(table).outcome IN (1, 2, 5) OR \(table).outcome = 0 AND \(table).failure >= 0)
            AND coalesce(\(table).failure, -1) < \(expected)
        """
    }

    /// - Parameter status: negative, or nil, for none.
    static func name(ofOutcome outcome: Int, failure: Int, status: Int?) -> String {
        switch outcome {
        case 5: "SLA exceeded"
        case 2: "stopped"
        default: name(ofFailure: failure, status: status.flatMap { $0 < 0 ? nil : $0 })
        }
    }

    /// `status 503`, `timeout`, `DNS`
    static func name(ofFailure index: Int, status: Int?) -> String {
        if let error = error(index) { return name(error) }
        return switch failure(index) {
        case .status: status.map { "status \($0)" } ?? "status"
        // A run of a version that did not record more.
        case .connection: "no connection"
        case .timeout: "timeout"
        case .decoding: "decoding"
        case .validation: "validation"
        }
    }

    private static func name(_ error: TransportError.Code) -> String {
        switch error {
        case .cannotFindHost: "DNS"
        case .cannotConnectToHost: "connection failed"
        case .secureConnectionFailed, .certificateNotTrusted: "TLS"
        case .connectionLost: "connection lost"
        case .malformedResponse, .responseTooLarge: "invalid response"
        case .tooManyRedirects: "too many redirects"
        case .redirectRefused: "redirect refused"
        case .timedOut: "timeout"
        case .cancelled, .requestBodyFailed, .refused, .responseNotStored, .unsupportedURL, .unsupportedOption,
            .noDescriptors, .outOfMemory, .transportUnavailable, .unknown:
            "other failure"
        }
    }

    static func name(_ reason: AttemptReport.Reason) -> String {
        switch reason {
        case .first: "first attempt"
        case .retry: "after a failure"
        case .reconnect: "reconnected"
        case .manual: "retried by hand"
        case .credentialsRefreshed: "new credentials"
        }
    }
}

extension HistoryReader {
    /// False to compute figures from the runs themselves: there are few, or the counts do not distinguish them from
    /// others.
    private func isTallied(_ filter: HistoryFilter, moreThan maximumExact: Int) throws(DatabaseError) -> Bool {
        guard filter.selectsRequests else { return false }
        let (condition, values) = try condition(filter)
        let further = try database.rows(
            "SELECT 1 FROM run WHERE \(condition) LIMIT 1 OFFSET ?", values + [.integer(maximumExact)]
        ) { _ in true }
        return !further.isEmpty
    }

    /// The figures of the runs of a selection from their counts.
    private func tallied(_ filter: HistoryFilter, now: Date) throws(DatabaseError) -> HistoryStatistics {
        // Each table of counts has the columns of a run that such a filter names.
        let (condition, values) = try condition(filter)
        let periods = try database.rows(
            """
            SELECT start, min(first), max(last), max(longest), sum(runs), sum(cancelled), sum(passed), sum(passedAtOnce),
                sum(met)
            FROM period AS run WHERE \(condition) GROUP BY start HAVING sum(runs + cancelled) > 0 ORDER BY start
            """, values
        ) { row in
            HistoryStatistics.Period(
                first: row.date(1), last: row.date(2),
                end: row.date(0).addingTimeInterval(Double(HistoryTallies.period) / 1_000_000),
                longest: row.duration(3), runs: row.count(4), cancelled: row.count(5), passed: row.count(6),
                passedAtOnce: row.count(7), met: row.count(8))
        }
        return HistoryStatistics(
            periods: periods, runTimes: try times("run_tally", condition, values),
            attemptTimes: try times("attempt_tally", condition + " AND outcome IN (0, 1)", values),
            failures: try failures(.tallied, condition, values), retries: try retries(.tallied, condition, values),
            now: now)
    }

    private func times(
        _ table: String, _ condition: String, _ values: [Database.Value]
    ) throws(DatabaseError) -> [HistoryStatistics.Bar] {
        try database.rows(
            """
            SELECT upTo, sum(count) AS number FROM \(table) AS run WHERE \(condition)
            GROUP BY upTo HAVING number > 0 ORDER BY upTo
            """, values
        ) { HistoryStatistics.Bar(upTo: $0.duration(0), count: $0.count(1)) }
    }
}

extension HistoryStatistics {
    /// The runs that were started within five minutes.
    struct Period: Equatable, Sendable {
        /// The starts of the first and of the last run.
        var first: Date
        var last: Date
        /// The end of the five minutes.
        var end: Date
        var longest: Duration
        var runs: Int
        var cancelled: Int
        var passed: Int
        var passedAtOnce: Int
        var met: Int
    }

    /// - Parameters:
    ///   - periods: in the order of their times.
    ///   - runTimes: the runs by duration, in steps, the shortest first.
    ///   - attemptTimes: the same of attempts that ended by themselves.
    ///   - now: the end of the windows.
    init(periods: [Period], runTimes: [Bar], attemptTimes: [Bar], failures: [Count], retries: [Count], now: Date) {
        func sum(_ part: KeyPath<Period, Int>) -> Int { periods.reduce(0) { $0 + $1[keyPath: part] } }
        (runs, cancelled, passed, passedAtOnce) = (sum(\.runs), sum(\.cancelled), sum(\.passed), sum(\.passedAtOnce))
        isRounded = true
        let ended = periods.filter { $0.runs > 0 }
        let longest = ended.map(\.longest).max()
        ofRuns = Percentiles(runTimes, longest: longest)
        ofAttempts = Percentiles(attemptTimes, longest: longest)
        (self.failures, self.retries) = (failures, retries)
        windows = Self.periods.map { name, seconds in
            let recent = ended.filter { $0.first <= now && now.timeIntervalSince($0.end) <= seconds }
            return Window(
                name: name, runs: recent.reduce(0) { $0 + $1.runs }, met: recent.reduce(0) { $0 + $1.met })
        }
        histogram = Self.doubling(runTimes)
        (first, last) = (ended.map(\.first).min(), ended.map(\.last).max())
        timeline = Self.timeline(ended, first, last)
    }

    private static func timeline(_ periods: [Period], _ first: Date?, _ last: Date?) -> [Slot] {
        guard let first, let last, last > first else { return [] }
        let length = last.timeIntervalSince(first)
        // A slot shorter than a period would be empty though there were runs.
        let count = min(slots, max(1, Int(length / (Double(HistoryTallies.period) / 1_000_000))))
        var slots = [Slot](repeating: Slot(), count: count)
        for period in periods {
            let share = period.first.timeIntervalSince(first) / length
            let index = min(count - 1, max(0, Int(share * Double(count))))
            slots[index] = slots[index].merged(
                with: Slot(runs: period.runs, failed: period.runs - period.passed, longest: period.longest))
        }
        return slots
    }

    /// Joins steps to bars that double.
    private static func doubling(_ times: [Bar]) -> [Bar] {
        guard let longest = times.last?.upTo, let shortest = times.first?.upTo else { return [] }
        var bars: [Bar] = []
        var limit = Duration.milliseconds(1)
        var rest = times[...]
        while bars.last.map({ $0.upTo < longest }) ?? true {
            let within = rest.prefix { $0.upTo <= limit }
            if limit >= shortest { bars.append(Bar(upTo: limit, count: within.reduce(0) { $0 + $1.count })) }
            rest = rest.dropFirst(within.count)
            limit *= 2
        }
        return bars
    }
}

extension HistoryStatistics.Percentiles {
    /// The percentiles of durations that were counted in steps; nil without any.
    init?(_ times: [HistoryStatistics.Bar], longest: Duration?) {
        guard let last = times.last else { return nil }
        let count = times.reduce(0) { $0 + $1.count }
        let maximum = min(last.upTo, longest ?? last.upTo)
        func rank(_ part: Double) -> Duration {
            var left = max(1, Int((part * Double(count)).rounded(.up)))
            for time in times {
                left -= time.count
                if left <= 0 { return min(time.upTo, maximum) }
            }
            return maximum
        }
        self.init(p50: rank(0.5), p90: rank(0.9), p95: rank(0.95), p99: rank(0.99), maximum: maximum)
    }
}
