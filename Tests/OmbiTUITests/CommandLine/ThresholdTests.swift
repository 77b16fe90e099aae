import OmbiCore
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// Limits for the statistics of a run.
@Suite struct ThresholdTests {
    private static func result(_ milliseconds: Int, attempts: Int = 1, passed: Bool = true) -> SessionResult {
        let attempt = AttemptReport(
            number: 1, startedAt: .zero, duration: .milliseconds(milliseconds), outcome: .succeeded)
        let report = RequestReport(
            attempts: Array(repeating: attempt, count: attempts), duration: .milliseconds(milliseconds),
            sla: .seconds(60),
            outcome: .succeeded)
        return SessionResult(passed ? .cancelled : .failure("no"), report: report)
    }

    private static let statistics: RunStatistics = {
        var statistics = RunStatistics()
        for milliseconds in 1...100 {
            var result = result(milliseconds, attempts: milliseconds > 90 ? 2 : 1)
            result.failures = milliseconds > 99 ? ["500"] : []
            statistics.add(result)
        }
        return statistics
    }()

    @Test func `percentiles are those of all runs`() {
        let statistics = Self.statistics
        #expect(statistics.count == 100)
        for (percent, milliseconds) in [(50.0, 50.0), (95, 95), (99, 99), (100, 100)] {
            let found = statistics.percentile(percent).map { $0 / .milliseconds(1) } ?? 0
            #expect(abs(found - milliseconds) <= milliseconds / 500, "p\(percent): \(found)")
        }
        #expect(statistics.firstTry == 0.9 && statistics.eventual == 0.99)
        #expect(abs((statistics.mean ?? .zero) / .milliseconds(1) - 50.5) < 0.2)
    }

    @Test func `limits of a run with a schedule are about the times from the schedule`() throws {
        var statistics = RunStatistics()
        var turn = RunTurn(number: 0, order: 0, start: .seconds(3), scheduled: .seconds(1))
        turn.end = .seconds(4)
        statistics.add(Self.result(1000), turn)
        #expect(statistics.late == 1 && statistics.maximumLateness == .seconds(2))
        #expect(try Threshold("max<2s").failure(of: statistics) == "threshold missed: max<2s, measured 3 s")
        let words = RunTable([], isColored: false).summary(statistics)
        #expect(words.hasPrefix("from the schedule: p50 3 s, p95 3 s, p99 3 s, max 3 s\nfrom the start: p50 1 s, "))
        #expect(
            statistics.delayWords == "the schedule was not kept: 1 of 1 request began late, by 2 s at most")
        statistics.missed = 2
        #expect(statistics.delayWords?.hasSuffix("; 2 were not sent") == true)
        #expect(Self.statistics.delayWords == nil && Self.statistics.latency == nil)
    }

    @Test func `the line of a load has its rate, its failures by class and its percentiles`() {
        let earlier = LoadProgress(elapsed: .seconds(1), count: 50, running: 1)
        let progress = LoadProgress(
            elapsed: .seconds(3), count: 150, running: 7, p50: .milliseconds(12), p95: .milliseconds(40), p99: nil,
            failures: [.connection: 2, .expectation: 2, .sla: 5])
        #expect(
            progress.line(since: earlier)
                == "3.0 s, 50/s, 150 done, 7 in flight, 5 sla, 2 connection, 2 expectation, p50 12 ms, p95 40 ms")
        #expect(LoadProgress(elapsed: .zero, count: 0, running: 0).line() == "0.0 s, 0/s, 0 done, 0 in flight")
    }

    @Test(arguments: [
        "p50<60ms", "p95 <= 96ms", "p99.9>90ms", "max<200ms", "mean<1s", "first-try>=90%", "eventual>98.5%",
        "eventual<100%",
    ])
    func `a limit that holds says nothing`(text: String) throws {
        #expect(try Threshold(text).failure(of: Self.statistics) == nil)
    }

    @Test(arguments: [
        ("p95<50ms", "threshold missed: p95<50ms, measured 95 ms"),
        ("max<50ms", "threshold missed: max<50ms, measured 100 ms"),
        ("first-try>=99%", "threshold missed: first-try>=99%, measured 90 %"),
        ("eventual>=99.5%", "threshold missed: eventual>=99.5%, measured 99 %"),
    ])
    func `a limit that is missed says what was found`(text: String, told: String) throws {
        #expect(try Threshold(text).failure(of: Self.statistics) == told)
    }

    @Test func `only retries make a run flaky`() throws {
        var statistics = RunStatistics()
        for reason in [AttemptReport.Reason.retry, .credentialsRefreshed] {
            let ending = SessionResult.Ending.response(TransportResponse(statusCode: 200))
            statistics.add(
                ReportSamples.result([(.first, .failed(.status, "503")), (reason, .succeeded)], ending))
        }
        #expect(try Threshold("flaky<=50%").failure(of: statistics) == nil)
        #expect(
            try Threshold("flaky<=2%").failure(of: statistics) == "threshold missed: flaky<=2%, measured 50 %")
    }

    @Test func `a limit that is missed by little shows by how much`() throws {
        var statistics = RunStatistics()
        for index in 0..<2000 {
            var result = Self.result(1)
            result.failures = index == 0 ? ["500"] : []
            statistics.add(result)
        }
        let told = try Threshold("eventual>=99.99%").failure(of: statistics)
        #expect(told == "threshold missed: eventual>=99.99%, measured 99.95 %")
    }

    @Test(arguments: ["p95<1s", "eventual>=0%"]) func `nothing measured misses every limit`(text: String) throws {
        #expect(try Threshold(text).failure(of: RunStatistics()) == "\(text): nothing was measured")
    }

    @Test(arguments: ["p9<1ms", "mean<1s", "p99.9 <1s", "flaky<=1%"])
    func `a measure that the history does not keep is told, with those that it has`(text: String) throws {
        let threshold = try Threshold(text)
        let name = text.prefix { $0 != "<" && $0 != " " }
        let told = "the history does not have \"\(name)\"; it has p50, p90, p95, p99, max, first-try, eventual"
        #expect(throws: Threshold.Failure(reason: told)) { try threshold.checkHistory() }
        for known in ["p50<1s", "p99<1s", "max<1s", "first-try>1%", "eventual>1%"] {
            try Threshold(known).checkHistory()
        }
    }

    @Test(arguments: [
        ("p95", "write a measure, a comparison (<= >= < >) and a limit"),
        ("p95=3s", "write a measure, a comparison (<= >= < >) and a limit"),
        (
            "p0<1s",
            "there is no measure \"p0\"; there are p50, p95 or another percentile, mean, max, first-try, eventual, flaky"
        ),
        (
            "latency<1s",
            "there is no measure \"latency\"; there are p50, p95 or another percentile, mean, max, first-try, eventual, flaky"
        ),
        ("eventual>=99", "99: write a share of the runs, such as 99.5%"),
        ("eventual>=101%", "101%: write a share of the runs, such as 99.5%"),
    ])
    func `what is no limit is told`(text: String, told: String) {
        #expect(throws: Threshold.Failure(reason: told)) { try Threshold(text) }
    }
}
