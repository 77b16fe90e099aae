import Foundation
import OmbiCore
import Testing

/// A manager that goes by a clock of the program's own, through nothing but the public interface.
@Suite struct ClockTests {
    let clock = TestClock()

    @Test func `the SLA ends by the clock`() async throws {
        let silent = RequestManager(host: "http://stub.test", transport: Silent(), clock: clock)
        let task = silent.send(TextRequest(), sla: .seconds(60))
        clock.advance(by: .seconds(59))
        #expect(silent.runningRequests.map(\.duration) == [.seconds(59)])
        clock.advance(by: .seconds(1))
        let report = try #require(await task.report)
        #expect(report.outcome == .slaExceeded && report.duration == .seconds(60))
        await #expect(throws: RequestError<HTTPError>.slaExceeded()) { try await task.response }
    }

    @Test func `waits end by the clock`() async throws {
        let attempts = Counter()
        let manager = RequestManager(
            host: "http://stub.test",
            transport: StubTransport { _ in
                .success(TransportResponse(statusCode: attempts.next() < 2 ? 503 : 200, body: Data("ok".utf8)))
            }, clock: clock)
        let policy = RetryPolicy(retries: 2, backoff: .exponential(first: .seconds(10)))
        let task = manager.send(TextRequest(), retry: policy)
        for await event in task.events {
            guard case .waiting(_, let until, _, let at) = event else { continue }
            clock.advance(by: until - at - .milliseconds(1))
            clock.advance(by: .milliseconds(1))
        }
        #expect(try await task.value == "ok")
        #expect(await task.report?.attempts.map(\.wait) == [.seconds(10), .seconds(20), nil])
    }

    @Test func `a clock of the standard library will do`() async {
        let silent = RequestManager(host: "http://stub.test", transport: Silent(), clock: ContinuousClock())
        await #expect(throws: RequestError<HTTPError>.slaExceeded()) {
            try await silent.response(for: TextRequest(), sla: .milliseconds(5))
        }
    }

    @Test func `sleepers wake in order and once and cancelled ones at once`() async throws {
        let clock = TestClock()
        let order = Transcript()
        let sleepers = (1...3).map { seconds in
            Task {
                try await clock.sleep(for: .seconds(seconds))
                order.add("\(seconds)")
            }
        }
        let cancelled = Task { try await clock.sleep(for: .seconds(100)) }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        await clock.waitForSleepers(3)
        #expect(clock.sleeperCount == 3)
        clock.advance(by: .seconds(2))
        for sleeper in sleepers.prefix(2) { try await sleeper.value }
        #expect(Set(order.soFar) == ["1", "2"])
        #expect(await clock.advanceToNextDeadline() == .seconds(1))
        try await sleepers[2].value
        #expect(order.soFar.last == "3" && order.soFar.count == 3)
        try await clock.sleep(until: clock.now)
    }

    struct Silent: Transport {
        struct Attempt: TransportTask {
            func cancel() {}
        }

        func start(
            _ request: TransportRequest, onEvent: @escaping @Sendable (TransportEvent) -> Void
        ) -> any TransportTask {
            Attempt()
        }
    }
}
