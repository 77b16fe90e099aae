import Foundation
import OmbiCore
import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI
@testable import OmbiViewer

/// Sending requests, stepping in, and what comes back.
@Suite struct RunStories {
    // MARK: Sending

    @Test func `sending asks for the run and then for the first tick`() {
        var story = Story()
        story.press("Down", "s")
        let effects = story.takeEffects()
        guard effects.count == 2, case .send(let order) = effects[0] else {
            Issue.record("the effects are \(effects)")
            return
        }
        #expect(order.request.name == "user by id")
        #expect(order.environment == "local")
        #expect(order.file == "demo.json")
        #expect(order.id == story.state.run?.id)
        #expect(effects[1] == .tick(after: Runs.tickInterval))
    }

    @Test func `what is sent is the request as it was edited`() {
        var story = Story()
        story.press("2", "Enter")
        story.replace(with: "/edited")
        story.press("Enter", "s")
        #expect(story.lastOrder?.request.path == "/edited")
        #expect(story.lastOrder?.collection.request(story.request?.id ?? ItemID())?.path == "/edited")
    }

    @Test func `a request that runs is not sent again`() {
        var story = Story()
        story.send()
        _ = story.takeEffects()
        story.press("s")
        #expect(story.takeEffects().isEmpty)
        #expect(story.state.notice == Notice(.warning, "list users is still running; x cancels it"))
        #expect(story.row(32).contains("still running"), "and the screen says so, over the keys: \(story.row(32))")
    }

    @Test func `a protected environment asks before something may change there`() {
        var story = Story()
        story.choose("create user")
        story.press("E", "Down", "Enter")
        story.ask()
        #expect(story.screen.contains("POST /users"))
        #expect(story.screen.contains("goes to the protected environment live."))
        story.press("Esc")
        #expect(story.takeEffects().isEmpty)
        #expect(story.state.overlays.isEmpty)
        story.ask()
        story.type("liv")
        story.press("Enter")
        #expect(story.takeEffects().isEmpty)
        #expect(story.screen.contains("✗ That is not its name"))
        story.type("e")
        #expect(!story.screen.contains("✗"))
        story.press("Enter")
        #expect(story.lastOrder?.environment == "live")
    }

    @Test func `what cannot be sent to a protected environment tells why, and asks nothing`() {
        var story = Story()
        story.choose("create user")
        story.press("E", "Down", "Enter")
        story.ask(isReady: false)
        #expect(story.state.overlays.isEmpty)
        #expect(story.lastOrder?.request.name == "create user", "its run ends with the reason")
    }

    @Test func `the reason shows where the list would hide it`() {
        var story = Story(columns: 80, rows: 24)
        story.choose("create user")
        story.press("E", "Down", "Enter")
        story.ask(isReady: false)
        #expect(story.screen.contains("3 Response"), "\(story.screen)")
    }

    @Test func `reading from a protected environment needs no question`() {
        var story = Story()
        story.press("E", "Down", "Enter", "s")
        #expect(story.lastOrder?.environment == "live")
        #expect(story.state.overlays.isEmpty)
    }

    @Test func `the environment is switched for its file only`() {
        var story = Story(files: [("a.json", Story.file), ("b.json", Story.file)])
        story.press("E", "Down", "Enter")
        #expect(story.state.workbench.files.map(\.environment) == ["live", "local"])
        #expect(story.state.notice == Notice(.success, "Environment live"))
        #expect(story.state.workbench.dirtyFiles.isEmpty)
    }

    @Test(arguments: [(120, 34), (80, 24), (60, 18), (40, 10)])
    func `a protected environment colours the frames, and says so`(columns: Int, rows: Int) throws {
        var story = Story(columns: columns, rows: rows)
        #expect(!story.screen.contains("protected"))
        story.perform(.files(.switchEnvironment("live", path: "demo.json")))
        let frame = try #require(story.place(of: rows < 14 ? "┃" : "┏"))
        #expect(story.state.draw().surface[frame.column, frame.row].style.role == .warning)
        let word = try #require(story.place(of: "protected"))
        #expect(story.state.draw().surface[word.column, word.row].style.role == .production)
    }

