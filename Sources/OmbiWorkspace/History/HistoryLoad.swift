/// A load that an engine has run: one row of the history, however much it sent. No statistics of runs count it.
package struct HistoryLoad: Equatable, Sendable, Identifiable {
    /// Grows from load to load; runs have numbers of their own.
    package var id: Int
    package var startedAt: Date
    /// `load` in `schema/run.schema.json`, without the number.
    package var result: JSONValue

    package init(id: Int, startedAt: Date, result: JSONValue) {
        (self.id, self.startedAt, self.result) = (id, startedAt, result)
    }

    /// `L3`, which no run is called.
    package var name: String { "L\(id)" }
    package var engine: String { result["engine"]?.stringValue ?? "" }
    package var environment: String? { result["environment"]?.stringValue }
    /// The paths of the collections.
    package var files: [String] { (result["files"]?.elements ?? []).compactMap(\.stringValue) }
    package var users: Int { result["users"]?.storedCount ?? 0 }
    /// The requests begun in a second; nil for as many as the users could.
    package var rate: Double? { number("rate", of: result) }
    package var duration: Duration {
        number("durationMs", of: result).map { Duration.microseconds($0 * 1000) } ?? .zero
    }
    /// The number of requests that were sent, and of those that failed.
    package var sent: Int { result["total"]?["count"]?.storedCount ?? 0 }
    package var failed: Int { result["total"]?["failed"]?.storedCount ?? 0 }

    /// - Parameter percent: as the result has it: `95`.
    package func percentile(_ percent: String) -> Duration? {
        guard let percentiles = result["total"]?["percentilesMs"], let time = number(percent, of: percentiles) else {
            return nil
        }
        return .microseconds(time * 1000)
    }

    private func number(_ key: String, of value: JSONValue) -> Double? {
        guard case .number(let text)? = value[key], let number = Double(text), (0...1e15).contains(number) else {
            return nil
        }
        return number
    }

    package var json: JSONValue {
        let head: JSONValue = ["id": .number(id)]
        return head.appending(result)
    }
}

struct HistoryLoads {
    let database: Database

    static let schema = """
        CREATE TABLE load (id INTEGER PRIMARY KEY AUTOINCREMENT, started INTEGER NOT NULL, result TEXT NOT NULL);
        CREATE INDEX load_by_time ON load (started);
        """

    /// Loads that are kept.
    static let maximum = 1000

    func add(_ result: JSONValue, at date: Date) throws(DatabaseError) -> HistoryLoad {
        try database.run(
            "INSERT INTO load (started, result) VALUES (?, ?)", .integer(date.microseconds), .text(result.compact))
        return HistoryLoad(id: database.lastInsertedRow, startedAt: date, result: result)
    }

    /// The loads that a filter selects, the newest first; none if it has conditions that only runs can meet. Files of
    /// earlier versions have no table.
    func select(_ filter: HistoryFilter) throws(DatabaseError) -> [HistoryLoad] {
        guard filter.selectsLoads else { return [] }
        return try rows(
            "started BETWEEN ? AND ?",
            [
                .integer((filter.since ?? .distantPast).microseconds),
                .integer((filter.until ?? .distantFuture).microseconds),
            ]
        ).filter(filter.selects)
    }

    func find(_ id: Int) throws(DatabaseError) -> HistoryLoad? { try rows("id = ?", [.integer(id)]).first }

    private func rows(_ condition: String, _ values: [Database.Value]) throws(DatabaseError) -> [HistoryLoad] {
        let tables = try database.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'load'") {
            $0.text(0)
        }
        guard !tables.isEmpty else { return [] }
        return try database.rows(
            "SELECT id, started, result FROM load WHERE \(condition) ORDER BY started DESC, id DESC LIMIT ?",
            values + [.integer(Self.maximum)]
        ) { ($0.integer(0), $0.date(1), $0.text(2)) }.compactMap { id, date, text in
            (try? JSONValue.parse(text)).map { HistoryLoad(id: id, startedAt: date, result: $0) }
        }
    }

    /// - Returns: the number of loads that were removed.
    func remove(_ filter: HistoryFilter) throws(DatabaseError) -> Int { try remove(select(filter).map(\.id)) }

    /// - Returns: the number of loads that were removed.
    func remove(_ ids: [Int]) throws(DatabaseError) -> Int {
        var count = 0
        for id in ids { count += try database.run("DELETE FROM load WHERE id = ?", .integer(id)) }
        return count
    }

    /// Removes those that started when a run did, or before.
    func remove(until run: Int) throws(DatabaseError) {
        try database.run("DELETE FROM load WHERE started <= (SELECT started FROM run WHERE id = ?)", .integer(run))
    }

    /// Removes loads beyond the maximum age, and the oldest beyond the maximum number.
    func prune(before date: Int) throws(DatabaseError) {
        try database.run("DELETE FROM load WHERE started < ?", .integer(date))
        try database.run(
            "DELETE FROM load WHERE id NOT IN (SELECT id FROM load ORDER BY id DESC LIMIT ?)", .integer(Self.maximum))
    }
}

extension HistoryFilter {
    /// True if a filter has only conditions that loads can meet: times, files and the environment.
    fileprivate var selectsLoads: Bool {
        var other = HistoryFilter(item: item)
        (other.includesContents, other.environment) = (includesContents, environment)
        (other.since, other.until, other.files) = (since, until, files)
        other.environmentStart = environmentStart
        return self == other && item?.path.isEmpty ?? true
    }

