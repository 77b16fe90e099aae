import Foundation
import OmbiCore
import Testing

@testable import OmbiWorkspace

/// The request as it goes out, and where its parts are from.
@Suite struct PreparedRequestTests {
    private static let environment = Environment(
        name: "local", host: "http://{{name}}.test", additionalHeaders: [Field("X-Env", "{{stage}}")],
        variables: [Field("name", "api"), Field("stage", "one {{inner}}")],
        secrets: [Secret("token", .environment("TOKEN"))], policy: RequestPolicy(retries: 2))

    private static func prepared(
        _ request: SavedRequest, overrides: Overrides = Overrides(), transport: StubTransport? = nil
    ) async throws -> PreparedRequest {
        let collection = Collection(
            name: "c", variables: [Field("inner", "two"), Field("name", "hidden")],
            policy: RequestPolicy(retries: 9, sla: .seconds(7)), environments: [environment])
        let session = Session(
            transport: transport ?? StubTransport { _ in .response() }, overrides: overrides,
            secrets: { _ in SecretReader(environment: { _ in "s3cret" }, file: { _ in [] }) })
        let events = await session.events(
            of: RunOrder(id: 1, request: request, collection: collection, environment: "local", file: "c.json"))
        guard case .prepared(let prepared)? = events.first else { throw CancellationError() }
        return prepared
    }

    @Test func `every setting names the level that decided it`() async throws {
        let plain = try await Self.prepared(SavedRequest(name: "r", path: "/"))
        #expect(plain.attempts == .init(3, .environment("local")))
        #expect(plain.sla == .init(.seconds(7), .collection))
        var own = SavedRequest(name: "r", path: "/")
        own.policy = RequestPolicy(retries: 0)
        let overrides = Overrides(variables: [], policy: RequestPolicy(sla: .seconds(1)))
        let other = try await Self.prepared(own, overrides: overrides)
        #expect(other.attempts == .init(1, .request))
        #expect(other.sla == .init(.seconds(1), .commandLine))
    }

    @Test(
        arguments: [
            (SavedAuthentication.bearer(BearerAuthentication(token: "")), "the token of the authentication is empty"),
            (
                .basic(BasicAuthentication(username: "", password: "")),
                "the username and the password of the authentication are empty"
            ),
            (.basic(BasicAuthentication(username: "key", password: "")), nil),
            (.basic(BasicAuthentication(username: "", password: "token")), nil),
            (
                .digest(DigestAuthentication(username: "ada", password: "")),
                "the password of the authentication is empty"
            ),
            (.bearer(BearerAuthentication(token: "{{token}}")), nil),
        ] as [(SavedAuthentication, String?)])
    func `the result of a run says which of its credentials were empty`(
        authentication: SavedAuthentication, remark: String?
    ) async throws {
        let request = SavedRequest(name: "r", path: "/", authentication: authentication)
        let session = Session(
            transport: StubTransport { _ in .response() },
            secrets: { _ in SecretReader(environment: { _ in "s3cret" }, file: { _ in [] }) })
        let collection = Collection(
            name: "c", variables: [Field("inner", "two")], environments: [Self.environment])
        let events = await session.events(
            of: RunOrder(id: 1, request: request, collection: collection, environment: "local", file: "c.json"))
        guard case .ended(let result)? = events.last else { throw CancellationError() }
        #expect(result.remark == remark)
        #expect(result.prepared?.emptyCredentialsWarning == remark)
    }

    @Test(arguments: [("Negotiate", 401, true), ("Negotiate", 200, false), ("NTLM", 401, false)])
    func `a 401 to a Kerberos ticket says how to get one`(scheme: String, status: Int, isWarned: Bool) {
        let request = PreparedRequest(
            url: "http://api.test/", hostSource: .request, method: .get, headers: [], body: nil,
            authentication: PreparedRequest.Setting(scheme, .request), sla: .init(.seconds(1), .ombi),
            attempts: .init(1, .ombi))
        let result = SessionResult(.response(TransportResponse(statusCode: status)), prepared: request)
        #expect(result.remark?.contains("`kinit` gets one") ?? false == isWarned)
    }

    @Test(arguments: [("gzip", true), ("{{stage}}", true), ("identity", false)])
    func `a text that its header calls compressed has a warning`(coding: String, isWarned: Bool) async throws {
        var request = SavedRequest(name: "r", path: "/", body: .text(TextContent("a")))
        request.headers = [Field("content-encoding", coding)]
        let prepared = try await Self.prepared(request)
        #expect((prepared.codingWarning != nil) == isWarned, "\(prepared.codingWarning ?? "")")
        request.body = nil
        #expect(try await Self.prepared(request).codingWarning == nil)
    }

    @Test(arguments: [
        ("/p?a=b+c&d&e=%2f%zz ü", "/p?a=b+c&d&e=%2f%25zz%20%C3%BC"), ("/p?", "/p?"), ("/p?x=/?y#z", "/p?x=/?y"),
        ("/p?a=b+c&d&s={{stage}}&&e=%2f", "/p?a=b+c&d&s=one%20two&&e=%2f"), ("/p?{{stage}}", "/p?one%20two"),
        ("/p?a={{odd}}+%{{odd}}", "/p?a=1%2B2%26%3D%25+%251%2B2%26%3D%25"),
    ])
    func `a query is sent as it is written, with values encoded in the place of templates`(path: String, target: String)
        async throws
    {
        let sent = StubTransport.Record()
        let transport = StubTransport { _ in .response() }.recording(in: sent)
        let prepared = try await Self.prepared(
            SavedRequest(name: "r", path: path), overrides: Overrides(variables: [Variable("odd", "1+2&=%")]),
            transport: transport)
        #expect(prepared.url == "http://api.test" + target)
        #expect(sent.requests.map(\.url.absoluteString) == ["http://api.test" + target])
    }

