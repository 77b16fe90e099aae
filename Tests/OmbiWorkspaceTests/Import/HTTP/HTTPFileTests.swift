import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Files of requests as text.
@Suite struct HTTPFileTests {
    private static func imported(
        _ text: String, _ environments: (path: String, text: String)...
    ) throws -> (imported: Imported, notes: [ImportNote]) {
        let first = try Importer.read(Array(text.utf8), from: "files/shop.http")
        let files = [first] + (try environments.map { try Importer.read(Array($0.text.utf8), from: $0.path) })
        let joined = try Imported.joined(files)
        return (joined, files.flatMap(\.notes) + joined.notes)
    }

    private func only(_ text: String) throws -> (SavedRequest, notes: [ImportNote]) {
        let (imported, notes) = try Self.imported(text)
        return (try #require(imported.collection.requests.first), notes)
    }

    @Test(arguments: ["{{$file('/etc/hosts')}}", "{{$base64($file('/etc/hosts'), '{{x}}')}}"])
    func `a text of a file calls no function that only Ombi has`(text: String) throws {
        let (request, _) = try only("GET https://a.test\nX-A: \(text)\n")
        let value = try #require(request.headers.first?.value)
        #expect(try Template(value).names.allSatisfy { !$0.hasPrefix("$") }, "\(value)")
    }

    // MARK: Requests

    @Test func `requests have the names and the order of the file`() throws {
        let (imported, notes) = try Self.imported(
            """
            @host = https://a.test
            # a comment
            GET {{host}}/one
            ### --- Second --- ###
            POST {{host}}/two HTTP/1.1
            ###
            // @name third
            {{host}}/three

            # no body
            """)
        #expect(imported.collection.name == "shop")
        #expect(imported.collection.requests.map(\.name) == ["GET /one", "Second", "third"])
        #expect(imported.collection.requests.map(\.path) == ["/one", "/two", "/three"])
        #expect(imported.collection.environments.map(\.host) == ["https://a.test"])
        #expect(imported.collection.requests.allSatisfy { $0.body == nil })
        #expect(notes.isEmpty, "\(notes)")
    }

    @Test(
        arguments: [
            ("GET https://a.test/x\n  ?a=1\n  &b={{c}}\nAccept: */*\n", "/x", [Field("a", "1"), Field("b", "{{c}}")]),
            ("GET https://a.test/x?\n    a=1&\n    b=2\n", "/x", [Field("a", "1"), Field("b", "2")]),
            ("GET https://a.test/x?a=1\n&b=2\n    # &c=3\n?d HTTP/1.1\n", "/x", [Field("a", "1"), Field("b", "2?d")]),
            ("https://a.test/x?i={{$randomInt 5 10}}\n", "/x", [Field("i", "{{$randomInt(5, 9)}}")]),
            ("# @no-auto-encoding\nGET https://a.test/x?a=1,2&f\n", "/x", [.raw("a", "1,2"), .raw("f", "")]),
            ("GET https://a.test/x?flag HTTP/1.1\n", "/x?flag", []),
            ("https://a.test/x/:id\n", "/x/%3Aid", []),
            ("GET /x\nHost: a.test\n", "/x", []),
            ("Get a.test/x\n", "/x", []),
        ] as [(String, String, [Field])])
    func `a request line may go on, and need no method`(text: String, path: String, query: [Field]) throws {
        let (request, _) = try only(text)
        #expect(request.method == .get && request.path == path && request.query == query)
    }

    @Test func `what is no request is a loss with its line`() throws {
        let (imported, notes) = try Self.imported(
            "GET https://a.test/x\n\n###\n\nhello\n\n###\nGRPC a.test/z\n\n###\nimport b.http\n")
        #expect(imported.requestCount == 1)
        #expect(notes.filter { $0.kind == .loss }.map(\.position.line) == [5, 8, 11])
    }

    @Test func `headers are rows, and credentials authentication`() throws {
        let (basic, _) = try only("GET https://a.test/x\nX-A: 1\n# off\nAuthorization: Basic ada {{password}}\n")
        #expect(basic.headers == [Field("X-A", "1")])
        #expect(basic.authentication == .basic(BasicAuthentication(username: "ada", password: "{{password}}")))
        let (digest, _) = try only("GET https://a.test/x\nAuthorization: Digest ada {{p}}\n")
        #expect(digest.authentication == .digest(DigestAuthentication(username: "ada", password: "{{p}}")))
        let (encoded, _) = try only("GET https://a.test/x\nAuthorization: Basic {{encoded}}\n")
        #expect(encoded.authentication == nil && encoded.headers.count == 1)
    }

    @Test func `a header without a name is a loss`() throws {
        let (request, notes) = try only("GET https://a.test/x\n: a\nX-A: 1\n")
        #expect(request.headers == [Field("X-A", "1")])
        #expect(notes.contains { $0.kind == .loss && $0.position.line == 2 })
    }

    @Test func `comments set a request`() throws {
        let (request, notes) = try only(
            "# @name a\n# @no-redirect\n# @no-log\n# @disabled\n# @loop for 3\nGET https://a.test/x\n")
        #expect(request.name == "a" && request.connection?.maximumRedirects == 0 && !request.isRecorded)
        #expect(request.isDisabled)
        #expect(notes.filter { $0.kind == .loss }.map(\.subject) == ["@loop"])
        let (computed, losses) = try only("# @disabled !this.token\nGET https://a.test/x\n")
        #expect(!computed.isDisabled && losses.contains { $0.kind == .loss && $0.subject == "@disabled" })
    }

    // MARK: Bodies

    @Test func `a JSON body is JSON, also with comments and templates`() throws {
        let (request, _) = try only(
            "POST https://a.test/x\nContent-Type: application/json\n\n{\n  // first\n  \"id\": {{id}}\n}\n\n###\n")
        #expect(request.body == .json(JSONContent(.object([.init("id", .string("{{id:json}}"))]))))
        #expect(request.headers.isEmpty)
    }

    @Test func `a form over several lines is one`() throws {
        let (request, _) = try only(
            "POST https://a.test/x\nContent-Type: application/x-www-form-urlencoded\n\na=1&\nb={{c}}\n  &d=4\n")
        #expect(request.body == .form(FormContent([Field("a", "1"), Field("b", "{{c}}"), Field("d", "4")])))
    }

    @Test func `files are bodies and parts`() throws {
        let (file, notes) = try only("POST https://a.test/x\nContent-Type: text/csv\n\n<@ ./a.csv\n")
        #expect(file.body == .file(FileContent("./a.csv", contentType: "text/csv")) && file.headers.isEmpty)
        #expect(notes.contains { $0.kind == .loss && $0.subject == "<@" })
        let (parts, _) = try only(
            """
            POST https://a.test/x
            Content-Type: multipart/form-data; boundary=b

            --b
            Content-Disposition: form-data; name="t"

            {{text}}
            --b
            Content-Disposition: form-data; name="f"; filename="p.png"
            Content-Type: image/png

            < ./p.png
            --b--
            """)
        #expect(
            parts.body
                == .multipart(
                    MultipartContent([
                        MultipartPart("t", .text("{{text}}")),
                        MultipartPart("f", .file("./p.png"), contentType: "image/png", fileName: "p.png"),
                    ])))
    }

