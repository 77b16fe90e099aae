import Foundation
import OmbiCore
import OmbiDocument
import OmbiTerminal
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// Requests that are sent again, and compared with what they answered before.
@Suite struct ReplayStories {
    private static func side(_ environment: String, _ status: Int?, _ body: String) -> RunComparison.Side {
        RunComparison.Side(
            run: 1, environment: environment, startedAt: Date(timeIntervalSince1970: 1_800_000_000),
            outcome: status == nil ? .error : .passed, status: status, failure: status == nil ? "no route" : nil,
            duration: .milliseconds(12), attempts: 1, body: Data(body.utf8), missingBody: nil)
    }

    private static func comparison(_ old: String, _ new: String, status: Int? = 200) -> RunComparison {
        RunComparison(
            ItemPath(file: "demo.json", path: ["users"]), from: side("local", 200, old),
            to: side("live", status, new))
    }

    /// The questions to the history among the effects so far, which are forgotten, and the orders.
    private static func take(_ story: inout Story) -> (orders: [RunOrder], questions: [ReplayQuestion]) {
        let effects = story.takeEffects()
        return (
            effects.compactMap { if case .send(let order) = $0 { order } else { nil } },
            effects.compactMap { if case .history(.judge(let question)) = $0 { question } else { nil } }
        )
    }

    /// A story in which the folder is replayed in `live`, with the orders that went out.
    private static func replay(columns: Int = 120) -> (Story, [RunOrder]) {
        var story = Story(columns: columns)
        story.choose("users")
        story.command("Replay in an environment, and compare with recorded responses")
        #expect(story.screen.contains("Replay and compare with local"))
        let rows = ["api.example.com", "again, since"].map { note in story.lines.firstIndex { $0.contains(note) } ?? 99
        }
        #expect(rows[0] < rows[1], "another one first")
        story.type("live")
        story.press("Enter")
        return (story, take(&story).orders)
    }

    @Test func `C sends what reads to another environment, and says what it left out`() {
        let (story, orders) = Self.replay()
        #expect(orders.map(\.request.name) == ["list users", "user by id"])
        #expect(orders.map(\.environment) == ["live", "live"])
        #expect(story.screen.contains("Replay of demo › users"))
        #expect(story.screen.contains("compared with local"))
        #expect(story.screen.contains("1 that may change something left out"))
        #expect(story.screen.contains("Changed"))
    }

    @Test func `a run after a replay is proposed one request at a time`() {
        var (story, orders) = Self.replay()
        for order in orders { story.pass(order.id) }
        story.press("Esc")
        story.choose("users")
        story.press("s")
        #expect(story.lines.contains { $0.contains("At a time              1") }, "\(story.screen)")
    }

    @Test func `each response is compared with the recorded one, and Enter shows the values`() {
        var (story, orders) = Self.replay()
        story.pass(orders[0].id)
        let question = Self.take(&story).questions.first
        #expect(question?.request == ItemPath(file: "demo.json", path: ["users", "list users"]))
        #expect(question?.target == ReplayTarget(environment: "live", baseline: "local"))
        guard let question else { return }
        story.receive(
            .history(
                .judged(
                    question, .compared(Self.comparison("{\"total\":3,\"a\":1}", "{\"total\":4,\"a\":1,\"b\":[]}")))))
        #expect(story.screen.contains("2 diff."))
        #expect(story.screen.contains("1 differs"))
        story.press("g")
        #expect(story.screen.contains("local 200 in 12 ms → live 200 in 12 ms · 2 values differ; Enter shows it"))
        story.press("Enter")
        #expect(story.screen.contains("~ $.total  3 → 4"))
        #expect(story.screen.contains("+ $.b      []"))
        story.press("Esc", "o")
        #expect(story.request?.name == "list users")
    }

