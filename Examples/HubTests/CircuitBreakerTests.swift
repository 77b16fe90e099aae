import OmbiCore
import Testing

@testable import Hub

@Suite struct CircuitBreakerTests {
    let clock = TestClock()
    let record = StubTransport.Record()
    let request = UserByLogin(login: "ada")

    /// Two failures open the circuit, for ten seconds.
    private func manager(_ replies: StubTransport.Reply...) -> RequestManager {
        let stub = StubTransport.stub(replies: replies).recording(in: record)
        let manager = RequestManager(host: "https://api.example.com", transport: stub, clock: clock)
        manager.middlewares = [CircuitBreaker(maximumFailures: 2, cooldown: .seconds(10), clock: clock)]
        return manager
    }

    private func outcome(_ manager: RequestManager) async -> String {
        do throws(RequestError<HubError>) {
            return try await manager.value(for: request).login
        } catch {
            return error.underlyingError is CircuitOpen ? "open" : "failed"
        }
    }

    @Test func failuresInARowOpenTheCircuitAndASuccessOfTheProbeClosesIt() async {
        let manager = manager(.response(statusCode: 500), .failure(.init(code: .connectionLost)), .ada)
        #expect(
            [await outcome(manager), await outcome(manager), await outcome(manager)] == ["failed", "failed", "open"])
        #expect(record.calls.count == 2)
        clock.advance(by: .seconds(9))
        #expect(await outcome(manager) == "open")
        clock.advance(by: .seconds(1))
        #expect([await outcome(manager), await outcome(manager)] == ["ada", "ada"])
        #expect(record.calls.count == 4)
    }

    @Test func aProbeThatFailsOpensTheCircuitAgain() async {
        let manager = manager(.response(statusCode: 500))
        for _ in 0..<2 { #expect(await outcome(manager) == "failed") }
        clock.advance(by: .seconds(10))
        #expect([await outcome(manager), await outcome(manager)] == ["failed", "open"])
        clock.advance(by: .seconds(9))
        #expect(await outcome(manager) == "open")
    }

    @Test func aSuccessBetweenFailuresStartsTheCountAnew() async {
        let broken = StubTransport.Reply.response(statusCode: 500)
        let manager = manager(broken, .ada, broken, .ada)
        for expected in ["failed", "ada", "failed", "ada"] { #expect(await outcome(manager) == expected) }
    }

    @Test func aRefusalIsNoFailureOfTheServer() async {
        let manager = manager(.response(statusCode: 404))
        for _ in 0..<5 { #expect(await outcome(manager) == "failed") }
        #expect(record.calls.count == 5)
    }

    @Test func retriesStopAtAnOpenCircuit() async {
        let manager = manager(.response(statusCode: 503))
        let error = await #expect(throws: RequestError<HubError>.self) {
            try await manager.value(for: request, retry: RetryPolicy(retries: 9))
        }
        #expect(error == .middlewareFailed(CircuitOpen()))
        #expect(record.calls.count == 2)
    }
}

extension StubTransport.Reply {
    static let ada = json(#"{"login": "ada", "name": "Ada", "public_repos": 3}"#)
}
