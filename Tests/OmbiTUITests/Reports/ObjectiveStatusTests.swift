import Foundation
import OmbiCore
import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// What is left of error budgets.
@Suite struct ObjectiveStatusTests {
    private static let now = Calendar.current.startOfDay(for: Date(timeIntervalSince1970: 1_800_000_000))
        .addingTimeInterval(12 * 3600)
    private static let collection = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "collections/demo.json").path()

    private static func statuses(
        _ objectives: [Objective], _ name: String = "order by id"
    ) async throws -> [ObjectiveStatus] {
        var statuses: [ObjectiveStatus] = []
        try await withHistory { history in
            for objective in objectives {
                statuses += try await ObjectiveStatus.all([endpoint(name, objective)], in: history)
            }
        }
        return statuses
    }

    private static func endpoint(_ name: String, _ objective: Objective) -> ObjectiveEndpoint {
        let request = ItemPath(file: collection, path: ["orders", name])
        return ObjectiveEndpoint(request: request, environment: "local", objective: objective)
    }

    private static func withHistory(_ body: (History) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ombi-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/history.sqlite"
        _ = await DemoHistory.prepare(path, collection: collection, port: 8080, now: now)
        try await body(History(path: path, now: { now }))
    }

    @Test func `a spent budget comes first, and then what burns most`() async throws {
        // Slower than a good run, quicker than one of the bad time.
        let limit = Duration.milliseconds(40)
        let statuses = try await Self.statuses([1, 99.99, 50].map { Objective(success: $0, within: limit) })
        #expect(statuses.map(\.isSpent) == [false, true, false])
        #expect(statuses.sorted(by: ObjectiveStatus.isBefore).map(\.objective.success) == [99.99, 50, 1])
        let line = statuses[1].line
        #expect(line.hasPrefix("spent") && line.contains("demo.json: orders/order by id  local"), "\(line)")
    }

    @Test func `each request has the figures of its own runs, the one that burns most first`() async throws {
        let limit = Duration.milliseconds(40)
        let idle = Self.endpoint("order by id", Objective(success: 1, within: limit))
        let gone = Self.endpoint("no such request", Objective(success: 99, within: limit))
        let spent = Self.endpoint("order by id", Objective(success: 99.99, within: limit))
        try await Self.withHistory { history in
            let statuses = try await ObjectiveStatus.all([idle, gone, spent], in: history)
            #expect(statuses.map(\.objective.success) == [99.99, 1] && statuses.map(\.isSpent) == [true, false])
            #expect(statuses.map(\.request.path) == [spent.request.path, idle.request.path])
        }
    }

    @Test func `the table of the screen has what burns first, and fits into 80 columns`() async throws {
        let statuses = try await Self.statuses([1, 99.99].map { Objective(success: $0, within: .milliseconds(40)) })
        let table = ObjectiveStatus.table(statuses.sorted(by: ObjectiveStatus.isBefore))
        let rows = table.rows.map(\.text)
        #expect(table.heading.contains("  good runs  ") && table.heading.hasSuffix("  objective"), "\(table)")
        #expect(rows[0].hasPrefix("spent ") && rows[0].contains("orders/order by id · local"), "\(table)")
        #expect(rows[0].hasSuffix("  99.99%") && rows[1].contains(" left"), "\(table)")
        #expect((rows + [table.heading]).allSatisfy { $0.count <= 80 }, "\(table)")
        #expect(table.rows[0].request.path == ["orders", "order by id"])
    }

    @Test func `nothing is said without an objective, and without runs`() async throws {
        #expect(try await Self.statuses([Objective(within: .seconds(1))]).isEmpty)
        #expect(try await Self.statuses([Objective(success: 99)], "no such request").isEmpty)
    }

    @Test(
        arguments: [
            ([], nil, nil), (["users"], nil, "99%"), (["users", "list"], "live", "99%"), (["orders"], nil, nil),
            (["orders", "list"], nil, "95% within 500ms"), (["plain"], "live", "90%"), (["plain"], "local", nil),
            (["plain"], nil, nil), (["gone"], nil, nil),
        ] as [([String], String?, String?)])
    func `requests of the same objective share it`(path: [String], environment: String?, text: String?) throws {
        let file = """
            { "version": 1, "name": "shop",
              "environments": [
                { "name": "local", "host": "http://a.test" },
                { "name": "live", "host": "http://b.test", "objective": { "success": "90%" } }],
              "items": [
                { "folder": "users", "objective": { "success": "99%" }, "items": [
                    { "request": "list", "path": "/" }, { "request": "one", "path": "/1" }] },
                { "folder": "orders", "items": [
                    { "request": "list", "path": "/", "objective": { "success": "95%", "within": "500ms" } },
                    { "request": "one", "path": "/1", "objective": { "success": "97%" } }] },
                { "request": "plain", "path": "/" }] }
            """
        let collection = try #require(CollectionFile.read(Array(file.utf8), file: "shop.json").collection)
        let shared = ObjectiveEndpoint.shared(
            at: path, of: collection, file: "shop.json", environment: environment)
        #expect(shared?.objective.text == text)
        #expect(shared?.environment == (text == nil ? nil : environment))
    }

    @Test func `the error budget of Statistics is that of the objective`() {
        let runs = (0..<100).map {
            HistoryStatistics.Run(
                startedAt: Self.now, duration: .seconds(1), outcome: $0 < 2 ? .failed : .passed, attempts: 1)
        }
        let window = HistoryStatistics(runs: runs, attempts: [], now: Self.now).windows[0]
        #expect(StatisticsTab.words(of: window).hasSuffix("error budget exhausted (objective 99 %)"))
        #expect(StatisticsTab.words(of: window, objective: 0.95).hasSuffix("60 % of the error budget of 95 % left"))
        #expect(StatisticsTab.words(of: window, in: "live").hasPrefix("98 %, 98 of 100 runs in live; "))
    }

    @Test func `Statistics names the time of an objective in place of the SLA`() {
        let run = HistoryStatistics.Run(startedAt: Self.now, duration: .seconds(1), outcome: .passed, attempts: 1)
        let history = RequestHistory(
            request: ItemPath(file: "shop.json", path: ["list"]), entries: [], count: 1,
            statistics: HistoryStatistics(runs: [run], attempts: [], now: Self.now), within: .milliseconds(500))
        let rows = StatisticsTab.rows(history, columns: 100).map { $0.spans.map(\.text).joined() }
        #expect(rows.contains { $0.hasPrefix("in 500ms, 1 h ") }, "\(rows)")
        #expect(!rows.contains { $0.hasPrefix("SLA") })
    }
}
