/// The runs that nobody has asked for yet, a batch to a row: their bytes alone, as it takes ten times as many steps to put a run
/// into its tables, and most runs of a pipeline are never looked at. Whoever reads the history puts them there first.
struct HistoryJournal {
    let database: Database

    /// `date` is the time of the recording.
    static let schema = """
        CREATE TABLE journal (id INTEGER PRIMARY KEY, date INTEGER NOT NULL, runs INTEGER NOT NULL, bytes BLOB NOT NULL);
        """

    /// More runs would keep a reader waiting for seconds.
    private static let maximumRuns = 50_000
    /// Of all runs.
    private static let maximumBytes = 64 << 20
    /// Runs that wait longer would escape the limits of the history, in microseconds: a day.
    private static let maximumAge = 86_400 * 1_000_000
    /// Runs that are taken out at once, and their bytes: other programs wait for the transaction.
    private static let (portion, portionBytes) = (2000, 8 << 20)

    /// - Parameter bytes: Those of an excerpt.
    func add(_ bytes: Data, runs: Int, at date: Date) throws(DatabaseError) {
        try database.run(
            "INSERT INTO journal (date, runs, bytes) VALUES (?, ?, ?)", .integer(date.microseconds), .integer(runs),
            .blob(bytes))
    }

    /// True once there is more than a reader should wait for, or than the limits allow.
    func isFull(at date: Date) throws(DatabaseError) -> Bool {
        let oldest = date.microseconds - Self.maximumAge
        // Damaged numbers add up, too.
        return try database.first(
            "SELECT sum(min(max(runs, 0), 100000)), sum(length(bytes)), min(date) FROM journal"
        ) { row in
            row.integer(0) > Self.maximumRuns || row.integer(1) > Self.maximumBytes
                || row.optionalInteger(2).map { $0 < oldest } ?? false
        } ?? false
    }

    /// Returns false for a file of an earlier version, too.
    static func holdsRuns(_ database: Database) -> Bool {
        (try? HistoryJournal(database: database).last()) != nil
    }

    private func last() throws(DatabaseError) -> Int? {
        try database.first("SELECT max(id) FROM journal") { $0.optionalInteger(0) } ?? nil
    }

    /// Puts the runs that are there now into their tables. Those that the tables refuse are damaged, and gone.
    /// - Returns: how many there were.
    func empty(into contents: HistoryContents) throws(DatabaseError) -> Int {
        guard let last = try last() else { return 0 }
        var count = 0
        while true {
            let taken = try database.transaction { () throws(DatabaseError) -> Int in
                let excerpts = try take(upTo: last)
                var first: Int?
                for excerpt in excerpts.all {
                    do throws(DatabaseError) {
                        let id = try database.part { () throws(DatabaseError) in
                            // The numbers that a writer knows go with its part.
                            var writer = HistoryWriter(database: database, contents: contents)
                            return try writer.write(excerpt)
                        }
                        first = first ?? id
                    } catch  where error.kind == .refused { database.rejectRow() }
                }
                if let first { try HistoryTallies.add(from: first, in: database) }
                return excerpts.runs
            }
            guard taken > 0 else { return count }
            count += taken
        }
    }

    /// Takes the oldest batches out; those that are damaged are gone.
    /// - Returns: the number of all runs, also of damaged ones; 0 without any batch.
    private func take(upTo last: Int) throws(DatabaseError) -> (all: [HistoryExcerpt], runs: Int) {
        var (excerpts, taken, runs, bytes): ([HistoryExcerpt], Int?, Int, Int) = ([], nil, 0, 0)
        try database.forEach("SELECT id, runs, bytes FROM journal WHERE id <= ? ORDER BY id", [.integer(last)]) { row in
            let data = row.blob(2)
            (taken, runs, bytes) = (row.integer(0), runs + max(1, row.count(1)), bytes + data.count)
            do throws(ExcerptDamage) { excerpts.append(try HistoryExcerpt(bytes: data)) } catch { row.reject() }
            return runs < Self.portion && bytes < Self.portionBytes
        }
        guard let taken else { return ([], 0) }
        try database.run("DELETE FROM journal WHERE id <= ?", .integer(taken))
        return (excerpts, runs)
    }
}
