import Foundation
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// The runs around a mark.
@Suite struct MarkComparisonTests {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)

    private static func statistics(_ outcomes: [RecordedOutcome], failures: [HistoryStatistics.Count] = [])
        -> HistoryStatistics
    {
        let runs = outcomes.map {
            HistoryStatistics.Run(startedAt: start, duration: .milliseconds(20), outcome: $0, attempts: 1)
        }
        return HistoryStatistics(runs: runs, attempts: runs.map(\.duration), failures: failures, now: start)
    }

    private static func comparison(_ name: String = "deploy 1.4.2") -> MarkComparison {
        var comparison = MarkComparison(
            mark: HistoryMark(id: 1, date: start, name: name),
            before: statistics([.passed, .passed], failures: [.init("timeout", 1)]),
            after: statistics([.passed, .failed], failures: [.init("status 503", 3)]))
        comparison.after.addresses = [
            HistoryAddress("10.0.3.7:443", attempts: 3, failures: [.init("status 503", 3)])
        ]
        return comparison
    }

    @Test func `figures, reasons and addresses are next to each other`() {
        let lines = Self.comparison().lines.map { $0.split(separator: " ").joined(separator: " ") }
        #expect(lines.first?.hasPrefix("── deploy 1.4.2, ") == true)
        for line in ["runs 2 2", "passed eventually 100 % 50 %", "status 503 0 3", "timeout 1 0"] {
            #expect(lines.contains(line), "\(line): \(lines)")
        }
        #expect(lines.suffix(4) == ["by address", "10.0.3.7:443", "before –", "after 100 % status 503"], "\(lines)")
    }

    @Test func `the figures of both times fit into a window of 40 columns`() {
        let figures = Self.comparison().lines.dropFirst(2).prefix { $0 != "by address" }
        #expect(figures.count > 9 && figures.allSatisfy { $0.count <= 34 }, "\(figures)")
    }

    @Test func `the name of the mark reaches no terminal as it is`() {
        let lines = Self.comparison("\u{1B}]52;c;aGk=\u{07}").lines
        #expect(lines.allSatisfy { !$0.unicodeScalars.contains { $0.value < 0x20 } })
    }

    @Test func `the bad time of the demo comes after its deploy`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ombi-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "collections/demo.json").path()
        let now = Calendar.current.startOfDay(for: Self.start).addingTimeInterval(12 * 3600)
        let history = await DemoHistory.prepare(folder + "/history.sqlite", collection: file, port: 8080, now: now)
        let found = try await MarkComparison.find(
            "deploy 1.4.2", span: 1200, HistoryFilter(), now: now, in: history)
        let comparison = try #require(found)
        #expect((comparison.before.firstTry ?? 0) > 0.9 && (comparison.after.firstTry ?? 1) < 0.6)
        #expect(comparison.after.addresses.first?.address == "10.0.3.7:80")
        let none = try await MarkComparison.find("deploy 9", span: 1200, HistoryFilter(), now: now, in: history)
        #expect(none == nil)
    }
}
