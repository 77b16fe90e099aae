import Foundation
import OmbiCore
import Testing

@testable import OmbiWorkspace

// Testing has an Expectation too.
private typealias Expectation = OmbiWorkspace.Expectation

@Suite struct ResolverTests {
    private static let environment = Environment(
        name: "staging", host: "https://{{region}}.example.com/v2/",
        additionalHeaders: [
            Field("Authorization", "Bearer {{token}}"), Field("X-Env", "{{region}}"),
            Field("X-Off", "", enabled: false),
        ],
        variables: [Field("region", "eu")], secrets: [Secret("token", .environment("TOKEN"))])

    private static let reader = SecretReader(
        environment: { ["TOKEN": "s3/cret"][$0] },
        file: { path throws(FileError) in throw FileError(operation: "read", path: path, code: ENOENT) })

    private func resolver(
        _ environment: Environment? = ResolverTests.environment, policy: RequestPolicy? = nil,
        overrides: Overrides = Overrides()
    ) -> Resolver {
        let collection = Collection(name: "n", variables: [Field("userId", "a/b ü")], policy: policy)
        return Resolver(
            collection: collection, environment: environment, overrides: overrides, secrets: Self.reader,
            generators: .fixed)
    }

    private func resolve(_ request: SavedRequest) throws -> ResolvedRequest { try resolver().resolve(request) }

    @Test func `a request gets its address, headers and defaults`() throws {
        let resolved = try resolve(
            SavedRequest(
                name: "r", path: "/users/:id", pathParameters: [Field("id", "{{userId}}")],
                query: [Field("q", "{{region}} &"), Field("off", "", enabled: false)],
                headers: [Field("X-Id", "{{$uuid}}"), Field("X-Id", "2")]))
        #expect(resolved.host == "https://eu.example.com/v2")
        #expect(resolved.path == "/users/a%2Fb%20%C3%BC")
        #expect(resolved.query.encoded == "q=eu%20%26")
        #expect(resolved.method == .get)
        #expect(resolved.headers.fields.map(\.value.text) == ["11111111-2222-4333-8444-555555555555", "2"])
        #expect(resolved.additionalHeaders == ["Authorization": "Bearer s3/cret", "X-Env": "eu"])
        #expect(resolved.body == nil && resolved.verifyTLS && resolved.expectation == nil)
        #expect(resolved.attemptTimeout == .seconds(30) && resolved.sla.value == .seconds(60))
        #expect(resolved.retry == RetryPolicy(retries: 0))
        #expect(resolved.redactor.redact("Bearer s3/cret s3%2Fcret") == "Bearer •••••• ••••••")
    }

    @Test(arguments: [
        ("{{region}}", true), ("{{$base64(region)}}", true), ("{{$sha256($base64('a'))}}", true), ("{{$uuid}}", false),
        ("{{$base64($timestamp)}}", false), ("{{$randomInt}}", false),
    ])
    func `a request is repeatable unless a function gives another value the next time`(text: String, isSame: Bool)
        throws
    {
        let resolved = try resolve(SavedRequest(name: "r", path: "/", headers: [Field("X-A", text)]))
        #expect(resolved.isRepeatable == isSame)
    }

