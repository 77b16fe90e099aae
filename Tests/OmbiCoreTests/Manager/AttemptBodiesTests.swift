import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// The bodies that are kept of attempts that another one followed.
@Suite struct AttemptBodiesTests {
    private static func attempt(_ number: Int, _ body: Data) -> AttemptReport {
        AttemptReport(
            number: number, startedAt: .zero, duration: .zero, outcome: .failed(.status, "503"),
            response: TransportResponse(statusCode: 503, body: body), willRetry: true)
    }

    private static func body(_ number: Int, bytes: Int) -> Data {
        var body = Data(count: bytes)
        withUnsafeBytes(of: number) { body.replaceSubrange(0..<8, with: $0) }
        return body
    }

    @Test func `a thousand attempts of a megabyte hold 32 MiB, and the first and the last keep their bodies`() {
        var history = AttemptHistory()
        var (bodies, reports) = (AttemptBodies(), [AttemptReport]())
        for number in 1...1000 {
            let report = Self.attempt(number, Self.body(number, bytes: 1_000_000))
            _ = history.add(report)
            bodies.add(report, to: &reports)
        }
        for list in [history.reports, reports] {
            let kept = list.compactMap { $0.received?.body?.count }.reduce(0, +)
            #expect(kept <= AttemptBodies.maximumTotal + 1_000_000)
            #expect(list.last?.received?.body?.count == 1_000_000 && list.last?.omittedBody == nil)
            #expect(list[5].received?.body == nil && list[5].omittedBody == 1_000_000)
            #expect(list[5].received?.statusCode == 503)
        }
        #expect(reports.first?.received?.body?.count == 1_000_000)
        #expect(reports.count == 1000 && history.reports.count == AttemptHistory.maximumAttempts)
    }

    @Test func `equal bodies count once`() {
        var (bodies, reports) = (AttemptBodies(), [AttemptReport]())
        for number in 1...100 { bodies.add(Self.attempt(number, Data(repeating: 1, count: 1_000_000)), to: &reports) }
        #expect(reports.allSatisfy { $0.received?.body?.count == 1_000_000 })
    }

    @Test func `a body beyond the limit of one is kept as its size, but for the last`() {
        var reports = [1, 2].map { Self.attempt($0, Self.body($0, bytes: AttemptBodies.maximumBody + 1)) }
        AttemptBodies.limit(&reports)
        #expect(reports[0].received?.body == nil && reports[0].omittedBody == AttemptBodies.maximumBody + 1)
        #expect(reports[1].received?.body != nil && reports[1].omittedBody == nil)
    }

    @Test func `a run without a handle keeps no bodies of attempts that another one followed`() throws {
        var history = AttemptHistory(keepsBodies: false)
        let url = try #require(URL(string: "http://stub.test/"))
        var redirect = RedirectReport(
            head: ResponseHead(url: url, statusCode: 302, headers: [:]), target: url, method: .get)
        redirect.body = Data("moved".utf8)
        for number in 1...3 {
            var attempt = Self.attempt(number, Data("busy".utf8))
            attempt.metrics.redirects = [redirect]
            _ = history.add(attempt)
        }
        #expect(history.reports.map { $0.received?.body?.count } == [nil, nil, 4])
        #expect(history.reports.map { $0.metrics.redirects.first?.body?.count } == [nil, nil, 5])
    }

    @Test func `the report has the response of each attempt`() async throws {
        let transport = ScriptedTransport(
            .status(503, [:], "first"), .status(503, [:], "second"), .status(200, [:], "ok"))
        let manager = RequestManager(host: "http://stub.test", transport: transport, clock: ManualClock())
        let report = try #require(await manager.send(TextRequest(), retries: 2).report)
        let bodies = report.attempts.map { $0.received?.body.map { String(decoding: $0, as: UTF8.self) } }
        #expect(bodies == ["first", "second", "ok"])
        #expect(report.attempts.map { $0.received?.statusCode } == [503, 503, 200])
    }

    @Test func `an attempt that breaks off keeps the part that arrived`() async throws {
        let server = try LoopbackServer { $0.number == 1 ? .broken(length: 100, sent: 40) : .ok("done") }
        defer { server.stop() }
        let manager = RequestManager(host: server.host)
        let report = try #require(await manager.send(TextRequest(), retries: 1).report)
        let first = try #require(report.attempts.first)
        #expect(first.isPartial && first.response == nil)
        #expect(first.received?.statusCode == 200 && first.received?.body?.count == 40)
        #expect(report.attempts.last?.received?.body == Data("done".utf8))
    }
}
