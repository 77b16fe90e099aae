import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// Cancelling at any moment, from any thread, against a real server.
@Suite struct CancellationTests {
    @Test func `every run ends once whenever it is cancelled`() async throws {
        let server = try LoopbackServer { .ok($0.target) }
        defer { server.stop() }
        let manager = RequestManager(host: server.host)
        let endings = await withTaskGroup(of: Int.self) { group in
            for number in 0..<200 {
                group.addTask { await Self.endings(of: manager, cancelledAfter: number * 20) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(endings == Array(repeating: 1, count: 200))
    }

    /// How often the handler of a run was called that another thread cancels after so many turns of a loop.
    private static func endings(of manager: RequestManager, cancelledAfter turns: Int) async -> Int {
        let calls = Counter()
        let task = manager.send(TextRequest(path: "/\(turns)"), retry: .plain(retries: 2)) { _ in _ = calls.next() }
        Thread.detachNewThread {
            for _ in 0..<turns { _ = manager.host.count }
            task.cancel()
            task.cancel()
        }
        _ = await task.report
        // The handler follows the report on the same queue.
        while calls.value == 0 { await Task.yield() }
        return calls.value
    }

    @Test func `a subscription that is cancelled is silent whenever that is`() async throws {
        let server = try LoopbackServer { .ok($0.target) }
        defer { server.stop() }
        let manager = RequestManager(host: server.host)
        for turns in 0..<50 {
            let isOver = Lock(false)
            let late = Counter()
            let cancellable = manager.makeRequest(TextRequest(), on: ImmediateScheduler.shared).sink(
                receiveCompletion: { @Sendable _ in if isOver.withLock({ $0 }) { _ = late.next() } },
                receiveValue: { @Sendable _ in if isOver.withLock({ $0 }) { _ = late.next() } })
            for _ in 0..<(turns * 50) { _ = manager.host.count }
            cancellable.cancel()
            isOver.withLock { $0 = true }
            // Another request through the same transport shows that what came of the first one has been told.
            _ = try await manager.response(for: TextRequest())
            #expect(late.value <= 1, "after \(turns) turns")
        }
    }
}
