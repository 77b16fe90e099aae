import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// What is sent, and what is not, when a run ends before it has begun.
@Suite struct StartTests {
    @Test func `a task that was cancelled before sends nothing`() async throws {
        try await RealServer.scripted({ _ in .ok("x") }) { (server) async throws in
            let manager = RequestManager(host: server.host)
            let cancelled = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<300 {
                    group.addTask {
                        withUnsafeCurrentTask { $0?.cancel() }
                        do {
                            _ = try await manager.response(for: TextRequest(method: .post))
                            return false
                        } catch RequestError<HTTPError>.cancelled {
                            return true
                        } catch {
                            return false
                        }
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(cancelled == 300)
            // Another request through the same connection shows that none of them is still on its way.
            _ = try await manager.response(for: TextRequest(path: "/after"))
            #expect(server.requests.map(\.target) == ["/after"])
        }
    }

    @Test func `a subscription that is cancelled before its demand sends nothing`() {
        let transport = ScriptedTransport(.silence)
        let manager = RequestManager(host: "http://stub.test", transport: transport)
        let subscriber = Lock<(any Subscription)?>(nil)
        manager.makeRequest(TextRequest()).subscribe(
            AnySubscriber(receiveSubscription: { subscription in subscriber.withLock { $0 = subscription } }))
        let subscription = subscriber.withLock { $0 }
        subscription?.cancel()
        subscription?.request(.unlimited)
        #expect(transport.requests.isEmpty)
    }
}
