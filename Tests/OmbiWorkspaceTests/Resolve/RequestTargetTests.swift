import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// The meaning of the URL of a request, which checks, runs and the request pane share.
@Suite struct RequestTargetTests {
    private static let environment = Environment(name: "e", host: "http://own.test/v1")

    static let urls: [(written: String, sent: String)] = [
        ("http://a.test/x", "http://a.test/x"), ("HTTPS://a.test/x", "HTTPS://a.test/x"),
        (" http://a.test/x", "http://a.test/x"), ("http://a.test/x \n", "http://a.test/x"),
        ("\thttp://a.test/x?a=1 ", "http://a.test/x?a=1"), ("\u{A0}https://a.test\u{A0}", "https://a.test"),
        ("localhost:3000", "http://localhost:3000"), ("localhost:3000/x?a=1", "http://localhost:3000/x?a=1"),
        (":3000", "http://localhost:3000"), (":3000/x?a=1", "http://localhost:3000/x?a=1"),
        ("localhost", "http://localhost"), ("LOCALHOST/x", "http://LOCALHOST/x"),
        ("api.localhost/x", "http://api.localhost/x"), ("127.0.0.1/x", "http://127.0.0.1/x"),
        ("127.0.0.1:9922/x", "http://127.0.0.1:9922/x"), ("[::1]:80", "http://[::1]:80"),
        ("[::1]/x", "http://[::1]/x"), ("shop:8080/items", "http://shop:8080/items"),
        ("api.example.com", "http://api.example.com"), ("api.example.com/v1/x", "http://api.example.com/v1/x"),
        ("example.com?a=1", "http://example.com?a=1"), ("me:pw@a.test/x", "http://me:pw@a.test/x"),
        ("bücher.example/x", "http://xn--bcher-kva.example/x"),
        ("http://bücher.example", "http://xn--bcher-kva.example"),
        ("http://a.test//bucket/key", "http://a.test//bucket/key"),
        ("http://a.test/a/../b", "http://a.test/b"), ("http://a.test/a/./b", "http://a.test/a/b"),
        ("a.test/../x?y=../z", "http://a.test/x?y=../z"), ("http://a.test/a/..", "http://a.test/"),
        ("http://a.test/a//../b", "http://a.test/a/b"), ("http://a.test/.x/...", "http://a.test/.x/..."),
        ("ｓｈｏｐ.example/x", "http://shop.example/x"), ("http://ＡＰＩ．example:80/x", "http://api.example:80/x"),
        ("\u{FEFF}http://a.test/x", "http://a.test/x"), ("\u{200B}a.test/x \u{2060}", "http://a.test/x"),
        ("\u{202A}http://a.test/x\u{202C}", "http://a.test/x"), ("http://❤\u{FE0F}.test/x", "http://xn--qei.test/x"),
        ("http://bü\u{AD}cher.test/x", "http://xn--bcher-kva.test/x"),
        (long("localhost:3000/"), "http://" + long("localhost:3000/")),
        (long("http://a.test/?q="), long("http://a.test/?q=")),
    ]

    private static func long(_ start: String) -> String {
        start + String(repeating: "x", count: 300 - start.count)
    }

    static let paths: [(written: String, sent: String)] = [
        ("/x", "http://own.test/v1/x"), ("x", "http://own.test/v1/x"), ("login ", "http://own.test/v1/login"),
        (" /x", "http://own.test/v1/x"), ("", "http://own.test/v1"), ("?a=1", "http://own.test/v1?a=1"),
        ("//bucket/key", "http://own.test/v1//bucket/key"),
        ("/localhost:3000/x", "http://own.test/v1/localhost:3000/x"),
        ("users.json", "http://own.test/v1/users.json"), ("v1.2/users", "http://own.test/v1/v1.2/users"),
        ("users:search", "http://own.test/v1/users:search"), ("@scope/a.b", "http://own.test/v1/@scope/a.b"),
        ("/proxy/http://a.test", "http://own.test/v1/proxy/http://a.test"),
        ("http2//x", "http://own.test/v1/http2//x"), ("https-only/x", "http://own.test/v1/https-only/x"),
        ("search?u=http://a.test", "http://own.test/v1/search?u=http://a.test"),
        ("/a/../b", "http://own.test/v1/b"), ("a/./b", "http://own.test/v1/a/b"), ("a/.", "http://own.test/v1/a/"),
        ("..", "http://own.test/"), ("../v2/x", "http://own.test/v2/x"), ("/../../x", "http://own.test/x"),
        ("///a.test/x", "http://own.test/v1///a.test/x"), ("//users:search", "http://own.test/v1//users:search"),
        ("//a.json", "http://own.test/v1//a.json"), ("GET/x", "http://own.test/v1/GET/x"),
        ("../v1", "http://own.test/v1"), ("../v10/x", "http://own.test/v10/x"),
    ]

