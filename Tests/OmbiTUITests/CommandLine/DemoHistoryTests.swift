import Foundation
import OmbiCore
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// The past of the demo.
@Suite struct DemoHistoryTests {
    @Test func `the files of the demo are named without a way back`() throws {
        for path in try [Installation.demoCollection()] + Installation.manual() where path.hasPrefix("/") {
            #expect(!path.contains("/../"), "\(path)")
        }
    }

    private static let collection = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "collections/demo.json").path()

    private static func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ombi-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    /// Noon in this place.
    private static let now = Calendar.current.startOfDay(for: Date(timeIntervalSince1970: 1_800_000_000))
        .addingTimeInterval(12 * 3600)

    private static func open(_ folder: String) async -> History {
        await DemoHistory.prepare(folder + "/history.sqlite", collection: collection, port: 8080, now: now)
    }

    @Test func `it has a bad quarter of an hour on the afternoon before, and little else`() async throws {
        try await Self.withFolder { folder in
            let history = await Self.open(folder)
            let range = try IncidentRange("14:05..14:20", now: Self.now)
            let incident = try await Incident.find(range, HistoryFilter(), selection: nil, in: history)
            #expect(incident.count > 40)
            #expect((incident.during.firstTry ?? 1) < 0.6 && (incident.before.firstTry ?? 0) > 0.9)
            #expect((incident.during.eventual ?? 0) < 0.97 && (incident.during.eventual ?? 0) > 0.5)
            #expect(incident.during.failures.map(\.name) == ["status 503"])
            let worst = try #require(incident.during.addresses.first)
            #expect(worst.address == "10.0.3.7:80" && worst.failedShare > 0.9 && incident.during.addresses.count == 3)
            #expect(incident.marks.map(\.name) == ["deploy 1.4.2"])
            let text = IncidentFormat.markdown.text(incident)
            #expect(
                text.contains("## By address") && text.contains("demo.json: orders/order by id")
                    && text.contains("(backoff)"))
            // Nothing is of the future.
            let newest = try await history.entries(limit: 1).first
            #expect((newest?.startedAt ?? .distantFuture) < Self.now)
        }
    }

    @Test func `Statistics say which deploy came before the bad time, and which address was bad in it`() async throws {
        try await Self.withFolder { folder in
            _ = await Self.open(folder)
            let history = History(path: folder + "/history.sqlite", now: { Self.now })
            let path = ItemPath(file: Self.collection, path: ["orders", "order by id"])
            guard case .shown(let all)? = await history.answer(.show(path)) else {
                Issue.record("nothing is shown")
                return
            }
            let texts = StatisticsTab.rows(all, columns: 120).map { $0.spans.map(\.text).joined() }
            let trouble = texts.first { $0.hasPrefix("slow or failed") } ?? ""
            #expect(trouble.hasSuffix(" min after deploy 1.4.2"), "\(texts)")
            let day = HistoryTab.time(Self.now.addingTimeInterval(-86_400)).prefix(10)
            let range = StatisticsRange.between("\(day)T14:05..\(day)T14:20")
            guard case .shown(let bad)? = await history.answer(.show(path, range)) else {
                Issue.record("nothing is shown")
                return
            }
            #expect(bad.statistics.addresses.first?.address == "10.0.3.7:80")
            #expect((bad.statistics.addresses.first?.failedShare ?? 0) > 0.9)
            #expect(bad.statistics.runs > 0 && bad.counted.count == bad.statistics.runs)
            #expect(bad.count == all.count && bad.statistics.runs < all.statistics.runs)
        }
    }

    @Test func `values change over the day, and the paths that do so each time are found`() async throws {
        try await Self.withFolder { folder in
            let history = await Self.open(folder)
            let order = history.resolved(ItemPath(file: Self.collection, path: ["orders", "order by id"]))
            let values = try await history.values(at: "$.price", HistoryFilter(item: order))
            #expect(values.periods.count > 5)
            let list = history.resolved(ItemPath(file: Self.collection, path: ["orders", "list orders"]))
            let volatile = try await history.volatilePaths(of: list, environment: "local", status: 200)
            #expect(volatile.map(\.path) == ["$.items[*]", "$.total"])
        }
    }

    @Test func `it is made once, the same each time`() async throws {
        var counts: [Int] = []
        for _ in 0..<2 {
            try await Self.withFolder { folder in
                let first = try await Self.open(folder).entries(limit: 5000)
                let again = try await Self.open(folder).entries(limit: 5000)
                #expect(first == again)
                counts.append(first.count)
            }
        }
        #expect(counts[0] == counts[1] && counts[0] > 150 && counts[0] < 2000)
    }
}
