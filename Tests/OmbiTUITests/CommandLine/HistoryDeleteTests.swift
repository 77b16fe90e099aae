import ArgumentParser
import Foundation
import OmbiCore
import OmbiDocument
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// Which runs and loads `ombi history delete` removes.
@Suite struct HistoryDeleteTests {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)

    private static let cases:
        [(name: String, environment: String?, numbers: [RecordedNumber], runs: Int, loads: [Int])] = [
            ("all", nil, [], 2, []), ("an environment", "local", [], 2, [2]), ("another one", "staging", [], 0, [1]),
            ("a run", nil, [.run(1)], 1, [2, 1]), ("a load", nil, [.load(1)], 0, [2]),
            ("a run and a load", nil, [.run(2), .load(2)], 1, [1]),
            ("a load of another", "staging", [.load(1)], 0, [2, 1]),
            ("none", nil, [.run(7), .load(7)], 0, [2, 1]),
        ]

    @Test(arguments: cases.indices)
    func `numbers and a selection say which runs and loads go`(index: Int) async throws {
        let (name, environment, numbers, runs, loads) = Self.cases[index]
        let folder = FileManager.default.temporaryDirectory.appending(path: "ombi-\(UUID().uuidString)").path()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let history = History(path: folder + "/history.sqlite", now: { Self.start })
        let collection = Collection(name: "c", environments: [Environment(name: "local", host: "http://api.test")])
        let order = RunOrder(
            id: 1, request: SavedRequest(name: "r", path: "/"), collection: collection, environment: "local",
            file: folder + "/c.json", folders: nil)
        for _ in 0..<2 { await history.record(order, SessionResult(.failure("x"))) }
        history.finish()
        for place in ["local", "staging"] {
            _ = try await history.add(["engine": "k6", "environment": .string(place)], at: Self.start)
        }
        var filter = HistoryFilter()
        filter.environment = environment
        let gone = try await HistoryCommand.Delete.delete([filter, filter], numbers, in: history)
        #expect(gone.runs == runs && gone.loads == 2 - loads.count, "\(name)")
        #expect(try await history.count() == 2 - runs, "\(name)")
        #expect(try await history.loads().map(\.id) == loads, "\(name)")
    }

    @Test(arguments: [["--id", "L0"], ["--id", "0"], ["--id", "x"]])
    func `a number that no run and no load has is refused`(arguments: [String]) {
        #expect(throws: (any Error).self) { try HistoryCommand.Delete.parse(arguments) }
    }

    @Test func `numbers of runs and loads are taken`() throws {
        let command = try HistoryCommand.Delete.parse(["--id", "12", "--id", "L3"])
        #expect(command.numbers == [.run(12), .load(3)])
    }
}
