import OmbiCore
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// Kinds of failures, and what counts as a retry.
@Suite struct FailureClassTests {
    private static let unavailable = AttemptReport.Outcome.failed(.status, "503 Service Unavailable")
    private static let broken = AttemptReport.Outcome.failed(.connection, "no connection")

    @Test(arguments: [
        (TransportError.Code.cannotConnectToHost, FailureClass.connection), (.timedOut, .connection),
        (.certificateNotTrusted, .tls), (.secureConnectionFailed, .tls), (.unsupportedOption, .other),
    ])
    func `a run without a response is of the kind of its last attempt`(
        code: TransportError.Code, expected: FailureClass
    ) {
        let result = ReportSamples.result([(.first, Self.broken)], .failure("no"), outcome: .failed("no"), code: code)
        #expect(FailureClass(result) == expected)
    }

    @Test func `an SLA, a cancellation and what was never sent are kinds of their own`() {
        let exceeded = ReportSamples.result(
            [(.first, Self.unavailable), (.retry, .slaExceeded)], .failure("late"), outcome: .slaExceeded)
        #expect(FailureClass(exceeded) == .sla)
        #expect(FailureClass(SessionResult(.cancelled)) == .cancelled)
        #expect(FailureClass(SessionResult(.failure("no secret"))) == .other)
        let missing = SessionResult(.response(TransportResponse(statusCode: 404)))
        #expect(FailureClass(missing) == .expectation)
        #expect(FailureClass(SessionResult(.response(TransportResponse(statusCode: 200)))) == nil)
    }

    private static let statuses: [([FailureClass], Bool, OmbiTUI.ExitStatus)] = [
        ([.expectation], false, .expectation), ([.sla], false, .sla), ([.connection], false, .connection),
        ([.tls], false, .tls), ([.retries], false, .limit), ([], true, .limit), ([.retries], true, .limit),
        ([.expectation, .sla], false, .failure), ([.expectation], true, .failure), ([.other], false, .failure),
        ([.cancelled], false, .failure), ([.expectation, .cancelled], false, .expectation),
        ([.sla, .connection, .cancelled], false, .failure), ([.cancelled], true, .failure),
    ]

    @Test(arguments: statuses)
    func `failures of one kind have an exit code of their own`(
        classes: [FailureClass], missesLimit: Bool, expected: OmbiTUI.ExitStatus
    ) {
        #expect(OmbiTUI.ExitStatus(Set(classes), missesLimit: missesLimit) == expected)
    }

    private static let attempts: [([(AttemptReport.Reason, AttemptReport.Outcome)], Set<Int>)] = [
        ([(.first, unavailable), (.retry, unavailable), (.retry, .succeeded)], [0, 1]), ([(.first, .succeeded)], []),
        ([(.first, unavailable), (.credentialsRefreshed, .succeeded)], []),
        ([(.first, .succeeded), (.reconnect, .succeeded)], []),
    ]

    @Test(arguments: attempts)
    func `a renewed token and a stream that goes on are no retries`(
        attempts: [(AttemptReport.Reason, AttemptReport.Outcome)], expected: Set<Int>
    ) {
        let result = ReportSamples.result(attempts, .response(TransportResponse(statusCode: 200)))
        #expect(result.retriedAttempts == expected)
        let run = ReportedRun(result, at: ReportSamples.place, nil)
        #expect(run.verdict == (expected.isEmpty ? .passed : .flaky) && run.retried.count == expected.count)
    }

    private static let targets: [(String, ReportFormat, String?)] = [
        ("junit=a=b.xml", .junit, "a=b.xml"), ("github=-", .github, nil), ("html=/tmp/x", .html, "/tmp/x"),
        ("tap=/dev/stdout", .tap, nil), ("tap=/dev/fd/1", .tap, nil), ("tap=/dev/stderr", .tap, "/dev/stderr"),
    ]

    @Test(arguments: targets)
    func `a report is a format and a file`(text: String, format: ReportFormat, path: String?) {
        let target = ReportTarget(text)
        #expect(target?.format == format && target?.path == path)
    }

    @Test(arguments: ["junit", "junit=", "xml=a", "=a", ""]) func `anything else is no report`(text: String) {
        #expect(ReportTarget(text) == nil)
    }
}
