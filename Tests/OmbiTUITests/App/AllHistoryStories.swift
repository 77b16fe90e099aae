import Foundation
import OmbiCore
import OmbiDocument
import OmbiTerminal
import OmbiViewer
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// The runs of all requests on the screen: what was sent in the last hour.
@Suite struct AllHistoryStories {
    private static let users = ItemPath(file: "demo.json", path: ["users", "list users"])
    private static let gone = ItemPath(file: "demo.json", path: ["users", "no longer there"])

    private static func entry(_ id: Int, _ path: ItemPath = users, status: Int = 200) -> HistoryEntry {
        var entry = HistoryStories.entry(id, path, status: status)
        if status >= 400 { entry.attempts = 3 }
        return entry
    }

    private static func search(_ text: String = "", before: Int? = nil) -> RunSearch {
        RunSearch(text: text, files: ["demo.json"], before: before)
    }

    /// The searches among some effects.
    private static func searches(_ effects: [Effect]) -> [RunSearch] {
        effects.compactMap { if case .history(.search(let search)) = $0 { search } else { nil } }
    }

    private static func find(_ entries: [HistoryEntry], next: Int? = nil, _ search: RunSearch) -> Event {
        let oldest = next.map { _ in HistoryStories.start }
        return .history(.found(HistoryPage(entries: entries, next: next, oldest: oldest), search))
    }

    /// A story in which runs are listed.
    private static func story(
        columns: Int = 120, rows: Int = 34, on request: String = "list users", _ entries: [HistoryEntry],
        next: Int? = nil
    ) -> Story {
        var story = Story(columns: columns, rows: rows)
        story.choose(request)
        _ = story.takeEffects()
        story.perform(.app(.showAllHistory))
        #expect(searches(story.takeEffects()) == [search()])
        story.receive(find(entries, next: next, search()))
        return story
    }

    @Test func `a run of a scratch request is named by it, not by a folder`() {
        #expect(ItemPath(file: OpenFile.scratchPath, path: ["ok"]).shortName == "Scratch: ok")
        #expect(ItemPath(file: "/home/me/shop.json", path: ["users", "list"]).shortName == "shop.json: users/list")
    }

    private static func list(_ story: Story) -> HistoryOverlay? {
        if case .history(let list)? = story.topOverlay { list } else { nil }
    }

    @Test func `a run that ends meanwhile comes above the others, and the cursor stays on its run`() {
        var story = Story()
        story.choose("list users")
        let id = story.send()
        story.perform(.app(.showAllHistory))
        let entries = [3, 2, 1].map { Self.entry($0) }
        story.receive(Self.find(Array(entries.dropFirst()), Self.search()))
        story.press("Down")
        _ = story.takeEffects()
        story.refuse(id)
        #expect(Self.searches(story.takeEffects()) == [Self.search()])
        story.receive(Self.find(entries, Self.search()))
        #expect(Self.list(story)?.entries.map(\.id) == [3, 2, 1] && Self.list(story)?.current?.id == 1)
        #expect(story.screen.contains("3 of 3") && Self.searches(story.takeEffects()).isEmpty)
    }

    @Test func `runs that are gone when another one ends are no longer listed`() {
        var story = Self.story([Self.entry(9), Self.entry(8)])
        story.state.runs.ended += 1
        story.press("Down")
        // A damaged history was set aside, and another one began.
        story.receive(Self.find([Self.entry(1)], Self.search()))
        #expect(Self.list(story)?.entries.map(\.id) == [1] && Self.list(story)?.current?.id == 1)
    }

    @Test func `a run that ends while none is listed is the first one`() {
        var story = Self.story([])
        let list = Self.list(story)
        story.state.runs.ended += 1
        story.press("Down")
        #expect(Self.searches(story.takeEffects()) == [Self.search()])
        story.receive(Self.find([Self.entry(1)], Self.search()))
        #expect(list?.entries.isEmpty == true && Self.list(story)?.current?.id == 1)
    }

    @Test func `keys for runs show where runs are listed, whatever the tab behind the list has`() {
        #expect(Self.story([]).state.statusLine.hints.map(\.action) == [.response(.filterHistory), .leave])
        var story = Self.story([Self.entry(1)])
        story.press("Esc", "3", "Alt+\(ResponseTab.history.number)")
        story.perform(.app(.showAllHistory))
        story.receive(Self.find([Self.entry(1)], Self.search()))
        let actions = story.state.statusLine.hints.map(\.action)
        #expect(actions.contains(.accept) && actions.contains(.response(.compareRecorded)), "\(actions)")
    }

