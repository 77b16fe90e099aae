import Foundation
import OmbiCore
import OmbiDocument
import TestSupport
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// Every form of a run against `schema/run.schema.json`.
@Suite struct RunSchemaTests {
    private static let path = ItemPath(file: "demo.json", path: ["users", "user by id"])

    private static var job: Job {
        let request = SavedRequest(name: "user by id", path: "/")
        let order = RunOrder(
            id: 1, request: request, collection: Collection(name: "demo", items: [.request(request)]),
            environment: nil, file: "demo.json")
        return Job(name: "demo/user by id", order: order)
    }

    /// A run with every member that a run may have.
    private static var result: SessionResult {
        var failed = SampleRun.failed
        failed.missedRetry = MissedRetry(
            wait: .seconds(30), reason: .retryAfter, slaLeft: .seconds(4), maximum: .seconds(10))
        failed.missedRetry?.budget = SpentRetryBudget(server: "a.test", share: 0.2, requests: 50, retries: 10)
        failed.held = .seconds(8)
        failed.metrics.unknownCoding = "zip"
        var prepared = SampleRun.sent
        prepared.verifiesTLS = false
        prepared.redirects = [
            FollowedRedirect(
                statusCode: 302, headers: ["Location": "/next"], body: Data("moved".utf8),
                target: "http://api.test/next",
                withheld: ["Authorization"], duration: .milliseconds(5))
        ]
        var result = SessionResult(
            .response(SampleRun.response(503, "busy")), prepared: prepared,
            report: RequestReport(
                attempts: [SampleRun.succeeded, failed], duration: .milliseconds(705), sla: SampleRun.sla,
                outcome: .succeeded))
        result.expectations = [
            ExpectationResult(.status, "status", expected: "status 2xx", found: "503", isMet: false)
        ]
        result.captured = [CapturedValue(name: "id", value: "7", request: "create", source: "$.id")]
        result.pages = PageSummary(count: 2, hasMore: true)
        let date = Date(timeIntervalSince1970: 1_800_000_000)
        result.fallback = .response(
            FallbackResponse(.run(7), date: date, age: .seconds(60), response: SampleRun.answer))
        let needed = Dependency(SavedRequest(name: "log in", path: "/login"), variable: "token")
        result.dependencies = [DependencyResult(needed, SessionResult(.failure(SampleRun.refusal)))]
        return result
    }

    private static func recorded(_ result: SessionResult, _ outcome: RecordedOutcome) -> RecordedRun {
        let entry = HistoryEntry(
            id: 7, request: path, environment: nil, startedAt: Date(timeIntervalSince1970: 1_800_000_000),
            duration: .milliseconds(705), method: "GET", url: result.prepared?.url ?? "", outcome: outcome,
            status: result.receivedResponse?.statusCode, failure: result.failures.first,
            attempts: result.report?.attempts.count ?? 0, size: result.receivedResponse?.body?.count)
        return RecordedRun(entry: entry, result: result)
    }

    private static let results: [(SessionResult, RecordedOutcome)] = [
        (result, .failed), (SessionResult(.failure(SampleRun.refusal), report: SampleRun.refused), .error),
        (SessionResult(.cancelled), .cancelled),
    ]

    private static func expectValid(
        _ text: String, _ definition: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let failures = try RunSchema().failures(text, definition)
        #expect(failures.isEmpty, "\(definition): \(failures)\n\(text)", sourceLocation: sourceLocation)
    }

    @Test func `a run that has just ended follows the schema`() throws {
        var json = RunJSON()
        var (text, tally, statistics) = ("", Tally(), RunStatistics())
        for (index, (result, _)) in Self.results.enumerated() {
            text += json.add(Self.job, result, at: index)
            if result.passed { tally.passed += 1 } else { tally.failed += 1 }
            statistics.add(result)
            try Self.expectValid(RunJSON.value(Self.job, result).compact, "run")
            try Self.expectValid(RunJSON.line(Self.job, result), "line")
        }
        var limits = HostLimits()
        let headers: RequestHeaders = ["RateLimit-Remaining": "4", "RateLimit-Reset": "9"]
        limits.add(SessionResult(.response(TransportResponse(headers: headers, statusCode: 200))))
        #expect(limits.lines().count == 1)
        text += json.end(tally, statistics, limits, duration: .seconds(1))
        try Self.expectValid(text, "results")
        try Self.expectValid(RunJSON.lastLine(tally, statistics, [], duration: .seconds(1)), "line")
    }

    @Test func `a run with a schedule follows the schema`() throws {
        var (json, statistics) = (RunJSON(), RunStatistics())
        let result = Self.result
        var turn = RunTurn(number: 0, order: 0, start: .seconds(1), scheduled: .zero)
        turn.end = .seconds(2)
        statistics.add(result, turn)
        statistics.missed = 3
        var text = json.add(Self.job, result, at: 0, latency: turn.latency)
        text += json.end(Tally(failed: 1), statistics, duration: .seconds(2))
        try Self.expectValid(text, "results")
        let value = try JSONValue.parse(text)
        #expect(value["requests"]?.elements?.first?["latencyMs"] == .number("2000"))
        #expect(value["schedule"]?["latency"]?["maxMs"] != nil)
        #expect(value["schedule"]?["missed"] == .number(3) && value["schedule"]?["late"] == .number(1))
    }