    @Test func `a collection without environments opens their editor`() {
        var story = Story(file: Story.file(requests: 1))
        story.press("E")
        #expect(story.state.overlays.isEmpty)
        #expect(story.screen.contains("No environments. A adds one."))
        #expect(story.lines.last?.hasPrefix(" A new  w save") ?? false, "nothing else is possible: \(story.screen)")
    }

    // MARK: Several at a time

    @Test func `runs of several requests keep apart, and each is controlled by itself`() {
        var story = Story()
        let first = story.send()
        story.press("Down")
        let second = story.send()
        _ = story.takeEffects()
        story.receive(SampleRun.untilWait, of: first)
        #expect(story.state.run?.attempt == 0)
        #expect(story.state.runs.active.map(\.id) == [first, second])
        story.press("x", "r", "+")
        #expect(story.takeEffects() == [.cancel(second), .retryNow(second), .addAttempts(second, 1)])
        story.press("Up", "x")
        #expect(story.takeEffects() == [.cancel(first)])
        story.press("G", "x")
        #expect(story.takeEffects() == [.cancel(second)], "beside a request that does not run: the latest run")
        story.end(second, .cancelled)
        story.press("r")
        #expect(story.takeEffects() == [.retryNow(first)])
    }

    @Test(arguments: ["x", "r", "+"]) func `with nothing running there is nothing to control`(key: String) {
        var story = Story()
        story.refuse(story.send())
        _ = story.takeEffects()
        story.press(key)
        #expect(story.takeEffects().isEmpty)
        #expect(story.state.notice?.text == "Nothing is running; s sends the request")
    }

    @Test func `the end of a run elsewhere is told`() {
        var story = Story()
        let id = story.send()
        story.press("Down")
        story.finish(id)
        #expect(story.state.notice == Notice(.success, "list users: 200 OK · 705 ms"))
        story.refuse(story.send())
        #expect(story.state.notice == nil, "what is under the eyes needs no notice")
    }

    // MARK: The clock

    @Test func `the screen ticks from the first run to the last, and never while idle`() {
        var story = Story()
        story.receive(.tick)
        #expect(story.takeEffects().isEmpty)
        let first = story.send()
        story.press("Down")
        let second = story.send()
        #expect(story.takeEffects().count { $0 == .tick(after: Runs.tickInterval) } == 1, "one clock for all")
        story.receive(.tick)
        #expect(story.takeEffects() == [.tick(after: Runs.tickInterval)])
        story.end(first, .cancelled)
        story.receive(.tick)
        #expect(story.takeEffects() == [.tick(after: Runs.tickInterval)])
        story.end(second, .cancelled)
        story.receive(.tick)
        #expect(story.takeEffects().isEmpty)
        story.send()
        #expect(story.takeEffects().contains(.tick(after: Runs.tickInterval)), "and starts again")
    }

    @Test func `a run that ended before its tick is followed by one clock only`() {
        var story = Story()
        story.refuse(story.send())
        _ = story.takeEffects()
        story.send()
        #expect(!story.takeEffects().contains(.tick(after: Runs.tickInterval)), "the old tick is still to come")
        story.receive(.tick)
        #expect(story.takeEffects() == [.tick(after: Runs.tickInterval)])
    }

    @Test func `the time of an ended run stands still`() {
        var story = Story()
        let id = story.send()
        story.time = .seconds(1)
        story.end(id, .failure("list users: path: no variable is named \"x\""))
        story.time = .seconds(9)
        story.press("Down", "Up")
        #expect(story.state.run?.elapsed(now: story.time) == .seconds(1))
    }