    fileprivate func selects(_ load: HistoryLoad) -> Bool {
        guard environment == nil || environment == load.environment else { return false }
        if let start = environmentStart?.lowercased() {
            guard load.environment?.lowercased().hasPrefix(start) == true else { return false }
        }
        let files = self.files + (item.map { [$0.file] } ?? [])
        return files.isEmpty || load.files.contains { files.contains($0) }
    }
}

extension History {
    /// Adds a load, in a new file where there is none.
    /// - Parameter result: `load` in `schema/run.schema.json`.
    package func add(_ result: JSONValue, at date: Date) async throws(HistoryError) -> HistoryLoad {
        try await change(createsFile: true, needsRuns: false) {
            [self] (database) throws(DatabaseError) -> HistoryLoad in
            let loads = HistoryLoads(database: database)
            let load = try loads.add(result, at: date)
            // A program that only loads prunes no runs.
            try loads.prune(before: now().microseconds - limits.maximumAge.wholeMicroseconds)
            return load
        } ?? HistoryLoad(id: 0, startedAt: date, result: result)
    }

    /// Removes loads for good.
    /// - Returns: how many there were.
    package func delete(loads ids: [HistoryLoad.ID]) async throws(HistoryError) -> Int {
        try await change { (database) throws(DatabaseError) in try HistoryLoads(database: database).remove(ids) } ?? 0
    }

    /// Returns the loads that a filter selects, the newest first; none if it has conditions that only runs can meet.
    package func loads(_ filter: HistoryFilter = HistoryFilter()) async throws(HistoryError) -> [HistoryLoad] {
        try await read { (reader) throws(DatabaseError) in
            try HistoryLoads(database: reader.database).select(filter)
        } ?? []
    }

    /// Returns nil for a number that no load has.
    package func load(_ id: Int) async throws(HistoryError) -> HistoryLoad? {
        try await read { (reader) throws(DatabaseError) in
            try HistoryLoads(database: reader.database).find(id)
        }.flatMap { $0 }
    }
}

/// A named moment, such as a deploy, that divides the runs into those before and after it.
package struct HistoryMark: Equatable, Sendable, Identifiable {
    /// Grows from mark to mark.
    package var id: Int
    package var date: Date
    /// Masked where it looks like a URL with credentials.
    package var name: String

    /// In characters.
    package static let maximumName = 200

    package init(id: Int, date: Date, name: String) {
        (self.id, self.date, self.name) = (id, date, name)
    }
}

struct HistoryMarks {
    let database: Database

    static let schema = """
        CREATE TABLE mark (id INTEGER PRIMARY KEY AUTOINCREMENT, time INTEGER NOT NULL, name TEXT NOT NULL);
        CREATE INDEX mark_by_time ON mark (time);
        """

    /// Marks that are read at once.
    static let maximum = 1000

    func add(_ name: String, at date: Date) throws(DatabaseError) -> HistoryMark {
        let name = LogMask.url(String(name.prefix(HistoryMark.maximumName)))
        try database.run("INSERT INTO mark (time, name) VALUES (?, ?)", .integer(date.microseconds), .text(name))
        return HistoryMark(id: database.lastInsertedRow, date: date, name: name)
    }

    func remove(_ id: HistoryMark.ID) throws(DatabaseError) -> Bool {
        try database.run("DELETE FROM mark WHERE id = ?", .integer(id)) > 0
    }
}

extension HistoryReader {
    /// The newest marks of a time, the oldest first.
    func marks(since: Date, until: Date) throws(DatabaseError) -> [HistoryMark] {
        try database.rows(
            "SELECT id, time, name FROM mark WHERE time BETWEEN ? AND ? ORDER BY time DESC, id DESC LIMIT ?",
            [.integer(since.microseconds), .integer(until.microseconds), .integer(HistoryMarks.maximum)]
        ) { HistoryMark(id: $0.integer(0), date: $0.date(1), name: $0.text(2)) }.reversed()
    }

    /// The newest mark with a name.
    func mark(named name: String) throws(DatabaseError) -> HistoryMark? {
        try database.first(
            "SELECT id, time, name FROM mark WHERE name = ? ORDER BY time DESC, id DESC LIMIT 1",
            .text(LogMask.url(name))
        ) { HistoryMark(id: $0.integer(0), date: $0.date(1), name: $0.text(2)) }
    }
}

extension History {
    /// Marks a moment, in a new file where there is none.
    package func mark(_ name: String, at date: Date) async throws(HistoryError) -> HistoryMark {
        try await change(createsFile: true, needsRuns: false) { (database) throws(DatabaseError) in
            try HistoryMarks(database: database).add(name, at: date)
        } ?? HistoryMark(id: 0, date: date, name: name)
    }

    /// Removes a mark.
    /// - Returns: False if there is none with that number.
    package func removeMark(_ id: HistoryMark.ID) async throws(HistoryError) -> Bool {
        try await change(needsRuns: false) { (database) throws(DatabaseError) in
            try HistoryMarks(database: database).remove(id)
        } ?? false
    }

    /// Returns the newest marks of a time, the oldest first.
    package func marks(
        since: Date = .distantPast, until: Date = .distantFuture
    ) async throws(HistoryError) -> [HistoryMark] {
        try await read { (reader) throws(DatabaseError) in try reader.marks(since: since, until: until) } ?? []
    }

    /// Returns the newest mark with a name; nil without one.
    package func mark(named name: String) async throws(HistoryError) -> HistoryMark? {
        try await read { (reader) throws(DatabaseError) in try reader.mark(named: name) }.flatMap { $0 }
    }
}
