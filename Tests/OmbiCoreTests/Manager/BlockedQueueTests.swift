import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// Runs end in time, and results come, whatever else the program does to the queues that Dispatch shares.
@Suite(.serialized) struct BlockedQueueTests {
    /// Runs `body` on a thread of its own while every global queue is full of blocks that wait.
    private func whileGlobalQueuesAreBlocked(_ body: @escaping @Sendable () -> Bool) async -> Bool {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let release = DispatchSemaphore(value: 0)
                let classes: [DispatchQoS.QoSClass] = [
                    .userInteractive, .userInitiated, .default, .utility, .background,
                ]
                let count = 64
                for qos in classes {
                    for _ in 0..<count { DispatchQueue.global(qos: qos).async { release.wait() } }
                }
                let result = body()
                for _ in 0..<(count * classes.count) { release.signal() }
                continuation.resume(returning: result)
            }
        }
    }

    /// Longer than anything here takes; it passes only where something hangs.
    private static func patience() -> DispatchTime { .now() + .seconds(20) }

    @Test func `a result comes`() async {
        let manager = RequestManager(
            host: "http://stub.test", transport: StubTransport.stubResponse(statusCode: 200, data: Data("x".utf8)))
        let came = await whileGlobalQueuesAreBlocked {
            let ended = DispatchSemaphore(value: 0)
            manager.send(TextRequest()) { _ in ended.signal() }
            manager.send(TextRequest(), retry: .never) { _ in ended.signal() }
            return ended.wait(timeout: Self.patience()) == .success && ended.wait(timeout: Self.patience()) == .success
        }
        #expect(came)
    }

    @Test func `the SLA ends a run`() async {
        let manager = RequestManager(host: "http://stub.test", transport: ScriptedTransport(.silence))
        let came = await whileGlobalQueuesAreBlocked {
            let ended = DispatchSemaphore(value: 0)
            manager.send(TextRequest(), sla: 0.05) { _ in ended.signal() }
            return ended.wait(timeout: Self.patience()) == .success
        }
        #expect(came)
    }

    /// Two at a time: the transport lets others tell of their ends.
    @Test func `results come from a real server`() async throws {
        let server = try LoopbackServer { .ok($0.target) }
        defer { server.stop() }
        let manager = RequestManager(host: server.host)
        let came = await whileGlobalQueuesAreBlocked {
            let ended = DispatchSemaphore(value: 0)
            for number in 0..<20 { manager.send(TextRequest(path: "/\(number)")) { _ in ended.signal() } }
            return (0..<20).allSatisfy { _ in ended.wait(timeout: Self.patience()) == .success }
        }
        #expect(came)
    }

    /// Handlers that wait for each other are no more than a detour.
    @Test func `handlers that wait hold up no others`() async {
        let manager = RequestManager(
            host: "http://stub.test", transport: StubTransport.stubResponse(statusCode: 200, data: Data("x".utf8)))
        let all = DispatchSemaphore(value: 0)
        let came = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let entered = DispatchGroup()
                for _ in 0..<20 {
                    entered.enter()
                    manager.send(TextRequest()) { _ in
                        entered.leave()
                        all.wait()
                    }
                }
                let came = entered.wait(timeout: Self.patience()) == .success
                for _ in 0..<20 { all.signal() }
                continuation.resume(returning: came)
            }
        }
        #expect(came)
    }
}
