import Foundation
import OmbiCore
import Testing

@testable import OmbiWorkspace

/// Runs that are recorded while other programs write the same file.
@Suite struct HistoryBusyTests {
    private static let order = RunOrder(
        id: 1, request: SavedRequest(name: "r", path: "/p"),
        collection: Collection(name: "c", environments: [HistorySample.environment]), environment: "local",
        file: "/c.json")

    /// Another program, used by one thread.
    private struct Other: @unchecked Sendable {
        let database: Database

        init(_ path: String) throws {
            database = try Database(path: path)
            try database.execute("BEGIN IMMEDIATE")
        }

        func end() { try? database.execute("ROLLBACK") }
    }

    private static func record(_ count: Int, in history: History) async {
        for _ in 0..<count { await history.record(order, SessionResult(.failure("x"))) }
    }

    /// Makes a history with a run.
    private static func sample() async throws -> HistorySample {
        let sample = try HistorySample()
        await record(1, in: sample.history)
        sample.history.finish()
        return sample
    }

    @Test func `runs wait for a program that writes, longer than it is waited for at once`() async throws {
        let sample = try await Self.sample()
        let other = try Other(sample.path)
        let history = History(path: sample.path, patience: .seconds(600), maximumWait: .milliseconds(1))
        let problems = Lock<[String]>([])
        history.onProblem { problem in
            problems.withLock { $0.append(problem) }
            other.end()
        }
        await Self.record(900, in: history)
        history.finish()
        #expect(problems.withLock { $0 } == ["waiting for another program that writes the history"])
        #expect(try await history.count() == 901)
    }

    @Test(arguments: [1, 2, 150, 2500])
    func `runs that a program keeps out for good are counted to the last one`(count: Int) async throws {
        let sample = try await Self.sample()
        let other = try Other(sample.path)
        let history = History(path: sample.path, patience: .milliseconds(5), maximumWait: .milliseconds(1))
        let problems = Lock<[String]>([])
        history.onProblem { problem in problems.withLock { $0.append(problem) } }
        await Self.record(count, in: history)
        history.finish()
        let told = problems.withLock { $0 }.filter { !$0.hasPrefix("waiting") }
        #expect(Self.lost(told) == count && (1...2).contains(told.count), "\(told)")
        #expect(told.allSatisfy { $0.hasSuffix(": another program is writing it and does not finish") })
        other.end()
        await Self.record(3, in: history)
        history.finish()
        #expect(try await history.count() == 4)
        #expect(problems.withLock { $0 }.count { !$0.hasPrefix("waiting") } == told.count, "nothing more is lost")
    }

    @Test func `runs that are lost at several times are summed up`() async throws {
        let sample = try await Self.sample()
        let history = History(path: sample.path, patience: .milliseconds(5), maximumWait: .milliseconds(1))
        let problems = Lock<[String]>([])
        history.onProblem { problem in problems.withLock { $0.append(problem) } }
        for count in [3, 20] {
            let other = try Other(sample.path)
            await Self.record(count, in: history)
            history.finish()
            other.end()
            await Self.record(1, in: history)
            history.finish()
        }
        let told = problems.withLock { $0 }
        #expect(Self.lost(told) == 23, "\(told)")
        #expect(told.last?.hasSuffix(": another program is writing it and does not finish") == true, "\(told)")
        #expect(try await history.count() == 3)
    }

    /// The number that the last message names.
    private static func lost(_ told: [String]) -> Int {
        guard let last = told.last(where: { $0.contains("not in the history") }) else { return 0 }
        return last.hasPrefix("the run is") ? 1 : Int(last.prefix { $0 != " " }) ?? 0
    }

    @Test func `eight programs that write at once lose nothing`() async throws {
        let sample = try await Self.sample()
        let histories = (0..<8).map { _ in sample.again() }
        let problems = Lock<[String]>([])
        for history in histories { history.onProblem { problem in problems.withLock { $0.append(problem) } } }
        await withTaskGroup(of: Void.self) { group in
            for history in histories { group.addTask { await Self.record(250, in: history) } }
        }
        for history in histories { history.finish() }
        #expect(try await sample.history.count() == 2001)
        #expect(!problems.withLock { $0 }.contains { $0.contains("not in the history") })
    }

    @Test func `a file that another program sets aside gets no more runs`() async throws {
        let sample = try await Self.sample()
        let other = sample.again()
        _ = try await other.count()
        // As a program does that finds damage.
        try FileManager.default.moveItem(atPath: sample.path, toPath: sample.path + ".damaged")
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: sample.path + suffix) }
        for history in [other, sample.history] {
            await Self.record(2, in: history)
            history.finish()
        }
        #expect(try await other.count() == 4)
    }

    @Test func `programs that find the same damage set the file aside once`() async throws {
        let sample = try HistorySample()
        try FileManager.default.createDirectory(atPath: sample.folder + "/state", withIntermediateDirectories: true)
        try Data("this was a database once, and is one no longer".utf8).write(to: URL(filePath: sample.path))
        let histories = (0..<6).map { _ in sample.again() }
        await withTaskGroup(of: Void.self) { group in
            for history in histories {
                group.addTask {
                    await Self.record(2, in: history)
                    history.finish()
                }
            }
        }
        #expect(try await sample.history.count() == 12)
        #expect(sample.files.filter { $0.path.contains(".damaged-") && !$0.path.hasSuffix(".lock") }.count == 1)
    }
}