    static let mistakes = [
        "htp://127.0.0.1/x", "http:/127.0.0.1/x", "http:127.0.0.1", "https//a.test", "ftp://a.test/x", "://a.test",
        "\"http://a.test\"", "'https://a.test/x'", "h ttp://a.test", "http://", "http:///x", "localhost:99999/x",
        "http://a.test:x/", ":99999/x", "wss:/a.test", " htp://a.test", "http;//a.test/x", "https.//a.test",
        "ws-//a.test",
        "{http://a.test/x}", "(http://a.test/x)", "http://ﬁsch.test/x", "http://a℀b.test/x",
        "//a.test/x", "//127.0.0.1:80/x", "//localhost?a=1", "//shop:80", "GET /x", "GET http://a.test/x",
        "http://a.test/x HTTP/1.1", "/x HTTP/2", "mailto:me@a.test", "JavaScript:alert(1)",
        "file:/etc/hosts", "http://[127.0.0.1]/x", "http://[::1]x/", "http://a[b]/", "http://[]/x", "[::x]:80/",
    ]

    private static func request(_ path: String) -> SavedRequest { SavedRequest(name: "r", path: path) }

    private static func resolved(_ request: SavedRequest, _ variables: [Variable] = []) throws -> ResolvedRequest {
        let collection = Collection(name: "c", variables: variables, items: [.request(request)])
        return try Resolver.preview(collection, environment, Overrides()).resolve(request)
    }

    private static func problems(_ path: String) -> [String] {
        let text = Collection(name: "c", items: [.request(request(path))]).text
        return CollectionCheck.problems(in: Array(text.utf8), file: "f").map(\.description)
    }

    @Test(arguments: urls + paths)
    func `what the check accepts is sent, and shown before`(written: String, sent: String) throws {
        #expect(Self.problems(written) == [])
        let resolved = try Self.resolved(Self.request(written))
        let query = resolved.query.encoded.map { "?" + $0 } ?? ""
        #expect(resolved.host + resolved.path + query == sent)
        #expect(resolved.isForeign == !sent.hasPrefix("http://own.test"))
        let shown = Resolver.address(
            of: Self.request(written), in: Collection(name: "c"), environment: Self.environment)
        #expect(shown == SecretDetector.masked(sent, named: "path"))
    }

