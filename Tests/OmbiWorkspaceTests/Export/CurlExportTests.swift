import Foundation
import OmbiCore
import OmbiDocument
import TestSupport
import Testing

@testable import OmbiWorkspace

/// Requests as commands of curl.
@Suite struct CurlExportTests {
    private static let environment = Environment(
        name: "local", host: "HOST/v1", additionalHeaders: [Field("X-Env", "{{TOKEN}}")],
        variables: [Variable("id", "a/b c"), Variable("text", "it's \"q\" é\n\t\u{1}9")])

    @Test func `a user name with a colon is left out, as a run refuses it`() throws {
        var request = SavedRequest(name: "r", path: "https://a.test/")
        request.authentication = .basic(BasicAuthentication(username: "u:x", password: "p"))
        let text = CurlExport.shown(request, in: nil)
        #expect(text.hasPrefix("# the user is left out") && !text.contains("-u ") && !text.contains("u:x"))
        #expect(try CurlImport.read(text).requests.map(\.path) == ["https://a.test/"])
        request.authentication = .basic(BasicAuthentication(username: "{{u}}", password: "p"))
        #expect(CurlExport.shown(request, in: nil).contains("-u '{{u}}:p'"))
    }

    @Test(arguments: [
        (
            SavedAuthentication.ntlm(NTLMAuthentication(username: "ada", password: "{{p}}", domain: "CORP")),
            "curl https://a.test/ \\\n  -u 'CORP\\ada:{{p}}' \\\n  --ntlm"
        ),
        (.negotiate(NegotiateAuthentication()), "curl https://a.test/ \\\n  -u : \\\n  --negotiate"),
        (.netrc(NetrcAuthentication()), "curl https://a.test/ \\\n  --netrc"),
        (.netrc(NetrcAuthentication(file: "./users")), "curl https://a.test/ \\\n  --netrc-file ./users"),
        (
            .aws(AWSAuthentication(accessKeyID: "", secretAccessKey: "", region: "eu", service: "s", profile: "dev")),
            "# not signed: its keys are in a profile of AWS\ncurl https://a.test/"
        ),
    ])
    func `credentials of this machine are named, and not written`(
        authentication: SavedAuthentication, command: String
    ) {
        let request = SavedRequest(name: "r", path: "https://a.test/", authentication: authentication)
        let shown = CurlExport.shown(request, in: nil)
        #expect(shown.hasPrefix(command), "\(shown)")
    }

    @Test func `a filled in command signs in to the connection, and masks the password`() throws {
        let authentication = NTLMAuthentication(username: "ada", password: "s3cret")
        let request = SavedRequest(name: "r", path: "https://a.test/", authentication: .ntlm(authentication))
        let order = RunOrder(
            id: 1, request: request, collection: Collection(name: "c"), environment: nil, file: "/c.json")
        let command = try Session().curlCommand(for: order, revealsSecrets: true)
        #expect(command.contains("-u ada:s3cret \\\n  --ntlm"))
        #expect(try !Session().curlCommand(for: order).contains("s3cret"))
    }

    @Test(arguments: [
        SavedAuthentication.digest(DigestAuthentication(username: "u:x", password: "s3cret")),
        .ntlm(NTLMAuthentication(username: "u:x", password: "s3cret")),
    ])
    func `a filled in command has no user whose name curl would cut`(_ authentication: SavedAuthentication) throws {
        let request = SavedRequest(name: "r", path: "https://a.test/", authentication: authentication)
        let order = RunOrder(
            id: 1, request: request, collection: Collection(name: "c"), environment: nil, file: "/c.json")
        let command = try Session().curlCommand(for: order, revealsSecrets: true)
        #expect(command.hasPrefix("# the user is left out") && !command.contains("-u "), "\(command)")
    }

