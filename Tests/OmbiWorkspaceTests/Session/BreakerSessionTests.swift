import Foundation
import OmbiCore
import Testing

@testable import OmbiWorkspace

// Testing has an Expectation too.
private typealias Expectation = OmbiWorkspace.Expectation

/// Breakers and budgets that the runs of a session share.
@Suite struct BreakerSessionTests {
    private static let breaker = CircuitBreaker(failures: 1, pause: .seconds(3600))

    private static func order(_ request: SavedRequest, host: String = "http://api.test/v1") -> RunOrder {
        let environment = Environment(name: host, host: host)
        return RunOrder(
            id: 1, request: request, collection: Collection(name: "c", environments: [environment]),
            environment: host, file: "/shop/c.json")
    }

    private static func request(_ path: String = "/p", _ policy: RequestPolicy) -> SavedRequest {
        var request = SavedRequest(name: "r", path: path)
        request.policy = policy
        return request
    }

    private static func result(_ session: Session, _ order: RunOrder) async -> SessionResult? {
        guard case .ended(let result)? = await session.events(of: order).last else { return nil }
        return result
    }

    @Test func `environments and requests with one origin share a breaker, which says so when the SLA ends`() async {
        let sent = StubTransport.Record()
        let session = Session(transport: StubTransport { _ in .response(statusCode: 503) }.recording(in: sent))
        let policy = RequestPolicy(sla: .milliseconds(50), breaker: Self.breaker)
        let failing = Self.request("/p", RequestPolicy(breaker: Self.breaker))
        _ = await Self.result(session, Self.order(failing))
        let others = [
            ("/q", "http://api.test/v1"), ("/p", "http://api.test/v2"), ("http://api.test/x", "http://b.test"),
        ]
        for (path, host) in others {
            let result = await Self.result(session, Self.order(Self.request(path, policy), host: host))
            #expect(
                result?.failures.contains { $0.contains("the breaker of api.test held the first attempt") } == true,
                "\(host)\(path): \(result?.failures as Any)")
            #expect(result?.report?.attempts.isEmpty == true)
        }
        #expect(sent.requests.count == 1)
        // Another origin, and a request without a breaker.
        _ = await Self.result(session, Self.order(Self.request("/p", policy), host: "http://other.test"))
        _ = await Self.result(session, Self.order(Self.request("/p", RequestPolicy())))
        #expect(sent.requests.count == 3)
    }

    @Test func `a status that the request expects opens no breaker`() async {
        let sent = StubTransport.Record()
        let session = Session(transport: StubTransport { _ in .response(statusCode: 503) }.recording(in: sent))
        var request = Self.request("/p", RequestPolicy(breaker: Self.breaker))
        request.expect = Expectation(status: [.code(503)])
        for _ in 0..<3 { #expect(await Self.result(session, Self.order(request))?.passed == true) }
        #expect(sent.requests.count == 3)
    }

    @Test func `a run that is held can be cancelled`() async {
        let session = Session(transport: StubTransport { _ in .response(statusCode: 503) })
        let order = Self.order(Self.request("/p", RequestPolicy(breaker: Self.breaker)))
        _ = await Self.result(session, order)
        let ending = await withCheckedContinuation { continuation in
            let handle = Lock<SessionRun?>(nil)
            let isHeld = Lock(false)
            let run = session.send(order, on: DispatchQueue(label: "test")) { event in
                if case .step(.waiting(_, _, .breaker, _)) = event {
                    isHeld.withLock { $0 = true }
                    handle.withLock { $0 }?.cancel()
                }
                if case .ended(let result) = event { continuation.resume(returning: result.ending) }
            }
            handle.withLock { $0 = run }
            // It may have been held before there was a handle.
            if isHeld.withLock({ $0 }) { run.cancel() }
        }
        #expect(ending == .cancelled)
    }

    @Test func `the history keeps for how long attempts were held, and whose budget was spent`() async throws {
        let sample = try HistorySample()
        let statuses = Lock([503, 200])
        let breaker = CircuitBreaker(failures: 1, pause: .milliseconds(20))
        let held = await sample.send(
            sample.order(Self.request("/p", RequestPolicy(retries: 1, breaker: breaker))),
            StubTransport { _ in .response(statusCode: statuses.withLock { $0.removeFirst() }) })
        let budget = RequestPolicy(retries: 5, retryBudget: RetryBudget(share: 0.01))
        let spent = await sample.send(
            sample.order(Self.request("/q", budget)), StubTransport { _ in .response(statusCode: 503) })
        let entries = try await sample.history.entries(HistoryFilter(), limit: 2)
        #expect(entries.count == 2)
        let first = try await sample.history.run(entries.last?.id ?? 0)?.result.report?.attempts ?? []
        let time = try #require(held.report?.attempts.last?.held)
        #expect(first.map(\.held) == [nil, .microseconds(time.wholeMicroseconds)])
        #expect(first.map(\.waitReason) == [.breaker, nil])
        let second = try await sample.history.run(entries.first?.id ?? 0)?.result.report?.attempts ?? []
        #expect(second.count == 4)
        #expect(
            second.last?.missedRetry?.budget
                == SpentRetryBudget(server: "api.test", share: 0.01, requests: 1, retries: 3))
        #expect(spent.report?.attempts.last?.missedRetry?.budget == second.last?.missedRetry?.budget)
    }
}