    @Test(arguments: mistakes) func `a misspelled URL is marked, and not sent`(written: String) {
        #expect(Self.problems(written).count == 1)
        #expect(throws: ResolveError.self) { try Self.resolved(Self.request(written)) }
        let collection = Collection(name: "c")
        #expect(
            Resolver.address(of: Self.request(written), in: collection, environment: Self.environment) == nil)
    }

    @Test(arguments: urls.map(\.written)) func `the host of an environment needs a scheme where a URL does`(
        written: String
    ) throws {
        let host = Environment.host(from: written)
        #expect(host == RequestTarget(written).text && Environment.host(from: host) == host)
    }

    @Test(arguments: [
        ("shop", "http://shop"), ("shop/v1 ", "http://shop/v1"), ("{{host}}/v1", "{{host}}/v1"),
        ("api.{{domain}}", "http://api.{{domain}}"), (" ", ""), ("/v1", "/v1"), ("htp://a.test", "htp://a.test"),
        ("http:/a.test", "http:/a.test"), ("https://http://a.test", "http://a.test"),
        ("https://HTTPS://a.test", "HTTPS://a.test"), ("http://a.test/http://b.test", "http://a.test/http://b.test"),
    ])
    func `what is no URL of a request is the name of a server as a host`(written: String, host: String) {
        #expect(Environment.host(from: written) == host)
    }

    @Test(arguments: [
        ("http://127.0.0.1:9911", "http://127.0.0.1:9911/graphql"), ("localhost:9911", "http://localhost:9911/graphql"),
        (" http://a.test", "http://a.test/graphql"), ("..", "http://own.test/graphql"),
        ("a/..", "http://own.test/v1/graphql"), ("v1", "http://own.test/v1/v1/graphql"),
    ])
    func `the value of a variable is read as what is written`(value: String, sent: String) throws {
        let resolved = try Self.resolved(Self.request("{{demo}}/graphql"), [Variable("demo", value)])
        #expect(resolved.host + resolved.path == sent)
    }

    @Test(arguments: [".", ".."]) func `a path parameter is one segment, and leads to no other path`(value: String) {
        let request = SavedRequest(name: "r", path: "/users/:id", pathParameters: [Field("id", value)])
        let error = #expect(throws: ResolveError.self) { try Self.resolved(request) }
        #expect(error?.field == "path parameter \"id\"")
        let text = Collection(name: "c", items: [.request(request)]).text
        #expect(CollectionCheck.problems(in: Array(text.utf8), file: "f").count == 1)
    }

    @Test(arguments: [
        (" http://own.test ", "http://own.test/x"), ("localhost:3000", "http://localhost:3000/x"),
        ("shop:8080/v1/ ", "http://shop:8080/v1/x"), ("127.0.0.1:80", "http://127.0.0.1:80/x"),
        ("{{h}}", "http://localhost:9312/x"), ("{{h}}/v1", "http://localhost:9312/v1/x"),
    ])
    func `the host of an environment needs neither a scheme before its port nor care about white space`(
        host: String, sent: String
    ) throws {
        let environment = Environment(name: "e", host: host, variables: [Variable("h", " localhost:9312")])
        let collection = Collection(name: "c", environments: [environment], items: [.request(Self.request("/x"))])
        let request = try #require(collection.requests.first)
        let resolved = try Resolver.preview(collection, environment, Overrides()).resolve(request)
        #expect(resolved.host + resolved.path == sent)
        #expect(Resolver.address(of: request, in: collection, environment: environment) == sent)
        #expect(CollectionCheck.problems(in: Array(collection.text.utf8), file: "f") == [])
    }

    @Test(arguments: ["own", "own.test", "localhost", "not a host", "h:99999", "htp://own.test"])
    func `a host that may have meant https is not sent to`(host: String) {
        let environment = Environment(name: "e", host: host)
        let collection = Collection(name: "c", items: [.request(Self.request("/x"))])
        #expect(throws: ResolveError.self) {
            try Resolver.preview(collection, environment, Overrides()).resolve(Self.request("/x"))
        }
    }

    @Test(arguments: [
        ("localhost:3128", "http"), (" http://proxy.test:3128 ", "http"), ("proxy:3128", "http"),
        (" socks5://proxy.test ", "socks5"), (":3128", "http"),
    ]) func `a proxy needs neither a scheme before its port nor care about white space`(
        written: String, scheme: String
    ) throws {
        guard case .server(let server) = try ConnectionText.proxy(written) else {
            Issue.record("no server")
            return
        }
        #expect(server.scheme.rawValue == scheme && !server.host.contains(" ") && !server.host.isEmpty)
        #expect(try ConnectionText.proxy(" none ") == .none)
    }

    @Test func `the path of a host has no dot segments either`() throws {
        let environment = Environment(name: "e", host: "http://own.test/a/../v1")
        let request = Self.request("/x")
        let collection = Collection(name: "c", items: [.request(request)])
        let resolved = try Resolver.preview(collection, environment, Overrides()).resolve(request)
        #expect(resolved.host + resolved.path == "http://own.test/v1/x")
        #expect(Resolver.address(of: request, in: collection, environment: environment) == "http://own.test/v1/x")
    }

    @Test(arguments: [("http:{{v}}", "//a.test"), ("http:/{{v}}", "/a.test"), ("HTTP:{{v}}", "//a.test:80")])
    func `a variable may have the slashes`(written: String, value: String) throws {
        let resolved = try Self.resolved(Self.request(written), [Variable("v", value)])
        #expect(resolved.host.lowercased().hasPrefix("http://a.test") && resolved.isForeign)
    }

    @Test func `a misspelled URL in a variable is not sent`() {
        #expect(throws: ResolveError.self) {
            try Self.resolved(Self.request("{{demo}}/x"), [Variable("demo", "htp://a.test")])
        }
    }
}
