import OmbiCore
import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// Runs that a breaker holds, and retries beyond a budget, on the screen.
@Suite struct BreakerStories {
    private static let hold = RequestEvent.waiting(attempt: 1, until: .seconds(8), reason: .breaker, at: .zero)

    private static func run(_ events: [RequestEvent]) -> RunState {
        var run = RunState(id: 1, item: ItemID(), name: "r", startedAt: .zero)
        run.prepare(SampleRun.sent, now: .zero)
        for event in events { run.fold(event) }
        return run
    }

    private static func text(_ run: RunState, now: Duration, columns: Int = 140) -> String {
        let view = ResponseView(run: run, now: now, columns: columns, description: nil)
        return Timeline(run, view).rows.map { $0.map(\.text).joined() }.joined(separator: "\n")
    }

    @Test func `a run that is held says by what and for how long, and r sends a probe`() {
        var story = Story(columns: 200, rows: 60)
        story.choose("user by id")
        let id = story.send()
        story.receive([Self.hold], of: id)
        #expect(
            story.screen.contains("held by the breaker of 127.0.0.1:8765, 8.0 s left · r sends a probe"),
            "\(story.screen)")
        #expect(story.screen.contains("no attempt yet"))
        _ = story.takeEffects()
        story.press("r", "x")
        #expect(story.takeEffects() == [.retryNow(id), .cancel(id)])
        story.receive(Array(SampleRun.untilWait.prefix(1)), of: id)
        #expect(!story.screen.contains("r sends a probe"))
    }

    @Test func `a hold that is reported again goes on, and is explained once the attempt began`() {
        let again = RequestEvent.waiting(attempt: 1, until: .seconds(18), reason: .breaker, at: .seconds(8))
        var run = Self.run([Self.hold, again])
        #expect(run.stage == .waiting(since: .zero, until: .seconds(18), .breaker))
        #expect(Self.text(run, now: .seconds(10)).contains("8.0 s left"))
        run.fold(.attemptStarted(number: 1, attempts: 1, at: .seconds(18)))
        #expect(run.heldFirst == .seconds(18))
        let text = Self.text(run, now: .seconds(19))
        #expect(text.contains("18 s held by the breaker") && !text.contains("to start the transport"), "\(text)")
    }

    @Test func `while another run probes, no time is left to tell`() {
        let probed = RequestEvent.waiting(attempt: 1, until: .seconds(8), reason: .breaker, at: .seconds(8))
        let text = Self.text(Self.run([Self.hold, probed]), now: .seconds(9))
        #expect(text.contains("held by the breaker of 127.0.0.1:8765, until the probe of another run ends"), "\(text)")
    }

    @Test func `a retry that is held has one wait, whose reason is the breaker`() {
        let hold = RequestEvent.waiting(attempt: 2, until: .seconds(10), reason: .breaker, at: .milliseconds(562))
        var run = Self.run(SampleRun.untilWait + [hold])
        #expect(Self.text(run, now: .seconds(2)).contains("8.0 s left"))
        run.fold(.attemptStarted(number: 2, attempts: 4, at: .seconds(10)))
        #expect(run.finished.last?.wait == .milliseconds(9688) && run.finished.last?.waitReason == .breaker)
        #expect(Self.text(run, now: .seconds(11)).contains("waited 9.69 s (breaker)"))
    }

    @Test func `a retry that the budget has none of says whose budget it is`() {
        var failed = SampleRun.failed
        (failed.willRetry, failed.wait, failed.waitReason) = (false, nil, nil)
        failed.missedRetry = MissedRetry(wait: .seconds(1), reason: .backoff, slaLeft: .seconds(1))
        failed.missedRetry?.budget = SpentRetryBudget(server: "a.test", share: 0.2, requests: 50, retries: 10)
        let text = Self.text(
            Self.run([.attemptStarted(number: 1, attempts: 4, at: .zero), .attemptFinished(failed)]), now: .seconds(1))
        #expect(
            text.contains("not retried: retry budget of a.test spent: 20 % of the last 50 requests"), "\(text)")
    }

    @Test func `the rows of a policy take a budget and a breaker, and say what is wrong with others`() {
        var story = Story.inRequest("list users", tab: .policy)
        // The first row is that of the URL.
        story.press("Down", times: RequestPolicy.fields.count - 1)
        story.press("Enter")
        story.replace(with: "20")
        story.press("Enter")
        #expect(story.openField == "20")
        #expect(story.state.notice?.text.contains("\"20\" is no share of retries") == true)
        story.replace(with: "20%")
        story.press("Enter", "Down", "Enter")
        story.replace(with: "3 pause 5s")
        story.press("Enter")
        #expect(story.request?.policy?.retryBudget == RetryBudget(share: 0.2))
        #expect(story.request?.policy?.breaker == CircuitBreaker(failures: 3, pause: .seconds(5)))
        #expect(story.screen.contains("3 within 30s pause 5s"), "\(story.screen)")
    }
}
