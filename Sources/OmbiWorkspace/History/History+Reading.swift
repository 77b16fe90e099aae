/// The questions to a history.
extension History {
    /// The newest runs first.
    package func entries(
        _ filter: HistoryFilter = HistoryFilter(), limit: Int = 500, offset: Int = 0
    ) async throws(HistoryError) -> [HistoryEntry] {
        try await read { (reader) throws(DatabaseError) in
            try reader.entries(filter, limit: limit, offset: offset)
        } ?? []
    }

    /// The newest run of each request, in the order in which the requests were first recorded.
    package func newestOfEach(_ filter: HistoryFilter, limit: Int = 10_000) async throws(HistoryError) -> [HistoryEntry]
    {
        try await read { (reader) throws(DatabaseError) in try reader.newestOfEach(filter, limit: limit) } ?? []
    }

    package func count(_ filter: HistoryFilter = HistoryFilter()) async throws(HistoryError) -> Int {
        try await read { (reader) throws(DatabaseError) in try reader.count(filter) } ?? 0
    }

    /// Returns nil for a number that no run has.
    /// - Parameters:
    ///   - includesBody: false leaves the body of the response out, as if it were empty.
    ///   - maximumAttemptBody: in bytes; larger bodies of attempts are left out. By default `includesBody` holds.
    package func run(
        _ id: Int, includesBody: Bool = true, maximumAttemptBody: Int? = nil
    ) async throws(HistoryError) -> RecordedRun? {
        try await read { (reader) throws(DatabaseError) in
            try reader.run(id, includesBody: includesBody, maximumAttemptBody: maximumAttemptBody)
        }.flatMap { $0 }
    }

    /// Returns the newest response to the same request that passed and whose body is kept: from the same environment and
    /// URL, to the same body.
    package func lastGood(
        _ item: ItemPath, environment: String?, _ request: PreparedRequest
    ) async throws(HistoryError) -> RecordedRun? {
        var filter = HistoryFilter(item: resolved(item))
        (filter.environment, filter.outcomes) = (environment, [.passed])
        return try await read { [filter] (reader) throws(DatabaseError) in
            try reader.lastGood(filter, request)
        }.flatMap { $0 }
    }

    /// Returns the run before or after another in a selection, and its place there; nil if there is none.
    /// - Parameters:
    ///   - id: The other run; nil for the end of the selection.
    ///   - isOlder: False for the next newer run.
    ///   - skipping: The number of runs to skip.
    package func neighbor(
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
    package func place(of id: Int, in filter: HistoryFilter) async throws(HistoryError) -> HistoryPlace {
        try await read { (reader) throws(DatabaseError) in try reader.place(of: id, in: filter) }
            ?? HistoryPlace(number: 1, count: 1)
    }

    /// Returns a value of the kept responses of a selection, over time.
    /// - Parameter path: a JSONPath; of several values that it selects, the first.
    package func values(at path: String, _ filter: HistoryFilter) async throws(HistoryError) -> ValueHistory {
        try await read { (reader) throws(DatabaseError) in try reader.values(at: path, filter) }
            ?? ValueHistory(path: path, periods: [], runs: 0, isCut: false)
    }

    package func statistics(_ filter: HistoryFilter) async throws(HistoryError) -> HistoryStatistics {
        let now = windowsEnd
        return try await read { (reader) throws(DatabaseError) in try reader.statistics(filter, now: now) }
            ?? HistoryStatistics(runs: [], attempts: [], now: now)
    }

    /// Returns the attempts by their addresses, without the figures of the runs.
    package func hosts(_ filter: HistoryFilter) async throws(HistoryError) -> HistoryStatistics {
        let now = windowsEnd
        return try await read { (reader) throws(DatabaseError) in try reader.hosts(filter, now: now) }
            ?? HistoryStatistics(runs: [], attempts: [], now: now)
    }

    /// Returns the last runs of every request of some files, the oldest first: one look for all rows of a list.
    /// - Parameter files: their paths as they are recorded.
    package func recent(files: [String], limit: Int) async throws(HistoryError) -> [ItemPath: [RecentRun]] {
        try await read { (reader) throws(DatabaseError) in try reader.recent(files: files, limit: limit) } ?? [:]
    }

    /// Returns the newest runs of a selection, to be tried under other policies.
    package func simulation(_ filter: HistoryFilter) async throws(HistoryError) -> PolicySimulation {
        try await read { (reader) throws(DatabaseError) in try reader.simulation(filter) } ?? PolicySimulation([])
    }

    // MARK: Paths

    /// `$XDG_STATE_HOME/ombi/history.sqlite`, or that in `~/.local/state`. Nil without a home folder.
    package static var standardPath: String? { StateFolder.path.map { $0 + "/history.sqlite" } }

    /// The same selection, with the path of the file in its recorded form.
    package func resolved(_ filter: HistoryFilter) -> HistoryFilter {
        var filter = filter
        filter.item = filter.item.map(resolved)
        return filter
    }

    /// The same file has one path, however it was named.
    package func resolved(_ path: ItemPath) -> ItemPath {
        guard let real = try? fileSystem.resolve(path.file) else { return path }
        let isAbsolute = real.hasPrefix("/")
        let folder = isAbsolute ? "" : ((try? fileSystem.resolve(".")) ?? "") + "/"
        return ItemPath(file: folder + real, path: path.path)
    }
}

/// One value of the responses of a request, over time.
package struct ValueHistory: Equatable, Sendable {
    /// A value, and the runs in a row that answered with it.
    package struct Period: Equatable, Sendable {
        /// The value as in a capture, a string without quotes; nil if the response had none.
        package var value: String?
        package var runs: Int
        /// The number of the first of these runs.
        package var firstRun: HistoryEntry.ID
        package var first: Date
        package var last: Date
    }

    /// A normalized path (RFC 9535).
    package var path: String
    /// The newest first.
    package var periods: [Period]
    /// The runs that were looked at.
    package var runs: Int
    /// True if there are older responses that were not searched.
    package var isCut: Bool

    /// The values as numbers, the oldest first; empty unless all are numbers.
    package var numbers: [Double] {
        let numbers = periods.reversed().compactMap { period in
            period.value.flatMap(Double.init).map { Array(repeating: $0, count: period.runs) }
        }
        return numbers.count == periods.count ? numbers.flatMap { $0 } : []
    }
}

extension HistoryReader {
    private static let maximumRuns = 1000
    /// The bytes of bodies that are read, so that a request with large ones is answered soon, too.
    private static let maximumBytes = 256 << 20

