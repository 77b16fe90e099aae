/// The tables of the history, and how a file of an earlier version becomes one of this version.
///
/// Texts that recur (URLs, reasons, addresses) and contents (bodies, requests) are kept once. Times are microseconds.
enum HistorySchema {
    /// The version of this file format: the number of migrations.
    private static let version = 10
    /// The version from which files are read as they are: later ones have more indexes, and tables that their runs name.
    private static let oldestReadable = 5

    /// Each is the step from the version of its index to the next one. Made where one is needed: the text is long.
    private static var migrations: [String] {
        [
            first, HistoryTallies.schema + "\n" + HistoryOutlines.schema, HistoryResponses.schema,
            HistoryTallies.addresses, HistoryMarks.schema, HistoryWindows.schema,
            HistoryRedirects.schema + "\n" + HistoryLoads.schema,
            // Version 8 had other triggers, and only those.
            "", HistoryTallies.dropTriggers, HistoryJournal.schema,
        ]
    }

    private static let first = """
        CREATE TABLE request (
            id INTEGER PRIMARY KEY, file TEXT NOT NULL, path TEXT NOT NULL, UNIQUE (file, path));
        CREATE TABLE text (id INTEGER PRIMARY KEY, value TEXT NOT NULL UNIQUE);
        CREATE TABLE content (
            id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, size INTEGER NOT NULL, form INTEGER NOT NULL, bytes BLOB);
        CREATE TABLE run (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            request INTEGER NOT NULL REFERENCES request, environment INTEGER REFERENCES text,
            started INTEGER NOT NULL, duration INTEGER NOT NULL, sla INTEGER,
            outcome INTEGER NOT NULL, status INTEGER, attempts INTEGER NOT NULL,
            method TEXT NOT NULL, url INTEGER REFERENCES text, failure INTEGER REFERENCES text,
            size INTEGER, body INTEGER REFERENCES content, prepared INTEGER REFERENCES content, response BLOB);
        CREATE INDEX run_of_request ON run (request, id);
        CREATE INDEX run_by_time ON run (started);
        CREATE INDEX run_by_url ON run (url) WHERE url IS NOT NULL;
        CREATE INDEX run_by_failure ON run (failure) WHERE failure IS NOT NULL;
        CREATE INDEX run_by_body ON run (body) WHERE body IS NOT NULL;
        CREATE INDEX run_by_prepared ON run (prepared) WHERE prepared IS NOT NULL;
        CREATE TABLE attempt (
            run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, number INTEGER NOT NULL,
            reason INTEGER NOT NULL, started INTEGER NOT NULL, duration INTEGER NOT NULL,
            queue INTEGER NOT NULL, resolve INTEGER NOT NULL, connect INTEGER NOT NULL, tls INTEGER NOT NULL,
            send INTEGER NOT NULL, wait INTEGER NOT NULL, receive INTEGER NOT NULL,
            outcome INTEGER NOT NULL, failure INTEGER, message INTEGER REFERENCES text, status INTEGER,
            pause INTEGER, pauseReason INTEGER, address INTEGER REFERENCES text, reused INTEGER NOT NULL,
            version TEXT, bytesReceived INTEGER NOT NULL, bytesSent INTEGER NOT NULL,
            PRIMARY KEY (run, number)) WITHOUT ROWID;
        """

    /// Makes a database ready for this version. Throws for one of a later version, which this one must not touch.
    static func prepare(_ database: Database) throws(DatabaseError) {
        // Before the first table, or it has no effect. Space of removed runs goes back in steps.
        try database.execute("PRAGMA auto_vacuum = INCREMENTAL")
        try database.useWriteAheadLog()
        // A crash of the system may lose runs that were written, one of the program none; neither damages the file.
        try database.execute("PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON")
        guard try database.schemaVersion() < version else { return try checkVersion(database) }
        try database.transaction { () throws(DatabaseError) in
            // Another program may have been first.
            let earlier = try database.schemaVersion()
            guard earlier >= 0 else { throw DatabaseError(.damaged, "the file is damaged (version \(earlier))") }
            for migration in migrations.dropFirst(earlier) { try database.execute(migration) }
            try database.execute("PRAGMA user_version = \(version)")
        }
    }

    /// Throws for a database of a version that cannot be read without a migration.
    static func check(_ database: Database) throws(DatabaseError) {
        guard try database.schemaVersion() < oldestReadable else { return try checkVersion(database) }
        throw DatabaseError(.other, "an earlier Ombi wrote it, and it cannot be changed here to what this one reads")
    }

    private static func checkVersion(_ database: Database) throws(DatabaseError) {
        guard try database.schemaVersion() > version else { return }
        throw DatabaseError(.other, "a newer Ombi wrote it; this one reads versions up to \(version)")
    }
}

/// Gives the runs of an item, and of all that is in it, to another path.
struct HistoryMove {
    let database: Database

    func move(_ old: ItemPath, to new: ItemPath) throws(DatabaseError) {
        try database.transaction { () throws(DatabaseError) in
            for (id, names) in try requests(below: old) {
                let target = ItemPath(file: new.file, path: new.path + names.dropFirst(old.path.count))
                try move(id, to: target)
            }
        }
    }

    private func requests(below item: ItemPath) throws(DatabaseError) -> [(id: Int, names: [String])] {
        let all = try database.rows("SELECT id, path FROM request WHERE file = ?", [.text(item.file)]) {
            (id: $0.integer(0), names: HistoryPath.names($0.text(1)))
        }
        return all.filter { $0.names.starts(with: item.path) }
    }

    /// A path that has runs already takes these as well.
    private func move(_ id: Int, to path: ItemPath) throws(DatabaseError) {
        let (file, names) = (Database.Value.text(path.file), Database.Value.text(HistoryPath.text(path.path)))
        let other = try database.first("SELECT id FROM request WHERE file = ? AND path = ?", file, names) {
            $0.integer(0)
        }
        guard let other, other != id else {
            try database.run("UPDATE request SET file = ?, path = ? WHERE id = ?", file, names, .integer(id))
            return
        }
        try database.run("UPDATE run SET request = ? WHERE request = ?", .integer(other), .integer(id))
        try HistoryTallies.join(id, to: other, in: database)
        try database.run("DELETE FROM request WHERE id = ?", .integer(id))
    }
}
