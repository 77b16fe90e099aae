#if canImport(CCurl)
import Foundation
import TestSupport
import Testing

@testable import OmbiCore

private let ntlm = ConnectionAuthentication(.ntlm(username: "CORP\\ada", password: "s3cret"))
private let hasNTLM = CurlTransport.refusal(of: ntlm.scheme) == nil

/// Schemes that libcurl negotiates for a connection.
@Suite struct ConnectionAuthenticationTests {
    /// The second message of NTLM: it asks for no more than the password.
    private static let challenge = "TlRMTVNTUAACAAAAAAAAADAAAAABggAAAQIDBAUGBwgAAAAAAAAAAAAAAAAwAAAA"

    /// A server that answers the third message of NTLM as a function says, and nothing else but with a challenge.
    private static func server(_ answer: @escaping LoopbackServer.Handler = { _ in .ok("in") }) throws -> LoopbackServer
    {
        try LoopbackServer { request in
            switch message(request) {
            case 3: answer(request)
            case 1: .status(401, headers: [("WWW-Authenticate", "NTLM " + challenge)], "wait")
            default: .status(401, headers: [("WWW-Authenticate", "NTLM"), ("WWW-Authenticate", "Basic")], "no")
            }
        }
    }

    /// The number of the message of NTLM in a request; 0 for none.
    private static func message(_ request: LoopbackRequest) -> Int {
        guard let text = request.headers["authorization"], text.hasPrefix("NTLM TlRMTVNTUAA"),
            let data = Data(base64Encoded: String(text.dropFirst(5))), data.count > 8
        else { return 0 }
        return Int(data[8])
    }

    private static func request(
        _ server: LoopbackServer, _ authentication: ConnectionAuthentication? = ntlm,
        _ change: (inout TransportRequest) -> Void = { _ in }
    ) throws -> TransportRequest {
        var request = TransportRequest(url: try #require(URL(string: server.host + "/start")))
        request.connectionAuthentication = authentication
        change(&request)
        return request
    }

    private static func heads(_ events: [TransportEvent]) -> [Int] {
        events.compactMap { if case .head(let head) = $0 { head.statusCode } else { nil } }
    }

    @Test(.enabled(if: hasNTLM)) func `a negotiation is one attempt over one connection, without the password`()
        async throws
    {
        let server = try Self.server()
        defer { server.stop() }
        let events = await CurlTransport().events(of: try Self.request(server))
        #expect(events.last?.response?.statusCode == 200 && events.last?.response?.body == Data("in".utf8))
        #expect(Self.heads(events) == [200])
        #expect(server.requests.map(Self.message) == [1, 3] && server.connectionCount == 1)
        #expect(!server.requests.contains { "\($0.headers)".contains("s3cret") })
    }

    @Test(.enabled(if: hasNTLM), arguments: [4, 70_000])
    func `a body is sent once the server knows the user`(size: Int) async throws {
        let server = try Self.server { .ok("\($0.body.count)") }
        defer { server.stop() }
        let request = try Self.request(server) { request in
            request.method = .post
            request.headers["Expect"] = "100-continue"
            request.body = Data(repeating: 120, count: size)
        }
        let events = await CurlTransport().events(of: request)
        #expect(events.last?.response?.body == Data("\(size)".utf8), "\(String(describing: events.last))")
        #expect(Self.heads(events) == [200])
        #expect(server.requests.map(\.body.count) == [0, size])
        #expect(server.requests.allSatisfy { $0.headers["expect"] == nil })
    }

    @Test(.enabled(if: hasNTLM)) func `a server that asks nobody gets the body as well`() async throws {
        let server = try LoopbackServer { .ok("\($0.text)!") }
        defer { server.stop() }
        let request = try Self.request(server) { ($0.method, $0.body) = (.post, Data("body".utf8)) }
        let events = await CurlTransport().events(of: request)
        #expect(events.last?.response?.body == Data("body!".utf8))
        #expect(Self.heads(events) == [200])
    }

    @Test(.enabled(if: hasNTLM)) func `a refusal is the response, and never makes Basic of the password`() async throws
    {
        let server = try Self.server { _ in
            .status(401, headers: [("WWW-Authenticate", "NTLM"), ("WWW-Authenticate", "Basic")], "no")
        }
        defer { server.stop() }
        let events = await CurlTransport().events(of: try Self.request(server))
        #expect(events.last?.response?.statusCode == 401 && events.last?.response?.body == Data("no".utf8))
        #expect(Self.heads(events) == [401])
        #expect(server.requests.map(Self.message) == [1, 3])
    }

    @Test(.enabled(if: hasNTLM), arguments: [(" " + Self.challenge, 3), ("", 1)])
    func `a server that asks for ever, or without a challenge, is asked no more after one round`(
        token: String, second: Int
    ) async throws {
        let server = try LoopbackServer { _ in .status(401, headers: [("WWW-Authenticate", "NTLM" + token)], "wait") }
        defer { server.stop() }
        let events = await CurlTransport().events(of: try Self.request(server))
        #expect(events.last?.response?.statusCode == 401)
        #expect(server.requests.map(Self.message) == [1, second])
    }

    @Test(.enabled(if: hasNTLM), arguments: [false, true])
    func `another origin gets nothing of a negotiation`(keepsCredentials: Bool) async throws {
        let other = try LoopbackServer { _ in .ok("there") }
        defer { other.stop() }
        let target = other.host + "/end"
        let server = try Self.server { _ in .redirect(307, to: target) }
        defer { server.stop() }
        let request = try Self.request(server) {
            $0.connection.redirects.keepsCredentialsAcrossOrigins = keepsCredentials
        }
        let last = await CurlTransport().events(of: request).last
        #expect(last?.response?.body == Data("there".utf8))
        #expect(last?.metrics?.redirects.map(\.withheld) == [[.authorization]])
        #expect(other.requests.map { $0.headers["authorization"] } == [nil])
    }

    @Test(.enabled(if: hasNTLM)) func `a redirect within the origin negotiates again`() async throws {
        let server = try Self.server { $0.target == "/start" ? .redirect(302, to: "/end") : .ok("end") }
        defer { server.stop() }
        let last = await CurlTransport().events(of: try Self.request(server)).last
        #expect(last?.response?.body == Data("end".utf8))
        #expect(server.requests.map(Self.message) == [1, 3, 1, 3] && server.connectionCount == 2)
    }

    @Test(.enabled(if: hasNTLM)) func `no other request uses the connection`() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let transport = CurlTransport(configuration: .init(loops: 1))
        let other = ConnectionAuthentication(.ntlm(username: "bob", password: "p"))
        for authentication in [ntlm, other, nil] {
            let last = await transport.events(of: try Self.request(server, authentication)).last
            #expect(last?.response?.statusCode == (authentication == nil ? 401 : 200))
            #expect(last?.metrics?.reusedConnection == false)
        }
        #expect(server.requests.map(Self.message) == [1, 3, 1, 3, 0] && server.connectionCount == 3)
    }

