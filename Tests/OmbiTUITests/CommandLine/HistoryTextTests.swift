import Foundation
import OmbiCore
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

@Suite struct HistoryTextTests {
    private static let dates = [-62_135_596_800, 0, 253_402_300_799].map { Date(timeIntervalSince1970: $0) }
    private static let durations = [-1_000_000_000, 0, 1_000_000_000].map { Duration.seconds($0) }
    private static let counts = [0, 1, 1 << 40]

    /// The numbers at the ends of what a history may hold, also a damaged one.
    private static var runs: [RecordedRun] {
        dates.indices.map { index in
            let (date, duration, count) = (dates[index], durations[index], counts[index])
            let entry = HistoryEntry(
                id: [Int.min, 1, Int.max][index], request: ItemPath(file: "", path: []), environment: nil,
                startedAt: date,
                duration: duration, method: "", url: "", outcome: .passed, status: [0, 200, 999][index], failure: nil,
                attempts: count, size: count)
            var timings = Timings()
            for phase in RequestPhase.allCases { timings[phase] = duration }
            var result = SessionResult(.response(TransportResponse(statusCode: entry.status, body: Data("{}".utf8))))
            let attempt = AttemptReport(
                number: count, reason: .retry, startedAt: duration, duration: duration,
                metrics: TransportMetrics(timings: timings, bytesReceived: count, bytesSent: count),
                outcome: .succeeded,
                response: nil, willRetry: true, wait: duration, waitReason: .backoff)
            result.prepared = PreparedRequest(
                url: "http://api.test/", method: .get, headers: [], sla: .init(duration), attempts: .init(count))
            result.report = RequestReport(
                attempts: [attempt], attemptCount: count, duration: duration, sla: duration, outcome: .succeeded)
            return RecordedRun(entry: entry, result: result)
        }
    }

    @Test func `every form has words for the largest and the least numbers`() {
        for run in Self.runs {
            #expect(!HistoryText.line(run.entry).isEmpty && !HistoryText.lines(run).isEmpty)
            #expect(!run.json.text.isEmpty && !run.json.compact.isEmpty)
            #expect(!ArchiveJSON.entries(run).isEmpty)
            let comparison = RunComparison(run.entry.request, from: .init(run), to: .init(Self.runs[0]))
            #expect(!ComparisonReport.lines(comparison, isColored: true).isEmpty)
        }
        #expect(!HistoryJSON.value(Self.runs.map(\.entry)).text.isEmpty)
        let runs = Self.runs.map {
            HistoryStatistics.Run(
                startedAt: $0.entry.startedAt, duration: $0.entry.duration, outcome: .passed, attempts: 1)
        }
        for now in Self.dates {
            let statistics = HistoryStatistics(runs: runs, attempts: Self.durations, now: now)
            #expect(!HistoryText.lines(statistics).isEmpty && !HistoryJSON.value(statistics).text.isEmpty)
        }
    }

    @Test func `a simulated breaker is compared with no number that was not recorded`() {
        let attempt = PolicySimulation.Attempt(duration: .milliseconds(10), ending: .failed)
        let runs = (0..<4).map { second in
            PolicySimulation.Run(
                attempts: [attempt], duration: .milliseconds(10), passed: false, startedAt: .seconds(second))
        }
        let simulation = PolicySimulation(runs)
        let policy = PolicySimulation.Policy(breaker: CircuitBreaker(failures: 1))
        let lines = HistoryText.lines(simulation.figures(), simulation.figures(policy))
        #expect(lines.contains { $0.hasPrefix("held") && $0.contains("–") }, "\(lines)")
    }

    @Test(arguments: ["99999999999999999d", "9223372036854775807d", "24h"])
    func `a time long ago can be asked for`(text: String) throws {
        let date = try #require(HistoryTime.parse(text, now: Date()))
        #expect(!HistoryTime.local(date).isEmpty)
    }
}