    @Test(arguments: [
        ("X-Api-Key", "K1", "••••••"), ("X-Pin", "1234", "••••••"), ("Authorization", "Bearer abc", "Bearer ••••••"),
        ("Cookie", "a=b; sid=xy", "a=••••••; sid=••••••"), ("X-Page", "1234", "1234"),
    ])
    func `credentials in clear are masked by their names, however short they are`(
        name: String, value: String, shown: String
    ) async throws {
        let request = SavedRequest(
            name: "r", path: "/x?token=abc&pin=1234&page=2", headers: [Field(name, value)])
        let prepared = try await Self.prepared(request)
        #expect(prepared.url == "http://api.test/x?token=••••••&pin=••••••&page=2")
        #expect(prepared.headers.first { $0.name == name }?.value == shown)
    }

    @Test func `credentials in clear are masked in the path and in the parts of a form`() async throws {
        let parts = [
            MultipartPart("password", .text("hunter-2")), MultipartPart("note", .text("plain text")),
            MultipartPart("j", .text("{\"client_secret\": \"hunter-3\"}"), contentType: "application/json"),
        ]
        let request = SavedRequest(
            name: "r", method: .post, path: "/x/:token/:id",
            pathParameters: [Field("token", "hunter-4"), Field("id", "hunter-5")],
            body: .multipart(MultipartContent(parts)))
        let prepared = try await Self.prepared(request)
        #expect(prepared.url == "http://api.test/x/••••••/hunter-5")
        let body = try #require(prepared.body)
        #expect(!body.contains("hunter") && body.contains("plain text"), "\(body)")
    }

    @Test func `the value of a variable that is named like a credential is masked wherever it goes`() async throws {
        var request = SavedRequest(
            name: "r", method: .post, path: "/{{apiToken}}/{{page}}", headers: [Field("X-Mine", "{{apiToken}}")],
            body: .text(TextContent("{{apiToken}} {{page}}")))
        request.variables = [Variable("apiToken", "hunter2abc"), Variable("page", "two22")]
        let prepared = try await Self.prepared(request)
        #expect(prepared.url == "http://api.test/••••••/two22" && prepared.body == "•••••• two22")
        #expect(prepared.headers.first { $0.name == "X-Mine" }?.value == "••••••")
        #expect(prepared.variables.first { $0.name == "apiToken" }?.value == "••••••")
    }

    @Test(arguments: [
        ("/p?a=b+c&d", "/p?a=b+c&d&e%20f=%252F%2B%7B%7D"), ("/p?", "/p?e%20f=%252F%2B%7B%7D"),
        ("/p?x&", "/p?x&e%20f=%252F%2B%7B%7D"),
    ])
    func `rows hold plain text, and leave the query of the URL as it is`(path: String, target: String) async throws {
        let request = SavedRequest(name: "r", path: path, query: [Field("e f", "%2F+{}")])
        #expect(try await Self.prepared(request).url == "http://api.test" + target)
    }

    @Test func `every variable names the level that defines it, and a secret is masked`() async throws {
        let request = SavedRequest(
            name: "r", path: "/{{token}}", headers: [Field("X-Mine", "{{set}}")])
        let prepared = try await Self.prepared(request, overrides: Overrides(variables: [Variable("set", "by hand")]))
        #expect(
            prepared.variables == [
                UsedVariable(name: "inner", value: "two", source: .collection),
                UsedVariable(name: "name", value: "api", source: .environment("local")),
                UsedVariable(name: "set", value: "by hand", source: .commandLine),
                UsedVariable(name: "stage", value: "one two", source: .environment("local")),
                UsedVariable(name: "token", value: "••••••", source: .environment("local")),
            ])
        #expect(prepared.url == "http://api.test/••••••" && prepared.hostSource == .environment("local"))
    }

    @Test func `a header that sending adds says so`() async throws {
        let session = Session(transport: StubTransport { _ in .response() })
        let order = RunOrder(
            id: 1, request: SavedRequest(name: "r", path: "http://a.test/", headers: [Field("X-Mine", "1")]),
            collection: Collection(name: "c"), environment: nil, file: "c.json")
        guard case .ended(let result)? = await session.events(of: order).last else { return }
        let headers = result.prepared?.headers ?? []
        #expect(headers.first { $0.name == "X-Mine" }?.source == .request)
        #expect(headers.first { $0.name == "User-Agent" }?.source == .ombi)
        #expect(result.prepared?.hostSource == .request)
    }

    @Test(arguments: [
        (PreparedRequest.Source.environment("local"), "from environment local"), (.collection, "from the collection"),
        (.commandLine, "from the command line"), (.request, "from the request"), (.ombi, "added by Ombi"),
    ])
    func `a source has words`(source: PreparedRequest.Source, words: String) {
        #expect(source.description == words)
    }
}
