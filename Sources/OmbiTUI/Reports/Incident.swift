import OmbiCore
import OmbiWorkspace

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The recorded runs of a time, with the figures before it: what is handed over after an incident.
struct Incident: Equatable, Sendable {
    var range: IncidentRange
    /// The name of what was selected; nil for all that was recorded.
    var selection: String?
    var during: HistoryStatistics
    var before: HistoryStatistics
    /// The oldest first.
    var runs: [RecordedRun]
    /// The number of runs in that time, which may be more than are listed.
    var count: Int
    /// The marks of that time and of the time before it, the oldest first.
    var marks: [HistoryMark] = []

    static let maximumRuns = 500
    /// The bytes of a body of which a part is shown.
    static let maximumBody = 1 << 16
    /// The characters of it that are shown.
    static let maximumExcerpt = 600
    /// The bytes of attempts' bodies that are read for a report.
    static let maximumAttemptBodies = 32 << 20
    /// The number of attempts of a run whose responses are shown.
    static let maximumAttempts = 5
    static let maximumAddresses = 20
    /// The number of runs that are described in full.
    static let maximumDetails = 50

    /// The runs that failed or needed more than one attempt.
    var details: [RecordedRun] { runs.filter { $0.entry.outcome != .passed || $0.entry.attempts > 1 } }

    /// Reads the runs of a time. Bodies are read of runs and attempts that failed, and only small ones.
    static func find(
        _ range: IncidentRange, _ filter: HistoryFilter, selection: String?, in history: History
    ) async throws(HistoryError) -> Incident {
        let selected = filter.limited(to: range)
        var entries = try await history.entries(selected, limit: maximumRuns)
        entries.sort { ($0.startedAt, $0.id) < ($1.startedAt, $1.id) }
        var runs: [RecordedRun] = []
        var room = maximumAttemptBodies
        for entry in entries {
            let isWanted = entry.outcome != .passed && entry.size ?? 0 <= maximumBody
            let run = try await history.run(
                entry.id, includesBody: isWanted, maximumAttemptBody: room > 0 ? maximumBody : 0)
            guard let run else { continue }
            runs.append(run)
            room -= (run.result.report?.attempts ?? []).reduce(0) { $0 + ($1.received?.body?.count ?? 0) }
        }
        return Incident(
            range: range, selection: selection, during: try await history.statistics(selected),
            before: try await history.statistics(filter.limited(to: range.before)), runs: runs,
            count: try await history.count(selected),
            marks: try await history.marks(since: range.before.start, until: range.end))
    }
}

extension HistoryFilter {
    fileprivate func limited(to range: IncidentRange) -> HistoryFilter {
        var filter = self
        // A run at the very end belongs to the time that begins there.
        (filter.since, filter.until) = (range.start, range.end.addingTimeInterval(-0.000_001))
        return filter
    }
}
