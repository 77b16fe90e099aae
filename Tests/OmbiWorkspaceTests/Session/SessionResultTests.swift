import OmbiCore
import Testing

@testable import OmbiWorkspace

/// The verdict on a run, the same in the explorer and in CI.
@Suite struct SessionResultTests {
    private static func prepared(_ expectation: OmbiWorkspace.Expectation?) -> PreparedRequest {
        PreparedRequest(
            url: "http://api.test/", method: .get, headers: [], sla: .init(.seconds(2)), attempts: .init(1),
            expectation: expectation)
    }

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
        let result = SessionResult(
            .response(response), prepared: Self.prepared(judgement.expectation), report: report)
        #expect(result.failures == judgement.failures && result.passed == judgement.failures.isEmpty)
    }

    @Test(arguments: [
        (
            "trust its authority with Connection.tls.caFile",
            "no; name the file of its authority in caFile of the connection (CA file in the tab Connection)"
        ),
        ("check Connection.tls.caFile", "no; check caFile"),
        ("check the certificates of the system", "no; check the certificates of the system"),
    ])
    func `a file of authorities that cannot be used is not asked for again`(advice: String, message: String) {
        let error = TransportError(code: .certificateNotTrusted, message: "no", advice: advice)
        #expect(SessionResult.Ending(.failure(.connectionError(error)), Redactor()) == .failure(message))
    }

    @Test func `the limit counts for the whole run, as the expectation says`() {
        let attempts = [0, 600].map { start in
            AttemptReport(
                number: 1, startedAt: .milliseconds(start), duration: .milliseconds(105), outcome: .succeeded)
        }
        let report = RequestReport(
            attempts: attempts, duration: .milliseconds(705), sla: .seconds(2), outcome: .succeeded)
        let result = SessionResult(
            .response(TransportResponse(statusCode: 200)), prepared: Self.prepared(Self.expecting(within: 500)),
            report: report)
        #expect(result.failures == ["expected within 500ms, took 705ms"])
    }

    @Test func `without a response there is one thing wrong`() {
        let prepared = Self.prepared(Self.expecting("2xx", within: 1))
        #expect(SessionResult(.cancelled, prepared: prepared).failures == ["cancelled"])
        #expect(SessionResult(.failure("no"), prepared: prepared).failures == ["no"])
    }
}
