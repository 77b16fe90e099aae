import OmbiDocument
import OmbiWorkspace

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The reason why a bundle could not be written.
struct BundleFailure: Error, CustomStringConvertible {
    let description: String
}

/// An incident as a file that the explorer opens, instead of a report.
extension Incident {
    /// Returns the text of the file and the number of its runs; nil where nothing was recorded.
    static func bundle(
        _ range: IncidentRange, _ filter: HistoryFilter, in history: History
    ) async throws(BundleFailure) -> (text: String, runs: Int)? {
        let (excerpt, facts) = try await recorded(range, filter, in: history)
        guard excerpt.runCount > 0 else { return nil }
        do throws(ImportError) {
            return (try IncidentBundle(of: excerpt).text(facts), excerpt.runCount)
        } catch { throw BundleFailure(description: error.message) }
    }

    private static func recorded(
        _ range: IncidentRange, _ filter: HistoryFilter, in history: History
    ) async throws(BundleFailure) -> (HistoryExcerpt, IncidentBundle.Facts) {
        do throws(HistoryError) {
            let selected = filter.limited(to: range)
            let excerpt = try await history.excerpt(selected, marksSince: range.before.start, until: range.end)
            let during = try await history.statistics(selected)
            let before = try await history.statistics(filter.limited(to: range.before))
            let facts = IncidentBundle.Facts(
                start: range.start, end: range.end, count: try await history.count(selected),
                statistics: ["during": figures(during), "before": figures(before)])
            return (excerpt, facts)
        } catch { throw BundleFailure(description: error.description) }
    }

    private static func figures(_ statistics: HistoryStatistics) -> JSONValue {
        let times = statistics.ofRuns
        return [
            "runs": JSONValue.number(statistics.runs), "passed": JSONValue.number(statistics.passed),
            "passedAtOnce": JSONValue.number(statistics.passedAtOnce), "p50Ms": JSONValue.milliseconds(times?.p50),
            "p95Ms": JSONValue.milliseconds(times?.p95), "p99Ms": JSONValue.milliseconds(times?.p99),
        ]
    }
}
