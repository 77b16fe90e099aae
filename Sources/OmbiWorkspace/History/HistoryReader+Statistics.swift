import OmbiCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HistoryReader {
    /// The figures of the runs that a filter selects.
    func statistics(_ filter: HistoryFilter, now: Date) throws(DatabaseError) -> HistoryStatistics {
        let (condition, values) = filter.condition
        let runs = try database.rows(
            "SELECT started, duration, outcome, attempts, sla FROM run WHERE \(condition)", values
        ) { row in
            HistoryStatistics.Run(
                startedAt: Date(microseconds: row.integer(0)), duration: .microseconds(row.integer(1)),
                outcome: RecordedOutcome(rawValue: row.integer(2)) ?? .error, attempts: row.integer(3),
                sla: row.optionalInteger(4).map { .microseconds($0) })
        }
        // A cancelled or abandoned attempt says nothing about the server.
        let attempts = try database.rows(
            """
            SELECT attempt.duration FROM run JOIN attempt ON attempt.run = run.id
            WHERE \(condition) AND attempt.outcome IN (0, 1)
            """, values
        ) { Duration.microseconds($0.integer(0)) }
        return HistoryStatistics(
            runs: runs, attempts: attempts, failures: try failures(condition, values),
            retries: try retries(condition, values), now: now)
    }

    private func failures(
        _ condition: String, _ values: [Database.Value]
    ) throws(DatabaseError) -> [HistoryStatistics.Count] {
        try database.rows(
            """
            SELECT attempt.outcome, attempt.failure, attempt.status, count(*) AS number
            FROM run JOIN attempt ON attempt.run = run.id
            WHERE \(condition) AND attempt.outcome IN (1, 2, 5)
            GROUP BY attempt.outcome, attempt.failure, attempt.status ORDER BY number DESC
            """, values
        ) { row in
            let name =
                switch row.integer(0) {
                case 5: "SLA exceeded"
                case 2: "stopped"
                default:
                    AttemptCode.name(AttemptCode.failure(row.integer(1)), status: row.optionalInteger(2))
                }
            return HistoryStatistics.Count(name, row.integer(3))
        }
    }

    private func retries(
        _ condition: String, _ values: [Database.Value]
    ) throws(DatabaseError) -> [HistoryStatistics.Count] {
        try database.rows(
            """
            SELECT attempt.reason, count(*) AS number FROM run JOIN attempt ON attempt.run = run.id
            WHERE \(condition) AND attempt.number > 1 GROUP BY attempt.reason ORDER BY number DESC
            """, values
        ) { HistoryStatistics.Count(AttemptCode.name(AttemptCode.reason($0.integer(0))), $0.integer(1)) }
    }
}

extension AttemptCode {
    /// `status 503`, `timeout`
    static func name(_ failure: RetryPolicy.Failure, status: Int?) -> String {
        switch failure {
        case .status: status.map { "status \($0)" } ?? "status"
        case .connection: "no connection"
        case .timeout: "timeout"
        case .decoding: "decoding"
        case .validation: "validation"
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
