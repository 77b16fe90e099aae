/// A selection of runs that are counted in several periods up to now: all, and those that passed in time.
package struct HistoryWindows: Equatable, Sendable {
    package var filter: HistoryFilter
    /// The maximum duration of a run that counts as in time; nil for its SLA.
    package var within: Duration?
    package var lengths: [Duration]

    package init(_ filter: HistoryFilter, within: Duration?, _ lengths: [Duration]) {
        (self.filter, self.within, self.lengths) = (filter, within, lengths)
    }

    /// `IS NOT` instead of `!=`: other queries, which are sorted by number, then do not use the index.
    private static let condition = "outcome IS NOT 3"

    /// The index in which the runs of a request since a time are counted without a look at the runs themselves, so that hundreds
    /// of objectives take no longer with a million runs.
    static let schema = """
        CREATE INDEX IF NOT EXISTS run_in_time ON run (request, started, environment, outcome, duration, sla)
        WHERE \(condition);
        """

    /// The query for the runs of several periods, each a row with its index. The values are, for each: the limit of a run,
    /// the start, the end and those of the condition. One pass over all would test each run for each period; a filter counts a fifth
    /// faster than a sum.
    static func query(_ count: Int, _ condition: String) -> String {
        let met = "run.outcome = 0 AND run.duration <= coalesce(?, run.sla, run.duration)"
        return (0..<count).map { index in
            """
            SELECT \(index), count(*), count(*) FILTER (WHERE \(met)) FROM run
            WHERE run.started >= ? AND run.started <= ? AND run.\(Self.condition) AND \(condition)
            """
        }.joined(separator: "\nUNION ALL\n")
    }
}

extension HistoryReader {
    /// Returns the runs of each period, in the order of the lengths.
    func windows(_ selection: HistoryWindows, now: Date) throws(DatabaseError) -> [HistoryStatistics.Window] {
        let lengths = selection.lengths
        guard !lengths.isEmpty else { return [] }
        let limit = Database.Value.optional(selection.within?.wholeMicroseconds)
        let (condition, values) = try condition(selection.filter)
        let parameters = lengths.flatMap { length -> [Database.Value] in
            [limit, .integer(now.microseconds - length.wholeMicroseconds), .integer(now.microseconds)] + values
        }
        var windows = lengths.map { HistoryStatistics.Window(name: AgeText.format($0), runs: 0, met: 0) }
        let counts = try database.rows(HistoryWindows.query(lengths.count, condition), parameters) { row in
            (index: row.count(0), runs: row.count(1), met: row.count(2))
        }
        for count in counts where windows.indices.contains(count.index) {
            (windows[count.index].runs, windows[count.index].met) = (count.runs, count.met)
        }
        return windows
    }
}

extension History {
    /// Returns the runs of the periods of each selection, up to `windowsEnd`.
    package func windows(
        _ selections: [HistoryWindows]
    ) async throws(HistoryError) -> [[HistoryStatistics.Window]] {
        let now = windowsEnd
        return try await read { (reader) throws(DatabaseError) in
            try selections.map { (selection) throws(DatabaseError) in try reader.windows(selection, now: now) }
        } ?? []
    }

    /// Returns the runs of the periods of statistics that passed within a time.
    /// - Parameter within: nil for the SLA of each run.
    package func windows(
        _ filter: HistoryFilter, within: Duration?
    ) async throws(HistoryError) -> [HistoryStatistics.Window] {
        let periods = HistoryStatistics.periods
        let lengths = periods.map { Duration.seconds($0.1) }
        let windows = try await windows([HistoryWindows(filter, within: within, lengths)]).first ?? []
        return zip(periods, windows).map { period, window in
            HistoryStatistics.Window(name: period.0, runs: window.runs, met: window.met)
        }
    }
}
