import OmbiCore
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Collections of posting.
@Suite struct PostingImportTests {
    static let shop = [
        "home.posting.yaml": "name: home\nurl: $BASE/\n",
        "users/create.posting.yaml": """
        name: create a user
        description: Makes one
        method: POST
        url: ${BASE}/users/:team?x=1
        path_params:
          - name: team
            value: $TEAM
        params:
          - name: a
            value: 1
          - name: b
            value: two
            enabled: false
        headers:
          - name: Content-Type
            value: application/json
          - name: X-Price
            value: $$5
        body:
          content: '{"name": "$NAME", "braces": "{{x}}", "n": 1}'
          content_type: application/json
        auth:
          type: bearer_token
          bearer_token:
            token: tk4Zr9QmW1xVb7Np2Ls8
        options:
          follow_redirects: false
          verify_ssl: false
          timeout: 0.2
          proxy_url: http://127.0.0.1:8888
        scripts:
          setup: setup.py
        """,
        "users/login.posting.yaml": """
        name: login
        method: POST
        url: $BASE/login
        body:
          form_data:
            - name: user
              value: ada
        cookies:
          - name: sid
            value: "1"
        auth:
          type: basic
          basic:
            username: ada
            password: $PASSWORD
        """,
        "local.env": "BASE=http://localhost:3000\nTEAM=core\nPASSWORD=hunter2hunter2\n",
        "stage.env": "BASE=https://stage.test\nTEAM=ops\nPASSWORD=other2other2\n",
    ]

    @Test(
        arguments: [
            ("/u/:id", "7", "/u/:id", "7"), ("/u/:id.json", "$N", "/u/:id.json", "{{N}}"),
            ("/u/:id", "a/b", "/u/a/b", nil),
            ("/u/x:id", "7", "/u/x7", nil), ("/u/::id", "7", "/u/%3Aid", nil), ("/u/a::b/:id", "7", "/u/a:b/:id", "7"),
            ("/u?t=1", "7", "/u", nil),
        ] as [(String, String, String, String?)])
    func `a path parameter is sent as posting inserts it`(
        url: String, value: String, path: String, parameter: String?
    ) throws {
        let text = "url: https://a.test\(url)\npath_params:\n  - {name: id, value: \"\(value)\"}\n"
        let (imported, notes) = try FolderSample.file(text, "one.posting.yaml")
        let request = try #require(imported.collection.requests.first)
        #expect(request.path == path && request.pathParameters == (parameter.map { [Field("id", $0)] } ?? []))
        #expect(notes.contains { $0.kind == .remark && $0.subject == "?" } == url.contains("?"))
    }

    @Test func `values of an environment may name others`() throws {
        let (imported, notes) = try FolderSample.imported([
            "a.posting.yaml": "name: a\nurl: $BASE/x\nheaders: [{name: A, value: $ALL}]\n",
            "b.posting.yaml": "name: b\nurl: $BASE/y\nparams: [{name: q, value: '1', enabled: no}]\n",
            "local.env": "HOST=a.test\nBASE=https://${HOST}\nALL='${HOST} ${NONE:-d} ${GONE}$HOST'\n",
        ])
        let environment = try #require(imported.collection.environments.first)
        #expect(environment.host == "https://{{HOST}}")
        #expect(environment.variables.contains(Field("ALL", "{{HOST}} d $HOST")))
        #expect(imported.collection.requests[1].query == [Field("q", "1", enabled: false)])
        #expect(notes.lose("${NONE}", "default") && notes.lose("${GONE}", "nothing"))
    }

    @Test func `a path parameter without a value is a loss`() throws {
        let (_, notes) = try FolderSample.file("url: https://a.test/:id\nmethod: GET\n", "one.posting.yaml")
        #expect(notes.lose("/:id"))
    }

    @Test func `folders are folders, and the files of environments are environments`() throws {
        let (imported, _) = try FolderSample.imported(Self.shop)
        #expect(imported.collection.items.map(\.name) == ["home", "users"])
        #expect(imported.collection.requests.map(\.name) == ["home", "create a user", "login"])
        #expect(imported.collection.environments.map(\.name) == ["local", "stage"])
        #expect(imported.collection.environments.map(\.host) == ["http://localhost:3000", "https://stage.test"])
        #expect(imported.collection.environments.map { $0.variables.map(\.name) } == [["TEAM"], ["TEAM"]])
        #expect(Set(imported.secrets.map(\.name)) == ["PASSWORD", "sid", "token"])
    }

