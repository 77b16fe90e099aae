import Foundation
import Testing

@testable import OmbiCore

@Suite struct RetryTests {
    let clock = ManualClock()

    func manager(_ transport: ScriptedTransport) -> RequestManager {
        RequestManager(host: "http://stub.test", transport: transport, clock: clock)
    }

    @Test func `a success needs one attempt`() async {
        let transport = ScriptedTransport(.status(200, [:], "hello"))
        let (recorder, _) = manager(transport).record(TextRequest(), retry: .plain(retries: 3))
        let response = try? await recorder.outcome?.get()
        #expect(response?.body == "hello")
        #expect(transport.requests.count == 1)
    }

    @Test(arguments: [0, 1, 3]) func `retries count the attempts after the first`(retries: Int) async {
        let transport = ScriptedTransport(.error(.connectionLost))
        let (recorder, _) = manager(transport).record(TextRequest(), retry: .plain(retries: retries))
        let report = await recorder.report
        #expect(transport.requests.count == retries + 1)
        #expect(report?.attempts.map(\.willRetry) == Array(repeating: true, count: retries) + [false])
    }

    @Test func `a transient status is repeated and the last response is delivered`() async {
        let transport = ScriptedTransport(.status(503), .status(503, [:], "still"))
        let (recorder, _) = manager(transport).record(PlainRequest(), retry: RetryPolicy(retries: 1))
        let response = try? await recorder.outcome?.get()
        #expect(response?.statusCode == 503)
        #expect(response?.body == Data("still".utf8))
        let report = await recorder.report
        #expect(report?.outcome == .succeeded)
        #expect(
            report?.attempts.map(\.outcome)
                == Array(
                    repeating: .failed(.status, "503 Service Unavailable"), count: 2))
    }

    @Test func `the validator sees the last response`() async {
        let transport = ScriptedTransport(.status(503))
        let (recorder, _) = manager(transport).record(TextRequest(), retry: RetryPolicy(retries: 1))
        guard case .failure(.validationError(let error, _)) = await recorder.outcome else {
            Issue.record("expected a validation error")
            return
        }
        #expect(error == .error5xx(503))
        #expect(transport.requests.count == 2)
    }

    @Test func `backoff grows up to its ceiling`() async {
        let transport = ScriptedTransport(.status(503))
        let backoff = Backoff(first: .milliseconds(250), factor: 2, ceiling: .milliseconds(600))
        let (recorder, _) = manager(transport).record(PlainRequest(), retry: RetryPolicy(retries: 3, backoff: backoff))
        for (number, wait) in [(2, 250), (3, 500), (4, 600)] {
            await recorder.waitForWait(beforeAttempt: number)
            clock.advance(by: .milliseconds(wait - 1))
            #expect(transport.requests.count == number - 1)
            clock.advance(by: .milliseconds(1))
            await recorder.waitForAttempt(number)
        }
        let report = await recorder.report
        #expect(report?.attempts.map(\.wait) == [.milliseconds(250), .milliseconds(500), .milliseconds(600), nil])
        #expect(report?.duration == .milliseconds(1350))
        #expect(clock.timerCount == 0)
    }

    @Test(arguments: [("2", 2), ("Sun, 06 Nov 1994 08:49:40 GMT", 3), ("0", 0)])
    func `Retry-After is honoured`(text: String, seconds: Int) async {
        let transport = ScriptedTransport(.status(429, ["Retry-After": .string(text)]), .status(200))
        let (recorder, _) = manager(transport).record(PlainRequest(), retry: RetryPolicy(retries: 1))
        if seconds > 0 {
            await recorder.waitForWait(beforeAttempt: 2)
            #expect(
                recorder.events.contains(
                    .waiting(attempt: 2, until: .seconds(seconds), reason: .retryAfter, at: .zero)))
            clock.advance(by: .seconds(seconds))
        }
        #expect(try! await recorder.outcome?.get().statusCode == 200)
    }

    @Test func `a wait that the SLA cannot cover is not begun`() async {
        let transport = ScriptedTransport(.status(503, ["Retry-After": "10"]))
        let (recorder, _) = manager(transport)
            .record(TextRequest(), retry: RetryPolicy(retries: 3), sla: .seconds(10))
        guard case .failure(.validationError(.error5xx(503), _)) = await recorder.outcome else {
            Issue.record("expected the last failure")
            return
        }
        #expect(transport.requests.count == 1)
        let reports = recorder.events.compactMap { if case .attemptFinished(let report) = $0 { report } else { nil } }
        #expect(
            reports.map(\.missedRetry)
                == [MissedRetry(wait: .seconds(10), reason: .retryAfter, slaLeft: .seconds(10))])
    }

    @Test(arguments: ["1000000000", "3601", "Fri, 31 Dec 2038 23:59:59 GMT"])
    func `a server cannot park a run without an SLA for longer than the policy allows`(wait: String) async {
        let transport = ScriptedTransport(.status(503, ["Retry-After": .string(wait)]))
        let (recorder, _) = manager(transport).record(TextRequest(), retry: RetryPolicy(retries: 3), sla: nil)
        guard case .failure(.validationError(.error5xx(503), _)) = await recorder.outcome else {
            Issue.record("expected the last failure")
            return
        }
        let reports = recorder.events.compactMap { if case .attemptFinished(let report) = $0 { report } else { nil } }
        #expect(reports.map(\.missedRetry?.maximum) == [.seconds(3600)])
        #expect(reports.map(\.missedRetry?.reason) == [.retryAfter])
    }

    @Test func `a failure of the transport has its kind in the report`() async {
        let (recorder, _) = manager(ScriptedTransport(.error(.cannotFindHost)))
            .record(TextRequest(), retry: RetryPolicy(retries: 0))
        _ = await recorder.outcome
        let reports = recorder.events.compactMap { if case .attemptFinished(let report) = $0 { report } else { nil } }
        #expect(reports.map(\.errorCode) == [.cannotFindHost] && reports.map(\.missedRetry) == [nil])
    }

    @Test(arguments: [RequestMethod.post, .patch])
    func `an unsafe method is not repeated once sent`(method: RequestMethod) async {
        let transport = ScriptedTransport(.errorAfterSending(.connectionLost))
        let (recorder, _) = manager(transport).record(PlainRequest(method: method), retry: RetryPolicy(retries: 2))
        _ = await recorder.outcome
        #expect(transport.requests.count == 1)
    }

    @Test func `an unsafe method is repeated when nothing was sent`() async {
        let transport = ScriptedTransport(.error(.cannotConnectToHost))
        let (recorder, _) = manager(transport).record(PlainRequest(method: .post), retry: RetryPolicy(retries: 2))
        _ = await recorder.outcome
        #expect(transport.requests.count == 3)
    }

    @Test func `an unsafe method is repeated when allowed`() async {
        let transport = ScriptedTransport(.status(503))
        let keyed = PlainRequest(method: .post, headers: ["Idempotency-Key": "1"])
        let (first, _) = manager(transport).record(keyed, retry: RetryPolicy(retries: 1))
        _ = await first.outcome
        #expect(transport.requests.count == 2)
        let policy = RetryPolicy(retries: 1, retriesUnsafeMethods: true)
        let (second, _) = manager(transport).record(PlainRequest(method: .post), retry: policy)
        _ = await second.outcome
        #expect(transport.requests.count == 4)
    }

    @Test func `a malformed request is not attempted`() async {
        let transport = ScriptedTransport(.status(200))
        let manager = RequestManager(host: "api.example.com", transport: transport, clock: clock)
        let (recorder, _) = manager.record(TextRequest(), retry: .plain(retries: 3))
        guard case .failure(let error) = await recorder.outcome else {
            Issue.record("expected a failure")
            return
        }
        #expect(error.stage == .creation)
        #expect(
            error.localizedDescription == """
                the request could not be made: the host "api.example.com" does not begin with http:// or https://; \
                write it as https://api.example.com
                """)
        #expect(transport.requests.isEmpty)
        let report = await recorder.report
        #expect(report?.request == nil)
    }

    @Test func `decoding and validation failures are repeated by the plain count`() async {
        let transport = ScriptedTransport(.status(404), .status(200, [:], "ok"))
        let (recorder, _) = manager(transport).record(TextRequest(), retry: .plain(retries: 1))
        #expect(try! await recorder.outcome?.get().body == "ok")
        #expect(transport.requests.count == 2)
    }

    @Test func `a key that the policy adds is the same for all attempts`() async throws {
        let transport = ScriptedTransport(.errorAfterSending(.connectionLost), .status(503), .status(201))
        let policy = RetryPolicy(retries: 5, addsIdempotencyKey: true)
        let (recorder, _) = manager(transport).record(PlainRequest(method: .post), retry: policy)
        #expect(try await recorder.outcome?.get().statusCode == 201)
        let keys = transport.requests.map { $0.headers[.idempotencyKey]?.text ?? "none" }
        #expect(keys.count == 3 && Set(keys).count == 1 && UUID(uuidString: keys[0]) != nil)
    }

    @Test func `a key of the request is kept and safe methods get none`() async throws {
        let transport = ScriptedTransport(.status(200))
        let policy = RetryPolicy(retries: 1, addsIdempotencyKey: true)
        let manager = manager(transport)
        _ = await manager.record(PlainRequest(method: .post, headers: ["Idempotency-Key": "1"]), retry: policy).0
            .outcome
        _ = await manager.record(PlainRequest(method: .put), retry: policy).0.outcome
        #expect(transport.requests.map { $0.headers[.idempotencyKey]?.text } == ["1", nil])
    }
}
