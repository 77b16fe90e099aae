import Foundation
import OmbiCore
import OmbiTerminal
import Testing

@testable import OmbiTUI
@testable import OmbiViewer
@testable import OmbiWorkspace

/// A request that is sent every few seconds.
@Suite struct WatchStories {
    /// A story in which a request is watched, and its first run has begun.
    private static func story(_ plan: String = "5s", columns: Int = 120, rows: Int = 34) -> Story {
        var story = Story(columns: columns, rows: rows)
        story.choose("list users")
        _ = story.takeEffects()
        story.press("V")
        story.replace(with: plan)
        story.press("Enter")
        return story
    }

    private static func end(_ status: Int, _ body: String, _ story: inout Story) {
        var result = SessionResult(.response(TransportResponse(statusCode: status, body: Data(body.utf8))))
        result.report = RequestReport(attempts: [], duration: .milliseconds(10), sla: nil, outcome: .succeeded)
        story.receive(.run(story.state.runs.lastID, .ended(result)))
    }

    private static func end(_ status: Int, _ story: inout Story) { end(status, "{}", &story) }

    private static func pass(_ seconds: Int, _ story: inout Story) {
        story.time += .seconds(seconds)
        story.receive(.watchTick(story.state.runs.lastWatch))
    }

    private static func sent(_ story: inout Story) -> Int {
        story.takeEffects().count { if case .send = $0 { true } else { false } }
    }

    @Test func `V sends a request at an interval, and says when the next comes`() {
        var story = Self.story()
        #expect(Self.sent(&story) == 1)
        Self.end(200, &story)
        Self.pass(2, &story)
        #expect(Self.sent(&story) == 0)
        #expect(story.screen.contains("watching list users every 5s · next in 3 s"))
        Self.pass(3, &story)
        #expect(Self.sent(&story) == 1)
    }

    @Test func `a run that still goes on is waited for`() {
        var story = Self.story()
        _ = Self.sent(&story)
        Self.pass(6, &story)
        #expect(Self.sent(&story) == 0)
        Self.end(200, &story)
        Self.pass(1, &story)
        #expect(Self.sent(&story) == 1)
    }

    @Test func `a further run leaves the cursor of the history on its run`() {
        var story = Self.story()
        Self.end(200, &story)
        story.press("H")
        let path = ItemPath(file: "demo.json", path: ["users", "list users"])
        func show(_ ids: [Int]) {
            let statistics = HistoryStatistics(runs: [], attempts: [], failures: [], now: HistoryStories.start)
            let entries = ids.map { HistoryStories.entry($0, path) }
            let history = RequestHistory(request: path, entries: entries, count: ids.count, statistics: statistics)
            story.receive(.history(.shown(history)))
        }
        show([2, 1])
        story.press("Down")
        Self.pass(5, &story)
        Self.end(200, &story)
        show([3, 2, 1])
        _ = story.takeEffects()
        story.press("Enter")
        let opened = story.takeEffects().compactMap { effect -> Int? in
            if case .history(.open(let id, of: _, for: _)) = effect { id } else { nil }
        }
        #expect(opened == [1], "\(story.screen)")
    }

    @Test func `the cursor stays in its place of the body from run to run, as far as that goes`() {
        var story = Self.story()
        Self.end(200, &story)
        story.readBody()
        story.press("3", "Down", "Down")
        let offset = story.state.run?.viewer?.offset ?? 0
        Self.pass(5, &story)
        Self.end(200, &story)
        story.readBody()
        #expect(offset > 0 && story.state.run?.viewer?.offset == offset)
        Self.pass(5, &story)
        Self.end(200, &story)
        story.readBody(TransportResponse(statusCode: 200, body: Data("[]".utf8)))
        #expect(story.state.run?.viewer?.offset == 0)
    }

    /// Filters the body as was ordered, and returns the paths.
    private static func filter(_ story: inout Story) -> [String] {
        var (paths, answers) = ([String](), [Event]())
        for case .view(let id, .filter(let path, let document, let number)) in story.takeEffects() {
            paths.append(path)
            ViewerJobs.filter(path, document, number, CancelFlag()) { answers.append(.viewer(id, $0)) }
        }
        for answer in answers { story.receive(answer) }
        return paths
    }

    @Test func `a filter of the body stays from run to run, also over one without a response`() {
        var story = Self.story()
        Self.end(200, &story)
        story.readBody()
        _ = story.takeEffects()
        story.press("3", "|")
        story.type("$.id")
        #expect(Self.filter(&story).last == "$.id")
        story.press("Enter")
        for fails in [false, true, false] {
            Self.pass(5, &story)
            guard !fails else {
                story.refuse(story.state.runs.lastID)
                continue
            }
            Self.end(200, &story)
            story.readBody()
            #expect(Self.filter(&story) == ["$.id"])
            #expect(story.screen.contains("| $.id · 1 match"), "\(story.screen)")
        }
    }

