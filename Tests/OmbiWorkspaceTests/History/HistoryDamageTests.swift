import Foundation
import OmbiCore
import OmbiDocument
import TestSupport
import Testing

@testable import OmbiWorkspace

/// A history whose rows hold what no Ombi has written. Nothing of it ends the program, and what is left out is told.
@Suite struct HistoryDamageTests {
    private static let values = [
        "9223372036854775807", "-9223372036854775808", "-1", "'words'", "x'00ff'", "NULL",
    ]

    private static let tables = [
        "run", "attempt", "content", "request", "text", "period", "run_tally", "attempt_tally", "outline",
    ]

    /// A history with runs of every kind.
    private static func sample() async throws -> HistorySample {
        let sample = try HistorySample()
        let body = Data("{\"a\": [1, 2], \"text\": \"\(String(repeating: "word ", count: 500))\"}".utf8)
        let answers: [StubTransport.Reply] = [
            .response(statusCode: 503, data: Data("{}".utf8)), .response(statusCode: 200, data: body),
            .failure(TransportError(code: .timedOut)),
        ]
        let count = Lock(0)
        let transport = StubTransport { _ in
            count.withLock { count in
                count += 1
                return answers[count % answers.count]
            }
        }
        var request = SavedRequest(name: "r", path: "/p")
        request.policy = RequestPolicy(retries: 1, sla: .seconds(60))
        for _ in 0..<6 { await sample.send(sample.order(request), transport) }
        await sample.send(
            sample.order(), StubTransport { _ in .response(statusCode: 200, data: HistoryTests.noise(300_000)) })
        await sample.history.record(sample.order(), SessionResult(.cancelled))
        sample.history.follow(
            file: sample.order().file, CollectionOutline(sample.order().collection), recognises: true, waits: true)
        sample.history.finish()
        _ = try Database(path: sample.path).first("PRAGMA wal_checkpoint(TRUNCATE)") { $0.integer(0) }
        return sample
    }

    /// Asks everything that a program may ask.
    private static func useAll(_ history: History, _ order: RunOrder) async {
        let item = order.itemPath
        let filter = HistoryFilter(item: item)
        let entries = (try? await history.entries(filter)) ?? []
        for id in Set(entries.map(\.id)).union([1]) { _ = try? await history.run(id) }
        _ = try? await history.newestOfEach(HistoryFilter())
        _ = try? await history.count(HistoryFilter(text: "p"))
        _ = try? await history.neighbor(of: nil, isOlder: true, in: filter)
        _ = try? await history.neighbor(of: 2, isOlder: false, in: filter)
        _ = try? await history.values(at: "$.a[0]", filter)
        _ = try? await history.statistics(filter)
        _ = try? await history.read { (reader) throws(DatabaseError) in
            try reader.statistics(filter, now: Date(timeIntervalSince1970: 1_800_000_000), maximumExact: 0)
        }
        if let statistics = try? await history.statistics(HistoryFilter()) { _ = statistics.proposal }
        _ = try? await history.recent(files: [item.file], limit: 8)
        if let simulation = try? await history.simulation(filter) {
            _ = simulation.figures(.init(retries: 3, timeout: .seconds(1), sla: .seconds(2)))
        }
        _ = TroubledTime(in: entries, median: entries.first?.duration ?? .zero)
        _ = try? await history.volatilePaths(of: item, environment: "local", status: 200)
        var bodies = filter
        bodies.bodyPath = "$.a"
        _ = try? await history.selected(bodies)
        history.follow(file: order.file, CollectionOutline([]), recognises: true, waits: true)
        await history.record(order, SessionResult(.failure("x")))
        history.finish()
        _ = try? await history.delete(filter)
    }

