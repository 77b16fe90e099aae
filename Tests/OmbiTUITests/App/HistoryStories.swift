import Foundation
import OmbiCore
import OmbiTerminal
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// The runs of before, on the screen.
@Suite struct HistoryStories {
    static let start = Date(timeIntervalSince1970: 1_800_000_000)

    static func entry(_ id: Int, _ path: ItemPath, status: Int = 200) -> HistoryEntry {
        HistoryEntry(
            id: id, request: path, environment: "local", startedAt: start.addingTimeInterval(Double(id)),
            duration: .milliseconds(10 * id), method: "GET", url: "http://127.0.0.1:8080/users",
            outcome: status < 400 ? .passed : .failed, status: status,
            failure: status < 400 ? nil : "503 Service Unavailable", attempts: 1, size: 87)
    }

    static func recorded(_ id: Int, _ path: ItemPath, body: String) -> RecordedRun {
        var result = SessionResult(
            .response(TransportResponse(headers: ["X-Old": "yes"], statusCode: 200, body: Data(body.utf8))))
        result.prepared = PreparedRequest(
            url: "http://127.0.0.1:8080/users", method: .get, headers: [], sla: .init(.seconds(2)), attempts: .init(1))
        result.report = RequestReport(
            attempts: [
                AttemptReport(number: 1, startedAt: .zero, duration: .milliseconds(10 * id), outcome: .succeeded)
            ],
            duration: .milliseconds(10 * id), sla: .seconds(2), outcome: .succeeded)
        return RecordedRun(entry: entry(id, path), result: result)
    }

    /// A story in which the history of the chosen request is on the screen.
    static func story(
        rows: Int = 34, _ entries: (ItemPath) -> [HistoryEntry]
    ) -> (Story, ItemPath) {
        var story = Story(rows: rows)
        story.choose("list users")
        _ = story.takeEffects()
        story.press("H")
        guard case .history(.show(let path, _, _, _))? = story.takeEffects().last else {
            return (story, ItemPath(file: ""))
        }
        let entries = entries(path)
        let runs = entries.map {
            HistoryStatistics.Run(startedAt: $0.startedAt, duration: $0.duration, outcome: $0.outcome, attempts: 1)
        }
        let statistics = HistoryStatistics(
            runs: runs, attempts: entries.map(\.duration), failures: [.init("status 503", 1)],
            now: Self.start.addingTimeInterval(60))
        story.receive(
            .history(
                .shown(RequestHistory(request: path, entries: entries, count: entries.count, statistics: statistics))))
        return (story, path)
    }

    @Test func `runs of less than a millisecond have bars like any others`() {
        let (story, _) = Self.story { path in
            [200, 500, 900].map { microseconds in
                var entry = Self.entry(microseconds, path)
                entry.duration = .microseconds(microseconds)
                return entry
            }
        }
        #expect(story.lines.filter { $0.contains("0.2 ms") || $0.contains("0.5 ms") }.count == 2, "\(story.screen)")
    }

    @Test func `H shows the runs of the request, the newest first`() {
        let (story, path) = Self.story { [Self.entry(2, $0), Self.entry(1, $0, status: 503)] }
        #expect(path == ItemPath(file: "demo.json", path: ["users", "list users"]))
        #expect(story.screen.contains("History 2"))
        let rows = story.lines.filter { $0.contains("local") && $0.contains(" ms") && $0.contains("87 B") }
        #expect(rows.count == 2)
        #expect(rows.first?.contains("✓ 200") == true && rows.first?.contains("20 ms") == true)
        #expect(rows.last?.contains("✗ 503") == true && rows.last?.contains("503 Serv") == false)
    }

