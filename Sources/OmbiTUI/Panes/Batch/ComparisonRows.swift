import OmbiCore
import OmbiDocument
import OmbiTerminal
import OmbiWorkspace

/// The rows that show two runs side by side: status and time of both, and every value that differs.
enum ComparisonRows {
    static func rows(_ comparison: RunComparison) -> [[Span]] {
        let sides = [comparison.old, comparison.new]
        let width = sides.map { TextWidth.of(name($0)) }.max() ?? 0
        var rows = sides.map { row($0, width) }
        rows.append([])
        rows.append([Span(text: comparison.verdict, role: comparison.isSame ? .success : .warning)])
        let changes = comparison.body.changes
        guard !changes.isEmpty else { return rows }
        let paths = min(40, changes.map { TextWidth.of($0.path) }.max() ?? 0)
        rows += changes.map { row($0, paths) }
        rows += [[], [Span(text: "A path in \"may differ\" of the tab About is no longer compared.", role: .dim)]]
        return rows
    }

    /// The paths that differ from run to run, and what to do about them.
    static func rows(_ paths: [VolatilePath]) -> [[Span]] {
        [[], [Span(text: "These differ from run to run in one environment; i lets them differ:", role: .warning)]]
            + paths.map { path in
                [
                    Span(text: "  " + path.path, role: .key),
                    Span(text: "  in \(path.changes) of \(path.comparisons) runs", role: .dim),
                ]
            }
    }

    private static func name(_ side: RunComparison.Side) -> String {
        (side.startedAt.map { HistoryTime.local($0) + "  " } ?? "") + (side.environment ?? "")
    }

    private static func row(_ side: RunComparison.Side, _ width: Int) -> [Span] {
        let result = side.status.map(StatusCode.words) ?? side.failure ?? side.outcome.name
        let time = side.duration.map { "  " + TimeText.duration($0) } ?? ""
        let attempts = side.attempts > 1 ? "  \(side.attempts) attempts" : ""
        return [
            Span(text: name(side).padded(to: width) + "  ", role: .key),
            Span(text: result, role: side.hasResponse ? .forStatus(side.status) : .failure),
            Span(text: time + attempts, role: .dim),
        ]
    }

    private static func row(_ change: JSONValueChange, _ width: Int) -> [Span] {
        let path = Span(text: change.path.padded(to: width) + "  ", role: .key)
        let old = change.old.map { Span(text: $0, role: .removed) }
        let new = change.new.map { Span(text: $0, role: .added) }
        switch change.kind {
        case .added: return [Span(text: "+ ", role: .added), path] + [new].compactMap { $0 }
        case .removed: return [Span(text: "- ", role: .removed), path] + [old].compactMap { $0 }
        case .changed:
            return [Span(text: "~ ", role: .warning), path]
                + [old, Span(text: " → ", role: .dim), new].compactMap { $0 }
        }
    }
}