    /// Looks at a value in the kept responses of a selection. Each different body is read once.
    func values(at path: String, _ filter: HistoryFilter) throws(DatabaseError) -> ValueHistory {
        let (condition, values) = try withoutIntrospections(filter).condition
        let runs = try database.rows(
            """
            SELECT id, started, body, size FROM run
            WHERE \(condition) AND body IS NOT NULL AND outcome IN (0, 1) ORDER BY id DESC LIMIT ?
            """, values + [.integer(Self.maximumRuns + 1)]
        ) { (id: $0.integer(0), date: $0.date(1), body: $0.integer(2), size: $0.count(3)) }
        var known: [Int: String?] = [:]
        var (left, count) = (Self.maximumBytes, 0)
        var periods: [ValueHistory.Period] = []
        for run in runs.prefix(Self.maximumRuns) {
            if known[run.body] == nil {
                left -= run.size
                guard left >= 0 else { break }
                let body = try contents.content(run.body)
                var reader = CaptureReader(TransportResponse(body: body))
                known[run.body] = .some(try reader.recordedValue(at: path))
            }
            count += 1
            let value = known[run.body] ?? nil
            if let last = periods.indices.last, periods[last].value == value {
                periods[last].runs += 1
                (periods[last].first, periods[last].firstRun) = (run.date, run.id)
            } else {
                periods.append(.init(value: value, runs: 1, firstRun: run.id, first: run.date, last: run.date))
            }
        }
        return ValueHistory(path: path, periods: periods, runs: count, isCut: count < runs.count)
    }
}

/// A part of the runs that a filter selects, the newest first.
package struct HistoryPage: Equatable, Sendable {
    package var entries: [HistoryEntry]
    /// The run from which the search continues with older ones; nil at the end of the history.
    package var next: HistoryEntry.ID?
    /// The start of the oldest run that was looked at; nil once all were.
    package var oldest: Date?
    /// The loads that the filter selects, the newest first: all of them with the first page.
    package var loads: [HistoryLoad] = []

    package init(entries: [HistoryEntry] = [], next: HistoryEntry.ID? = nil, oldest: Date? = nil) {
        (self.entries, self.next, self.oldest) = (entries, next, oldest)
    }
}

extension History {
    /// The number of steps without a result after which a search reports its progress.
    private static let maximumSteps = 2

