import Foundation
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
}