    @Test(.enabled(if: hasNTLM), arguments: [Connection.HTTPVersion.http2PriorKnowledge, .http2, .http3])
    func `a version of HTTP that shares connections is refused before anything is sent`(
        version: Connection.HTTPVersion
    ) async throws {
        let server = try Self.server()
        defer { server.stop() }
        let last = await CurlTransport().events(of: try Self.request(server) { $0.connection.httpVersion = version })
            .last
        #expect(last?.error?.code == .unsupportedOption && server.connectionCount == 0)
    }

    @Test func `a WebSocket is refused before anything is opened`() async throws {
        let server = try RawServer { $0.waitForEnd() }
        defer { server.stop() }
        var request = TransportRequest(url: try #require(URL(string: server.host)))
        request.connectionAuthentication = ntlm
        let sent = request
        let error: TransportError? = await withCheckedContinuation { continuation in
            let channel = CurlTransport().openChannel(for: sent) { result in
                if case .failure(let error) = result { continuation.resume(returning: error) }
            }
            channel.close()
        }
        #expect(error?.code == .unsupportedOption && server.connectionCount == 0)
    }

    @Test(arguments: [ConnectionAuthentication(.negotiate), ntlm])
    func `a libcurl without the scheme is an error with its version`(authentication: ConnectionAuthentication) {
        let error = #expect(throws: TransportError.self) {
            try CurlTransport.check(authentication, CurlFeatures(version: "7.0.1", number: 0x070001, bits: 0))
        }
        #expect(error?.code == .unsupportedOption)
        #expect(error?.message.contains("\(authentication) authentication") == true)
        #expect(error?.message.contains("(7.0.1); nothing was sent") == true)
    }

    @Test func `a description is the scheme alone`() {
        #expect("\(ntlm)" == "NTLM" && "\(ConnectionAuthentication(.negotiate))" == "Negotiate")
        var text = ""
        dump(ntlm, to: &text)
        #expect(!text.contains("s3cret") && !text.contains("ada"))
    }

    /// Withholds credentials from everybody.
    private struct Closed: RequestGate {
        func decide(_ hop: RequestHop) -> GateDecision { .withhold([.authorization]) }
    }

    @Test func `a gate that withholds the header withholds the negotiation`() throws {
        var request = TransportRequest(url: try #require(URL(string: "https://a.test/")))
        request.connectionAuthentication = ntlm
        request.provenance = RequestProvenance(headers: [.authorization: ["$TOKEN"]])
        request.gate = Closed()
        #expect(try request.throughGate().connectionAuthentication == nil)
    }

    @Test func `a negotiation that has left its origin does not come back`() throws {
        func url(_ text: String) throws -> URL { try #require(URL(string: text)) }
        var request = TransportRequest(url: try url("https://a.test/x"))
        request.connectionAuthentication = ntlm
        var hop = Hop(request)
        #expect(try hop.follow(to: url("https://a.test/y"), statusCode: 302) == [])
        #expect(hop.connectionAuthentication == ntlm)
        #expect(try hop.follow(to: url("https://b.test/y"), statusCode: 302) == [.authorization])
        #expect(hop.connectionAuthentication == nil)
        #expect(try hop.follow(to: url("https://a.test/z"), statusCode: 302) == [])
        #expect(hop.connectionAuthentication == nil)
    }
}
#endif