    @Test func `values that differ from run to run are proposed, and i lets them differ`() {
        var (story, orders) = Self.replay()
        story.pass(orders[0].id)
        guard let question = Self.take(&story).questions.first else { return }
        story.receive(
            .history(.judged(question, .compared(Self.comparison("{\"at\":3,\"a\":1}", "{\"at\":4,\"a\":2}")))))
        story.press("g", "Enter")
        let asked = story.takeEffects().compactMap { effect in
            if case .history(.volatile(let question)) = effect { question } else { nil }
        }
        guard let volatile = asked.first else {
            Issue.record("the history was not asked")
            return
        }
        #expect(volatile.ignored == [])
        story.press("a")
        #expect(story.screen.contains("~ $.at"), "nothing is proposed yet")
        #expect(!story.screen.contains("a let differ") && !story.screen.contains("s send"), "\(story.screen)")
        story.receive(.history(.volatile([VolatilePath(path: "$.at", changes: 5, comparisons: 7)], volatile)))
        #expect(story.screen.contains("$.at  in 5 of 7 runs"), "\(story.screen)")
        #expect(story.screen.contains("a let differ"), "\(story.screen)")
        story.press("a")
        #expect(story.screen.contains("1 path may differ from the next comparison on"), "\(story.screen)")
        story.press("o")
        #expect(story.request?.ignoredPaths == ["$.at"])
        story.press("u")
        #expect(story.request?.ignoredPaths == [])
    }

    @Test func `all the same is said, and so is what could not be compared`() {
        var (story, orders) = Self.replay()
        for order in orders { story.pass(order.id) }
        let questions = Self.take(&story).questions
        #expect(questions.count == 2)
        guard questions.count == 2 else { return }
        story.receive(.history(.judged(questions[0], .compared(Self.comparison("{}", " { } ")))))
        story.receive(.history(.judged(questions[1], .none("no run in local"))))
        #expect(story.screen.contains("none differs · 1 without an earlier run"), "\(story.screen)")
        story.press("g")
        #expect(story.screen.contains("same"))
        story.press("G")
        #expect(story.screen.contains("Nothing to compare with: no run in local."))
    }

    @Test func `what is not the same can be filtered, and no response is never the same`() {
        var (story, orders) = Self.replay()
        for order in orders { story.pass(order.id) }
        let questions = Self.take(&story).questions
        guard questions.count == 2 else { return }
        story.receive(.history(.judged(questions[0], .compared(Self.comparison("{}", "{}")))))
        story.receive(.history(.judged(questions[1], .compared(Self.comparison("{}", "", status: nil)))))
        story.press("/")
        story.type("differs")
        #expect(story.screen.contains("1 match"))
        #expect(story.screen.contains("no resp."))
    }

    @Test func `an answer for an earlier replay changes nothing`() {
        var (story, orders) = Self.replay()
        for order in orders { story.pass(order.id) }
        let questions = Self.take(&story).questions
        story.press("s")
        story.type("live")
        story.press("Enter")
        _ = story.takeEffects()
        guard let old = questions.first else { return }
        story.receive(.history(.judged(old, .compared(Self.comparison("{\"a\":1}", "{\"a\":2}")))))
        #expect(!story.screen.contains("1 diff."))
    }

    @Test func `a single request is replayed as well; one that changes something is not`() {
        var story = Story()
        story.choose("user by id")
        story.perform(.batch(.chooseReplay))
        story.press("Enter")
        #expect(Self.take(&story).orders.map(\.request.name) == ["user by id"])
        var other = Story()
        other.choose("create user")
        other.perform(.batch(.chooseReplay))
        other.press("Enter")
        #expect(Self.take(&other).orders.isEmpty)
        #expect(other.screen.contains("nothing to replay, as all of it may change something"))
    }

    @Test func `it fits into 80 columns`() {
        let (story, _) = Self.replay(columns: 80)
        #expect(story.screen.contains("Changed"))
    }

    @Test func `paths that may differ are edited as one line`() throws {
        var request = SavedRequest(name: "r", path: "/")
        let field = try #require(RequestField.alone.first { $0.label == "may differ" })
        #expect(throws: FieldError.self) { try field.write(&request, "total") }
        try field.write(&request, "$.total, $.items[*].id")
        #expect(request.ignoredPaths == ["$.total", "$.items[*].id"])
        #expect(field.read(request) == "$.total $.items[*].id")
        field.clear(&request)
        #expect(request.comparison == nil)
        let rows = RequestForm.rows(of: .about, in: request, inheritance: nil)
        #expect(rows.contains { $0.name == "may differ" && $0.note.contains("$.items[*].id") })
    }