    /// Returns the newest runs of a selection, or those before a run, as many as a few short steps find. The search
    /// continues at `HistoryPage.next`. A cancelled task ends it early.
    package func page(
        _ filter: HistoryFilter, before: HistoryEntry.ID? = nil, limit: Int = 100
    ) async throws(HistoryError) -> HistoryPage {
        var page = HistoryPage(next: before ?? Int.max)
        for _ in 0..<Self.maximumSteps {
            guard let next = page.next, page.entries.isEmpty, !Task.isCancelled else { break }
            let step = try await read { (reader) throws(DatabaseError) in
                try reader.page(filter, before: next, limit: limit)
            }
            page = step ?? HistoryPage()
        }
        return page
    }
}

extension HistoryReader {
    /// Runs that one step looks at. Each takes a lookup or two for a word, all of them some milliseconds.
    static let maximumStep = 5_000
    /// Runs of an index up to which they are all looked at.
    static let maximumFew = 2_000

    /// The newest runs of a selection before another run, among `maximum` runs.
    func page(
        _ filter: HistoryFilter, before: Int, limit: Int, step: Int = HistoryReader.maximumStep,
        few maximumFew: Int = HistoryReader.maximumFew
    ) throws(DatabaseError) -> HistoryPage {
        let filter = try withoutIntrospections(filter)
        if let few = try fewRuns(filter, maximumFew) {
            return try page(filter, among: few, before: before, limit: limit)
        }
        let end = try database.rows(
            "SELECT id FROM run WHERE id < ? ORDER BY id DESC LIMIT 1 OFFSET ?",
            [.integer(before), .integer(max(0, step - 1))]
        ) { $0.integer(0) }.first
        let (condition, values) = filter.condition
        // No index: one of a condition would have all of its runs sorted.
        let ids = try database.rows(
            "SELECT id FROM run NOT INDEXED WHERE id < ? AND id >= ? AND \(condition) ORDER BY id DESC LIMIT ?",
            [.integer(before), .integer(end ?? Int.min)] + values + [.integer(limit)]
        ) { $0.integer(0) }
        return try page(ids, next: ids.count < limit ? end : ids.last)
    }

    /// The same among runs that an index has found.
    private func page(
        _ filter: HistoryFilter, among few: [Int], before: Int, limit: Int
    ) throws(DatabaseError) -> HistoryPage {
        guard !few.isEmpty else { return HistoryPage() }
        var filter = filter
        (filter.ids, filter.before) = (few, before)
        let (condition, values) = filter.condition
        let ids = try database.rows(
            "SELECT id FROM run NOT INDEXED WHERE \(condition) ORDER BY id DESC LIMIT ?", values + [.integer(limit)]
        ) { $0.integer(0) }
        return try page(ids, next: ids.count < limit ? nil : ids.last)
    }

    private func page(_ ids: [Int], next: Int?) throws(DatabaseError) -> HistoryPage {
        var page = HistoryPage(next: next)
        if let next {
            page.oldest = try database.first("SELECT started FROM run WHERE id = ?", .integer(next)) { $0.date(0) }
        }
        // Without a number the filter would select all.
        guard !ids.isEmpty else { return page }
        var filter = HistoryFilter()
        filter.ids = ids
        page.entries = try entries(filter, limit: ids.count)
        return page
    }

    /// The runs that the time or the files of a filter select; nil if it has neither, or they are many.
    private func fewRuns(_ filter: HistoryFilter, _ maximum: Int) throws(DatabaseError) -> [Int]? {
        guard filter.ids.isEmpty else { return nil }
        if let since = filter.since {
            let ids = try database.rows(
                "SELECT id FROM run WHERE started >= ? LIMIT ?", [.integer(since.microseconds), .integer(maximum + 1)]
            ) { $0.integer(0) }
            if ids.count <= maximum { return ids }
        }
        guard !filter.files.isEmpty else { return nil }
        let marks = Array(repeating: "?", count: filter.files.count).joined(separator: ", ")
        let ids = try database.rows(
            "SELECT run.id FROM request JOIN run ON run.request = request.id WHERE request.file IN (\(marks)) LIMIT ?",
            filter.files.map(Database.Value.text) + [.integer(maximum + 1)]
        ) { $0.integer(0) }
        return ids.count <= maximum ? ids : nil
    }
}

/// The reason why a history cannot be read.
package struct HistoryError: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ error: DatabaseError, path: String) { description = "cannot read the history \(path): \(error.message)" }
}
