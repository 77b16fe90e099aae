import Foundation
import OmbiCore
import OmbiDocument
import TestSupport
import Testing

@testable import OmbiWorkspace

/// Requests as code for OmbiCore.
@Suite struct SwiftExportTests {
    private static let environment = Environment(
        name: "local", host: "https://{{region}}.example.com/v1", verifyTLS: false,
        additionalHeaders: [Field("X-Env", "{{TOKEN}}"), Field("Accept-Language", "de")],
        policy: RequestPolicy(timeout: .milliseconds(2500)))

    private static let body = JSONValue.object([
        .init("name", .string("Zoë \"{{name}}\" \\{{ \u{202E}\n")), .init("a{{key}}", .array([.null, .bool(true)])),
        .init("n", .number("12345678901234567890.50")), .init("empty", .object([])), .init("none", .array([])),
        .init("password", .string("hunter2")), .init("quotes", .string("\"\"\" \\\"\"\"\\(1 + 1)")),
        .init("list", .array([.object([.init("token", .array([.string("hunter2")]))])])),
    ])

    private static let requests: [SavedRequest] =
        CurlExportTests.requests + [
            SavedRequest(
                name: "class func", method: .patch, path: "/{{class}}/:self/:id?q={{in}}",
                pathParameters: [Field("id", "a b/{{id}}")],
                headers: [
                    Field("X-A", "1"), Field("x-a", "{{path}}"), Field("X-{{init}}", "\"\\(1)\""),
                    Field("Authorization", "Bearer hunter2"),
                ], body: .json(JSONContent(body)),
                policy: RequestPolicy(
                    retries: 3, sla: .seconds(2),
                    backoff: Backoff(first: .microseconds(1500), jitter: 0.2, ceiling: .seconds(1)),
                    retryOn: [.connection, .timeout, .status(.code(429)), .status(.hundreds(5))])),
            SavedRequest(
                name: "42 \"\"\" \n*/ é 🙂", method: .put, path: "/x?api_key=hunter2&y=%20",
                query: [Field("access_token", "hunter2")],
                authentication: .basic(BasicAuthentication(username: "a{{user}}", password: "hunter2")),
                body: .text(
                    TextContent("a \"\"\" \\(1)\n\t{{$uuid}} {{$randomInt}}\r\n\n{{$timestamp}}{{$isoTimestamp}}\n"))),
            SavedRequest(
                name: "HTTP", path: "https://ada:hunter2@other.test/a?x=1",
                authentication: .bearer(BearerAuthentication(token: "hunter2"))),
            SavedRequest(
                name: "", path: "https://{{user}}:{{password}}@other.test",
                body: .form(FormContent([Field("a{{x}}", "1"), Field("secret", "hunter2"), Field("a", "{{x}}")]))),
            SavedRequest(
                name: "digest", path: "/d",
                authentication: .digest(DigestAuthentication(username: "a{{user}}", password: "hunter2"))),
            SavedRequest(
                name: "signed", path: "/s",
                authentication: .aws(
                    AWSAuthentication(
                        accessKeyID: "AKID", secretAccessKey: "hunter2", sessionToken: "{{token}}", region: "eu",
                        service: "s3"))),
            SavedRequest(
                name: "token", path: "/t",
                authentication: .oauth2(
                    OAuth2Authentication(tokenURL: "/token", clientID: "c", clientSecret: "hunter2")),
                connection: SavedConnection {
                    $0.proxy = "http://ada:hunter2@p.test:1"
                    $0.maximumRedirects = 2
                }),
            SavedRequest(name: "no fields", method: .post, path: "{{next}}", body: .form(FormContent([]))),
            SavedRequest(name: "bad template", path: "/{{oops", headers: [Field("X", "{{")]),
        ]

    private static func code(_ request: SavedRequest, in environment: Environment? = environment) -> String {
        let collection = Collection(
            name: "c", policy: RequestPolicy(retries: 1), environments: environment.map { [$0] } ?? [])
        let order = RunOrder(
            id: 1, request: request, collection: collection, environment: environment?.name, file: "c.json")
        return order.swiftCode
    }

    @Test func `every request compiles, without a warning`() throws {
        guard let compiler = Compiler.installed else { return }
        let codes = Self.requests.flatMap { request in
            [Self.environment, nil].map { Self.code(request, in: $0) }
        }
        let snippets = codes.map { Snippet("", .compiles, $0) }
        for isolation in [Compiler.Isolation.nonisolated, .mainActor] {
            let found = try compiler.check(snippets, shared: "", isolation: isolation)
            for (code, diagnostics) in zip(codes, found) {
                #expect(diagnostics.map(\.description) == [], "\(code)")
            }
        }
    }

    /// Names and texts, some of which make the same identifier.
    private static let hostile = [
        "]]>", "a b", "a-b", "A b", "class", "\"\"\"", "#\"\\#(1)\"#", "\\(1 + 1)", "${x} `id`", "</script>",
        "line\nbreak\r\n", "\u{2028}", "\u{301}x", "\"\u{301}", "\\\u{301}", "*/ /*", "\u{FFFE}", "\u{0}\u{1B}[31m",
        "{{x}}", "a?b=c#d",
    ].map { text -> SavedRequest in
        SavedRequest(
            name: text, method: .post, path: "/\(text)/:id?\(text)", pathParameters: [Field("id", text)],
            query: [Field(text, text)], headers: [Field("X-A", text)],
            body: .json(JSONContent(.object([.init(text, .string(text)), .init("password", .string(text))]))))
    }