    @Test func `a GraphQL request has a query and variables`() throws {
        let (request, _) = try only("GRAPHQL https://a.test/g\n\nquery { a }\n\n{\"id\": {{id}}}\n")
        let variables = JSONValue.object([.init("id", .string("{{id:json}}"))])
        #expect(
            request.method == .post && request.body == .graphql(GraphQLContent("query { a }", variables: variables)))
    }

    // MARK: Variables

    @Test(arguments: [
        ("{{$guid}}", "{{$uuid}}"), ("{{$timestamp -1 d}}", "{{$now('%s', '-1d')}}"),
        ("{{$randomInt 1 10}}", "{{$randomInt(1, 9)}}"), ("{{$random.alphanumeric(8)}}", "{{$randomString(8)}}"),
        ("{{$datetime \"YYYY-MM-DD\" 3 h}}", "{{$now('%Y-%m-%d', '+3h')}}"), ("{{ a }}", "{{a}}"),
        ("{{$dotenv KEY}}", "{{KEY}}"), ("{{$random.integer(100)}}", "{{$randomInt(0, 99)}}"),
        ("{{$random.integer()}}", "{{$randomInt(0, 1000)}}"),
    ])
    func `functions have those of Ombi`(written: String, template: String) throws {
        let (request, _) = try only("GET https://a.test/x\nX-A: \(written)\n")
        #expect(request.headers == [Field("X-A", template)])
    }

    @Test func `an expression is a fixed value, and a loss`() throws {
        let (imported, notes) = try Self.imported("GET https://a.test/x\nX-A: {{$random.email}}\n")
        #expect(imported.collection.requests.first?.headers == [Field("X-A", "{{random_email}}")])
        #expect(imported.collection.variables == [Field("random_email", "sample")])
        #expect(notes.contains { $0.kind == .loss && $0.subject == "{{$random.email}}" })
    }

    @Test(arguments: ["{{ this.name ?? \"World\" }}", "{{a ? \"b\" : \"c\"}}", "{{ list[\"a b\"] }}"])
    func `an operation with a text in quotes is one, too`(written: String) throws {
        let (imported, notes) = try Self.imported("GET https://a.test/x\nX-A: \(written)\n")
        let value = try #require(imported.collection.requests.first?.headers.first?.value)
        #expect(imported.collection.variables.map { "{{\($0.name)}}" } == [value])
        #expect(notes.contains { $0.kind == .loss && $0.message.hasPrefix("a fixed value") })
    }

    @Test(arguments: ["{\"a\":{\"b\":1}}", "{{\"a\": 1}}", "{{ x: \"a\" }}"])
    func `braces of JSON are no template`(written: String) throws {
        let (request, _) = try only("POST https://a.test/x\nX-A: \(written)\n")
        #expect(request.headers == [Field("X-A", TemplateText.literal(written))])
    }

    @Test func `a part of another response is a capture of that request`() throws {
        let (imported, _) = try Self.imported(
            """
            @token = {{login.response.body.$.data.token}}
            # @name login
            POST https://a.test/login
            ###
            GET https://a.test/x
            Authorization: Bearer {{token}}
            X-A: {{login.response.headers.X-Id}}
            """)
        let (login, other) = (imported.collection.requests[0], imported.collection.requests[1])
        #expect(
            login.captures == [
                Capture("login_data_token", .path("$.data.token"), isSecret: true),
                Capture("login_X_Id", .header("X-Id")),
            ])
        #expect(other.authentication == .bearer(BearerAuthentication(token: "{{token}}")))
        #expect(other.headers == [Field("X-A", "{{login_X_Id}}")])
        #expect(imported.collection.variables == [Field("token", "{{login_data_token}}")])
    }

    @Test func `scripts become expectations and captures, and the rest is a loss`() throws {
        let (request, notes) = try only(
            """
            GET https://a.test/x

            > {%
              client.test("it is there", function() {
                client.assert(response.status === 200, "status");
              });
              client.global.set("id", response.body.user.id);
              window.alert(1);
            %}
            """)
        #expect(request.expect?.status == [StatusPattern("200")].compactMap { $0 })
        #expect(request.captures == [Capture("id", .path("$.user.id"))])
        #expect(notes.contains { $0.kind == .loss && $0.position.line == 3 && $0.message.contains("left: line 6") })
        #expect(request.body == nil)
    }

    // MARK: Environments

    @Test func `files of environments are joined, and the private one has secrets`() throws {
        let key = "8f3a9c1e5b7d2f4a6c8e0b1d"
        let (imported, notes) = try Self.imported(
            "GET {{host}}/x\nX-User: {{user}}\n",
            (
                "a/http-client.env.json",
                #"{"$shared": {"size": 3}, "dev": {"host": "https://dev.test", "user": "", "deep": {"a": 1}}}"#
            ), ("a/http-client.private.env.json", #"{"dev": {"user": "ada", "key": "\#(key)"}}"#))
        let environment = try #require(imported.collection.environments.first)
        #expect(imported.collection.environments.count == 1 && environment.host == "https://dev.test")
        #expect(environment.variables == [Field("deep.a", "1"), Field("size", "3")])
        #expect(Set(imported.secrets.map(\.description)) == ["user (dev)", "key (dev)"])
        #expect(!imported.written(keeping: .drop).text.contains(key))
        #expect(!notes.contains { $0.description.contains(key) })
    }

    @Test(arguments: [
        #"{ // one\n "a": 1, "rest-client.environmentVariables": {"$shared": {"v": "1"}, "dev": {"host": "https://d.test"}}}"#,
        #"{"settings": {"rest-client.environmentVariables": {"$shared": {"v": "1"}, "dev": {"host": "https://d.test"}}}}"#,
        #"{"b": ["x,]",], "rest-client.environmentVariables": {"$shared": {"v": "1"}, "dev": {"host": "https://d.test",},\n},}"#,
    ])
    func `settings of VS Code have environments`(settings: String) throws {
        let (imported, _) = try Self.imported(
            "GET {{host}}/x\nX-A: {{v}}\n", (".vscode/settings.json", settings.replacing("\\n", with: "\n")))
        let environment = try #require(imported.collection.environments.first)
        #expect(environment.name == "dev" && environment.host == "https://d.test")
        #expect(environment.variables == [Field("v", "1")])
    }

    // MARK: Detection

    @Test(arguments: ["hello", "# A page\n\nSome words.\n\nGET https://a.test/x\n", "see https://a.test/x", "a: 1\n"])
    func `other text is no file of requests`(text: String) {
        #expect(throws: ImportError.self) { try Importer.read(Array(text.utf8), from: "a.md") }
    }

    @Test(
        arguments: [
            ("  GET https://a.test/x\n  X-A: 1\n", "/x", [Field("X-A", "1")]),
            ("GET https://a.test/x\nX-A :2\n X-B:\n", "/x", [Field("X-A", "2"), Field("X-B", "")]),
            ("GET https://a.test\n  /x\n  HTTP/1.1\nX-A: 1\n", "/x", [Field("X-A", "1")]),
        ] as [(String, String, [Field])])
    func `an indented header is one, and a version on a line of its own is no part of the URL`(
        text: String, path: String, headers: [Field]
    ) throws {
        let (imported, notes) = try Self.imported(text)
        #expect(imported.collection.requests.map(\.path) == [path] && notes.isEmpty, "\(notes)")
        #expect(imported.collection.requests.first?.headers == headers)
    }

    @Test func `comments stand between the lines of a query`() throws {
        let (request, notes) = try only("GET https://a.test/x\n?a=1\n// &b=2\n# @name n\n&c=3\nX-A: 1\n")
        #expect(request.query == [Field("a", "1"), Field("c", "3")] && request.headers == [Field("X-A", "1")])
        #expect(request.name == "n" && notes.isEmpty, "\(notes)")
    }

    @Test(arguments: ["{{a.response.body.*}}", "{{a.response.body}}"])
    func `the body of a response as a whole is captured`(text: String) throws {
        let (imported, notes) = try Self.imported(
            "# @name a\nGET https://a.test/a\n\n###\nPOST https://a.test/b\nContent-Type: text/plain\n\n\(text)\n")
        #expect(imported.collection.requests.map(\.captures) == [[Capture("a_body", .path("$"))], []])
        #expect(imported.collection.requests.last?.body?.text == "{{a_body}}")
        #expect(notes.map(\.message) == ["the body has to be JSON"])
    }

    @Test func `a variable with a query is a whole URL, and no host`() throws {
        let (imported, notes) = try Self.imported(
            "@host = https://a.test\n@list = {{host}}/list?size={{n}}\n@n = 5\nGET {{list}}\n\n###\nGET {{host}}/b\n")
        #expect(imported.collection.environments.map(\.host) == ["https://a.test"])
        #expect(imported.collection.requests.map(\.path) == ["{{list}}", "/b"])
        #expect(imported.collection.variables.contains(Field("list", "{{host}}/list?size={{n}}")))
        #expect(notes.isEmpty, "\(notes)")
    }

    @Test func `a body without a type is named, as Ombi sends one`() throws {
        let (_, notes) = try only("POST https://a.test/x\n\nhello\n")
        #expect(notes.contains { $0.kind == .remark && $0.subject == "body" && $0.position.line == 3 })
    }

    @Test(arguments: ["{{host}}{{path}}?x=1", "https://a.test:8080{{path}}?x=1"])
    func `a variable with a path stands behind the host`(url: String) throws {
        let (imported, notes) = try Self.imported(
            "@host = https://a.test:8080\n@path = /a/b\nGET \(url)\n\n###\nGET https://a.test:8080/c\n")
        let (first, second) = (imported.collection.requests[0], imported.collection.requests[1])
        #expect(imported.collection.environments.map(\.host) == ["https://a.test:8080"])
        #expect(first.path == "{{path}}")
        #expect(second.path == (url.hasPrefix("{{host") ? "https://a.test:8080/c" : "/c") && notes.isEmpty, "\(notes)")
    }
}
