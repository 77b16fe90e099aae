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

/// The table of the marks.
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