    @Test func `the address of a request under edit has what is known, and names the rest`() throws {
        func address(_ request: SavedRequest) -> String? {
            Resolver.address(
                of: request, in: Collection(name: "n", variables: [Field("userId", "7")]),
                environment: ResolverTests.environment)
        }
        #expect(
            address(SavedRequest(name: "r", path: "/{{nope}}/{{userId}}", query: [Field("q", "{{other}} {{region}}")]))
                == "https://eu.example.com/v2/{{nope}}/7?q={{other}}%20eu")
        #expect(address(SavedRequest(name: "r", path: "/{{nope:number}}")) != nil)
        #expect(address(SavedRequest(name: "r", path: "wss://h/{{userId}}")) == "wss://h/7")
        #expect(address(SavedRequest(name: "r", path: "/", query: [Field("", "")])) == "https://eu.example.com/v2/")
        #expect(address(SavedRequest(name: "r", path: "/", query: [Field("", "x")]))?.hasSuffix("?=x") == true)
    }

    @Test(arguments: [
        ("http://u:{{token}}@h/x@y", "http://u:s3%2Fcret@h"), ("https://{{token}}@h:81/x", "https://s3%2Fcret@h:81"),
        ("http://{{login}}@{{region}}.h?{{token}}@", "http://a%40b:c@eu.h"),
        ("{{scheme}}://u:{{token}}@{{region}}.h", "https://u:s3%2Fcret@eu.h"),
        ("http://{{region}}.h/{{login}}@x", "http://eu.h"),
    ])
    func `a value in the user info of a URL is percent-encoded, and none elsewhere in its host`(
        path: String, host: String
    ) throws {
        let overrides = Overrides(variables: [Field("login", "a@b:c"), Field("scheme", "https")])
        let inPath = try resolver(overrides: overrides).resolve(SavedRequest(name: "r", path: path))
        #expect(inPath.host == host)
        var environment = Self.environment
        environment.host = String(path.prefix { $0 != "?" })
        let inHost = try resolver(environment, overrides: overrides).resolve(SavedRequest(name: "r", path: "/"))
        #expect(inHost.host.replacing("ws://", with: "http://").hasPrefix(host))
    }

    @Test(arguments: [
        ("http://h:{{s}}/x", "PORT9/cret"), ("http://{{s}}/x", "ENV\"SE/cret"),
        ("http://{{s}}", "name:pass/word"), ("http://{{s}}", "u@ho st/x"),
    ])
    func `no part of a secret stands in the error of the URL that it splits`(url: String, secret: String) {
        let reader = SecretReader(environment: { _ in secret }, file: { _ in [] })
        func error(_ host: String, _ path: String) -> String? {
            let environment = Environment(name: "e", host: host, secrets: [Secret("s", .environment("S"))])
            let resolver = Resolver(
                collection: Collection(name: "n"), environment: environment, secrets: reader, generators: .fixed)
            do throws(ResolveError) { _ = try resolver.resolve(SavedRequest(name: "r", path: path)) } catch {
                return error.description
            }
            return nil
        }
        for text in [error(url, "/"), error("http://h", url)].compactMap({ $0 }) {
            for part in secret.split(whereSeparator: { ":/@".contains($0) }) where part.count > 1 {
                #expect(!text.contains(part), "\(text)")
            }
        }
    }

    @Test(arguments: [
        ("/users/7/a.b-c_d~e", "http://h:81/v2/users/7/a.b-c_d~e"), ("", "http://h:81/v2"),
        ("users", "http://h:81/v2/users"), ("/time/12:30", "http://h:81/v2/time/12:30"), ("/users/:id", nil),
        ("/a b", "http://h:81/v2/a%20b"), ("/x?a=1", "http://h:81/v2/x?a=1"), ("/x#part", "http://h:81/v2/x"),
        ("http://other:99/x", "http://other:99/x"), ("http://", nil), ("http://h:nope/", nil),
        ("WSS://other/x", "wss://other/x"),
    ])
    func `the address of a request with nothing to fill in is what was written`(path: String, address: String?) {
        let collection = Collection(name: "n")
        for host in ["http://h:81/v2", "http://h:81/v2/"] {
            let environment = Environment(name: "e", host: host)
            #expect(
                Resolver.address(
                    of: SavedRequest(name: "r", path: path), in: collection, environment: environment) == address)
        }
        let broken = Environment(name: "e", host: "h")
        #expect(Resolver.address(of: SavedRequest(name: "r", path: "/x"), in: collection, environment: broken) == nil)
    }

    @Test(
        arguments: [
            ("", "https://eu.example.com/v2", "", []),
            ("/", "https://eu.example.com/v2", "/", []),
            ("users", "https://eu.example.com/v2", "/users", []),
            (
                "/a b/%41%zz/ü?x=1&y=a%20b+c&z#part", "https://eu.example.com/v2", "/a%20b/%41%25zz/%C3%BC",
                ["x=1", "y=a b c", "z="]
            ),
            ("/time/12:30/x", "https://eu.example.com/v2", "/time/12:30/x", []),
            ("https://other.org", "https://other.org", "", []),
            ("HTTP://other.org:81?q=1", "HTTP://other.org:81", "", ["q=1"]),
            ("https://{{region}}.example.com/v3", "https://eu.example.com", "/v3", []),
            ("{{base}}/x", "http://base.org", "/x", []),
            ("https://[::1]:8080/x", "https://[::1]:8080", "/x", []),
        ] as [(String, String, String, [String])])
    func `a path becomes an address`(path: String, host: String, resolvedPath: String, query: [String]) throws {
        let overrides = Overrides(variables: [Field("base", "http://base.org")])
        let resolved = try resolver(overrides: overrides).resolve(SavedRequest(name: "r", path: path))
        #expect(resolved.host == host)
        #expect(resolved.path == resolvedPath)
        #expect(resolved.query.parameters.map { "\($0.name)=\($0.value)" } == query)
    }

    @Test(arguments: [
        ("https://eu.example.com/other", true), ("HTTPS://EU.Example.com:443/", true),
        ("https://eu.example.com:444/", false),
        ("http://eu.example.com/", false), ("https://example.com/", false), ("https://eu.example.com.evil.org/", false),
        ("https://eu.example.com@evil.org/", false), ("https://u@eu.example.com/", true),
        ("https://eu.example.com#@evil.org", true),
    ])
    func `the environment's headers go to its own origin only`(path: String, isOwn: Bool) throws {
        var environment = Self.environment
        environment.verifyTLS = false
        let resolved = try resolver(environment).resolve(SavedRequest(name: "r", path: path))
        #expect(resolved.additionalHeaders.isEmpty == !isOwn)
        #expect(resolved.verifyTLS == !isOwn)
    }

    @Test(arguments: [
        ("/x?token={{odd}}", "/x", ["token=ab+c/%41&x=#?"]),
        ("/{{odd}}?a=%7B%7Bodd%7D%7D", "/ab+c/%41&x=%23%3F", ["a={{odd}}"]),
        ("?{{odd}}={{region}}%20{{region}}&b", "", ["ab+c/%41&x=#?=eu eu", "b="]),
        ("{{next}}", "/items", ["page=2", "q=a b"]),
        ("{{next}}?more=1#{{odd}}", "/items", ["page=2", "q=a b", "more=1"]),
    ])
    func `what is filled in is sent as it is, and begins no query`(path: String, resolved: String, query: [String])
        throws
    {
        let overrides = Overrides(variables: [
            Field("odd", "ab+c/%41&x=#?"), Field("next", "https://api.example.com/items?page=2&q=a+b#top"),
        ])
        let request = try resolver(overrides: overrides).resolve(SavedRequest(name: "r", path: path))
        #expect(request.path == resolved)
        #expect(request.query.parameters.map { "\($0.name)=\($0.value)" } == query)
    }

    @Test func `a whole address needs no environment`() throws {
        let resolved = try resolver(nil).resolve(SavedRequest(name: "r", path: "https://other.org/{{userId}}"))
        #expect(resolved.path == "/a/b%20%C3%BC")
        #expect(resolved.verifyTLS && resolved.additionalHeaders.isEmpty)
    }

    @Test(arguments: [
        (SavedAuthentication.bearer(BearerAuthentication(token: "{{token}}")), "Bearer s3/cret"),
        (.basic(BasicAuthentication(username: "ü", password: "{{token}}")), "Basic w7w6czMvY3JldA=="),
    ])
    func `authentication becomes a header, and is masked`(authentication: SavedAuthentication, value: String) throws {
        let resolved = try resolve(SavedRequest(name: "r", path: "/", authentication: authentication))
        #expect(resolved.headers[.authorization]?.text == value)
        #expect(resolved.redactor.redact(value).hasSuffix(" ••••••"))
    }

    @Test func `no authentication drops the environment's, and a header that is written out wins`() throws {
        let none = try resolve(SavedRequest(name: "r", path: "/", authentication: .noAuthentication))
        #expect(none.additionalHeaders == ["X-Env": "eu"] && none.headers.isEmpty)
        let written = try resolve(
            SavedRequest(
                name: "r", path: "/", headers: [Field("authorization", "mine")],
                authentication: .bearer(BearerAuthentication(token: "t"))))
        #expect(written.headers == ["Authorization": "mine"])
        #expect(written.additionalHeaders == ["X-Env": "eu"])
    }

    @Test func `what the environment adds is shown masked, with its source`() throws {
        let prepared = PreparedRequest(try resolve(SavedRequest(name: "r", path: "/")))
        #expect(
            prepared.headers == [
                .init(name: "Authorization", value: "Bearer ••••••", source: .environment("staging")),
                .init(name: "X-Env", value: "eu", source: .environment("staging")),
            ])
    }

    @Test(arguments: [
        (
            SavedBody.json(
                JSONContent(.object([.init("{{region}}", .array([.string("{{n}}"), .number("1.50"), .null]))]))),
            "{\"eu\":[\"7\\\"\",1.50,null]}", "application/json"
        ),
        (.text(TextContent("a{{n}}")), "a7\"", "text/plain; charset=utf-8"),
        (.text(TextContent("", contentType: "text/{{region}}")), "", "text/eu"),
        (
            .form(FormContent([Field("a b", "ü~*{{n}}"), Field("x", "", enabled: false), Field("c", "&=+")])),
            "a+b=%C3%BC%7E*7%22&c=%26%3D%2B", "application/x-www-form-urlencoded"
        ),
        (.form(FormContent([])), "", "application/x-www-form-urlencoded"),
    ])
    func `a body is written out with its type`(body: SavedBody, text: String, type: String) throws {
        let overrides = Overrides(variables: [Field("n", "7\"")])
        let resolved = try resolver(overrides: overrides).resolve(SavedRequest(name: "r", path: "/", body: body))
        #expect(resolved.body?.text == text)
        #expect(resolved.headers[.contentType]?.text == type)
    }

    @Test func `a content type that is written out wins`() throws {
        let request = SavedRequest(
            name: "r", path: "/", headers: [Field("content-type", "x/y")], body: .json(JSONContent(.null)))
        #expect(try resolve(request).headers == ["Content-Type": "x/y"])
    }

    @Test func `policies are merged from the session down to the collection`() throws {
        var environment = Self.environment
        environment.policy = RequestPolicy(retries: 2, timeout: .milliseconds(1500))
        let request = SavedRequest(
            name: "r", path: "/", policy: RequestPolicy(retries: 3), expect: Expectation(status: [.code(200)]))
        let collection = RequestPolicy(sla: .seconds(7), timeout: .seconds(9), backoff: .constant(.seconds(1)))
        let overrides = Overrides(policy: RequestPolicy(retries: 5))
        let resolved = try resolver(environment, policy: collection, overrides: overrides).resolve(request)
        #expect(resolved.retry.retries == 5 && resolved.retry.backoff == .constant(.seconds(1)))
        #expect(resolved.attemptTimeout == .milliseconds(1500) && resolved.sla.value == .seconds(7))
        #expect(resolved.expectation == request.expect)
    }

    @Test(arguments: [
        (
            SavedRequest(name: "r", path: "/{{regon}}"),
            "r: path: unknown variable \"regon\" at column 2; did you mean \"region\"?"
        ),
        (
            SavedRequest(name: "r", path: "/é?a=1&b={{regon}}"),
            "r: path: unknown variable \"regon\" at column 10; did you mean \"region\"?"
        ),
        (
            SavedRequest(name: "r", path: "/{{zzz}}"),
            "r: path: unknown variable \"zzz\" at column 2; known: region, token, userId; define it in an environment or in the collection"
        ),
        (
            SavedRequest(name: "r", path: "/:id"),
            "r: path: no path parameter is named \"id\"; add it, or take :id out of the path"
        ),
        (
            SavedRequest(name: "r", path: "/:user", pathParameters: [Field("users", "1")]),
            "r: path: no path parameter is named \"user\"; did you mean \"users\"?; add it, or take :user out of the path"
        ),
        (
            SavedRequest(name: "r", path: "/:id", pathParameters: [Field("id", "")]),
            "r: path parameter \"id\": the value is empty"
        ),
        (
            SavedRequest(name: "r", path: "http://"),
            "r: path: \"http://\" is not a URL; write for example https://api.example.com"
        ),
        (
            SavedRequest(name: "r", path: "http://a b/"),
            "r: path: \"http://a b\" is not a URL; write for example https://api.example.com"
        ),
        (
            SavedRequest(name: "r", path: "http://h:99999/"),
            "r: path: the port \"99999\" of \"http://h:99999\" is not a number from 1 to 65535"
        ),
        (
            SavedRequest(name: "r", path: "/", headers: [Field("A", "x\r\nB: y")]),
            "r: header \"A\": the value contains a line break or another control character"
        ),
        (
            SavedRequest(name: "r", path: "/", headers: [Field("A B", "")]),
            "r: header \"A B\": a header name is made of letters, digits and !#$%&'*+-.^_`|~"
        ),
        (
            SavedRequest(
                name: "r", path: "/", authentication: .basic(BasicAuthentication(username: "a:b", password: ""))),
            "r: authentication basic: the user name for Basic authentication contains a colon, which ends it; "
                + "remove the colon"
        ),
        (
            SavedRequest(name: "r", path: "/", authentication: .bearer(BearerAuthentication(token: "a\nb"))),
            "r: authentication bearer: the value contains a line break or another control character"
        ),
        (
            SavedRequest(
                name: "r", path: "/",
                body: .json(JSONContent(.object([.init("a", .array([.null, .string("{{x")]))])))),
            "r: body $.a[1]: the {{ at column 1 is not closed with }}; write \\{{ for the braces themselves"
        ),
        (
            SavedRequest(name: "r", path: "/", body: .text(TextContent("", contentType: "a\nb"))),
            "r: body content type: the value contains a line break or another control character"
        ),
    ])
    func `what cannot be sent is told with its field`(request: SavedRequest, message: String) {
        let error = #expect(throws: ResolveError.self) { try resolve(request) }
        #expect(error?.description == message)
    }

    @Test(arguments: ["{{base}}", "{{base}}/v1"])
    func `an empty variable that a host begins with is named`(text: String) {
        var environment = Self.environment
        environment.host = text
        environment.variables.append(Field("base", ""))
        let host = #expect(throws: ResolveError.self) {
            try resolver(environment).resolve(SavedRequest(name: "r", path: "/"))
        }
        #expect(host?.description.hasPrefix("r: host of the environment staging: the variable base is empty; ") == true)
    }

    @Test func `an environment that is wrong is named`() {
        var environment = Self.environment
        environment.host = "example.com"
        let host = #expect(throws: ResolveError.self) {
            try resolver(environment).resolve(SavedRequest(name: "r", path: "/"))
        }
        #expect(
            host?.description
                == "r: host of the environment staging: \"example.com\" is not a URL; write for example https://api.example.com"
        )
        environment.host = "ftp://example.com"
        let scheme = #expect(throws: ResolveError.self) {
            try resolver(environment).resolve(SavedRequest(name: "r", path: "/"))
        }
        #expect(
            scheme?.description
                == "r: host of the environment staging: \"ftp://example.com\" cannot be requested; write http:// or https:// in place of ftp://"
        )
        let none = #expect(throws: ResolveError.self) { try resolver(nil).resolve(SavedRequest(name: "r", path: "/")) }
        #expect(
            none?.description
                == "r: path: it does not begin with http://, https://, ws:// or wss://, and no environment is selected"
        )
        var unset = resolver()
        unset.secrets = .none
        let secret = #expect(throws: ResolveError.self) { try unset.resolve(SavedRequest(name: "r", path: "/")) }
        #expect(
            secret?.description
                == "r: header \"Authorization\" of the environment staging: {{token}} reads TOKEN, which is not set; "
                + "export it and run Ombi again")
    }

    @Test func `no error and no description tells a secret`() throws {
        var environment = Self.environment
        environment.host = "ftp://{{token}}"
        let error = #expect(throws: ResolveError.self) {
            try resolver(environment).resolve(SavedRequest(name: "r", path: "/"))
        }
        #expect(error?.reason.contains("s3/cret") == false && error?.reason.contains("••••••") == true)
        let header = SavedRequest(name: "r", path: "/", headers: [Field("{{token}} {", "x")])
        let field = #expect(throws: ResolveError.self) { try resolve(header) }
        #expect(field?.description.contains("s3/cret") == false)
        let resolved = try resolve(SavedRequest(name: "r", path: "/{{token}}"))
        var dumped = ""
        dump(resolved, to: &dumped)
        #expect(!dumped.contains("cret") && resolved.description == "GET https://eu.example.com/v2/••••••")
    }
}
