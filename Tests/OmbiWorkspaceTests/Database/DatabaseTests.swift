import Foundation
import OmbiCore
import TestSupport
import Testing

@testable import OmbiWorkspace

/// SQLite behind Swift's types.
@Suite struct DatabaseTests {
    private static func withFile<Result>(_ body: (String) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ombi-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder.appending(path: "test.sqlite").path())
    }

    @Test func `values come back as they went in`() throws {
        try Self.withFile { path in
            let database = try Database(path: path)
            try database.execute("CREATE TABLE t (i INTEGER, s TEXT, b BLOB, n TEXT)")
            let bytes = Data([0, 255, 10, 0])
            for text in ["", "Zoë\u{0}after a zero", "'; DROP TABLE t; --"] {
                try database.run("DELETE FROM t")
                try database.run(
                    "INSERT INTO t VALUES (?, ?, ?, ?)", .integer(.min), .text(text), .blob(bytes), .null)
                let row = try database.first("SELECT i, s, b, n FROM t") {
                    ($0.integer(0), $0.text(1), $0.blob(2), $0.isNull(3), $0.optionalText(3))
                }
                #expect(row?.0 == .min)
                #expect(row?.1 == text)
                #expect(row?.2 == bytes)
                #expect(row?.3 == true && row?.4 == nil)
            }
            try database.run("INSERT INTO t VALUES (?, ?, ?, ?)", .null, .text(""), .blob(Data()), .text(""))
            let empty = try database.first("SELECT s IS NULL, b IS NULL FROM t WHERE i IS NULL") {
                ($0.integer(0), $0.integer(1))
            }
            #expect(empty?.0 == 0 && empty?.1 == 0)
        }
    }

    @Test func `a transaction that throws leaves nothing behind`() throws {
        try Self.withFile { path in
            let database = try Database(path: path)
            try database.execute("CREATE TABLE t (i INTEGER UNIQUE)")
            #expect(throws: DatabaseError.self) {
                try database.transaction { () throws(DatabaseError) in
                    try database.run("INSERT INTO t VALUES (1)")
                    try database.run("INSERT INTO t VALUES (1)")
                }
            }
            #expect(try database.first("SELECT count(*) FROM t") { $0.integer(0) } == 0)
            // The next one is not inside the one that failed.
            _ = try database.transaction { () throws(DatabaseError) in try database.run("INSERT INTO t VALUES (2)") }
            #expect(try Database(path: path).first("SELECT i FROM t") { $0.integer(0) } == 2)
        }
    }

    /// Each round changes a new file over while another program ends its first transaction.
    @Test func `changing over to a log waits for another program that writes`() throws {
        for _ in 0..<100 {
            try Self.withFile { path in
                let other = try Database(path: path)
                try other.execute("BEGIN IMMEDIATE; CREATE TABLE t (i INTEGER)")
                let begins = DispatchSemaphore(value: 0)
                let ends = DispatchSemaphore(value: 0)
                let result = Lock<Result<String?, DatabaseError>?>(nil)
                Thread.detachNewThread {
                    let changed = Result { () throws(DatabaseError) in
                        let database = try Database(path: path)
                        begins.signal()
                        try database.useWriteAheadLog()
                        return try database.first("PRAGMA journal_mode") { $0.text(0) }
                    }
                    result.withLock { $0 = changed }
                    ends.signal()
                }
                begins.wait()
                try other.execute("COMMIT")
                ends.wait()
                try #expect(result.withLock { $0 }?.get() == "wal")
            }
        }
    }

    @Test func `many different statements do not pile up, and one that is being read stays`() throws {
        try Self.withFile { path in
            let database = try Database(path: path)
            try database.execute("CREATE TABLE t (i INTEGER); INSERT INTO t VALUES (1), (2), (3)")
            var seen: [Int] = []
            try database.forEach("SELECT i FROM t ORDER BY i") { row in
                for number in 0..<200 { _ = try? database.first("SELECT \(number)") { $0.integer(0) } }
                seen.append(row.integer(0))
                return true
            }
            #expect(seen == [1, 2, 3])
        }
    }

    @Test func `an error has a kind and a reason`() throws {
        try Self.withFile { path in
            try Data("this is no database, but text that is long enough".utf8).write(to: URL(filePath: path))
            let error = #expect(throws: DatabaseError.self) {
                try Database(path: path).first("SELECT * FROM sqlite_master") { $0.integer(0) }
            }
            #expect(error?.kind == .damaged)
            let missing = #expect(throws: DatabaseError.self) { try Database(path: path + "/x/y") }
            #expect(missing?.kind == .cannotOpen)
            let misspelled = #expect(throws: DatabaseError.self) { try Database(path: ":memory:").execute("SELEKT") }
            #expect(misspelled?.message.contains("SELEKT") == true)
        }
    }

    @Test(arguments: [(13, DatabaseError.Kind.full), (5, .busy), (8, .readOnly), (11, .damaged), (267, .damaged)])
    func `codes of SQLite have kinds`(_ code: Int, _ kind: DatabaseError.Kind) {
        #expect(DatabaseError(code: CInt(code), "detail").kind == kind)
    }
}
