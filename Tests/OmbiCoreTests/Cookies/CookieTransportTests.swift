import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// Cookies on the way: through the manager, on the stub and on libcurl.
@Suite struct CookieTransportTests {
    private func manager(_ host: String, _ jar: CookieJar?, transport: any Transport = CurlTransport())
        -> RequestManager
    {
        let manager = RequestManager(host: host, transport: transport)
        manager.cookieJar = jar
        return manager
    }

    @Test(arguments: BothTransportsTests.Kind.allCases)
    func `what a response sets goes with the next request`(kind: BothTransportsTests.Kind) async throws {
        let jar = CookieJar()
        let seen = Lock<[String?]>([])
        func use(_ manager: RequestManager) async throws {
            for path in ["/a/", "/a/b", "/c"] { _ = try await manager.response(for: PlainRequest(path: path)) }
        }
        switch kind {
        case .stub:
            let stub = StubTransport { request in
                seen.withLock { $0.append(request.headers[.cookie]?.text) }
                let headers = RequestHeaders([.init(.setCookie, "n=1"), .init(.setCookie, "m=2; Path=/")])
                return .success(TransportResponse(url: request.url, headers: headers, statusCode: 401, body: Data()))
            }
            try await use(manager("http://stub.test", jar, transport: stub))
        case .curl:
            let server = try LoopbackServer { request in
                seen.withLock { $0.append(request.headers["cookie"]) }
                return .status(401, headers: [("Set-Cookie", "n=1"), ("set-cookie", "m=2; Path=/")])
            }
            defer { server.stop() }
            try await use(manager(server.host, jar))
        }
        #expect(seen.withLock { $0 } == [nil, "n=1; m=2", "m=2"])
        #expect(jar.cookies.map(\.name) == ["n", "m", "n"])
    }

    @Test func `each step of a redirect stores and sends`() async throws {
        let server = try LoopbackServer { request in
            switch request.target {
            case "/start":
                .response(status: 302, headers: [("Location", "/login/next"), ("Set-Cookie", "a=1")], body: Data())
            case "/login/next":
                .response(
                    status: 302, headers: [("Location", "/end"), ("Set-Cookie", "a=2"), ("Set-Cookie", "b=1; Path=/")],
                    body: Data())
            default: .ok("", headers: [("Set-Cookie", "c=1")])
            }
        }
        defer { server.stop() }
        let jar = CookieJar()
        _ = try await manager(server.host, jar).response(for: PlainRequest(path: "/start"))
        #expect(server.requests.map { $0.headers["cookie"] } == [nil, "a=1", "a=1; b=1"])
        #expect(jar.header(for: URL(string: server.host + "/login/x")!) == "a=2; a=1; b=1; c=1")
    }

    @Test func `a redirect to another host sends the cookies of that host alone`() async throws {
        let other = try LoopbackServer { _ in .ok("") }
        defer { other.stop() }
        let target = "http://localhost:\(other.port)/there"
        let server = try LoopbackServer { _ in .redirect(307, to: target) }
        defer { server.stop() }
        let jar = CookieJar([
            Cookie(name: "here", value: "1", domain: "127.0.0.1"),
            Cookie(name: "there", value: "2", domain: "localhost"),
        ])
        let request = PlainRequest(path: "/", headers: ["Cookie": "own=3"])
        _ = try await manager(server.host, jar).response(for: request)
        #expect(server.requests.map { $0.headers["cookie"] } == ["own=3; here=1"])
        #expect(other.requests.map { $0.headers["cookie"] } == ["there=2"])
    }

    @Test func `a Cookie field of the request comes first, and its names win`() {
        let jar = CookieJar([
            Cookie(name: "a", value: "jar", domain: "h.test"), Cookie(name: "b", value: "jar", domain: "h.test"),
        ])
        let url = URL(string: "http://h.test/")!
        let headers = jar.adding(to: ["Cookie": "a=own; x = y", "X-Other": "1"], for: url)
        #expect(headers.fields.map(\.value.text) == ["a=own; x = y; b=jar", "1"])
        let two = RequestHeaders([.init(.cookie, "a=1"), .init(.cookie, "b=2")])
        #expect(jar.adding(to: two, for: url).values(for: .cookie) == ["a=1; b=2"])
        #expect(jar.adding(to: [:], for: URL(string: "http://other.test/")!).isEmpty)
    }

    @Test func `a handle that carried cookies carries none for the next request`() async throws {
        let server = try LoopbackServer { _ in .ok("", headers: [("Set-Cookie", "n=1")]) }
        defer { server.stop() }
        let transport = CurlTransport()
        let jar = CookieJar()
        for manager in [
            manager(server.host, jar, transport: transport), manager(server.host, jar, transport: transport),
            manager(server.host, nil, transport: transport), manager(server.host, CookieJar(), transport: transport),
        ] {
            _ = try await manager.response(for: PlainRequest())
        }
        #expect(server.requests.map { $0.headers["cookie"] } == [nil, "n=1", nil, nil])
        #expect(server.connectionCount == 1)
    }

    @Test func `an attempt that is repeated carries what the one before it has set`() async throws {
        let server = try LoopbackServer { request in
            request.number == 1 ? .status(503, headers: [("Set-Cookie", "route=7")]) : .ok("")
        }
        defer { server.stop() }
        let retry = RetryPolicy(retries: 1, backoff: .none)
        _ = try await manager(server.host, CookieJar()).response(for: PlainRequest(), retry: retry)
        #expect(server.requests.map { $0.headers["cookie"] } == [nil, "route=7"])
    }

    @Test func `interim responses and trailers set nothing`() async throws {
        let raw = [
            "HTTP/1.1 103 Early Hints", "Set-Cookie: early=1", "", "HTTP/1.1 200 OK", "Set-Cookie: n=1",
            "Transfer-Encoding: chunked", "", "0", "Set-Cookie: late=1", "", "",
        ].joined(separator: "\r\n")
        let server = try LoopbackServer { _ in .raw(Data(raw.utf8)) }
        defer { server.stop() }
        let jar = CookieJar()
        _ = try await manager(server.host, jar).response(for: PlainRequest())
        #expect(jar.cookies.map(\.name) == ["n"])
    }

    @Test func `a manager lets go of its jar outside its lock`() {
        let manager = RequestManager(host: "http://h.test", transport: StubTransport.stub(with: .empty))
        weak var weakly: CookieJar?
        do {
            let jar = CookieJar(now: { [holder = Releaser { _ = manager.cookieJar }] in holder.now })
            weakly = jar
            manager.cookieJar = jar
        }
        manager.cookieJar = nil
        #expect(weakly == nil)
    }

    /// Looks at the manager while it goes, which hangs if that happens under the manager's lock.
    private final class Releaser: Sendable {
        let end: @Sendable () -> Void
        var now: Date { Date() }
        init(_ end: @escaping @Sendable () -> Void) { self.end = end }
        deinit { end() }
    }
}
