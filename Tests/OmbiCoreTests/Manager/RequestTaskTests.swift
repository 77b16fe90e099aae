import Foundation
import Testing

@testable import OmbiCore

/// What the handle of a run tells.
@Suite struct RequestTaskTests {
    let clock = ManualClock()
    let waiting = RetryPolicy(retries: 1, backoff: .constant(.seconds(60)))
    static let all = [
        "started 1 of 2", "wait", "receive", "head", "failed", "waiting", "started 2 of 2", "wait", "receive", "head",
        "received", "succeeded", "finished",
    ]

    func manager(_ transport: any Transport) -> RequestManager {
        RequestManager(host: "http://stub.test", transport: transport, clock: clock)
    }

    /// A run that waits before its second attempt.
    func waitingTask() async -> RequestTask<TextRequest> {
        let transport = ScriptedTransport(.status(503), .status(200, [:], "ok"))
        let task = manager(transport).send(TextRequest(), retry: waiting) { _ in }
        for await case .waiting in task.events { break }
        return task
    }

    @Test func `events come as an async sequence`() async {
        let task = await waitingTask()
        var names: [String] = []
        for await event in task.events {
            names.append(event.name)
            if case .waiting = event { task.skipWait() }
        }
        #expect(names == Self.all)
    }

    @Test func `who looks after the end still sees everything`() async {
        let task = await waitingTask()
        task.skipWait()
        _ = await task.report
        var names: [String] = []
        for await event in task.events { names.append(event.name) }
        #expect(names == Self.all)
    }

    @Test func `events come as a publisher`() async {
        let task = await waitingTask()
        let names = Lock<[String]>([])
        let kept = Lock<AnyCancellable?>(nil)
        await withCheckedContinuation { continuation in
            let cancellable = task.eventPublisher.sink(
                receiveCompletion: { @Sendable _ in continuation.resume() },
                receiveValue: { @Sendable event in
                    names.withLock { $0.append(event.name) }
                    if case .waiting = event { task.skipWait() }
                })
            kept.withLock { $0 = cancellable }
        }
        #expect(names.withLock { $0 } == Self.all)
    }

    @Test func `a subscriber gets no more events than it asked for`() async {
        let task = await waitingTask()
        task.skipWait()
        _ = await task.report
        let names = Lock<[String]>([])
        let kept = Lock<AnyCancellable?>(nil)
        await withCheckedContinuation { continuation in
            let cancellable = task.eventPublisher.prefix(3).sink(
                receiveCompletion: { @Sendable _ in continuation.resume() },
                receiveValue: { @Sendable event in names.withLock { $0.append(event.name) } })
            kept.withLock { $0 = cancellable }
        }
        #expect(names.withLock { $0 } == Array(Self.all.prefix(3)))
    }

    @Test func `the report has every attempt`() async throws {
        let task = await waitingTask()
        clock.advance(by: .seconds(60))
        let report = try #require(await task.report)
        #expect(report.outcome == .succeeded)
        #expect(report.attempts.map(\.response?.statusCode) == [503, 200])
        #expect(report.attempts.map(\.wait) == [.seconds(60), nil])
        #expect(report.attempts.map(\.waitReason) == [.backoff, nil])
        #expect(report.attempts.map(\.outcome) == [.failed(.status, "503 Service Unavailable"), .succeeded])
        #expect(report.duration == .seconds(60))
    }

    @Test func `a cancelled task stops looking`() async {
        let run = manager(ScriptedTransport(.silence)).send(TextRequest(), retry: .never) { _ in }
        let looking = Task { await run.report }
        for await case .attemptStarted in run.events { break }
        looking.cancel()
        #expect(await looking.value == nil)
        run.cancel()
        #expect(await run.report?.outcome == .cancelled)
    }

    @Test func `the run goes on without its handle`() async {
        let text = await withCheckedContinuation { continuation in
            manager(ScriptedTransport(.status(200, [:], "ok"))).send(
                TextRequest(), retry: .never, handler: { continuation.resume(returning: try? $0.get().body) })
        }
        #expect(text == "ok")
    }

    @Test(arguments: [false, true]) func `nothing of a run is left when it has ended`(isCancelled: Bool) async {
        let transport = isCancelled ? ScriptedTransport(.silence) : ScriptedTransport(.status(503), .status(200))
        let manager = RequestManager(host: "http://stub.test", transport: transport)
        weak var engine: RequestRun?
        do {
            let task = manager.send(PlainRequest(), retry: RetryPolicy(retries: 1)) { _ in }
            engine = task.run
            for await case .attemptStarted in task.events { break }
            if isCancelled { task.cancel() }
            _ = await task.report
        }
        // The thread that brought the end may still be on its way out.
        for _ in 0..<1_000_000 where engine != nil { await Task.yield() }
        #expect(engine == nil)
    }
}
