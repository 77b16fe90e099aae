import OmbiCore
import OmbiTerminal
import OmbiViewer
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// Requests of which nothing could be sent.
@Suite struct UnsentStories {
    private static let reason = "list users: path: unknown variable \"nope\" at column 8"

    /// A story with a response, and the run after it, which is being prepared.
    private static func again() -> (story: Story, first: RunID, second: RunID) {
        var story = Story()
        let first = story.send()
        story.finish(first)
        _ = story.takeEffects()
        story.press("s")
        return (story, first, story.state.runs.lastID)
    }

    private static func forgets(_ effects: [Effect]) -> Bool {
        effects.contains { if case .view(_, .forget) = $0 { true } else { false } }
    }

    @Test(arguments: [Size(columns: 120, rows: 34), Size(columns: 80, rows: 24)])
    func `a request that was refused replaces the last response, in the title and in the list`(size: Size) {
        var (story, _, second) = Self.again()
        story.receive(.resized(size))
        story.receive(.run(second, .ended(SessionResult(.failure(Self.reason)))))
        #expect(Self.forgets(story.takeEffects()))
        #expect(story.state.run?.id == second && story.state.runs.active.isEmpty)
        #expect(story.state.runs.summary(of: story.request?.id) == RunSummary(mark: .failed))
        story.press("1")
        #expect(!story.screen.contains("200  705 ms"), "\(story.screen)")
        story.press("3")
        let screen = story.screen
        #expect(screen.contains("Response ─ not sent: path: unknown variable \"nope\""), "\(screen)")
        #expect(screen.contains("Path: unknown variable \"nope\" at column 8"), "\(screen)")
        #expect(!screen.contains("200 OK"), "\(screen)")
    }

    @Test func `a request to a protected environment that was refused replaces the last response, too`() {
        var story = Story()
        story.choose("create user")
        story.finish(story.send())
        story.perform(.files(.switchEnvironment("live", path: "demo.json")))
        story.press("s")
        guard let item = story.request?.id else { return #expect(Bool(false)) }
        story.receive(.refused(.request(item), "create user: header X: $TOKEN is not set"))
        #expect(story.state.notice?.text == "Not sent. create user: header X: $TOKEN is not set")
        #expect(story.screen.contains("Response ─ not sent: header X: $TOKEN is not set"), "\(story.screen)")
        #expect(story.state.runs.summary(of: item) == RunSummary(mark: .failed))
    }

    @Test func `the last response is one step back, as the refused request is not in the history`() throws {
        var (story, _, second) = Self.again()
        story.receive(.run(second, .ended(SessionResult(.failure(Self.reason)))))
        _ = story.takeEffects()
        let path = ItemPath(file: "demo.json", path: ["users", "list users"])
        let item = try #require(story.state.workbench.selected)
        story.press("3", ",")
        #expect(story.takeEffects() == [.history(.step(from: nil, isOlder: true, skipping: 0, of: path, for: item))])
    }

    @Test func `a refused request that is not selected is named in a message`() {
        var (story, _, second) = Self.again()
        story.choose("create user")
        story.receive(.run(second, .ended(SessionResult(.failure(Self.reason)))))
        #expect(
            story.state.notice?.text == "list users: not sent: path: unknown variable \"nope\" at column 8")
    }

    @Test func `the last response stays where the run was cancelled before anything was sent`() {
        var (story, first, second) = Self.again()
        story.receive(.run(second, .ended(SessionResult(.cancelled))))
        #expect(story.state.run?.id == first)
        #expect(story.state.notice == Notice(.info, "list users: cancelled before it was sent"))
    }

    @Test func `the first attempt lets go of it`() {
        var (story, _, second) = Self.again()
        #expect(!Self.forgets(story.takeEffects()))
        story.receive(.run(second, .prepared(SampleRun.sent)))
        story.receive([SampleRun.untilWait[0]], of: second)
        #expect(Self.forgets(story.takeEffects()))
        story.receive(.run(second, .ended(SessionResult(.failure("lost")))))
        #expect(story.state.run?.id == second && story.state.run?.failure == "lost")
    }

    @Test func `without a response before it, the reason takes its place`() {
        var story = Story()
        story.press("s")
        let id = story.state.runs.lastID
        story.receive(.run(id, .ended(SessionResult(.failure(Self.reason)))))
        #expect(story.state.run?.failure == Self.reason)
        #expect(story.screen.contains("Path: unknown variable") && !story.screen.contains("list users: path"))
    }

    @Test func `the run of a request that was sent first stays on the screen`() {
        var (story, first, second) = Self.again()
        let step = DependencyEvent(
            request: "log in", item: ItemID(), variable: "token", event: .prepared(SampleRun.sent))
        story.receive(.run(second, .dependency(step)))
        story.receive(.run(second, .ended(SessionResult(.failure("log in: 401 Unauthorized")))))
        #expect(story.state.run?.id == second && story.state.runs[id: first] == nil)
    }

    /// What the screen says after a response is that of the last send, whatever came of that.
    @Test(arguments: [
        201, 202, 204, 206, 300, 304, 400, 401, 403, 404, 405, 409, 410, 412, 415, 418, 422, 429, 500, 502, 503, 504,
    ])
    func `the title tells of the last response, with its environment once another is in use`(status: Int) {
        var (story, _, second) = Self.again()
        story.receive(.run(second, .prepared(SampleRun.sent)))
        story.receive([.attemptStarted(number: 1, attempts: 1, at: .zero)], of: second)
        story.end(second, .response(SampleRun.response(status, "{}")))
        #expect(story.screen.contains("Response ─ \(status) "), "\(story.screen)")
        #expect(!story.screen.contains("200 OK"), "\(story.screen)")
        story.perform(.files(.switchEnvironment("live", path: "demo.json")))
        #expect(story.screen.contains("Response ─ local ─ \(status) "), "\(story.screen)")
    }
}

/// What a key says that has no meaning where it is pressed.
@Suite struct UnboundKeyStories {
    @Test(arguments: ["|", "!", "S"], ["1", "2"])
    func `a key for the body goes to it from the other panes`(key: String, pane: String) throws {
        var story = Story()
        story.finish(story.send())
        story.press("3", "]", pane)
        story.perform(.app(.unbound(try #require(Key(name: key)))))
        #expect(story.state.focus == .response && story.state.shownViewer?.hasPrompt == true, "\(story.screen)")
    }

    @Test(arguments: ["1", "2"])
    func `D compares with the previous response from the other panes, too`(pane: String) {
        var story = Story()
        for _ in 1...2 { story.finish(story.send()) }
        story.press("3", "]", pane)
        story.perform(.app(.unbound(Key(.character("D")))))
        #expect(story.state.focus == .response && story.state.responsePane.tab == .body)
        #expect(!(story.state.notice?.text.contains("Duplicate") ?? false), "\(story.state.notice?.text ?? "")")
    }

    @Test func `a key for a body says so, before a response and in another tab`() {
        var story = Story()
        story.press("3")
        story.perform(.app(.unbound(Key(.character("D")))))
        #expect(
            story.state.notice?.text
                == "D does nothing here; with a response: Compare with the mark, or the previous response")
        story.finish(story.send())
        story.press("]")
        story.perform(.app(.unbound(Key(.character("a")))))
        #expect(story.state.notice?.text == "a does nothing here; in the tab Body: Add the next page")
    }
}
