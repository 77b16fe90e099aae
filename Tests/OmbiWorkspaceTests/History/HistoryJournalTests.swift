import Foundation
import OmbiCore
import TestSupport
import Testing

@testable import OmbiWorkspace

/// Runs on their way into the tables of a history.
@Suite struct HistoryJournalTests {
    private static let answer = StubTransport { _ in .response(statusCode: 200, data: Data("{\"id\": 7}".utf8)) }

    private static func count(_ table: String, _ sample: HistorySample) throws -> Int {
        try Database(path: sample.path).first("SELECT count(*) FROM \(table)") { $0.integer(0) } ?? 0
    }

    @Test func `a run waits in the journal until somebody reads`() async throws {
        let sample = try HistorySample()
        await sample.send(sample.order(), Self.answer)
        #expect(try Self.count("journal", sample) == 1 && Self.count("run", sample) == 0)
        let run = try #require(try await sample.again().run(1))
        #expect(run.result.response?.body == Data("{\"id\": 7}".utf8) && run.result.passed)
        #expect(try Self.count("journal", sample) == 0 && Self.count("run", sample) == 1)
    }

    @Test func `runs of several programs are read in the order in which they were recorded`() async throws {
        let sample = try HistorySample()
        let result = await sample.send(sample.order(), Self.answer)
        for name in ["a", "b", "c"] {
            let program = sample.again()
            await program.record(sample.order(SavedRequest(name: name, path: "/p")), result)
            program.finish()
        }
        #expect(try await sample.history.entries().map { $0.request.path.last } == ["c", "b", "a", "r"])
    }

    @Test func `a run with a large body is in its tables at once`() async throws {
        let sample = try HistorySample()
        await sample.send(sample.order(), Self.answer)
        let noise = HistoryTests.noise(300_000)
        await sample.send(sample.order(), StubTransport { _ in .response(statusCode: 200, data: noise) })
        #expect(try Self.count("journal", sample) == 0 && Self.count("run", sample) == 2)
    }

    @Test func `runs that cannot be put into their tables yet stay in the journal, once`() async throws {
        let sample = try HistorySample()
        await sample.send(sample.order(), Self.answer)
        try await sample.database().execute("CREATE TRIGGER trap BEFORE INSERT ON run BEGIN SELECT missing(); END")
        let noise = HistoryTests.noise(300_000)
        await sample.send(sample.order(), StubTransport { _ in .response(statusCode: 200, data: noise) })
        #expect(try Self.count("journal", sample) == 1 && Self.count("run", sample) == 1)
        let problems = sample.problems.withLock { $0 }
        #expect(problems.count == 1 && problems[0].hasPrefix("recorded runs wait in the history's journal: "))
        try Database(path: sample.path).execute("DROP TRIGGER trap")
        #expect(try await sample.history.count() == 2)
    }

    @Test func `a run that the tables refuse keeps no other from them, and is reported`() async throws {
        let sample = try HistorySample()
        await sample.send(sample.order(), Self.answer)
        try await sample.database().execute(
            """
            CREATE TRIGGER trap BEFORE INSERT ON run WHEN (SELECT count(*) FROM run) = 1
            BEGIN UPDATE journal SET runs = 1; SELECT RAISE(ABORT, 'no'); END
            """)
        await sample.send(sample.order(SavedRequest(name: "refused", path: "/p")), Self.answer)
        #expect(try await sample.history.count() == 1)
        try Database(path: sample.path).execute("DROP TRIGGER trap")
        await sample.send(sample.order(SavedRequest(name: "last", path: "/p")), Self.answer)
        #expect(try await sample.history.entries().map { $0.request.path.last } == ["last", "r"])
        #expect(sample.problems.withLock { $0 } == ["the history has damaged rows; they are left out"])
    }

    @Test func `a mark waits for no runs`() async throws {
        let sample = try HistorySample()
        await sample.send(sample.order(), Self.answer)
        _ = try await sample.history.mark("deploy", at: Date())
        #expect(try Self.count("journal", sample) == 1)
    }

