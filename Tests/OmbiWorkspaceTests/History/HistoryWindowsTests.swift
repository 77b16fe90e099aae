import Foundation
import OmbiCore
import TestSupport
import Testing

@testable import OmbiWorkspace

/// Runs that are counted in periods up to now.
@Suite struct HistoryWindowsTests {
    @Test func `runs count as met in the time of the objective, and otherwise in their SLA`() async throws {
        let sample = try HistorySample()
        await sample.send(sample.order(), StubTransport { _ in .response(statusCode: 200) })
        await sample.send(sample.order(), StubTransport { _ in .response(statusCode: 503) })
        sample.pass(2 * 3600)
        await sample.send(sample.order(), StubTransport { _ in .response(statusCode: 200) })
        let hours = [1, 6].map { Duration.seconds($0 * 3600) }
        let windows = try await sample.history.windows([HistoryWindows(HistoryFilter(), within: nil, hours)])[0]
        #expect(windows.map(\.runs) == [1, 3] && windows.map(\.met) == [1, 2] && windows.map(\.name) == ["1h", "6h"])
        let none = try await sample.history.windows([
            HistoryWindows(HistoryFilter(), within: .nanoseconds(-1_000_000), hours)
        ])[0]
        #expect(none.map(\.met) == [0, 0])
        let periods = try await sample.history.windows(HistoryFilter(), within: .seconds(3600))
        #expect(periods.map(\.name) == ["1 h", "24 h", "7 d"])
        #expect(periods.map(\.runs) == [1, 3, 3] && periods.map(\.met) == [1, 2, 2])
        #expect(windows[1].burnRate(objective: 0.5) == 0.666666667)
    }

    @Test func `a window ends now: runs of the future, from before a clock was set back, are in none`() async throws {
        let sample = try HistorySample()
        sample.pass(1800)
        await sample.send(sample.order(), StubTransport { _ in .response(statusCode: 503) })
        sample.pass(-1800)
        await sample.send(sample.order(), StubTransport { _ in .response(statusCode: 200) })
        let hours = [1, 6].map { Duration.seconds($0 * 3600) }
        let windows = try await sample.history.windows([HistoryWindows(HistoryFilter(), within: nil, hours)])[0]
        #expect(windows.map(\.runs) == [1, 1] && windows.map(\.met) == [1, 1])
        let statistics = try await sample.history.statistics(HistoryFilter())
        #expect(statistics.runs == 2 && statistics.windows.map(\.runs) == [1, 1, 1])
        let now = sample.time.withLock { $0 }
        var filter = HistoryFilter()
        for start in [-3600.0, 60] {
            filter.since = now.addingTimeInterval(start)
            let some = try await sample.history.statistics(filter.ending(at: now))
            #expect(some.runs == 1, "\(start)")
        }
    }

    @Test func `the runs of a request are counted in an index, and cancelled ones are none of them`() async throws {
        let sample = try HistorySample()
        await sample.send(sample.order(), StubTransport { _ in .response(statusCode: 200) })
        await sample.history.record(sample.order(), SessionResult(.cancelled))
        sample.history.finish()
        var filter = HistoryFilter(item: sample.order().itemPath)
        filter.environment = "local"
        let windows = try await sample.history.windows([HistoryWindows(filter, within: nil, [.seconds(3600)])])[0]
        #expect(windows.map(\.runs) == [1] && windows.map(\.met) == [1])
        let (condition, values) = filter.condition
        let database = try Database(path: sample.path)
        let plan = try database.rows(
            "EXPLAIN QUERY PLAN " + HistoryWindows.query(1, condition),
            [.null, .integer(0), .integer(0)] + values
        ) { $0.text(3) }
        #expect(plan.contains { $0.contains("SEARCH run USING COVERING INDEX run_in_time") }, "\(plan)")
    }

    @Test func `each selection has its own windows, in the order in which they were asked for`() async throws {
        let sample = try HistorySample()
        for (name, count) in [("a", 1), ("b", 3)] {
            let order = sample.order(SavedRequest(name: name, path: "/"))
            for _ in 0..<count { await sample.send(order, StubTransport { _ in .response(statusCode: 200) }) }
        }
        let selections = ["b", "none", "a"].map { name in
            let filter = HistoryFilter(item: ItemPath(file: sample.folder + "/c.json", path: [name]))
            return HistoryWindows(sample.history.resolved(filter), within: nil, [.seconds(60), .seconds(3600)])
        }
        let counted = try await sample.history.windows(selections)
        #expect(counted.map { $0.map(\.runs) } == [[3, 3], [0, 0], [1, 1]])
        #expect(try await sample.history.windows([]).isEmpty)
    }
}