    @Test func `the code of all requests compiles as one file`() throws {
        guard let compiler = Compiler.installed else { return }
        let demo = try #require(
            CollectionFile.load(Compiler.root.appending(path: "collections/demo.json").path).collection)
        let collection = Collection(
            name: "c", environments: demo.environments,
            items: (demo.requests + Self.requests + Self.hostile).map { .request($0) })
        let orders = collection.requests.map { request in
            RunOrder(
                id: 1, request: request, collection: collection, environment: demo.environments.first?.name,
                file: "c.json")
        }
        let text = Session.exported(orders, as: try #require(Exporter.named("swift"))).text
        // The error at the end shows that the compiler has read all that is in front of it.
        let found = try compiler.check(program: text + "\nlet end: Int = \"\"\n", isolation: .nonisolated)
        #expect(
            found.map(\.description) == ["error: cannot convert value of type 'String' to specified type 'Int'"],
            "\(text)")
    }

    @Test func `digests and signatures are computed, and the code says what it does without`() throws {
        let code = try ["digest", "signed", "token"].map { name in
            Self.code(try #require(Self.requests.first { $0.name == name }))
        }
        #expect(
            code[0].contains("manager.authenticator = DigestAuthenticator(username: \"a\\(user)\", password: password)")
        )
        #expect(code[0].contains("import OmbiAuthentication\n"))
        #expect(code[1].contains("manager.authenticator = AWSSignatureV4("))
        #expect(code[2].contains("// Not in this code: OAuth 2 (clientCredentials); set manager.authenticator."))
        #expect(code[2].contains("// Not in this code: proxy, maximumRedirects of the connection"))
        #expect(!code[2].contains("import OmbiAuthentication"))
    }

    @Test func `what the code does without is a loss`() throws {
        var request = SavedRequest(name: "r", path: "/a", authentication: .negotiate(NegotiateAuthentication()))
        request.captures = [Capture("id", .path("$.id"))]
        let orders = [request, SavedRequest(name: "socket", path: "ws://a.test/")].map { request in
            RunOrder(id: 1, request: request, collection: Collection(name: "c"), environment: nil, file: "c.json")
        }
        let exported = Session.exported(orders, as: try #require(Exporter.named("swift")))
        #expect(
            exported.losses == [
                "r: Not in this code: captures.", "r: Not in this code: Negotiate.",
                "socket is a WebSocket, which is left out",
            ])
        #expect(exported.text.contains("// Not in this code: captures.\n"), "\(exported.text)")
    }

    @Test(arguments: requests) func `no secret is in the code`(request: SavedRequest) {
        #expect(!Self.code(request).contains("hunter2"))
    }

    private static let updateUser = """
        import Foundation
        import OmbiCore

        /// update user
        struct UpdateUserRequest: HTTPRequest {
            typealias RequestBody = String
            typealias ResponseBody = Data

            /// {{userId}}
            var userId: String
            /// {{role}}
            var role: String
            /// {{token}}
            var token: String

            var host: String { "http://127.0.0.1:8765" }
            var method: RequestMethod { .put }
            var path: String { "/users/\\(PathSegment(userId))" }
            var query: [URLQueryItem] {
                [
                    URLQueryItem(name: "expand", value: "orders"),
                ]
            }
            var headers: RequestHeaders {
                [
                    "X-Trace": .string("ombi-\\(UUID().uuidString.lowercased())"),
                    "Content-Type": "application/json",
                ]
            }
            var body: String? {
                get throws {
                    \"""
                    {
                      "name": "Ada",
                      "role": \\(try Self.json(role))
                    }
                    \"""
                }
            }
            var authentication: RequestAuthentication? {
                .token(type: .bearer, value: token)
            }

            /// Returns a text as a string of JSON.
            private static func json(_ text: String) throws -> String {
                String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
            }

            /// Sends the request; a status that is no success is an error.
            func send() async throws -> RequestResponse<Data> {
                let manager = RequestManager(host: host)
                return try await manager.response(for: self, retry: RetryPolicy(retries: 2), sla: .seconds(5))
            }
        }

        """

    @Test func `the code reads as if it were written by hand`() {
        let request = SavedRequest(
            name: "update user", method: .put, path: "/users/:id", pathParameters: [Field("id", "{{userId}}")],
            query: [Field("expand", "orders")], headers: [Field("X-Trace", "ombi-{{$uuid}}")],
            authentication: .bearer(BearerAuthentication(token: "{{token}}")),
            body: .json(JSONContent(.object([.init("name", .string("Ada")), .init("role", .string("{{role}}"))]))),
            policy: RequestPolicy(retries: 2, sla: .seconds(5)))
        let environment = Environment(name: "local", host: "http://127.0.0.1:8765")
        #expect(Self.code(request, in: environment) == Self.updateUser)
    }

    @Test(arguments: [
        ("user by id", "UserByIdRequest"), ("GET /users", "GetUsersRequest"), ("request", "OwnRequest"),
        ("new Request", "NewRequest"), ("HTTP", "OwnHttpRequest"), ("3 tries", "Saved3TriesRequest"),
        ("🙂", "SavedRequest"),
        ("straße ändern", "StraßeÄndernRequest"),
    ])
    func `the name of a request makes the name of its type`(name: String, type: String) {
        #expect(SwiftNames.type(name) == type)
    }
}
