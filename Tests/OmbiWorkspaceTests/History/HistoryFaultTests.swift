import Foundation
import OmbiCore
import TestSupport
import Testing

@testable import OmbiWorkspace

/// A history that is damaged, full, read-only, shared, or too long.
@Suite struct HistoryFaultTests {
    private static let transport = StubTransport { _ in .response(statusCode: 200, data: Data("{\"a\": 1}".utf8)) }

    @Test func `a damaged file is set aside with a sentence, and a new one is begun`() async throws {
        let sample = try HistorySample()
        try FileManager.default.createDirectory(atPath: sample.folder + "/state", withIntermediateDirectories: true)
        let damaged = Data("this was a database once, and is one no longer".utf8)
        try damaged.write(to: URL(filePath: sample.path))
        await sample.send(sample.order(), Self.transport)
        #expect(try await sample.history.count() == 1)
        let aside = sample.files.first { $0.path.contains(".damaged-") }
        #expect(aside?.bytes == damaged)
        let problems = sample.problems.withLock { $0 }
        #expect(problems.count == 1 && problems[0].contains("is set aside as"))
    }

    @Test func `the large bodies of a damaged file are set aside with it`() async throws {
        let sample = try HistorySample()
        let noise = HistoryTests.noise(300_000)
        await sample.send(sample.order(), StubTransport { _ in .response(statusCode: 200, data: noise) })
        let bodies = sample.files.filter { $0.path.contains(".bodies/") }
        #expect(bodies.count == 1)
        try Data("no database any more".utf8).write(to: URL(filePath: sample.path))
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: sample.path + suffix) }
        let other = sample.again()
        await other.record(sample.order(), SessionResult(.failure("x")))
        other.finish()
        let left = sample.files.filter { $0.path.contains(".bodies/") }
        #expect(left.count == 1 && left.allSatisfy { $0.path.contains(".damaged-") }, "\(left.map(\.path))")
        #expect(left.first?.bytes == bodies.first?.bytes)
    }

    @Test func `the large bodies that a killed program left are removed, and those of runs are not`() async throws {
        let sample = try HistorySample()
        let noise = HistoryTests.noise(300_000)
        await sample.send(sample.order(), StubTransport { _ in .response(statusCode: 200, data: noise) })
        let folder = sample.path + ".bodies"
        let names = [String(repeating: "a1", count: 32), "notes.txt"]
        for name in names { try Data("left".utf8).write(to: URL(filePath: folder + "/" + name)) }
        let other = sample.again()
        await other.record(sample.order(), SessionResult(.failure("x")))
        #expect(try await other.count() == 2)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(left.count == 2 && left.contains("notes.txt") && !left.contains(names[0]), "\(left)")
        let entry = try #require(try await other.entries().last)
        #expect(try await other.run(entry.id)?.result.response?.body == noise)
        #expect(try await other.delete(HistoryFilter()) == 2)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["notes.txt"])
    }

    @Test func `a run is kept without a body whose file cannot be written`() async throws {
        let sample = try HistorySample()
        try FileManager.default.createDirectory(atPath: sample.folder + "/state", withIntermediateDirectories: true)
        try Data("in the way".utf8).write(to: URL(filePath: sample.path + ".bodies"))
        let noise = HistoryTests.noise(300_000)
        await sample.send(sample.order(), StubTransport { _ in .response(statusCode: 200, data: noise) })
        await sample.send(sample.order(), Self.transport)
        #expect(try await sample.history.count() == 2)
        let entry = try #require(try await sample.history.entries().last)
        #expect(entry.size == 300_000)
        let run = try #require(try await sample.history.run(entry.id))
        #expect(run.result.response?.body == nil && run.missingBody != nil)
    }

    @Test func `large bodies count for the size of a history`() async throws {
        let sample = try HistorySample()
        for number in 0..<10 {
            let noise = HistoryTests.noise(400_000 + number)
            await sample.send(sample.order(), StubTransport { _ in .response(statusCode: 200, data: noise) })
        }
        let database = try Database(path: sample.path)
        let contents = HistoryContents(database: database, folder: sample.path + ".bodies")
        #expect(contents.sizeOfFiles == (0..<10).reduce(0) { $0 + 400_000 + $1 })
        try HistoryPruning(database: database, contents: contents).prune(
            HistoryLimits(maximumSize: 2_000_000), now: sample.time.withLock { $0 })
        let kept = try await sample.history.count()
        #expect((2...4).contains(kept), "\(kept)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: sample.path + ".bodies").count == kept)
    }

    /// Every damage of a file ends in a sentence or in runs, never in a crash.
    @Test(arguments: 0..<40)
    func `a truncated or a flipped file never ends the program`(_ seed: Int) async throws {
        let sample = try HistorySample()
        for _ in 0..<5 { await sample.send(sample.order(), Self.transport) }
        let copy = sample.folder + "/copy.sqlite"
        // The log is written into the file by the end of the connection of another program.
        _ = try await sample.history.count()
        let whole = try Database(path: sample.path)
        _ = try whole.first("PRAGMA wal_checkpoint(TRUNCATE)") { $0.integer(0) }
        var bytes = try Data(contentsOf: URL(filePath: sample.path))
        var random = SeededRandom(seed: UInt64(seed))
        if seed % 4 == 0 {
            bytes = bytes.prefix(Int.random(in: 1..<bytes.count, using: &random))
        } else {
            for _ in 0..<(1 << (seed % 8)) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
        }
        try bytes.write(to: URL(filePath: copy))
        let history = History(path: copy)
        let problems = Lock<[String]>([])
        history.onProblem { problem in problems.withLock { $0.append(problem) } }
        let entries = (try? await history.entries()) ?? []
        for entry in entries { _ = try? await history.run(entry.id) }
        await history.record(sample.order(), SessionResult(.failure("x")))
        history.finish()
        // The run that was recorded then is there, or a sentence says that it is not.
        let last = try? await history.entries(limit: 1).first
        #expect(last?.failure == "x" || !problems.withLock { $0 }.isEmpty)
    }

    @Test func `a folder that cannot be written is told with the number of runs, and each goes on`() async throws {
        let sample = try HistorySample()
        // A file in the place of the folder: permissions do not stop root, who runs tests in containers.
        try Data().write(to: URL(filePath: sample.folder + "/state"))
        for _ in 0..<3 {
            let result = await sample.send(sample.order(), Self.transport)
            #expect(result.passed)
        }
        let problems = sample.problems.withLock { $0 }
        #expect(problems.first?.hasPrefix("the run is not in the history: ") == true)
        // The sample ends the history after each run.
        #expect(problems.count == 3 && problems.last?.hasPrefix("3 runs in all are not in the history: ") == true)
    }

    @Test func `a file of a newer Ombi is left alone`() async throws {
        let sample = try HistorySample()
        await sample.send(sample.order(), Self.transport)
        try await sample.database().execute("PRAGMA user_version = 99")
        let other = sample.again()
        await #expect(throws: HistoryError.self) { try await other.entries() }
        await other.record(sample.order(), SessionResult(.cancelled))
        other.finish()
        let count = try Database(path: sample.path).first("SELECT count(*) FROM run") { $0.integer(0) }
        #expect(count == 1)
    }

    @Test func `a file of before that lacks nothing but an index is read where it cannot be changed`() async throws {
        let sample = try HistorySample()
        await sample.send(sample.order(), Self.transport)
        let database = try await sample.database()
        try database.execute("DROP INDEX run_in_time; PRAGMA user_version = 5")
        let reading = try Database(path: sample.path, .read)
        try HistorySchema.check(reading)
        let contents = HistoryContents(database: reading, folder: sample.path + ".bodies")
        let reader = HistoryReader(database: reading, contents: contents, limits: HistoryLimits())
        let now = sample.time.withLock { $0 }
        let windows = try reader.windows(HistoryWindows(HistoryFilter(), within: nil, [.seconds(3600)]), now: now)
        #expect(windows.map(\.runs) == [1])
        try database.execute("PRAGMA user_version = 4")
        #expect(throws: DatabaseError.self) { try HistorySchema.check(reading) }
    }

    @Test func `two programs write into one file, and lose nothing`() async throws {
        let sample = try HistorySample()
        let other = sample.again()
        let order = sample.order()
        await withTaskGroup(of: Void.self) { group in
            for history in [sample.history, other] {
                for _ in 0..<4 {
                    group.addTask { for _ in 0..<50 { await history.record(order, SessionResult(.failure("x"))) } }
                }
            }
        }
        sample.history.finish()
        other.finish()
        #expect(try await other.count() == 400)
        #expect(sample.problems.withLock { $0 } == [])
    }

    @Test func `a thousand runs at once are all written`() async throws {
        let sample = try HistorySample()
        let order = sample.order()
        for _ in 0..<3000 { await sample.history.record(order, SessionResult(.failure("x"))) }
        sample.history.finish()
        #expect(try await sample.history.count() == 3000)
    }

    @Test func `large bodies are not piled up while they wait to be written`() async throws {
        let sample = try HistorySample()
        let order = sample.order()
        let body = Data(repeating: 0x61, count: 9 << 20)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<12 {
                group.addTask {
                    await sample.history.record(
                        order, SessionResult(.response(TransportResponse(statusCode: 200, body: body))))
                }
            }
        }
        sample.history.finish()
        #expect(try await sample.history.entries().map(\.size) == Array(repeating: 9 << 20, count: 12))
    }

    @Test func `the oldest runs go when there are too many or when they are too old`() async throws {
        let limits = HistoryLimits(maximumAge: .seconds(1000), maximumRuns: 3)
        let sample = try HistorySample(limits: limits)
        var names: [String] = []
        for name in ["a", "b", "c", "d", "e"] {
            await sample.send(
                sample.order(SavedRequest(name: name, path: "/" + name)),
                StubTransport { _ in .response(statusCode: 200, data: HistoryTests.noise(300_000)) })
            names.append(name)
        }
        // Limits are looked at from time to time: another program does so with its first run.
        let other = sample.again(limits: limits)
        await other.record(sample.order(SavedRequest(name: "f", path: "/f")), SessionResult(.failure("x")))
        other.finish()
        #expect(try await other.entries().map { $0.request.path.last } == ["f", "e", "d"])
        sample.pass(2000)
        let last = sample.again(limits: limits)
        await last.record(sample.order(SavedRequest(name: "g", path: "/g")), SessionResult(.failure("x")))
        last.finish()
        #expect(try await last.entries().map { $0.request.path.last } == ["g"])
        // Nothing of the others is left: no body, no text, no request.
        #expect(!sample.files.contains { $0.path.contains(".bodies/") })
        let database = try Database(path: sample.path)
        #expect(try database.first("SELECT count(*) FROM request") { $0.integer(0) } == 1)
        #expect(try database.first("SELECT count(*) FROM content") { $0.integer(0) } == 0)
        #expect(try database.rows("SELECT value FROM text ORDER BY value") { $0.text(0) } == ["local", "x"])
        #expect(try database.first("SELECT count(*) FROM attempt") { $0.integer(0) } == 0)
    }

    @Test func `a full history makes room for a hundredth at once`() throws {
        let sample = try HistorySample()
        let database = try Database(path: sample.folder + "/full.sqlite")
        try HistorySchema.prepare(database)
        try database.execute("INSERT INTO request VALUES (1, '/c.json', '[]')")
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        func add(_ count: Int, at seconds: Double) throws {
            for _ in 0..<count {
                try database.run(
                    "INSERT INTO run (request, started, duration, outcome, attempts, method) VALUES (1, ?, 1, 0, 1, 'GET')",
                    .integer(start.addingTimeInterval(seconds).microseconds))
            }
        }
        func left(at seconds: Double) throws -> Int? {
            let contents = HistoryContents(database: database, folder: sample.folder + "/full.bodies")
            try HistoryPruning(database: database, contents: contents).prune(
                HistoryLimits(maximumAge: .seconds(1000), maximumRuns: 500), now: start.addingTimeInterval(seconds))
            return try database.first("SELECT count(*) FROM run") { $0.integer(0) }
        }
        try add(500, at: 0)
        #expect(try left(at: 0) == 500)
        try add(1, at: 100)
        #expect(try left(at: 100) == 495)
        // 494 of them are from the start, which is too old from 1,000 s on, and goes 10 s later.
        #expect(try left(at: 1009) == 495)
        #expect(try left(at: 1011) == 1)
    }

    @Test func `runs are deleted with all that belongs to them`() async throws {
        let sample = try HistorySample()
        for name in ["a", "b"] {
            await sample.send(sample.order(SavedRequest(name: name, path: "/" + name)), Self.transport)
        }
        #expect(try await sample.history.delete(HistoryFilter(text: "v1/a")) == 1)
        #expect(try await sample.history.entries().map { $0.request.path.last } == ["b"])
        #expect(try await sample.history.delete(HistoryFilter(text: "nothing")) == 0)
        let run = try await sample.history.entries().first
        #expect(try await sample.history.run(run?.id ?? 0)?.result.response?.body == Data("{\"a\": 1}".utf8))
    }
}
