import Foundation
import OmbiCore
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// Marks between runs.
@Suite struct HistoryMarkWordsTests {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)

    private static func entry(_ id: Int) -> HistoryEntry {
        HistoryEntry(
            id: id, request: ItemPath(file: "/c.json", path: ["r"]), environment: nil,
            startedAt: start.addingTimeInterval(Double(id) * 60), duration: .milliseconds(5), method: "GET", url: "",
            outcome: .passed, status: 200, failure: nil, attempts: 1, size: 0)
    }

    /// The newest first.
    private static let entries = [3, 2, 1].map(entry)

    private static func mark(_ seconds: Double, _ name: String = "deploy") -> HistoryMark {
        HistoryMark(id: 1, date: start.addingTimeInterval(seconds), name: name)
    }

    @Test func `a mark is a line between the runs around it`() {
        let lines = HistoryText.lines(Self.entries, [Self.mark(130), Self.mark(400, "later")])
        #expect(lines.count == 5 && lines[0].hasPrefix("── later, ") && lines[2].hasPrefix("── deploy, "), "\(lines)")
    }

    @Test func `a mark shows in the row of the first run after it`() {
        let rows = HistoryTab.rows(Self.entries, shown: nil, moments: [Self.mark(130)])
        let texts = rows.map { $0.spans.map(\.text).joined() }
        #expect(texts.count == 3 && texts.map { $0.contains("── deploy, ") } == [true, false, false], "\(texts)")
    }

    @Test func `Statistics has a line for each mark in its timeline`() {
        let runs = Self.entries.map {
            HistoryStatistics.Run(startedAt: $0.startedAt, duration: $0.duration, outcome: .passed, attempts: 1)
        }
        let statistics = HistoryStatistics(runs: runs, attempts: [], now: Self.start)
        let history = RequestHistory(
            request: ItemPath(file: "/c.json", path: ["r"]), entries: Self.entries, count: 3, statistics: statistics,
            marks: [Self.mark(130), Self.mark(9000, "later")])
        let texts = StatisticsTab.rows(history, columns: 120).map { $0.spans.map(\.text).joined() }
        #expect(texts.contains { $0.hasPrefix("marks") && $0.contains("│") }, "\(texts)")
        #expect(texts.contains { $0.contains("── deploy, ") } && !texts.contains { $0.contains("later") })
    }

    @Test(
        arguments: [
            (-100, "2 min after deploy"), (60, "0 s after deploy"), (-90_000, nil), (130, nil),
        ] as [(Double, String?)])
    func `Statistics names the mark before the time that was slow or failed`(seconds: Double, words: String?) {
        var entries = Self.entries
        for index in entries.indices { entries[index].outcome = .failed }
        let runs = entries.map {
            HistoryStatistics.Run(startedAt: $0.startedAt, duration: $0.duration, outcome: $0.outcome, attempts: 1)
        }
        let history = RequestHistory(
            request: ItemPath(file: "/c.json", path: ["r"]), entries: entries, count: 3,
            statistics: HistoryStatistics(runs: runs, attempts: [], now: Self.start), marks: [Self.mark(seconds)])
        let text = StatisticsTab.rows(history, columns: 120).map { $0.spans.map(\.text).joined() }
            .first { $0.hasPrefix("slow or failed") }
        #expect(text?.contains("3 of 3 runs") == true, "\(text ?? "")")
        #expect(words.map { text?.hasSuffix($0) ?? false } ?? !(text?.contains("deploy") ?? true), "\(text ?? "")")
    }

    @Test func `a name is text that reaches no terminal as it is`() {
        let lines = HistoryText.lines(Self.entries, [Self.mark(130, "\u{1B}]52;c;aGk=\u{07}\nx")])
        #expect(lines.count == 4 && lines.allSatisfy { !$0.unicodeScalars.contains { $0.value < 0x20 } })
    }

    @Test func `the palette asks for the name of this moment, and marks it`() {
        var story = Story()
        story.press(":")
        story.type("mark this moment")
        story.press("Enter")
        #expect(story.screen.contains("Its name, such as deploy 1.4.2"))
        story.type("deploy 1.4.2")
        story.press("Enter")
        #expect(story.takeEffects().last == .history(.markMoment("deploy 1.4.2")))
        story.receive(.history(.markedMoment(Self.mark(0, "deploy 1.4.2"))))
        #expect(story.screen.contains("Marked: deploy 1.4.2"))
    }
}