    @Test func `the error budgets of all requests with an objective are a list`() throws {
        func asked(_ effects: [Effect]) -> [ObjectiveEndpoint] {
            effects.flatMap { effect -> [ObjectiveEndpoint] in
                if case .history(.objectives(let endpoints)) = effect { endpoints } else { [] }
            }
        }
        var story = Story()
        story.choose("list users")
        _ = story.takeEffects()
        story.perform(.app(.showObjectives))
        #expect(asked(story.takeEffects()).isEmpty && story.screen.contains("No request has an objective"))
        let item = try #require(story.state.workbench.selected)
        story.state.workbench.edit(item) { collection in
            collection.update(item) { $0.objective = Objective(success: 99) }
        }
        story.perform(.app(.showObjectives))
        let endpoints = asked(story.takeEffects())
        #expect(!endpoints.isEmpty && endpoints.allSatisfy { $0.request.path == ["users", "list users"] })
        let request = try #require(endpoints.first?.request)
        story.choose("user by id")
        story.receive(
            .history(.budgets(heading: "budget  1 h", [BudgetRow(text: "spent   12.8", request: request)])))
        for text in ["Error budgets", "budget  1 h", "spent   12.8"] {
            #expect(story.screen.contains(text), "\(text) in\n\(story.screen)")
        }
        story.press("Enter")
        #expect(story.state.workbench.selected == item)
        #expect(story.state.focus == .response && story.state.responsePane.tab == .statistics)
    }

    @Test func `the runs around the last mark of the workspace are compared`() {
        var story = Story()
        _ = story.takeEffects()
        story.perform(.app(.compareAroundMark))
        #expect(story.takeEffects().contains(.history(.aroundMark(["demo.json"]))))
    }

    @Test func `a narrow screen says that a filter may have a time, a status and an age`() {
        let story = Self.story(columns: 80, rows: 24, [Self.entry(1)])
        for term in ["status:5xx", "time>2s", "since:1h", "env:staging", "is:failed"] {
            #expect(story.row(1).contains(term), "\(story.row(1))")
        }
    }

    @Test func `H in the history of a request goes on to that of all requests`() {
        var (story, _) = HistoryStories.story { [HistoryStories.entry(1, $0)] }
        _ = story.takeEffects()
        story.press("H")
        #expect(Self.list(story) != nil)
        #expect(Self.searches(story.takeEffects()) == [Self.search()])
        #expect(story.screen.contains("History of all requests") && story.screen.contains("Reading the history"))
        story.press("Esc")
        #expect(story.topOverlay == nil)
    }

    @Test func `H and H again, where the request has no run, too`() {
        var story = Story()
        story.choose("list users")
        story.press("H")
        #expect(story.topOverlay == nil && story.state.responsePane.tab == .history)
        story.press("H")
        #expect(Self.list(story) != nil)
    }

    @Test func `H without a request, and the palette, show it, too`() {
        var story = Story(files: [("empty.json", "{ \"version\": 1, \"name\": \"empty\", \"items\": [] }\n")])
        story.press("H")
        #expect(Self.list(story) != nil)
        story.press("Esc", ":")
        story.type("last runs")
        story.press("Enter")
        #expect(Self.list(story) != nil)
    }

    @Test(arguments: [Size(columns: 120, rows: 34), Size(columns: 80, rows: 24)])
    func `a row has time, environment, method, status, duration, attempts and the path of the URL`(size: Size) throws {
        let story = Self.story(
            columns: size.columns, rows: size.rows, [Self.entry(20, status: 503), Self.entry(1)])
        let rows = story.lines.filter { $0.contains("GET ") && $0.contains("local") && $0.contains("/users") }
        let failed = try #require(rows.first { $0.contains("✗ 503") })
        #expect(failed.contains("200 ms") && failed.contains("3×") && !failed.contains("127.0.0.1"))
        let time = HistoryTime.local(HistoryStories.start.addingTimeInterval(20)).dropFirst(5).dropLast(3)
        #expect(failed.contains(time), "\(story.screen)")
        #expect(rows.contains { $0.contains("✓ 200") && $0.contains("10 ms") && !$0.contains("×") })
        // The line below has what the row has no room for.
        #expect(story.screen.contains("GET http://127.0.0.1:8080/users"))
        #expect(story.screen.contains("demo.json: users/list users"))
        #expect(story.screen.contains("1 of 2"))
    }

