import Foundation
import TestSupport
import Testing

@testable import OmbiCore

@Suite struct RedirectTests {
    func response(
        _ server: LoopbackServer, method: RequestMethod = .get, headers: RequestHeaders = [:], body: Data? = nil,
        _ policy: RedirectPolicy = RedirectPolicy(), configure: (RequestManager) -> Void = { _ in }
    ) async throws -> RequestResponse<Data> {
        let manager = RequestManager(host: server.host)
        manager.connection.redirects = policy
        configure(manager)
        return try await manager.response(
            for: PlainRequest(path: "/start", method: method, headers: headers, body: body))
    }

    @Test(arguments: [
        (301, RequestMethod.post, "GET", ""), (302, .post, "GET", ""), (303, .put, "GET", ""),
        (307, .post, "POST", "body"), (308, .put, "PUT", "body"), (301, .put, "PUT", "body"),
    ])
    func `a redirect is followed`(status: Int, method: RequestMethod, then: String, body: String) async throws {
        let server = try LoopbackServer { $0.target == "/start" ? .redirect(status, to: "/end?x=1") : .ok("there") }
        defer { server.stop() }
        let response = try await response(server, method: method, body: Data("body".utf8))
        #expect(response.url?.absoluteString == server.host + "/end?x=1")
        #expect(response.body == Data("there".utf8))
        #expect(response[.location] == nil)
        #expect(server.requests.map(\.method) == [method.rawValue, then])
        #expect(server.requests.last?.text == body)
    }

    @Test(arguments: [301, 302]) func `the method is kept where the policy says so`(status: Int) async throws {
        let server = try LoopbackServer { $0.target == "/start" ? .redirect(status, to: "/end") : .ok("there") }
        defer { server.stop() }
        _ = try await response(server, method: .post, body: Data("body".utf8), RedirectPolicy(keepsMethod: true))
        #expect(server.requests.map(\.method) == ["POST", "POST"])
        #expect(server.requests.last?.text == "body")
    }

    @Test(arguments: [RedirectPolicy.none, RedirectPolicy(maximum: -1)])
    func `none is followed`(policy: RedirectPolicy) async throws {
        let server = try LoopbackServer { _ in .redirect(302, to: "/end") }
        defer { server.stop() }
        let response = try await response(server, policy)
        #expect(response.statusCode == 302)
        #expect(response.body == Data("moved".utf8))
    }

