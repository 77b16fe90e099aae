import Foundation
import OmbiCore
import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// The last recorded run of a request that was not sent in this session.
@Suite struct LastRunStories {
    private static let path = ItemPath(file: "demo.json", path: ["users", "list users"])

    /// A story in which the last run of the selected request was asked for.
    private static func story(columns: Int = 120, rows: Int = 34) throws -> (Story, ItemID) {
        let story = Story(columns: columns, rows: rows)
        let item = try #require(story.state.workbench.selected)
        #expect(story.lookups == [.last(Self.path, for: item)])
        return (story, item)
    }

    private static func answer(_ item: ItemID) -> Event {
        let run = HistoryStories.recorded(1, path, body: "{}")
        return .history(.last(run, HistoryPlace(number: 1, count: 4), age: .seconds(3 * 3600), for: item))
    }

    @Test(arguments: [Size(columns: 120, rows: 34), Size(columns: 80, rows: 24)])
    func `it shows with its age, in the response and in the list`(size: Size) throws {
        var (story, item) = try Self.story(columns: size.columns, rows: size.rows)
        story.receive(Self.answer(item))
        #expect(story.takeEffects().contains { if case .view(_, .read) = $0 { true } else { false } })
        let line = try #require(story.lines.first { $0.contains("GET") && $0.contains("list users") })
        let row = line.prefix(36)
        #expect(row.contains("200   10 ms") || size.columns == 80, "\(story.screen)")
        #expect(!row.contains("✓"), "\(row)")
        story.press("3")
        #expect(story.screen.contains("Response ─ recorded 3 h ago ─ 200"), "\(story.screen)")
        story.time = .seconds(3600)
        story.press("]")
        #expect(story.screen.contains("recorded 4 h ago") && story.screen.contains("X-Old"))
    }

    @Test func `a request without a run is asked about once`() throws {
        var (story, item) = try Self.story()
        story.receive(.history(.last(nil, HistoryPlace(number: 1, count: 0), age: .zero, for: item)))
        story.press("3")
        #expect(story.screen.contains("Not sent yet. s sends it."))
        #expect(story.lookups.count == 1 && story.state.notice == nil)
    }

    @Test func `one request is asked about at a time, and the last one of a list is the next`() throws {
        var (story, item) = try Self.story()
        story.press("Down", "Down")
        #expect(story.lookups.count == 1)
        story.receive(Self.answer(item))
        #expect(story.state.runs[item] == nil, "it is no longer selected")
        let last = try #require(story.state.workbench.selected)
        #expect(story.lookups.last == .last(ItemPath(file: "demo.json", path: ["users", "create user"]), for: last))
    }

    @Test func `it is let go when another request is selected, and comes back`() throws {
        var (story, item) = try Self.story()
        story.receive(Self.answer(item))
        _ = story.takeEffects()
        story.press("Down")
        #expect(story.state.runs[item] == nil)
        #expect(story.takeEffects().contains { if case .view(_, .forget) = $0 { true } else { false } })
        let other = try #require(story.state.workbench.selected)
        story.receive(.history(.last(nil, HistoryPlace(number: 1, count: 0), age: .zero, for: other)))
        story.press("Up")
        #expect(story.lookups.count == 3 && story.lookups.last == .last(Self.path, for: item))
    }

    @Test func `one that comes while an example is open shows once that is closed`() throws {
        var (story, item) = try Self.story()
        let file = ExampleFile(
            example: SavedExample("gone", status: 410), item: item, name: "list users", collection: "demo.json")
        story.receive(.exampleRead(file, Data("{}".utf8)))
        story.receive(Self.answer(item))
        #expect(story.state.run?.isExampleOnly == true && story.lookups.count == 1)
        story.press("Esc")
        #expect(story.lookups.count == 2 && story.lookups.last == .last(Self.path, for: item))
        story.receive(Self.answer(item))
        #expect(story.state.run?.recorded != nil)
    }

    @Test func `a run of this session is not replaced`() throws {
        var (story, item) = try Self.story()
        let id = story.send()
        story.receive(Self.answer(item))
        #expect(story.state.run?.id == id)
        story.finish(id)
        story.press("Down", "Up")
        #expect(story.state.run?.id == id && story.state.run?.recorded == nil)
    }

    @Test func `the page of its folder does not count it as a run of this session`() throws {
        var (story, item) = try Self.story()
        story.receive(Self.answer(item))
        story.choose("users")
        #expect(!story.screen.contains("1 passed"), "\(story.screen)")
    }

    @Test func `a step back goes on from it`() throws {
        var (story, item) = try Self.story()
        story.receive(Self.answer(item))
        _ = story.takeEffects()
        story.press("3", ",")
        #expect(
            story.takeEffects() == [.history(.step(from: 1, isOlder: true, skipping: 0, of: Self.path, for: item))])
    }
}
