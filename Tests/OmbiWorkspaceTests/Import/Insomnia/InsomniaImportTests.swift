import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Exports of Insomnia.
@Suite struct InsomniaImportTests {
    private static let workspace = #"{"_type": "workspace", "_id": "wrk", "name": "Shop", "parentId": null}"#

    private static func imported(_ resources: String...) throws -> (imported: Imported, notes: [ImportNote]) {
        let list = ([workspace] + resources).joined(separator: ",\n")
        let text = "{\"_type\": \"export\", \"__export_format\": 4, \"resources\": [\(list)]}"
        let file = try Importer.read(Array(text.utf8), from: "insomnia.json")
        let joined = try Imported.joined([file])
        return (joined, file.notes + joined.notes)
    }

    /// A request of the workspace with further members.
    private static func request(_ id: String, _ members: String, parent: String = "wrk", key: Int = 0) -> String {
        #"{"_type": "request", "_id": "\#(id)", "name": "\#(id)", "parentId": "\#(parent)", "metaSortKey": \#(key), "#
            + #""url": "https://a.test/x", \#(members)}"#
    }

    private func only(_ members: String) throws -> (SavedRequest, notes: [ImportNote]) {
        let (imported, notes) = try Self.imported(Self.request("r", members))
        return (try #require(imported.collection.requests.first), notes)
    }

    @Test func `a WebSocket has its headers and its messages`() throws {
        let socket =
            #"{"_type": "websocket_request", "_id": "ws", "name": "w", "parentId": "wrk", "url": "wss://a.test/w", "#
            + #""headers": [{"name": "X-A", "value": "1"}]}"#
        let messages = ["ws", "gone"].map { parent in
            #"{"_type": "websocket_payload", "_id": "p-\#(parent)", "parentId": "\#(parent)", "name": "hi", "#
                + #""value": "hello {{ _.name }}", "mode": "text/plain"}"#
        }
        let (imported, notes) = try Self.imported(messages[0], socket, messages[1])
        let request = try #require(imported.collection.requests.first)
        #expect(request.isWebSocket && request.method == .get && request.headers == [Field("X-A", "1")])
        #expect(request.webSocket?.messages == [SavedMessage(name: "hi", text: "hello {{name}}")])
        #expect(notes.filter { $0.subject == "websocket_payload" }.count == 1)
    }

    @Test(
        arguments: [("header", .header), ("queryParams", .query), ("cookie", .cookie)]
            as [(String, APIKeyAuthentication.Location)])
    func `a key is sent in its place`(place: String, location: APIKeyAuthentication.Location) throws {
        let members = #""authentication": {"type": "apikey", "key": "sid", "value": "{{ _.k }}", "addTo": "\#(place)"}"#
        let key = APIKeyAuthentication(name: "sid", value: "{{k}}", location: location)
        #expect(try only(members).0.authentication == .apiKey(key))
    }

    @Test(
        arguments: [("", Field("a", "1;2")), (#", "settingEncodeUrl": false"#, .raw("a", "1;2"))] as [(String, Field)])
    func `a query that is not encoded has raw rows`(setting: String, row: Field) throws {
        let members = #""parameters": [{"name": "a", "value": "1;2"}]"# + setting
        #expect(try only(members).0.query == [row])
    }

    @Test(
        arguments: [
            ("a%20b", Field("a", "a b")), ("a%2Fb&c", .raw("a", "a%2Fb%26c")), ("100%", Field("a", "100%")),
            ("{{ _.b }}%20c", Field("a", "{{b}} c")),
        ] as [(String, Field)])
    func `escapes in a query are sent as they are`(value: String, row: Field) throws {
        #expect(try only(#""parameters": [{"name": "a", "value": "\#(value)"}]"#).0.query == [row])
    }

    @Test func `a row without a value that is not encoded has its =`() throws {
        let members = #""parameters": [{"name": "a", "value": ""}], "settingEncodeUrl": false"#
        #expect(try only(members).0.query == [.raw("a=", "")])
    }

    @Test func `parts have their types, and one without a name is a loss`() throws {
        let (request, notes) = try only(
            """
            "body": {"mimeType": "multipart/form-data", "params": [
            {"name": "j", "value": "{}", "type": "text", "multiline": "application/json"},
            {"name": "t", "value": "x", "multiline": true}, {"name": "", "value": "y"}]}
            """)
        #expect(
            request.body
                == .multipart(
                    MultipartContent([
                        MultipartPart("j", .text("{}"), contentType: "application/json"),
                        MultipartPart("t", .text("x")),
                    ])))
        #expect(notes.contains { $0.kind == .loss && $0.subject == "body" })
    }

    @Test func `a comment in a template is not sent`() throws {
        let (request, _) = try only(
            #""headers": [{"name": "X-A", "value": "a{# note #}b{{ _.c }}"}], "body": {"mimeType": "text/plain", "#
                + #""text": "{# one #}x{#y"}"#)
        #expect(request.headers == [Field("X-A", "ab{{c}}")])
        #expect(request.body == .text(TextContent("x{#y", contentType: "text/plain")))
    }

    @Test func `dashes in a tag and names in brackets are read`() throws {
        let (request, notes) = try only(
            #""headers": [{"name": "X-A", "value": "{%- uuid 'v4' -%}"}, {"name": "X-B", "value": "{{ _['b c'] }}"}]"#)
        #expect(request.headers == [Field("X-A", "{{$uuid}}"), Field("X-B", "{{b_c}}")])
        #expect(notes.filter { $0.kind == .loss }.isEmpty, "\(notes)")
    }

    @Test(arguments: [
        ("{% base64 'encode', 'normal', _.user.name %}", "{{$base64(user.name)}}"),
        ("{% hash 'sha256', 'hex', a %}", "{{$sha256(a)}}"),
        ("{% now 'custom', 'YYYY-MM-DD HH:mm' %}", "{{$now('%Y-%m-%d %H:%M')}}"),
        ("{% now 'custom', 'yyyy/dd' %}", "{{$now('%Y/%d')}}"),
    ])
    func `a tag that Ombi can compute is a function`(tag: String, template: String) throws {
        let (request, notes) = try only(#""headers": [{"name": "X-A", "value": "\#(tag)"}]"#)
        #expect(request.headers == [Field("X-A", template)])
        #expect(notes.filter { $0.kind == .loss }.isEmpty, "\(notes)")
    }

    @Test(arguments: [
        "{% base64 'decode', 'normal', 'aa' %}", "{% base64 'encode', 'normal', _.a + 'b' %}",
        "{% base64 'encode', 'normal', 'hunter2' %}", "{% hash 'md5', 'hex', 'abc' %}", "{% now 'custom', 'dddd' %}",
        "{% if a %}", "{{ _.a | upper }}", "{% external 'x' %}",
        "{% now 'custom', 'D MMMM YYYY' %}",
    ])
    func `a tag that Ombi computes otherwise, or not at all, is a fixed value`(tag: String) throws {
        let (request, notes) = try only(#""headers": [{"name": "X-A", "value": "\#(tag)"}]"#)
        #expect(request.headers.first?.value.contains("$") == false)
        #expect(notes.contains { $0.kind == .loss && $0.message.hasPrefix("a fixed value") })
    }

    @Test func `a tag that asks for a value is a secret`() throws {
        let (imported, _) = try Self.imported(
            Self.request("r", #""headers": [{"name": "X-A", "value": "{% prompt 'Pin', 'Label' %}"}]"#))
        #expect(imported.collection.requests.first?.headers == [Field("X-A", "{{Pin}}")])
        #expect(imported.collection.environments.first?.secrets == [Secret("Pin", .prompt(""))])
    }

    @Test func `a response to a request that is not in the file is an empty variable`() throws {
        let (imported, notes) = try Self.imported(
            Self.request("r", #""headers": [{"name": "X-A", "value": "{% response 'body', 'gone', '$.id' %}"}]"#))
        #expect(imported.collection.requests.first?.headers == [Field("X-A", "{{response_id}}")])
        #expect(imported.collection.variables == [Field("response_id", "")])
        #expect(notes.contains { $0.kind == .loss && $0.subject == "response_id" && $0.position.line > 1 })
    }

    @Test func `requests with one identifier, or with none, are all there`() throws {
        let (imported, _) = try Self.imported(
            Self.request("same", #""method": "GET""#), Self.request("same", #""method": "PUT""#),
            #"{"_type": "request", "name": "a", "url": "https://a.test/a"}"#,
            #"{"_type": "request", "name": "b", "url": "https://a.test/b"}"#)
        #expect(imported.collection.requests.map(\.method) == [.get, .put, .get, .get])
        #expect(Set(imported.collection.requests.map(\.name)) == ["same", "same 2", "a", "b"])
    }

    @Test(arguments: [
        (#"{"type": "bearer", "token": ""}"#, "bearer"), (#"{"type": "apikey", "key": "k", "value": null}"#, "apikey"),
        (#"{"type": "oauth2", "grantType": "implicit", "authorizationUrl": "https://i.test"}"#, "oauth2"),
        (#"{"type": "basic", "username": "", "password": ""}"#, "basic"), (#"{"type": "digest"}"#, "digest"),
    ])
    func `credentials that an export does not have are losses`(authentication: String, subject: String) throws {
        let (_, notes) = try only(#""authentication": "# + authentication)
        #expect(notes.contains { $0.kind == .loss && $0.subject == subject }, "\(notes)")
    }

    @Test func `a key that is written as a header, too, is sent once`() throws {
        let (_, notes) = try only(
            #""headers": [{"name": "k", "value": "{{ _.a }}"}], "#
                + #""authentication": {"type": "apikey", "key": "K", "value": "{{ _.b }}", "addTo": "header"}"#)
        #expect(notes.contains { $0.kind == .loss && $0.subject == "K" })
    }

    @Test func `a text without templates is the value of a variable`() throws {
        let (imported, notes) = try Self.imported(
            Self.request(
                "r",
                #""headers": [{"name": "X-A", "value": "{% raw %}{{ a }}{% endraw %}-{{ _.b }}"}, {"name": "X-B", "#
                    + #""value": "{%- raw -%}{{ c }}{%- endraw -%}"}, {"name": "X-C", "#
                    + #""value": "{%raw%}plain{%endraw%}{% raw %}{{ a }}{% endraw %}"}]"#))
        let headers = try #require(imported.collection.requests.first?.headers)
        #expect(headers.map(\.value) == ["{{raw}}-{{b}}", "{{raw2}}", "plain{{raw}}"])
        #expect(imported.collection.variables == [Field("raw", "\\{{ a }}"), Field("raw2", "\\{{ c }}")])
        #expect(notes.allSatisfy { $0.kind == .remark }, "\(notes)")
    }

    @Test func `an export with stored cookies keeps cookies, but not those`() throws {
        let (imported, _) = try Self.imported(
            Self.request("r", #""method": "GET""#),
            #"{"_type": "cookie_jar", "_id": "j", "parentId": "wrk", "cookies": [{"key": "a", "value": "hunter2"}]}"#)
        #expect(imported.collection.connection == SavedConnection { $0.cookies = true })
        #expect(!imported.written(keeping: .local).text.contains("hunter2"))
    }

    @Test func `several workspaces are folders of one collection`() throws {
        let (imported, _) = try Self.imported(
            #"{"_type": "workspace", "_id": "other", "name": "Shop"}"#, Self.request("a", #""method": "GET""#),
            Self.request("b", #""method": "GET""#, parent: "other"))
        #expect(imported.collection.items.map(\.name) == ["Shop", "Shop 2"])
        #expect(imported.collection.requests.map(\.name) == ["a", "b"])
    }

    @Test(arguments: [("é", true), ("e", false)])
    func `a password that is sent in another encoding is a loss`(password: String, isLoss: Bool) throws {
        let (_, notes) = try only(
            #""authentication": {"type": "basic", "username": "a", "password": "\#(password)", "useISO88591": true}"#)
        #expect(notes.contains { $0.kind == .loss && $0.subject == "useISO88591" } == isLoss)
    }

    @Test func `a header that no request can have is a loss`() throws {
        let (request, notes) = try only(
            #""headers": [{"name": "X Y", "value": "1"}, {"name": "X-A", "value": "a\nb"}]"#)
        #expect(request.headers == [Field("X-A", "a b")])
        #expect(notes.contains { $0.kind == .loss && $0.subject == "X Y" })
    }

    @Test func `a path parameter of any name has its value`() throws {
        let (imported, notes) = try Self.imported(
            #"{"_type": "request", "_id": "p", "parentId": "wrk", "url": "https://a.test/u/:user-id:lock?a=1", "#
                + #""pathParameters": [{"name": "user-id", "value": "7"}]}"#)
        let request = try #require(imported.collection.requests.first)
        #expect(request.path == "/u/:user_id:lock" && request.query == [Field("a", "1")])
        #expect(request.pathParameters == [Field("user_id", "7")])
        #expect(notes.filter { $0.kind == .loss }.isEmpty, "\(notes)")
    }

    @Test func `a request that sends no stored cookies keeps none`() throws {
        #expect(try only(#""settingSendCookies": false"#).0.connection == SavedConnection { $0.cookies = false })
        #expect(try only(#""settingSendCookies": true"#).0.connection == nil)
    }

    @Test func `a resource that is no request says where it belongs, and an empty document is none`() throws {
        let (_, notes) = try Self.imported(
            #"{"_type": "client_certificate", "_id": "c", "parentId": "wrk"}"#,
            #"{"_type": "api_spec", "_id": "s", "parentId": "wrk", "contents": ""}"#)
        #expect(notes.map(\.subject) == ["client_certificate"])
        #expect(notes.first?.message.contains("connection of the environment") == true)
    }

    @Test func `an environment of rows has variables, and its secrets are typed in`() throws {
        let (imported, _) = try Self.imported(
            #"""
            {"_type": "environment", "_id": "env", "name": "Base", "parentId": "wrk", "data": {"a": "1",
            "__insomnia_vault": {"s": "9f8e7d6c5b4a"}, "o": {"k": 2}}, "environmentType": "kv", "kvPairData": [
            {"name": "a", "value": "1", "type": "str", "enabled": true}, {"name": "b", "value": "2", "type": "str"},
            {"name": "c", "value": "3", "type": "str", "enabled": false},
            {"name": "s", "value": "9f8e7d6c5b4a", "type": "secret"}]}
            """#,
            Self.request("r", #""headers": [{"name": "X-A", "value": "{{ _.o }} {{ vault.s }}"}]"#))
        let environment = try #require(imported.collection.environments.first)
        #expect(
            environment.variables == [
                Field("a", "1"), Field("o.k", "2"), Field("o", #"{"k":2}"#), Field("b", "2"),
                Field("c", "3", enabled: false),
            ])
        #expect(environment.secrets.map(\.name) == ["vault.s"])
        #expect(imported.collection.requests.first?.headers == [Field("X-A", "{{o}} {{vault.s}}")])
    }

    @Test func `an export may be YAML in braces`() throws {
        let text = """
            {_type: export, __export_format: 4, resources: [{_type: workspace, _id: w, name: Shop},
              {_type: request, _id: r, parentId: w, name: 'a b', method: GET, url: 'https://a.test/x'}]}
            """
        let imported = try Importer.read(Array(text.utf8), from: "insomnia.yaml")
        #expect(imported.collection.name == "Shop" && imported.collection.requests.map(\.name) == ["a b"])
    }

    @Test(arguments: ["{a: [1}", "{\"a\": 1,}", "{_type: export"])
    func `a text in braces that is neither JSON nor YAML says where`(text: String) {
        #expect(throws: ImportError.self) { try Importer.read(Array(text.utf8), from: "insomnia.yaml") }
    }

    @Test func `the tree has the order of the sort keys, and what has no folder is at the top`() throws {
        let (imported, notes) = try Self.imported(
            Self.request("b", #""method": "GET""#, key: -1), Self.request("a", #""method": "POST""#, key: -5),
            #"{"_type": "request_group", "_id": "f", "name": "Folder", "parentId": "wrk", "metaSortKey": -3}"#,
            Self.request("c", #""method": "GET""#, parent: "f"), Self.request("d", #""method": "GET""#, parent: "none"),
            #"{"_type": "grpc_request", "_id": "g", "parentId": "wrk"}"#)
        #expect(imported.collection.name == "Shop")
        #expect(imported.collection.items.map(\.name) == ["a", "Folder", "b", "d"])
        #expect(imported.requestCount == 4 && imported.folderCount == 1)
        #expect(notes.contains { $0.kind == .loss && $0.subject == "grpc_request" })
        #expect(notes.contains { $0.kind == .remark && $0.subject == "parentId" })
    }

    @Test func `environments have the values of their base`() throws {
        let (imported, _) = try Self.imported(
            Self.request("r", #""headers": [{"name": "X-A", "value": "{{ _.user.name }} {{ _.list[0] }}"}]"#),
            #"{"_type": "environment", "_id": "base", "parentId": "wrk", "name": "Base", "#
                + #""data": {"size": 3, "user": {"name": "ada", "id": 1}, "list": ["x"]}}"#,
            #"{"_type": "environment", "_id": "dev", "parentId": "base", "name": "Dev", "#
                + #""data": {"user": {"name": "eva"}}}"#)
        #expect(imported.collection.requests.first?.headers == [Field("X-A", "{{user.name}} {{list.0}}")])
        #expect(imported.collection.environments.map(\.name) == ["Dev"])
        #expect(
            imported.collection.environments.first?.variables == [
                Field("user.name", "eva"), Field("size", "3"), Field("user.id", "1"), Field("list.0", "x"),
                Field("list", "[\"x\"]"),
            ])
    }

    @Test func `a value replaces what has its name, and may have that of its base in it`() throws {
        let (imported, _) = try Self.imported(
            Self.request("r", #""headers": []"#),
            #"{"_type": "environment", "_id": "base", "parentId": "wrk", "name": "Base", "#
                + #""data": {"url": "https://a.test", "a": {"b": 1}, "c": 2, "list": ["x", "y"]}}"#,
            #"{"_type": "environment", "_id": "dev", "parentId": "base", "name": "Dev", "#
                + #""data": {"url": "{{ _.url }}/v1", "a": 3, "c": {"d": 4}, "list": ["z"]}}"#)
        #expect(
            imported.collection.environments.first?.variables == [
                Field("url", "https://a.test/v1"), Field("a", "3"), Field("c.d", "4"), Field("list.0", "z"),
                Field("list", "[\"z\"]"),
            ])
    }

    @Test func `a body without templates keeps its braces`() throws {
        let (request, _) = try only(
            #""settingDisableRenderRequestBody": true, "#
                + #""body": {"mimeType": "text/plain", "text": "{{ _.a }} {% b %}"}"#)
        #expect(request.body == .text(TextContent("\\{{ _.a }} {% b %}", contentType: "text/plain")))
    }

    @Test func `bodies and their headers`() throws {
        let (json, _) = try only(
            #""method": "POST", "body": {"mimeType": "application/json", "text": "{\"id\": {{ _.id }}}"}, "#
                + #""headers": [{"name": "Content-Type", "value": "application/json"}, "#
                + #"{"name": "User-Agent", "value": "insomnia/8.6.1"}]"#)
        #expect(json.body == .json(JSONContent(.object([.init("id", .string("{{id:json}}"))]))) && json.headers.isEmpty)
        let (parts, _) = try only(
            #""body": {"mimeType": "multipart/form-data", "params": [{"name": "t", "value": "1", "disabled": true}, "#
                + #"{"name": "f", "type": "file", "fileName": "./a.png"}]}"#)
        #expect(
            parts.body
                == .multipart(
                    MultipartContent([
                        MultipartPart("t", .text("1"), enabled: false), MultipartPart("f", .file("./a.png")),
                    ])))
        let (query, _) = try only(
            #""body": {"mimeType": "application/graphql", "#
                + #""text": "{\"query\": \"query A { a }\", \"variables\": \"{\\\"b\\\": 1}\", "#
                + #"\"operationName\": \"A\"}"}"#
        )
        let variables = JSONValue.object([.init("b", .number("1"))])
        #expect(query.body == .graphql(GraphQLContent("query A { a }", variables: variables, operationName: "A")))
    }

    @Test(arguments: ["{{$file('/etc/hosts')}}", "{{$base64($file('/etc/hosts'), '{{x}}')}}"])
    func `a text of a file calls no function that only Ombi has`(text: String) throws {
        let (request, _) = try only(#""headers": [{"name": "X-A", "value": "\#(text)"}]"#)
        let value = try #require(request.headers.first?.value)
        #expect(try Template(value).names.allSatisfy { !$0.hasPrefix("$") }, "\(value)")
    }

    @Test func `credentials are secrets, and none stays none`() throws {
        let token = "tk4Zr9QmW1xVb7Np2Ls8"
        let (imported, notes) = try Self.imported(
            Self.request("a", #""authentication": {"type": "bearer", "token": "\#(token)"}"#),
            Self.request("b", #""authentication": {"type": "bearer", "token": "x", "disabled": true}"#),
            Self.request("c", #""authentication": {}"#), Self.request("d", #""authentication": {"type": "hawk"}"#))
        #expect(!imported.written(keeping: .drop).text.contains(token))
        #expect(imported.secrets.map(\.value) == [token])
        let found = imported.collection.requests.map(\.authentication)
        #expect(
            found == [.bearer(BearerAuthentication(token: "{{token}}")), .noAuthentication, nil, .noAuthentication])
        #expect(notes.contains { $0.kind == .loss && $0.subject == "hawk" })
    }

    @Test func `credentials of a connection and of a file have their kinds`() throws {
        let ntlm = #""authentication": {"type": "ntlm", "username": "ada", "password": "{{ _.p }}"}"#
        let (imported, _) = try Self.imported(
            Self.request("a", ntlm), Self.request("b", #""authentication": {"type": "netrc"}"#))
        #expect(imported.collection.requests.map { $0.authentication?.kind } == [.ntlm, .netrc])
    }

    @Test func `tags are functions, captures or losses`() throws {
        let (imported, notes) = try Self.imported(
            Self.request("login", #""method": "POST""#),
            Self.request(
                "r",
                #""headers": [{"name": "X-A", "value": "{% uuid 'v4' %}"}, {"name": "X-B", "#
                    + #""value": "{% response 'body', 'login', 'b64::JC5hLmI=::46b', 'always', 60 %}"}, "#
                    + #"{"name": "X-C", "value": "{% faker 'name' %}"}]"#))
        let (login, other) = (imported.collection.requests[0], imported.collection.requests[1])
        #expect(login.captures == [Capture("response_a_b", .path("$.a.b"), maximumAge: .zero)])
        #expect(other.headers.map(\.value) == ["{{$uuid}}", "{{response_a_b}}", "{{faker}}"])
        #expect(imported.collection.variables == [Field("faker", "sample")])
        #expect(notes.contains { $0.kind == .loss && $0.subject == "{% faker %}" })
    }

    @Test(arguments: [
        ("const response1 = await insomnia.send();\\nexpect(response1.status).to.equal(200);", true),
        (
            "const r = await insomnia.send();\\nconst body = JSON.parse(r.data);\\nexpect(body.id).to.equal(7);\\n"
                + "expect(r.status).to.equal(200);", true
        ),
        ("const r = await insomnia.send('req_2');\\nexpect(r.status).to.equal(200);", false),
        ("const r = await insomnia.send();\\nexpect(r.status).to.not.equal(200);", false),
        ("expect(1).to.equal(1);", false),
    ])
    func `a unit test is what the response of its request is expected to be, or a loss`(
        code: String, isTaken: Bool
    ) throws {
        let (imported, notes) = try Self.imported(
            Self.request("r", #""method": "GET""#),
            #"{"_type": "unit_test_suite", "_id": "uts", "name": "s", "parentId": "wrk"}"#,
            #"{"_type": "unit_test", "_id": "ut", "name": "t", "parentId": "uts", "requestId": "r", "code": ""#
                + code + "\"}")
        let request = try #require(imported.collection.requests.first)
        #expect(request.expect?.status == (isTaken ? [.code(200)] : nil))
        #expect(notes.lose("unit_test") == !isTaken && !notes.lose("unit_test_suite"))
    }

    @Test func `random values have the functions of Postman's, or a fixed value of their kind`() throws {
        let (imported, notes) = try Self.imported(
            Self.request(
                "r",
                #""headers": [{"name": "X-A", "value": "{% faker 'randomUUID' %}"}, "#
                    + #"{"name": "X-B", "value": "{% faker 'randomEmail' %}"}, "#
                    + #"{"name": "X-C", "value": "{% faker 'timestamp' %}"}]"#))
        let headers = try #require(imported.collection.requests.first?.headers)
        #expect(headers.map(\.value) == ["{{$uuid}}", "{{randomEmail}}", "{{$timestamp}}"])
        #expect(imported.collection.variables == [Field("randomEmail", "ada@example.com")])
        #expect(notes.count(where: { $0.kind == .loss }) == 1)
    }

    @Test func `each trigger of one value is a capture, and one that sends nothing is named`() throws {
        let tag = { (trigger: String) in "{% response 'body', 'login', 'b64::JC5h::46b', '\(trigger)', 60 %}" }
        let values = ["always", "never", "when-expired", "always"].enumerated().map { index, trigger in
            #"{"name": "X-\#(index)", "value": "\#(tag(trigger))"}"#
        }
        let (imported, notes) = try Self.imported(
            Self.request("login", #""method": "POST""#),
            Self.request("r", #""headers": [\#(values.joined(separator: ", "))]"#))
        let (login, other) = (imported.collection.requests[0], imported.collection.requests[1])
        #expect(login.captures.map(\.maximumAge) == [.zero, nil, .seconds(60)])
        #expect(other.headers.map(\.value) == [0, 1, 2, 0].map { "{{\(login.captures[$0].name)}}" })
        #expect(notes.contains { $0.kind == .remark && $0.message.contains("leaves to you") })
    }

    @Test func `a script of tests becomes expectations`() throws {
        let (request, _) = try only(
            #""afterResponseScript": "insomnia.test('ok', () => { "#
                + #"insomnia.expect(insomnia.response.code).to.eql(200); });""#
        )
        #expect(request.expect?.status == [StatusPattern("200")].compactMap { $0 })
    }

    @Test(arguments: ["1", "3", "\"5\""])
    func `another format is refused by its number`(format: String) {
        let text = "{\"_type\": \"export\", \"__export_format\": \(format), \"items\": []}"
        do throws(ImportError) {
            _ = try Importer.read(Array(text.utf8), from: "a.json")
            Issue.record("it was read")
        } catch {
            #expect(error.message.contains("is not read; export it as v4"), "\(error.message)")
        }
    }
}