    @Test func `a journal that nobody reads is emptied after a day`() async throws {
        let sample = try HistorySample()
        await sample.send(sample.order(), Self.answer)
        sample.pass(90_000)
        let program = sample.again()
        await program.record(sample.order(), SessionResult(.cancelled))
        program.finish()
        #expect(try Self.count("journal", sample) == 0 && Self.count("run", sample) == 2)
    }

    @Test func `a journal with more runs than a reader should wait for is emptied by the next run`() async throws {
        let sample = try HistorySample()
        let result = await sample.send(sample.order(), Self.answer)
        try Database(path: sample.path).execute("UPDATE journal SET runs = 50001")
        let program = sample.again()
        await program.record(sample.order(), result)
        program.finish()
        #expect(try Self.count("journal", sample) == 0 && Self.count("run", sample) == 2)
    }

    @Test func `a file leaves the journal as it is unless a request was renamed, which takes its runs along`()
        async throws
    {
        let sample = try HistorySample()
        let file = sample.folder + "/c.json"
        func outline(_ name: String) -> CollectionOutline {
            CollectionOutline([.init(names: [name], target: "GET /p")])
        }
        sample.history.follow(file: file, outline("r"), waits: true)
        await sample.send(sample.order(), Self.answer)
        sample.history.follow(file: file, outline("r"), waits: true)
        #expect(try Self.count("journal", sample) == 1)
        sample.history.follow(file: file, outline("new name"), waits: true)
        #expect(try Self.count("journal", sample) == 0)
        #expect(try await sample.history.entries().map(\.request.path) == [["new name"]])
    }

    @Test func `damaged bytes cost their runs, and are reported`() async throws {
        let sample = try HistorySample()
        await sample.send(sample.order(), Self.answer)
        try Database(path: sample.path).execute("INSERT INTO journal (date, runs, bytes) VALUES (0, 1, x'0101ff')")
        #expect(try await sample.history.count() == 1)
        #expect(sample.problems.withLock { $0 } == ["the history has damaged rows; they are left out"])
        #expect(try Self.count("journal", sample) == 0)
    }

    @Test func `where the file cannot be written, the missing runs are reported`() async throws {
        let sample = try HistorySample()
        await sample.send(sample.order(), Self.answer)
        #expect(try await sample.history.count() == 1)
        await sample.send(sample.order(), Self.answer)
        let database = try Database(path: sample.path, .read)
        #expect(HistoryJournal.holdsRuns(database))
        #expect(throws: DatabaseError.self) {
            try HistoryJournal(database: database).add(HistoryExcerpt().bytes, runs: 0, at: Date())
        }
    }
}

/// The bytes of runs in the journal.
@Suite struct HistoryExcerptBytesTests {
    private static let full: HistoryExcerpt = {
        var run = HistoryExcerpt.Run(request: ItemPath(file: "/c.json", path: ["folder", "é \"quoted\""]))
        (run.environment, run.startedAt, run.duration, run.sla) = ("local", 1_800_000_000_000_000, 1234, 5_000_000)
        (run.outcome, run.status, run.attemptCount, run.method) = (.failed, 503, 2, "POST")
        (run.url, run.failure, run.size, run.body, run.prepared) = ("http://a.test/", "503", 12, 1, 0)
        run.details = #"{"headers":[["A","b"]]}"#
        var first = HistoryExcerpt.Attempt()
        (first.startedAt, first.duration, first.phases) = (-5, 900, [1, 2, 3, 4, 5, 6, 7])
        (first.outcome, first.failure, first.message, first.status) = (1, 2, "503 Service Unavailable", 503)
        (first.pause, first.pauseReason, first.address, first.version) = (100, 1, "10.0.3.7:443", "HTTP/2")
        first.response = .init(status: 503, headers: "[]", isPartial: true, size: 3, body: 1)
        var second = first
        (second.number, second.reason, second.isReused, second.response) = (2, 1, true, nil)
        (second.bytesReceived, second.bytesSent) = (Int.max, Int.min)
        run.attempts = [first, second]
        run.redirects = [.init(place: 3, body: 0)]
        var other = HistoryExcerpt.Run(request: ItemPath(file: "/c.json", path: []))
        other.outcome = .cancelled
        var excerpt = HistoryExcerpt(runs: [run, other, run])
        excerpt.contents = [Data(), Data([0, 255, 10])]
        return excerpt
    }()

