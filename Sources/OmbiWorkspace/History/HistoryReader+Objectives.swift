/// The index in which the runs of a request since a time are counted without a look at the runs themselves, so that hundreds
/// of objectives take no longer with a million runs.
enum HistoryWindows {
    /// `IS NOT` in place of `!=` keeps other queries, which are sorted by number, away from it.
    static let condition = "outcome IS NOT 3"

    static let schema = """
        CREATE INDEX IF NOT EXISTS run_in_time ON run (request, started, environment, outcome, duration, sla)
        WHERE \(condition);
        """
}

extension HistoryReader {
    /// The query for the runs of several periods, each a row with its index. The values are, for each: the limit of a run,
    /// the start, the end and those of the condition. One pass over all would test each run for each period; a filter counts a fifth
    /// faster than a sum.
    static func windowsQuery(_ count: Int, _ condition: String) -> String {
        let met = "run.outcome = 0 AND run.duration <= coalesce(?, run.sla, run.duration)"
        return (0..<count).map { index in
            """
            SELECT \(index), count(*), count(*) FILTER (WHERE \(met)) FROM run
            WHERE run.started >= ? AND run.started <= ? AND run.\(HistoryWindows.condition) AND \(condition)
            """
        }.joined(separator: "\nUNION ALL\n")
    }

    /// The runs of several periods up to now that passed in time.
    /// - Parameter within: nil for the SLA of each run.
    func windows(
        _ filter: HistoryFilter, within: Duration?, _ lengths: [Duration], now: Date
    ) throws(DatabaseError) -> [HistoryStatistics.Window] {
        guard !lengths.isEmpty else { return [] }
        let limit = Database.Value.optional(within?.wholeMicroseconds)
        let (condition, values) = try condition(filter)
        let parameters = lengths.flatMap { length -> [Database.Value] in
            [limit, .integer(now.microseconds - length.wholeMicroseconds), .integer(now.microseconds)] + values
        }
        var windows = lengths.map { HistoryStatistics.Window(name: AgeText.format($0), runs: 0, met: 0) }
        let counts = try database.rows(Self.windowsQuery(lengths.count, condition), parameters) { row in
            (index: row.count(0), runs: row.count(1), met: row.count(2))
        }
        for count in counts where windows.indices.contains(count.index) {
            (windows[count.index].runs, windows[count.index].met) = (count.runs, count.met)
        }
        return windows
    }
}

extension History {
    /// Returns the runs of several periods up to `windowsEnd` that passed in time.
    /// - Parameter within: nil for the SLA of each run.
    package func windows(
        _ filter: HistoryFilter, within: Duration?, _ lengths: [Duration]
    ) async throws(HistoryError) -> [HistoryStatistics.Window] {
        let now = windowsEnd
        return try await read { (reader) throws(DatabaseError) in
            try reader.windows(filter, within: within, lengths, now: now)
        } ?? []
    }

    /// Returns the runs of the periods of statistics that passed within a time.
    /// - Parameter within: nil for the SLA of each run.
    package func windows(
        _ filter: HistoryFilter, within: Duration?
    ) async throws(HistoryError) -> [HistoryStatistics.Window] {
        let periods = HistoryStatistics.periods
        let windows = try await windows(filter, within: within, periods.map { Duration.seconds($0.1) })
        return zip(periods, windows).map { period, window in
            HistoryStatistics.Window(name: period.0, runs: window.runs, met: window.met)
        }
    }
}
