import Foundation
import OmbiCore
import TestSupport
import Testing

@testable import OmbiWorkspace

/// The connection of a request, from its levels to the transport.
@Suite struct ConnectionTests {
    private static func order(_ request: SavedRequest, in collection: Collection) -> RunOrder {
        RunOrder(
            id: 1, request: request, collection: collection, environment: collection.environments.first?.name,
            file: "/shop/c.json")
    }

    private static func collection(_ request: SavedRequest) -> Collection {
        var environment = Environment(
            name: "local", host: "https://api.test", secrets: [Secret("p", .environment("P"))])
        environment.connection = SavedConnection {
            ($0.caFile, $0.proxy) = ("ca.pem", "http://ada:{{p}}@proxy.test:3128")
            $0.clientCertificate = SavedCertificate(file: "me.p12", password: "{{p}}")
        }
        let settings = SharedSettings(
            connection: SavedConnection { ($0.connectTimeout, $0.maximumRedirects) = (.seconds(9), 3) })
        var collection = Collection(
            name: "c", environments: [environment],
            items: [.folder(Folder(name: "users", settings: settings, items: [.request(request)]))])
        collection.connection = SavedConnection { ($0.connectTimeout, $0.httpVersion) = (.seconds(1), .http1) }
        return collection
    }

    private static func session(_ transport: StubTransport) -> Session {
        Session(
            transport: transport,
            secrets: { _ in SecretReader(environment: { _ in "hunter2" }, file: { _ in [] }) })
    }

    private static func sent(_ request: SavedRequest) async throws -> (
        connection: Connection, prepared: PreparedRequest
    ) {
        let sent = StubTransport.Record()
        let session = session(StubTransport { _ in .response() }.recording(in: sent))
        let events = await session.events(of: order(request, in: collection(request)))
        guard case .ended(let result)? = events.last, let prepared = result.prepared else { throw CancellationError() }
        return (try #require(sent.requests.first).connection, prepared)
    }

    @Test func `each setting comes from the nearest level that has it`() async throws {
        let request = SavedRequest(
            name: "list", path: "/users", connection: SavedConnection { $0.maximumRedirects = 0 })
        let (connection, prepared) = try await Self.sent(request)
        #expect(connection.redirects.maximum == 0 && connection.connectTimeout == .seconds(9))
        #expect(connection.httpVersion == .http1 && connection.tls.caFile == "/shop/ca.pem")
        #expect(connection.tls.clientCertificate == .pkcs12(file: "/shop/me.p12", password: "hunter2"))
        let lines = prepared.connection.map { "\($0.name): \($0.value) \($0.source)" }
        #expect(
            lines == [
                "connect within: 9s from folder users",
                "proxy: http://ada:••••••@proxy.test:3128 from environment local",
                "CA file: ca.pem from environment local", "client cert: me.p12 from environment local",
                "HTTP version: 1.1 from the collection", "redirects: 0 from the request",
            ])
    }

    @Test func `another host gets nothing that belongs to the host of the environment`() async throws {
        let (connection, prepared) = try await Self.sent(SavedRequest(name: "far", path: "https://other.test/"))
        #expect(connection.tls == Connection.TLS() && connection.redirects.maximum == 3)
        #expect(connection.proxy != .environment)
        #expect(!prepared.connection.contains { ["CA file", "client cert"].contains($0.name) })
    }

    @Test func `a request without settings is sent as ever`() async throws {
        let sent = StubTransport.Record()
        let session = Self.session(StubTransport { _ in .response() }.recording(in: sent))
        let request = SavedRequest(name: "r", path: "http://a.test/")
        _ = await session.events(of: Self.order(request, in: Collection(name: "c", items: [.request(request)])))
        #expect(sent.requests.map(\.connection) == [Connection()] && sent.requests.first?.cookieJar == nil)
    }

    @Test func `a certificate of a request takes no key from a farther one`() async throws {
        let own = SavedConnection { $0.clientCertificate = SavedCertificate(file: "own.pem") }
        let (connection, prepared) = try await Self.sent(SavedRequest(name: "r", path: "/", connection: own))
        #expect(connection.tls.clientCertificate == .pem(certificate: "/shop/own.pem"))
        #expect(prepared.connection.first { $0.name == "client cert" }?.source == .request)
        #expect(!prepared.connection.contains { $0.name == "client key" })
    }