    @Test(arguments: [(1, "once"), (3, "3 times")]) func `a circle ends`(maximum: Int, words: String) async throws {
        let server = try LoopbackServer { _ in .redirect(302, to: "/start") }
        defer { server.stop() }
        await #expect(
            performing: { try await response(server, RedirectPolicy(maximum: maximum)) },
            throws: { error in
                guard case RequestError<NoError>.connectionError(let error) = error else { return false }
                return error.response?.statusCode == 302 && error.response?[.location] == "/start"
                    && error.response?.body == Data("moved".utf8)
                    && error.withoutResponse
                        == TransportError(
                            code: .tooManyRedirects, message: "\(server.host)/start redirects more than \(words)")
            })
        #expect(server.requests.count == maximum + 1)
    }

    @Test func `credentials stay with their host`() async throws {
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

    /// Whatever their names: what a manager adds is for its own server.
    @Test func `nothing of the manager goes to another server`() async throws {
        let other = try LoopbackServer { .echo($0) }
        defer { other.stop() }
        let target = other.host + "/end"
        let server = try LoopbackServer { _ in .redirect(302, to: target) }
        defer { server.stop() }
        _ = try await response(server, headers: ["X-Own": "1"]) { manager in
            manager.additionalHeaders = ["X-Acme": "s3cret", "Accept-Language": "tlh"]
            manager.requestAuthentication = .token(type: .bearer, value: "s3cret")
        }
        let sent = try #require(other.requests.first?.headers)
        #expect(sent["x-acme"] == nil)
        #expect(sent["accept-language"] == nil)
        #expect(sent["authorization"] == nil)
        #expect(sent["x-own"] == "1")
        #expect(!sent.values.contains { $0.contains("s3cret") })
        #expect(server.requests.first?.headers["x-acme"] == "s3cret")
    }

    @Test func `credentials are kept on the same host`() async throws {
        let server = try LoopbackServer { $0.target == "/start" ? .redirect(307, to: "/end") : .ok("") }
        defer { server.stop() }
        _ = try await response(server, headers: ["Authorization": "Bearer x"]) {
            $0.additionalHeaders = ["X-Acme": "1"]
        }
        #expect(server.requests.last?.headers["authorization"] == "Bearer x")
        #expect(server.requests.last?.headers["x-acme"] == "1")
    }

    @Test func `other schemes are refused`() async throws {
        let server = try LoopbackServer { _ in .redirect(302, to: "file:///etc/passwd") }
        defer { server.stop() }
        await #expect(
            performing: { try await response(server) },
            throws: { error in
                guard case RequestError<NoError>.connectionError(let error) = error else { return false }
                return error.code == .unsupportedURL
            })
    }

    // MARK: Reports

    @Test func `every hop is reported`() async throws {
        let other = try LoopbackServer { $0.target == "/two" ? .redirect(303, to: "/three") : .ok("there") }
        defer { other.stop() }
        let target = other.host + "/two"
        let server = try LoopbackServer { _ in .redirect(307, to: target) }
        defer { server.stop() }
        let url = try #require(URL(string: server.host + "/one"))
        let request = TransportRequest(
            url: url, method: .post, headers: ["X-Token": "t", "X-Team": "a", "X-Trace": "1"], body: Data("body".utf8),
            originHeaders: ["X-Team"])
        let events = await CurlTransport().events(of: request)
        let metrics = try #require(events.last?.metrics)
        #expect(events.compactMap { if case .redirected(let report) = $0 { report } else { nil } } == metrics.redirects)
        let reports = metrics.redirects
        #expect(reports.map(\.head.statusCode) == [307, 303])
        #expect(reports.map(\.head.url.absoluteString) == [server.host + "/one", target])
        #expect(reports.map(\.target.absoluteString) == [target, other.host + "/three"])
        #expect(reports.map { $0.head.headers[.location]?.text } == [target, "/three"])
        #expect(reports.map(\.method) == [.post, .get])
        #expect(reports.map(\.withheld) == [["X-Token", "X-Team"], []])
        #expect(reports.map(\.remoteAddress) == ["127.0.0.1:\(server.port)", "127.0.0.1:\(other.port)"])
        #expect(reports.allSatisfy { $0.timings.total > .zero })
        #expect(reports.reduce(Duration.zero) { $0 + $1.timings.total } < metrics.timings.total)
        #expect(events.last?.response?.url == reports.last?.target)
        #expect(metrics.reusedConnection == false)
    }

    @Test func `each redirect has its body, decoded, and the headers of the next request`() async throws {
        // "hello"
        let gzip: [UInt8] = [
            0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0x02, 0x03, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x86, 0xA6, 0x10,
            0x36,
            0x05, 0, 0, 0,
        ]
        let server = try LoopbackServer { request in
            switch request.target {
            case "/one": return .redirect(302, to: "/two")
            case "/two":
                let headers = [("Location", "/three"), ("Content-Encoding", "gzip")]
                return .response(status: 302, headers: headers, body: Data(gzip))
            default: return .ok("there")
            }
        }
        defer { server.stop() }
        let url = try #require(URL(string: server.host + "/one"))
        let request = TransportRequest(url: url, headers: ["X-Trace": "1"])
        let reports = try #require(await CurlTransport().events(of: request).last?.metrics).redirects
        #expect(reports.map(\.body) == [Data("moved".utf8), Data("hello".utf8)])
        #expect(reports.map(\.isPartial) == [false, false])
        #expect(reports.map { $0.sent?["X-Trace"]?.text } == ["1", "1"])
    }

    @Test func `of the bodies of an attempt's redirects the first 64 KiB are kept`() async throws {
        let server = try LoopbackServer { request in
            let next = ["/one": "/two", "/two": "/three"][request.target]
            guard let next else { return .ok("there") }
            return .response(status: 302, headers: [("Location", next)], body: Data(repeating: 7, count: 40_000))
        }
        defer { server.stop() }
        let url = try #require(URL(string: server.host + "/one"))
        let reports = try #require(await CurlTransport().events(of: TransportRequest(url: url)).last?.metrics).redirects
        #expect(reports.map { $0.body?.count } == [40_000, 25_536])
        #expect(reports.map(\.isPartial) == [false, true])
    }

    @Test func `of a larger body of a redirect the start is kept`() async throws {
        let server = try LoopbackServer { request in
            guard request.target == "/one" else { return .ok("there") }
            return .response(status: 302, headers: [("Location", "/two")], body: Data(repeating: 7, count: 1_000_000))
        }
        defer { server.stop() }
        let url = try #require(URL(string: server.host + "/one"))
        let report = await CurlTransport().events(of: TransportRequest(url: url)).last?.metrics?.redirects.first
        #expect(report?.body == Data(repeating: 7, count: 65_536) && report?.isPartial == true)
    }

    @Test func `a run tells its redirects`() async throws {
        let server = try LoopbackServer { $0.target == "/start" ? .redirect(302, to: "/end") : .ok("there") }
        defer { server.stop() }
        let (recorder, _) = RequestManager(host: server.host).record(PlainRequest(path: "/start"))
        let report = await recorder.report
        #expect(report?.attempts.last?.metrics.redirects.map(\.target.path) == ["/end"])
        #expect(recorder.events.contains { if case .redirected(1, _, _) = $0 { true } else { false } })
    }

    @Test func `a failure behind a redirect reports it`() async throws {
        let server = try LoopbackServer { $0.target == "/start" ? .redirect(302, to: "/end") : .drop }
        defer { server.stop() }
        let url = try #require(URL(string: server.host + "/start"))
        let last = await CurlTransport().events(of: TransportRequest(url: url)).last
        #expect(last?.error?.code == .connectionLost)
        #expect(last?.metrics?.redirects.count == 1)
    }

    /// A second request over an open connection, both hops of which reuse it.
    @Test func `hops over an open connection make none`() async throws {
        let server = try LoopbackServer { $0.target == "/start" ? .redirect(302, to: "/end") : .ok("there") }
        defer { server.stop() }
        let url = try #require(URL(string: server.host + "/start"))
        let transport = CurlTransport()
        let first = await transport.events(of: TransportRequest(url: url)).last?.metrics
        let second = await transport.events(of: TransportRequest(url: url)).last?.metrics
        #expect(first?.reusedConnection == false)
        #expect(second?.reusedConnection == true)
        #expect(server.connectionCount == 1)
    }
}