    @Test func `a text that is typed into the prompt of the body is finished before the next run`() {
        var story = Self.story()
        _ = Self.sent(&story)
        Self.end(200, "{\"stock\": 1}", &story)
        story.readBody()
        story.press("3", "|")
        story.type("$.i")
        Self.pass(6, &story)
        #expect(Self.sent(&story) == 0)
        story.type("d")
        #expect(story.screen.contains("| $.id"), "\(story.screen)")
        story.press("Enter")
        Self.pass(1, &story)
        #expect(Self.sent(&story) == 1)
    }

    @Test func `only changes make a line, with the bell`() {
        var story = Self.story()
        Self.end(200, "{\"stock\": 1}", &story)
        Self.pass(5, &story)
        _ = story.takeEffects()
        Self.end(200, "{\"stock\": 1}", &story)
        #expect(!story.takeEffects().contains(.ringBell))
        Self.pass(5, &story)
        Self.end(503, "{\"stock\": 1}", &story)
        #expect(story.screen.contains("200 OK → 503 Service Unavailable"))
        #expect(story.takeEffects().contains(.ringBell))
        Self.pass(5, &story)
        #expect(story.screen.contains("1 change") || story.state.runs.watch?.changes == 1)
    }

    @Test func `each change goes to the command of the settings, and nothing else does`() {
        var story = Self.story()
        func told() -> [String] {
            story.takeEffects().compactMap { if case .tellChange(let line) = $0 { line } else { nil } }
        }
        Self.end(200, "{\"stock\": 1}", &story)
        #expect(told().isEmpty, "the first result is no change")
        Self.pass(5, &story)
        Self.end(200, "{\"stock\": 1}", &story)
        #expect(told().isEmpty)
        Self.pass(5, &story)
        Self.end(503, "{\"stock\": 1}", &story)
        #expect(told() == ["list users: 200 OK → 503 Service Unavailable"])
        Self.pass(5, &story)
        Self.end(503, "{\"stock\": 1}", &story)
        #expect(told().isEmpty)
    }

    @Test func `it ends at the result that it waits for`() {
        var story = Self.story("5s until passes")
        Self.end(503, &story)
        #expect(story.state.runs.watch != nil)
        Self.pass(5, &story)
        Self.end(200, &story)
        #expect(story.state.runs.watch == nil)
        #expect(story.screen.contains("list users: passes, after 2 runs"))
        #expect(story.takeEffects().contains(.ringBell))
        Self.pass(5, &story)
        #expect(Self.sent(&story) == 0)
    }

    @Test func `one that waits for a result rings the bell for that alone`() {
        var story = Self.story("5s until passes")
        for status in [503, 404, 500, 404] {
            Self.end(status, &story)
            #expect(!story.takeEffects().contains(.ringBell), "\(status)")
            Self.pass(5, &story)
        }
        Self.end(200, &story)
        #expect(story.takeEffects().count { $0 == .ringBell } == 1)
    }

