import Foundation
import Testing

@testable import OmbiCore

@Suite struct RunControlTests {
    let clock = ManualClock()
    let waiting = RetryPolicy(retries: 1, backoff: .constant(.seconds(60)))

    func manager(_ transport: ScriptedTransport) -> RequestManager {
        RequestManager(host: "http://stub.test", transport: transport, clock: clock)
    }

    @Test func `the SLA ends an attempt under way`() async {
        let transport = ScriptedTransport(.silence)
        let (recorder, _) = manager(transport).record(TextRequest(), retry: .plain(retries: 3), sla: .seconds(2))
        await recorder.waitForAttempt(1)
        clock.advance(by: .seconds(2))
        guard case .failure(.slaExceeded) = await recorder.outcome else {
            Issue.record("expected slaExceeded")
            return
        }
        #expect(transport.cancelCount == 1)
        #expect(transport.requests.count == 1)
        let report = await recorder.report
        #expect(report?.outcome == .slaExceeded)
        #expect(report?.attempts.map(\.outcome) == [.slaExceeded])
        #expect(report?.attempts.first?.duration == .seconds(2))
    }

    @Test func `cancelling ends an attempt under way`() async {
        let transport = ScriptedTransport(.silence)
        let (recorder, task) = manager(transport).record(TextRequest(), retry: .plain(retries: 3))
        await recorder.waitForAttempt(1)
        task.cancel()
        guard case .failure(.cancelled) = await recorder.outcome else {
            Issue.record("expected cancelled")
            return
        }
        #expect(transport.cancelCount == 1)
        #expect(clock.timerCount == 0)
        task.cancel()
        task.retryNow()
        task.giveUp()
        task.addAttempts(1)
        #expect(await recorder.report?.outcome == .cancelled)
    }

    @Test func `cancelling ends a wait`() async {
        let transport = ScriptedTransport(.status(503))
        let (recorder, task) = manager(transport).record(TextRequest(), retry: waiting)
        await recorder.waitForWait(beforeAttempt: 2)
        clock.advance(by: .seconds(5))
        task.cancel()
        let report = await recorder.report
        #expect(report?.outcome == .cancelled)
        #expect(report?.attempts.map(\.wait) == [.seconds(5)])
        #expect(clock.timerCount == 0)
    }

    @Test func `retry now ends a wait`() async {
        let transport = ScriptedTransport(.status(503), .status(200, [:], "ok"))
        let (recorder, task) = manager(transport).record(TextRequest(), retry: waiting)
        await recorder.waitForWait(beforeAttempt: 2)
        clock.advance(by: .seconds(1))
        task.retryNow()
        #expect(try! await recorder.outcome?.get().body == "ok")
        #expect(await recorder.report?.attempts.first?.wait == .seconds(1))
    }

    @Test func `skipping a wait starts the next attempt`() async {
        let transport = ScriptedTransport(.status(503), .status(200, [:], "ok"))
        let (recorder, task) = manager(transport).record(TextRequest(), retry: waiting)
        await recorder.waitForWait(beforeAttempt: 2)
        task.skipWait()
        #expect(try! await recorder.outcome?.get().body == "ok")
    }

    @Test func `skipping during an attempt changes nothing`() async {
        let transport = ScriptedTransport(.silence)
        let (recorder, task) = manager(transport).record(TextRequest(), retry: waiting)
        await recorder.waitForAttempt(1)
        task.skipWait()
        task.cancel()
        #expect(await recorder.report?.attempts.map(\.outcome) == [.cancelled])
    }

    @Test func `retrying now abandons an attempt that hangs`() async {
        let transport = ScriptedTransport(.silence, .status(200, [:], "ok"))
        let (recorder, task) = manager(transport).record(TextRequest(), retry: .never)
        await recorder.waitForAttempt(1)
        clock.advance(by: .seconds(3))
        task.retryNow()
        #expect(try! await recorder.outcome?.get().body == "ok")
        let report = await recorder.report
        #expect(report?.attempts.map(\.outcome) == [.abandoned, .succeeded])
        #expect(report?.attempts.first?.willRetry == true)
        #expect(report?.attempts.first?.duration == .seconds(3))
        #expect(transport.cancelCount == 1)
    }

    @Test func `what an abandoned attempt still tells is not heard`() async {
        let transport = HeldTransport()
        let manager = RequestManager(host: "http://stub.test", transport: transport, clock: clock)
        let (recorder, task) = manager.record(TextRequest(), retry: .never)
        await recorder.waitForAttempt(1)
        task.retryNow()
        await recorder.waitForAttempt(2)
        transport.answer(attempt: 1, "late")
        transport.answer(attempt: 2, "in time")
        #expect(try! await recorder.outcome?.get().body == "in time")
    }

