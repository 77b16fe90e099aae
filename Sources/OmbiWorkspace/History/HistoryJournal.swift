/// The runs that nobody has asked for yet, a batch to a row: their bytes alone, as it takes ten times as many steps to put a run
/// into its tables, and most runs of a pipeline are never looked at. Whoever reads the history puts them there first.
struct HistoryJournal {
    let database: Database

    static let schema = "CREATE TABLE journal (id INTEGER PRIMARY KEY, runs INTEGER NOT NULL, bytes BLOB NOT NULL);"

    /// More runs would keep a reader waiting for seconds.
    private static let maximumRuns = 50_000
    /// Of all runs.
    private static let maximumBytes = 64 << 20
    /// Runs that are taken out at once: other programs wait for the transaction.
    private static let portion = 2000

    func add(_ excerpt: HistoryExcerpt) throws(DatabaseError) {
        try database.run(
            "INSERT INTO journal (runs, bytes) VALUES (?, ?)", .integer(excerpt.runs.count), .blob(excerpt.bytes))
    }

    /// True once there are more runs than a reader should wait for.
    func isFull() throws(DatabaseError) -> Bool {
        try database.first("SELECT sum(runs), sum(length(bytes)) FROM journal") { row in
            row.integer(0) > Self.maximumRuns || row.integer(1) > Self.maximumBytes
        } ?? false
    }

    /// Returns false for a file of an earlier version, too.
    static func holdsRuns(_ database: Database) -> Bool {
        (try? HistoryJournal(database: database).isEmpty()) == false
    }

    private func isEmpty() throws(DatabaseError) -> Bool {
        try database.first("SELECT 1 FROM journal LIMIT 1") { _ in true } == nil
    }

    /// Puts all runs into their tables.
    /// - Returns: how many there were.
    func empty(into contents: HistoryContents) throws(DatabaseError) -> Int {
        var count = 0
        while try !isEmpty() {
            try database.transaction { () throws(DatabaseError) in
                let excerpts = try take()
                var writer = HistoryWriter(database: database, contents: contents)
                try writer.write(excerpts)
                count += excerpts.reduce(0) { $0 + $1.runs.count }
            }
        }
        return count
    }

    /// Takes the oldest batches out; those that are damaged are gone.
    private func take() throws(DatabaseError) -> [HistoryExcerpt] {
        var (excerpts, last, count): ([HistoryExcerpt], Int, Int) = ([], 0, 0)
        try database.forEach("SELECT id, runs, bytes FROM journal ORDER BY id") { row in
            (last, count) = (row.integer(0), count + row.count(1))
            do throws(ExcerptDamage) { excerpts.append(try HistoryExcerpt(bytes: row.blob(2))) } catch { row.reject() }
            return count < Self.portion
        }
        try database.run("DELETE FROM journal WHERE id <= ?", .integer(last))
        return excerpts
    }
}
