import OmbiCore
import OmbiTerminal
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// Another policy, tried on the recorded runs, and the runs in the rows of their requests.
@Suite struct PolicyStories {
    private static let failing: [PolicySimulation.Run] = (0..<20).map { index in
        .init(
            attempts: [.init(duration: .milliseconds(100), ending: index % 4 == 0 ? .failed : .passed)],
            duration: .milliseconds(100), passed: index % 4 != 0, sla: .seconds(2))
    }

    /// A story with the simulator of the chosen request on the screen.
    private static func story(columns: Int = 120, rows: Int = 34) throws -> Story {
        var (story, path) = HistoryStories.story(rows: rows) { [HistoryStories.entry(1, $0)] }
        story.press("]")
        let item = try #require(story.state.workbench.selected)
        _ = story.takeEffects()
        story.command("Try another policy on the recorded runs")
        #expect(story.takeEffects() == [.history(.simulate(path, for: item))])
        story.receive(.history(.simulation(PolicySimulation(failing), of: path, for: item)))
        return story
    }

    /// Lets the figures that were asked for arrive, until none are.
    private static func arrive(_ story: inout Story) {
        while true {
            let asked = story.takeEffects().compactMap { effect in
                if case .history(.try(let policy, let simulation)) = effect { (policy, simulation) } else { nil }
            }
            guard let (policy, simulation) = asked.first else { return }
            #expect(asked.count == 1, "one at a time")
            story.receive(.history(.tried(policy, simulation.figures(policy))))
        }
    }

    @Test func `figures are computed beside the keys, of the policy that was set last`() throws {
        var story = try Self.story()
        story.press("Right", "Right", "Right")
        let first = story.takeEffects()
        guard case .history(.try(let policy, let simulation))? = first.first, first.count == 1 else {
            Issue.record("asked for \(first.count)")
            return
        }
        #expect(policy.retries == 0, "the first that was set is under way")
        #expect(!story.screen.contains("+5 runs"))
        story.receive(.history(.tried(policy, simulation.figures(policy))))
        guard case .history(.try(let last, _))? = story.takeEffects().first else {
            Issue.record("the last policy was not asked for")
            return
        }
        #expect(last.retries == 2)
        // What comes late changes nothing.
        story.receive(.history(.tried(policy, simulation.figures(policy))))
        #expect(!story.screen.contains("+5 runs"))
        story.receive(.history(.tried(last, simulation.figures(last))))
        #expect(story.screen.contains("+5 runs"))
        story.press("Right", "Esc")
        story.receive(.history(.tried(last, simulation.figures(last))))
        #expect(!story.screen.contains("Try a policy"))
    }

    @Test func `another policy is tried on the recorded runs`() throws {
        var story = try Self.story()
        #expect(story.screen.contains("Try a policy: list users"))
        #expect(story.screen.contains("as recorded"))
        let before = try #require(story.lines.first { $0.contains("passed ") })
        #expect(before.contains("75 %"))
        story.press("Right", "Right")
        Self.arrive(&story)
        let after = try #require(story.lines.first { $0.contains("passed ") })
        #expect(after.contains("75 %") && after.contains("100 %") && after.contains("+5 runs"))
        #expect(story.screen.contains("+25 % load"))
        story.press("Left", "Left")
        #expect(story.screen.contains("◂ as recorded ▸"))
    }

    @Test func `Enter writes the policy into the request, as an edit that can be undone`() throws {
        var story = try Self.story()
        story.press("Enter")
        #expect(story.screen.contains("Try a policy"), "there is nothing to write yet")
        story.press("Right", "Right", "Right", "Down", "Right", "Right", "Down", "Down", "Right", "Enter")
        #expect(!story.screen.contains("Try a policy"))
        let policy = try #require(story.request?.policy)
        #expect(policy.retries == 2 && policy.timeout == .milliseconds(10) && policy.sla == nil)
        #expect(policy.backoff == Backoff(first: .milliseconds(10)))
        #expect(story.screen.contains("u takes it back"))
        story.press("u")
        #expect(story.request?.policy == nil)
    }

    @Test func `what the request had besides stays`() throws {
        var story = Story()
        story.choose("user by id")
        let item = try #require(story.state.workbench.selected)
        story.perform(.request(.setPolicy(RequestPolicy(timeout: .seconds(1)), of: item)))
        #expect(story.request?.policy?.retries == 3 && story.request?.policy?.sla == .seconds(2))
        #expect(story.request?.policy?.timeout == .seconds(1))
    }

