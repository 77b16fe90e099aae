import OmbiDocument

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A path whose value differs from run to run of one request in one environment, so that it says nothing in a comparison.
public struct VolatilePath: Equatable, Sendable {
    /// With `[*]` for positions.
    public var path: String
    /// The number of runs in which it differed from the run before.
    public var changes: Int
    /// The runs that were compared with the one before.
    public var comparisons: Int

    /// The maximum number of paths that are proposed.
    public static let maximum = 20
    /// The number of runs that are looked at.
    static let maximumRuns = 8

    /// Returns the paths that differ between bodies of the same status, the most frequent first.
    /// - Parameters:
    ///   - bodies: in the order in which they came.
    ///   - paths: those that are ignored already.
    public static func paths(in bodies: [Data], ignoring paths: [JSONPath] = []) -> [VolatilePath] {
        var counts: [String: Int] = [:]
        for (old, new) in zip(bodies, bodies.dropFirst()) {
            let changed = Set(
                BodyDifference(from: old, to: new, ignoring: paths).changes.map {
                    JSONPathPattern.generalized($0.path)
                })
            for path in changed where path != "$" { counts[path, default: 0] += 1 }
        }
        let all = counts.map { VolatilePath(path: $0, changes: $1, comparisons: bodies.count - 1) }
        return Array(all.sorted { ($1.changes, $0.path) < ($0.changes, $1.path) }.prefix(maximum))
    }
}

extension History {
    /// Returns the paths that differed between the newest runs of a request in an environment.
    public func volatilePaths(
        of request: ItemPath, environment: String?, status: Int?, ignoring paths: [JSONPath] = []
    ) async throws(HistoryError) -> [VolatilePath] {
        var filter = HistoryFilter(item: request)
        filter.environment = environment
        filter.outcomes = [.passed, .failed]
        var bodies: [Data] = []
        for entry in try await entries(filter, limit: VolatilePath.maximumRuns)
        where entry.status == status && entry.size ?? 0 <= BodyDifference.maximumBytes / 8 {
            if let body = try await run(entry.id)?.result.response?.body { bodies.append(body) }
        }
        return VolatilePath.paths(in: bodies.reversed(), ignoring: paths)
    }
}
