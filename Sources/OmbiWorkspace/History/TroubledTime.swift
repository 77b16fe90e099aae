#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The time in which most runs of a request were slow or failed.
public struct TroubledTime: Sendable, Equatable {
    public var start: Date
    public var end: Date
    /// The runs in that time, and those of them that were slow or failed.
    public var runs: Int
    public var troubled: Int
    /// Runs that took longer count as slow.
    public var limit: Duration
    /// True where the last run is one of them.
    public var goesOn: Bool

    /// Runs that take more than this times the median are slow.
    private static let slow = 3
    /// Good runs between two bad ones do not end the time, up to this number.
    private static let maximumPause = 2
    /// Fewer bad runs are chance.
    private static let minimum = 3

    /// Finds the time with the most bad runs; nil where there are too few.
    /// - Parameters:
    ///   - entries: the newest first.
    ///   - median: that of the runs that passed.
    public init?(in entries: [HistoryEntry], median: Duration) {
        limit = median * Self.slow
        var (best, current) = (Stretch(), Stretch())
        let runs = entries.reversed().filter { $0.outcome != .cancelled }
        for (index, entry) in runs.enumerated() where entry.outcome != .passed || entry.duration > limit {
            let goesOn = current.count > 0 && index - current.last <= Self.maximumPause + 1
            current = Stretch(first: goesOn ? current.first : index, last: index, count: goesOn ? current.count + 1 : 1)
            if current.count > best.count { best = current }
        }
        guard best.count >= Self.minimum else { return nil }
        (start, end) = (runs[best.first].startedAt, runs[best.last].startedAt)
        (self.runs, troubled) = (best.last - best.first + 1, best.count)
        goesOn = best.last == runs.count - 1
    }

    private struct Stretch {
        var first = 0
        var last = 0
        var count = 0
    }
}
