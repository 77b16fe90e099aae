import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// Attempts that a breaker holds, and retries beyond a budget, in runs.
@Suite struct BreakerTests {
    let clock = ManualClock()
    let policy = RetryPolicy(breaker: CircuitBreaker(failures: 2))

    func manager(_ transport: ScriptedTransport, _ host: String = "http://stub.test") -> RequestManager {
        RequestManager(host: host, transport: transport, clock: clock)
    }

    /// Sends requests that nothing holds, one after the other.
    func send(_ count: Int, through manager: RequestManager, _ policy: RetryPolicy) async {
        for _ in 0..<count { _ = await manager.record(PlainRequest(), retry: policy).0.outcome }
    }

    @Test func `attempts are held once enough have failed, and a probe that succeeds lets all of them go`() async {
        let transport = ScriptedTransport(.status(503), .status(503), .status(200))
        let manager = manager(transport)
        await send(2, through: manager, policy)
        let recorders = (0..<3).map { _ in manager.record(PlainRequest(), retry: policy).0 }
        for recorder in recorders {
            await recorder.waitForWait(beforeAttempt: 1)
            #expect(
                recorder.events.first == .waiting(attempt: 1, until: .seconds(10), reason: .breaker, at: .zero))
        }
        clock.advance(by: .milliseconds(9999))
        #expect(transport.requests.count == 2)
        clock.advance(by: .milliseconds(1))
        for recorder in recorders {
            let report = await recorder.report
            #expect(report?.attempts.map(\.held) == [.seconds(10)] && report?.attempts.map(\.reason) == [.first])
            #expect(report?.attempts.map(\.response?.statusCode) == [200])
        }
        #expect(transport.requests.count == 5 && clock.timerCount == 0)
    }

    @Test func `while a probe is under way others wait, and take its place when it is cancelled`() async {
        let transport = ScriptedTransport(.status(503), .status(503), .silence, .status(200))
        let manager = manager(transport)
        await send(2, through: manager, policy)
        let (first, task) = manager.record(PlainRequest(), retry: policy)
        await first.waitForWait(beforeAttempt: 1)
        clock.advance(by: .seconds(10))
        await first.waitForAttempt(1)
        let (second, _) = manager.record(PlainRequest(), retry: policy)
        await second.waitForWait(beforeAttempt: 1)
        #expect(second.events.first == .waiting(attempt: 1, until: .zero, reason: .breaker, at: .zero))
        #expect(transport.requests.count == 3)
        task.cancel()
        #expect(await second.report?.attempts.map(\.response?.statusCode) == [200])
    }

    @Test func `a probe that fails begins the pause again`() async {
        let transport = ScriptedTransport(.status(500))
        let manager = manager(transport)
        await send(2, through: manager, policy)
        let (probe, task) = manager.record(PlainRequest(), retry: policy)
        await probe.waitForWait(beforeAttempt: 1)
        clock.advance(by: .seconds(4))
        task.skipWait()
        #expect(await probe.report?.attempts.map(\.held) == [.seconds(4)])
        let (held, _) = manager.record(PlainRequest(), retry: policy)
        await held.waitForWait(beforeAttempt: 1)
        #expect(held.events.first == .waiting(attempt: 1, until: .seconds(10), reason: .breaker, at: .zero))
        clock.advance(by: .seconds(10))
        _ = await held.outcome
        #expect(transport.requests.count == 4)
    }

    @Test(arguments: [false, true]) func `somebody who does not wait sends a probe`(byRetrying: Bool) async {
        let transport = ScriptedTransport(.status(503), .status(503), .status(200))
        let manager = manager(transport)
        await send(2, through: manager, policy)
        let (probe, task) = manager.record(PlainRequest(), retry: policy)
        let (other, _) = manager.record(PlainRequest(), retry: policy)
        await probe.waitForWait(beforeAttempt: 1)
        await other.waitForWait(beforeAttempt: 1)
        if byRetrying { task.retryNow() } else { task.skipWait() }
        for recorder in [probe, other] {
            #expect(await recorder.report?.attempts.map(\.response?.statusCode) == [200])
        }
        #expect(clock.timerCount == 0)
    }

    @Test func `the wait before a retry goes on while the breaker holds it`() async {
        let transport = ScriptedTransport(.status(503), .status(200))
        var policy = policy
        (policy.retries, policy.backoff) = (1, .constant(.seconds(2)))
        policy.breaker?.failures = 1
        let (recorder, _) = manager(transport).record(PlainRequest(), retry: policy)
        await recorder.waitForWait(beforeAttempt: 2)
        clock.advance(by: .seconds(2))
        await recorder.waitForEvent { if case .waiting(2, _, .breaker, _) = $0 { true } else { false } }
        #expect(
            recorder.events.contains(
                .waiting(attempt: 2, until: .seconds(10), reason: .breaker, at: .seconds(2))))
        clock.advance(by: .seconds(8))
        let attempts = await recorder.report?.attempts ?? []
        #expect(attempts.map(\.wait) == [.seconds(10), nil] && attempts.map(\.waitReason) == [.breaker, nil])
        #expect(attempts.map(\.held) == [nil, .seconds(8)] && attempts.map(\.startedAt) == [.zero, .seconds(10)])
    }

    // MARK: The end of a hold

    @Test func `the SLA ends a run that is held, and says so`() async {
        let transport = ScriptedTransport(.status(503))
        let manager = manager(transport)
        await send(2, through: manager, policy)
        let (recorder, _) = manager.record(PlainRequest(), retry: policy, sla: .seconds(5))
        await recorder.waitForWait(beforeAttempt: 1)
        clock.advance(by: .seconds(5))
        guard case .failure(.slaExceeded(let details)) = await recorder.outcome else {
            Issue.record("expected slaExceeded")
            return
        }
        #expect(details?.description == "the SLA of 5s ended while the breaker of stub.test held the first attempt")
        #expect(transport.requests.count == 2 && clock.timerCount == 0)
    }

    @Test(arguments: [false, true]) func `a run that is held can be cancelled`(byGivingUp: Bool) async {
        let transport = ScriptedTransport(.status(503))
        let manager = manager(transport)
        await send(2, through: manager, policy)
        let (recorder, task) = manager.record(PlainRequest(), retry: policy)
        await recorder.waitForWait(beforeAttempt: 1)
        if byGivingUp { task.giveUp() } else { task.cancel() }
        guard case .failure(.cancelled) = await recorder.outcome else {
            Issue.record("expected cancelled")
            return
        }
        clock.advance(by: .seconds(60))
        #expect(transport.requests.count == 2 && clock.timerCount == 0)
    }

    @Test func `a retry that is held is given up with its last failure`() async {
        let transport = ScriptedTransport(.status(503))
        var policy = policy
        policy.retries = 1
        policy.breaker?.failures = 1
        let (recorder, task) = manager(transport).record(PlainRequest(), retry: policy)
        await recorder.waitForWait(beforeAttempt: 2)
        task.giveUp()
        let response = try? await recorder.outcome?.get()
        #expect(response?.statusCode == 503 && transport.requests.count == 1 && clock.timerCount == 0)
    }

    // MARK: Failures

    @Test(arguments: [
        ScriptedTransport.Step.status(500), .status(599), .error(.cannotFindHost), .error(.cannotConnectToHost),
        .error(.timedOut), .errorAfterSending(.connectionLost),
    ])
    func `a server that is not well opens the breaker`(step: ScriptedTransport.Step) async {
        let transport = ScriptedTransport(step)
        let manager = manager(transport)
        await send(2, through: manager, policy)
        let (held, task) = manager.record(PlainRequest(), retry: policy)
        await held.waitForWait(beforeAttempt: 1)
        #expect(transport.requests.count == 2)
        task.cancel()
        _ = await held.outcome
    }

    @Test(arguments: [
        ScriptedTransport.Step.status(404), .status(429), .status(401), .status(302), .status(501),
        .error(.tooManyRedirects), .error(.cancelled), .error(.outOfMemory), .error(.refused),
    ])
    func `what says nothing about the server does not, nor a status that is expected`(
        step: ScriptedTransport.Step
    ) async {
        let transport = ScriptedTransport(step)
        var policy = policy
        policy.breaker?.expectedStatusCodes = [501]
        await send(4, through: manager(transport), policy)
        #expect(transport.requests.count == 4)
    }

    @Test func `failures that are long ago do not count`() async {
        let transport = ScriptedTransport(.status(503))
        let manager = manager(transport)
        for _ in 0..<4 {
            await send(1, through: manager, policy)
            clock.advance(by: .seconds(30))
        }
        #expect(transport.requests.count == 4)
    }

    // MARK: Origins

    @Test func `managers with one registry share the health of an origin, and other origins have their own`() async {
        let transport = ScriptedTransport(.status(503))
        let (one, two) = (manager(transport), manager(transport, "http://STUB.test:80/v2"))
        two.originRegistry = one.originRegistry
        let others = [
            manager(transport), manager(transport, "http://stub.test:81"), manager(transport, "https://stub.test"),
            manager(transport),
        ]
        others[3].connection.unixSocket = "/run/stub.sock"
        for other in others.dropFirst() { other.originRegistry = one.originRegistry }
        await send(1, through: one, policy)
        await send(1, through: two, policy)
        let (held, task) = two.record(PlainRequest(), retry: policy)
        await held.waitForWait(beforeAttempt: 1)
        #expect(transport.requests.count == 2)
        task.cancel()
        _ = await held.outcome
        for other in others { await send(1, through: other, policy) }
        // A run without a breaker is not held, and does not count.
        await send(3, through: one, .never)
        #expect(transport.requests.count == 9)
    }

    @Test func `a pause is as long for a manager that is made later`() async {
        let (transport, clock) = (ScriptedTransport(.status(503)), TestClock())
        func manager() -> RequestManager {
            RequestManager(host: "http://stub.test", transport: transport, clock: clock)
        }
        let one = manager()
        clock.advance(by: .seconds(3600))
        let two = manager()
        two.originRegistry = one.originRegistry
        await send(2, through: one, policy)
        let (held, task) = two.record(PlainRequest(), retry: policy)
        await held.waitForWait(beforeAttempt: 1)
        #expect(held.events.first == .waiting(attempt: 1, until: .seconds(10), reason: .breaker, at: .zero))
        task.cancel()
        _ = await held.outcome
    }

    // MARK: Budget

    @Test func `retries beyond the budget are not sent, and say why`() async {
        let transport = ScriptedTransport(.status(503))
        let manager = manager(transport)
        let policy = RetryPolicy(retries: 3, retryBudget: RetryBudget(share: 0.5, minimum: 1))
        let (recorder, _) = manager.record(PlainRequest(), retry: policy)
        let attempts = await recorder.report?.attempts ?? []
        #expect(attempts.map(\.willRetry) == [true, false])
        let spent = SpentRetryBudget(server: "stub.test", share: 0.5, requests: 1, retries: 1)
        #expect(attempts.map(\.missedRetry?.budget) == [nil, spent])
        // Three more first attempts have room for a second retry.
        await send(3, through: manager, policy)
        #expect(transport.requests.count == 6)
        clock.advance(by: .seconds(60))
        await send(1, through: manager, policy)
        #expect(transport.requests.count == 8)
    }

    @Test func `a retry by hand needs no budget`() async {
        let transport = ScriptedTransport(.silence)
        let policy = RetryPolicy(retries: 1, retryBudget: RetryBudget(share: 0, minimum: 0))
        let (recorder, task) = manager(transport).record(PlainRequest(), retry: policy)
        await recorder.waitForAttempt(1)
        task.retryNow()
        await recorder.waitForAttempt(2)
        #expect(transport.requests.count == 2)
        task.cancel()
        _ = await recorder.outcome
    }

    // MARK: On the wire

    @Test func `a server that comes back gets a probe and then the rest`() async throws {
        try await RealServer.scripted({ $0.number > 2 ? .ok("back") : .status(503) }) { server in
            let manager = RequestManager(host: server.host)
            var policy = policy
            policy.breaker?.pause = .milliseconds(20)
            await send(2, through: manager, policy)
            let recorders = (0..<3).map { _ in manager.record(PlainRequest(), retry: policy).0 }
            for recorder in recorders {
                let report = await recorder.report
                #expect(report?.attempts.map(\.response?.statusCode) == [200])
            }
            #expect(server.requests.count == 5)
        }
    }
}