    @Test func `a template that makes no proxy is an error that names it and no secret`() async {
        let request = SavedRequest(name: "r", path: "/", connection: SavedConnection { $0.proxy = "{{p}}" })
        let events = await Self.session(StubTransport { _ in .response() })
            .events(of: Self.order(request, in: Self.collection(request)))
        let reason = "a proxy needs a scheme; write http://proxy.example:3128, or none for no proxy"
        #expect(events == [.ended(SessionResult(.failure("r: connection proxy: " + reason)))])
    }

    @Test func `no host of ssh is reached without trust, or with a secret, or together with a proxy`() async {
        func failure(_ via: String, isTrusted: Bool = true, proxy: String? = "none") async -> String {
            let request = SavedRequest(
                name: "r", path: "/",
                connection: SavedConnection { ($0.via, $0.proxy) = (via, proxy) })
            var session = Self.session(StubTransport { _ in .response() })
            if !isTrusted {
                var steps = SessionSteps()
                steps.gate = OmbiWorkspace.Gate(store: nil)
                session = Session(transport: StubTransport { _ in .response() }, steps: steps)
            }
            var collection = Self.collection(request)
            if !isTrusted { collection.environments[0].connection = nil }
            guard case .ended(let result)? = await session.events(of: Self.order(request, in: collection)).last
            else { return "" }
            return result.failures.joined()
        }
        #expect(
            await failure("ssh://bastion", isTrusted: false).contains("may not send ssh to ssh://bastion to "))
        #expect(
            await failure("ssh://{{p}}@h")
                == "r: connection via: a secret in it would show in the list of processes; use a variable")
        #expect(
            await failure("ssh://h", proxy: nil)
                == "r: connection via: and proxy exclude each other; \"none\" switches an inherited one off")
        #expect(await failure("ssh://-x{{nope}}").contains("nope"))
    }

    @Test(arguments: [
        ("via", "ssh://{{other}}.evil.test", "a secret in it would show in the list of processes; use a variable"),
        (
            "interface", "host!{{$base64(other)}}.evil.test",
            "a secret in it would be looked up as a host; use a variable"
        ),
    ]) func `a secret that nothing else has is looked up under no name`(
        _ member: String, _ text: String, _ reason: String
    ) async {
        let connection = SavedConnection {
            $0.proxy = "none"
            if member == "via" { $0.via = text } else { $0.interface = text }
        }
        let request = SavedRequest(name: "r", path: "/", connection: connection)
        var collection = Self.collection(request)
        collection.environments[0].secrets = [Secret("other", .environment("P"))]
        collection.environments[0].connection = nil
        let sent = StubTransport.Record()
        let session = Self.session(StubTransport { _ in .response() }.recording(in: sent))
        let events = await session.events(of: Self.order(request, in: collection))
        #expect(events == [.ended(SessionResult(.failure("r: connection \(member): " + reason)))])
        #expect(sent.requests.isEmpty)
    }

    @Test(arguments: [("https://api.test/token", true), ("https://login.test/token", false)])
    func `the server of tokens is reached like the request, and is trusted as any other origin`(
        tokenURL: String, isOwn: Bool
    ) async throws {
        let sent = StubTransport.Record()
        let token = Data(#"{"access_token": "t", "token_type": "Bearer"}"#.utf8)
        let session = Self.session(StubTransport { _ in .response(statusCode: 200, data: token) }.recording(in: sent))
        let authentication = SavedAuthentication.oauth2(OAuth2Authentication(tokenURL: tokenURL, clientID: "ombi"))
        let request = SavedRequest(name: "r", path: "/", authentication: authentication)
        _ = await session.events(of: Self.order(request, in: Self.collection(request)))
        let connections = sent.requests.map(\.connection)
        #expect(sent.requests.map { $0.url.path() } == ["/token", "/"])
        let tokens = try #require(connections.first)
        #expect(tokens.proxy == connections.last?.proxy && tokens.proxy != .environment)
        #expect((tokens.tls.caFile != nil) == isOwn && (tokens.tls.clientCertificate != nil) == isOwn)
    }

    // MARK: Cookies

    @Test func `cookies are kept for the requests that take part, and for no others`() async throws {
        let server = try LoopbackServer {
            .ok($0.headers["cookie"] ?? "none", headers: [("Set-Cookie", "session=abc; Path=/")])
        }
        defer { server.stop() }
        var environments = ["one", "two"].map { Environment(name: $0, host: server.host) }
        environments[0].connection = SavedConnection { $0.cookies = true }
        let session = Session()
        func body(_ environment: String, _ cookies: Bool?) async -> String? {
            let request = SavedRequest(
                name: "r", path: "/", connection: cookies.map { cookies in SavedConnection { $0.cookies = cookies } })
            let order = RunOrder(
                id: 1, request: request, collection: Collection(name: "c", environments: environments),
                environment: environment, file: "/c.json")
            guard case .ended(let result)? = await session.events(of: order).last else { return nil }
            return result.response?.body.map { String(decoding: Array($0), as: UTF8.self) }
        }
        #expect(await body("one", nil) == "none")
        #expect(await body("one", nil) == "session=abc")
        #expect(await body("one", false) == "none")
        #expect(await body("two", nil) == "none")
        #expect(await body("two", nil) == "none")
        #expect(await body("two", true) == "none")
        #expect(await body("two", true) == "session=abc")
    }
}