    @Test func `Enter opens a response with all its tabs, and says that it is an old one`() {
        var (story, path) = Self.story { [Self.entry(2, $0), Self.entry(1, $0)] }
        story.press("Down", "Enter")
        guard case .history(.open(1, let asked, let item))? = story.takeEffects().last else {
            Issue.record("nothing was opened")
            return
        }
        #expect(asked == path && item == story.state.workbench.selected)
        story.receive(
            .history(.opened(Self.recorded(1, path, body: "{}"), HistoryPlace(number: 2, count: 2), for: item)))
        let effects = story.takeEffects()
        #expect(effects.contains { if case .view(_, .read) = $0 { true } else { false } })
        #expect(story.screen.contains("2 of 2, " + HistoryTab.time(Self.start.addingTimeInterval(1))))
        #expect(story.state.run?.recorded?.entry.id == 1)
        // The list of requests shows runs of this session only.
        #expect(story.state.runs.summary(of: item) == nil)
        story.press("]")
        #expect(story.screen.contains("X-Old"))
    }

    @Test func `a stream shows where it arrives, whatever tab was open`() {
        var (story, _) = Self.story { [Self.entry(1, $0)] }
        story.press("s")
        let id = story.state.runs.lastID
        story.receive(.run(id, .prepared(SampleRun.sent)))
        story.press("]")
        #expect(story.state.responsePane.tab == .headers)
        let head = ResponseHead(
            url: URL(filePath: "/users/42"), statusCode: 200, headers: ["Content-Type": "text/event-stream"])
        story.receive([.attemptStarted(number: 1, attempts: 1, at: .zero)], of: id)
        story.receive([.headReceived(attempt: 1, head, at: .zero)], of: id)
        #expect(story.state.responsePane.tab == .body)
        story.press("]")
        #expect(story.state.responsePane.tab == .headers, "once is enough")
    }

    @Test func `another request has no count of runs before it was asked for`() {
        var (story, _) = Self.story { [Self.entry(2, $0), Self.entry(1, $0)] }
        story.press("[")
        #expect(story.screen.contains("History 2"))
        story.choose("create user")
        #expect(!story.screen.contains("History 2"))
    }

    @Test func `where no runs are kept the history says why, and not to send`() {
        var (story, _) = Self.story { _ in [] }
        #expect(story.screen.contains("No run is in the history yet. s sends the request."))
        story.state.workbench.editRequest { $0.isRecorded = false }
        for tab in [ResponseTab.history, .statistics] {
            story.press("3", "Alt+\(tab.number)")
            #expect(story.screen.contains("Its runs are not kept: history is no in the tab About."), "\(story.screen)")
        }
        story.state.workbench.editRequest { $0.isRecorded = true }
        story.state.workbench.edit(path: "demo.json", "edit local") { $0.environments[0].isRecorded = false }
        #expect(story.screen.contains("Runs in local are not kept in the history; E Tab changes that."))
    }

    @Test func `the number of runs grows with each that is recorded, while another tab shows`() {
        var (story, path) = Self.story { [Self.entry(2, $0), Self.entry(1, $0)] }
        story.press("[")
        story.finish(story.send())
        #expect(story.screen.contains("History 3"), "\(story.screen)")
        story.refuse(story.send())
        #expect(story.screen.contains("History 4"))
        story.press("s")
        story.receive(.run(story.state.runs.lastID, .ended(SessionResult(.failure("unknown variable \"nope\"")))))
        #expect(story.screen.contains("History 4"), "it was not sent")
        #expect(!story.takeEffects().contains(.history(.show(path))))
    }

    @Test func `H on a line of text shows the history of the request`() {
        var story = Story()
        story.finish(story.send(), with: SampleRun.response(200, "plain text"))
        story.press("3", "H")
        #expect(story.state.responsePane.tab == .history && story.topOverlay == nil)
    }

