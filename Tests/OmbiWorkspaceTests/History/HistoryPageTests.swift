import Foundation
import OmbiCore
import Testing

@testable import OmbiWorkspace

/// A search over the runs of all requests, a page and a step at a time.
@Suite struct HistoryPageTests {
    /// A hundred runs of two requests: even ones are a POST of `users`, odd ones a GET of `list orders`. Every tenth
    /// failed after three attempts, every fourth was in `staging`; 51 was not complete in time, 53 not connected.
    private static let seed = """
        INSERT INTO request VALUES (1, '/c.json', '["list orders"]'), (2, '/other.json', '["users"]');
        INSERT INTO text VALUES (1, 'http://127.0.0.1/orders'), (2, 'http://127.0.0.1/people'),
            (3, 'the response was not complete within 30s'), (4, 'staging'), (5, 'local'), (6, 'nobody listens');
        WITH RECURSIVE number(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM number WHERE i < 100)
        INSERT INTO run (id, request, environment, started, duration, outcome, status, attempts, method, url)
            SELECT i, CASE WHEN i % 2 = 0 THEN 2 ELSE 1 END, CASE WHEN i % 4 = 0 THEN 4 ELSE 5 END, i * 1000000,
                i * 1000, CASE WHEN i % 10 = 0 THEN 1 ELSE 0 END, CASE WHEN i % 10 = 0 THEN 503 ELSE 200 END,
                CASE WHEN i % 10 = 0 THEN 3 ELSE 1 END, CASE WHEN i % 2 = 0 THEN 'POST' ELSE 'GET' END,
                CASE WHEN i % 2 = 0 THEN 2 ELSE 1 END FROM number;
        UPDATE run SET outcome = 2, status = NULL, failure = 3 WHERE id = 51;
        UPDATE run SET outcome = 2, status = NULL, failure = 6 WHERE id = 53;
        INSERT INTO attempt (run, number, reason, started, duration, queue, resolve, connect, tls, send, wait, receive,
                outcome, failure, reused, bytesReceived, bytesSent)
            VALUES (51, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0),
                (53, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 6, 0, 0, 0);
        """

    private static func withReader(_ check: (HistoryReader) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ombi-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let database = try Database(path: folder + "/history.sqlite")
        try HistorySchema.prepare(database)
        try database.execute(seed)
        let contents = HistoryContents(database: database, folder: folder + "/bodies", fileSystem: PosixFileSystem())
        try check(HistoryReader(database: database, contents: contents, limits: HistoryLimits()))
    }

    /// The numbers of all runs of a selection, page by page.
    private static func all(
        _ filter: HistoryFilter, _ reader: HistoryReader, limit: Int, step: Int, few: Int = 0
    ) throws -> [Int] {
        var ids: [Int] = []
        var before = Int.max
        while true {
            let page = try reader.page(filter, before: before, limit: limit, step: step, few: few)
            #expect(page.entries.count <= limit)
            ids += page.entries.map(\.id)
            guard let next = page.next else { return ids }
            guard next < before else {
                Issue.record("the search does not go on at \(next)")
                return ids
            }
            before = next
        }
    }

    private static func filter(_ change: (inout HistoryFilter) -> Void) -> HistoryFilter {
        var filter = HistoryFilter()
        change(&filter)
        return filter
    }

    private static func numbers(where isFound: (Int) -> Bool) -> [Int] { (1...100).reversed().filter(isFound) }

    private static let every = numbers { _ in true }
    private static let odd = numbers { $0 % 2 == 1 }
    private static let even = numbers { $0 % 2 == 0 }
    private static let tens = numbers { $0 % 10 == 0 }
    private static let staging = numbers { $0 % 4 == 0 }

    private static let selections: [(name: String, filter: HistoryFilter, ids: [Int])] = [
        ("all", HistoryFilter(), every),
        ("a word of the URL and of a name", filter { $0.words = ["ORDERS"] }, odd),
        ("two words", filter { $0.words = ["people", "users"] }, even),
        ("words of two requests", filter { $0.words = ["people", "orders"] }, []),
        ("a word of a failure", filter { $0.words = ["within 30s"] }, [51]),
        ("the kind of a failure", filter { $0.words = ["timeout"] }, [51]),
        ("a kind in more detail", filter { $0.words = ["connection"] }, [53]),
        ("a percent sign", filter { $0.words = ["%"] }, []), ("an underscore", filter { $0.words = ["_"] }, []),
        ("an environment", filter { $0.environmentStart = "STAG" }, staging),
        ("a method", filter { $0.methodStart = "po" }, even),
        ("a status", filter { $0.status = .hundreds(5) }, tens),
        ("attempts", filter { $0.attempts = 2...1000 }, tens),
        (
            "a time", filter { $0.duration = Duration.microseconds(95_001)...Duration.seconds(9) },
            [100, 99, 98, 97, 96]
        ),
        ("a file", filter { $0.files = ["/other.json"] }, even),
        ("two files", filter { $0.files = ["/other.json", "/c.json"] }, every),
        ("no such file", filter { $0.files = ["/none.json"] }, []),
        ("since", filter { $0.since = Date(timeIntervalSince1970: 97) }, [100, 99, 98, 97]),
        ("since then nothing", filter { $0.since = Date(timeIntervalSince1970: 200) }, []),
        (
            "several",
            filter {
                $0.since = Date(timeIntervalSince1970: 40)
                $0.files = ["/other.json"]
                $0.words = ["people"]
                $0.outcomes = [.failed]
            }, [100, 90, 80, 70, 60, 50, 40]
        ),
    ]

