import OmbiTerminal
import OmbiWorkspace

/// The figures of several selections of runs next to each other, as rows of a table.
enum HistoryFigures {
    /// A row for each figure: its name, then a column for each selection.
    static func rows(_ columns: [HistoryStatistics]) -> [[String]] {
        let share = { (share: Double?) in share.map(Percent.text) ?? "–" }
        let time = { (time: Duration?) in time.map(TimeText.duration) ?? "–" }
        return [
            ["runs"] + columns.map { "\($0.runs)" },
            ["passed at the first try"] + columns.map { share($0.firstTry) },
            ["passed eventually"] + columns.map { share($0.eventual) },
            ["run, p50"] + columns.map { time($0.ofRuns?.p50) }, ["run, p95"] + columns.map { time($0.ofRuns?.p95) },
            ["run, p99"] + columns.map { time($0.ofRuns?.p99) },
            ["run, maximum"] + columns.map { time($0.ofRuns?.maximum) },
            ["attempt, p50"] + columns.map { time($0.ofAttempts?.p50) },
            ["attempt, p95"] + columns.map { time($0.ofAttempts?.p95) },
        ]
    }

    /// A row for each reason why attempts failed in one of the selections, those of the last one first.
    static func causes(_ columns: [HistoryStatistics]) -> [[String]] {
        names(columns) { $0.failures.map(\.name) }.map { name in
            [name] + columns.map { column in "\(column.failures.first { $0.name == name }?.count ?? 0)" }
        }
    }

    /// A row for each address, those of the last selection first.
    static func addresses(_ columns: [HistoryStatistics]) -> [[String]] {
        names(columns) { $0.addresses.map(\.name) }.map { name in
            [name] + columns.map { column in column.addresses.first { $0.name == name }?.words ?? "–" }
        }
    }

    private static func names(
        _ columns: [HistoryStatistics], _ names: (HistoryStatistics) -> [String]
    ) -> [String] {
        var known: Set<String> = []
        return columns.reversed().flatMap(names).filter { known.insert($0).inserted }
    }
}
