#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The questions to a history.
extension History {
    /// The newest runs first.
    public func entries(
        _ filter: HistoryFilter = HistoryFilter(), limit: Int = 500, offset: Int = 0
    ) async throws(HistoryError) -> [HistoryEntry] {
        try await read { (reader) throws(DatabaseError) in
            try reader.entries(filter, limit: limit, offset: offset)
        } ?? []
    }

    /// The newest run of each request, in the order in which the requests were first recorded.
    public func newestOfEach(_ filter: HistoryFilter, limit: Int = 10_000) async throws(HistoryError) -> [HistoryEntry]
    {
        try await read { (reader) throws(DatabaseError) in try reader.newestOfEach(filter, limit: limit) } ?? []
    }

    public func count(_ filter: HistoryFilter = HistoryFilter()) async throws(HistoryError) -> Int {
        try await read { (reader) throws(DatabaseError) in try reader.count(filter) } ?? 0
    }

    /// Returns nil for a number that no run has.
    /// - Parameters:
    ///   - includesBody: false leaves the body of the response out, as if it were empty.
    ///   - maximumAttemptBody: in bytes; larger bodies of attempts are left out. By default `includesBody` holds.
    public func run(
        _ id: Int, includesBody: Bool = true, maximumAttemptBody: Int? = nil
    ) async throws(HistoryError) -> RecordedRun? {
        try await read { (reader) throws(DatabaseError) in
            try reader.run(id, includesBody: includesBody, maximumAttemptBody: maximumAttemptBody)
        }.flatMap { $0 }
    }

    /// Returns the newest response to the same request that passed and whose body is kept: from the same environment and
    /// URL, to the same body.
    public func lastGood(
        _ item: ItemPath, environment: String?, _ request: PreparedRequest
    ) async throws(HistoryError) -> RecordedRun? {
        var filter = HistoryFilter(item: resolved(item))
        (filter.environment, filter.outcomes) = (environment, [.passed])
        return try await read { [filter] (reader) throws(DatabaseError) in
            try reader.lastGood(filter, request)
        }.flatMap { $0 }
    }

    /// Returns the run before or after another in a selection, and its place there; nil where there is none.
    /// - Parameters:
    ///   - id: that of the other run; nil for one that is newer than all.
    ///   - isOlder: false for the run after it.
    ///   - skipping: the number of older runs to pass over.
    public func neighbor(
        of id: Int?, isOlder: Bool, skipping: Int = 0, in filter: HistoryFilter
    ) async throws(HistoryError) -> (run: RecordedRun, place: HistoryPlace)? {
        try await read { (reader) throws(DatabaseError) in
            guard let found = try reader.neighbor(of: id, isOlder: isOlder, skipping: skipping, in: filter),
                let run = try reader.run(found)
            else { return nil }
            return (run, try reader.place(of: found, in: filter))
        }.flatMap { $0 }
    }

    /// Returns the place of a run in a selection.
    public func place(of id: Int, in filter: HistoryFilter) async throws(HistoryError) -> HistoryPlace {
        try await read { (reader) throws(DatabaseError) in try reader.place(of: id, in: filter) }
            ?? HistoryPlace(number: 1, count: 1)
    }

    /// Returns a value of the kept responses of a selection, over time.
    /// - Parameter path: a JSONPath; of several values that it selects, the first.
    public func values(at path: String, _ filter: HistoryFilter) async throws(HistoryError) -> ValueHistory {
        try await read { (reader) throws(DatabaseError) in try reader.values(at: path, filter) }
            ?? ValueHistory(path: path, periods: [], runs: 0, isCut: false)
    }

    public func statistics(_ filter: HistoryFilter) async throws(HistoryError) -> HistoryStatistics {
        let now = now()
        return try await read { (reader) throws(DatabaseError) in try reader.statistics(filter, now: now) }
            ?? HistoryStatistics(runs: [], attempts: [], now: now)
    }

    /// Returns the attempts by their addresses, without the figures of the runs.
    public func hosts(_ filter: HistoryFilter) async throws(HistoryError) -> HistoryStatistics {
        let now = now()
        return try await read { (reader) throws(DatabaseError) in try reader.hosts(filter, now: now) }
            ?? HistoryStatistics(runs: [], attempts: [], now: now)
    }

    /// Returns the last runs of every request of some files, the oldest first: one look for all rows of a list.
    /// - Parameter files: their paths as they are recorded.
    public func recent(files: [String], limit: Int) async throws(HistoryError) -> [ItemPath: [RecentRun]] {
        try await read { (reader) throws(DatabaseError) in try reader.recent(files: files, limit: limit) } ?? [:]
    }

    /// Returns the newest runs of a selection, to be tried under other policies.
    public func simulation(_ filter: HistoryFilter) async throws(HistoryError) -> PolicySimulation {
        try await read { (reader) throws(DatabaseError) in try reader.simulation(filter) } ?? PolicySimulation([])
    }

    // MARK: Paths

    /// The same selection, with the path of the file as it is recorded.
    public func resolved(_ filter: HistoryFilter) -> HistoryFilter {
        var filter = filter
        filter.item = filter.item.map(resolved)
        return filter
    }

    /// The same file has one path, however it was named.
    public func resolved(_ path: ItemPath) -> ItemPath {
        guard let real = try? fileSystem.resolve(path.file) else { return path }
        let isAbsolute = real.hasPrefix("/")
        let folder = isAbsolute ? "" : ((try? fileSystem.resolve(".")) ?? "") + "/"
        return ItemPath(file: folder + real, path: path.path)
    }
}
