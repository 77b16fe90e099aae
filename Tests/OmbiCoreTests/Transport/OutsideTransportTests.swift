import Foundation
import OmbiCore
import TestSupport
import Testing

/// A transport that is not part of OmbiCore: it has what is public, and no more.
@Suite struct OutsideTransportTests {
    /// Answers each request with a body that grows in a store.
    struct Growing: Transport {
        let portions: [Data]
        var capacity = 1 << 20

        private struct NoTask: TransportTask {
            func cancel() {}
        }

        func start(
            _ request: TransportRequest, onEvent: @escaping @Sendable (TransportEvent) -> Void
        ) -> any TransportTask {
            Thread.detachNewThread {
                onEvent(.head(ResponseHead(url: request.url, statusCode: 200, headers: [:])))
                let store = ResponseStore(capacity: capacity)
                onEvent(.body(store))
                do throws(TransportError) {
                    for portion in portions {
                        try store.append(portion)
                        onEvent(.received(bytes: store.count, expected: nil))
                    }
                    store.finish()
                    let response = TransportResponse(url: request.url, headers: [:], statusCode: 200, body: store.data)
                    onEvent(.finished(response, TransportMetrics(bytesReceived: store.count)))
                } catch {
                    onEvent(.failed(error, TransportMetrics()))
                }
            }
            return NoTask()
        }
    }

    @Test func `it can show a body while it arrives`() async throws {
        let portions = (0..<10).map { Data("portion \($0)\n".utf8) }
        let manager = RequestManager(host: "http://outside.test", transport: Growing(portions: portions))
        let stores = LoopbackLock<[ResponseStore]>([])
        let request = PlainRequest()
        let response = try await withCheckedThrowingContinuation { continuation in
            manager.send(
                request, retry: .never, handler: { continuation.resume(with: $0) },
                onEvent: { event in
                    if case .bodyStarted(_, let store, _) = event { stores.withLock { $0.append(store) } }
                })
        }
        let whole = portions.reduce(Data(), +)
        #expect(response.body == whole)
        let seen = stores.withLock { $0 }
        #expect(seen.count == 1 && seen.first?.data == whole)
    }

    @Test func `a body that does not fit is an error`() async throws {
        let manager = RequestManager(
            host: "http://outside.test", transport: Growing(portions: [Data(count: 8), Data(count: 8)], capacity: 10))
        await #expect(
            performing: { try await manager.response(for: PlainRequest()) },
            throws: { error in
                guard case RequestError<NoError>.connectionError(let error) = error else { return false }
                return error.code == .responseTooLarge
            })
    }

    @Test func `nothing is added to a finished store`() throws {
        let store = ResponseStore()
        try store.append(Data("all".utf8))
        store.finish()
        #expect(throws: TransportError.self) { try store.append(Data("more".utf8)) }
        #expect(store.count == 3 && store.data == Data("all".utf8))
        let empty = ResponseStore(capacity: 0)
        empty.finish()
        empty.finish()
        #expect(throws: TransportError.self) { try empty.append(Data("more".utf8)) }
        try empty.append(Data())
        #expect(empty.data == Data())
    }

    @Test func `several threads may fill a store`() async throws {
        let store = ResponseStore(capacity: 64 << 20, memoryLimit: 1 << 20)
        let portion = Data(repeating: 7, count: 10_000)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var last = 0
                    for _ in 0..<100 {
                        try? store.append(portion)
                        let count = store.count
                        #expect(count > last, "the count went back")
                        last = count
                    }
                }
            }
        }
        #expect(store.count == 8 * 100 * portion.count)
        #expect(store.data.allSatisfy { $0 == 7 })
    }
}
