import Foundation
import TestSupport
import Testing

@testable import OmbiCore

private let microsocks = ProxyProgram.Kind.microsocks
private let tinyproxy = ProxyProgram.Kind.tinyproxy

/// SOCKS 5 by microsocks.
@Suite(.enabled(if: microsocks.isInstalled, "microsocks is not installed: apt-get install microsocks"))
struct SOCKS5Tests {
    func last(_ scheme: Connection.Proxy.Scheme, _ host: String, password: String?) async throws -> TransportEvent? {
        let server = try LoopbackServer { _ in .ok("behind SOCKS") }
        defer { server.stop() }
        let proxy = try ProxyProgram(microsocks, user: password == nil ? nil : ("user", "secret"))
        defer { proxy.stop() }
        return try await ProxyTests.last("http://\(host):\(server.port)/") {
            $0.proxy = .server(
                .init(
                    scheme: scheme, host: "127.0.0.1", port: proxy.port, username: password.map { _ in "user" },
                    password: password))
        }
    }

    @Test(arguments: [Connection.Proxy.Scheme.socks5, .socks5h], [nil, "secret"])
    func `a request goes through it`(scheme: Connection.Proxy.Scheme, password: String?) async throws {
        let last = try await last(scheme, "127.0.0.1", password: password)
        #expect(ProxyTests.text(last) == "behind SOCKS", "\(String(describing: last))")
    }

    @Test func `it looks up names`() async throws {
        let last = try await last(.socks5h, "localhost", password: nil)
        #expect(ProxyTests.text(last) == "behind SOCKS", "\(String(describing: last))")
    }

    @Test func `a wrong password is refused`() async throws {
        let error = try await last(.socks5, "127.0.0.1", password: "wrong")?.error
        #expect(error?.code == .cannotConnectToHost)
        #expect(error?.message.contains(" through the proxy 127.0.0.1:") == true, "\(error?.message ?? "")")
    }
}

/// HTTP, and tunnels, by tinyproxy.
@Suite(.enabled(if: tinyproxy.isInstalled, "tinyproxy is not installed: apt-get install tinyproxy-bin"))
struct TinyproxyTests {
    @Test(arguments: [nil, "secret", "wrong"]) func `a request goes through it`(password: String?) async throws {
        let server = try LoopbackServer { .ok($0.headers["via"] ?? "straight") }
        defer { server.stop() }
        let proxy = try ProxyProgram(tinyproxy, user: password == nil ? nil : ("user", "secret"))
        defer { proxy.stop() }
        let last = try await ProxyTests.last(server.host) {
            $0.proxy = .server(
                .init(host: "127.0.0.1", port: proxy.port, username: password.map { _ in "user" }, password: password))
        }
        if password == "wrong" {
            #expect([401, 407].contains(last?.response?.statusCode))
            #expect(server.requests.isEmpty)
        } else {
            #expect(ProxyTests.text(last)?.contains("tinyproxy") == true, "\(String(describing: last))")
            #expect(server.requests.first?.headers["proxy-authorization"] == nil)
        }
    }

    /// A tunnel that was opened with a password is not for those who do not have it.
    @Test(.enabled(if: NginxServer.isInstalled, "nginx is not installed: apt-get install nginx-light"))
    func `a tunnel belongs to its user`() async throws {
        let nginx = try NginxServer()
        defer { nginx.stop() }
        let proxy = try ProxyProgram(tinyproxy, user: ("user", "secret"))
        defer { proxy.stop() }
        let url = try #require(URL(string: nginx.host))
        let transport = CurlTransport()
        func last(_ password: String?) async -> TransportEvent? {
            let connection = Connection {
                $0.tls.caFile = nginx.authorityFile
                $0.proxy = .server(.init(host: "127.0.0.1", port: proxy.port, username: "user", password: password))
            }
            return await transport.events(of: TransportRequest(url: url, connection: connection)).last
        }
        let first = await last("secret")
        #expect(ProxyTests.text(first)?.hasSuffix(" HTTP/2.0") == true, "\(String(describing: first))")
        #expect(first?.metrics?.tls?.isVerified == true)
        let refused = await last("wrong")?.error
        #expect(refused?.code == .cannotConnectToHost)
        #expect(refused?.message.contains("when asked for a tunnel to 127.0.0.1:\(nginx.port)") == true)
        let again = await last("secret")
        #expect(ProxyTests.text(again) == ProxyTests.text(first), "the same connection")
        #expect(again?.metrics?.tls == first?.metrics?.tls)
    }
}
