import OmbiCore
import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI

@Suite struct TimelineTests {
    private static func run(_ events: [RequestEvent], result: SessionResult.Ending? = nil) -> RunState {
        var run = RunState(id: 1, item: ItemID(), name: "r", startedAt: .zero)
        run.prepare(SampleRun.sent, now: .zero)
        for event in events { run.fold(event) }
        if let result { run.end(SessionResult(result), now: .milliseconds(705)) }
        return run
    }

    private static func rows(_ run: RunState, now: Int, columns: Int = 84) -> [String] {
        let view = ResponseView(run: run, now: .milliseconds(now), columns: columns, description: nil)
        return Timeline(run, view).rows.map { $0.map(\.text).joined() }
    }

    // MARK: The axis

    @Test(arguments: [
        (0, 0, 10), (9, 0, 10), (10, 0, 20), (19, 0, 20), (20, 0, 50), (100, 0, 200), (700, 0, 1000), (9000, 0, 10_000),
        (100, 2000, 200), (999, 2000, 2000), (1001, 2000, 2000), (5000, 2000, 2000), (40, 50, 50), (3, 5, 5),
    ])
    func `the axis ends at a round length, and never behind the SLA`(elapsed: Int, sla: Int, end: Int) {
        let found = Timeline.axisEnd(elapsed: .milliseconds(elapsed), sla: .milliseconds(sla))
        #expect(found == .milliseconds(end))
    }

    @Test(arguments: 10...200) func `no row is wider than the pane`(columns: Int) {
        let runs = [
            Self.run(SampleRun.untilWait), Self.run(SampleRun.untilWait + SampleRun.untilBody),
            Self.run(SampleRun.untilWait + SampleRun.untilBody + SampleRun.ending, result: .response(SampleRun.answer)),
        ]
        for run in runs {
            for now in [0, 1, 400, 800, 2000, 60_000] {
                let rows = Self.rows(run, now: now, columns: columns)
                // Texts that fit nowhere are cut by the pane; the bars and the axis are not.
                for row in rows
                where !row.contains(where: \.isLetter) || row.hasSuffix(" SLA 2s") && !row.contains("attempt") {
                    #expect(TextWidth.of(row) <= max(15, columns), "\(columns) columns, \(now) ms: \(row)")
                }
            }
        }
    }

    // MARK: Bars

    @Test func `each phase has a glyph of its own, in ASCII, too`() {
        let glyphs = RequestPhase.shown.flatMap { Array($0.glyph.unicodeScalars) }
        #expect(Set(glyphs).count == 5)
        #expect(Set(glyphs.compactMap { GlyphSet.ascii.substitute(for: $0) }).count == 5)
    }