    @Test func `comma and full stop step through the responses and keep the tab`() {
        var (story, path) = Self.story { [Self.entry(2, $0), Self.entry(1, $0)] }
        let item = story.state.workbench.selected ?? ItemID()
        story.receive(
            .history(.opened(Self.recorded(2, path, body: "{}"), HistoryPlace(number: 1, count: 2), for: item)))
        story.press("]")
        _ = story.takeEffects()
        #expect(!story.row(33).contains(". newer"), "the newest of the history has none after it")
        story.press(",")
        #expect(story.takeEffects() == [.history(.step(from: 2, isOlder: true, skipping: 0, of: path, for: item))])
        story.receive(
            .history(.opened(Self.recorded(1, path, body: "{}"), HistoryPlace(number: 2, count: 2), for: item)))
        #expect(story.state.responsePane.tab == .headers)
        #expect(story.row(33).hasPrefix(" . newer  s send  "), "\(story.row(33))")
        story.receive(.history(.end(isOlder: true)))
        #expect(story.screen.contains("There is no older run in the history"))
        story.press(".")
        #expect(story.effects.contains(.history(.step(from: 1, isOlder: false, skipping: 0, of: path, for: item))))
    }

    @Test func `the response of this session is the newest one`() {
        var (story, path) = Self.story { [Self.entry(2, $0)] }
        let item = story.state.workbench.selected ?? ItemID()
        story.press("s")
        let id = story.state.runs.lastID
        story.press(",")
        #expect(story.screen.contains("The request is running"))
        story.receive(.run(id, .prepared(SampleRun.sent)))
        story.receive(.run(id, .ended(SessionResult(.failure("refused")))))
        // The list is asked for anew, as it has one run more.
        story.press("H")
        #expect(story.takeEffects().contains(.history(.show(path))))
        story.press(".")
        #expect(story.screen.contains("This is the newest run"))
        story.press(",")
        #expect(story.takeEffects() == [.history(.step(from: nil, isOlder: true, skipping: 1, of: path, for: item))])
    }

    @Test func `H on a value shows it over time`() {
        var story = Story()
        story.choose("user by id")
        let headers: RequestHeaders = ["Content-Type": "application/json"]
        story.finish(
            story.send(),
            with: TransportResponse(headers: headers, statusCode: 200, body: Data("{\"stock\": 9}".utf8)))
        story.press("3", "H")
        // On the whole body it is that of the request.
        #expect(story.state.responsePane.tab == .history)
        story.press("[", "[", "[", "[", "Down")
        _ = story.takeEffects()
        story.press("H")
        guard case .history(.values(let value, let path))? = story.takeEffects().last else {
            Issue.record("nothing was asked")
            return
        }
        #expect(value == "$['stock']" || value == "$.stock")
        #expect(path.path.last == "user by id")
        let periods = [(9, 1), (12, 2)].map { number, runs in
            ValueHistory.Period(
                value: String(number), runs: runs, firstRun: 1, first: Self.start, last: Self.start)
        }
        story.receive(.history(.values(ValueHistory(path: value, periods: periods, runs: 3, isCut: false))))
        #expect(story.screen.contains("██▁"))
        #expect(story.screen.contains("1 change in 3 runs; the last one " + HistoryTab.time(Self.start)))
        #expect(story.screen.contains("12  2×"))
    }

    @Test func `a run is deleted after a question`() {
        var (story, path) = Self.story { [Self.entry(2, $0), Self.entry(1, $0)] }
        story.press("d")
        #expect(story.screen.contains("from the history?"))
        story.press("n")
        #expect(!story.takeEffects().contains(.history(.delete([2], of: path))))
        story.press("d", "y")
        #expect(story.takeEffects().contains(.history(.delete([2], of: path))))
    }

    @Test func `another request has a history of its own`() {
        var (story, _) = Self.story { [Self.entry(2, $0)] }
        story.choose("user by id")
        let asked = story.takeEffects().compactMap { effect in
            if case .history(.show(let path, _, _, _)) = effect { path } else { nil }
        }
        #expect(asked.last?.path.last == "user by id")
        // What was read of the other one does not show while this one is read.
        #expect(!story.screen.contains("87 B"))
    }

    @Test func `runs that end while another tab shows are there when H is pressed`() {
        var (story, path) = Self.story { [Self.entry(2, $0)] }
        story.state.responsePane.show(.body)
        for _ in 0..<2 {
            let id = story.send()
            story.receive(.run(id, .ended(SessionResult(.failure("refused")))))
        }
        #expect(!story.takeEffects().contains(.history(.show(path))))
        story.press("H")
        #expect(story.takeEffects().filter { $0 == .history(.show(path)) }.count == 1)
    }

