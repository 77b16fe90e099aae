import Dispatch
import Foundation
import TestSupport
import Testing

@testable import OmbiCore

@Suite struct ResponseExecutorTests {
    /// Ends each attempt on a thread of its own, and keeps which.
    private final class OneThread: Transport {
        private struct Attempt: TransportTask {
            func cancel() {}
        }

        let thread = Lock<pthread_t?>(nil)

        func start(
            _ request: TransportRequest, onEvent: @escaping @Sendable (TransportEvent) -> Void
        ) -> any TransportTask {
            Thread.detachNewThread {
                self.thread.withLock { $0 = pthread_self() }
                onEvent(.finished(TransportResponse(statusCode: 200, body: Data("hello".utf8)), TransportMetrics()))
            }
            return Attempt()
        }
    }

    /// A response that is there before the task waits for it changes no thread, so that several are tried.
    @Test func `a task goes on where its response came in`() async throws {
        let transport = OneThread()
        let manager = RequestManager(host: "http://h", transport: transport)
        let hasGoneOn = try await Task(executorPreference: ResponseExecutor.shared) {
            for _ in 0..<500 {
                _ = try await manager.response(for: TextRequest())
                if Self.isRunning(on: transport) { return true }
            }
            return false
        }.value
        #expect(hasGoneOn)
    }

    private static func isRunning(on transport: OneThread) -> Bool {
        transport.thread.withLock { $0 }.map { pthread_equal($0, pthread_self()) != 0 } ?? false
    }

    /// The task keeps the thread of its response until another task has got one, too.
    @Test func `a task that holds its thread holds up no other`() async throws {
        let server = try LoopbackServer { .ok($0.target) }
        defer { server.stop() }
        let manager = RequestManager(host: server.host)
        let other = DispatchSemaphore(value: 0)
        let hasWaited = Task(executorPreference: ResponseExecutor.shared) {
            _ = try await manager.response(for: TextRequest(path: "/a"))
            let next = Task(executorPreference: ResponseExecutor.shared) {
                _ = try await manager.response(for: TextRequest(path: "/b"))
                other.signal()
            }
            defer { _ = next }
            return Self.wait(for: other)
        }
        #expect(try await hasWaited.value)
    }

    private static func wait(for semaphore: DispatchSemaphore) -> Bool {
        semaphore.wait(timeout: .now() + 30) == .success
    }

    @Test func `many tasks get their own responses`() async throws {
        let server = try LoopbackServer { .ok($0.target) }
        defer { server.stop() }
        let manager = RequestManager(host: server.host)
        let bodies = try await withThrowingTaskGroup(of: [String?].self) { group in
            for lane in 0..<8 {
                group.addTask(executorPreference: ResponseExecutor.shared) {
                    var bodies: [String?] = []
                    for number in 0..<25 {
                        bodies.append(try await manager.response(for: TextRequest(path: "/\(lane)/\(number)")).body)
                    }
                    return bodies
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(bodies) == Set((0..<8).flatMap { lane in (0..<25).map { "/\(lane)/\($0)" } }))
    }
}
