import OmbiTerminal
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// Whole screens as text. They show how everything looks together; what each part does is tested elsewhere.
@Suite struct DrawnScreenTests {
    @Test func `the cursor of the timeline begins on the first attempt`() {
        var story = Story()
        story.finish(story.send())
        story.press("3")
        while story.state.responsePane.tab != .timeline { story.press("]") }
        let surface = story.state.draw().surface
        let rows = (0..<surface.size.rows).filter { row in
            (40..<surface.size.columns).contains { surface[$0, row].style.traits.contains(.highlight) }
        }
        #expect(rows.count == 1 && story.row(rows.first ?? 0).contains("1   ▓"), "\(story.screen)")
    }

    @Test func `the status of a response is a chip in its colour`() {
        var story = Story()
        story.finish(story.send())
        guard let place = story.place(of: "200 OK") else { return #expect(Bool(false), "\(story.screen)") }
        let surface = story.state.draw().surface
        let styles = Set((-1...6).map { surface[place.column + $0, place.row].style })
        #expect(styles == [Style(.success, .reverse)], "with a space at each side")
    }

    @Test func `the first screen, wide`() {
        expectScreen(Story(columns: 120, rows: 34), DrawnScreens.first)
    }

    @Test func `the first screen, narrow`() {
        expectScreen(Story(columns: 80, rows: 24), DrawnScreens.firstNarrow)
    }

    @Test(arguments: RequestTab.allCases) func `each tab of a request`(tab: RequestTab) {
        var story = Story()
        story.choose("user by id")
        story.press("2")
        for _ in 0..<tab.position { story.press("]") }
        expectRows(story, in: story.state.layout.request, DrawnScreens.tabs[tab.position])
    }

    @Test func `editing a field`() {
        var story = Story(columns: 80, rows: 24)
        story.choose("user by id")
        story.press("2", "Down", "Down", "Enter")
        story.type("!")
        expectScreen(story, DrawnScreens.editing)
        #expect(
            story.state.draw().cursor == story.place(of: "orders!").map { Point(column: $0.column + 7, row: $0.row) })
    }

    @Test func `a run with its attempts`() {
        var story = Story()
        story.choose("user by id")
        let id = story.send()
        story.receive(SampleRun.untilWait, of: id)
        story.time = .milliseconds(450)
        story.receive(.tick)
        expectScreen(story, DrawnScreens.running)
    }

    @Test func `an ended run with a body`() {
        var story = Story()
        story.choose("user by id")
        story.finish(story.send())
        story.press("3")
        expectScreen(story, DrawnScreens.finished)
    }

    @Test func `a refused connection`() {
        var story = Story(columns: 80, rows: 24)
        story.refuse(story.send())
        expectScreen(story, DrawnScreens.refused)
    }

    @Test func `the help in two columns`() {
        var story = Story(columns: 120, rows: 34)
        story.press("3", "?")
        expectScreen(story, DrawnScreens.helpWide)
    }

    @Test func `a search of the help`() {
        var story = Story(columns: 120, rows: 34)
        story.press("?", "/")
        story.type("copy")
        expectScreen(story, DrawnScreens.helpSearch)
        #expect(story.state.draw().cursor != nil)
    }

    @Test func `the first screen in ASCII`() {
        let glyphs = GlyphSet.letters
        let shown = Story(columns: 80, rows: 24).screen.unicodeScalars.map { glyphs.substitute(for: $0) ?? $0 }
        #expect(String(String.UnicodeScalarView(shown)) == DrawnScreens.ascii)
    }

    @Test func `the help`() {
        var story = Story(columns: 80, rows: 24)
        story.press("?")
        expectScreen(story, DrawnScreens.help)
    }

    @Test func `a picker`() {
        var story = Story(columns: 80, rows: 24)
        story.press("E")
        expectScreen(story, DrawnScreens.picker)
    }

