import OmbiCore
import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// Folding the events of the engine into what the screen shows.
@Suite struct RunStateTests {
    private static func run(_ events: [RequestEvent]) -> RunState {
        var run = RunState(id: 1, item: ItemID(), name: "r", startedAt: .seconds(10))
        run.prepare(SampleRun.sent, now: .seconds(11))
        for event in events { run.fold(event) }
        return run
    }

    @Test func `a prepared run knows its plan, and its time starts then`() {
        let run = Self.run([])
        #expect(run.stage == .preparing)
        #expect((run.attempts, run.sla) == (4, .seconds(2)))
        #expect(run.elapsed(now: .seconds(12)) == .seconds(1))
        #expect(run.elapsed(now: .seconds(5)) == .zero, "never less than nothing")
        #expect(run.isRunning)
    }

    @Test func `an attempt under way has its phases`() {
        let run = Self.run(Array(SampleRun.untilWait[..<4]))
        #expect(run.stage == .attempting)
        #expect((run.attempt, run.attempts) == (1, 4))
        #expect(run.phases.map(\.phase) == [.connect, .wait])
        #expect(run.phases.map(\.at) == [.zero, .milliseconds(2)])
        #expect(run.head?.statusCode == 503)
        #expect(run.finished.isEmpty)
    }

    @Test func `a wait has a beginning, an end and a reason`() {
        let run = Self.run(SampleRun.untilWait)
        #expect(run.stage == .waiting(since: .milliseconds(312), until: .milliseconds(562), .backoff))
        #expect(run.finished == [SampleRun.failed])
        #expect(run.isRunning)
    }

    @Test func `the next attempt starts afresh`() {
        let run = Self.run(SampleRun.untilWait + [SampleRun.untilBody[0]])
        #expect(run.stage == .attempting)
        #expect(run.attempt == 2)
        #expect(run.attemptStartedAt == .milliseconds(562))
        #expect(run.phases.isEmpty && run.head == nil && run.received == 0 && run.expected == nil)
    }

    @Test func `bytes are counted as they come`() {
        let run = Self.run(SampleRun.untilWait + SampleRun.untilBody)
        #expect((run.received, run.expected) == (30, 65))
    }

    @Test func `attempts may be added`() {
        #expect(Self.run([.attemptsAdded(attempts: 6, at: .zero)]).attempts == 6)
    }

    @Test(arguments: [
        RequestEvent.bodySent(attempt: 1, bytes: 1, expected: 2, at: .zero), .fallbackUsed(at: .zero),
    ])
    func `what the screen does not show changes nothing`(event: RequestEvent) {
        let before = Self.run(SampleRun.untilWait)
        var after = before
        after.fold(event)
        #expect(after == before)
    }

    @Test func `the report has the last word`() {
        var run = Self.run(SampleRun.untilWait + SampleRun.untilBody + SampleRun.ending)
        #expect(run.finished == [SampleRun.failed, SampleRun.succeeded])
        #expect(run.elapsed(now: .seconds(99)) == .milliseconds(705))
        run.end(.response(SampleRun.answer), now: .seconds(99))
        #expect(!run.isRunning)
        #expect(run.response == SampleRun.answer)
        #expect(run.failures.isEmpty)
    }

    @Test func `a failure is kept in words`() {
        var run = Self.run([])
        run.end(.failure("no"), now: .seconds(12))
        #expect(run.failure == "no")
        #expect(run.failures == ["no"])
        #expect(run.response == nil)
    }

    // MARK: Verdicts

    struct Judgement: Sendable {
        var status: Int?
        var took = 100
        var expectation: OmbiWorkspace.Expectation?
        var failures: [String]
    }

    private static func expecting(_ patterns: String..., within milliseconds: Int? = nil) -> OmbiWorkspace.Expectation {
        OmbiWorkspace.Expectation(
            status: patterns.compactMap { StatusPattern($0) }, within: milliseconds.map { .milliseconds($0) })
    }

    private static let judgements: [Judgement] = [
        Judgement(status: 200, failures: []),
        Judgement(status: 302, failures: []),
        Judgement(status: 404, failures: ["404 Not Found"]),
        Judgement(status: 599, failures: ["599"]),
        Judgement(status: 404, expectation: expecting("404"), failures: []),
        Judgement(
            status: 200, expectation: expecting("4xx", "500"), failures: ["expected status 4xx or 500, got 200"]),
        Judgement(status: nil, expectation: expecting("2xx"), failures: ["expected status 2xx, got no response"]),
        Judgement(status: 200, took: 500, expectation: expecting(within: 500), failures: []),
        Judgement(
            status: 200, took: 501, expectation: expecting(within: 500),
            failures: ["expected within 500ms, took 501ms"]),
        Judgement(
            status: 500, took: 501, expectation: expecting(within: 500),
            failures: ["500 Internal Server Error", "expected within 500ms, took 501ms"]),
        Judgement(
            status: 500, took: 501, expectation: expecting("5xx", within: 500),
            failures: ["expected within 500ms, took 501ms"]),
    ]

    @Test(arguments: judgements)
    func `a response is judged by its expectation, else by its status`(judgement: Judgement) {
        let response = TransportResponse(statusCode: judgement.status)
        let report = RequestReport(
            attempts: [
                AttemptReport(
                    number: 1, startedAt: .zero, duration: .milliseconds(judgement.took), outcome: .succeeded)
            ], duration: .milliseconds(judgement.took), sla: .seconds(2), outcome: .succeeded)
        let failures = Verdict.failures(
            of: .response(response), expectation: judgement.expectation, report: report)
        #expect(failures == judgement.failures)
    }

    @Test func `the limit counts for the whole run, as the expectation says`() {
        let failures = Verdict.failures(
            of: .response(SampleRun.answer), expectation: Self.expecting(within: 500), report: SampleRun.report)
        #expect(failures == ["expected within 500ms, took 705ms"])
    }

    @Test func `without a response there is one thing wrong`() {
        let expectation = Self.expecting("2xx", within: 1)
        #expect(Verdict.failures(of: .cancelled, expectation: expectation, report: nil) == ["cancelled"])
        #expect(Verdict.failures(of: .failure("no"), expectation: expectation, report: nil) == ["no"])
    }
}
