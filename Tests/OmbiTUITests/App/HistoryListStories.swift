import Foundation
import OmbiCore
import OmbiDocument
import OmbiTerminal
import OmbiViewer
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// The list of runs: narrowed down, compared, copied.
@Suite struct HistoryListStories {
    private static func story() -> (Story, ItemPath) {
        HistoryStories.story {
            [HistoryStories.entry(3, $0), HistoryStories.entry(2, $0, status: 503), HistoryStories.entry(1, $0)]
        }
    }

    private static func body(_ text: String, of entry: HistoryEntry) -> RecordedBody {
        let document = BodyDocument(Bytes(Array(text.utf8)), contentType: "application/json")
        return RecordedBody(entry: entry, body: NamedBody(name: entry.url, document: document))
    }

    /// The order to compare that a story has given to a viewer, as the names of both sides.
    private static func compared(_ effects: [Effect]) -> [String]? {
        effects.lazy.compactMap { effect in
            if case .view(_, .compare(let old, let new, _)) = effect { [old.name, new.name] } else { nil }
        }.first
    }

    /// Lets the body of a run that was opened arrive.
    private static func arrive(_ text: String, _ story: inout Story) {
        guard let viewer = story.state.run?.viewer else { return }
        let document = BodyDocument(Bytes(Array(text.utf8)), contentType: "application/json")
        story.receive(.viewer(viewer.id, .read(document)))
    }

    @Test func `a filter narrows the runs down while it is typed`() {
        var (story, _) = Self.story()
        story.press("/")
        #expect(story.state.scopes == [.filtering])
        #expect(story.screen.contains("3 of 3") && story.screen.contains("words, status:5xx"), "\(story.screen)")
        story.type("503")
        #expect(story.screen.contains("1 of 3"))
        #expect(story.lines.count { $0.contains("87 B") } == 1)
        story.press("Enter")
        #expect(story.state.responsePane.entry?.id == 2)
        // The keys of the list are back, and act on what is left.
        story.press("d")
        #expect(story.screen.contains("from the history?"))
        story.press("n", "Esc")
        #expect(story.lines.count { $0.contains("87 B") } == 3)
        // The cursor stays on its run.
        #expect(story.state.responsePane.entry?.id == 2)
    }

    @Test func `the kind of a failure is searched, whatever its sentence says`() {
        var (story, _) = HistoryStories.story { path in
            var late = HistoryEntry(
                id: 2, request: path, environment: "local", startedAt: HistoryStories.start, duration: .seconds(30),
                method: "GET", url: "http://127.0.0.1:8080/users", outcome: .error, status: nil,
                failure: "the response was not complete within 30s", attempts: 1, size: nil)
            late.failureKind = .timeout
            return [late, HistoryStories.entry(1, path)]
        }
        story.press("/")
        story.type("timeout")
        #expect(story.screen.contains("1 of 2") && story.state.responsePane.entry?.id == 2, "\(story.screen)")
    }

    @Test func `rows name what differs of the URLs where the runs went to several`() {
        for (url, name) in [
            ("http://127.0.0.1:8080/users", nil), ("http://127.0.0.1:8080/users?page=2", "GET /users"),
            ("http://127.0.0.1:9090/users", "GET 127.0.0.1"),
        ] as [(String, String?)] {
            let (story, _) = HistoryStories.story { path in
                var first = HistoryStories.entry(1, path)
                first.url = url
                return [HistoryStories.entry(2, path), first]
            }
            let rows = story.lines.filter { $0.contains("87 B") }
            #expect(rows.count == 2 && rows.allSatisfy { $0.contains(name ?? "87 B") }, "\(story.screen)")
            let isNamed = rows.contains { $0.contains("GET /") || $0.contains("GET 127") }
            #expect(isNamed == (name != nil), "\(story.screen)")
        }
    }

