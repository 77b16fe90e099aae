import OmbiWorkspace

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A mark as a line through runs.
extension HistoryMark {
    /// `── deploy 1.4.2, 2026-11-22 14:02:10`
    var line: String { "── \(name), \(HistoryTime.local(date))" }

    /// `── deploy 1.4.2, 14:02`, where the day is known.
    var shortLine: String { "── \(name), \(ReportTime(date, .system).minute)" }

    /// The reason why a text is no name of a mark; nil for one that is.
    static func problem(ofName name: String) -> String? {
        if name.allSatisfy(\.isWhitespace) { return "write a name, such as deploy 1.4.2" }
        return name.count > maximumName ? "write at most \(maximumName) characters" : nil
    }
}

extension [HistoryMark] {
    /// The marks between a run and the one before it.
    func before(_ run: HistoryEntry, after older: HistoryEntry?) -> [HistoryMark] {
        guard !isEmpty else { return [] }
        let start = older?.startedAt ?? .distantPast
        return filter { $0.date <= run.startedAt && $0.date > start }
    }
}
