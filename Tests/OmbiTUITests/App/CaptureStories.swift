import OmbiCore
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// Values of responses that other requests use, on the screen.
@Suite struct CaptureStories {
    private static let login = """
        { "version": 1, "name": "demo", "environments": [{ "name": "local", "host": "http://h" }],
          "items": [
            { "request": "log in", "path": "/login", "capture": { "session": { "path": "$.token", "secret": true } } },
            { "request": "use", "path": "/use/{{session}}", "body": { "json": { "id": "{{n:number}}" } } } ] }
        """

    @Test func `c on a value captures it in a variable that is asked for`() {
        var story = Story()
        story.choose("user by id")
        story.finish(story.send())
        story.press("3", "Down", "Down")
        #expect(story.screen.contains("capture"), "\(story.screen)")
        story.press("c")
        #expect(
            story.screen.contains("Capture in the variable") && story.screen.contains("$.name"), "\(story.screen)")
        story.press("Enter")
        #expect(story.request?.captures == [Capture("name", .path("$.name"))])
        #expect(story.screen.contains("user by id captures name"), "\(story.screen)")
        story.press("c")
        story.replace(with: "a b")
        story.press("Enter")
        #expect(story.screen.contains("✗ A name has letters"), "\(story.screen)")
    }

    @Test func `captures are rows with what else can be set`() {
        var story = Story()
        story.choose("user by id")
        story.press("2")
        while story.state.requestPane.tab != .capture { story.press("]") }
        story.press("a")
        story.type("token")
        story.press("Enter")
        story.type("header X-Token")
        story.press("Enter")
        #expect(story.request?.captures == [Capture("token", .header("X-Token"))])
        #expect(story.formRows.map(\.name) == ["token", "  secret", "  maximum age", ""])
        story.press("Down", "Down", "Enter")
        story.type("15m")
        story.press("Enter")
        #expect(story.request?.captures == [Capture("token", .header("X-Token"), maximumAge: .seconds(900))])
        story.press("Up", "Up", "Space")
        #expect(story.request?.captures.first?.enabled == false)
        #expect(story.screen.contains("Capture 1"))
        story.press("d")
        #expect(story.request?.captures == [])
        story.press("u")
        #expect(story.request?.captures.first?.maximumAge == .seconds(900))
    }

    @Test func `deleting a row leaves the other captures whole`() {
        var request = SavedRequest(name: "r", path: "/")
        request.captures = [
            Capture("a", .path("$.a")), Capture("b", .status, isSecret: true),
            Capture("c", .cookie("c"), maximumAge: .zero),
        ]
        let captures = request.captures
        for index in captures.indices {
            var changed = request
            changed.captureRows.remove(at: index)
            var expected = captures
            expected.remove(at: index)
            #expect(changed.captures == expected)
        }
        request.captureRows[1].name = "d"
        #expect(request.captures[1] == Capture("d", .status, isSecret: true))
    }

    @Test func `a request that is sent first shows with its attempts`() {
        var story = Story(rows: 44, file: Self.login)
        story.choose("use")
        story.press("s")
        let id = story.state.runs.lastID
        let item = story.state.workbench.file?.collection?.requests.first?.id ?? ItemID()
        func first(_ event: SessionEvent) -> Event {
            .run(id, .dependency(DependencyEvent(request: "log in", item: item, variable: "session", event: event)))
        }
        story.receive(first(.prepared(SampleRun.sent)))
        for event in SampleRun.untilWait { story.receive(first(.step(event))) }
        story.press("3")
        #expect(story.screen.contains("sends log in first, for {{session}}"), "\(story.screen)")
        #expect(story.screen.contains("503 Service Unavailable"), "\(story.screen)")
        story.receive(first(.ended(SessionResult(.response(SampleRun.answer), report: SampleRun.report))))
        story.receive(.run(id, .prepared(SampleRun.sent)))
        story.finish(id)
        let captured = CapturedValue(name: "tag", value: "7", request: "use", source: "header ETag")
        story.receive(.run(id, .captured([captured])))
        while !story.screen.contains("sent log in first") { story.press("]") }
        #expect(story.screen.contains("sent log in first, for {{session}}: 200 OK"), "\(story.screen)")
        #expect(story.screen.contains("captured tag from header ETag: 7"), "\(story.screen)")
        #expect(story.screen.contains("captured tag"))
        #expect(story.screen.contains(" · after log in"), "the title says it on every tab")
    }

    @Test func `a protected environment asks for a request that is sent first and may change something`() {
        let file = Self.login.replacing("\"host\": \"http://h\"", with: "\"host\": \"http://h\", \"protected\": true")
        var story = Story(file: file)
        story.choose("use")
        story.press("s")
        #expect(!story.takeEffects().contains { if case .check = $0 { true } else { false } }, "log in is a GET")
        story = Story(file: file.replacing("\"path\": \"/login\"", with: "\"method\": \"POST\", \"path\": \"/login\""))
        story.choose("use")
        _ = story.takeEffects()
        story.press("s")
        #expect(story.takeEffects().contains { if case .check = $0 { true } else { false } })
        story.receive(.checked(.request(story.request?.id ?? ItemID()), isReady: true))
        #expect(story.screen.contains("POST /login"), "\(story.screen)")
        story.press("Esc")
        story.choose("demo")
        story.press("s")
        story.press("Enter")
        story.endCheck()
        #expect(story.screen.contains("2 requests may change something"), "\(story.screen)")
    }

    @Test func `the address keeps the name of a variable that a response gives`() {
        var story = Story(file: Self.login)
        story.choose("use")
        #expect(story.lines[0].hasSuffix(" h"), "\(story.lines[0])")
        #expect(story.state.workbench.address(nil) == "http://h/use/{{session}}")
    }

    @Test func `a captured name is known, with the request that captures it`() {
        var story = Story(file: Self.login)
        story.choose("use")
        #expect(story.state.workbench.templateNames(nil)?.contains("session") == true)
        let choice = story.state.workbench.candidates(in: story.state.workbench.environment).first {
            $0.name == "session"
        }
        #expect(choice?.note == "captured by log in")
        story.press("E", "Tab")
        #expect(story.screen.contains("captured by log in"), "\(story.screen)")
    }

    @Test func `a template with a kind stands without quotes in the body`() {
        var story = Story(file: Self.login)
        story.choose("use")
        story.press("2")
        while story.state.requestPane.tab != .body { story.press("]") }
        #expect(story.screen.contains("\"id\": {{n:number}}"), "\(story.screen)")
        story.press("Down", "Down", "Enter")
        #expect(story.screen.contains("JSON ✓"), "\(story.screen)")
        story.press("Alt+f")
        #expect(story.openText?.contains("\"id\": {{n:number}}") == true, "\(story.openText ?? "")")
        story.press("Escape")
        #expect(story.state.workbench.file?.isDirty == false)
    }
}
