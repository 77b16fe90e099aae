import OmbiCore
import OmbiTerminal
import OmbiWorkspace

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The runs of the request that the history has, the newest first.
enum HistoryTab {
    static func title(_ history: RequestHistory?) -> String {
        guard let count = history?.count, count > 0 else { return "History" }
        return "History \(count)"
    }

    /// A row for each run, so that the row under the cursor is one.
    /// - Parameter shown: the run whose response is on the screen.
    static func rows(_ history: RequestHistory?, shown: HistoryEntry.ID?) -> [ResponseRow] {
        guard let history else { return [] }
        guard !history.entries.isEmpty else { return [hint("No run is in the history yet. s sends the request.")] }
        let longest = history.entries.map(\.duration).max() ?? .zero
        let environments = history.entries.map { TextWidth.of($0.environment ?? "") }.max() ?? 0
        let times = history.entries.map { TimeText.duration($0.duration).count }.max() ?? 0
        return history.entries.map { entry in
            ResponseRow(
                [
                    Span(text: entry.id == shown ? "▌" : " ", role: .title),
                    Span(text: time(entry.startedAt) + "  ", role: .dim),
                    Span(text: (entry.environment ?? "").padded(to: min(12, environments)) + "  ", role: .plain),
                    result(entry),
                    Span(text: "  " + TimeText.duration(entry.duration).leftPadded(to: times), role: .plain),
                    Span(text: "  " + bar(entry.duration, of: longest), role: .dim),
                    Span(text: "  " + details(entry), role: .dim),
                ], .value(line(entry), named: "the run"))
        }
    }

    private static func hint(_ text: String) -> ResponseRow { ResponseRow([Span(text: text, role: .dim)]) }

    /// The status, or why there is none.
    private static func result(_ entry: HistoryEntry) -> Span {
        switch entry.outcome {
        case .passed: Span(text: "✓ " + status(entry), role: .success)
        case .failed: Span(text: "✗ " + status(entry), role: .forStatus(entry.status))
        case .error: Span(text: "✗ ---", role: .failure)
        case .cancelled: Span(text: "  ---", role: .warning)
        }
    }

    private static func status(_ entry: HistoryEntry) -> String { entry.status.map(String.init) ?? "---" }

    private static let barColumns = 8

    private static func bar(_ duration: Duration, of longest: Duration) -> String {
        guard longest > .zero else { return "".padded(to: barColumns) }
        let cells = Int((duration / longest * Double(barColumns)).rounded(.up))
        return String(repeating: "█", count: min(barColumns, max(1, cells))).padded(to: barColumns)
    }

    private static func details(_ entry: HistoryEntry) -> String {
        let parts = [
            entry.attempts > 1 ? "\(entry.attempts) attempts" : nil, entry.size.map(TimeText.size),
            entry.outcome == .passed ? nil : entry.failure,
        ]
        return parts.compactMap { $0 }.joined(separator: " · ")
    }

    private static func line(_ entry: HistoryEntry) -> String {
        let parts = [
            time(entry.startedAt), entry.environment ?? "", entry.method, entry.url, entry.outcome.name, status(entry),
            TimeText.duration(entry.duration), details(entry),
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "  ")
    }

    /// `2026-11-23 08:11:07`, by the clock of this place.
    static func time(_ date: Date) -> String {
        let style = Date.ISO8601FormatStyle(timeZone: .current).year().month().day().dateTimeSeparator(.space)
        return String(date.formatted(style.time(includingFractionalSeconds: false)).prefix(19))
    }
}

extension String {
    fileprivate func leftPadded(to columns: Int) -> String {
        String(repeating: " ", count: max(0, columns - count)) + self
    }
}
