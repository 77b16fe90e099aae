import OmbiCore
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Files of Hurl.
@Suite struct HurlImportTests {
    private static func imported(_ text: String) throws -> (imported: Imported, notes: [ImportNote]) {
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
            ("<a/>", .text(TextContent("<a/>", contentType: "application/xml"))),
            ("`hello`", .text(TextContent("hello"))), ("file,a.bin;", .file(FileContent("a.bin"))),
        ] as [(String, SavedBody)])
    func `a body has its kind`(text: String, body: SavedBody) throws {
        let (request, notes) = try only("POST https://a.test/x\n\(text)\nHTTP 200\n")
        #expect(request.body == body)
        #expect(notes.contains { $0.message.contains("no Content-Type") } == text.contains("hello"))
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
            [Asserts]
            jsonpath "$.items" count == 2
            jsonpath "$.name" == "Ada"
            header "X-A" exists
            duration < 500
            xpath "//a" exists
            """)
        #expect(
            request.captures == [
                Capture("id", .path("$.id")), Capture("key", .header("X-Key"), isSecret: true),
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
                BodyExpectation("$.name", [.equals("Ada")]),
            ])
        #expect(notes.filter { $0.kind == .loss }.map(\.position.line) == [12])
    }

    @Test func `the variables behind a query of GraphQL are those of the body`() throws {
        let (request, notes) = try only(
            "POST https://a.test/x\n```graphql\nquery Q($id: ID) {\n  user(id: $id) { name }\n}\nvariables {\n"
                + "  \"id\": \"{{id}}\"\n}\n```\nHTTP 200\n")
        let query = "query Q($id: ID) {\n  user(id: $id) { name }\n}\n"
        #expect(request.body == .graphql(GraphQLContent(query, variables: ["id": "{{id}}"])))
        #expect(notes.isEmpty, "\(notes)")
    }

    @Test func `options that Ombi has are settings of the request`() throws {
        let (request, notes) = try only(
            """
            GET https://a.test/x
            [Options]
            retry: 3
            retry-interval: 500ms
            max-time: 2
            connect-timeout: 100ms
            proxy: 127.0.0.1:3128
            user: ada:{{password}}
            header: X-A: 1
            delay: 1s
            retry: -1
            HTTP 200
            """)
        #expect(
            request.policy
                == RequestPolicy(
                    retries: 3, timeout: .seconds(2), backoff: Backoff(first: .milliseconds(500), factor: 1)))
        #expect(request.connection?.connectTimeout == .milliseconds(100))
        #expect(request.connection?.proxy == "http://127.0.0.1:3128")
        #expect(request.authentication == .basic(BasicAuthentication(username: "ada", password: "{{password}}")))
        #expect(request.headers == [Field("X-A", "1")])
        #expect(notes.filter { $0.kind == .loss }.map(\.position.line) == [10, 11])
    }

    @Test func `escapes in a value are the characters that they stand for`() throws {
        let (request, _) = try only(
            "POST https://a.test/x\n[Form]\na: b\\u{e9}\\tc\\n\\# \\q \\u{zz} # d\nHTTP 200\n")
        #expect(request.body == .form(FormContent([Field("a", "bé\tc\n# \\q \\u{zz}")])))
    }
}
