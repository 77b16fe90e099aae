import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// Requests through proxies: a server that keeps what it is asked, and proxies from the system's packages.
@Suite struct ProxyTests {
    typealias Server = Connection.Proxy.Server

    static func last(_ address: String, _ change: (inout Connection) -> Void) async throws -> TransportEvent? {
        let url = try #require(URL(string: address))
        return await CurlTransport().events(of: TransportRequest(url: url, connection: Connection(change))).last
    }

    static func text(_ event: TransportEvent?) -> String? {
        event?.response?.body.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The requests that a proxy gets for one to http://api.test/x, and the response to it.
    func asked(_ change: (inout Server) -> Void = { _ in }) async throws -> (LoopbackRequest?, TransportEvent?) {
        let proxy = try LoopbackServer { _ in .ok("by the proxy") }
        defer { proxy.stop() }
        var server = Server(host: "127.0.0.1", port: proxy.port)
        change(&server)
        let last = try await Self.last("http://api.test/x?y=1") { $0.proxy = .server(server) }
        return (proxy.requests.first, last)
    }

    @Test func `a proxy is asked for the whole URL`() async throws {
        let (request, last) = try await asked()
        #expect(Self.text(last) == "by the proxy")
        #expect(request?.target == "http://api.test/x?y=1")
        #expect(request?.headers["host"] == "api.test")
        #expect(request?.headers["proxy-authorization"] == nil)
    }

    @Test func `credentials go to the proxy`() async throws {
        let (request, _) = try await asked {
            $0.username = "user@example.com"
            $0.password = "pass:word ä"
        }
        let expected = "Basic " + Data("user@example.com:pass:word ä".utf8).base64EncodedString()
        #expect(request?.headers["proxy-authorization"] == expected)
        #expect(request?.headers["authorization"] == nil)
    }

    @Test(arguments: [
        (["api.test"], true), (["test"], true), ([".test"], true), (["other.test", "api.test"], true), (["*"], true),
        (["*", "other.test"], true), (["est"], false), (["other.test"], false), (["www.api.test"], false), ([], false),
    ]) func `bypasses are names`(bypasses: [String], isBypassed: Bool) async throws {
        let (request, last) = try await asked { $0.bypasses = bypasses }
        #expect((request == nil) == isBypassed)
        if isBypassed { #expect(last?.error?.code == .cannotFindHost) }
    }

    @Test func `a bypass may be an address`() async throws {
        let server = try LoopbackServer { _ in .ok("straight") }
        defer { server.stop() }
        let last = try await Self.last(server.host) {
            $0.proxy = .server(Server(host: "127.0.0.1", port: 1, bypasses: ["127.0.0.1"]))
        }
        #expect(Self.text(last) == "straight")
    }

    @Test func `a proxy that is not there is named`() async throws {
        let last = try await Self.last("http://api.test/") { $0.proxy = .server(Server(host: "127.0.0.1", port: 1)) }
        #expect(
            last?.error
                == TransportError(
                    code: .cannotConnectToHost,
                    message: "could not connect to api.test through the proxy 127.0.0.1:1 (connection refused)"))
    }

    @Test func `a proxy without an address is named`() async throws {
        let last = try await Self.last("http://api.test/") {
            $0.proxy = .server(Server(host: "proxy.invalid", port: 1))
        }
        #expect(
            last?.error
                == TransportError(
                    code: .cannotFindHost, message: "could not find the proxy proxy.invalid:1 for api.test"))
    }