/// The same against servers and proxies that are not Ombi's.
@Suite(.enabled(if: NginxServer.isInstalled, "nginx is not installed: apt-get install nginx-light"))
struct ConnectionPeerTests {
    private static func result(
        _ path: String, _ connection: SavedConnection, file: String = "/c.json"
    ) async throws -> SessionResult {
        let request = SavedRequest(name: "r", path: path, connection: connection)
        let order = RunOrder(
            id: 1, request: request, collection: Collection(name: "c", items: [.request(request)]), environment: nil,
            file: file)
        let session = Session(secrets: { _ in SecretReader(environment: { _ in nil }, file: { _ in [] }) })
        guard case .ended(let result)? = await session.events(of: order).last else { throw CancellationError() }
        return result
    }

    private static func text(_ result: SessionResult) -> String {
        result.response?.body.map { String(decoding: Array($0), as: UTF8.self) } ?? result.failures.joined()
    }

    @Test func `trust, versions and a client certificate reach nginx`() async throws {
        let nginx = try NginxServer([.newTLS, .clientCertificate])
        defer { nginx.stop() }
        let folder = nginx.file("c.json")
        let untrusted = try await Self.result(nginx.host + "/", SavedConnection())
        #expect(!untrusted.passed && untrusted.response == nil)
        let trusted = try await Self.result(
            nginx.host + "/",
            SavedConnection { ($0.caFile, $0.httpVersion, $0.minimumTLS) = ("authority.pem", .http1, .v1_3) },
            file: folder)
        #expect(Self.text(trusted).hasSuffix("HTTP/1.1"), "\(Self.text(trusted))")
        #expect(trusted.report?.attempts.last?.metrics.tls?.version == "TLSv1.3")
        for certificate in [
            SavedCertificate(file: "client.pem", key: "client.key"),
            SavedCertificate(file: "client.p12", password: "secret"),
        ] {
            let known = try await Self.result(
                nginx.host(.clientCertificate) + "/",
                SavedConnection { ($0.caFile, $0.clientCertificate) = ("authority.pem", certificate) }, file: folder)
            #expect(Self.text(known).contains("Ombi test client"), "\(Self.text(known))")
        }
        let unknown = try await Self.result(
            nginx.host(.clientCertificate) + "/", SavedConnection { $0.caFile = "authority.pem" }, file: folder)
        #expect(unknown.response?.statusCode == 400)
        let pin = "sha256//" + String(repeating: "A", count: 43) + "="
        let pinned = try await Self.result(
            nginx.host + "/", SavedConnection { ($0.caFile, $0.pins) = ("authority.pem", [pin]) }, file: folder)
        #expect(pinned.response == nil && !pinned.passed)
    }

