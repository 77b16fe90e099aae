import OmbiCore
import OmbiTerminal
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// What a server says of its time, in the timeline and in texts.
@Suite struct ServerTimingRowsTests {
    /// A run of two attempts, whose last response has these metrics.
    private static func run(_ metrics: String, recorded: Bool = false) -> RunState {
        var last = SampleRun.succeeded
        var answer = SampleRun.answer
        answer.headers?.append(.string(metrics), forKey: "Server-Timing")
        // The history keeps the headers of the last response with the run.
        if recorded { last.received?.headers = nil } else { last.received = answer }
        let report = RequestReport(
            attempts: [SampleRun.failed, last], duration: .milliseconds(705), sla: SampleRun.sla, outcome: .succeeded)
        var run = RunState(id: 1, item: ItemID(), name: "r", startedAt: .zero)
        run.prepare(SampleRun.sent, now: .zero)
        run.fold(.finished(report))
        run.end(SessionResult(.response(answer), report: report), now: .milliseconds(705))
        return run
    }

    private static func rows(_ run: RunState, columns: Int = 105) -> [String] {
        let view = ResponseView(run: run, now: .milliseconds(705), columns: columns, description: nil)
        return Timeline(run, view).rows.map { $0.map(\.text).joined() }
    }

    /// 100 columns for 1 s: the wait of the second attempt begins at 564 ms, and ends at 697 ms.
    private static func bar(_ columns: Int) -> String {
        String(repeating: " ", count: 4 + 56) + String(repeating: "─", count: columns)
    }

    @Test(arguments: [true, false]) func `bars of the server begin with the wait, and end with it`(recorded: Bool) {
        let rows = Self.rows(
            Self.run("db;dur=53;desc=\"Postgres\", app;dur=9000, cache;desc=hit", recorded: recorded))
        #expect(rows.contains(Self.bar(6) + "  db 53 ms (Postgres)"), "\(rows)")
        #expect(rows.contains(Self.bar(14) + "  app over 133 ms"), "\(rows)")
        #expect(rows.contains(Self.bar(0) + "  cache (hit)"), "\(rows)")
        #expect(rows.last == "    2 attempts · 705 ms · SLA 2s")
    }

    @Test func `an attempt keeps its rows, whatever the server says of it`() {
        let plain = Self.rows(Self.run(""))
        let view = ResponseView(run: nil, now: .milliseconds(705), columns: 105, description: nil)
        let timeline = Timeline(Self.run("db;dur=53"), view)
        #expect(timeline.starts.map(\.number) == [1, 2])
        #expect(timeline.rows.count == plain.count + 1)
    }

    @Test(arguments: 12...120) func `no bar is wider than the pane`(columns: Int) {
        let rows = Self.rows(Self.run("db;dur=53, total;dur=99999"), columns: columns)
        for row in rows where !row.contains(where: \.isLetter) {
            #expect(TextWidth.of(row) <= max(15, columns), "\(columns): \(row)")
        }
    }

    @Test func `many metrics are counted, and none of them draws outside its text`() {
        let many = (0..<64).map { "m\($0);dur=1;desc=\"\u{1B}[2J\"" }.joined(separator: ",")
        let rows = Self.rows(Self.run(many))
        #expect(rows.contains("    48 more metrics"), "\(rows)")
        #expect(rows.allSatisfy { !$0.contains("\u{1B}") })
    }

    @Test func `texts of a run name the metrics, and so does its JSON`() throws {
        let run = Self.run("db;dur=53, cache;desc=hit")
        let attempt = try #require(run.finished.last)
        #expect(attempt.phaseText.hasSuffix(", of the server db 53 ms, cache (hit)"))
        #expect(SampleRun.failed.phaseText == "connect 2 ms, wait 310 ms")
        let json = attempt.json.compact
        #expect(
            json.contains(
                "\"serverTiming\":[{\"name\":\"db\",\"durationMs\":53},"
                    + "{\"name\":\"cache\",\"durationMs\":null,\"description\":\"hit\"}]"), "\(json)")
        #expect(!SampleRun.failed.json.compact.contains("serverTiming"))
    }

    @Test(arguments: ["1e15", "1e300", "134"])
    func `a server that names more time than its response took is not believed`(milliseconds: String) throws {
        let run = Self.run("db;dur=\(milliseconds);desc=\"Postgres\"")
        #expect(Self.rows(run).contains(Self.bar(14) + "  db over 133 ms (Postgres)"))
        #expect(try #require(run.finished.last).phaseText.hasSuffix(", of the server db over 133 ms (Postgres)"))
    }

    @Test func `a text names sixteen metrics, and counts the others`() throws {
        let many = (0..<64).map { "m\($0);dur=1" }.joined(separator: ",")
        let text = try #require(Self.run(many).finished.last?.serverTimingText)
        #expect(text.hasSuffix("m15 1 ms, 48 more metrics"), "\(text)")
    }
}
