import Dispatch
import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// Code of others runs on the threads of the transport, and must not hold it up.
@Suite struct LoopSharingTests {
    /// A validator that asks the same server something else, and waits for the answer.
    @Test func `a validator may wait for another request`() async throws {
        let server = try LoopbackServer { .ok($0.target) }
        defer { server.stop() }
        let manager = RequestManager(host: server.host)
        let request = ComposableRequest<NoBody, String, HTTPError>().path("/first").validateResponse { response in
            let answered = DispatchSemaphore(value: 0)
            manager.send(TextRequest(path: "/second"), on: DispatchQueue.global()) { _ in answered.signal() }
            return answered.wait(timeout: .now() + 30) == .success ? .success(response) : .failure(.badRequest)
        }
        #expect(try await manager.response(for: request).body == "/first")
        #expect(server.requests.map(\.target) == ["/first", "/second"])
    }

    /// Each response is delivered on the thread that brought it, and sends the next request from there.
    @Test func `requests follow each other on one thread`() async throws {
        let server = try LoopbackServer { .ok($0.target) }
        defer { server.stop() }
        let manager = RequestManager(host: server.host)
        let bodies = Lock<[String]>([])
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            @Sendable func send(_ number: Int) {
                manager.send(TextRequest(path: "/\(number)"), on: ImmediateScheduler.shared) { result in
                    bodies.withLock { $0.append((try? result.get().body) ?? "failed") }
                    if number < 50 { send(number + 1) } else { continuation.resume() }
                }
            }
            send(1)
        }
        #expect(bodies.withLock { $0 } == (1...50).map { "/\($0)" })
    }

    /// The thread that would send the second request waits for it: another one has to step in.
    @Test func `a handler on the thread of the transport may wait for another request`() async throws {
        let server = try LoopbackServer { .ok($0.target) }
        defer { server.stop() }
        let manager = RequestManager(host: server.host)
        let isAnswered = await withCheckedContinuation { continuation in
            manager.send(TextRequest(path: "/first"), on: ImmediateScheduler.shared) { _ in
                let answered = DispatchSemaphore(value: 0)
                manager.send(TextRequest(path: "/second"), on: ImmediateScheduler.shared) { _ in answered.signal() }
                continuation.resume(returning: answered.wait(timeout: .now() + 30) == .success)
            }
        }
        #expect(isAnswered)
    }

    /// From many threads at once, so that jobs come while the loop runs, watches, and gives its thread back.
    @Test func `nobody's request is forgotten`() async throws {
        let server = try LoopbackServer { .ok($0.target) }
        defer { server.stop() }
        let manager = RequestManager(host: server.host)
        let bodies = await withTaskGroup(of: [String].self) { group in
            for lane in 0..<8 {
                group.addTask {
                    var bodies: [String] = []
                    for number in 0..<40 {
                        let response = try? await manager.response(for: TextRequest(path: "/\(lane)/\(number)"))
                        bodies.append(response?.body ?? "failed")
                    }
                    return bodies
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(bodies) == Set((0..<8).flatMap { lane in (0..<40).map { "/\(lane)/\($0)" } }))
    }
}
