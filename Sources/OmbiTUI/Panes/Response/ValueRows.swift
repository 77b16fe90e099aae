import OmbiTerminal
import OmbiWorkspace

/// The rows that show one value over time: the newest first, a row for each change.
enum ValueRows {
    static func rows(_ history: ValueHistory) -> [[Span]] {
        guard let newest = history.periods.first else {
            return [[Span(text: "No response of this request is in the history yet.", role: .dim)]]
        }
        let changes = history.periods.count - 1
        var rows: [[Span]] = []
        if history.numbers.count > 1 {
            rows.append([Span(text: Sparkline.text(history.numbers, columns: 60), role: .phaseWait)])
        }
        let summary =
            changes == 0
            ? "the same in \(Count.of(history.runs, "run"))"
            : "\(Count.of(changes, "change")) in \(Count.of(history.runs, "run")); the last one "
                + HistoryTab.time(newest.first)
        rows.append([Span(text: summary, role: .dim)])
        rows.append([])
        rows += history.periods.map { period in
            [
                Span(text: HistoryTab.time(period.first) + "  ", role: .dim),
                period.value.map { Span(text: $0, role: .plain) } ?? Span(text: "no such value", role: .warning),
                Span(text: period.runs > 1 ? "  \(period.runs)×" : "", role: .dim),
            ]
        }
        if history.isCut { rows.append([Span(text: "Older responses were not looked at.", role: .dim)]) }
        return rows
    }
}