    @Test func `a run of the history follows the schema`() throws {
        let runs = Self.results.map { Self.recorded($0.0, $0.1) }
        for run in runs {
            try Self.expectValid(run.json.compact, "recordedRun")
            let comparison = RunComparison(
                Self.path, from: .init(run), to: .init(run.result, environment: "local"))
            try Self.expectValid(ComparisonReport(comparisons: [comparison]).json.text, "comparisons")
            let archive = ArchiveJSON.start + ArchiveJSON.entries(run).joined(separator: ",") + ArchiveJSON.end
            try Self.expectValid(archive, "archive")
        }
        try Self.expectValid(HistoryJSON.value(runs.map(\.entry)).text, "list")
        // Two attempts, and the redirect that one followed.
        #expect(ArchiveJSON.entries(runs[0]).count == 3)
    }

    @Test func `what a command found follows the schema, whatever names say`() throws {
        var findings = ReportSamples.hostile.flatMap { text -> [ReportedRun] in
            [ReportedRun.Verdict.failed, .warned, .skipped, .passed].map { verdict in
                var run = ReportSamples.run(verdict, text, failure: text)
                (run.place.suite, run.place.file) = ([text, text], text)
                if verdict == .failed { run.failures.append(text) }
                return run
            }
        }
        (findings[0].place.line, findings[0].status, findings[0].notes) = (nil, 503, ["seen"])
        var report = ReportSamples.report(findings)
        (report.title, report.interruption) = ("ombi check", "ended by SIGTERM")
        report.checks = [ReportedCheck(name: "coverage>=80%", failure: "50 %"), ReportedCheck(name: "<")]
        report.addSkipped(3)
        let text = FindingJSON.text(report)
        try Self.expectValid(text, "findings")
        #expect(!text.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control })
        let value = try JSONValue.parse(text)
        let count = ReportSamples.hostile.count
        #expect(value["failed"] == .number(count) && value["warnings"] == .number(count))
        #expect(value["skipped"] == .number(count + 3) && value["unlisted"] == .number(3))
        let first = try #require(value["findings"]?.elements?.first)
        #expect(first["outcome"] == .string("failed") && first["line"] == .null)
        #expect(first["message"] == .string("]]>") && first["diff"] == .strings(["]]>"]))
        try Self.expectValid(FindingJSON.text(ReportedRuns()), "findings")
    }

    @Test(
        arguments: [
            (.succeeded, "succeeded", nil),
            (.failed(.timeout, "took too long"), "failed", "took too long"), (.stopped("no key"), "stopped", "no key"),
            (.cancelled, "cancelled", "cancelled"), (.abandoned, "abandoned", "ended by a retry"),
            (.slaExceeded, "slaExceeded", "the SLA ended"),
        ] as [(AttemptReport.Outcome, String, String?)])
    func `an attempt has its outcome by name and its failure in words`(
        outcome: AttemptReport.Outcome, name: String, failure: String?
    ) throws {
        let attempt = AttemptReport(number: 1, startedAt: .zero, duration: .milliseconds(1), outcome: outcome)
        #expect(attempt.json["outcome"] == .string(name))
        let words: JSONValue = failure.map(JSONValue.string) ?? .null
        #expect(attempt.json["failure"] == words)
        try Self.expectValid(attempt.json.compact, "attempt")
    }

    @Test func `an attempt is the same in a run, in the history and in an archive`() throws {
        let (result, outcome) = Self.results[0]
        let run = Self.recorded(result, outcome)
        let attempts = result.report?.attempts.map(\.json) ?? []
        #expect(attempts.count == 2)
        // A run has the redirects of each, too, and the history also its response.
        func own(_ attempt: JSONValue) -> JSONValue {
            guard case .object(let members) = attempt else { return attempt }
            return .object(members.filter { !["response", "redirects"].contains($0.key) })
        }
        #expect(RunJSON.value(Self.job, result)["attempts"]?.elements?.map(own) == attempts)
        #expect((run.json["attempts"]?.elements ?? []).map(own) == attempts)
        let entries = try ArchiveJSON.entries(run).compactMap { try JSONValue.parse($0)["_attempt"] }
        // A redirect is an entry of its attempt.
        #expect(entries.count == 3)
        #expect(entries.reduce(into: []) { if $0.last != $1 { $0.append($1) } } == attempts)
        for attempt in attempts { try Self.expectValid(attempt.compact, "attempt") }
    }

    @Test func `a member of another spelling does not follow the schema`() throws {
        let text = SampleRun.failed.json.compact
        let old = text.replacing("\"startedAtMs\"", with: "\"startedMs\"")
        #expect(old != text)
        let schema = try RunSchema()
        #expect(try !schema.failures(old, "attempt").isEmpty)
        let more = "{\"pauseMs\":1," + String(text.dropFirst())
        #expect(try !schema.failures(more, "attempt").isEmpty)
    }
}
