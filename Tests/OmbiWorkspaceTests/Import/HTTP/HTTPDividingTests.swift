import OmbiCore
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// The lines at which requests, names and scripts of a file begin and end.
@Suite struct HTTPDividingTests {
    private func imported(_ text: String) throws -> (Imported, notes: [ImportNote]) {
        let file = try Importer.read(Array(text.utf8), from: "files/shop.http")
        let joined = try Imported.joined([file])
        return (joined, file.notes + joined.notes)
    }

    @Test(arguments: [
        "GET https://a.test/1\n\nPOST https://a.test/2\n\n{\"a\": 1}\n\nPUT {{h}}/3\n",
        "GET https://a.test/1\n\n# ### second\nPOST https://a.test/2\n\n{\"a\": 1}\n# last\n\n# one\nPUT {{h}}/3\n",
    ])
    func `a request below a body that is over is one of its own`(text: String) throws {
        let (imported, notes) = try imported("@h = https://a.test\n" + text)
        #expect(imported.collection.requests.map(\.method) == [.get, .post, .put])
        #expect(imported.collection.requests.map { $0.body == nil } == [true, false, true])
        #expect(notes.contains { $0.kind == .remark && $0.message.contains("VS Code needs a line of ###") })
    }

    @Test(arguments: [
        "--b\nContent-Type: application/http\n\nGET https://a.test/x HTTP/1.1\n\n--b--\n",
        "words\n\nGET https://a.test/x\n", "{\"a\": [\n\nGET https://a.test/x\n", "Send to /x\n\nDelete the file /x\n",
    ])
    func `a line in a text is no request`(body: String) throws {
        let (imported, _) = try imported("POST https://a.test/b\nX-A: 1\n\n" + body)
        #expect(imported.collection.requests.count == 1)
    }

    /// Looking for the end of each script up to the end of the file takes minutes.
    @Test(.timeLimit(.minutes(2)), arguments: ["{{\n}}\n", "{{\n a}}\n"])
    func `thousands of scripts are read in one pass`(script: String) throws {
        let (imported, notes) = try imported(String(repeating: script, count: 30_000) + "GET https://a.test/x\n")
        #expect(imported.collection.requests.count == 1)
        #expect(notes.contains { $0.message.hasPrefix("2 lines are left out: scripts are not run") })
    }

    /// Looking for the start of the body at each line takes minutes.
    @Test(.timeLimit(.minutes(2))) func `thousands of lines like requests in a body are read in one pass`() throws {
        let (start, end) = (String(repeating: "@a = 1\n", count: 30_000), String(repeating: "GET /x\n", count: 30_000))
        let (imported, _) = try imported("POST https://a.test/x\n\n" + start + "x\n" + end)
        let request = try #require(imported.collection.requests.first)
        let text = if case .text(let content)? = request.body { content.text } else { "" }
        #expect(imported.collection.requests.count == 1)
        #expect(text.split(separator: "\n").count == 60_001)
    }

    @Test func `a name above the line of a request is its name`() throws {
        let (imported, notes) = try imported(
            """
            @token = {{login.response.body.token}}
            # @name login
            ### Log in
            POST https://a.test/login

            # @name list
            ### List
            GET https://a.test/x?t={{token}}
            """)
        #expect(imported.collection.requests.map(\.name) == ["login", "list"])
        #expect(imported.collection.requests.first?.captures.map(\.name) == ["login_token"])
        #expect(notes.isEmpty, "\(notes)")
    }

    @Test func `spaces may stand in the braces that a line of a request begins with`() throws {
        let (imported, _) = try imported(
            "@host = https://a.test\n###\n{{ host }}/a?b=1\n###\nPUT {{ host }}/c\n")
        #expect(imported.collection.requests.map(\.method) == [.get, .put])
        #expect(imported.collection.requests.map(\.path) == ["/a", "/c"])
    }

    @Test func `what a script of httpyac keeps is a capture, and its braces end alone`() throws {
        let (imported, notes) = try imported(
            """
            {{
              const text = "{{ name }}";
              run(text);
            }}
            POST https://a.test/login

            {{
              $global.token = response.parsedBody.session.token;
              exports.id = response.parsedBody.id;
            }}

            ###
            GET https://a.test/{{id}}
            Authorization: Bearer {{$global.token}}
            """)
        let requests = imported.collection.requests
        #expect(requests.map(\.path) == ["/login", "/{{id}}"])
        #expect(
            requests.first?.captures == [
                Capture("token", .path("$.session.token"), isSecret: true), Capture("id", .path("$.id")),
            ])
        #expect(requests.last?.authentication == .bearer(BearerAuthentication(token: "{{token}}")))
        #expect(notes.map(\.message) == ["4 lines are left out: scripts are not run"])
    }

    @Test func `a fence in a block of a document is a line of it`() throws {
        let text = "```http\nPOST https://a.test/a\n\n~~~http\nGET https://a.test/b\n~~~\n```\n"
        let imported = try Importer.read(Array(text.utf8), from: "a.md")
        #expect(imported.collection.requests.map { $0.path.hasSuffix("/a") } == [true])
    }

    @Test func `blocks of requests in a document are requests, in their lines`() throws {
        let text = """
            # Users

            Log in first:

            ```http
            @host = https://a.test
            POST {{host}}/login
            X-A
            ```

            ```http
            HTTP/1.1 200 OK
            ```

              ~~~ REST
              GET {{host}}/users
              ~~~

            ```bash
            curl https://a.test/x
            ```
            """
        let file = try Importer.read(Array(text.utf8), from: "docs/users.md")
        let joined = try Imported.joined([file])
        #expect(joined.collection.requests.map(\.method) == [.post, .get, .get])
        #expect(joined.collection.requests.map(\.path).prefix(2) == ["/login", "/users"])
        #expect(file.notes.filter { $0.kind == .loss }.map(\.position.line) == [8])
        let folder = try TemporaryFolder()
        defer { _ = folder.names }
        let opened = CollectionFile.load(try folder.file("users.md", text)).readInPlace
        #expect(opened.collection?.requests.count == 3)
    }
}
