import Foundation
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// The time that Statistics is limited to.
@Suite struct HistoryRangeStories {
    @Test func `a slash in Statistics proposes the time that was slow or failed, and what comes is about it`() {
        var (story, path) = HistoryStories.story(rows: 60) { path in
            (1...30).reversed().map { HistoryStories.entry($0, path, status: (10...15).contains($0) ? 503 : 200) }
        }
        story.press("]")
        _ = story.takeEffects()
        story.press("/")
        story.press("Enter")
        guard case .history(.show(path, .between(let time), _, _))? = story.takeEffects().last else {
            Issue.record("\(story.screen)")
            return
        }
        let minute = String(HistoryTab.time(HistoryStories.start.addingTimeInterval(10)).prefix(16)).replacing(
            " ", with: "T")
        #expect(time.hasPrefix(minute + ".."), "\(time)")
        let entries = (1...30).reversed().map { HistoryStories.entry($0, path) }
        let bad = entries.filter { (10...15).contains($0.id) }
        let statistics = HistoryStatistics(
            runs: bad.map { .init(startedAt: $0.startedAt, duration: $0.duration, outcome: .failed, attempts: 1) },
            attempts: [], now: HistoryStories.start)
        let history = RequestHistory(
            request: path, entries: entries, count: 30, statistics: statistics, range: .between(time))
        #expect(history.counted.map(\.id) == bad.map(\.id))
        story.receive(.history(.shown(history)))
        story.command("Write the report of an incident")
        story.press("Enter")
        #expect(story.takeEffects().last == .writeIncident(time, of: ["demo.json"]))
    }
}