    @Test(arguments: [
        ("status:5xx", 1), ("status:503 env:loc method:g", 1), ("env:stag", 0), ("is:failed", 1), ("is:passed", 2),
        ("since:1h", 3), ("until:1h", 0), ("attempts>1", 0), ("time<1s is:passed", 2), ("status:5xx unav", 1),
    ])
    func `a filter has the terms of the history of all requests`(text: String, count: Int) {
        var (story, path) = Self.story()
        var history = RequestHistory(
            request: path, entries: story.state.responsePane.list.entries, count: 3,
            statistics: HistoryStatistics(runs: [], attempts: [], now: HistoryStories.start))
        history.readAt = HistoryStories.start.addingTimeInterval(600)
        story.receive(.history(.shown(history)))
        story.press("/")
        story.type(text)
        #expect(story.screen.contains("\(count) of 3"), "\(story.screen)")
    }

    @Test func `a term that is not understood says why, and the runs before stay`() {
        var (story, _) = Self.story()
        story.press("/")
        for text in ["is:failed", " status:6"] { story.perform(.text(.insert(text))) }
        #expect(story.screen.contains("status:6: write a status such as 503, or 5xx"), "\(story.screen)")
        #expect(story.state.responsePane.list.entries.map(\.id) == [2])
    }

    @Test func `while a term is not understood, the filter before it holds for runs that are read`() {
        let (_, path) = Self.story()
        var history = RequestHistory(
            request: path, entries: [HistoryStories.entry(2, path, status: 503)], count: 1,
            statistics: HistoryStatistics(runs: [], attempts: [], now: HistoryStories.start))
        var list = HistoryList()
        list.follow(history, shown: nil, marked: nil, columns: 80)
        list.openFilter()
        for text in ["is:failed", " status:6"] { list.perform(.insert(text)) }
        history.entries = [HistoryStories.entry(4, path), HistoryStories.entry(3, path, status: 503)]
        list.follow(history, shown: nil, marked: nil, columns: 80)
        #expect(list.entries.map(\.id) == [3])
        list.follow(nil, shown: nil, marked: nil, columns: 80)
        #expect(list.entries.isEmpty, "the runs of another request are read")
    }

    @Test func `a filter shows next to the reason why it is not understood`() {
        let (_, path) = Self.story()
        var list = HistoryList()
        list.follow(
            RequestHistory(
                request: path, entries: [HistoryStories.entry(1, path)], count: 1,
                statistics: HistoryStatistics(runs: [], attempts: [], now: HistoryStories.start)),
            shown: nil, marked: nil, columns: 40)
        list.openFilter()
        list.perform(.insert("status:6"))
        var surface = Surface(size: Size(columns: 40, rows: 1))
        _ = list.drawFilter(on: &surface, in: Rect(surface.size))
        #expect(surface.text(row: 0).hasPrefix("/ status:6 "), "\(surface.text(row: 0))")
    }

    @Test func `every column and the reason of a failure are searched`() {
        let day = String(HistoryTab.time(HistoryStories.start).prefix(10))
        for text in ["local", "service unav", "failed", "30 ms", day] {
            var (story, _) = Self.story()
            story.press("/")
            story.type(text)
            #expect(story.state.responsePane.entry != nil, "\(text)")
        }
        var (story, _) = Self.story()
        story.press("/")
        story.type("elsewhere")
        #expect(story.screen.contains("No run matches; Esc shows all."))
        story.press("Enter")
        #expect(!story.screen.contains("M mark") && !story.screen.contains("d delete"), "\(story.screen)")
        story.press("Enter", "D", "d")
        #expect(!story.screen.contains("from the history?"))
        story.press("Esc")
        #expect(story.screen.contains("87 B"))
    }

    @Test func `a filter without a text is none, and another request has its own`() {
        var (story, _) = Self.story()
        story.press("/", "Enter")
        #expect(story.state.scopes.first == .history)
        #expect(!story.screen.contains("3 of 3"))
        story.press("/")
        story.type("503")
        story.press("Enter")
        story.choose("user by id")
        let path = ItemPath(file: "demo.json", path: ["users", "user by id"])
        let entries = [HistoryStories.entry(9, path)]
        story.receive(
            .history(
                .shown(
                    RequestHistory(
                        request: path, entries: entries, count: 1,
                        statistics: HistoryStatistics(runs: [], attempts: [], now: HistoryStories.start)))))
        #expect(story.state.responsePane.list.filter == nil)
        #expect(story.state.responsePane.list.entries.map(\.id) == [9])
    }

