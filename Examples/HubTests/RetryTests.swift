import OmbiCore
import Testing

@testable import Hub

@Suite struct RetryTests {
    let clock = TestClock()
    let record = StubTransport.Record()

    /// Runs a request, moves time through its waits, and returns them.
    private func waits(_ hub: Hub) async -> (waits: [Duration], report: RequestReport?) {
        let task = hub.manager.send(UserByLogin(login: "ada"), retry: .hub, sla: .seconds(7200))
        var waits: [Duration] = []
        for await case .waiting(_, let until, _, let at) in task.events {
            waits.append(until - at)
            clock.advance(by: until - at)
        }
        return (waits, await task.report)
    }

    private func hub(failing reply: StubTransport.Reply) -> Hub {
        Hub(clock, record: record) { [record] _ in record.calls.count == 1 ? reply : .ada }
    }

    @Test func retryAfterGoesBeforeTheBackoff() async {
        let (waits, report) = await waits(hub(failing: .response(statusCode: 429, headers: [.retryAfter: 17])))
        #expect(waits == [.seconds(17)])
        #expect(report?.outcome == .succeeded)
    }

    @Test func withoutRetryAfterTheBackoffHasJitter() async {
        let (waits, _) = await waits(hub(failing: .response(statusCode: 503)))
        #expect(waits.count == 1)
        #expect(waits.allSatisfy { $0 >= .milliseconds(400) && $0 <= .milliseconds(600) })
    }

    @Test func aRateLimitIsWaitedForUntilItsReset() async {
        let limit: RequestHeaders = ["X-RateLimit-Remaining": 0, "X-RateLimit-Reset": 1_000_090]
        let (waits, _) = await waits(hub(failing: .json("{}", statusCode: 403, headers: limit)))
        #expect(waits == [.seconds(90)])
        #expect(record.calls.count == 2)
    }

    @Test(arguments: [
        ["X-RateLimit-Remaining": "7"], ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "soon"], [:],
    ])
    func aRefusalIsNoRateLimit(fields: [String: String]) async {
        let refused = StubTransport.Reply.json(#"{"message": "No"}"#, statusCode: 403, headers: RequestHeaders(fields))
        let (waits, _) = await waits(hub(failing: refused))
        #expect(waits.isEmpty && record.calls.count == 1)
    }

    @Test func anIssueIsNotOpenedTwice() async {
        let hub = Hub(clock, record: record) { _ in .response(statusCode: 503) }
        await #expect(throws: RequestError<HubError>.self) {
            try await hub.value(for: CreateIssue(repository: "ada/engine", body: .init(title: "Steam")))
        }
        #expect(record.calls.count == 1)
    }

    @Test func theAttemptsOfARunShareARequestID() async throws {
        let hub = hub(failing: .response(statusCode: 503, headers: [.retryAfter: 0]))
        for _ in 0..<2 { _ = try await hub.value(for: UserByLogin(login: "ada")) }
        let ids = record.calls.map { $0.headers["X-Request-ID"]?.text ?? "none" }
        #expect(ids.count == 3 && ids[0] == ids[1] && ids[1] != ids[2] && !ids.contains("none"))
    }
}