    @Test(arguments: tables) func `no value of a column ends the program`(table: String) async throws {
        let sample = try await Self.sample()
        let whole = try Data(contentsOf: URL(filePath: sample.path))
        let columns = try Database(path: sample.path).rows("SELECT name FROM pragma_table_info('\(table)')") {
            $0.text(0)
        }
        #expect(!columns.isEmpty)
        for column in columns {
            for value in Self.values {
                let copy = sample.folder + "/\(column)-\(UUID().uuidString).sqlite"
                try whole.write(to: URL(filePath: copy))
                // A key of another type is refused.
                try? Database(path: copy).execute("UPDATE OR IGNORE \(table) SET \(column) = \(value)")
                await Self.useAll(History(path: copy), sample.order())
                for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: copy + suffix) }
            }
        }
    }

    @Test(arguments: [
        ("run", "started = 9223372036854775807"), ("run", "duration = -9223372036854775808"), ("run", "size = 'big'"),
        ("run", "status = 20000"), ("run", "attempts = -5"), ("run", "method = x'00'"),
    ])
    func `a damaged row is left out with a remark, and the others are there`(table: String, change: String) async throws
    {
        let sample = try await Self.sample()
        try Database(path: sample.path).execute("UPDATE \(table) SET \(change) WHERE id = 3")
        let history = sample.again()
        history.onProblem { [problems = sample.problems] problem in problems.withLock { $0.append(problem) } }
        #expect(try await history.entries().map(\.id) == [8, 7, 6, 5, 4, 2, 1])
        #expect(try await history.run(3) == nil)
        #expect(sample.problems.withLock { $0 } == ["the history has damaged rows; they are left out"])
    }

    @Test(arguments: [
        "1099511627776, form = 1", "1073741824, form = 1", "9223372036854775807, form = 3", "5, form = 9",
    ])
    func `the size of a body is believed within limits`(change: String) async throws {
        let sample = try await Self.sample()
        try Database(path: sample.path).execute("UPDATE content SET size = \(change)")
        let runs = try await sample.again().entries().filter { $0.size ?? 0 > 10 }
        #expect(!runs.isEmpty)
        for entry in runs {
            #expect(try await sample.again().run(entry.id)?.missingBody == "the kept body is damaged or was removed")
        }
    }

    @Test(arguments: ["../victim", "/etc/passwd", "", "..", "a/../../victim"])
    func `a name of a content leads to no file elsewhere`(name: String) async throws {
        let sample = try await Self.sample()
        let victim = sample.folder + "/state/victim"
        try Data("mine".utf8).write(to: URL(filePath: victim))
        try Database(path: sample.path).execute(
            "UPDATE content SET hash = CAST('\(name)' AS BLOB), form = 2 WHERE id = (SELECT max(id) FROM content)")
        let history = sample.again()
        for entry in try await history.entries() { _ = try await history.run(entry.id) }
        #expect(try await history.delete(HistoryFilter()) == 8)
        #expect(FileManager.default.contents(atPath: victim) == Data("mine".utf8))
    }

    @Test func `a version below zero is damage`() async throws {
        let sample = try await Self.sample()
        try Database(path: sample.path).execute("PRAGMA user_version = -1")
        let history = sample.again()
        #expect(try await history.entries().isEmpty)
        #expect(sample.files.contains { $0.path.contains(".damaged-") })
    }

    @Test(arguments: ["9223372036854775807", "-9223372036854775808", "1e400", "\"words\"", "null", "[]", "-1"])
    func `numbers in the details of a run are bounded`(number: String) throws {
        let text = """
            {"endedAt": \(number), "missedRetry": [\(number), \(number), \(number)], "pages": [\(number), true, \(number)],
             "fallback": {"run": \(number), "date": \(number), "age": \(number), "status": \(number)},
             "redirects": [{"status": 302, "target": "/", "duration": \(number)}, {"status": \(number), "target": "/"}],
             "expectations": [{"place": ["body", \(number)], "subject": "a"}, {"place": [\(number)], "subject": "a"}],
             "tls": {"certificates": [{"notBefore": \(number), "notAfter": \(number)}]}, "headers": \(number)}
            """
        let json = try JSONValue.parse(text)
        var result = SessionResult(.response(TransportResponse(statusCode: 200)))
        result.prepared = RecordedDetails.request(
            try JSONValue.parse(
                """
                {"url": "/", "method": "GET", "sla": [\(number), "row:\(number.filter { $0 != "\"" })"], "attempts": [\(number), "request"]}
                """))
        let attempt = AttemptReport(
            number: 1, reason: .first, startedAt: .zero, duration: .zero, metrics: TransportMetrics(),
            outcome: .succeeded, response: nil, willRetry: false, wait: nil, waitReason: nil)
        result.report = RequestReport(
            attempts: [attempt], attemptCount: 1, duration: .zero, sla: nil, outcome: .succeeded)
        RecordedDetails.read(json, into: &result)
        #expect(StoredRange.duration.contains(result.prepared?.sla.value.wholeMicroseconds ?? .max))
        #expect(StoredRange.count.contains(result.pages?.count ?? 0))
        for date in [result.prepared?.endedAt, result.report?.attempts.last?.metrics.tls?.certificates.first?.notAfter]
        {
            #expect(date.map { StoredRange.date.contains($0.microseconds) } ?? true)
        }
        for expectation in result.expectations {
            if case .body(let offset?) = expectation.place { #expect(StoredRange.count.contains(offset)) }
        }
    }

    @Test func `times beyond any year can be asked for`() async throws {
        let sample = try await Self.sample()
        var filter = HistoryFilter()
        (filter.since, filter.until) = (Date(timeIntervalSince1970: -1e30), Date(timeIntervalSince1970: 1e30))
        #expect(try await sample.history.count(filter) == 8)
        #expect(Duration.seconds(Int64.max).wholeMicroseconds > 0)
    }
}
