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

    @Test func `the attempts of an ended run are those of its result, which is masked by all that the run learned`() {
        var run = Self.run(SampleRun.untilWait + SampleRun.untilBody + SampleRun.ending)
        var report = SampleRun.report
        report.attempts[0].received = SampleRun.response(503, "••••••")
        run.end(SessionResult(.response(SampleRun.answer), report: report), now: .seconds(12))
        #expect(run.finished == report.attempts)
    }

    @Test func `what the screen does not show changes nothing`() {
        let before = Self.run(SampleRun.untilWait)
        var after = before
        after.fold(.fallbackUsed(at: .zero))
        #expect(after == before)
    }

    @Test func `the report has the last word`() {
        var run = Self.run(SampleRun.untilWait + SampleRun.untilBody + SampleRun.ending)
        #expect(run.finished == [SampleRun.failed, SampleRun.succeeded])
        #expect(run.elapsed(now: .seconds(99)) == .milliseconds(705))
        run.end(SessionResult(.response(SampleRun.answer)), now: .seconds(99))
        #expect(!run.isRunning)
        #expect(run.response == SampleRun.answer)
        #expect(run.failures.isEmpty)
    }

    @Test func `a failure is kept in words`() {
        var run = Self.run([])
        run.end(SessionResult(.failure("no")), now: .seconds(12))
        #expect(run.failure == "no")
        #expect(run.failures == ["no"])
        #expect(run.response == nil)
    }
}