    @Test func `the key line does not offer to send what runs`() {
        var story = Story()
        story.choose("list users")
        let id = story.send()
        #expect(story.row(33).hasPrefix(" x cancel") && !story.row(33).contains("s send"), "\(story.row(33))")
        story.choose("user by id")
        #expect(story.row(33).contains("s send"), "another request can be sent: \(story.row(33))")
        story.choose("list users")
        story.finish(id)
        #expect(story.row(33).hasPrefix(" s send"), "\(story.row(33))")
    }

    // MARK: Coming back

    @Test func `a response is laid out away from the main thread`() {
        var story = Story()
        let id = story.send()
        _ = story.takeEffects()
        story.end(id, .response(SampleRun.answer))
        guard let viewer = story.state.run?.viewer?.id, let body = SampleRun.answer.body else {
            Issue.record("there is no viewer")
            return
        }
        #expect(story.takeEffects() == [.view(viewer, .read(.data(body), contentType: "application/json"))])
        #expect(story.screen.contains("Reading…"))
        story.readBody()
        #expect(story.screen.contains("\"name\": \"Ada\""))
    }

    @Test(arguments: ResponseTab.allCases)
    func `why a run failed shows in every tab`(tab: ResponseTab) {
        for size in [Size(columns: 120, rows: 34), Size(columns: 80, rows: 24), Size(columns: 60, rows: 18)] {
            var story = Story(columns: size.columns, rows: size.rows)
            story.refuse(story.send())
            story.press("3")
            while story.state.responsePane.tab != tab { story.press("]") }
            #expect(story.screen.contains(SampleRun.refusal), "\(tab) at \(size):\n\(story.screen)")
        }
    }

    @Test func `a click in a list below the reason of a failure is on the row that shows there`() throws {
        var story = Story()
        story.refuse(story.send())
        story.press("3")
        while story.state.responsePane.tab != .timeline { story.press("]") }
        let point = try #require(story.place(of: "0.4 ms"))
        story.perform(.mouse(.click(point)))
        let surface = story.state.draw().surface
        #expect(surface[point.column, point.row].style.traits.contains(.highlight), "\(story.screen)")
    }

    @Test func `why a request could not be sent stands in the response`() {
        var story = Story()
        story.press("s")
        story.end(story.state.runs.lastID, .failure("list users: path: no variable is named \"x\""))
        #expect(story.screen.contains("Path: no variable is named \"x\"") && !story.screen.contains("list users: path"))
        #expect(story.screen.contains("Response ─ not sent: path: no variable is named"), "\(story.screen)")
    }

    private static func broken(_ code: TransportError.Code, _ partial: TransportResponse) -> SessionResult {
        let sentence = "the connection broke"
        var attempt = AttemptReport(
            number: 1, startedAt: .zero, duration: .milliseconds(5), outcome: .failed(.connection, sentence))
        attempt.errorCode = code
        var result = SessionResult(
            .failure(sentence),
            report: RequestReport(
                attempts: [attempt], duration: .milliseconds(5), sla: SampleRun.sla, outcome: .failed(sentence)))
        result.partial = partial
        return result
    }

    @Test(arguments: [
        (TransportError.Code.connectionLost, "200 OK · broken off after 5 B of 100 kB"),
        (.timedOut, "200 OK · timed out after 5 B of 100 kB"),
        (.malformedResponse, "200 OK · invalid after 5 B of 100 kB"),
        (.responseTooLarge, "200 OK · incomplete after 5 B of 100 kB"),
    ])
    func `a response that breaks off keeps its status, its headers and its bytes`(
        code: TransportError.Code, title: String
    ) throws {
        let partial = TransportResponse(
            headers: ["X-Id": "7", "Content-Length": "100000"], statusCode: 200, body: Data("hello".utf8))
        var story = Story()
        let id = story.send()
        story.takeBroken(Self.broken(code, partial), id)
        #expect(story.screen.contains(title), "\(story.screen)")
        let viewer = try #require(story.state.runs[id: id]?.viewer)
        #expect(viewer.interruption == "the connection broke; only this part arrived")
        story.press("3")
        while story.state.responsePane.tab != .headers { story.press("]") }
        #expect(story.screen.contains("Headers 2") && story.screen.contains("X-Id"), "\(story.screen)")
    }

