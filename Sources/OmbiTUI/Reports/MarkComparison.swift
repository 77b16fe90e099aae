import OmbiTerminal
import OmbiWorkspace

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The runs before and after a mark: has the deploy changed something?
struct MarkComparison: Equatable, Sendable {
    var mark: HistoryMark
    var before: HistoryStatistics
    var after: HistoryStatistics

    /// The rows of addresses that are shown.
    private static let maximumAddresses = 20

    /// Compares the runs around the newest mark with a name; nil where there is none.
    /// - Parameter span: the length of both times in seconds; the one after the mark ends now at the latest.
    static func find(
        _ name: String, span: Double, _ filter: HistoryFilter, now: Date, in history: History
    ) async throws(HistoryError) -> MarkComparison? {
        guard let mark = try await history.mark(named: name) else { return nil }
        var (earlier, later) = (filter, filter)
        // A run at the very moment belongs to the time that begins there.
        (earlier.since, earlier.until) = (
            mark.date.addingTimeInterval(-span), mark.date.addingTimeInterval(-0.000_001)
        )
        (later.since, later.until) = (mark.date, min(now, mark.date.addingTimeInterval(span)))
        return MarkComparison(
            mark: mark, before: try await history.statistics(earlier), after: try await history.statistics(later))
    }

    var isEmpty: Bool { before.runs + after.runs == 0 }

    /// `run, p95   180 ms   2.1 s`
    var lines: [String] {
        let columns = [before, after]
        let addresses = HistoryFigures.addresses(columns).prefix(Self.maximumAddresses)
        let rows: [[String]] =
            [["", "before", "after"]] + HistoryFigures.rows(columns)
            + Self.section("failed attempts", HistoryFigures.causes(columns))
            + Self.section("by address", Array(addresses))
        return ([mark.line, ""] + Self.table(rows)).map(SafeText.line)
    }

    private static func section(_ title: String, _ rows: [[String]]) -> [[String]] {
        rows.isEmpty ? [] : [[title, "", ""]] + rows.map { ["  " + $0[0], $0[1], $0[2]] }
    }

    private static func table(_ rows: [[String]]) -> [String] {
        func width(_ column: Int) -> Int { rows.map { TextWidth.of($0[column]) }.max() ?? 0 }
        let (first, second) = (width(0), width(1))
        return rows.map { "\($0[0].padded(to: first))  \($0[1].padded(to: second))  \($0[2])" }
    }
}
