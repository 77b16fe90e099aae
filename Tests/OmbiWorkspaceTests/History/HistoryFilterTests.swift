import Foundation
import OmbiCore
import Testing

@testable import OmbiWorkspace

/// Runs with a text are found in two ways, which agree.
@Suite struct HistoryFilterTests {
    @Test(arguments: ["orders", "timed OUT", "list", "o_ders", "nothing", "%"])
    func `the indexes find the runs that a look at each one finds`(text: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ombi-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let database = try Database(path: folder + "/history.sqlite")
        try HistorySchema.prepare(database)
        try database.execute(
            """
            INSERT INTO request VALUES (1, '/c.json', '["list orders"]'), (2, '/c.json', '["users"]');
            INSERT INTO text VALUES (1, 'http://127.0.0.1/orders'), (2, 'http://127.0.0.1/list'), (3, 'orders: timed out');
            INSERT INTO run (request, started, duration, outcome, attempts, method, url, failure) VALUES
                (1, 1, 1, 0, 1, 'GET', 1, NULL), (1, 2, 1, 2, 1, 'GET', 1, 3), (2, 3, 1, 0, 1, 'GET', 2, NULL),
                (2, 4, 1, 2, 1, 'GET', 2, 3), (2, 5, 1, 2, 0, 'GET', NULL, NULL)
            """)
        func found(_ filter: HistoryFilter) throws -> [Int] {
            let (condition, values) = filter.condition
            return try database.rows("SELECT id FROM run WHERE \(condition) ORDER BY id", values) { $0.integer(0) }
        }
        var filter = HistoryFilter(text: text)
        let scanned = try found(filter)
        filter.isTextRare = true
        #expect(try found(filter) == scanned)
        let expected = ["orders": [1, 2, 4], "timed OUT": [2, 4], "list": [1, 2, 3, 4]]
        #expect(scanned == expected[text] ?? [])
    }

    @Test func `only an audit and a removal have the requests for schemas`() async throws {
        let sample = try HistorySample()
        let transport = StubTransport { _ in .response(statusCode: 200, data: Data("{\"a\": 1}".utf8)) }
        for order in [sample.order(), sample.order().introspection] { await sample.send(order, transport) }
        let history = sample.history
        for item in [nil, ItemPath(file: sample.folder + "/c.json"), sample.order().itemPath] as [ItemPath?] {
            var filter = HistoryFilter(item: item)
            filter.includesContents = true
            filter = try await history.selected(filter)
            let paths = try await history.entries(filter).map(\.request.path)
            #expect(paths == [["r"]])
            #expect(try await history.newestOfEach(filter).map(\.request.path) == [["r"]])
            #expect(try await history.page(filter).entries.map(\.request.path) == [["r"]])
            #expect(try await history.statistics(filter).runs == 1)
            #expect(try await history.values(at: "$.a", filter).runs == 1)
            filter.includesIntrospections = true
            #expect(try await history.entries(filter).map(\.request.path) == [["r", "", "introspection"], ["r"]])
        }
        let one = history.resolved(HistoryFilter(item: sample.order().itemPath))
        #expect(try await history.entries(one).map(\.request.path) == [["r"]])
        let schema = history.resolved(HistoryFilter(item: sample.order().introspection.itemPath))
        #expect(try await history.entries(schema).isEmpty)
        #expect(try await history.delete(HistoryFilter()) == 2)
    }

    @Test(
        arguments: [(990, nil, "run_by_time"), (990, 995, "run_by_time"), (10, nil, "run_of_request")]
            as [(Int, Int?, String)])
    func `runs of a short time are found by it, and those of a long one by their requests`(
        since: Int, until: Int?, index: String
    ) async throws {
        let sample = try HistorySample()
        await sample.send(sample.order(SavedRequest(name: "r", path: "/")), StubTransport { _ in .response() })
        let database = try Database(path: sample.path)
        try database.execute(
            """
            DELETE FROM run; INSERT INTO request VALUES (8, '/c.json', '["a"]'), (9, '/d.json', '["b"]');
            WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 1000)
            INSERT INTO run (id, request, started, duration, outcome, attempts, method)
            SELECT n, 8 + n % 2, n, 1, 0, 1, 'GET' FROM number
            """)
        var filter = HistoryFilter(item: ItemPath(file: "/c.json"))
        (filter.includesContents, filter.since) = (true, Date(microseconds: since))
        filter.until = until.map { Date(microseconds: $0) }
        let contents = HistoryContents(database: database, folder: sample.path + ".bodies")
        let reader = HistoryReader(database: database, contents: contents, limits: HistoryLimits())
        #expect(try reader.isTimeRare(filter) == (index == "run_by_time"))
        #expect(try reader.isTimeRare(filter, counting: 3) == (index == "run_by_time"))
        let (condition, values) = try reader.condition(filter)
        let query = "SELECT id FROM run WHERE \(condition)"
        let plan = try database.rows("EXPLAIN QUERY PLAN " + query, values) { $0.text(3) }
        #expect(plan.first?.contains(index) == true, "\(plan)")
        let found = try database.rows(query, values) { $0.integer(0) }
        #expect(found.sorted() == Array(since...(until ?? 1000)).filter { $0 % 2 == 0 })
    }
}