    @Test func `a run that ends while the answer is awaited is asked for after it`() {
        var (story, path) = Self.story { [Self.entry(2, $0)] }
        for _ in 0..<3 {
            let id = story.send()
            story.state.responsePane.show(.history)
            story.receive(.run(id, .ended(SessionResult(.failure("refused")))))
        }
        #expect(story.takeEffects().filter { $0 == .history(.show(path)) }.count == 1)
        let entries = [Self.entry(2, path)]
        let statistics = HistoryStatistics(runs: [], attempts: [], now: Self.start)
        let shown = RequestHistory(request: path, entries: entries, count: 1, statistics: statistics)
        story.receive(.history(.shown(shown)))
        #expect(story.takeEffects().filter { $0 == .history(.show(path)) }.count == 1)
        story.receive(.history(.shown(shown)))
        #expect(!story.takeEffects().contains(.history(.show(path))))
    }

    @Test func `Statistics sums the runs up`() {
        var (story, _) = Self.story(rows: 60) { path in
            (1...30).reversed().map { Self.entry($0, path, status: $0 == 7 ? 503 : 200) }
        }
        story.press("]")
        let screen = story.screen
        #expect(screen.contains("30") && screen.contains("eventually"))
        #expect(screen.contains("96.7 %"))
        #expect(screen.contains("p50 150 ms") && screen.contains("p95 290 ms"))
        #expect(screen.contains("29 of 30 runs; error budget exhausted (objective 99 %)"))
        #expect(screen.contains("1×") && screen.contains("status 503"))
        #expect(screen.contains("proposed"))
    }

    @Test func `an objective that changes is asked for, and the answer for the one before is not shown`() throws {
        var (story, path) = Self.story(rows: 60) { path in (1...30).reversed().map { Self.entry($0, path) } }
        story.press("]")
        _ = story.takeEffects()
        let item = try #require(story.state.workbench.selected)
        story.state.workbench.edit(item) { collection in
            collection.update(item) { $0.objective = Objective(success: 95, within: .milliseconds(500)) }
        }
        story.press("j")
        let environment = try #require(story.state.workbench.environment?.name)
        let asked = HistoryQuery.show(path, within: .milliseconds(500), environment: environment)
        #expect(story.takeEffects().contains(.history(asked)))
        var answer = try #require(story.state.runs.history)
        story.receive(.history(.shown(answer)))
        #expect(!story.screen.contains("of 95 % left"), "\(story.screen)")
        (answer.within, answer.environment) = (.milliseconds(500), environment)
        story.receive(.history(.shown(answer)))
        #expect(story.screen.contains("in 500ms, 1 h") && story.screen.contains("of 95 % left"), "\(story.screen)")
        story.press("j")
        #expect(!story.takeEffects().contains(.history(asked)))
    }

    @Test(arguments: [
        ("last 20", StatisticsRange.last(20)), ("20", .last(20)), ("since 14:05", .since("14:05")),
        ("2h", .since("2h")),
        ("2026-11-23 14:05", .since("2026-11-23 14:05")), ("ALL", .all), ("", .all),
        ("14:05..14:20", .between("14:05..14:20")), ("2h..", .between("2h..")),
    ])
    func `a range of runs is typed as on the command line`(text: String, range: StatisticsRange) {
        #expect(StatisticsRange(text) == range)
        #expect(StatisticsRange(range.text) == range)
    }

