import Foundation
import TestSupport
import Testing

@testable import OmbiCore

// Processes of their own came with Swift 6.2.
#if compiler(>=6.2)
/// What the environment says about proxies and authorities, each in a process of its own: the variables are those of the
/// whole process, and libcurl and Ombi read them as curl does.
@Suite(.serialized) struct EnvironmentTests {
    /// The proxies see what is asked of them; the body of each response says who answered.
    static func answer(_ address: String, _ change: (inout Connection) -> Void = { _ in }) async -> String {
        guard let url = URL(string: address) else { return "no URL" }
        let request = TransportRequest(url: url, connection: Connection(change))
        let last = await CurlTransport().events(of: request).last
        let body = last?.response?.body.map { String(decoding: $0, as: UTF8.self) }
        return body ?? last?.error.map { "\($0.code)" } ?? "nothing"
    }

    static func proxy(_ name: String) throws -> String {
        try LoopbackServer { .status($0.method == "CONNECT" ? 407 : 200, name) }.host
    }

    static func clear() {
        for name in [
            "http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy",
            "NO_PROXY", "CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR",
        ] {
            unsetenv(name)
        }
    }

    @Test func `proxies are those of the environment`() async {
        await #expect(processExitsWith: .success) {
            Self.clear()
            let server = try LoopbackServer { _ in .ok("server") }
            #expect(await Self.answer(server.host) == "server")
            setenv("HTTP_PROXY", try Self.proxy("HTTP_PROXY"), 1)
            #expect(await Self.answer(server.host) == "server", "in a CGI it is what a client says")
            setenv("all_proxy", try Self.proxy("all_proxy"), 1)
            #expect(await Self.answer(server.host) == "all_proxy")
            setenv("http_proxy", try Self.proxy("http_proxy"), 1)
            #expect(await Self.answer(server.host) == "http_proxy")
            #expect(await Self.answer(server.host) { $0.proxy = .none } == "server")
            let own = try LoopbackServer { _ in .ok("own") }
            #expect(
                await Self.answer(server.host) { $0.proxy = .server(.init(host: "127.0.0.1", port: own.port)) }
                    == "own")
            setenv("no_proxy", "other.test,127.0.0.1", 1)
            #expect(await Self.answer(server.host) == "server")
            #expect(await Self.answer("http://api.test/") == "http_proxy")
            #expect(
                await Self.answer(server.host) { $0.proxy = .server(.init(host: "127.0.0.1", port: own.port)) }
                    == "own", "a proxy of a manager's own has bypasses of its own")
            unsetenv("no_proxy")
            setenv("NO_PROXY", "*", 1)
            #expect(await Self.answer(server.host) == "server")
        }
    }

    @Test func `a tunnel goes through the proxy for HTTPS`() async {
        await #expect(processExitsWith: .success) {
            Self.clear()
            setenv("http_proxy", "http://127.0.0.1:1", 1)
            let proxy = try LoopbackServer { _ in .status(407) }
            setenv("HTTPS_PROXY", proxy.host, 1)
            #expect(await Self.answer("https://api.test/") == "cannotConnectToHost")
            #expect(proxy.requests.map { "\($0.method) \($0.target)" } == ["CONNECT api.test:443"])
        }
    }

    @Test func `a proxy that is not there is named`() async {
        await #expect(processExitsWith: .success) {
            Self.clear()
            setenv("http_proxy", "http://me:secret@127.0.0.1:1", 1)
            let url = try #require(URL(string: "http://api.test/"))
            let error = await CurlTransport().events(of: TransportRequest(url: url)).last?.error
            #expect(
                error?.message == "could not connect to api.test through the proxy 127.0.0.1:1 (connection refused)")
            setenv("no_proxy", "127.0.0.1", 1)
            let direct = try #require(URL(string: "http://127.0.0.1:2/"))
            let other = await CurlTransport().events(of: TransportRequest(url: direct)).last?.error
            #expect(other?.message == "could not connect to 127.0.0.1:2 (connection refused)")
        }
    }

    @Test func `a unix socket leads past the proxy`() async {
        await #expect(processExitsWith: .success) {
            Self.clear()
            setenv("http_proxy", "http://127.0.0.1:1", 1)
            let path = FileManager.default.temporaryDirectory.appending(path: "o-\(getpid())").path
            let server = try LoopbackServer(unixSocket: path) { _ in .ok("socket") }
            #expect(await Self.answer("http://api.test/") { $0.unixSocket = path } == "socket")
            server.stop()
            unlink(path)
        }
    }

    @Test(arguments: ["CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR"])
    func `authorities are those of the environment`(name: String) async {
        guard NginxServer.isInstalled else { return print("nginx is not installed: apt-get install nginx-light") }
        // What a process of its own does cannot depend on arguments before Swift 6.3.
        switch name {
        case "CURL_CA_BUNDLE": await #expect(processExitsWith: .success) { try await Self.trusts("CURL_CA_BUNDLE") }
        case "SSL_CERT_FILE": await #expect(processExitsWith: .success) { try await Self.trusts("SSL_CERT_FILE") }
        default: await #expect(processExitsWith: .success) { try await Self.trusts("SSL_CERT_DIR") }
        }
    }

    private static func trusts(_ name: String) async throws {
        clear()
        let nginx = try NginxServer()
        defer { nginx.stop() }
        // By this name OpenSSL finds the authority in a folder: a hash of its subject.
        try FileManager.default.copyItem(atPath: nginx.authorityFile, toPath: nginx.file("d2b38caf.0"))
        let folder = URL(fileURLWithPath: nginx.authorityFile).deletingLastPathComponent().path
        setenv(name, name == "SSL_CERT_DIR" ? folder : nginx.authorityFile, 1)
        let answer = await answer(nginx.host)
        #expect(answer.hasSuffix(" HTTP/2.0"), "\(answer)")
        #expect(await Self.answer(nginx.host) { $0.tls.caFile = nginx.file("root.pem") } == "certificateNotTrusted")
    }

    @Test func `a missing file of the environment is named`() async {
        guard NginxServer.isInstalled else { return print("nginx is not installed: apt-get install nginx-light") }
        await #expect(processExitsWith: .success) {
            Self.clear()
            setenv("SSL_CERT_FILE", "/nowhere/ca.pem", 1)
            let nginx = try NginxServer()
            defer { nginx.stop() }
            let url = try #require(URL(string: nginx.host))
            let error = await CurlTransport().events(of: TransportRequest(url: url)).last?.error
            #expect(error?.code == .certificateNotTrusted)
            #expect(error?.advice == "check CURL_CA_BUNDLE and SSL_CERT_FILE in the environment")
        }
    }
}
#endif
