import Foundation
import Testing

@testable import OmbiCore

/// Transports that answer at once, and transports that do not keep to their contract: nothing crashes, and nothing
/// is taken for something else.
@Suite struct OddTransportTests {
    struct NoTask: TransportTask {
        func cancel() {}
    }

    /// Tells what the closure tells, before `start` returns.
    struct Instant: Transport {
        let answer: @Sendable (@escaping @Sendable (TransportEvent) -> Void) -> Void

        func start(
            _ request: TransportRequest, onEvent: @escaping @Sendable (TransportEvent) -> Void
        ) -> any TransportTask {
            answer(onEvent)
            return NoTask()
        }
    }

    static func response(_ status: Int, _ text: String = "") -> TransportEvent {
        .finished(TransportResponse(statusCode: status, body: Data(text.utf8)), TransportMetrics())
    }

    static let failure = TransportEvent.failed(TransportError(code: .connectionLost), TransportMetrics())

    func manager(_ transport: any Transport) -> RequestManager {
        RequestManager(host: "http://stub.test", transport: transport, clock: ManualClock())
    }

    @Test(arguments: [Self.failure, Self.response(503), Self.response(200, "no number")])
    func `attempts that end within start do not pile up`(event: TransportEvent) async {
        let starts = Counter()
        let manager = manager(
            Instant { onEvent in
                _ = starts.next()
                onEvent(event)
            })
        let policy = RetryPolicy(
            retries: 5_000, failures: Set(RetryPolicy.Failure.allCases), statusCodes: [503],
            retriesUnsafeMethods: true)
        // On a thread with little room, so that piling up shows soon.
        let result = await withCheckedContinuation { continuation in
            let thread = Thread {
                manager.send(ComposableRequest<NoBody, Int, HTTPError>(), retry: policy, on: DispatchQueue.global()) {
                    continuation.resume(returning: $0)
                }
            }
            thread.stackSize = 512 << 10
            thread.start()
        }
        #expect(throws: RequestError<HTTPError>.self) { try result.get() }
        #expect(starts.value == 5_001)
    }

    @Test func `an answer within start is reported`() async throws {
        let response = try await manager(Instant { $0(Self.response(200, "x")) }).response(for: TextRequest())
        #expect(response.body == "x")
    }

    /// The second end comes while the first response is decoded, and after the run has ended.
    @Test func `only the first end counts`() async {
        let told = Lock<(@Sendable (TransportEvent) -> Void)?>(nil)
        let decoded = Counter()
        let request = ComposableRequest<NoBody, String, HTTPError>().decodeBody { data in
            _ = decoded.next()
            let tell = told.withLock { $0 }
            tell?(Self.response(200, "second"))
            tell?(Self.failure)
            tell?(.phase(.send))
            return data.map { String(decoding: $0, as: UTF8.self) }
        }
        let manager = manager(
            Instant { onEvent in
                told.withLock { $0 = onEvent }
                Thread.detachNewThread { onEvent(Self.response(200, "first")) }
            })
        let (recorder, _) = manager.record(request)
        #expect(try! await recorder.outcome?.get().body == "first")
        told.withLock { $0 }?(Self.response(200, "third"))
        #expect(decoded.value == 1)
        #expect(recorder.events.map(\.name) == ["started 1 of 1", "succeeded", "finished"])
        #expect(recorder.eventsAfterEnd == 0)
    }

    @Test func `what a transport tells after the end is not heard`() async {
        let progress = Counter()
        let told = Lock<(@Sendable (TransportEvent) -> Void)?>(nil)
        let request = ComposableRequest<NoBody, Data, NoError>().downloadProgress { _ in _ = progress.next() }
        let manager = manager(Instant { onEvent in told.withLock { $0 = onEvent } })
        let (recorder, task) = manager.record(request)
        await recorder.waitForAttempt(1)
        task.cancel()
        _ = await recorder.outcome
        told.withLock { $0 }?(.received(bytes: 1, expected: 1))
        told.withLock { $0 }?(Self.response(200))
        #expect(progress.value == 0)
        #expect(await recorder.report?.outcome == .cancelled)
        #expect(recorder.eventsAfterEnd == 0)
    }

    /// It neither answers nor ends when it is cancelled.
    @Test func `a transport that never ends holds up no end`() async {
        let clock = ManualClock()
        let manager = RequestManager(host: "http://stub.test", transport: Instant { _ in }, clock: clock)
        let (first, task) = manager.record(TextRequest())
        await first.waitForAttempt(1)
        task.retryNow()
        task.cancel()
        #expect(await first.report?.attempts.map(\.outcome) == [.abandoned, .cancelled])
        let (second, _) = manager.record(TextRequest(), sla: .seconds(1))
        await second.waitForAttempt(1)
        clock.advance(by: .seconds(1))
        #expect(await second.report?.outcome == .slaExceeded)
    }

    /// Every thread tells phases and counts, and one of them the end; the rest comes after it.
    @Test func `events from several threads at once confuse nothing`() async {
        for _ in 0..<50 {
            let manager = manager(
                Instant { onEvent in
                    for number in 1...4 {
                        Thread.detachNewThread {
                            for phase in RequestPhase.allCases { onEvent(.phase(phase)) }
                            for bytes in 1...20 { onEvent(.received(bytes: bytes, expected: nil)) }
                            onEvent(Self.response(200, "\(number)"))
                        }
                    }
                })
            let (recorder, _) = manager.record(TextRequest())
            let response = try? await recorder.outcome?.get()
            #expect(["1", "2", "3", "4"].contains(response?.body))
            #expect(recorder.events.map(\.name).suffix(2) == ["succeeded", "finished"])
            #expect(recorder.events.count { $0.name == "succeeded" } == 1)
            #expect(recorder.eventsAfterEnd == 0)
        }
    }
}