    // MARK: Side by side

    @Test func `a request goes to all environments at once, with their timelines on one axis`() {
        var story = Story()
        story.choose("user by id")
        story.perform(.batch(.chooseReplay))
        story.type("all env")
        story.press("Enter")
        let orders = Self.take(&story).orders
        #expect(orders.map(\.environment) == ["local", "live"])
        #expect(Set(orders.map(\.request.id)).count == 2)
        #expect(orders.allSatisfy { $0.itemPath.path == ["users", "user by id"] })
        #expect(story.screen.contains("user by id in 2 environments"))
        guard orders.count == 2 else { return }
        for (order, length) in zip(orders, [10, 40]) {
            story.receive(.run(order.id, .prepared(SampleRun.sent)))
            story.receive([.attemptStarted(number: 1, attempts: 1, at: .zero)], of: order.id)
            let attempt = AttemptReport(
                number: 1, startedAt: .zero, duration: .milliseconds(length),
                metrics: TransportMetrics(timings: Timings(wait: .milliseconds(length))), outcome: .succeeded,
                response: TransportResponse(statusCode: 200))
            let report = RequestReport(
                attempts: [attempt], duration: .milliseconds(length), sla: nil, outcome: .succeeded)
            story.time = .milliseconds(length)
            story.receive([.attemptFinished(attempt), .finished(report)], of: order.id)
            story.end(order.id, .response(SampleRun.response(200, "{}")))
        }
        let bars = story.lines.filter { $0.contains("▓") && !$0.contains("wait") || $0.contains("▓▓") }
        #expect(bars.count == 2, "\(story.screen)")
        let lengths = bars.map { line in line.count { $0 == "▓" } }
        #expect(lengths.first ?? 0 > 0 && (lengths.last ?? 0) >= 3 * (lengths.first ?? 0), "\(lengths)")
        #expect(story.lines.contains { $0.contains("local  200 OK  10 ms") })
        #expect(story.lines.contains { $0.contains("live   200 OK  40 ms") })
        story.press("Esc")
        #expect(story.state.overlays.isEmpty)
    }

    @Test func `what may change something goes to no environment but the chosen one`() {
        var story = Story()
        story.choose("create user")
        story.perform(.batch(.chooseReplay))
        story.type("all env")
        story.press("Enter")
        #expect(Self.take(&story).orders.isEmpty)
        #expect(story.screen.contains("only what reads is sent to all environments"))
    }

    // MARK: Incidents

    @Test(arguments: ["2h", "1h..", "90m har", "14:05..14:20", "2026-11-22T14:05..14:20"])
    func `each form that the question about an incident names is taken`(range: String) {
        var story = Story()
        story.perform(.app(.askForIncident))
        story.replace(with: range)
        story.press("Enter")
        #expect(story.takeEffects().last == .writeIncident(range, of: ["demo.json"]))
    }

    @Test(arguments: ["bundle", " html", "har"])
    func `a form alone is about the time that the question proposes`(form: String) {
        var story = Story()
        story.perform(.app(.askForIncident))
        // It takes the place of the time, which is selected.
        story.type(form)
        story.press("Enter")
        #expect(story.takeEffects().last == .writeIncident("1h.. \(form.trimmingPrefix(" "))", of: ["demo.json"]))
    }

    @Test func `the palette asks for the time of an incident, and says what to write`() {
        var story = Story()
        story.press(":")
        story.type("incident")
        story.press("Enter")
        #expect(story.screen.contains("Report of an incident"))
        story.replace(with: "14:05")
        story.press("Enter")
        #expect(story.screen.contains("Write 14:05..14:20"))
        story.replace(with: "14:05..14:20 html")
        story.press("Enter")
        #expect(story.takeEffects().last == .writeIncident("14:05..14:20 html", of: ["demo.json"]))
    }

    @Test func `an order of a report has a range and a form`() throws {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        #expect(try IncidentOrder("2h..", now: now).format == .markdown)
        #expect(try IncidentOrder(" 2h.. html", now: now).format == .html)
        #expect(try IncidentOrder("2h..1h har", now: now).format == .har)
        #expect(throws: IncidentRange.Failure.self) { try IncidentOrder("2h.. pdf", now: now) }
    }
}