    @Test func `D compares a run with the response on the screen, the older one at the left`() throws {
        var (story, path) = Self.story()
        let item = try #require(story.state.workbench.selected)
        story.receive(
            .history(
                .opened(
                    HistoryStories.recorded(3, path, body: "{\"a\": 1}"), HistoryPlace(number: 1, count: 3), for: item))
        )
        Self.arrive("{\"a\": 1}", &story)
        story.press("H", "G")
        _ = story.takeEffects()
        story.press("D")
        #expect(story.takeEffects() == [.history(.compare(1, with: nil, of: path, for: item))])
        story.receive(
            .history(
                .compared(
                    HistoryStories.recorded(1, path, body: "{\"a\": 2}"), HistoryPlace(number: 3, count: 3), with: nil,
                    for: item)))
        #expect(Self.compared(story.takeEffects()) == nil)
        Self.arrive("{\"a\": 2}", &story)
        let names = try #require(Self.compared(story.takeEffects()))
        #expect(names[0].hasSuffix(HistoryTab.time(HistoryStories.start.addingTimeInterval(1))))
        #expect(names[1].hasSuffix(HistoryTab.time(HistoryStories.start.addingTimeInterval(3))))
        #expect(story.state.responsePane.tab == .body)
        #expect(story.state.run?.recorded?.entry.id == 1)
    }

    @Test func `M marks a run, and D compares others with it`() throws {
        var (story, path) = Self.story()
        let item = try #require(story.state.workbench.selected)
        story.press("Down", "M")
        #expect(story.takeEffects().last == .history(.mark(2)))
        story.receive(.history(.marked(Self.body("{\"a\": 1}", of: HistoryStories.entry(2, path)))))
        #expect(story.lines.contains { $0.contains("◆") && $0.contains("503") })
        story.press("D")
        #expect(story.screen.contains("This is the marked response"))
        story.press("g", "D")
        #expect(story.takeEffects().last == .history(.compare(3, with: nil, of: path, for: item)))
        story.receive(
            .history(
                .compared(
                    HistoryStories.recorded(3, path, body: "{\"a\": 2}"), HistoryPlace(number: 1, count: 3), with: nil,
                    for: item)))
        Self.arrive("{\"a\": 2}", &story)
        let names = try #require(Self.compared(story.takeEffects()))
        #expect(names[0].hasSuffix(HistoryTab.time(HistoryStories.start.addingTimeInterval(2))))
        story.press("H", "Down", "M")
        #expect(story.screen.contains("No longer marked"))
        #expect(!story.lines.contains { $0.contains("◆") })
    }

    @Test func `without a response on the screen D compares with the run before`() throws {
        var (story, path) = Self.story()
        let item = try #require(story.state.workbench.selected)
        story.press("D")
        #expect(story.takeEffects().last == .history(.compare(3, with: 2, of: path, for: item)))
        let other = Self.body("{\"a\": 1}", of: HistoryStories.entry(2, path))
        story.receive(
            .history(
                .compared(
                    HistoryStories.recorded(3, path, body: "{\"a\": 2}"), HistoryPlace(number: 1, count: 3),
                    with: other,
                    for: item)))
        Self.arrive("{\"a\": 2}", &story)
        #expect(Self.compared(story.takeEffects())?.count == 2)
        // The oldest run has none before it.
        story.press("H", "G")
        #expect(story.state.run != nil)
    }

    @Test func `a run without a body is not compared, and says why`() throws {
        var (story, path) = Self.story()
        let item = try #require(story.state.workbench.selected)
        var run = HistoryStories.recorded(1, path, body: "")
        run.missingBody = "the body was too large to be kept (9 bytes)"
        story.receive(.history(.compared(run, HistoryPlace(number: 3, count: 3), with: nil, for: item)))
        #expect(story.screen.contains("too large to be kept"))
        #expect(story.state.run == nil)
    }

    @Test func `Y copies the request of a run as a command of curl`() {
        var (story, _) = Self.story()
        story.press("Y")
        #expect(story.screen.contains("curl as sent"))
        story.type("c")
        story.press("Enter")
        #expect(story.takeEffects().last == .history(.curl(3)))
        story.receive(.history(.curl("curl http://127.0.0.1")))
        #expect(story.takeEffects().last == .copy("curl http://127.0.0.1", named: "curl of the run"))
    }
}