    @Test(.enabled(if: ProxyProgram.Kind.tinyproxy.isInstalled, "tinyproxy is not installed"))
    func `a proxy with a password is gone through, and the password shows nowhere`() async throws {
        let server = try LoopbackServer { .ok($0.headers["via"] ?? "straight") }
        defer { server.stop() }
        let proxy = try ProxyProgram(.tinyproxy, user: ("ada", "pass-word"))
        defer { proxy.stop() }
        let result = try await Self.result(
            server.host + "/", SavedConnection { $0.proxy = "http://ada:pass-word@127.0.0.1:\(proxy.port)" })
        #expect(Self.text(result).contains("tinyproxy"))
        #expect(!"\(result)".contains("pass-word"))
        let straight = try await Self.result(server.host + "/", SavedConnection { $0.proxy = "none" })
        #expect(Self.text(straight) == "straight")
    }
}

/// The jars of a session, and the redirects of its runs.
@Suite struct SessionCookiesTests {
    @Test func `a jar is listed without values, edited and cleared`() async throws {
        let server = try LoopbackServer {
            .ok($0.headers["cookie"] ?? "none", headers: [("Set-Cookie", "session=abc; Path=/; HttpOnly; Max-Age=60")])
        }
        defer { server.stop() }
        let request = SavedRequest(
            name: "r", path: server.host + "/", connection: SavedConnection { $0.cookies = true })
        let order = RunOrder(
            id: 1, request: request, collection: Collection(name: "c"), environment: nil, file: "/c.json")
        let (session, home) = (Session(), CookieHome(order))
        #expect(session.cookies.cookies(of: home) == nil)
        func body() async -> String? {
            guard case .ended(let result)? = await session.events(of: order).last else { return nil }
            return result.response?.body.map { String(decoding: Array($0), as: UTF8.self) }
        }
        #expect(await body() == "none")
        let kept = try #require(session.cookies.cookies(of: home))
        #expect(kept.map(\.name) == ["session"] && kept[0].isHTTPOnly && kept[0].expiresAt != nil)
        #expect(!session.cookies.perform(.set(kept[0], value: "a;b"), in: home))
        #expect(session.cookies.perform(.set(kept[0], value: "mine"), in: home))
        #expect(await body() == "session=mine")
        session.cookies.perform(.remove(kept[0]), in: home)
        #expect(await body() == "none")
        session.cookies.perform(.removeAll, in: home)
        #expect(session.cookies.cookies(of: home) == [])
    }

    @Test func `the redirects of a run are told, with their secrets masked`() async throws {
        let target = try LoopbackServer { _ in .ok("there") }
        defer { target.stop() }
        let server = try LoopbackServer { request in
            .status(302, headers: [("Location", target.host + "/next?token=hunter2"), ("X-Echo", "hunter2")])
        }
        defer { server.stop() }
        let environment = Environment(name: "e", host: server.host, secrets: [Secret("t", .environment("T"))])
        let request = SavedRequest(
            name: "r", path: "/", authentication: .bearer(BearerAuthentication(token: "{{t}}")))
        let order = RunOrder(
            id: 1, request: request, collection: Collection(name: "c", environments: [environment]),
            environment: "e", file: "/c.json")
        let session = Session(secrets: { _ in SecretReader(environment: { _ in "hunter2" }, file: { _ in [] }) })
        let events = await session.events(of: order)
        guard case .ended(let result)? = events.last else { return }
        let hop = try #require(result.prepared?.redirects.first)
        // It is told when it happens, too.
        #expect(events.contains(.redirected(hop)) && !"\(events)".contains("hunter2"))
        #expect(hop.statusCode == 302 && hop.target == target.host + "/next?token=••••••" && hop.method == .get)
        #expect(hop.withheld == ["Authorization"] && hop.headers["X-Echo"]?.text == "••••••")
        #expect(!"\(result)".contains("hunter2"))
        // None of these has TLS.
        #expect(result.prepared?.endedAt == nil)
    }

    @Test func `a redirect that is not followed is the response`() async throws {
        let server = try LoopbackServer { _ in .status(302, headers: [("Location", "/next")]) }
        defer { server.stop() }
        let request = SavedRequest(
            name: "r", path: server.host + "/", connection: SavedConnection { $0.maximumRedirects = 0 })
        let order = RunOrder(
            id: 1, request: request, collection: Collection(name: "c"), environment: nil, file: "/c.json")
        guard case .ended(let result)? = await Session().events(of: order).last else { return }
        #expect(result.response?.statusCode == 302 && server.requests.count == 1)
        #expect(result.prepared?.redirects == [])
    }
}
