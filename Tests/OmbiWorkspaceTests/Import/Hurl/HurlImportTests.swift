import OmbiCore
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Files of Hurl.
@Suite struct HurlImportTests {
    static func imported(_ text: String) throws -> (imported: Imported, notes: [ImportNote]) {
        let file = try Importer.read(Array(text.utf8), from: "shop.hurl")
        let joined = try Imported.joined([file])
        return (joined, file.notes + joined.notes)
    }

    private func only(_ text: String) throws -> (SavedRequest, notes: [ImportNote]) {
        let (imported, notes) = try Self.imported(text)
        return (try #require(imported.collection.requests.first), notes)
    }

    @Test(arguments: ["{{$file('/etc/hosts')}}", "{{$base64($file('/etc/hosts'), '{{x}}')}}"])
    func `a text of a file calls no function that only Ombi has`(text: String) throws {
        let (request, _) = try only("GET https://a.test\nX-A: \(text)\nHTTP 200\n")
        let value = try #require(request.headers.first?.value)
        #expect(try Template(value).names.allSatisfy { !$0.hasPrefix("$") }, "\(value)")
    }

    @Test func `entries are requests, in order, with the comment above as the name`() throws {
        let (imported, notes) = try Self.imported(
            """
            # Log in
            POST https://a.test/login
            HTTP 201

            GET https://a.test/x # the list
            X-A: 1 # one
            HTTP *
            # Again
            GET https://a.test/x
            """)
        #expect(imported.collection.name == "shop")
        #expect(imported.collection.requests.map(\.name) == ["Log in", "GET /x", "Again"])
        #expect(imported.collection.requests.map(\.path) == ["/login", "/x", "/x"])
        #expect(imported.collection.requests[1].headers == [Field("X-A", "1")])
        #expect(imported.collection.requests[0].expect?.status == [.code(201)])
        #expect(imported.collection.requests[1].expect?.status.count == 5)
        #expect(imported.collection.connection?.maximumRedirects == 0)
        #expect(notes.isEmpty, "\(notes)")
    }

    @Test func `the first line of a comment is the name, and the rest says more`() throws {
        let (request, _) = try only("# other\n\n# Log in\n# left out: retries\nGET https://a.test/x\nHTTP 200\n")
        #expect(request.name == "Log in")
    }

    @Test func `a comment that is drawn as a line is no name`() throws {
        let (imported, _) = try Self.imported(
            "# -----\nGET https://a.test/a\n# ======\n# === Users\n# ======\nGET https://a.test/b\nHTTP 200\n")
        #expect(imported.collection.requests.map(\.name) == ["GET /a", "Users"])
    }

    @Test(arguments: [
        ("--- Users ---", "Users"), ("\u{2550}\u{2550}\u{2550} Users", "Users"), ("----", ""), ("", ""), ("-x-", "-x-"),
        ("__ a __", "__ a __"), ("a ---- b", "a ---- b"),
    ])
    func `a heading is without the lines around it`(text: String, heading: String) {
        #expect(ForeignText.heading(text) == heading)
    }

    @Test func `requests without responses are those of Hurl by the name of the file`() throws {
        let (imported, notes) = try Self.imported("GET https://a.test/x\n")
        #expect(imported.collection.connection?.maximumRedirects == 0)
        #expect(imported.collection.requests.map { $0.expect?.status.count } == [5])
        #expect(notes.isEmpty, "\(notes)")
        let other = try Importer.read(Array("GET https://a.test/x\n".utf8), from: "shop.http")
        #expect(other.collection.connection == nil)
    }

    @Test func `a file of comments says that it has no request`() {
        let content = Array("# moved to users.hurl\n".utf8)
        let error = #expect(throws: ImportError.self) { try Importer.read(content, from: "shop.hurl") }
        #expect(error?.message == "there is no request in this file")
    }

    @Test func `an escaped semicolon is a part of a path, and an escaped comma makes no file`() throws {
        let (request, _) = try only(
            #"""
            POST https://a.test/x
            [Multipart]
            a: file,a\u{3b}\ b\;c.txt; text/x
            b: file\u{2c}a;
            HTTP 200
            """#)
        let expected = [
            MultipartPart("a", .file("a; b;c.txt"), contentType: "text/x"), MultipartPart("b", .text("file,a;")),
        ]
        #expect(request.body == .multipart(MultipartContent(expected)))
        let (sent, _) = try only("POST https://a.test/x\nContent-Type: a/b\nfile,a\\u{3b}b;\nHTTP 200\n")
        #expect(sent.body == .file(FileContent("a;b", contentType: "a/b")))
    }

    @Test func `escapes of texts are decoded, and those of patterns stay`() throws {
        let lines = [
            "POST https://a.test/x", ##"X-A: \u{20}a\#b # one"##, #"`a\n\`b\\n\u{23}`"#, "HTTP 200", "[Captures]",
            #"id: regex /(\d+)\b/"#,
        ]
        let (request, _) = try only(lines.joined(separator: "\n"))
        #expect(request.headers == [Field("X-A", " a#b")])
        #expect(request.body == .text(TextContent("a\n`b\\n#", contentType: nil)))
        #expect(request.captures.map(\.source) == [.regex(#"(\d+)\b"#)])
    }

    @Test func `sections of the request are rows, parts, cookies and credentials`() throws {
        let (request, _) = try only(
            """
            POST https://a.test/x
            [QueryStringParams]
            q: a b
            [Form]
            {{name}}: 1
            [Cookies]
            c: 2
            d: 3
            [BasicAuth]
            ada: {{password}}
            [Options]
            location: true
            HTTP 200
            """)
        #expect(request.query == [Field("q", "a b")])
        #expect(request.body == .form(FormContent([Field("{{name}}", "1")])))
        #expect(request.headers.isEmpty && request.cookies == [Field("c", "{{c}}"), Field("d", "{{d}}")])
        #expect(request.authentication == .basic(BasicAuthentication(username: "ada", password: "{{password}}")))
        #expect(request.connection?.maximumRedirects == 50)
        let (parts, _) = try only("POST https://a.test/x\n[Multipart]\na: 1\nf: file,p.png; image/png\nHTTP 200\n")
        let expected = [MultipartPart("a", .text("1")), MultipartPart("f", .file("p.png"), contentType: "image/png")]
        #expect(parts.body == .multipart(MultipartContent(expected)))
    }

    @Test(
        arguments: [
            ("{\n  \"id\": {{id}}\n}", SavedBody.json(JSONContent(.object([.init("id", .string("{{id:json}}"))])))),
            ("```json\n[1]\n```", .json(JSONContent(.array([.number("1")])))),
            ("<a>{{b}}</a>", .text(TextContent("<a>\\{{b}}</a>", contentType: "application/xml"))),
            ("```a{{b}}```", .text(TextContent("a{{b}}"))), ("```\na\nb```", .text(TextContent("a\nb"))),
            ("```,novariable\n{{a}}\n```", .text(TextContent("\\{{a}}\n"))),
            ("```,escape\na\\tb\n```", .text(TextContent("a\tb\n"))),
            ("file,a\\ b.bin;", .file(FileContent("a b.bin"))),
            ("`hello`", .text(TextContent("hello"))), ("file,a.bin;", .file(FileContent("a.bin"))),
            ("base64,aGk=;", .text(TextContent("hi"))),
        ] as [(String, SavedBody)])
    func `a body has its kind`(text: String, body: SavedBody) throws {
        let (request, notes) = try only("POST https://a.test/x\n\(text)\nHTTP 200\n")
        #expect(request.body == body)
        if case .text(let content) = body {
            #expect(notes.contains { $0.message.contains("no Content-Type") } == (content.contentType == nil))
        }
    }

    @Test func `a text between marks may have lines like those of an entry`() throws {
        let body = "# note\nSELECT * FROM t\nHTTP 500\n[Asserts]\n"
        let (imported, _) = try Self.imported(
            "POST https://a.test/x\n```\n\(body)```\nHTTP 200\n```\n\(body)```\n\nGET https://a.test/y\n")
        let requests = imported.collection.requests
        #expect(requests.map(\.path) == ["/x", "/y"])
        #expect(requests.first?.body == .text(TextContent(body)) && requests.first?.expect?.status == [.code(200)])
    }

    @Test func `the name of a header may be a template`() throws {
        let (request, notes) = try only("GET https://a.test/x\n{{n}}: 1\nX-{{n}}: 2\n[Query]\n{{n}}: 3\nHTTP 200\n")
        #expect(request.headers == [Field("{{n}}", "1"), Field("X-{{n}}", "2")] && request.body == nil)
        #expect(request.query == [Field("{{n}}", "3")] && notes.isEmpty, "\(notes)")
    }

    @Test func `captures and asserts are those of Ombi, or a loss with the line`() throws {
        let (request, notes) = try only(
            """
            GET https://a.test/x
            HTTP 200
            Content-Type: application/json
            [Captures]
            id: jsonpath "$.id"
            key: header "X-Key" redact
            sid: header "Set-Cookie" regex "sid=([^;]+)"
            [Asserts]
            jsonpath "$.items" count == 2
            variable "id" isInteger
            jsonpath "$.name" == "Ada"
            header "X-A" exists
            duration < 500
            xpath "//a" exists
            """)
        #expect(
            request.captures == [
                Capture("id", .path("$.id")), Capture("key", .header("X-Key"), isSecret: true),
                Capture("sid", .cookie("sid")),
            ])
        let expect = try #require(request.expect)
        #expect(expect.status == [.code(200)] && expect.within == .milliseconds(500))
        #expect(
            expect.headers == [
                HeaderExpectation("Content-Type", [.equals("application/json")]),
                HeaderExpectation("X-A", [.exists(true)]),
            ])
        #expect(
            expect.body == [
                BodyExpectation("$.items", [.count(NumberComparison(.equal, 2))]),
                BodyExpectation("$.id", [.type([.integer])]), BodyExpectation("$.name", [.equals("Ada")]),
            ])
        #expect(notes.filter { $0.kind == .loss }.map(\.position.line) == [14])
    }

    @Test func `the variables behind a query of GraphQL are those of the body`() throws {
        let (request, notes) = try only(
            "POST https://a.test/x\n```graphql\nquery Q($id: ID) {\n  user(id: $id) { name }\n}\n\nvariables {\n"
                + "  \"id\": \"{{id}}\"\n}\n```\nHTTP 200\n")
        let query = "query Q($id: ID) {\n  user(id: $id) { name }\n}"
        #expect(request.body == .graphql(GraphQLContent(query, variables: ["id": "{{id}}"])))
        #expect(notes.isEmpty, "\(notes)")
    }

    @Test(.timeLimit(.minutes(2))) func `thousands of comments are read in one pass`() throws {
        let comments = String(repeating: "###\n", count: 20_000)
        let (imported, _) = try Self.imported(
            "GET https://a.test\n\(comments)\nHTTP 200\n[1]\n\(comments)\nGET https://b.test\n")
        #expect(imported.collection.requests.count == 2)
    }

    @Test func `escapes in a value are the characters that they stand for`() throws {
        let (request, _) = try only(
            "POST https://a.test/x\n[Form]\na: b\\u{e9}\\tc\\n\\# \\q \\u{zz} # d\nHTTP 200\n")
        #expect(request.body == .form(FormContent([Field("a", "bé\tc\n# \\q \\u{zz}")])))
    }

    @Test(
        arguments: [
            ("jsonpath \"$.s\" startsWith \"a.c\"", BodyExpectation("$.s", [.matches("^a\\.c")])),
            ("jsonpath \"$.s\" endsWith \"?\"", BodyExpectation("$.s", [.matches("\\?$")])),
            ("jsonpath \"$.s\" matches /^\\d+\\/x$/", BodyExpectation("$.s", [.matches("^\\d+/x$")])),
            ("jsonpath \"$.l[*]\" includes 3", BodyExpectation("$.l", [.contains(.number("3"))])),
            (
                "jsonpath \"$.s\" != null",
                BodyExpectation("$.s", [.type([.string, .number, .boolean, .array, .object])])
            ),
            ("jsonpath \"$.l\" includes 3", BodyExpectation("$.l", [.contains(.number("3"))])),
            ("jsonpath \"$.l\" not isEmpty", BodyExpectation("$.l", [.count(NumberComparison(.greater, 0))])),
            ("jsonpath \"$.a-b\" == \"a\\tb\"", BodyExpectation("$['a-b']", [.equals("a\tb")])),
            ("jsonpath \"$..a-b[0]\" exists", BodyExpectation("$..['a-b'][0]", [.exists(true)])),
            ("jsonpath \"$.[0].id\" exists", BodyExpectation("$[0].id", [.exists(true)])),
            ("jsonpath \"$.d\" >= \"2024\"", BodyExpectation("$.d", [.atLeast("2024")])),
            ("jsonpath \"$.l\" nth 2 == 1", BodyExpectation("$.l[2]", [.equals(.number("1"))])),
            ("jsonpath \"$.l\" last exists", BodyExpectation("$.l[-1]", [.exists(true)])),
            ("body == \"ok\"", BodyExpectation(nil, [.equals("ok")])),
            ("body jsonpath \"$.l\" first == 1", BodyExpectation("$.l[0]", [.equals(.number("1"))])),
            ("body matches \"^o\"", BodyExpectation(nil, [.matches("^o")])),
            ("jsonpath \"$.s\" != \"a\"", BodyExpectation("$.s", [.not(.equals("a"))])),
            ("jsonpath \"$.s\" not == null", BodyExpectation("$.s", [.type(ValueType.notNull)])),
            ("jsonpath \"$.s\" not startsWith \"a\"", BodyExpectation("$.s", [.not(.matches("^a"))])),
            ("jsonpath \"$.l[*]\" not includes 3", BodyExpectation("$.l", [.not(.contains(.number("3")))])),
            ("jsonpath \"$\" not isList", BodyExpectation("$", [.type([.string, .number, .boolean, .object, .null])])),
            ("body not contains \"a\"", BodyExpectation(nil, [.not(.contains("a"))])),
            ("regex \"a+\" not exists", BodyExpectation(nil, [.not(.matches("a+"))])),
            ("body == ```\nGET /\n[Asserts]\n```", BodyExpectation(nil, [.equals("GET /\n[Asserts]\n")])),
        ] as [(String, BodyExpectation)])
    func `an assertion on the body is a condition`(line: String, expected: BodyExpectation) throws {
        let (request, notes) = try only("GET https://a.test\nHTTP 200\n[Asserts]\n\(line)\n")
        #expect(request.expect?.body == [expected])
        #expect(notes.isEmpty, "\(notes)")
    }

    @Test(
        arguments: [
            "jsonpath \"$.n\" not isInteger", "jsonpath \"$.l[*].a\" nth 0 == 1", "jsonpath \"$.s\" not > 1",
            "jsonpath \"$.text\" jsonpath \"$.a\" == 1", "cookie \"s[Path]\" == \"/\"", "body contains \"```\" and",
            "regex /a/ == \"b\"",
            "body exists", "status > 250", "status > 599", "jsonpath \"$.l[*].a\" includes 1",
            "jsonpath \"$.l[*].a\" isInteger", "jsonpath \"$..a\" == 1",
        ])
    func `an assertion without a counterpart is a loss`(line: String) throws {
        let (request, notes) = try only("GET https://a.test\nHTTP *\n[Asserts]\n\(line)\n")
        #expect(request.expect?.body.isEmpty == true && request.expect?.status.count == 5)
        #expect(notes.map(\.message) == ["this assertion has no counterpart"])
    }

    @Test func `assertions on the status, the headers, the size and the certificate are expectations`() throws {
        let (request, notes) = try only(
            """
            GET https://a.test
            HTTP *
            [Asserts]
            status >= 200
            status < 400
            bytes count > 10
            certificate "Expire-Date" daysAfterNow > 6
            header "X-Id" matches /^\\d+$/
            header "x-id" contains "1"
            header "X-No" not exists
            header "X-Id" not contains "a"
            header "x-id" contains "2"
            cookie "s" exists
            cookie "s[Value]" == "a.b"
            """)
        let expect = try #require(request.expect)
        #expect(expect.status == [.hundreds(2), .hundreds(3)])
        #expect(expect.size == NumberComparison(.greater, 10) && expect.certificateDays == 7)
        #expect(
            expect.headers == [
                HeaderExpectation("X-Id", [.contains("1"), .matches("^\\d+$"), .not(.contains("a"))]),
                HeaderExpectation("X-No", [.exists(false)]),
                HeaderExpectation("x-id", [.contains("2")]), HeaderExpectation("Set-Cookie", [.matches("^s=")]),
                HeaderExpectation("Set-Cookie", [.matches("^s=a\\.b(;|$)")]),
            ])
        #expect(notes.isEmpty, "\(notes)")
    }

    @Test func `the body that a response has to have is expected`() throws {
        let (imported, notes) = try Self.imported(
            """
            GET https://a.test/json
            HTTP 200
            { "id": 1,
              "list": [] }

            GET https://a.test/text
            HTTP 200
            `pong`
            # Again
            GET https://a.test/xml
            HTTP 200
            <a/>
            """)
        let requests = imported.collection.requests
        let json = JSONValue.object([.init("id", .number("1")), .init("list", .array([]))])
        #expect(requests[0].expect?.body == [BodyExpectation("$", [.equals(json)])])
        #expect(requests[1].expect?.body == [BodyExpectation(nil, [.equals("pong")])])
        #expect(requests[2].name == "Again" && requests[2].expect?.body.isEmpty == true)
        #expect(notes.map(\.position.line) == [12])
    }

    @Test func `lines may have spaces in front`() throws {
        let (imported, notes) = try Self.imported(
            "  # Log in\n  GET https://a.test/x\n  X-A: 1\n\t[Query]\n\tq: 2\n  HTTP 200\n  # Next\n\tGET {{host}}/y\n")
        let requests = imported.collection.requests
        #expect(requests.map(\.name) == ["Log in", "Next"] && requests[0].path == "/x")
        #expect(requests[0].headers == [Field("X-A", "1")] && requests[0].query == [Field("q", "2")])
        #expect(requests[0].expect?.status == [.code(200)])
        #expect(!notes.contains { $0.message.contains("left out") }, "\(notes)")
    }

    @Test func `a text in XML that begins with a word in capitals ends no body`() throws {
        let (imported, _) = try Self.imported("POST https://a.test/x\n<p>\n  GET READY\n</p>\nHTTP 200\n")
        #expect(imported.collection.requests.map(\.body?.text) == ["<p>\n  GET READY\n</p>"])
    }

    @Test func `several conditions of a kind on a value all hold`() throws {
        let (request, notes) = try only(
            "GET https://a.test\nHTTP 200\n[Asserts]\njsonpath \"$.s\" startsWith \"a\"\n"
                + "jsonpath \"$.s\" endsWith \"z\"\njsonpath \"$.s\" isString\njsonpath \"$.s\" endsWith \"z\"\n")
        let expected = [
            BodyExpectation("$.s", [.matches("^a"), .type([.string])]), BodyExpectation("$.s", [.matches("z$")]),
        ]
        #expect(request.expect?.body == expected && notes.isEmpty, "\(notes)")
    }

    @Test func `the value of a cookie is captured; its attributes, and a path into a text of JSON, are losses`() throws
    {
        let (request, notes) = try only(
            """
            GET https://a.test/x
            [Options]
            retry: -1
            HTTP 200
            [Captures]
            a: cookie "sid[Value]"
            b: cookie "sid[Path]"
            c: jsonpath "$.items" last jsonpath "$.id"
            """)
        #expect(request.captures == [Capture("a", .cookie("sid"))])
        #expect(request.policy?.retries == 1000)
        #expect(notes.filter { $0.kind == .loss }.map(\.position.line) == [7, 8])
    }

    @Test func `the path of a response is one below the host`() throws {
        let (imported, notes) = try Self.imported(
            "GET {{host}}/a\n[Options]\nvariable: host=https://a.test\nHTTP 302\n[Captures]\n"
                + "to: header \"Location\"\n\nGET {{host}}{{to}}\nHTTP 200\n")
        #expect(imported.collection.requests.map(\.path) == ["/a", "{{to}}"])
        #expect(imported.collection.environments.map(\.host) == ["https://a.test"] && notes.isEmpty, "\(notes)")
    }

    @Test func `a text in backticks is one, and a status that no server sends a loss`() throws {
        let (request, notes) = try only("GET https://a.test\nHTTP 999\n[Asserts]\nbody contains `\"a\" b`\n")
        #expect(request.expect?.body == [BodyExpectation(nil, [.contains("\"a\" b")])])
        #expect(request.expect?.status.count == 5 && notes.lose("HTTP 999"))
    }

    @Test func `bytes are a loss, values of Hurl are functions, and an entry that is left out is disabled`() throws {
        let (imported, notes) = try Self.imported(
            "GET https://a.test/{{newUuid}}?h={{getEnv \"HOME2\"}}\n[Options]\nskip: true\nHTTP 200\n\n"
                + "POST https://a.test/x\nhex,ff00;\nHTTP 200\n")
        let (first, second) = (imported.collection.requests[0], imported.collection.requests[1])
        #expect(first.isDisabled && first.path == "/{{$uuid}}" && first.query == [Field("h", "{{HOME2}}")])
        #expect(imported.collection.environments.first?.secrets == [Secret("HOME2", .environment("HOME2"))])
        #expect(second.body == nil && notes.filter { $0.kind == .loss }.map(\.position.line) == [7])
    }

    @Test func `a header of a response with a variable is a loss`() throws {
        let (request, notes) = try only("GET https://a.test/x\nHTTP 200\nX-A: {{v}}\nX-B: b\n")
        #expect(request.expect?.headers == [HeaderExpectation("X-B", [.equals("b")])] && notes.lose("X-A"))
    }
}
