import Foundation
import OmbiCore
import Testing

@testable import OmbiWorkspace

/// Figures of the newest runs, and of the phases of their attempts.
@Suite struct HistoryRangeTests {
    /// So many runs with two attempts each: the first looks the host up, both wait for as many milliseconds as the number
    /// of the run says.
    private static func statistics(
        runs: Int, _ filter: HistoryFilter, maximumExact: Int = 2_000
    ) throws -> HistoryStatistics {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ombi-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let database = try Database(path: folder + "/history.sqlite")
        try HistorySchema.prepare(database)
        try database.execute(
            """
            INSERT INTO request VALUES (1, '/c.json', '["a"]'), (2, '/c.json', '["b"]');
            WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < \(runs))
            INSERT INTO run (request, started, duration, outcome, status, attempts, method)
            SELECT 2 - n % 2, 1800000000000000 + n * 1000000, n * 1000, 0, 200, 2, 'GET' FROM number;
            INSERT INTO attempt (run, number, reason, started, duration, queue, resolve, connect, tls, send, wait,
                receive, outcome, reused, bytesReceived, bytesSent)
            SELECT run.id, step.value, step.value - 1, 0, run.id * 1000, 0,
                CASE step.value WHEN 1 THEN 500 ELSE 0 END, 0, 0, 0, run.id * 1000, 0, 0, 0, 0, 0
            FROM run JOIN (SELECT 1 AS value UNION SELECT 2) AS step;
            """)
        try HistoryTallies.add(from: 1, in: database)
        let reader = HistoryReader(
            database: database, contents: HistoryContents(database: database, folder: folder + "/bodies"),
            limits: HistoryLimits())
        let now = Date(timeIntervalSince1970: 1_800_000_100)
        return try reader.statistics(filter, now: now, maximumExact: maximumExact)
    }

    @Test func `the last runs are the newest of those that all else selects`() throws {
        var filter = HistoryFilter(item: ItemPath(file: "/c.json", path: ["a"]))
        filter.last = 3
        // Those with odd numbers: 95, 97 and 99.
        let statistics = try Self.statistics(runs: 100, filter)
        #expect(statistics.runs == 3 && statistics.ofRuns?.p50 == .milliseconds(97))
        #expect(statistics.ofRuns?.maximum == .milliseconds(99) && statistics.retries.map(\.count) == [3])
        filter.since = Date(timeIntervalSince1970: 1_800_000_099)
        #expect(try Self.statistics(runs: 100, filter).runs == 1)
        var all = HistoryFilter()
        all.last = 20
        #expect(try Self.statistics(runs: 100, all).ofRuns?.p50 == .milliseconds(90))
        all.last = 1000
        #expect(try Self.statistics(runs: 100, all).runs == 100)
    }

    @Test(arguments: [2_000, 0]) func `phases have the times of the attempts that had them`(maximumExact: Int) throws {
        let statistics = try Self.statistics(runs: 100, HistoryFilter(), maximumExact: maximumExact)
        #expect(statistics.isRounded == (maximumExact == 0))
        #expect(statistics.phases.map(\.phase) == [.resolve, .wait])
        #expect(statistics.phases.map(\.attempts) == [100, 200])
        #expect(statistics.phases.map(\.times.p50) == [.microseconds(500), .milliseconds(50)])
        #expect(statistics.phases.last?.times.maximum == .milliseconds(100))
    }
}