    @Test(arguments: [(limit: 7, step: 10), (limit: 1, step: 3), (limit: 100, step: 1), (limit: 500, step: 5000)])
    func `every run is found once, the newest first, however it is paged`(limit: Int, step: Int) throws {
        try Self.withReader { reader in
            for (name, filter, ids) in Self.selections {
                // By looking at all runs, and by those that an index finds.
                for few in [0, 1000] {
                    let found = try Self.all(filter, reader, limit: limit, step: step, few: few)
                    #expect(found == ids, "\(name), \(few)")
                }
            }
        }
    }

    @Test func `a step looks at so many runs, and says how far it is`() throws {
        try Self.withReader { reader in
            let page = try reader.page(Self.filter { $0.words = ["timeout"] }, before: .max, limit: 5, step: 10, few: 0)
            #expect(page == HistoryPage(entries: [], next: 91, oldest: Date(timeIntervalSince1970: 91)))
            let last = try reader.page(HistoryFilter(), before: 5, limit: 50, step: 10, few: 0)
            #expect(last.entries.map(\.id) == [4, 3, 2, 1] && last.next == nil && last.oldest == nil)
        }
    }

    @Test func `runs that were deleted leave no gap that is searched for long`() throws {
        try Self.withReader { reader in
            try reader.database.execute("DELETE FROM run WHERE id BETWEEN 60 AND 90")
            let ids = Self.numbers { !(60...90).contains($0) }
            #expect(try Self.all(HistoryFilter(), reader, limit: 50, step: 25) == ids)
            let page = try reader.page(HistoryFilter(), before: 91, limit: 50, step: 10, few: 0)
            #expect(page.entries.map(\.id) == Array((50...59).reversed()) && page.next == 50)
        }
    }

    @Test(arguments: ["Äpfel", "äpfel", "ÄPFEL", "äpf", "日本"])
    func `a word beyond ASCII is found in either case`(word: String) throws {
        try Self.withReader { reader in
            try reader.database.execute(
                """
                INSERT INTO request VALUES (3, '/c.json', '["Äpfel aus 日本"]');
                UPDATE run SET request = 3 WHERE id = 7
                """)
            #expect(try Self.all(Self.filter { $0.words = [word] }, reader, limit: 9, step: 50) == [7])
            #expect(try Self.all(Self.filter { $0.words = [word] }.indexed, reader, limit: 9, step: 50) == [7])
        }
    }

    @Test func `a clock that was set does not change the order`() throws {
        try Self.withReader { reader in
            try reader.database.execute("UPDATE run SET started = 0 WHERE id = 100")
            let page = try reader.page(HistoryFilter(), before: .max, limit: 2, step: 10, few: 0)
            #expect(page.entries.map(\.id) == [100, 99])
        }
    }

    @Test func `without a history there is nothing to search`() async throws {
        let sample = try HistorySample()
        #expect(try await sample.history.page(HistoryFilter()) == HistoryPage())
    }

    @Test func `a page ends where it is full, and the next one begins there`() async throws {
        let sample = try HistorySample()
        for _ in 0..<3 { await sample.send(sample.order(), StubTransport { _ in .response(statusCode: 200) }) }
        let newest = try await sample.history.page(HistoryFilter(), limit: 2)
        #expect(newest.entries.map(\.id) == [3, 2] && newest.next == 2)
        let older = try await sample.history.page(HistoryFilter(), before: newest.next, limit: 2)
        #expect(older.entries.map(\.id) == [1] && older.next == nil)
    }

    @Test func `a word becomes a text that indexes find, but for the kind of a failure`() {
        let filter = Self.filter { $0.words = ["timeout", "orders", "users"] }.indexed
        #expect(filter.text == "orders" && filter.words == ["timeout", "users"])
        let kind = Self.filter { $0.words = ["timeout"] }
        #expect(kind.indexed == kind)
    }
}