/// What holds for the origin of the request holds nowhere else.
@Suite(.enabled(if: NginxServer.isInstalled, "nginx is not installed: apt-get install nginx-light"))
struct RedirectTrustTests {
    /// An HTTP server that redirects to `target`, and the last event of a request to it.
    func last(redirectedTo target: String, _ change: (inout Connection) -> Void) async throws -> TransportEvent? {
        let server = try LoopbackServer { _ in .redirect(307, to: target) }
        defer { server.stop() }
        let url = try #require(URL(string: server.host))
        return await CurlTransport().events(of: TransportRequest(url: url, connection: Connection(change))).last
    }

    @Test func `verification that is off is on for where a redirect leads`() async throws {
        let nginx = try NginxServer()
        defer { nginx.stop() }
        let last = try await last(redirectedTo: nginx.host) { $0.tls.verifiesServer = false }
        #expect(last?.error?.code == .certificateNotTrusted, "\(String(describing: last))")
        #expect(last?.metrics?.redirects.count == 1)
    }

    @Test func `the authorities hold everywhere`() async throws {
        let nginx = try NginxServer()
        defer { nginx.stop() }
        let last = try await last(redirectedTo: nginx.host) {
            $0.tls.verifiesServer = false
            $0.tls.caFile = nginx.authorityFile
        }
        #expect(last?.response?.statusCode == 200, "\(String(describing: last))")
        #expect(last?.metrics?.tls?.isVerified == true)
    }

    @Test func `a client certificate is not shown where a redirect leads`() async throws {
        let nginx = try NginxServer([.clientCertificate])
        defer { nginx.stop() }
        let last = try await last(redirectedTo: nginx.host) {
            $0.tls.caFile = nginx.authorityFile
            $0.tls.clientCertificate = .pem(certificate: nginx.file("both.pem"))
        }
        #expect(last?.response?.statusCode == 400, "\(String(describing: last))")
    }

    @Test func `pins do not hold where a redirect leads`() async throws {
        let nginx = try NginxServer()
        defer { nginx.stop() }
        let last = try await last(redirectedTo: nginx.host) {
            $0.tls.caFile = nginx.authorityFile
            $0.tls.pinnedPublicKeys = ["sha256//" + Data(count: 32).base64EncodedString()]
        }
        #expect(last?.response?.statusCode == 200, "\(String(describing: last))")
    }
}
