import Foundation
import OmbiCore
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// The loads of engines among the runs.
@Suite struct HistoryLoadTests {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)

    private static func result(_ file: String = "/c.json", environment: JSONValue = "local") -> JSONValue {
        let total: JSONValue = ["count": 120, "failed": 3, "percentilesMs": ["95": 12.5]]
        return [
            "engine": "locust", "environment": environment, "users": 20, "durationMs": 60000, "rate": 2.5,
            "files": [.string(file)], "requests": [], "total": total, "thresholds": [],
        ]
    }

    @Test func `a load is one row, which comes back as it was`() async throws {
        let sample = try HistorySample()
        let load = try await sample.history.add(Self.result(), at: Self.start)
        #expect(load.id == 1 && load.name == "L1")
        let read = try #require(try await sample.history.load(1))
        #expect(read == load && read.json["id"] == .number(1))
        #expect(read.engine == "locust" && read.environment == "local" && read.files == ["/c.json"])
        #expect(read.users == 20 && read.duration == .seconds(60) && read.rate == 2.5)
        #expect(read.sent == 120 && read.failed == 3 && read.percentile("95") == .microseconds(12_500))
        #expect(read.percentile("99") == nil)
        #expect(try await sample.history.load(2) == nil)
    }

    @Test func `no statistics and no list of runs count a load`() async throws {
        let sample = try HistorySample()
        _ = try await sample.history.add(Self.result(), at: Self.start)
        #expect(try await sample.history.entries() == [])
        #expect(try await sample.history.count() == 0)
        #expect(try await sample.history.statistics(HistoryFilter()).runs == 0)
    }

    private static let filters: [(String, HistoryFilter, [Int])] = {
        func filter(_ change: (inout HistoryFilter) -> Void) -> HistoryFilter {
            var filter = HistoryFilter()
            change(&filter)
            return filter
        }
        return [
            ("all", HistoryFilter(), [3, 2, 1]),
            ("since", filter { $0.since = start.addingTimeInterval(100) }, [3, 2]),
            ("until", filter { $0.until = start.addingTimeInterval(100) }, [2, 1]),
            ("environment", filter { $0.environment = "staging" }, [3]),
            ("the start of an environment", filter { $0.environmentStart = "STAG" }, [3]),
            ("files", filter { $0.files = ["/d.json", "/e.json"] }, [2]),
            ("a file", filter { $0.item = ItemPath(file: "/d.json") }, [2]),
            ("a request", filter { $0.item = ItemPath(file: "/d.json", path: ["r"]) }, []),
            ("a status", filter { $0.status = StatusPattern("200") }, []), ("a text", filter { $0.text = "x" }, []),
            ("numbers", filter { $0.ids = [1] }, []),
        ]
    }()

    /// Loads at 0, 100 and 200 seconds.
    private static func sample() async throws -> HistorySample {
        let sample = try HistorySample()
        _ = try await sample.history.add(result(), at: start)
        _ = try await sample.history.add(result("/d.json"), at: start.addingTimeInterval(100))
        _ = try await sample.history.add(result(environment: "staging"), at: start.addingTimeInterval(200))
        return sample
    }

    @Test(arguments: filters)
    func `times, files and the environment select loads, and what only runs have selects none`(
        name: String, filter: HistoryFilter, ids: [Int]
    ) async throws {
        let sample = try await Self.sample()
        #expect(try await sample.history.loads(filter).map(\.id) == ids, "\(name)")
    }

    @Test(arguments: filters)
    func `what selects loads deletes them`(name: String, filter: HistoryFilter, ids: [Int]) async throws {
        let sample = try await Self.sample()
        #expect(try await sample.history.delete(filter) == ids.count, "\(name)")
        #expect(try await sample.history.loads().map(\.id) == [3, 2, 1].filter { !ids.contains($0) }, "\(name)")
    }

    @Test func `old loads go with old runs`() async throws {
        let sample = try await Self.sample()
        let database = try Database(path: sample.path)
        let contents = HistoryContents(database: database, folder: sample.path + ".bodies")
        try HistoryPruning(database: database, contents: contents).prune(
            HistoryLimits(maximumAge: .seconds(150)), now: Self.start.addingTimeInterval(300))
        #expect(try await sample.history.loads().map(\.id) == [3])
    }

    @Test func `a load removes the loads beyond the limits, without any run`() async throws {
        let sample = try HistorySample(limits: HistoryLimits(maximumAge: .seconds(150)))
        _ = try await sample.history.add(Self.result(), at: Self.start)
        sample.pass(300)
        _ = try await sample.history.add(Self.result(), at: Self.start.addingTimeInterval(300))
        #expect(try await sample.history.loads().map(\.id) == [2])
        let database = try Database(path: sample.path)
        for _ in 0..<10 { try database.execute("INSERT INTO load (started, result) SELECT started, result FROM load") }
        let last = try await sample.history.add(Self.result(), at: Self.start.addingTimeInterval(300))
        let count = try database.first("SELECT count(*) FROM load") { $0.integer(0) }
        #expect(count == HistoryLoads.maximum)
        #expect(try await sample.history.load(last.id) == last)
        #expect(try await sample.history.load(2) == nil)
    }

    @Test func `where the file is too large, loads go with the runs of their time`() async throws {
        let sample = try HistorySample()
        _ = try await sample.history.add(Self.result(), at: Self.start.addingTimeInterval(-100))
        await sample.history.record(sample.order(), SessionResult(.failure("x")))
        sample.history.finish()
        _ = try await sample.history.add(Self.result(), at: Self.start.addingTimeInterval(100))
        let database = try await sample.database()
        let contents = HistoryContents(database: database, folder: sample.path + ".bodies")
        try HistoryPruning(database: database, contents: contents).prune(
            HistoryLimits(maximumSize: 1), now: Self.start.addingTimeInterval(200))
        #expect(try await sample.history.count() == 0)
        #expect(try await sample.history.loads().map(\.id) == [2])
    }

    @Test func `loads are deleted by their numbers`() async throws {
        let sample = try await Self.sample()
        #expect(try await sample.history.delete(loads: [2, 9]) == 1)
        #expect(try await sample.history.loads().map(\.id) == [3, 1])
        #expect(try await sample.history.delete(loads: []) == 0)
    }

    @Test func `a file of before has none, where it cannot be changed`() async throws {
        let sample = try await Self.sample()
        let database = try Database(path: sample.path)
        try database.execute("DROP TABLE load; PRAGMA user_version = 6")
        let reading = try Database(path: sample.path, .read)
        try HistorySchema.check(reading)
        #expect(try HistoryLoads(database: reading).select(HistoryFilter()) == [])
        #expect(try HistoryLoads(database: reading).find(1) == nil)
    }
}