    @Test(arguments: [
        (ResponseTab.expect, "Nothing was checked: the response is not complete."),
        (.tls, "No TLS: the request went over plain HTTP."),
    ])
    func `no tab denies the response that broke off`(tab: ResponseTab, text: String) {
        let partial = TransportResponse(headers: ["X-Id": "7"], statusCode: 200, body: Data("hello".utf8))
        var story = Story()
        story.takeBroken(Self.broken(.connectionLost, partial), story.send())
        story.press("3")
        while story.state.responsePane.tab != tab { story.press("]") }
        #expect(story.screen.contains(text) && !story.screen.contains("No response"), "\(story.screen)")
    }

    @Test func `a long reason and a hint go on in the next lines, and are not cut`() throws {
        var story = Story(columns: 80, rows: 24)
        let words = "the connection to a.host.with.a.long.name.example broke before a response came (empty reply)"
        let id = story.send()
        story.receive([.attemptStarted(number: 1, attempts: 1, at: .zero)], of: id)
        story.end(id, .failure(words))
        story.press("3")
        while story.state.responsePane.tab != .headers { story.press("]") }
        let reason = try #require(story.place(of: "he connection to"))
        #expect(story.row(reason.row + 1).contains("(empty reply)"), "\(story.screen)")
        #expect(story.row(reason.row + 2).contains("No response"), "\(story.screen)")
        story.finish(story.send())
        while story.state.responsePane.tab != .expect { story.press("]") }
        let hint = try #require(story.place(of: "Nothing is expected."))
        #expect(story.row(hint.row + 1).contains("Expect."), "\(story.screen)")
    }

    @Test func `a redirect that is not followed keeps its status, its headers and its body`() throws {
        var story = Story()
        let id = story.send()
        let partial = TransportResponse(headers: ["Location": "/again"], statusCode: 302, body: Data("moved".utf8))
        story.takeBroken(Self.broken(.tooManyRedirects, partial), id)
        #expect(story.screen.contains("302 Found · redirect not followed"), "\(story.screen)")
        let viewer = try #require(story.state.runs[id: id]?.viewer)
        #expect(viewer.interruption == "the connection broke")
    }

    @Test func `a response that was to be retried when the SLA ended is whole`() throws {
        var story = Story()
        let id = story.send()
        var result = Self.broken(.unknown, TransportResponse(headers: [:], statusCode: 503, body: Data("down".utf8)))
        result.report?.attempts[0].errorCode = nil
        result.report?.attempts[0].outcome = .failed(.status, "503 Service Unavailable")
        story.takeBroken(result, id)
        #expect(story.screen.contains("503 Service Unavailable · SLA exceeded"), "\(story.screen)")
        let viewer = try #require(story.state.runs[id: id]?.viewer)
        #expect(viewer.interruption == "the connection broke")
    }

    @Test(arguments: [Size(columns: 120, rows: 34), Size(columns: 80, rows: 24)])
    func `a response names the environment that it came from while another is in use`(size: Size) {
        var story = Story(columns: size.columns, rows: size.rows)
        story.choose("list users")
        story.finish(story.send())
        story.press("3")
        #expect(!story.screen.contains("─ local"))
        story.perform(.files(.switchEnvironment("live", path: "demo.json")))
        #expect(story.screen.contains("Response ─ local ─ 200"), "\(story.screen)")
        story.perform(.files(.switchEnvironment("local", path: "demo.json")))
        #expect(!story.screen.contains("─ local"))
    }