    @Test func `the SLA wins against a decoder that takes its time`() async {
        let clock = clock
        let request = ComposableRequest<NoBody, String, NoError>().decodeBody { data in
            clock.advance(by: .seconds(5))
            return data.map { String(decoding: $0, as: UTF8.self) }
        }
        let (recorder, _) = manager(ScriptedTransport(.status(200, [:], "ok"))).record(request, sla: .seconds(2))
        guard case .failure(.slaExceeded) = await recorder.outcome else {
            Issue.record("expected slaExceeded")
            return
        }
        #expect(await recorder.report?.attempts.map(\.outcome) == [.slaExceeded])
    }

    @Test func `code of others may come back to the run`() async {
        let task = Lock<(any RequestHandle)?>(nil)
        let request = ComposableRequest<NoBody, String, HTTPError>().validateResponse { _ in
            task.withLock { $0 }?.giveUp()
            return .failure(.notFound)
        }
        let transport = ScriptedTransport(.silence, .status(200))
        let policy = RetryPolicy(retries: 5, failures: [.validation])
        let (recorder, handle) = manager(transport).record(request, retry: policy)
        task.withLock { $0 = handle }
        await recorder.waitForAttempt(1)
        handle.retryNow()
        #expect(await recorder.report?.attempts.count == 2)
    }

    @Test func `giving up delivers the last response`() async {
        let transport = ScriptedTransport(.status(503, [:], "busy"))
        let (recorder, task) = manager(transport).record(PlainRequest(), retry: waiting)
        await recorder.waitForWait(beforeAttempt: 2)
        task.giveUp()
        #expect(try! await recorder.outcome?.get().body == Data("busy".utf8))
        #expect(transport.requests.count == 1)
    }

    @Test func `attempts can be added while waiting`() async {
        let transport = ScriptedTransport(.status(503))
        let (recorder, task) = manager(transport).record(TextRequest(), retry: waiting)
        await recorder.waitForWait(beforeAttempt: 2)
        task.addAttempts(1)
        task.retryNow()
        await recorder.waitForWait(beforeAttempt: 3)
        #expect(recorder.events.contains(.attemptsAdded(attempts: 3, at: .zero)))
        task.retryNow()
        _ = await recorder.outcome
        #expect(transport.requests.count == 3)
    }

    @Test func `events come in order and finished is last`() async {
        let transport = ScriptedTransport(.errorAfterSending(.connectionLost), .status(200, [:], "ok"))
        let (recorder, _) = manager(transport).record(TextRequest(), retry: .plain(retries: 1))
        _ = await recorder.outcome
        #expect(
            recorder.events.map(\.name) == [
                "started 1 of 2", "connect", "send", "failed", "started 2 of 2", "wait", "receive", "head",
                "received", "succeeded", "finished",
            ])
        #expect(recorder.eventsAfterEnd == 0)
    }

    @Test func `the request's own fallback wins and is validated`() async {
        let transport = ScriptedTransport(.error(.cannotConnectToHost))
        let own = RequestResponse<String>(statusCode: 200, body: "own")
        let given = RequestResponse<String>(body: "given")
        let (recorder, _) = manager(transport).record(TextRequest(fallbackResponse: own), fallback: given)
        #expect(try! await recorder.outcome?.get().body == "own")
        #expect(await recorder.report?.outcome == .fallback)
        let (second, _) = manager(transport).record(TextRequest(), fallback: given)
        #expect(try! await second.outcome?.get().body == "given")
        let missing = RequestResponse<String>(statusCode: 404)
        let (third, _) = manager(transport).record(TextRequest(), fallback: missing)
        guard case .failure(.validationError(.notFound, _)) = await third.outcome else {
            Issue.record("expected notFound")
            return
        }
    }

    @Test func `requests are cancelled by type`() async {
        let transport = ScriptedTransport(.silence)
        let manager = manager(transport)
        let (first, _) = manager.record(TextRequest(path: "/first"))
        let (second, task) = manager.record(TextRequest(path: "/second"))
        let (other, otherTask) = manager.record(PlainRequest())
        await first.waitForAttempt(1)
        await second.waitForAttempt(1)
        await other.waitForAttempt(1)
        manager.cancelRequests(with: TextRequest.self) { $0.path == "/first" }
        #expect(await first.report?.outcome == .cancelled)
        #expect(transport.cancelCount == 1)
        task.cancel()
        otherTask.cancel()
        _ = await second.outcome
        _ = await other.outcome
    }
}

extension RequestEvent {
    var name: String {
        switch self {
        case .attemptStarted(let number, let attempts, _): "started \(number) of \(attempts)"
        case .authenticating: "authenticating"
        case .refreshingCredentials: "refreshing"
        case .phaseReached(_, let phase, _): phase.rawValue
        case .redirected: "redirected"
        case .bodySent: "sent"
        case .headReceived: "head"
        case .bodyStarted: "body"
        case .bodyReceived: "received"
        case .attemptFinished(let report): report.outcome == .succeeded ? "succeeded" : "failed"
        case .waiting: "waiting"
        case .attemptsAdded: "added"
        case .fallbackUsed: "fallback"
        case .finished: "finished"
        }
    }
}
