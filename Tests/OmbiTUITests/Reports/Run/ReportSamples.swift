import OmbiCore
import OmbiWorkspace

@testable import OmbiTUI

/// Runs for the tests of reports.
enum ReportSamples {
    static let place = ReportedRun.Place(
        suite: ["shop", "users"], name: "list", file: "shop.json", line: 12, environment: "local")

    /// Passed at the third attempt.
    static let flaky: ReportedRun = {
        var run = ReportedRun(place: place, verdict: .flaky)
        run.status = 200
        run.duration = .milliseconds(436)
        run.attempts = [
            ReportedAttempt(
                number: 1, startedAt: .zero, duration: .milliseconds(12), wait: .milliseconds(200), status: 503,
                result: "503 Service Unavailable", kind: "status", isRetried: true),
            ReportedAttempt(
                number: 2, startedAt: .milliseconds(212), duration: .milliseconds(12), wait: .milliseconds(200),
                status: 503, result: "503 Service Unavailable", kind: "status", isRetried: true),
            ReportedAttempt(
                number: 3, startedAt: .milliseconds(424), duration: .milliseconds(12), status: 200, result: "200 OK"),
        ]
        run.attemptCount = 3
        return run
    }()

    static func run(
        _ verdict: ReportedRun.Verdict, _ name: String = "list", failure: String = "", _ kind: FailureClass? = nil
    ) -> ReportedRun {
        var run = ReportedRun(place: place, verdict: verdict, failureClass: kind)
        run.place.name = name
        run.failures = failure.isEmpty ? [] : [failure]
        run.duration = .milliseconds(20)
        return run
    }

    static func report(_ runs: [ReportedRun]) -> ReportedRuns {
        var report = ReportedRuns()
        for (number, run) in runs.enumerated() {
            var run = run
            run.place.number = number
            report.add(run)
        }
        report.finish()
        return report
    }

    /// Names and messages that want to be markup, commands or control characters.
    static let hostile = [
        "]]>", "a\u{0}b\u{1B}[2J\u{9B}6n", "100%\r\n::error::x", "\"'<&>", "</script><script>alert(1)</script>",
        "\u{FFFE}\u{FFFF}", "x # SKIP no", "a\\ # Todo", "…\nok 9 - forged\n...", "\u{202E}日本", "a,b:c",
        "::stop-commands::x", "<\u{338}\"\u{301}&\u{301}'\u{301}>\u{301}",
    ]

    /// A result whose attempts have these reasons and outcomes.
    static func result(
        _ attempts: [(AttemptReport.Reason, AttemptReport.Outcome)], _ ending: SessionResult.Ending,
        outcome: RequestReport.Outcome = .succeeded, code: TransportError.Code? = nil
    ) -> SessionResult {
        var reports = attempts.enumerated().map { index, attempt in
            AttemptReport(
                number: index + 1, reason: attempt.0, startedAt: .zero, duration: .milliseconds(1), outcome: attempt.1)
        }
        if !reports.isEmpty { reports[reports.count - 1].errorCode = code }
        return SessionResult(
            ending,
            report: RequestReport(attempts: reports, duration: .milliseconds(5), sla: nil, outcome: outcome))
    }
}