    @Test func `attempts and waits lie on one axis`() {
        let run = Self.run(
            SampleRun.untilWait + SampleRun.untilBody + SampleRun.ending, result: .response(SampleRun.answer))
        let rows = Self.rows(run, now: 705, columns: 105)
        // 100 columns for 1 s: ten milliseconds each.
        #expect(
            rows[1] == "1   " + String(repeating: "▓", count: 31)
                + "  503 Service Unavailable · 312 ms · retried (status)")
        #expect(
            rows[2] == "    " + String(repeating: " ", count: 31) + String(repeating: "·", count: 25)
                + "  waited 250 ms (backoff)")
        #expect(rows[3] == "2   " + String(repeating: " ", count: 56) + String(repeating: "▓", count: 14) + "█")
        #expect(rows[4] == "    200 OK · 143 ms  (connect 2 ms · wait 133 ms · receive 8 ms)")
        #expect(rows.last == "    2 attempts · 705 ms · SLA 2s")
    }

    @Test func `the time before the first attempt is explained`() {
        var run = RunState(id: 1, item: ItemID(), name: "r", startedAt: .zero)
        run.prepare(SampleRun.sent, now: .milliseconds(40))
        run.fold(.attemptStarted(number: 1, attempts: 4, at: .milliseconds(6)))
        let view = ResponseView(run: run, now: .milliseconds(60), columns: 130, description: nil)
        let text = Timeline(run, view).rows.map { $0.map(\.text).joined() }.joined(separator: "\n")
        #expect(text.contains("40 ms for templates and secrets · 6 ms to start the transport"))
        #expect(!Self.rows(Self.run(SampleRun.untilWait), now: 312).joined().contains("transport"))
    }

    @Test func `the wait under way grows`() {
        let run = Self.run(SampleRun.untilWait)
        let short = Self.rows(run, now: 350, columns: 105)
        let long = Self.rows(run, now: 450, columns: 105)
        #expect(short.contains { $0.contains("waiting 0.2 s more (backoff) · r retries now") }, "\(short)")
        #expect(long.contains { $0.contains("waiting 0.1 s more (backoff) · r retries now") }, "\(long)")
        #expect(!short.contains { $0.contains("waited") }, "a wait under way is not told as over")
        let dots = [short, long].map { $0.map { $0.prefix { " ·".contains($0) }.count { $0 == "·" } }.max() ?? 0 }
        #expect(dots == [8, 28], "one for each 5 ms")
        #expect(Self.rows(run, now: 9999).contains { $0.contains("waiting 0.0 s more") })
    }

    @Test func `a wait that r ended is told as long as it was, while the run goes on`() {
        let run = Self.run(SampleRun.untilWait + [.attemptStarted(number: 2, attempts: 4, at: .milliseconds(362))])
        let rows = Self.rows(run, now: 400, columns: 105)
        #expect(rows.contains { $0.contains("waited 50 ms (backoff)") }, "\(rows)")
    }

    @Test func `a retry that the SLA leaves no time for says why it was not made`() {
        var failed = SampleRun.failed
        (failed.willRetry, failed.wait, failed.waitReason) = (false, nil, nil)
        failed.missedRetry = MissedRetry(wait: .seconds(30), reason: .retryAfter, slaLeft: .milliseconds(1688))
        let run = Self.run([.attemptStarted(number: 1, attempts: 4, at: .zero), .attemptFinished(failed)])
        let rows = Self.rows(run, now: 312, columns: 140).joined(separator: " ")
        #expect(
            rows.contains("not retried: Retry-After \(TimeText.duration(.seconds(30))) is longer than the"), "\(rows)")
        #expect(rows.contains("\(TimeText.duration(.milliseconds(1688))) left of the SLA"), "\(rows)")
    }

    @Test func `an attempt under way is drawn up to now`() {
        let run = Self.run(SampleRun.untilWait + SampleRun.untilBody)
        let rows = Self.rows(run, now: 900, columns: 105)
        #expect(rows[3].hasPrefix("2   "))
        #expect(rows[3].contains("▓") && rows[3].contains("█"))
        #expect(rows.contains { $0.contains("receiving · 0.3 s · 30 B of 65 B · x cancels") })
    }

    @Test func `an attempt too short to be seen has a mark`() {
        let run = Self.run([.finished(SampleRun.refused)], result: .failure(SampleRun.refusal))
        let rows = Self.rows(run, now: 1)
        #expect(rows[1].hasPrefix("1   ▒") || rows[1].hasPrefix("1   ▏"))
        #expect(rows.contains { $0.contains(SampleRun.refusal + " · 0.4 ms") })
    }

    @Test func `an attempt that never connected has neither waited nor looked up numbers`() {
        let attempt = AttemptReport(
            number: 1, startedAt: .zero, duration: .milliseconds(20),
            metrics: TransportMetrics(timings: Timings(resolve: .milliseconds(9), connect: .milliseconds(1))),
            outcome: .failed(.connection, SampleRun.refusal))
        let run = Self.run([.attemptFinished(attempt)], result: .failure(SampleRun.refusal))
        let bar = Self.rows(run, now: 20).first { $0.hasPrefix("1 ") } ?? ""
        #expect(bar.contains("▒▒") && !bar.contains("░") && !bar.contains("▓"), "\(bar)")
    }

    @Test func `an attempt that was lost while it waited has waited`() {
        let attempt = AttemptReport(
            number: 1, startedAt: .zero, duration: .milliseconds(20),
            metrics: TransportMetrics(
                timings: Timings(connect: .milliseconds(1), send: .milliseconds(1))),
            outcome: .failed(.connection, "the connection was lost"))
        let run = Self.run([.attemptFinished(attempt)], result: .failure("the connection was lost"))
        #expect(Self.rows(run, now: 20).contains { $0.hasPrefix("1 ") && $0.contains("▓▓") })
    }

    @Test func `a run that never began says why, on as many lines as it takes`() {
        let run = Self.run(
            [], result: .failure("header \"X\": no variable is named \"token\"; did you mean \"tokens\"?"))
        let rows = Self.rows(run, now: 5, columns: 40)
        #expect(rows.count == 2)
        #expect(rows.joined(separator: " ") == "header \"X\": no variable is named \"token\"; did you mean \"tokens\"?")
    }

    @Test(arguments: [(AttemptReport.Outcome.cancelled, "cancelled"), (.slaExceeded, "SLA ended")])
    func `how an attempt ended is told`(outcome: AttemptReport.Outcome, words: String) {
        let attempt = AttemptReport(number: 1, startedAt: .zero, duration: .seconds(2), outcome: outcome)
        let run = Self.run([.attemptFinished(attempt)], result: .cancelled)
        #expect(Self.rows(run, now: 2000).contains { $0.contains(words + " · 2 s") })
    }

    @Test(arguments: RequestPhase.allCases) func `every phase has a glyph and words`(phase: RequestPhase) {
        #expect(TextWidth.of(phase.glyph) == 1)
        #expect(!phase.sentence.isEmpty)
    }

    @Test(
        arguments: [
            (100, .success), (204, .success), (301, .info), (404, .warning), (500, .failure), (nil, .plain),
        ] as [(Int?, Role)])
    func `a status has the colour of its class`(status: Int?, role: Role) {
        #expect(Role.forStatus(status) == role)
    }

    @Test(
        arguments: [
            (404, .succeeded, .success), (503, .succeeded, .success), (301, .succeeded, .info),
            (200, .succeeded, .success), (200, .failed, .failure), (404, .failed, .warning), (404, .running, .warning),
        ] as [(Int, RunSummary.Mark, Role)])
    func `a status that was expected is no error`(status: Int, verdict: RunSummary.Mark, role: Role) {
        #expect(Role.forStatus(status, verdict) == role)
    }
}