    @Test func `a refused tunnel is named`() async throws {
        let proxy = try LoopbackServer { _ in .status(407) }
        defer { proxy.stop() }
        let last = try await Self.last("https://api.test/") {
            $0.proxy = .server(Server(host: "127.0.0.1", port: proxy.port))
        }
        #expect(proxy.requests.first?.method == "CONNECT")
        #expect(
            last?.error
                == TransportError(
                    code: .cannotConnectToHost,
                    message: "the proxy 127.0.0.1:\(proxy.port) answered 407 Proxy Authentication Required when asked "
                        + "for a tunnel to api.test"))
    }

    /// A proxy that lies about its own response, and one that answers to CONNECT with fields of its own.
    @Test func `what a proxy says is not the response`() async throws {
        let proxy = try LoopbackServer { _ in .status(502, headers: [("Set-Cookie", "proxy=1")], "proxy") }
        defer { proxy.stop() }
        let url = try #require(URL(string: "https://api.test/"))
        let connection = Connection { $0.proxy = .server(Server(host: "127.0.0.1", port: proxy.port)) }
        let events = await CurlTransport().events(of: TransportRequest(url: url, connection: connection))
        #expect(!events.contains { if case .head = $0 { true } else { false } })
        #expect(events.last?.error?.message.contains("answered 502 Bad Gateway") == true)
    }

    @Test(arguments: [Connection.Proxy.Scheme.socks4, .socks4a]) func socks4(scheme: Connection.Proxy.Scheme)
        async throws
    {
        let server = try LoopbackServer { _ in .ok("behind SOCKS") }
        defer { server.stop() }
        let proxy = try SOCKS4Proxy()
        defer { proxy.stop() }
        let host = scheme == .socks4 ? "127.0.0.1" : "localhost"
        let last = try await Self.last("http://\(host):\(server.port)/") {
            $0.proxy = .server(Server(scheme: scheme, host: "127.0.0.1", port: proxy.port, username: "me"))
        }
        #expect(Self.text(last) == "behind SOCKS", "\(String(describing: last))")
        #expect(proxy.asked == [scheme == .socks4 ? "me 127.0.0.1" : "me localhost"])
    }

    @Test(.enabled(if: NginxServer.isInstalled, "nginx is not installed: apt-get install nginx-light"))
    func `a proxy may be talked to over TLS`() async throws {
        let server = try LoopbackServer { .ok($0.headers["via"] ?? "straight") }
        defer { server.stop() }
        let nginx = try NginxServer([.proxy])
        defer { nginx.stop() }
        func last(caFile: String?, verifies: Bool = true) async throws -> TransportEvent? {
            try await Self.last(server.host) {
                $0.proxy = .server(Server(scheme: .https, host: "127.0.0.1", port: nginx.port(.proxy)))
                $0.tls.caFile = caFile
                $0.tls.verifiesServer = verifies
            }
        }
        let trusted = try await last(caFile: nginx.authorityFile)
        #expect(Self.text(trusted) == "nginx", "\(String(describing: trusted))")
        #expect(trusted?.metrics?.tls == nil, "the request itself has none")
        #expect(try await last(caFile: nil)?.error?.code == .certificateNotTrusted)
        #expect(try await last(caFile: nil, verifies: false)?.error?.code == .certificateNotTrusted)
    }
}

/// A proxy that speaks SOCKS 4 and 4a, which no package of the system does.
final class SOCKS4Proxy: Sendable {
    private let server: RawServer
    private let requests: LoopbackLock<[String]>

    var port: Int { server.port }
    /// "me 127.0.0.1": the user, and the address or the name that was asked for.
    var asked: [String] { requests.withLock { $0 } }

    init() throws {
        let requests = LoopbackLock<[String]>([])
        self.requests = requests
        server = try RawServer { connection in
            guard let head = connection.read(8), head[0] == 4, head[1] == 1, let user = connection.readText() else {
                return
            }
            let address = head[4..<8].map { "\($0)" }.joined(separator: ".")
            let name = address.hasPrefix("0.0.0.") ? connection.readText() : address
            requests.withLock { $0.append("\(user) \(name ?? "")") }
            connection.send(Data([0, 90, 0, 0, 0, 0, 0, 0]))
            connection.join(port: Int(head[2]) << 8 | Int(head[3]))
        }
    }

    func stop() { server.stop() }
}