    @Test(arguments: [
        "last", "last 0", "-3", "since", "since yesterday", "all 3", "25:00", "..", "14:05..x", "2h.. html",
    ])
    func `any other range is refused`(text: String) { #expect(StatisticsRange(text) == nil) }

    @Test func `a slash in Statistics limits it, and its rows have the phases`() {
        var (story, path) = Self.story(rows: 60) { path in (1...30).reversed().map { Self.entry($0, path) } }
        story.press("]")
        #expect(story.row(59).contains("/ limit"), "\(story.row(59))")
        _ = story.takeEffects()
        story.press("/")
        story.replace(with: "last")
        story.press("Enter")
        #expect(story.screen.contains("✗ Write last 20, since 14:05"), "\(story.screen)")
        story.replace(with: "20")
        story.press("Enter")
        #expect(story.takeEffects() == [.history(.show(path, .last(20)))])
        let entries = (1...30).reversed().map { Self.entry($0, path) }
        let times = entries.prefix(20).map(\.duration)
        var statistics = HistoryStatistics(
            runs: entries.prefix(20).map {
                .init(startedAt: $0.startedAt, duration: $0.duration, outcome: $0.outcome, attempts: 1)
            }, attempts: times, now: Self.start)
        statistics.phases = HistoryStatistics.Percentiles(times).map { [.init(.wait, attempts: 20, times: $0)] } ?? []
        story.receive(
            .history(
                .shown(
                    RequestHistory(
                        request: path, entries: entries, count: 30, statistics: statistics, range: .last(20)))))
        #expect(story.screen.contains("limited to") && story.screen.contains("last 20  of 30 runs"), "\(story.screen)")
        #expect(story.lines.contains { $0.contains("  wait ") && $0.contains("p50 200 ms") }, "\(story.screen)")
        story.press("[")
        #expect(story.screen.contains("History 30"), "all of them are listed")
    }

    @Test func `at 60 columns there are no years and no bars, and nothing is cut`() {
        var (story, _) = Self.story { path in
            [Self.entry(4, path), Self.entry(2, path), Self.entry(1, path, status: 503)]
        }
        let row = { (story: Story, text: String) in story.lines.first { $0.contains(text) && $0.contains("87 B") } ?? ""
        }
        #expect(row(story, "20 ms").contains("█"), "\(story.screen)")
        story.receive(.resized(Size(columns: 60, rows: 18)))
        let year = HistoryTab.time(Self.start).prefix(5)
        for text in ["20 ms", "10 ms"] {
            #expect(row(story, text).contains("87 B") && !row(story, text).contains("█"), "\(story.screen)")
            #expect(!row(story, text).contains(year), "\(story.screen)")
        }
    }

    @Test func `bars begin at zero and are as long as the durations`() {
        let (story, _) = Self.story { path in
            [Self.entry(80, path), Self.entry(40, path), Self.entry(10, path), Self.entry(0, path)]
        }
        let rows = story.lines.filter { $0.contains("87 B") }
        #expect(rows.map { $0.count { $0 == "█" } } == [8, 4, 1, 0])
        #expect(rows.last?.contains("▏") == true)
    }

    @Test func `the timelines of runs that are stepped through have one axis`() throws {
        var (story, path) = Self.story { [Self.entry(90, $0), Self.entry(6, $0)] }
        let item = try #require(story.state.workbench.selected)
        func open(_ id: Int, _ number: Int, _ story: inout Story) {
            let run = Self.recorded(id, path, body: "{}")
            story.receive(.history(.opened(run, HistoryPlace(number: number, count: 2), for: item)))
        }
        open(6, 2, &story)
        while story.state.responsePane.tab != .timeline { story.press("]") }
        // 60 ms end at 100 ms, 900 ms at 1 s.
        #expect(story.screen.contains("25 ms"), "\(story.screen)")
        open(90, 1, &story)
        #expect(story.screen.contains("250 ms") && !story.screen.contains(" 25 ms"), "\(story.screen)")
        open(6, 2, &story)
        #expect(story.screen.contains("250 ms") && !story.screen.contains(" 25 ms"), "\(story.screen)")
        story.finish(story.send(), with: SampleRun.answer)
        #expect(story.state.run?.longest == .zero, "a new run has an axis of its own")
    }

    @Test func `requests that move to another file take their history along, once both are saved`() throws {
        let shop = """
            { "version": 1, "name": "shop", "environments": [{ "name": "only", "host": "https://shop.test" }], "items": [] }
            """
        var story = Story(files: [("demo.json", Story.file), ("shop.json", shop)])
        story.choose("list users")
        story.press("m")
        story.type("shop")
        story.press("Enter")
        _ = story.takeEffects()
        story.press("w")
        var moves: [[ItemPath]] = []
        for _ in 0..<4 {
            for effect in story.takeEffects() {
                switch effect {
                case .save(let path, let collection, _, _):
                    story.receive(.saved(path: path, collection, Fingerprint(bytes: [])))
                case .history(.move(let old, let new)): moves.append([old, new])
                default: break
                }
            }
        }
        let old = ItemPath(file: "demo.json", path: ["users", "list users"])
        let new = ItemPath(file: "shop.json", path: ["list users"])
        #expect(moves.contains([old, new]) && moves.allSatisfy { $0 == [old, new] }, "\(moves)")
    }

    @Test func `what somebody else renames in the file takes its history along`() {
        var story = Story()
        let renamed = Story.file.replacing("\"list users\"", with: "\"all users\"")
        story.receive(.changed(Story.loaded(renamed)))
        let moves = story.takeEffects().compactMap { effect in
            if case .history(.move(let old, let new)) = effect { [old.path, new.path] } else { nil }
        }
        #expect(moves == [[["users", "list users"], ["users", "all users"]]], "\(story.screen)")
    }

    @Test func `I in Statistics writes the report of the time that was slow or failed`() {
        var (story, _) = Self.story(rows: 60) { path in
            (1...30).reversed().map { Self.entry($0, path, status: (10...15).contains($0) ? 503 : 200) }
        }
        story.press("]")
        story.command("Write the report of an incident")
        #expect(story.screen.contains("Report of an incident"))
        let minutes = [Self.start.addingTimeInterval(10), Self.start.addingTimeInterval(75)].map { date in
            String(HistoryTab.time(date).prefix(16)).replacing(" ", with: "T")
        }
        #expect(story.screen.contains("\(minutes[0])..\(minutes[1])"), "\(story.screen)")
        story.press("Enter")
        #expect(story.takeEffects().last == .writeIncident("\(minutes[0])..\(minutes[1])", of: ["demo.json"]))
    }

    @Test func `until a new name is saved, runs stand under the one before`() throws {
        var story = Story()
        story.choose("list users")
        story.press("R")
        story.replace(with: "all users")
        story.press("Enter")
        _ = story.takeEffects()
        story.press("s")
        let orders = story.takeEffects().compactMap { if case .send(let order) = $0 { order } else { nil } }
        let old = ItemPath(file: "demo.json", path: ["users", "list users"])
        #expect(orders.map(\.request.name) == ["all users"] && orders.map(\.itemPath) == [old])
        story.press("H")
        #expect(story.takeEffects().contains(.history(.show(old))), "with those before it was renamed")
        story.press("1", "w")
        for case .save(let path, let collection, _, _) in story.takeEffects() {
            story.receive(.saved(path: path, collection, Fingerprint(bytes: [])))
        }
        let effects = story.takeEffects()
        let new = ItemPath(file: "demo.json", path: ["users", "all users"])
        let moved = try #require(effects.firstIndex(of: .history(.move(old, to: new))))
        let shown = try #require(effects.firstIndex(of: .history(.show(new))))
        #expect(moved < shown)
    }

    @Test func `a renamed request takes its history along when it is saved`() throws {
        var story = Story()
        story.choose("list users")
        story.press("R")
        story.replace(with: "all users")
        story.press("Enter")
        story.press("w")
        guard case .save(let path, let collection, _, _)? = story.takeEffects().last else {
            Issue.record("nothing was saved")
            return
        }
        story.receive(.saved(path: path, collection, Fingerprint(bytes: [])))
        let moves = story.takeEffects().compactMap { effect in
            if case .history(.move(let old, let new)) = effect { [old.path, new.path] } else { nil }
        }
        #expect(moves == [[["users", "list users"], ["users", "all users"]]])
    }
}