    @Test(arguments: [("1s 3 times", 503, "done"), ("1s until passes 3 times", 503, "done"), ("3 times", 200, "done")])
    func `a number of times ends it, with the bell for that alone`(plan: String, status: Int, reason: String) {
        var story = Self.story(plan)
        for round in 1...3 {
            Self.end(round == 2 ? 404 : status, &story)
            #expect(story.takeEffects().contains(.ringBell) == (round == 3), "\(round)")
            if round == 1 { #expect(story.screen.contains("watching list users (1 of 3)"), "\(story.screen)") }
            Self.pass(1, &story)
        }
        #expect(story.state.runs.watch == nil)
        #expect(story.screen.contains("list users: \(reason), after 3 runs"), "\(story.screen)")
        Self.pass(5, &story)
        #expect(Self.sent(&story) == 0)
    }

    @Test(arguments: [("5 times", ", 2 failed"), ("1s until fails 5 times", ""), ("1s", ", 1 failed")])
    func `its end says how many runs failed, unless it waited for that`(plan: String, failed: String) {
        var story = Self.story(plan)
        for status in [200, 503, 200, 404, 200] where story.state.runs.watch != nil {
            Self.end(status, &story)
            Self.pass(1, &story)
            if plan == "1s", status == 503 { story.press("x") }
        }
        let text = story.state.notice?.text ?? ""
        let end = text.range(of: "after ").map { String(text[$0.lowerBound...]) } ?? text
        #expect(end.hasSuffix(failed) && (failed.isEmpty ? !end.contains("failed") : true), "\(text)")
    }

    @Test(arguments: ["x", "Esc", "V"]) func `keys end it`(key: String) {
        var story = Self.story()
        Self.end(200, &story)
        story.press(key)
        #expect(story.state.runs.watch == nil)
        #expect(story.screen.contains("no longer watched"))
    }

    @Test(arguments: [60, 80, 120]) func `the key line says how it ends, while it runs and while it waits`(columns: Int)
    {
        var story = Self.story(columns: columns, rows: 24)
        #expect(story.row(23).hasPrefix(" x stop watching  r retry now  + attempt  "), "\(story.row(23))")
        Self.end(200, &story)
        #expect(story.row(23).hasPrefix(" x stop watching  s send  "), "\(story.row(23))")
        story.press("x")
        #expect(story.row(23).hasPrefix(" s send  "), "\(story.row(23))")
    }

    @Test func `x is for another request that runs, as long as it does`() {
        var story = Self.story()
        Self.end(200, &story)
        story.choose("user by id")
        _ = story.send()
        #expect(story.row(33).hasPrefix(" x cancel  r retry now  "), "\(story.row(33))")
        story.press("x")
        #expect(story.state.runs.watch != nil)
    }

    @Test func `x cancels the run as well`() {
        var story = Self.story()
        let id = story.state.runs.lastID
        _ = story.takeEffects()
        story.press("x")
        #expect(story.takeEffects().contains(.cancel(id)))
        #expect(story.state.runs.watch == nil)
    }

    @Test func `it goes on while another request is looked at, without a line for every result`() {
        var story = Self.story()
        Self.end(200, &story)
        story.choose("user by id")
        _ = story.takeEffects()
        Self.pass(5, &story)
        #expect(Self.sent(&story) == 1)
        Self.end(200, &story)
        #expect(!story.screen.contains("list users: 200 OK"))
    }

    @Test func `an interval is a duration, with an end or without`() {
        #expect(WatchPlan("5s")?.interval == .seconds(5))
        #expect(WatchPlan("1m until fails")?.end == .fails)
        #expect(WatchPlan("20 times") == WatchPlan("100ms 20 times") && WatchPlan("20 times")?.times == 20)
        let both = WatchPlan("5s until passes 3 times")
        #expect(both?.interval == .seconds(5) && both?.end == .passes && both?.times == 3)
        for text in [
            "", "5", "0s", "5s until", "5s until done", "5s passes", "1ms", "times", "0 times", "-1 times", "x times",
            "99999 times", "5 20 times", "until passes 20 times", "20 times 5s",
        ] {
            #expect(WatchPlan(text) == nil, "\(text)")
        }
        var story = Story()
        story.choose("list users")
        story.press("V")
        story.replace(with: "soon")
        story.press("Enter")
        #expect(story.screen.contains("✗ Write 5s, 5s until passes, 5s until fails or 20"), "\(story.screen)")
    }

    @Test func `what changes something in a protected environment is not repeated by itself`() {
        var story = Story()
        story.choose("create user")
        story.perform(.files(.switchEnvironment("live", path: "demo.json")))
        story.press("V")
        #expect(story.topOverlay == nil)
        #expect(story.screen.contains("is not repeated by itself"))
    }

    // MARK: Its environment

    private static let withoutLocal = Story.file.replacing("\"name\": \"local\"", with: "\"name\": \"staging\"")

    /// A story in which a request that changes something is watched in `local`, and its first run has ended.
    private static func unsafe() -> Story {
        var story = Story()
        story.choose("create user")
        story.press("V", "Enter")
        end(200, &story)
        _ = story.takeEffects()
        return story
    }

    @Test func `it ends when another environment is chosen, and says why`() {
        var story = Self.unsafe()
        story.perform(.files(.switchEnvironment("live", path: "demo.json")))
        Self.pass(5, &story)
        #expect(Self.sent(&story) == 0 && story.state.runs.watch == nil)
        #expect(
            story.state.notice
                == Notice(
                    .warning,
                    "create user: no longer watched, as it began in local and live is in use now, after 1 run"))
    }

    @Test func `it ends when its environment is deleted in the editor`() {
        var story = Self.unsafe()
        story.press("E", "Tab")
        story.perform(.environments(.delete))
        story.press("y")
        Self.pass(5, &story)
        #expect(Self.sent(&story) == 0 && story.state.runs.watch == nil)
        #expect(story.state.notice?.text.contains("as the environment local is gone") ?? false)
    }

    @Test func `it ends when its environment goes from the file, also while another request shows`() {
        for other in ["create user", "list users"] {
            var story = Self.unsafe()
            story.choose(other)
            story.receive(.changed(Story.loaded(Self.withoutLocal)))
            Self.pass(5, &story)
            #expect(Self.sent(&story) == 0 && story.state.runs.watch == nil, "\(other)")
            #expect(story.state.notice?.text.contains("as the environment local is gone") ?? false, "\(other)")
        }
    }

    @Test func `it ends when its environment becomes protected`() {
        var story = Self.unsafe()
        let file = Story.file.replacing("\"name\": \"local\",", with: "\"name\": \"local\", \"protected\": true,")
        story.receive(.changed(Story.loaded(file)))
        Self.pass(5, &story)
        #expect(Self.sent(&story) == 0 && story.state.runs.watch == nil)
        #expect(story.state.notice?.text.contains("as it would be a POST to a protected environment") ?? false)
    }
}