    @Test func `a load is a row among the runs, and none of them`() {
        let total: JSONValue = ["count": 120, "failed": 3]
        let result: JSONValue = [
            "engine": "locust", "users": 20, "durationMs": 300_000, "rate": 2.5, "requests": [["name": "shop/list"]],
            "total": total,
        ]
        var page = HistoryPage(entries: [Self.entry(20), Self.entry(1)])
        page.loads = [HistoryLoad(id: 3, startedAt: HistoryStories.start.addingTimeInterval(5), result: result)]
        var story = Story(columns: 120, rows: 34)
        story.perform(.app(.showAllHistory))
        story.receive(.history(.found(page, Self.search())))
        let words = "locust, 20 users for 5m at 2.5/s, 120 sent, 3 failed"
        #expect(story.lines.contains { $0.contains(" load ") && $0.contains(words) }, "\(story.screen)")
        #expect(story.screen.contains("1 of 3") && Self.list(story)?.current?.id == 20)
        story.press("j")
        #expect(Self.list(story)?.current == nil && Self.list(story)?.currentLoad?.id == 3)
        #expect(story.screen.contains("shop/list"), "\(story.screen)")
        for key in ["Enter", "D", "M"] {
            story.press("k", "j")
            #expect(!story.screen.contains("ombi history show L3"), "\(story.screen)")
            story.press(key)
            #expect(Self.list(story) != nil && story.screen.contains("ombi history show L3"), "\(story.screen)")
        }
        story.press("j")
        #expect(Self.list(story)?.current?.id == 1 && story.screen.contains("3 of 3"), "\(story.screen)")
    }

    @Test func `a load that is older than all runs so far waits for the next page`() {
        var page = HistoryPage(entries: [Self.entry(20)], next: 20, oldest: HistoryStories.start)
        page.loads = [HistoryLoad(id: 3, startedAt: HistoryStories.start.addingTimeInterval(5), result: [:])]
        var story = Story(columns: 120, rows: 34)
        story.perform(.app(.showAllHistory))
        story.receive(.history(.found(page, Self.search())))
        #expect(Self.list(story)?.rowCount == 1)
        story.receive(Self.find([Self.entry(1)], Self.search(before: 20)))
        #expect(Self.list(story)?.rowCount == 3 && Self.list(story)?.row(at: 1) == .load(page.loads[0]))
    }

    @Test func `each key of the filter searches, and what is not understood says what to write`() {
        var story = Self.story([Self.entry(2), Self.entry(1)])
        story.press("/")
        #expect(story.state.scopes == [.filtering])
        story.type("status:503")
        // Nothing is asked while the term is no status yet.
        let asked = Self.searches(story.takeEffects()).map(\.text)
        #expect(asked == ["s", "st", "sta", "stat", "statu", "status", "status:503"])
        story.press("Backspace")
        #expect(story.screen.contains("status:50: write a status such as 503, or 5xx"))
        #expect(story.screen.contains("✓ 200"), "the runs before stay")
        #expect(Self.searches(story.takeEffects()).isEmpty)
    }

    @Test func `the answer to an earlier filter is ignored`() {
        var story = Self.story([Self.entry(2), Self.entry(1)])
        story.press("/")
        story.type("or")
        story.receive(Self.find([Self.entry(9)], Self.search("o")))
        #expect(Self.list(story)?.entries.map(\.id) == [2, 1])
        story.receive(Self.find([Self.entry(1)], Self.search("or")))
        #expect(Self.list(story)?.entries.map(\.id) == [1] && story.screen.contains("1 of 1"))
        _ = story.takeEffects()
        // The same filter again is not asked for again, nor what was never listed in between.
        story.press("x", "Backspace")
        #expect(Self.searches(story.takeEffects()).map(\.text) == ["orx"])
        story.receive(Self.find([], Self.search("orx")))
        #expect(Self.list(story)?.entries.map(\.id) == [1])
    }

    @Test func `Esc ends the filter, then closes the list`() {
        var story = Self.story([Self.entry(1)])
        story.press("/")
        story.type("none")
        story.receive(Self.find([], Self.search("none")))
        #expect(story.screen.contains("No run matches; Esc shows all."))
        story.press("Enter")
        _ = story.takeEffects()
        story.press("Esc")
        #expect(Self.searches(story.takeEffects()) == [Self.search()])
        story.receive(Self.find([Self.entry(1)], Self.search()))
        #expect(story.screen.contains("1 of 1"))
        story.press("Esc")
        #expect(story.topOverlay == nil)
    }

