import OmbiCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HistoryReader {
    /// The runs of several periods up to now that passed in time, in one look.
    /// - Parameter within: nil for the SLA of each run.
    func windows(
        _ filter: HistoryFilter, within: Duration?, _ lengths: [Duration], now: Date
    ) throws(DatabaseError) -> [HistoryStatistics.Window] {
        let starts = lengths.map { now.microseconds - $0.wholeMicroseconds }
        guard let first = starts.min() else { return [] }
        let met = "run.outcome = 0 AND run.duration <= coalesce(?, run.sla, run.duration)"
        let limit = Database.Value.optional(within?.wholeMicroseconds)
        let (condition, values) = try condition(filter)
        let columns = starts.map { _ in "sum(run.started >= ?), sum(run.started >= ? AND \(met))" }
        let counts = try database.rows(
            """
            SELECT \(columns.joined(separator: ", ")) FROM run
            WHERE run.started >= ? AND run.outcome != 3 AND \(condition)
            """, starts.flatMap { [Database.Value.integer($0), .integer($0), limit] } + [.integer(first)] + values
        ) { row in lengths.indices.map { (runs: row.count(2 * $0), met: row.count(2 * $0 + 1)) } }
        return zip(lengths, counts.first ?? []).map { length, count in
            HistoryStatistics.Window(name: AgeText.format(length), runs: count.runs, met: count.met)
        }
    }
}

extension History {
    /// Returns the runs of several periods up to now that passed in time.
    /// - Parameter within: nil for the SLA of each run.
    public func windows(
        _ filter: HistoryFilter, within: Duration?, _ lengths: [Duration]
    ) async throws(HistoryError) -> [HistoryStatistics.Window] {
        let now = now()
        return try await read { (reader) throws(DatabaseError) in
            try reader.windows(filter, within: within, lengths, now: now)
        } ?? []
    }

    /// Returns the runs of the periods of statistics that passed within a time other than their SLAs.
    public func windows(
        _ filter: HistoryFilter, within: Duration
    ) async throws(HistoryError) -> [HistoryStatistics.Window] {
        let periods = HistoryStatistics.periods
        let windows = try await windows(filter, within: within, periods.map { Duration.seconds($0.1) })
        return zip(periods, windows).map { period, window in
            HistoryStatistics.Window(name: period.0, runs: window.runs, met: window.met)
        }
    }
}
