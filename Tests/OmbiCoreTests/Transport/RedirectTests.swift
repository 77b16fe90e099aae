import Foundation
import TestSupport
import Testing

@testable import OmbiCore

@Suite struct RedirectTests {
    func response(
        _ server: LoopbackServer, method: RequestMethod = .get, headers: RequestHeaders = [:], body: Data? = nil,
        maximumRedirects: Int = 20
    ) async throws -> RequestResponse<Data> {
        let manager = RequestManager(host: server.host)
        manager.connection.redirects.maximum = maximumRedirects
        return try await manager.response(
            for: PlainRequest(path: "/start", method: method, headers: headers, body: body))
    }

    @Test(arguments: [
        (301, RequestMethod.post, "GET", ""), (302, .post, "GET", ""), (303, .put, "GET", ""),
        (307, .post, "POST", "body"), (308, .put, "PUT", "body"), (301, .put, "PUT", "body"),
    ])
    func aRedirectIsFollowed(status: Int, method: RequestMethod, then: String, body: String) async throws {
        let server = try LoopbackServer { $0.target == "/start" ? .redirect(status, to: "/end?x=1") : .ok("there") }
        defer { server.stop() }
        let response = try await response(server, method: method, body: Data("body".utf8))
        #expect(response.url?.absoluteString == server.host + "/end?x=1")
        #expect(response.body == Data("there".utf8))
        #expect(response[.location] == nil)
        #expect(server.requests.map(\.method) == [method.rawValue, then])
        #expect(server.requests.last?.text == body)
    }

    @Test func zeroFollowsNone() async throws {
        let server = try LoopbackServer { _ in .redirect(302, to: "/end") }
        defer { server.stop() }
        let response = try await response(server, maximumRedirects: 0)
        #expect(response.statusCode == 302)
        #expect(response.body == Data("moved".utf8))
    }

    @Test func aCircleEnds() async throws {
        let server = try LoopbackServer { _ in .redirect(302, to: "/start") }
        defer { server.stop() }
        await #expect(
            performing: { try await response(server, maximumRedirects: 3) },
            throws: { error in
                guard case RequestError<NoError>.connectionError(let error) = error else { return false }
                return error
                    == TransportError(
                        code: .tooManyRedirects, message: "\(server.host)/start redirects more than 3 times")
            })
        #expect(server.requests.count == 4)
    }

    @Test func credentialsStayWithTheirHost() async throws {
        let other = try LoopbackServer { .echo($0) }
        defer { other.stop() }
        let target = other.host + "/end"
        let server = try LoopbackServer { _ in .redirect(307, to: target) }
        defer { server.stop() }
        _ = try await response(
            server, headers: ["Authorization": "Bearer x", "Cookie": "a=1", "X-Api-Key": "k", "X-Trace": "t"])
        let sent = try #require(other.requests.first?.headers)
        #expect(sent["authorization"] == nil)
        #expect(sent["cookie"] == nil)
        #expect(sent["x-api-key"] == nil)
        #expect(sent["x-trace"] == "t")
        #expect(sent["host"] == "127.0.0.1:\(other.port)")
    }

    @Test func credentialsAreKeptOnTheSameHost() async throws {
        let server = try LoopbackServer { $0.target == "/start" ? .redirect(307, to: "/end") : .ok("") }
        defer { server.stop() }
        _ = try await response(server, headers: ["Authorization": "Bearer x"])
        #expect(server.requests.last?.headers["authorization"] == "Bearer x")
    }

    @Test func otherSchemesAreRefused() async throws {
        let server = try LoopbackServer { _ in .redirect(302, to: "file:///etc/passwd") }
        defer { server.stop() }
        await #expect(
            performing: { try await response(server) },
            throws: { error in
                guard case RequestError<NoError>.connectionError(let error) = error else { return false }
                return error.code == .unsupportedURL
            })
    }
}
