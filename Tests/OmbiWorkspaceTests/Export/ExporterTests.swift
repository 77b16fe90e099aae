import Foundation
import OmbiCore
import OmbiDocument
import TestSupport
import Testing

@testable import OmbiWorkspace

/// Requests in the formats of other tools.
@Suite struct ExporterTests {
    private static let alphabet =
        [
            "\"\"\"", "${x}", "\\u0041", "</script>", "###", "%s", "{{", "}}", "'''", "\r\n",
            "\u{1F469}\u{200D}\u{1F680}",
        ]
        + "aZ09'\"\\$`!~#&|;<>()[]{}*?=^% \t\n\r\0\u{1}\u{7F}é→😀\u{AD}\u{85}\u{2028}\u{2029}\u{FEFF}\u{202E}".map(
            String.init)

    private static func texts(_ count: Int) -> [String] {
        var random = SeededRandom(seed: 23)
        return (0..<count).map { random.pick($0 % 12, of: alphabet).joined() }
    }

    private static func hexadecimal(_ text: String) -> String {
        text.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    @Test(.enabled(if: ChildProgram.find("python3") != nil, "apt-get install python3"))
    func `Python reads literals as they were`() async throws {
        let texts = Self.texts(400)
        let literals = texts.map(ExportQuotes.python).joined(separator: ", ")
        let python = try #require(ChildProgram.find("python3"))
        let result = try await ChildProgram.run(
            python, ["-"], input: "for text in [\(literals)]: print(text.encode().hex())\n")
        #expect(
            result.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
                == texts.map(Self.hexadecimal), "\(result.errors)")
    }

