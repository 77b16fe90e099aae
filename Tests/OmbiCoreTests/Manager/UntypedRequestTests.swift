import Foundation
import OmbiCore
import Testing

/// Requests whose types are not known where they are sent, as in an offline queue.
@Suite struct UntypedRequestTests {
    private struct Plain: Request {
        /// Not Sendable.
        final class ResponseBody: Decodable {
            let id: Int
        }
        let path = "/plain"
        let method = RequestMethod.get
    }

    private static let transport = StubTransport { request in
        switch request.url.path() {
        case "/text": .response(data: Data("x".utf8))
        case "/plain": .json(#"{"id": 7}"#)
        default: .response(statusCode: 404)
        }
    }
    private let manager = RequestManager(host: "http://stub.test", transport: transport)

    @Test func `a queue of requests of any type is sent`() async throws {
        let queue: [any Requestable] = [TextRequest(path: "/text"), Plain()]
        #expect(try await manager.response(for: queue[0]).body as? String == "x")
        let response = try await manager.response(for: queue[1], retry: RetryPolicy(retries: 1), sla: .seconds(5))
        #expect((response.body as? Plain.ResponseBody)?.id == 7 && response.statusCode == 200)
    }

    @Test @MainActor func `the main actor may send one`() async throws {
        let request: any Requestable = Plain()
        let response = try await manager.response(for: request)
        #expect((response.body as? Plain.ResponseBody)?.id == 7)
    }

    @Test func `its error is that of the request, and it ends with its task`() async throws {
        let lost: any Requestable = TextRequest(path: "/lost")
        await #expect(throws: RequestError<HTTPError>.validationError(.notFound)) {
            try await manager.response(for: lost)
        }
        let silent = RequestManager(host: "http://stub.test", transport: StubTransport { _ in .silence })
        let task = Task { _ = try await silent.response(for: lost) }
        while silent.runningRequests.isEmpty { await Task.yield() }
        task.cancel()
        await #expect(throws: RequestError<HTTPError>.cancelled) { try await task.value }
    }
}