    @Test(arguments: [
        ("http://[::1]:81/e[c]", "http://[::1]:81/e%5Bc%5D"),
        ("http://bücher.test/ä", "http://xn--bcher-kva.test/%C3%A4"),
        ("http://{{u}}:{{p}}@[::1]/{{a}}[b]", "http://{{u}}:{{p}}@[::1]/{{a}}%5Bb%5D"),
        ("http://ada:hunter2@[::1]/[x]", "@[::1]/%5Bx%5D"), ("http://{{h}}:81/[x]", "http://{{h}}:81/%5Bx%5D"),
    ])
    func `the server of a URL is not escaped as a path`(path: String, url: String) throws {
        let request = SavedRequest(name: "r", path: path)
        let order = RunOrder(
            id: 1, request: request, collection: Collection(name: "c"), environment: nil, file: "/c.json")
        for name in ["curl", "http"] {
            let text = Session.exported([order], as: try #require(Exporter.named(name))).text
            #expect(text.contains(url), "\(text)")
        }
    }

    static let requests: [SavedRequest] = [
        SavedRequest(name: "plain", path: "/a"),
        SavedRequest(name: "no slash", path: "a/b c/é"),
        SavedRequest(name: "root", path: ""),
        SavedRequest(name: "absolute", path: "HOST/other?x=1&y=a+b&z=?"),
        SavedRequest(
            name: "parameters", path: "/users/:id/x?z=%2F", pathParameters: [Field("id", "{{id}}")],
            query: [Field("q", "a&b=c é"), Field("off", "1", enabled: false), Field("t", "{{id}}")]),
        SavedRequest(name: "raw rows", path: "/a", query: [.raw("flag", ""), .raw("x", "1;2")]),
        SavedRequest(
            name: "delete", method: .delete, path: "/a",
            headers: [Field("X-Empty", ""), Field("X-Quote", "it's \"q\"")]),
        SavedRequest(name: "head", method: .head, path: "/a", body: .text(TextContent("left out"))),
        SavedRequest(name: "post without body", method: .post, path: "/a"),
        SavedRequest(name: "get with body", path: "/a", body: .text(TextContent("@text", contentType: "text/csv"))),
        SavedRequest(
            name: "json", method: .post, path: "/a",
            body: .json(
                JSONContent(.object([.init("a{{id}}", .string("{{text}} \\{{ x y }}")), .init("n", .number("1.50"))])))),
        SavedRequest(
            name: "form", method: .post, path: "/a",
            body: .form(FormContent([Field("a b", "{{text}}"), Field("c", "+&="), Field("off", "", enabled: false)]))),
        SavedRequest(
            name: "multipart", method: .post, path: "/a",
            body: .multipart(
                MultipartContent([
                    MultipartPart("a b", .text("@{{text}};type=x")), MultipartPart("off", .text(""), enabled: false),
                    MultipartPart("json", .text("{\"a\": \"b;c\"}"), contentType: "application/json"),
                    MultipartPart("note", .file("./note.txt")),
                    MultipartPart("n", .file("note.txt"), contentType: "text/x; a=b", fileName: "a;b \"c\".txt"),
                ]))),
        SavedRequest(name: "file", method: .put, path: "/a", body: .file(FileContent("./note.txt"))),
        SavedRequest(
            name: "graphql", method: .post, path: "/a",
            body: .graphql(
                GraphQLContent(
                    "query A { a(b: \"{{id}}\") }", variables: .object([.init("id", .string("{{id}}"))]),
                    operationName: "A"))),
        SavedRequest(name: "empty body", method: .put, path: "/a", body: .text(TextContent(""))),
        SavedRequest(name: "control", method: .post, path: "/a", body: .text(TextContent("{{text}}\\'\r\n$x `y` !"))),
        SavedRequest(
            name: "basic", path: "/a",
            authentication: .basic(BasicAuthentication(username: "ada", password: "p:{{TOKEN}}"))),
        SavedRequest(name: "bearer", path: "/a", authentication: .bearer(BearerAuthentication(token: "{{TOKEN}}"))),
        SavedRequest(
            name: "own header", method: .post, path: "/a", headers: [Field("content-type", "application/xml")],
            authentication: .noAuthentication, body: .text(TextContent("<a/>", contentType: "text/xml"))),
    ]

    @Test(.enabled(if: ChildProgram.find("curl") != nil), arguments: requests)
    func `curl, and Ombi after an import, send what the request sends`(_ request: SavedRequest) async throws {
        let server = try LoopbackServer { _ in .ok("{}") }
        defer { server.stop() }
        let folder = try TemporaryFolder()
        _ = try folder.file("note.txt", "a note\r\n")
        var (request, environment) = (request, Self.environment)
        request.path = request.path.replacing("HOST", with: server.host)
        environment.host = environment.host.replacing("HOST", with: server.host)
        let order = RunOrder(
            id: 1, request: request, collection: Collection(name: "c", environments: [environment]),
            environment: "local",
            file: folder.path + "/c.json")
        let session = Session(overrides: Overrides(variables: [Variable("TOKEN", CurlJudgeTests.token)]))
        _ = await session.events(of: order)
        let command = try session.curlCommand(for: order, revealsSecrets: true)
        _ = try await CurlJudgeTests.run(command, in: folder.path, to: server)
        _ = try await CurlJudgeTests.send(
            try CurlImport.read(command) { path in
                (try? Data(contentsOf: URL(filePath: folder.path + "/" + path))).map(Array.init)
            }.requests, in: folder.path, to: server)

        let arrived = server.requests
        try #require(arrived.count == 3, "\(command)")
        let judge = WireForm(arrived[1])
        #expect(WireForm(arrived[0], besides: judge) == judge, "\(command)")
        #expect(WireForm(arrived[2], besides: judge) == judge, "\(command)")
    }

    @Test func `a request is shown with its templates, and with the headers of its environment`() {
        let environment = Environment(
            name: "e", host: "https://{{region}}.test/",
            additionalHeaders: [Field("X-Env", "{{e}}"), Field("X-a", "its own"), Field("Authorization", "its own")])
        let request = SavedRequest(
            name: "r", method: .post, path: "/users/:id?x={{x}}", pathParameters: [Field("id", "a {{id}}")],
            query: [Field("q", "é {{q}}")], headers: [Field("X-A", "it's {{a}}")],
            authentication: .basic(BasicAuthentication(username: "ada", password: "{{password}}")),
            body: .json(JSONContent(.object([.init("a", .string("{{a}} \\{{b}}"))]))),
            policy: RequestPolicy(retries: 2, timeout: .milliseconds(2500), backoff: .constant(.seconds(3))))
        #expect(
            CurlExport.shown(request, in: environment) == #"""
                curl 'https://{{region}}.test/users/a%20{{id}}?x={{x}}&q=%C3%A9%20{{q}}' \
                  -u 'ada:{{password}}' \
                  -H 'X-A: it'\''s {{a}}' \
                  -H 'X-Env: {{e}}' \
                  -H 'Content-Type: application/json' \
                  --data-raw '{"a":"{{a}} {{b}}"}' \
                  --max-time 2.5 \
                  -L
                """#)
        #expect(CurlExport.shown(SavedRequest(name: "r", path: "a"), in: nil) == "curl '{{host}}/a' \\\n  -L")
    }

    @Test(arguments: [
        (
            RequestPolicy(retries: 2, sla: .seconds(5), timeout: .milliseconds(800)), nil,
            ["--retry 2", "--retry-max-time 5", "--max-time 0.8", "-L"]
        ),
        (nil, nil, ["-L"]), (nil, 3, ["--max-redirs 3", "-L"]), (nil, 0, []),
    ])
    func `limits and redirects are those of the request, filled in or not`(
        policy: RequestPolicy?, redirects: Int?, options: [String]
    ) throws {
        var request = SavedRequest(name: "r", path: "/x", policy: policy)
        if let redirects { request.connection = SavedConnection { $0.maximumRedirects = redirects } }
        let order = RunOrder(
            id: 1, request: request,
            collection: Collection(name: "c", environments: [Environment(name: "e", host: "https://a.test")]),
            environment: "e", file: "c.json")
        let command = (["curl https://a.test/x"] + options).joined(separator: " \\\n  ")
        #expect(order.shownCurl == command)
        #expect(try Session().curlCommand(for: order) == command)
    }

    @Test func `curl repeats only what Ombi repeats`() {
        let policy = RequestPolicy(retries: 2, backoff: .constant(.seconds(3)))
        let retries = [RequestMethod.get, .put, .delete, "PROPFIND", .post, .patch, "PURGE"].map { method in
            CurlExport.shown(SavedRequest(name: "r", method: method, path: "/a", policy: policy), in: nil)
                .contains("--retry 2 \\\n  --retry-delay 3")
        }
        #expect(retries == [true, true, true, true, false, false, false])
    }

    @Test func `a part whose name curl would split is left out, with a comment`() {
        let body = MultipartContent([
            MultipartPart("a=b", .file("x.txt")), MultipartPart("c", .file("x,y.txt"), fileName: " z "),
        ])
        #expect(
            CurlExport.shown(SavedRequest(name: "r", method: .post, path: "/a", body: .multipart(body)), in: nil)
                == "# the part a=b is left out: in curl a name ends at its first =\ncurl '{{host}}/a' \\\n"
                + "  -F 'c=@\"x,y.txt\";type=text/plain;filename=\" z \"' \\\n  -L")
    }

    @Test func `secrets are masked unless they are asked for`() throws {
        let environment = Environment(
            name: "local", host: "https://a.test", verifyTLS: false, secrets: [Secret("token", .environment("T"))])
        let session = Session(secrets: { _ in SecretReader(environment: { _ in "s3/cret" }, file: { _ in [] }) })
        let order = RunOrder(
            id: 1,
            request: SavedRequest(
                name: "r", path: "/x", query: [Field("t", "{{token}}")],
                authentication: .bearer(BearerAuthentication(token: "{{token}}"))),
            collection: Collection(name: "c", environments: [environment]), environment: "local", file: "c.json")
        #expect(
            try session.curlCommand(for: order) == """
                curl 'https://a.test/x?t=••••••' \\
                  -H 'Authorization: Bearer ••••••' \\
                  -L \\
                  -k
                """)
        #expect(try session.curlCommand(for: order, revealsSecrets: true).contains("'Authorization: Bearer s3/cret'"))
        #expect(order.shownCurl.contains("'Authorization: Bearer {{token}}'"))
    }

    @Test func `an export has no secret that a file has in clear, and its templates stay`() {
        var environment = Environment(name: "local", host: "https://a.test")
        environment.authentication = .basic(BasicAuthentication(username: "ada", password: "hunter2hunter2"))
        let request = SavedRequest(
            name: "r", method: .post, path: "/x", query: [Field("api_key", "q7w8e9r0t1y2u3i4")],
            headers: [Field("X-Api-Key", "s3cretvalue99"), Field("X-B", "{{b}}")],
            body: .text(TextContent(#"{"password": "hunter3hunter3"}"#, contentType: "application/json")))
        let order = RunOrder(
            id: 1, request: request, collection: Collection(name: "c", environments: [environment]),
            environment: "local", file: "c.json")
        let command = order.shownCurl
        for secret in ["hunter2", "hunter3", "s3cret", "q7w8"] { #expect(!command.contains(secret), "\(command)") }
        #expect(command.contains("-u 'ada:••••••'") && command.contains("'X-B: {{b}}'"), "\(command)")
    }

    @Test(.enabled(if: ChildProgram.find("bash") != nil))
    func `bash reads made-up words as they were`() async throws {
        var random = SeededRandom(seed: 11)
        let alphabet = "aZ09'\"\\$`!~#&|;<>()[]{}*?=^% \t\n\r\u{1}\u{7F}é→😀\u{AD}\u{85}\u{2028}\u{FEFF}".map(
            String.init)
        let words = (0..<400).map { count in random.pick(count % 12, of: alphabet).joined() }
        let script = "printf '%s\\0' " + words.map(ShellQuotes.word).joined(separator: " ")
        let bash = try #require(ChildProgram.find("bash"))
        let result = try await ChildProgram.run(bash, ["-c", script])
        #expect(
            result.output.split(separator: "\0", omittingEmptySubsequences: false).dropLast().map(String.init) == words)
        var log = ImportLog(Array(script.utf8))
        let read = try ShellDialect.bash.split(Array(script.utf8), &log)
        #expect(read.map { $0.words.dropFirst(2).map(\.text) } == [words])
    }

    @Test(arguments: [
        ("", "''"), ("a-b_c.d/e:f=1,2@3%4+5", "a-b_c.d/e:f=1,2@3%4+5"), ("a b", "'a b'"), ("it's", #"'it'\''s'"#),
        ("a\nb", "'a\nb'"), ("a\t\u{1}1\\'\r\n", #"$'a\t\0011\\\'\r\n'"#), ("é", "'é'"),
        ("a\u{200D}1", #"$'a\342\200\2151'"#), ("\u{85}", #"$'\302\205'"#), ("☺\u{FE0F}", #"$'☺\357\270\217'"#),
        ("\u{202E}\u{2028}", #"$'\342\200\256\342\200\250'"#), ("$x!*?[]{}", "'$x!*?[]{}'"),
    ])
    func `a word is quoted where it has to be, and reads back`(text: String, word: String) throws {
        #expect(ShellQuotes.word(text) == word)
        var log = ImportLog(Array(word.utf8))
        #expect(try ShellDialect.bash.split(Array(word.utf8), &log).map { $0.words.map(\.text) } == [[text]])
    }
}
