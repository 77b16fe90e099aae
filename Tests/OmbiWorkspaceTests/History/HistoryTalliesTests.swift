import Foundation
import OmbiCore
import TestSupport
import Testing

@testable import OmbiWorkspace

/// Counts beside the runs: they say what the runs themselves say.
@Suite struct HistoryTalliesTests {
    /// Runs of two requests over a few days, made by SQL alone.
    private static func fill(_ database: Database, runs: Int, after earlier: Int = 0) throws {
        try database.execute(
            """
            INSERT OR IGNORE INTO request VALUES (1, '/c.json', '["a"]'), (2, '/c.json', '["b"]');
            INSERT OR IGNORE INTO text VALUES (1, 'local'), (2, 'staging'), (3, '10.0.3.7:443'), (4, '10.0.3.8:443');
            WITH RECURSIVE number(n) AS (
                SELECT \(earlier + 1) UNION ALL SELECT n + 1 FROM number WHERE n < \(earlier + runs))
            INSERT INTO run (request, environment, started, duration, sla, outcome, status, attempts, method)
            SELECT 1 + n % 5 / 4, CASE n % 3 WHEN 0 THEN NULL ELSE n % 3 END, 1800000000000000 - n * 97000000,
                CASE n % 7 WHEN 0 THEN 0 ELSE (n * 7919) % 900000 + 50 END, CASE n % 4 WHEN 0 THEN 400000 END,
                n % 11 % 4, CASE n % 11 % 4 WHEN 0 THEN 200 WHEN 1 THEN 503 END, 1 + n % 3, 'GET' FROM number;
            INSERT INTO attempt (run, number, reason, started, duration, queue, resolve, connect, tls, send, wait, receive,
                outcome, failure, status, address, reused, bytesReceived, bytesSent)
            SELECT run.id, step.value, CASE step.value WHEN 1 THEN 0 ELSE 1 + run.id % 2 END, 0,
                (run.id * 31 + step.value) % 250000, 0, 0, 0, 0, 0, 0, 0,
                CASE WHEN step.value < run.attempts THEN 1 ELSE run.id % 6 END,
                CASE WHEN step.value < run.attempts THEN run.id % 3 END,
                CASE WHEN step.value < run.attempts AND run.id % 3 = 2 THEN 503 END,
                CASE WHEN run.id % 5 > 0 THEN 3 + run.id % 2 END, run.id % 4 > 0, 0, 0
            FROM run JOIN (SELECT 1 AS value UNION SELECT 2 UNION SELECT 3) AS step ON step.value <= run.attempts
            WHERE run.id > \(earlier);
            """)
    }

    @Test(arguments: HistoryTallies.statements.indices)
    func `a batch is counted without a look at the runs before it`(_ index: Int) throws {
        let database = try Database(path: ":memory:")
        try HistorySchema.prepare(database)
        let plan = try database.rows("EXPLAIN QUERY PLAN " + HistoryTallies.statements[index], [.integer(1)]) {
            $0.text(3)
        }
        let reads = plan.filter { $0.contains(" run ") || $0.contains(" attempt ") }
        #expect(!reads.isEmpty && reads.allSatisfy { $0.hasPrefix("SEARCH") }, "\(plan)")
    }

