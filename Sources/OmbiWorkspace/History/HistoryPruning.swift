/// The maximum amount that a history keeps. The oldest runs beyond it are removed first.
package struct HistoryLimits: Equatable, Sendable {
    /// The time for which a run is kept.
    package var maximumAge: Duration
    package var maximumRuns: Int
    /// The size of the database and of the files of large bodies in bytes.
    package var maximumSize: Int
    /// The size of a body in bytes; of a larger one only the size is kept.
    package var maximumBody: Int

    package init(
        maximumAge: Duration = .seconds(90 * 86400), maximumRuns: Int = 1_000_000, maximumSize: Int = 1 << 30,
        maximumBody: Int = 16 << 20
    ) {
        self.maximumAge = maximumAge
        self.maximumRuns = maximumRuns
        self.maximumSize = maximumSize
        self.maximumBody = maximumBody
    }
}

/// Removes runs from a history, and the contents and texts that no run has any more.
struct HistoryPruning {
    let database: Database
    let contents: HistoryContents

    /// Runs that are removed at once: others wait for the transaction.
    private static let portion = 5000

    /// - Returns: the number of runs and loads that were removed.
    func remove(_ filter: HistoryFilter) throws(DatabaseError) -> Int {
        let (condition, values) = filter.condition
        let loads = try HistoryLoads(database: database).remove(filter)
        let runs = try remove(where: condition, values)
        try contents.removeUnusedFiles()
        return loads + runs
    }

    /// Removes everything beyond the limits. Each removal scans the remaining runs, so a full history makes room for a
    /// hundredth at once, not for each run.
    func prune(_ limits: HistoryLimits, now: Date) throws(DatabaseError) {
        let age = limits.maximumAge.wholeMicroseconds
        let oldest = now.microseconds - age
        let first = try database.first("SELECT started FROM run ORDER BY started LIMIT 1") { $0.integer(0) }
        if let first, first < oldest - age / 100 { _ = try remove(where: "run.started < ?", [.integer(oldest)]) }
        try HistoryLoads(database: database).prune(before: oldest)
        if try run(behind: limits.maximumRuns) != nil,
            let last = try run(behind: limits.maximumRuns - limits.maximumRuns / 100)
        {
            _ = try remove(where: "run.id <= ?", [.integer(last)])
        }
        // Each step takes a tenth away, so it ends.
        try contents.removeUnusedFiles()
        while try size() > limits.maximumSize, try removeOldestTenth() > 0 { try contents.removeUnusedFiles() }
    }

    /// Returns the run that has `count` newer ones.
    private func run(behind count: Int) throws(DatabaseError) -> Int? {
        try database.first("SELECT id FROM run ORDER BY id DESC LIMIT 1 OFFSET ?", .integer(count)) { $0.integer(0) }
    }

    private func removeOldestTenth() throws(DatabaseError) -> Int {
        let count = try database.first("SELECT count(*) FROM run") { $0.integer(0) } ?? 0
        guard count > 0 else { return 0 }
        let last = try database.first("SELECT id FROM run ORDER BY id LIMIT 1 OFFSET ?", .integer(count / 10)) {
            $0.integer(0)
        }
        // Loads take room, too, and are no newer.
        if let last { try HistoryLoads(database: database).remove(until: last) }
        return try remove(where: "run.id <= ?", [.integer(last ?? 0)])
    }

    /// The bytes of the database that are in use, and of the files of large bodies.
    private func size() throws(DatabaseError) -> Int {
        func value(_ name: String) throws(DatabaseError) -> Int {
            try database.first("PRAGMA \(name)") { $0.integer(0) } ?? 0
        }
        return try (value("page_count") - value("freelist_count")) * value("page_size") + contents.sizeOfFiles
    }

    private func remove(where condition: String, _ values: [Database.Value]) throws(DatabaseError) -> Int {
        var total = 0
        while true {
            let removed = try database.transaction { () throws(DatabaseError) in
                try database.forEach(
                    "DELETE FROM run WHERE id IN (SELECT run.id FROM run WHERE \(condition) LIMIT \(Self.portion))",
                    values
                ) { _ in true }
                return try database.first("SELECT changes()") { $0.integer(0) } ?? 0
            }
            total += removed
            if removed < Self.portion { break }
        }
        guard total > 0 else { return 0 }
        try database.transaction { () throws(DatabaseError) in
            try HistoryTallies.removeEmpty(from: database)
            try contents.removeUnused()
        }
        try database.transaction { () throws(DatabaseError) in
            try database.execute(
                """
                DELETE FROM request WHERE NOT EXISTS (SELECT 1 FROM run WHERE run.request = request.id);
                DELETE FROM text WHERE id NOT IN (
                    SELECT environment FROM run WHERE environment IS NOT NULL
                    UNION SELECT url FROM run WHERE url IS NOT NULL
                    UNION SELECT failure FROM run WHERE failure IS NOT NULL
                    UNION SELECT message FROM attempt WHERE message IS NOT NULL
                    UNION SELECT address FROM attempt WHERE address IS NOT NULL)
                """)
        }
        try database.forEach("PRAGMA incremental_vacuum") { _ in true }
        return total
    }
}