    @Test(arguments: [(120, 34), (80, 24), (60, 18)])
    func `the environments`(columns: Int, rows: Int) {
        var story = Story.environments(columns: columns, rows: rows)
        story.receive(.secretsChecked([SecretCheck(.environment("SHOP_TOKEN"), problem: "not set")]))
        story.go(to: "token", in: .secrets)
        expectScreen(story, DrawnScreens.environments[columns] ?? "")
    }

    @Test(arguments: [(120, 34), (80, 24), (60, 18)])
    func `a list that completes a header`(columns: Int, rows: Int) {
        var story = Story(columns: columns, rows: rows)
        story.choose("list users")
        story.press("2", "]", "a")
        story.type("acc")
        expectScreen(story, DrawnScreens.completion[columns] ?? "")
    }

    @Test(arguments: [(120, 34), (80, 24), (60, 18)])
    func `a protected environment`(columns: Int, rows: Int) {
        var story = Story(columns: columns, rows: rows)
        story.choose("create user")
        story.perform(.files(.switchEnvironment("live", path: "demo.json")))
        story.press("s")
        story.receive(.checked(.request(story.request?.id ?? ItemID()), isReady: true))
        story.type("li")
        expectScreen(story, DrawnScreens.protected[columns] ?? "")
    }

    @Test(arguments: [(200, 60), (120, 34), (80, 24), (60, 18), (40, 10)])
    func `the run of a folder`(columns: Int, rows: Int) {
        var story = Story(columns: columns, rows: rows)
        story.run("demo", atOnce: 2)
        let orders = story.takeOrders()
        for order in orders { story.receive(.run(order.id, .prepared(SampleRun.sent))) }
        story.receive(SampleRun.untilWait, of: orders[1].id)
        story.finish(orders[0].id)
        story.refuse(story.takeOrders()[0].id)
        story.time = .milliseconds(450)
        story.receive(.tick)
        expectScreen(story, DrawnScreens.batch[columns] ?? "")
    }

    @Test func `how many requests of a folder to send at a time`() {
        var story = Story(columns: 60, rows: 18)
        story.choose("users")
        story.press("s")
        expectScreen(story, DrawnScreens.batchPrompt)
    }

    @Test func `a question`() {
        var story = Story(columns: 80, rows: 24)
        story.press("Alt+D", "q")
        expectScreen(story, DrawnScreens.question)
    }

    @Test func `a broken file`() {
        let story = Story(
            columns: 120, rows: 20, file: "{\n  \"version\": 1,\n  \"name\": \"broken\",\n  \"items\": [ oops ]\n}\n")
        expectScreen(story, DrawnScreens.broken)
    }

    @Test func `an empty folder`() {
        expectScreen(Story(columns: 80, rows: 12, files: []), DrawnScreens.empty)
    }
}

/// Compares the whole screen with a literal; a failure shows the rows that differ.
func expectScreen(_ story: Story, _ literal: String, sourceLocation: SourceLocation = #_sourceLocation) {
    expectRows(story, in: Rect(story.state.size), literal, sourceLocation: sourceLocation)
}

/// The same for a part of the screen.
func expectRows(_ story: Story, in rect: Rect?, _ literal: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let rect = rect ?? Rect(story.state.size)
    let found = Array(story.lines[rect.row..<min(rect.endRow, story.lines.count)]).map { line in
        String(line.dropFirst(rect.column).prefix(rect.columns))
    }
    let wanted = literal.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard found != wanted else { return }
    let rows = (0..<max(found.count, wanted.count)).flatMap { row -> [String] in
        let (old, new) = (wanted[safe: row], found[safe: row])
        guard old != new else { return ["  " + (new ?? "")] }
        return [old.map { "- " + $0 }, new.map { "+ " + $0 }].compactMap { $0 }
    }
    Issue.record(
        "the screen differs (- wanted, + found):\n\(rows.joined(separator: "\n"))", sourceLocation: sourceLocation)
}