    @Test func `a request has its rows, its body and its options`() throws {
        let (imported, notes) = try FolderSample.imported(Self.shop)
        let create = imported.collection.requests[1]
        #expect(create.method == .post && create.description == "Makes one")
        #expect(create.path == "/users/:team" && create.pathParameters == [Field("team", "{{TEAM}}")])
        #expect(create.query == [Field("x", "1"), Field("a", "1"), Field("b", "two", enabled: false)])
        #expect(create.headers == [Field("X-Price", "$5")])
        let body = JSONValue.object([
            .init("name", .string("{{NAME}}")), .init("braces", .string("\\{{x}}")), .init("n", .number("1")),
        ])
        #expect(create.body == .json(JSONContent(body)))
        #expect(create.authentication == .bearer(BearerAuthentication(token: "{{token}}")))
        #expect(create.connection?.maximumRedirects == 0 && create.connection?.proxy == "http://127.0.0.1:8888")
        #expect(create.policy?.timeout == .milliseconds(200))
        #expect(notes.lose("setup") && notes.lose("verify_ssl"))
    }

    @Test func `a variable that no file has is empty, and a loss`() throws {
        let (imported, notes) = try FolderSample.imported(Self.shop)
        #expect(imported.collection.variables == [Field("NAME", "")])
        let note = try #require(notes.first { $0.subject == "$NAME" })
        #expect(note.kind == .loss && note.file?.hasSuffix("/users/create.posting.yaml") == true)
    }

    @Test func `forms, cookies and credentials`() throws {
        let (imported, _) = try FolderSample.imported(Self.shop)
        let login = imported.collection.requests[2]
        #expect(login.body == .form(FormContent([Field("user", "ada")])))
        #expect(login.headers.isEmpty && login.cookies == [Field("sid", "{{sid}}")])
        #expect(login.authentication == .basic(BasicAuthentication(username: "ada", password: "{{PASSWORD}}")))
        #expect(!imported.written(keeping: .drop).text.contains("hunter2hunter2"))
    }

    @Test func `the file of one request is imported alone`() throws {
        let (imported, _) = try FolderSample.file("name: a\nurl: https://a.test/x\n", "files/a.posting.yaml")
        #expect(imported.collection.requests.map(\.path) == ["/x"])
    }

    @Test func `a file that cannot be read is a loss, and the others stay`() throws {
        var files = Self.shop
        files["broken.posting.yaml"] = "name: [\n"
        files["broken.env"] = "no assignment\n"
        let (imported, notes) = try FolderSample.imported(files)
        #expect(imported.requestCount == 3 && imported.collection.environments.count == 2)
        #expect(notes.lose("broken.posting.yaml") && notes.lose("broken.env"))
    }

    /// A set of the other names for each of them takes minutes.
    @Test(.timeLimit(.minutes(2))) func `an environment with thousands of values is read in one pass`() throws {
        var files = Self.shop
        files["many.env"] = (0..<10_000).map { "A\($0)=${LAST}\n" }.joined() + "LAST=${LAST:-x}\n"
        let (imported, _) = try FolderSample.imported(files)
        let many = try #require(imported.collection.environments.first { $0.name == "many" })
        #expect(many.variables.count == 10_001 && many.variables.first == Field("A0", "{{LAST}}"))
        #expect(many.variables.last == Field("LAST", "x"))
    }

    @Test func `a token that a file leaves blank is a loss`() throws {
        let (_, notes) = try FolderSample.file(
            "name: a\nurl: https://a.test/x\nauth:\n  type: bearer_token\n  bearer_token:\n    token: ''\n",
            "a.posting.yaml")
        #expect(notes.lose("bearer_token"))
    }

    @Test func `an unknown kind of credentials is a loss, and nothing is inherited`() throws {
        let (imported, notes) = try FolderSample.file(
            "name: a\nurl: https://a.test/x\nauth:\n  type: hawk\n", "a.posting.yaml")
        #expect(imported.collection.requests.first?.authentication == .noAuthentication && notes.lose("hawk"))
    }
}