    @Test(.enabled(if: ChildProgram.find("node") != nil, "apt-get install nodejs"))
    func `JavaScript reads literals as they were`() async throws {
        let texts = Self.texts(400)
        let literals = texts.map(ExportQuotes.javaScript).joined(separator: ", ")
        let node = try #require(ChildProgram.find("node"))
        let result = try await ChildProgram.run(
            node, ["-"], input: "for (const text of [\(literals)]) console.log(Buffer.from(text).toString('hex'));\n")
        #expect(
            result.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
                == texts.map(Self.hexadecimal), "\(result.errors)")
    }

    @Test(arguments: [
        ("", "\"\""), ("a\"b", #""a\"b""#), ("{{x}}", "<x>"), ("a{{x}}{{y}}b", #""a" + <x> + <y> + "b""#),
    ])
    func `a text is a sum of literals and values`(text: String, sum: String) {
        let found = ExportText(text).sum(literal: ExportQuotes.javaScript) { "<\($0.name)>" }
        #expect(found == sum)
        #expect(ExportText(text).sum(literal: ExportQuotes.python) { "<\($0.name)>" } == sum)
    }

    @Test func `literals hide no character, and texts of Hurl and Markdown end nowhere else`() throws {
        for text in Self.texts(400) {
            let json = ExportQuotes.json(JSONValue.quoted(text))
            #expect(try JSONValue.parse(json) == .string(text))
            let hurl = ExportQuotes.hurl(text, escaping: "`:;")
            let literals = [ExportQuotes.python(text), ExportQuotes.javaScript(text), json, hurl]
            #expect(literals.allSatisfy { $0.unicodeScalars.allSatisfy(SwiftLiteral.isPlain) }, "\(literals)")
            #expect(!hurl.contains("{{") && !hurl.contains("`") && !hurl.contains("#"), "\(hurl)")
            let block = ExportQuotes.markdownBlock(text, language: "")
            let fence = String(block.prefix { $0 == "`" })
            #expect(!text.contains(fence) && fence.count > 2, "\(block)")
        }
    }

    /// A request whose texts come from anywhere.
    private static func order(_ text: String) -> RunOrder {
        let escaped = text.replacing("{{", with: "\\{{")
        let request = SavedRequest(
            name: text, description: text, method: .post, path: "/a",
            query: [Field(escaped, escaped)], headers: [Field("X-A", escaped)],
            authentication: .basic(BasicAuthentication(username: escaped, password: "hunter2")),
            body: .multipart(
                MultipartContent([
                    MultipartPart(escaped, .text(escaped)), MultipartPart("f", .file(escaped), fileName: escaped),
                ])))
        return order(request)
    }

    private static func order(_ request: SavedRequest, secrets: [Secret] = []) -> RunOrder {
        let environment = Environment(
            name: "e", host: "https://a.test", variables: [Variable("plain", "seen")], secrets: secrets)
        return RunOrder(
            id: 1, request: request, collection: Collection(name: "c", environments: [environment]), environment: "e",
            file: "c.json")
    }

    @Test(.enabled(if: ChildProgram.find("python3") != nil, "apt-get install python3"))
    func `Python compiles what hostile texts become`() async throws {
        let python = try #require(ChildProgram.find("python3"))
        let exporter = try #require(Exporter.named("python"))
        let text = Session.exported(Self.texts(60).map(Self.order), as: exporter).text
        let result = try await ChildProgram.run(
            python, ["-c", "import sys; compile(sys.stdin.read(), 'export', 'exec')"], input: text)
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test(.enabled(if: ChildProgram.find("node") != nil, "apt-get install nodejs"))
    func `Node.js parses what hostile texts become`() async throws {
        let node = try #require(ChildProgram.find("node"))
        let exporter = try #require(Exporter.named("fetch"))
        let folder = try TemporaryFolder()
        let file = try folder.file(
            "requests.mjs", Session.exported(Self.texts(60).map(Self.order), as: exporter).text)
        let result = try await ChildProgram.run(node, ["--check", file])
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test(.enabled(if: ChildProgram.find("bash") != nil), arguments: ["httpie", "curl"])
    func `bash parses what hostile texts become`(_ name: String) async throws {
        let bash = try #require(ChildProgram.find("bash"))
        let exporter = try #require(Exporter.named(name))
        let text = Session.exported(Self.texts(60).map(Self.order), as: exporter).text
        let result = try await ChildProgram.run(bash, ["-n"], input: text)
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test(arguments: ["postman", "har", "openapi"]) func `hostile texts stay in the strings of JSON`(_ name: String)
        throws
    {
        let exporter = try #require(Exporter.named(name))
        for text in Self.texts(60) {
            let exported = Session.exported([Self.order(text)], as: exporter).text
            #expect(throws: Never.self, "\(exported)") { try JSONValue.parse(exported) }
        }
    }

    @Test(
        .enabled(
            if: ChildProgram.find("openapi-spec-validator") != nil, "pip install openapi-spec-validator"))
    func `openapi-spec-validator accepts what hostile texts become`() async throws {
        let validator = try #require(ChildProgram.find("openapi-spec-validator"))
        let exporter = try #require(Exporter.named("openapi"))
        let orders = Self.texts(60).enumerated().map { index, text in
            var order = Self.order(text)
            order.request.path = "/\(index)/\(text)"
            return order
        }
        let result = try await ChildProgram.run(
            validator, ["-"], input: Session.exported(orders, as: exporter).text)
        #expect(result.status == 0, "\(result.output)\(result.errors)")
    }

    @Test func `a name of a part begins no request of an .http file`() throws {
        let name = "a\r\n\r\n### b\r\nGET http://b.test/\"\u{301}"
        let request = SavedRequest(
            name: "r", method: .post, path: "/a", body: .multipart(MultipartContent([MultipartPart(name, .text("v"))])))
        let exporter = try #require(Exporter.named("http"))
        let text = Session.exported([Self.order(request)], as: exporter).text
        let expected = "name=\"a%0D%0A%0D%0A### b%0D%0AGET http://b.test/%22\u{301}\"\n"
        #expect(text.unicodeScalars.split(separator: "\n").count { $0.starts(with: "###".unicodeScalars) } == 1)
        #expect(text.contains(expected), "\(text)")
    }

    @Test(arguments: [
        (SavedBody.text(TextContent("a\n")), "at the ends"), (.text(TextContent("a\n# b")), "a sign"),
        (.multipart(MultipartContent([MultipartPart("p", .text("a\nb"))])), "CR LF"),
    ])
    func `what a body loses in an .http file is said`(body: SavedBody, words: String) throws {
        let exporter = try #require(Exporter.named("http"))
        let request = SavedRequest(name: "r", method: .post, path: "/a", body: body)
        let losses = Session.exported([Self.order(request)], as: exporter).losses
        #expect(losses.contains { $0.contains(words) }, "\(losses)")
    }

    @Test func `a quote with a mark behind it ends no word of a shell`() {
        #expect(ShellQuotes.word("'\u{301}; x") == "''\\''\u{301}; x'")
        for word in ["'\u{301}; x", "'\u{301}", "a\u{301}\"\u{301} b"] {
            #expect(CommandWords.words(of: CommandWords.text([word])) == [word], "\(word)")
        }
    }

    @Test func `a name of a part is no option of HTTPie`() throws {
        let part = MultipartPart("-o/tmp/a", .text(".desktop"))
        let request = SavedRequest(name: "r", method: .post, path: "/a", body: .multipart(MultipartContent([part])))
        let exporter = try #require(Exporter.named("httpie"))
        let text = Session.exported([Self.order(request)], as: exporter).text
        #expect(text.hasSuffix("  -- POST https://a.test/a \\\n  -o/tmp/a=.desktop"), "\(text)")
    }

    @Test(.enabled(if: ChildProgram.find("bash") != nil))
    func `a command of HTTPie ends at a variable that is not set`() async throws {
        let bash = try #require(ChildProgram.find("bash"))
        let request = SavedRequest(name: "r", path: "/{{plain}}", headers: [Field("X-A", "{{other}}")])
        let text = Session.exported([Self.order(request)], as: try #require(Exporter.named("httpie"))).text
        #expect(text.hasPrefix(": \"${PLAIN?}\" \"${OTHER?}\"\n\n# r\n"), "\(text)")
        // In place of the program.
        let script = "http() { echo sent; }\n" + text
        let unset = try await ChildProgram.run(bash, ["-"], input: script, environment: ["PLAIN": "a"])
        #expect(unset.status != 0 && unset.output == "" && unset.errors.contains("OTHER"), "\(unset)")
        let set = try await ChildProgram.run(bash, ["-"], input: script, environment: ["PLAIN": "a", "OTHER": ""])
        #expect(set.output == "sent\n", "\(set)")
    }

    @Test func `a type of a part begins no request of Hurl`() throws {
        let part = MultipartPart("a", .file("b.txt"), contentType: "text/plain\nGET http://b.test")
        let request = SavedRequest(name: "r", method: .post, path: "/a", body: .multipart(MultipartContent([part])))
        let exporter = try #require(Exporter.named("hurl"))
        let text = Session.exported([Self.order(request)], as: exporter).text
        #expect(text.contains("file,b.txt;\n") && !text.contains("b.test"), "\(text)")
    }

    @Test(arguments: Exporter.all.map(\.name)) func `a secret is left out unless it is asked for`(_ name: String) throws
    {
        let exporter = try #require(Exporter.named(name))
        let request = SavedRequest(
            name: "r", method: .post, path: "/{{plain}}", query: [Field("t", "{{token}}")],
            headers: [Field("X-Token", "{{token}}")],
            authentication: .bearer(BearerAuthentication(token: "{{token}}")),
            body: .json(JSONContent(.object([.init("a", .string("{{token}}"))]))))
        let order = Self.order(request, secrets: [Secret("token", .environment("T"))])
        let session = Session(secrets: { _ in SecretReader(environment: { _ in "s3/cret" }, file: { _ in [] }) })
        #expect(Session.exported([order], as: exporter).text.lowercased().contains("plain"))
        guard exporter.fillsIn else { return }
        let filled = try session.filledExport(of: [order], as: exporter).text
        #expect(filled.contains("seen") && !filled.contains("s3/cret") && !filled.contains("s3%2Fcret"), "\(filled)")
        guard !exporter.isLoad else { return }
        let revealed = try session.filledExport(of: [order], as: exporter, revealsSecrets: true).text
        #expect(revealed.contains("s3/cret"), "\(revealed)")
    }

    @Test(arguments: Exporter.all.filter { $0.name != "curl" }.map(\.name))
    func `a secret that the file has in clear becomes a variable`(_ name: String) throws {
        let exporter = try #require(Exporter.named(name))
        let request = SavedRequest(
            name: "r", method: .post, path: "/a?api_key=hunter2", query: [Field("access_token", "hunter2")],
            headers: [Field("X-Api-Key", "hunter2")],
            authentication: .basic(BasicAuthentication(username: "ada", password: "hunter2")),
            body: .json(JSONContent(.object([.init("password", .string("hunter2"))]))))
        #expect(!Session.exported([Self.order(request)], as: exporter).text.contains("hunter2"))
    }

    @Test func `what a tool cannot express is a comment at its request, and a loss`() throws {
        var request = SavedRequest(
            name: "r", path: "/a",
            authentication: .digest(DigestAuthentication(username: "ada", password: "{{password}}")),
            policy: RequestPolicy(retries: 2, timeout: .milliseconds(2500)))
        request.connection = SavedConnection { $0.proxy = "http://127.0.0.1:3128" }
        let exporter = try #require(Exporter.named("fetch"))
        let exported = Session.exported([Self.order(request)], as: exporter)
        #expect(
            exported.losses == [
                "r: left out: retries", "r: its Digest authentication is left out", "r: its proxy is left out",
            ])
        #expect(
            exported.text.contains(
                "// r\n// left out: retries\n// its Digest authentication is left out\n// its proxy is left out\n{\n"),
            "\(exported.text)")
        #expect(exported.text.contains("    signal: AbortSignal.timeout(2500),\n"))
    }

    @Test func `what curl, fetch and HTTPie do with a request of their own accord is a loss`() throws {
        var request = SavedRequest(
            name: "r", method: .post, path: "/a",
            headers: [Field("Host", "b.test"), Field("Expect", "100-continue"), Field("Connection", "close")],
            body: .text(TextContent("a\0")))
        request.compression = .gzip
        let form = SavedRequest(
            name: "r", method: .post, path: "/a",
            body: .multipart(MultipartContent(["a", "b", "a"].map { MultipartPart($0, .text("1")) })))
        let (curl, fetch) = (try #require(Exporter.named("curl")), try #require(Exporter.named("fetch")))
        #expect(
            Session.exported([Self.order(request)], as: curl).losses == [
                "r: the body is not compressed here",
                "r: the body is left out: no argument of a program can hold its NUL",
            ])
        let exported = Session.exported([Self.order(request)], as: fetch)
        let headers = ["Host", "Expect"].map { "r: fetch does not send the header \($0): it is left out" }
        #expect(exported.losses == ["r: left out: compression"] + headers)
        #expect(!exported.text.contains("\"Host\"") && exported.text.contains("[\"Connection\", \"close\"]"))
        let httpie = try #require(Exporter.named("httpie"))
        #expect(
            Session.exported([Self.order(form)], as: httpie).losses == ["r: HTTPie sends parts of one name together"])
    }

    private static func losses(_ request: SavedRequest, _ name: String) throws -> [String] {
        Session.exported([order(request)], as: try #require(Exporter.named(name))).losses
    }

    @Test(arguments: [("httpie", true, true), ("http", true, true), ("hurl", false, true), ("postman", false, false)])
    func `a value that nobody escapes in a form or a query is a loss`(name: String, form: Bool, key: Bool) throws {
        let sent = SavedRequest(
            name: "r", method: .post, path: "/a", body: .form(FormContent([Field("a", "{{plain}}")])))
        #expect(try Self.losses(sent, name) == (form ? ["r: not escaped for its place: {{plain}}"] : []))
        let keyed = SavedRequest(
            name: "r", path: "/a",
            authentication: .apiKey(APIKeyAuthentication(name: "k", value: "{{key}}", location: .query)))
        #expect(try Self.losses(keyed, name) == (key ? ["r: not escaped for its place: {{key}}"] : []))
    }

    @Test func `a body that no command of Linux has room for is a loss`() throws {
        let text = String(repeating: "x", count: 1 << 17)
        let request = SavedRequest(name: "r", method: .post, path: "/a", body: .text(TextContent(text)))
        for name in ["curl", "httpie"] {
            #expect(
                try Self.losses(request, name) == ["r: the body is too long for a command of Linux; put it into a file"]
            )
        }
        #expect(try Self.losses(request, "python") == [])
    }

    @Test func `a method that HTTPie would take for a URL is left out`() throws {
        let request = SavedRequest(name: "r", method: "M-SEARCH", path: "/a")
        let exported = Session.exported([Self.order(request)], as: try #require(Exporter.named("httpie")))
        #expect(exported.losses == ["r is left out: HTTPie has no method M-SEARCH"])
        #expect(exported.text == "# r is left out: HTTPie has no method M-SEARCH")
        #expect(try Self.losses(SavedRequest(name: "r", method: "PURGE", path: "/a"), "httpie") == [])
    }

    @Test func `what becomes of a part without a type, and of a form without parts, is a loss`() throws {
        let request = { (parts: [MultipartPart]) in
            SavedRequest(name: "r", method: .post, path: "/a", body: .multipart(MultipartContent(parts)))
        }
        let named = request([MultipartPart("a", .text("1"), fileName: "n.txt")])
        #expect(try Self.losses(named, "fetch") == ["r: fetch gives the part a the type application/octet-stream"])
        #expect(try Self.losses(named, "curl") == ["r: curl may give the part a a type by its file name"])
        #expect(try Self.losses(request([]), "curl") == ["r: curl sends no form without parts"])
        #expect(try Self.losses(request([]), "hurl") == ["r: Hurl sends no empty form"])
        let plain = request([MultipartPart("a", .text("1")), MultipartPart("b", .text("2"))])
        for name in ["curl", "fetch", "hurl", "http", "httpie", "python", "postman"] {
            #expect(try Self.losses(plain, name) == [])
        }
    }

    @Test func `a file in HAR and a user with a space in .http are losses`() throws {
        let request = SavedRequest(
            name: "r", method: .post, path: "/a",
            authentication: .basic(BasicAuthentication(username: "ada l", password: "{{password}}")),
            body: .file(FileContent("a.bin")))
        let losses = { (name: String) throws -> [String] in
            Session.exported([Self.order(request)], as: try #require(Exporter.named(name))).losses
        }
        #expect(try losses("har").contains("r: the bytes of the file a.bin are left out"))
        #expect(try losses("http").contains("r: the name of the user ends at its first space here"))
    }

    @Test(arguments: [
        (SavedAuthentication.negotiate(NegotiateAuthentication()), "its Negotiate authentication is left out"),
        (.ntlm(NTLMAuthentication(username: "u", password: "hunter2")), "its NTLM authentication is left out"),
        (.netrc(NetrcAuthentication()), "its user is left out: it is in a .netrc file"),
        (
            .aws(AWSAuthentication(accessKeyID: "", secretAccessKey: "", region: "", service: "s", profile: "dev")),
            "its AWS signature is left out"
        ),
    ])
    func `credentials of this machine and of a connection are losses`(
        authentication: SavedAuthentication, loss: String
    ) throws {
        let request = SavedRequest(name: "r", path: "/a", authentication: authentication)
        let exported = Session.exported([Self.order(request)], as: try #require(Exporter.named("python")))
        #expect(exported.losses == ["r: " + loss] && !exported.text.contains("hunter2"))
        #expect(Self.order(request).swiftCode.contains("// Not in this code: "))
    }

    @Test func `Python has a variable of the process for each value`() throws {
        let request = SavedRequest(
            name: "r", path: "/:id", pathParameters: [Field("id", "{{userId}}")],
            authentication: .bearer(BearerAuthentication(token: "{{path}}")))
        let exporter = try #require(Exporter.named("python"))
        #expect(
            Session.exported([Self.order(request)], as: exporter).text == """
                import os
                from urllib.parse import quote

                import requests

                USER_ID = os.environ["USER_ID"]
                PATH_VALUE = os.environ["PATH_VALUE"]

                # r
                response = requests.request(
                    "GET",
                    "https://a.test/" + quote(USER_ID, safe=""),
                    headers={
                        "Authorization": ("Bearer " + PATH_VALUE).encode(),
                    },
                )
                print(response.status_code, response.reason)
                print(response.text)
                """)
    }

    @Test func `Postman gets folders, variables and authentication`() throws {
        let request = SavedRequest(
            name: "r", path: "/{{plain}}?a=1",
            authentication: .apiKey(APIKeyAuthentication(name: "X-Key", value: "{{key}}")))
        var order = Self.order(request)
        order.folders = [Folder(name: "users")]
        let exporter = try #require(Exporter.named("postman"))
        let value = try JSONValue.parse(Session.exported([order], as: exporter).text)
        let folder = try #require(value["item"]?.elements?.first)
        let got = try #require(folder["item"]?.elements?.first?["request"])
        #expect(folder["name"] == "users")
        #expect(got["url"]?["raw"] == "https://a.test/{{plain}}?a=1")
        #expect(got["url"]?["host"]?.elements == ["a", "test"])
        #expect(got["auth"]?["type"] == "apikey")
        let variables: JSONValue = [["key": "plain", "value": "seen"], ["key": "key", "value": ""]]
        #expect(value["variable"] == variables)
    }

    @Test func `Postman sends the body of a GET`() throws {
        let request = SavedRequest(name: "r", path: "/", body: .text(TextContent("x")))
        let postman = try #require(Exporter.named("postman"))
        let value = try JSONValue.parse(Session.exported([Self.order(request)], as: postman).text)
        #expect(value["item"]?.elements?.first?["protocolProfileBehavior"]?["disableBodyPruning"] == .bool(true))
    }

    @Test func `Ombi imports what it exports for Postman`() throws {
        let postman = try #require(Exporter.named("postman"))
        let requests = CurlExportTests.requests
        let text = Session.exported(requests.map { Self.order($0) }, as: postman).text
        let imported = try Importer.read(Array(text.utf8), from: "c.json")
        #expect(imported.collection.requests.map(\.name) == requests.map(\.name))
        #expect(imported.collection.requests.map(\.method) == requests.map(\.method))
    }

    @Test func `a page has a response that was recorded`() throws {
        let order = Self.order(SavedRequest(name: "~~a~~|b", path: "/a"))
        let response = TransportResponse(
            headers: ["Content-Type": "application/json"], statusCode: 201, body: Data("{\"a\":\"```\"}".utf8))
        let markdown = try #require(Exporter.named("markdown"))
        #expect(
            Session.exported([order], as: markdown, examples: [1: response]).text == """
                # c

                ## \\~\\~a\\~\\~\\|b

                ```http
                GET https://a.test/a
                ```

                Response: 201 Created

                ````json
                {
                  "a": "```"
                }
                ````
                """)
    }

    @Test(
        arguments: [
            ("a <b> <!-- c", "a &lt;b> &lt;!-- c"), ("</script>", "&lt;/script>"), ("1 < 2 <https://a.test>", nil),
            ("```\n<b>", "```\n<b>\n```"), ("~~~~ x\n~~~\n~~~~\n<?", "~~~~ x\n~~~\n~~~~\n&lt;?"), ("*a*\n\n- `b`", nil),
            ("```a``` b", nil), ("a\n\n    ```\nb", nil), ("```\n    ```\n<b>", "```\n    ```\n<b>\n```"),
            ("~~~ `\n<b>", "~~~ `\n<b>\n~~~"),
        ] as [(String, String?)])
    func `a description takes in nothing of the page behind it`(description: String, shown: String?) throws {
        let request = SavedRequest(name: "r", description: description, path: "/a")
        let text = Session.exported([Self.order(request)], as: try #require(Exporter.named("markdown"))).text
        #expect(text.contains("## r\n\n\(shown ?? description)\n\n```http\n"), "\(text)")
    }

    @Test func `Hurl and .http name the request, its options and its values`() throws {
        let request = SavedRequest(
            name: "r", method: .post, path: "/a", headers: [Field("X-A", "#1")],
            authentication: .basic(BasicAuthentication(username: "ada", password: "{{password}}")),
            body: .text(TextContent("a`{{plain}}")))
        let order = Self.order(request)
        let (hurl, http) = (try #require(Exporter.named("hurl")), try #require(Exporter.named("http")))
        #expect(
            Session.exported([order], as: hurl).text == #"""
                # r
                POST https://a.test/a
                X-A: \u{23}1
                Content-Type: text/plain; charset=utf-8
                [Options]
                location: true
                [BasicAuth]
                ada: {{password}}
                `a\u{60}{{plain}}`
                HTTP *
                """#)
        #expect(
            Session.exported([order], as: http).text == """
                @plain = seen

                ### r
                POST https://a.test/a
                X-A: #1
                Content-Type: text/plain; charset=utf-8
                Authorization: Basic ada {{password}}

                a`{{plain}}
                """)
    }
}
