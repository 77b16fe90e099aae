import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// One transport serves managers with different settings, over the same handles and the same connections of libcurl.
/// Nothing of one setting may show in the next.
@Suite(.enabled(if: NginxServer.isInstalled, "nginx is not installed: apt-get install nginx-light"))
struct AlternatingConnectionsTests {
    /// A setting, a request that shows it, and what comes of it.
    struct Kind: Sendable {
        let name: String
        let url: String
        let outcome: String
        let change: @Sendable (inout Connection) -> Void

        init(
            _ name: String, _ url: String, _ outcome: String, _ change: @escaping @Sendable (inout Connection) -> Void
        ) {
            self.name = name
            self.url = url
            self.outcome = outcome
            self.change = change
        }
    }

    struct Servers {
        let nginx: NginxServer
        /// Says how it was reached.
        let plain: LoopbackServer
        let proxy: LoopbackServer
        let socket: LoopbackServer
        let path: String

        init() throws {
            nginx = try NginxServer([.standard, .clientCertificate, .oldTLS, .plainHTTP2])
            plain = try LoopbackServer { request in
                .ok("plain \(request.headers["host"]?.split(separator: ":").first ?? "")")
            }
            proxy = try LoopbackServer { request in
                .ok("proxy \(request.headers["proxy-authorization"] == nil ? "without" : "with") a password")
            }
            path = FileManager.default.temporaryDirectory.appending(path: "o-\(UUID().uuidString.prefix(8))").path
            socket = try LoopbackServer(unixSocket: path) { _ in .ok("socket") }
        }

        func stop() {
            for server in [plain, proxy, socket] { server.stop() }
            nginx.stop()
            unlink(path)
        }
    }

    @Test func `nothing of one shows in the next`() async throws {
        let servers = try Servers()
        defer { servers.stop() }
        let kinds = Self.plainKinds(servers) + Self.secureKinds(servers.nginx)
        let transport = CurlTransport()
        var last = "nothing"
        for kind in Self.eachAfterEach(kinds) {
            let url = try #require(URL(string: kind.url))
            let request = TransportRequest(url: url, connection: Connection(kind.change))
            let event = await transport.events(of: request).last
            #expect(Self.outcome(event) == kind.outcome, "\(kind.name), after \(last): \(event.debugDescription)")
            last = kind.name
        }
    }

    /// An order in which each comes directly after each other one.
    static func eachAfterEach(_ kinds: [Kind]) -> [Kind] {
        kinds.indices.flatMap { index in
            [kinds[index]] + kinds[(index + 1)...].flatMap { [$0, kinds[index]] }
        }
    }

    /// The body but for the number of the connection, and the version of TLS; a status that is not 200; or the code of
    /// the error.
    static func outcome(_ event: TransportEvent?) -> String {
        guard let response = event?.response else { return event?.error.map { "\($0.code)" } ?? "nothing" }
        if let status = response.statusCode, status != 200 { return "status \(status)" }
        let text = response.body.map { String(decoding: $0, as: UTF8.self) } ?? ""
        let words = text.split(separator: " ")
        let body = words.first.flatMap { Int($0) } == nil ? text : words.dropFirst().joined(separator: " ")
        return response["X-TLS"].map { "\(body) \($0)" } ?? body
    }

    static func plainKinds(_ servers: Servers) -> [Kind] {
        let plain = servers.plain
        let (proxyPort, socketPath) = (servers.proxy.port, servers.path)
        @Sendable func proxy(_ username: String?) -> Connection.Proxy {
            .server(.init(host: "127.0.0.1", port: proxyPort, username: username, password: username.map { _ in "x" }))
        }
        return [
            Kind("defaults", plain.host, "plain 127.0.0.1") { _ in },
            Kind("a proxy", plain.host, "proxy without a password") { $0.proxy = proxy(nil) },
            Kind("a proxy with a password", plain.host, "proxy with a password") { $0.proxy = proxy("user") },
            Kind("a Unix socket", plain.host, "socket") { $0.unixSocket = socketPath },
            Kind("an address", "http://api.ombi.test:\(plain.port)", "plain api.ombi.test") {
                $0.addresses = [.init(host: "api.ombi.test", port: plain.port, address: "127.0.0.1")]
            },
            Kind("no address", "http://api.ombi.test:\(plain.port)", "cannotFindHost") { $0.proxy = .none },
            Kind("an interface that is not there", plain.host, "cannotConnectToHost") {
                $0.networkInterface = "192.0.2.1"
            },
            Kind("IPv6 only", "http://localhost:\(plain.port)", "cannotConnectToHost") { $0.addressFamily = .ipv6 },
            Kind("any IP", "http://localhost:\(plain.port)", "plain localhost") { $0.proxy = .none },
            Kind("a rate that is none", plain.host, "unsupportedOption") { $0.maximumReceiveRate = 0 },
        ]
    }

    static func secureKinds(_ nginx: NginxServer) -> [Kind] {
        let (authority, root) = (nginx.file("authority.pem"), nginx.file("root.pem"))
        let (certificate, key) = (nginx.file("client.pem"), nginx.file("client.key"))
        let server = "\(nginx.host)/"
        return [
            Kind("defaults over TLS", server, "certificateNotTrusted") { _ in },
            Kind("an authority", server, "HTTP/2.0 TLSv1.2") { $0.tls.caFile = authority },
            Kind("another authority", server, "certificateNotTrusted") { $0.tls.caFile = root },
            Kind("no verification", server, "HTTP/2.0 TLSv1.2") { $0.tls.verifiesServer = false },
            Kind("HTTP/1.1", server, "HTTP/1.1 TLSv1.2") {
                $0.tls.caFile = authority
                $0.httpVersion = .http1
            },
            Kind("HTTP/2 without TLS", "\(nginx.host(.plainHTTP2))/", "HTTP/2.0") {
                $0.httpVersion = .http2PriorKnowledge
            },
            Kind("HTTP/1.1 without TLS", "\(nginx.host(.plainHTTP2))/", "malformedResponse") {
                $0.httpVersion = .http1
            },
            Kind("a wrong pin", server, "certificateNotTrusted") {
                $0.tls.caFile = authority
                $0.tls.pinnedPublicKeys = ["sha256//" + Data(count: 32).base64EncodedString()]
            },
            Kind("a certificate", "\(nginx.host(.clientCertificate))/", "O=Ombi,CN=Ombi test client") {
                $0.tls.caFile = authority
                $0.tls.clientCertificate = .pem(certificate: certificate, key: key)
            },
            Kind("no certificate", "\(nginx.host(.clientCertificate))/", "status 400") { $0.tls.caFile = authority },
            Kind("TLS 1.3 at least", server, "secureConnectionFailed") {
                $0.tls.caFile = authority
                $0.tls.minimumVersion = .v1_3
            },
            Kind("TLS 1.0 at least", "\(nginx.host(.oldTLS))/", "HTTP/2.0 TLSv1.1") {
                $0.tls.caFile = authority
                $0.tls.minimumVersion = .v1_0
            },
            Kind("TLS 1.2 at least", "\(nginx.host(.oldTLS))/", "secureConnectionFailed") {
                $0.tls.caFile = authority
            },
        ]
    }
}
