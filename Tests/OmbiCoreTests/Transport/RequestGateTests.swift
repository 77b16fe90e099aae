#if canImport(CCurl)
import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// Where the parts of a request may go, by what they were made from.
@Suite struct RequestGateTests {
    /// Lets a source go to one server.
    private struct OneServer: RequestGate {
        let allowed: String
        let asked: Lock<[RequestHop]>

        func decide(_ hop: RequestHop) -> GateDecision {
            asked.withLock { $0.append(hop) }
            if hop.url.server == allowed { return .send }
            if !hop.provenance.url.isEmpty || !hop.provenance.body.isEmpty { return .refuse("the body stays here") }
            return .withhold(Set(hop.provenance.headers.keys))
        }
    }

    private struct Call: Request {
        typealias RequestBody = Data
        typealias ResponseBody = Data

        let path = "/start"
        let method: RequestMethod
        let headers: RequestHeaders = ["X-Acme": "secret", "X-Plain": "plain"]
        let body: Data?
        let requestInterceptor: RequestInterceptor
    }

    private final class Scene: Sendable {
        let first: LoopbackServer
        let second: LoopbackServer
        let asked = Lock<[RequestHop]>([])

        init(_ status: Int) throws {
            let second = try LoopbackServer { _ in .ok("second") }
            self.second = second
            first = try LoopbackServer { request in
                request.target == "/start" ? .redirect(status, to: second.host + "/end") : .ok("first")
            }
        }

        func stop() {
            first.stop()
            second.stop()
        }

        func send(
            _ provenance: RequestProvenance, method: RequestMethod = .get, body: Data? = nil, allowed: String? = nil
        ) async throws -> Data? {
            let gate = OneServer(allowed: allowed ?? "127.0.0.1:\(first.port)", asked: asked)
            let call = Call(
                method: method, body: body,
                requestInterceptor: RequestInterceptor { request in
                    var request = request
                    (request.provenance, request.gate) = (provenance, gate)
                    return request
                })
            let manager = RequestManager(host: first.host, transport: CurlTransport())
            return try await manager.response(for: call, retries: 2).body
        }
    }

    private static let header = RequestProvenance(headers: ["X-Acme": ["$TOKEN"]])

    @Test(arguments: [301, 302, 303, 307, 308]) func `a field is withheld from a server that its source may not go to`(
        _ status: Int
    ) async throws {
        let scene = try Scene(status)
        defer { scene.stop() }
        #expect(try await scene.send(Self.header) == Data("second".utf8))
        #expect(scene.first.requests.map { $0.headers["x-acme"] } == ["secret"])
        #expect(scene.second.requests.map { $0.headers["x-acme"] } == [nil])
        #expect(scene.second.requests.map { $0.headers["x-plain"] } == ["plain"])
        let hops = scene.asked.withLock { $0 }
        #expect(hops.map(\.isRedirect) == [false, true] && hops.map(\.provenance) == [Self.header, Self.header])
    }

    @Test(arguments: [307, 308]) func `a body that may not go there ends the attempt, once`(_ status: Int) async throws
    {
        let scene = try Scene(status)
        defer { scene.stop() }
        let error = await #expect(throws: RequestError<NoError>.self) {
            try await scene.send(
                RequestProvenance(body: ["$TOKEN"]), method: .put, body: Data("secret".utf8))
        }
        #expect(error?.description.contains("the body stays here") == true, "\(String(describing: error))")
        #expect(scene.first.requests.count == 1 && scene.second.requests.isEmpty, "no retry helps")
    }

    @Test func `a refused first hop sends nothing`() async throws {
        let scene = try Scene(302)
        defer { scene.stop() }
        await #expect(throws: RequestError<NoError>.self) {
            try await scene.send(RequestProvenance(url: ["$TOKEN"]), allowed: "elsewhere")
        }
        #expect(scene.first.requests.isEmpty && scene.second.requests.isEmpty)
    }

    @Test func `a request without provenance asks nobody`() async throws {
        let scene = try Scene(302)
        defer { scene.stop() }
        #expect(try await scene.send(RequestProvenance(), allowed: "elsewhere") == Data("second".utf8))
        #expect(scene.asked.withLock { $0 }.isEmpty)
    }

    @Test func `a body that a redirect leaves out is no reason to refuse it`() async throws {
        let scene = try Scene(303)
        defer { scene.stop() }
        let provenance = RequestProvenance(body: ["$TOKEN"])
        #expect(try await scene.send(provenance, method: .post, body: Data("secret".utf8)) == Data("second".utf8))
        #expect(scene.second.requests.map(\.text) == [""])
    }

    @Test func `a WebSocket that may not go there is not opened`() async throws {
        let scene = try Scene(302)
        defer { scene.stop() }
        let gate = OneServer(allowed: "elsewhere", asked: scene.asked)
        let call = Call(
            method: .get, body: nil,
            requestInterceptor: RequestInterceptor { request in
                var request = request
                (request.provenance, request.gate) = (RequestProvenance(body: ["$TOKEN"]), gate)
                return request
            })
        let manager = RequestManager(host: scene.first.host, transport: CurlTransport())
        let socket = manager.webSocket(for: call)
        let error = await #expect(throws: WebSocketError.self) { try await socket.opened() }
        #expect(error?.description.contains("the body stays here") == true, "\(String(describing: error))")
        #expect(scene.first.connectionCount == 0)
    }
}
#endif