    /// A history with such runs, read in both ways.
    private static func check(
        _ filters: [HistoryFilter], after change: (Database, HistoryContents) throws -> Void = { _, _ in }
    ) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ombi-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let database = try Database(path: folder + "/history.sqlite")
        try HistorySchema.prepare(database)
        // As several batches count theirs.
        try fill(database, runs: 700)
        try HistoryTallies.add(from: 1, in: database)
        try fill(database, runs: 1300, after: 700)
        try HistoryTallies.add(from: 701, in: database)
        let contents = HistoryContents(database: database, folder: folder + "/bodies")
        try change(database, contents)
        let reader = HistoryReader(database: database, contents: contents, limits: HistoryLimits())
        for filter in filters { try compare(reader, filter) }
    }

    private static func compare(_ reader: HistoryReader, _ filter: HistoryFilter) throws {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let exact = try reader.statistics(filter, now: now, maximumExact: .max)
        let tallied = try reader.statistics(filter, now: now, maximumExact: 0)
        let hosts = try reader.hosts(filter, now: now, maximumExact: 0)
        #expect(tallied.isRounded && hosts.isRounded && hosts.addresses == tallied.addresses)
        #expect(tallied.runs == exact.runs && tallied.cancelled == exact.cancelled)
        #expect(tallied.passed == exact.passed && tallied.passedAtOnce == exact.passedAtOnce)
        for (counted, measured) in [(tallied.first, exact.first), (tallied.last, exact.last)] {
            // A removed run leaves the bounds of its five minutes.
            let distance = try #require(counted).timeIntervalSince(try #require(measured))
            #expect(abs(distance) < 300)
        }
        func sorted(_ counts: [HistoryStatistics.Count]) -> [String] {
            counts.map { "\($0.name) \($0.count)" }.sorted()
        }
        #expect(sorted(tallied.failures) == sorted(exact.failures))
        #expect(sorted(tallied.retries) == sorted(exact.retries))
        #expect(tallied.histogram == exact.histogram)
        try compare(tallied.addresses, exact.addresses)
        for (rounded, measured) in [(tallied.ofRuns, exact.ofRuns), (tallied.ofAttempts, exact.ofAttempts)] {
            let parts: [KeyPath<HistoryStatistics.Percentiles, Duration>] = [\.p50, \.p90, \.p95, \.p99, \.maximum]
            for part in parts {
                let (rounded, measured) = (try #require(rounded)[keyPath: part], try #require(measured)[keyPath: part])
                #expect(
                    rounded >= measured && rounded <= measured * 1.023 + .microseconds(1), "\(rounded), \(measured)")
            }
        }
        for (rounded, measured) in zip(tallied.windows, exact.windows) {
            #expect(rounded.runs >= measured.runs && rounded.runs <= measured.runs + 4 && rounded.met <= rounded.runs)
        }
        #expect(tallied.timeline.reduce(0) { $0 + $1.runs } == exact.runs)
        #expect(tallied.timeline.reduce(0) { $0 + $1.failed } == exact.runs - exact.passed)
    }

    private static func compare(_ tallied: [HistoryAddress], _ exact: [HistoryAddress]) throws {
        #expect(Set(exact.map(\.address)) == [nil, "10.0.3.7:443", "10.0.3.8:443"])
        #expect(tallied.map(\.address) == exact.map(\.address))
        #expect(tallied.contains { $0.new.attempts > 0 } && tallied.contains { $0.reused.attempts > 0 })
        for (counted, measured) in zip(tallied, exact) {
            #expect(counted.attempts == measured.attempts && counted.failed == measured.failed)
            #expect(counted.new.attempts == measured.new.attempts)
            #expect(counted.reused.attempts == measured.reused.attempts)
            let (rounded, time) = (try #require(counted.times).p95, try #require(measured.times).p95)
            #expect(rounded >= time && rounded <= time * 1.023 + .microseconds(1), "\(rounded), \(time)")
        }
    }

    private static var filters: [HistoryFilter] {
        var staging = HistoryFilter(item: ItemPath(file: "/c.json", path: ["a"]))
        staging.environment = "staging"
        var all = HistoryFilter(item: ItemPath(file: "/c.json"))
        all.includesContents = true
        return [HistoryFilter(item: ItemPath(file: "/c.json", path: ["a"])), staging, all, HistoryFilter()]
    }

    @Test func `they give the figures of the runs`() throws { try Self.check(Self.filters) }

    @Test func `a removed run is no longer counted`() throws {
        try Self.check(Self.filters) { database, contents in
            var old = HistoryFilter()
            old.until = Date(timeIntervalSince1970: 1_800_000_000 - 97 * 500)
            let removed = try HistoryPruning(database: database, contents: contents).remove(old)
            #expect(removed == 1501)
        }
        try Self.check([]) { database, contents in
            _ = try HistoryPruning(database: database, contents: contents).remove(HistoryFilter())
            for table in ["period", "run_tally", "attempt_tally", "address_tally"] {
                let count = try database.first("SELECT count(*) FROM \(table)") { $0.integer(0) }
                #expect(count == 0)
            }
        }
    }

    @Test func `a request that takes the runs of another one takes their counts`() throws {
        try Self.check(Self.filters) { database, _ in
            try HistoryMove(database: database).move(
                ItemPath(file: "/c.json", path: ["b"]), to: ItemPath(file: "/c.json", path: ["a"]))
        }
    }

    @Test func `a file of before is counted once`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ombi-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let database = try Database(path: folder + "/history.sqlite")
        try HistorySchema.prepare(database)
        for name in ["run_removed", "address_removed"] {
            try database.execute("DROP TRIGGER \(name)")
        }
        let tables = [
            "step", "period", "run_tally", "attempt_tally", "address_tally", "outline", "response", "mark", "redirect",
            "load", "journal",
        ]
        for table in tables {
            try database.execute("DROP TABLE \(table)")
        }
        try database.execute("PRAGMA user_version = 1")
        try Self.fill(database, runs: 500)
        try HistorySchema.prepare(database)
        let contents = HistoryContents(database: database, folder: folder + "/bodies")
        let reader = HistoryReader(database: database, contents: contents, limits: HistoryLimits())
        for filter in Self.filters { try Self.compare(reader, filter) }
    }

    @Test func `a few runs are read one by one`() throws {
        try Self.check([]) { database, contents in
            let reader = HistoryReader(database: database, contents: contents, limits: HistoryLimits())
            let few = try reader.statistics(HistoryFilter(), now: Date())
            let found = try reader.statistics(HistoryFilter(text: "a"), now: Date(), maximumExact: 0)
            let hosts = try reader.hosts(HistoryFilter(), now: Date())
            #expect(!few.isRounded && !found.isRounded && !hosts.isRounded && hosts.addresses == few.addresses)
        }
    }

    @Test func `each recorded run is counted once, whatever batch it came in`() async throws {
        let sample = try HistorySample()
        let order = sample.order()
        let result = await sample.send(order, StubTransport { _ in .response(statusCode: 200) })
        for batch in 1...3 {
            for _ in 0..<(20 * batch) { await sample.history.record(order, result) }
            sample.history.finish()
        }
        let database = try await sample.database()
        for sum in [
            "sum(runs) FROM period", "sum(count) FROM run_tally", "sum(count) FROM attempt_tally",
            "sum(count) FROM address_tally",
        ] {
            #expect(try database.first("SELECT \(sum)") { $0.integer(0) } == 121, "\(sum)")
        }
    }

    @Test func `the triggers of an earlier version, which counted each row, go`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ombi-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let database = try Database(path: folder + "/history.sqlite")
        try HistorySchema.prepare(database)
        for (name, table) in [("run_added", "run"), ("attempt_added", "attempt"), ("address_added", "attempt")] {
            try database.execute(
                "CREATE TRIGGER \(name) AFTER INSERT ON \(table) BEGIN SELECT RAISE(ABORT, 'counted twice'); END")
        }
        try database.execute("DROP TABLE journal; PRAGMA user_version = 8")
        try HistorySchema.prepare(database)
        try Self.fill(database, runs: 10)
        #expect(try database.first("SELECT count(*) FROM run_tally") { $0.integer(0) } == 0)
    }
}