    @Test func `a long name of an environment leaves room for the status`() {
        var story = Story()
        story.finish(story.send())
        guard let run = story.state.run else { return #expect(Bool(false)) }
        let name = String(repeating: "long ", count: 20)
        let text = ResponseTitle.spans(run, from: name, columns: 60).map(\.text).joined()
        #expect(text.contains("long …") && text.prefix(60).contains("200"), "\(text)")
    }

    @Test func `a cancelled run shows how far it came`() {
        var story = Story()
        let id = story.send()
        story.receive(SampleRun.untilWait, of: id)
        story.end(id, .cancelled)
        #expect(story.screen.contains("Response ─ 503 Service Unavailable · cancelled"))
        #expect(story.screen.contains("503 Service Unavailable"))
        #expect(!story.screen.contains("Reading…"))
    }

    @Test func `events of a run that another one replaced are ignored`() {
        var story = Story()
        let old = story.send()
        story.refuse(old)
        let new = story.send()
        let before = story.state
        story.receive(SampleRun.untilWait, of: old)
        story.receive(.run(old, .prepared(SampleRun.sent)))
        story.receive(.viewer(ViewerID(old), .read(.empty)))
        story.end(old, .cancelled)
        #expect(story.state == before)
        #expect(story.state.run?.id == new)
        #expect(story.takeEffects().allSatisfy { if case .view = $0 { false } else { true } })
    }

    @Test func `events of a run that nobody started are ignored`() {
        var story = Story()
        let before = story.state
        story.receive(SampleRun.untilWait, of: 77)
        story.end(77, .response(SampleRun.answer))
        #expect(story.state == before)
        #expect(story.takeEffects().isEmpty)
    }

    @Test func `a run goes on when its request is deleted`() {
        var story = Story()
        let id = story.send()
        story.press("d")
        story.finish(id)
        #expect(story.state.runs.active.isEmpty)
        story.press("u")
        story.choose("list users")
        #expect(story.state.run?.response?.statusCode == 200)
    }

    @Test func `a body shorter than the place it was scrolled to is shown from its start`() {
        var story = Story(columns: 80, rows: 16)
        let id = story.send()
        let long = (0..<50).map(String.init).joined(separator: ",")
        story.finish(id, with: SampleRun.response(200, "[\(long)]"))
        story.press("3", "G")
        story.press("s")
        let next = story.state.runs.lastID
        story.receive(.run(next, .prepared(SampleRun.sent)))
        story.receive(SampleRun.untilWait, of: next)
        story.press("G")
        story.finish(next, with: SampleRun.response(200, "7"))
        #expect(story.screen.contains("1 7"))
    }

    @Test func `on a folder the request beside it is not sent`() {
        var story = Story()
        story.choose("list users")
        story.choose("users")
        _ = story.takeEffects()
        story.press("s")
        #expect(story.takeEffects() == [])
        #expect(story.screen.contains("Run users"))
        story.press("Esc", "2", "s")
        #expect(story.takeEffects() == [], "beside it are the settings of the folder")
        #expect(story.screen.contains("Run users"))
    }
}

extension Story {
    /// Sends to a protected environment, up to the question.
    fileprivate mutating func ask(isReady: Bool = true, sourceLocation: SourceLocation = #_sourceLocation) {
        press("s")
        endCheck(isReady: isReady, sourceLocation: sourceLocation)
    }

    /// Ends the check of what is sent to a protected environment.
    mutating func endCheck(isReady: Bool = true, sourceLocation: SourceLocation = #_sourceLocation) {
        guard case .check(_, let run)? = takeEffects().first else {
            Issue.record("nothing is checked", sourceLocation: sourceLocation)
            return
        }
        receive(.checked(run, isReady: isReady))
    }
}

extension Story {
    fileprivate mutating func takeBroken(_ result: SessionResult, _ id: RunID) {
        if let report = result.report {
            receive([.attemptStarted(number: 1, attempts: 1, at: .zero), .finished(report)], of: id)
        }
        receive(.run(id, .ended(result)))
    }
}