    @Test func `the growth of waits has a meaning only with a wait`() throws {
        var story = try Self.story()
        story.press("Down", "Down", "Right")
        #expect(!story.screen.contains("×2") && !story.screen.contains("×3"))
        story.press("Up", "Right", "Right", "Down", "Right")
        #expect(story.screen.contains("×3.00"))
    }

    @Test func `a request without attempts has nothing to try`() throws {
        var (story, path) = HistoryStories.story { [HistoryStories.entry(1, $0)] }
        let item = try #require(story.state.workbench.selected)
        story.receive(.history(.simulation(PolicySimulation([]), of: path, for: item)))
        #expect(story.screen.contains("No attempt is in the history yet"))
    }

    // MARK: Sparklines

    private static func recent(_ story: inout Story) {
        let runs = [10, 20, 90, 40].map { RecentRun(duration: .milliseconds($0), passed: $0 != 90) }
        story.receive(
            .history(
                .recent(
                    [ItemPath(file: "demo.json", path: ["users", "list users"]): runs], in: ["demo.json"])))
    }

    @Test func `a row shows the last runs of its request where it has room`() throws {
        var story = Story(columns: 80)
        #expect(story.state.runs.recentFiles == ["demo.json"])
        Self.recent(&story)
        let row = try #require(story.lines.first { $0.contains("GET") && $0.contains("list users") })
        #expect(row.contains("    ▁▃✗█"))
        #expect(story.lines.first { $0.contains("create user") }?.contains("▁") == false)
    }

    @Test func `a row shows the status and the time of the last run before this session`() throws {
        var story = Story(columns: 80)
        let runs = [RecentRun(duration: .milliseconds(40), passed: false, status: 503)]
        let path = ItemPath(file: "demo.json", path: ["users", "list users"])
        story.receive(.history(.recent([path: runs], in: ["demo.json"])))
        let row = try #require(story.lines.first { $0.contains("GET") && $0.contains("list users") })
        #expect(row.contains("503   40 ms"), "\(row)")
    }

    @Test func `a narrow list shows the last run of each request, and no more`() throws {
        var story = Story(columns: 120)
        #expect(story.state.runs.recentFiles == ["demo.json"])
        let runs = [90, 40].map { RecentRun(duration: .milliseconds($0), passed: false, status: 503) }
        let path = ItemPath(file: "demo.json", path: ["users", "list users"])
        story.receive(.history(.recent([path: runs], in: ["demo.json"])))
        let row = try #require(story.lines.first { $0.contains("GET") && $0.contains("list users") })
        #expect(row.contains("503   40 ms") && !row.contains("✗"), "\(row)")
    }

    @Test func `a row of a narrow list has the mark of a last run without a response`() throws {
        var story = Story(columns: 120)
        let path = ItemPath(file: "demo.json", path: ["users", "list users"])
        let run = RecentRun(duration: .milliseconds(40), passed: false)
        story.receive(.history(.recent([path: [run]], in: ["demo.json"])))
        let row = try #require(story.lines.first { $0.contains("GET") && $0.contains("list users") })
        #expect(row.contains("✗     40 ms"), "\(row)")
    }

    @Test func `a long name has no sparkline rather than no end`() {
        let name = String(repeating: "long ", count: 10)
        let file =
            "{ \"version\": 1, \"name\": \"demo\", \"items\": [{ \"request\": \"\(name)end\", \"path\": \"/\" }] }"
        var story = Story(columns: 80, file: file)
        story.receive(
            .history(
                .recent(
                    [
                        ItemPath(file: "demo.json", path: [name + "end"]): [
                            RecentRun(duration: .seconds(1), passed: false, status: 503)
                        ]
                    ],
                    in: ["demo.json"])))
        #expect(story.screen.contains(name + "end"))
        #expect(!story.screen.contains("✗"))
    }

    @Test func `a run that has ended asks for the runs of its file alone`() throws {
        var story = Story(columns: 80)
        story.choose("list users")
        _ = story.takeEffects()
        story.finish(story.send(), with: TransportResponse(statusCode: 200))
        #expect(story.takeEffects().contains(.history(.recent(["demo.json"]))))
    }

    @Test func `Statistics draws the runs over time`() {
        var (story, _) = HistoryStories.story(rows: 60) { path in
            (1...30).reversed().map { HistoryStories.entry($0, path, status: $0 == 30 ? 503 : 200) }
        }
        story.press("]")
        let lines = story.lines
        let bars = lines.first { $0.contains("longest run") }
        #expect(bars?.contains("▁") == true && bars?.contains("█") == true)
        #expect(lines.contains { $0.contains("failed  ") && $0.contains("✗") })
    }
}