    @Test func `an excerpt is the same when it is read back`() throws {
        #expect(try HistoryExcerpt(bytes: Self.full.bytes) == Self.full)
        #expect(try HistoryExcerpt(bytes: HistoryExcerpt().bytes) == HistoryExcerpt())
    }

    @Test func `bytes that are put together run by run have the requests that they are asked for with`() throws {
        var bytes = ExcerptBytes()
        for content in Self.full.contents { _ = bytes.add(content) }
        for var run in Self.full.runs { bytes.add(&run) }
        #expect(bytes.count == 3 && !bytes.isLarge)
        let renamed = bytes.bytes { request, startedAt in
            ItemPath(file: "/d\(startedAt > 0 ? 1 : 2).json", path: request.path + ["new"])
        }
        var expected = Self.full
        for index in expected.runs.indices {
            expected.runs[index].request.file = index == 1 ? "/d2.json" : "/d1.json"
            expected.runs[index].request.path.append("new")
        }
        #expect(try HistoryExcerpt(bytes: renamed) == expected)
        #expect(try bytes.excerpt == Self.full)
        #expect(bytes.add(Data(count: HistoryContents.maximumInDatabase + 1)) == 2 && bytes.isLarge)
    }

    @Test func `a run that could not be read back is left out, and those around it are there`() throws {
        var bytes = ExcerptBytes()
        for content in Self.full.contents { _ = bytes.add(content) }
        for run in Self.full.runs {
            var twice = run
            let attempts = Array(repeating: HistoryExcerpt.Attempt(phases: [1, 2, 3, 4, 5, 6, 7]), count: 2)
            (twice.method, twice.attempts) = ("PUT", attempts)
            bytes.add(&twice)
            var run = run
            bytes.add(&run)
        }
        #expect(bytes.count == Self.full.runs.count && bytes.leftOut == Self.full.runs.count)
        #expect(try bytes.excerpt == Self.full)
    }

    @Test func `a run like the one before takes a few bytes`() {
        var many = Self.full
        many.runs = Array(repeating: Self.full.runs[0], count: 100)
        let one = HistoryExcerpt(runs: [Self.full.runs[0]]).bytes.count
        #expect(many.bytes.count < one + 99 * 160)
    }

    @Test func `a part of the bytes, and bytes behind them, are damage`() {
        let bytes = Self.full.bytes
        for end in 0..<bytes.count {
            #expect(throws: ExcerptDamage.self) { try HistoryExcerpt(bytes: bytes.prefix(end)) }
        }
        #expect(throws: ExcerptDamage.self) { try HistoryExcerpt(bytes: bytes + [0]) }
    }

    @Test func `flipped bytes keep no other runs from their tables`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ombi-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let database = try Database(path: folder + "/history.sqlite")
        try HistorySchema.prepare(database)
        let contents = HistoryContents(database: database, folder: folder + "/bodies")
        let (bytes, journal) = (Self.full.bytes, HistoryJournal(database: database))
        try database.transaction { () throws(DatabaseError) in
            for index in bytes.indices {
                for bit in 0..<8 {
                    var damaged = bytes
                    damaged[index] ^= 1 << bit
                    try database.run("INSERT INTO journal (date, runs, bytes) VALUES (0, 3, ?)", .blob(damaged))
                }
            }
            try journal.add(bytes, runs: 3, at: Date())
        }
        _ = try journal.empty(into: contents)
        #expect(!HistoryJournal.holdsRuns(database))
        let last = "SELECT count(*) FROM run WHERE id > (SELECT max(id) - 3 FROM run) AND attempts IN (0, 2)"
        #expect(try database.first(last) { $0.integer(0) } == 3)
        for count in [9, 10, 11] {
            #expect(throws: ExcerptDamage.self) { try HistoryExcerpt(bytes: Data(repeating: 0xFF, count: count)) }
        }
    }
}
