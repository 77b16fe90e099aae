import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// Handles of libcurl keep their options from request to request; nothing of one may show in the next.
@Suite struct HandleReuseTests {
    struct Sent: Equatable {
        var method: RequestMethod
        var body: Data?
        var isStream = false
        var headers: RequestHeaders = [:]
    }

    @Test func `nothing of a request shows in the next`() async throws {
        let server = try LoopbackServer { _ in .ok("answer") }
        defer { server.stop() }
        let url = try #require(URL(string: server.host + "/"))
        let small = Data("small".utf8)
        let large = Data(repeating: 7, count: 100_000)
        let kinds = [
            Sent(method: .get, headers: ["X-One": "1", "Accept": "a/b"]), Sent(method: .head),
            Sent(method: .post, body: small, headers: ["Content-Type": "a/b"]),
            Sent(method: .put, body: large), Sent(method: .patch, body: small, isStream: true), Sent(method: .post),
            Sent(method: .delete),
        ]
        let transport = CurlTransport(configuration: .init(idleConnectionLifetime: .seconds(3600)))
        var expected: [Sent] = []
        for first in kinds {
            for second in kinds {
                for sent in [first, second] {
                    expected.append(sent)
                    let request = TransportRequest(
                        url: url, method: sent.method, headers: sent.headers, body: sent.isStream ? nil : sent.body,
                        bodyStream: sent.isStream ? sent.body.map { BodyStream(data: $0) } : nil)
                    let response = await transport.events(of: request).last?.response
                    #expect(response?.statusCode == 200)
                    #expect(response?.body == (sent.method == .head ? Data() : Data("answer".utf8)))
                }
            }
        }
        #expect(server.connectionCount == 1)
        #expect(server.requests.count == expected.count)
        for (request, sent) in zip(server.requests, expected) {
            var headers = Dictionary(
                uniqueKeysWithValues: sent.headers.fields.map { ($0.key.name.lowercased(), $0.value.text) })
            headers["host"] = "127.0.0.1:\(server.port)"
            let hasLength = sent.body != nil || [.post, .put, .patch].contains(sent.method)
            if hasLength { headers["content-length"] = "\(sent.body?.count ?? 0)" }
            #expect(request.method == sent.method.rawValue)
            #expect(request.headers == headers)
            #expect(request.body == sent.body ?? Data())
        }
    }

    @Test func `cancelled ones leave nothing`() async throws {
        let server = try LoopbackServer { $0.method == "PUT" ? .silence : .ok($0.text) }
        defer { server.stop() }
        let url = try #require(URL(string: server.host + "/"))
        let transport = CurlTransport()
        let (events, told) = AsyncStream<TransportEvent>.makeStream()
        let body = Data(repeating: 7, count: 1_000_000)
        let task = transport.start(TransportRequest(url: url, method: .put, body: body)) { event in
            told.yield(event)
            if event.isLast { told.finish() }
        }
        var error: TransportError?
        for await event in events {
            if event == .phase(.wait) { task.cancel() }
            error = event.error
        }
        #expect(error?.code == .cancelled)
        let next = TransportRequest(url: url, method: .post, body: Data("next".utf8))
        #expect(await transport.events(of: next).last?.response?.body == Data("next".utf8))
    }
}