    @Test func `Enter opens the response in its request, and says how old it is`() throws {
        var story = Self.story(on: "create user", [Self.entry(2), Self.entry(1)])
        story.press("Down", "Enter")
        #expect(story.topOverlay == nil && story.request?.name == "list users" && story.state.focus == .response)
        let item = try #require(story.state.workbench.selected)
        #expect(story.takeEffects().contains(.history(.open(1, of: Self.users, for: item))))
        let run = HistoryStories.recorded(1, Self.users, body: "{}")
        story.receive(
            .history(.opened(run, HistoryPlace(number: 2, count: 2), age: .seconds(3 * 3600), for: item)))
        story.press("z")
        #expect(story.screen.contains("2 of 2, ") && story.screen.contains("(3 h ago)"), "\(story.screen)")
        story.press("]")
        #expect(story.screen.contains("X-Old"))
        // In a narrow frame the status matters more.
        story.receive(.resized(Size(columns: 60, rows: 24)))
        #expect(!story.screen.contains("(3 h ago)"), "\(story.screen)")
    }

    @Test func `s asks where to replay the request of the run`() throws {
        var story = Self.story([Self.entry(1)])
        story.press("s")
        guard case .picker? = story.topOverlay else {
            Issue.record("nothing is asked: \(story.screen)")
            return
        }
        #expect(story.screen.contains("Replay and compare with") && story.request?.name == "list users")
        #expect(!story.takeEffects().contains { if case .send = $0 { true } else { false } })
    }

    @Test func `D compares a run with the one of its request before`() throws {
        let create = ItemPath(file: "demo.json", path: ["users", "create user"])
        var story = Self.story([Self.entry(3), Self.entry(2, create), Self.entry(1)])
        story.press("D")
        let item = try #require(story.state.workbench.selected)
        #expect(story.takeEffects().contains(.history(.compare(3, with: 1, of: Self.users, for: item))))
        #expect(story.topOverlay == nil)
    }

    @Test func `D compares with the marked run, and alone says what to do`() throws {
        var story = Self.story([Self.entry(2), Self.entry(1)])
        story.press("Down", "D")
        #expect(Self.list(story) != nil && story.screen.contains("M marks a response; D on another compares both"))
        story.press("M")
        #expect(story.takeEffects().contains(.history(.mark(1))))
        let document = BodyDocument(Bytes(Array("{}".utf8)), contentType: "application/json")
        let body = RecordedBody(entry: Self.entry(1), body: NamedBody(name: "old", document: document))
        story.receive(.history(.marked(body)))
        #expect(story.lines.contains { $0.contains("◆") && $0.contains("10 ms") }, "\(story.screen)")
        story.press("D")
        #expect(Self.list(story) != nil && story.screen.contains("This is the marked response"))
        story.press("Up", "D")
        let item = try #require(story.state.workbench.selected)
        #expect(story.takeEffects().contains(.history(.compare(2, with: nil, of: Self.users, for: item))))
    }

    @Test func `M on the marked run unmarks it`() {
        var story = Self.story([Self.entry(2), Self.entry(1)])
        let document = BodyDocument(Bytes(Array("{}".utf8)), contentType: "application/json")
        let body = NamedBody(name: "old", document: document)
        story.receive(.history(.marked(RecordedBody(entry: Self.entry(2), body: body))))
        #expect(story.screen.contains("◆"))
        _ = story.takeEffects()
        story.press("M")
        #expect(story.screen.contains("No longer marked") && !story.screen.contains("◆"), "\(story.screen)")
        #expect(story.takeEffects().isEmpty && story.state.runs.mark == nil)
    }

    @Test func `a run whose request is gone shows by itself, and sends nothing`() {
        var story = Self.story([Self.entry(1, Self.gone)])
        let selected = story.state.workbench.selected
        story.press("Enter")
        #expect(story.takeEffects().contains(.history(.peek(1))))
        let run = HistoryStories.recorded(1, Self.gone, body: "{\"name\": \"Ada\"}\u{1B}[31m")
        story.receive(.history(.peeked(run, age: .seconds(7200))))
        #expect(story.screen.contains("recorded 2 h ago") && story.screen.contains("is not in the workspace"))
        #expect(story.screen.contains("X-Old: yes") && story.screen.contains("\"Ada\""))
        #expect(!story.screen.unicodeScalars.contains("\u{1B}"))
        story.press("s")
        #expect(story.takeEffects().isEmpty && story.state.workbench.selected == selected)
    }

