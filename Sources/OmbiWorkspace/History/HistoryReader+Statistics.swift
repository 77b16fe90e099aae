import OmbiCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HistoryReader {
    /// Runs that are read one by one; the figures of more come from their counts.
    static let maximumExact = 2_000

    /// The figures of the runs that a filter selects.
    func statistics(
        _ filter: HistoryFilter, now: Date, maximumExact: Int = HistoryReader.maximumExact
    ) throws(DatabaseError) -> HistoryStatistics {
        if var tallied = try tallied(filter, moreThan: maximumExact, now: now) {
            var newest = filter
            newest.last = Self.maximumExact
            let (condition, values) = try condition(newest)
            tallied.add(try attemptPhases(condition, values))
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
            WHERE \(condition) AND \(attempts.isRepeat) GROUP BY \(attempts.name).reason HAVING number > 0
            ORDER BY number DESC
            """, values
        ) { HistoryStatistics.Count(AttemptCode.name(AttemptCode.reason($0.integer(0))), $0.count(1)) }
    }
}

extension AttemptCode {
    /// Returns true for the numbers of an attempt that failed although its run did not expect it.
    static func isFailure(outcome: Int, failure: Int) -> Bool { [1, 2, 5].contains(outcome) && failure < expected }

    /// The same as a condition on the rows of a table.
    static func isFailure(in table: String) -> String {
        "\(table).outcome IN (1, 2, 5) AND coalesce(\(table).failure, -1) < \(expected)"
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