    @Test func `a run whose request is gone is neither compared nor replayed`() {
        for key in ["D", "s"] {
            var story = Self.story([Self.entry(2, Self.gone), Self.entry(1, Self.gone)])
            story.press(key)
            #expect(story.state.notice?.text.contains("is not in the workspace") == true, "\(key)")
        }
    }

    @Test func `the next page is read before the end of the list, and no further`() {
        let entries = (401...500).reversed().map { Self.entry($0) }
        var story = Self.story(entries, next: 401)
        #expect(Self.searches(story.takeEffects()).isEmpty && story.screen.contains("1 of 100+"))
        story.press("G")
        #expect(Self.searches(story.takeEffects()) == [Self.search(before: 401)])
        story.press("Up", "Down")
        #expect(Self.searches(story.takeEffects()).isEmpty, "one page is awaited")
        story.receive(Self.find((1...20).reversed().map { Self.entry($0) }, Self.search(before: 401)))
        #expect(story.screen.contains("100 of 120") && !story.screen.contains("120+"), "\(story.screen)")
        story.press("G")
        #expect(Self.searches(story.takeEffects()).isEmpty && Self.list(story)?.current?.id == 1)
    }

    @Test func `a search that has found nothing yet goes on, and says how far it is`() {
        var story = Self.story([Self.entry(1)])
        story.press("/")
        story.type("x")
        _ = story.takeEffects()
        story.receive(Self.find([], next: 90_000, Self.search("x")))
        #expect(story.screen.contains("Searching, back to \(HistoryTime.local(HistoryStories.start))"))
        #expect(Self.searches(story.takeEffects()) == [Self.search("x", before: 90_000)])
        story.receive(Self.find([Self.entry(7)], Self.search("x", before: 90_000)))
        #expect(Self.list(story)?.entries.map(\.id) == [7])
    }

    @Test func `a history that cannot be read says why, and another filter asks again`() {
        var story = Self.story([Self.entry(1)])
        story.press("/")
        story.type("a")
        story.receive(.history(.notFound("Cannot read the history: the file is damaged", Self.search("a"))))
        #expect(story.screen.contains("Cannot read the history: the file is damaged"))
        _ = story.takeEffects()
        story.type("b")
        #expect(Self.searches(story.takeEffects()) == [Self.search("ab")])
        story.receive(Self.find([Self.entry(1)], Self.search("ab")))
        #expect(!story.screen.contains("damaged") && story.screen.contains("✓ 200"))
    }

    @Test func `an empty history says how to begin one`() {
        let story = Self.story([])
        #expect(story.screen.contains("No run is in the history yet. Esc closes the list; s sends a request."))
    }

    @Test func `what a server or a file says is made safe`() {
        var hostile = Self.entry(1, ItemPath(file: "demo.json", path: ["\u{1B}]0;name\u{7}"]), status: 500)
        (hostile.url, hostile.failure) = ("http://127.0.0.1/\u{1B}[31mred\u{202E}", "\u{9B}2J broken\r\nline")
        hostile.environment = "\u{1B}[2Jlocal"
        let screen = Self.story([hostile]).screen
        for scalar in ["\u{1B}", "\u{7}", "\u{9B}", "\r", "\u{202E}"] as [Unicode.Scalar] {
            #expect(!screen.unicodeScalars.contains(scalar), "\(scalar.value)")
        }
    }

    @Test func `a click goes to a run, and a second one opens it`() throws {
        var story = Self.story([Self.entry(2), Self.entry(1)])
        let row = try #require(story.lines.firstIndex { $0.contains("10 ms") && $0.contains("GET ") })
        story.perform(.mouse(.click(Point(column: 10, row: row))))
        #expect(Self.list(story)?.current?.id == 1)
        story.perform(.mouse(.click(Point(column: 10, row: row))))
        let item = try #require(story.state.workbench.selected)
        #expect(story.takeEffects().contains(.history(.open(1, of: Self.users, for: item))))
    }

    @Test(arguments: [Size(columns: 40, rows: 10), Size(columns: 60, rows: 12), Size(columns: 300, rows: 90)])
    func `the list fits any screen`(size: Size) {
        let entries = (1...200).reversed().map { Self.entry($0) }
        var story = Self.story(columns: size.columns, rows: size.rows, entries)
        story.press("G", "PageUp", "Ctrl+U", "k")
        #expect(story.screen.contains("of 200") || size.columns < 60)
    }
}
