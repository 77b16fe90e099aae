import OmbiCore
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Forms that only some of the tools have in their files of requests.
@Suite struct HTTPDialectTests {
    private func imported(_ text: String) throws -> (Imported, notes: [ImportNote]) {
        let file = try Importer.read(Array(text.utf8), from: "files/shop.http")
        let joined = try Imported.joined([file])
        return (joined, file.notes + joined.notes)
    }

    private func only(_ text: String) throws -> (SavedRequest, notes: [ImportNote]) {
        let (imported, notes) = try imported(text)
        return (try #require(imported.collection.requests.first), notes)
    }

    // MARK: Requests

    @Test func `commands of curl are requests, also with variables`() throws {
        let (imported, notes) = try imported(
            """
            GET https://a.test/x

            ### Second
            # @name two
            curl -X PUT "https://a.test/y" -H 'X-A: {{a}}' \\
              -d b=2
            # the end

            ### Third
            curl ftp://a.test/z
            """)
        let requests = imported.collection.requests
        #expect(requests.map(\.name) == ["GET /x", "two"])
        #expect(requests.last?.method == .put && requests.last?.headers == [Field("X-A", "{{a}}")])
        #expect(requests.last?.body == .form(FormContent([Field("b", "2")])))
        #expect(notes.contains { $0.kind == .loss && $0.position.line == 10 })
    }

    @Test func `a path without a host is below the variable host`() throws {
        let (imported, _) = try imported(
            "@host = https://a.test\nGET /me\n\n###\nGET /you\n\n###\nGET https://b.test/1\n")
        #expect(imported.collection.environments.map(\.host) == ["https://a.test"])
        #expect(imported.collection.requests.map(\.path) == ["/me", "/you", "https://b.test/1"])
    }

    @Test func `a WebSocket has its messages`() throws {
        for start in ["WEBSOCKET ws://a.test/w", "WS wss://a.test/w", "GET ws://a.test/w"] {
            let (request, _) = try only("\(start)\n\n===\n{\"a\": 1}\n=== wait-for-server\n{{b}}\n")
            #expect(request.body == nil)
            #expect(request.webSocket?.messages.map(\.text) == ["{\"a\": 1}", "{{b}}"])
        }
    }

    @Test func `a saved response is no request and no body`() throws {
        let response = "HTTP/1.1 200 - OK\nContent-Type: application/json\n\n{\"a\": 1}\n"
        let (imported, notes) = try imported("GET https://a.test/x\n\n\(response)\n###\n\n\(response)")
        #expect(imported.collection.requests.map(\.body) == [nil])
        #expect(notes.filter { $0.kind == .loss }.map(\.position.line) == [3])
    }

    @Test func `a body and the next request need no empty line`() throws {
        let (imported, notes) = try imported(
            "POST https://a.test/1\n{{name}}: 1\n{{body}}\n\n###\nPOST https://a.test/2\n{\"a\": 1}\n\n###\n"
                + "GET https://a.test/3\nClientCert: pfx: ./a.p12 passphrase: hunter2hunter2\nGET https://a.test/4\n")
        let requests = imported.collection.requests
        #expect(requests.map(\.path) == ["/1", "/2", "/3", "/4"])
        #expect(requests[0].headers == [Field("{{name}}", "1")])
        #expect(requests.map(\.body?.text) == ["{{body}}", "{\"a\": 1}", nil, nil])
        #expect(notes.filter { $0.kind == .loss }.map(\.subject) == ["ClientCert"])
        #expect(!imported.written(keeping: .drop).text.contains("hunter2hunter2"))
    }

    @Test func `a comment over several lines may be first`() throws {
        let (request, notes) = try only("/*\nGET https://b.test/old\n*/\nGET https://a.test/x\n")
        #expect(request.path == "/x" && notes.isEmpty, "\(notes)")
    }

    @Test func `a server as a whole is a loss`() throws {
        for version in [" HTTP/1.1", ""] {
            let (request, notes) = try only("OPTIONS *\(version)\nHost: a.test\n")
            #expect(request.method == .options && request.path == "/")
            #expect(notes.contains { $0.kind == .loss && $0.subject == "*" })
        }
    }

    @Test func `a quotation in a body is a part of it, and a script behind it is none`() throws {
        let (request, notes) = try only(
            "POST https://a.test/x\nContent-Type: text/plain\n\nhi\n> you said\n<br>\nbye\n\n> ./after.js\n")
        #expect(request.body?.text == "hi\n> you said\n<br>\nbye")
        #expect(notes.map(\.subject) == [">"])
        for start in ["GET https://a.test/x\n", "POST https://a.test/x\n\n{\"a\": 1}\n"] {
            let (request, notes) = try only(start + "> client.test(\"a\", function () {\n> });\n")
            #expect(request.body?.text?.contains("client") != true && notes.contains { $0.subject == ">" })
        }
    }

    @Test(arguments: ["$auth.token(\"main\")", "$aadToken new", "$oidcAccessToken"])
    func `a token that a tool obtains is a loss, and nothing is sent`(function: String) throws {
        let (request, notes) = try only("GET https://a.test/x\nAuthorization: Bearer {{\(function)}}\n")
        #expect(request.headers.isEmpty && request.authentication == .noAuthentication)
        #expect(notes.contains { $0.kind == .loss && $0.position.line == 2 })
    }

    @Test(arguments: [
        ("30", Duration.seconds(30)), ("2 m", .seconds(120)), ("500ms", .milliseconds(500)), ("5000", .seconds(5)),
    ])
    func `limits of time are those of the attempt`(text: String, limit: Duration) throws {
        let (request, notes) = try only(
            "# @timeout \(text)\n# @connection-timeout \(text)\nGET https://a.test/x\n")
        #expect(request.policy?.timeout == limit && request.connection?.connectTimeout == limit)
        #expect(!notes.contains { $0.kind == .loss })
    }

    @Test func `a block for all requests gives its headers, credentials and settings`() throws {
        let (imported, notes) = try imported(
            """
            ### Shared
            @user = ada
            # @curl-connect-timeout 20

            NOP
            Host: http://a.test
            X-A: {{user}}
            Authorization: Basic {{user}} {{pw}}

            > {%
              console.log(1);
            %}

            ### one
            # @secret pw
            # @connection-timeout 5
            GET /1

            ### two
            GET /2
            """)
        let collection = imported.collection
        #expect(collection.headers == [Field("X-A", "{{user}}")])
        #expect(collection.authentication == .basic(BasicAuthentication(username: "{{user}}", password: "{{pw}}")))
        #expect(collection.environments.map(\.host) == ["http://a.test"])
        #expect(collection.requests.map(\.path) == ["/1", "/2"])
        #expect(collection.requests.map { $0.connection?.connectTimeout } == [.seconds(5), .seconds(20)])
        #expect(collection.environments.first?.secrets == [Secret("pw", .prompt(""))])
        #expect(notes.filter { $0.kind == .loss }.map(\.position.line) == [10])
    }

    @Test func `a request that is sent before the others is named`() throws {
        let (imported, notes) = try imported(
            "### Shared each\n# @no-redirect\nGET https://a.test/1\n\n###\nGET https://a.test/2\n")
        #expect(imported.collection.requests.map { $0.connection?.maximumRedirects } == [0, 0])
        #expect(notes.lose("Shared each"))
    }

    @Test(
        arguments: [
            ("HTTP/1.1", nil), ("HTTP/2", .http2), ("HTTP/3", .http3),
            ("HTTP/2 (Prior Knowledge)", .http2PriorKnowledge),
        ] as [(String, Connection.HTTPVersion?)])
    func `the version of HTTP is that of the line`(text: String, version: Connection.HTTPVersion?) throws {
        let (request, _) = try only("GET https://a.test/x?d={{$date}} \(text)\n")
        #expect(request.connection?.httpVersion == version)
        #expect(request.query == [Field("d", "{{$now('%Y-%m-%d')}}")])
    }

    @Test func `what httpyac asks for is a secret, or its first value`() throws {
        let (imported, notes) = try imported(
            """
            # @proxy http://127.0.0.1:8888
            GET https://a.test/x
            X-Name: {{$input Name? $value: bob}}
            X-Key: {{$password-askonce The key}}
            X-Pick: {{$pick one of? $value: foo,bar}}
            X-Ask: {{$input}}
            """)
        let request = try #require(imported.collection.requests.first)
        #expect(request.headers.map(\.value) == ["{{Name}}", "{{The_key}}", "{{one_of}}", "{{input}}"])
        #expect(imported.collection.variables == [Field("Name", "bob"), Field("one_of", "foo")])
        #expect(imported.collection.environments.first?.secrets.map(\.name) == ["The_key", "input"])
        #expect(request.connection?.proxy == "http://127.0.0.1:8888")
        #expect(notes.filter { $0.kind == .loss }.map(\.subject) == ["$input", "$pick"])
    }

    @Test func `a script that only sets variables of the request is not lost`() throws {
        let (imported, notes) = try imported(
            """
            < {%
              request.variables.set("a", "x{{y}}")
              request.variables.set('n', 5);
            %}
            GET https://a.test/{{a}}/{{n}}

            ###
            < {% if (true) { request.variables.set("a", "z"); } %}
            GET https://a.test/{{a}}
            """)
        let requests = imported.collection.requests
        #expect(requests.map(\.variables) == [[Field("a", "x\\{{y}}"), Field("n", "5")], []])
        #expect(notes.filter { $0.kind == .loss }.map(\.position.line) == [8])
    }

    // MARK: Bodies

    @Test func `braces behind backslashes are braces`() throws {
        let (request, notes) = try only(
            "POST https://a.test/x\nContent-Type: text/html\nX-A: \\{\\{a\\}\\}\n\n<p>\\{\\{b\\}\\} {{c}}</p>\n")
        #expect(request.body == .text(TextContent("<p>\\{{b}} {{c}}</p>", contentType: "text/html")))
        #expect(request.headers.first == Field("X-A", "\\{{a}}"))
        #expect(notes.contains { $0.kind == .remark && $0.subject == "\\{\\{" })
    }

    @Test(arguments: [
        ("a=b c&d=%20&e=\u{FC}", "a=b%20c&d=%20&e=%C3%BC"), ("a = 1 &\nb = 2 3 &\nc=4", "a=1&b=2%203&c=4"),
        ("# first\na=b c", "a=b%20c"),
    ])
    func `what no form may have is encoded, and spaces around its marks are not sent`(
        text: String, sent: String
    ) throws {
        let form = "application/x-www-form-urlencoded"
        let (request, _) = try only("POST https://a.test/x\nContent-Type: \(form)\n\n\(text)\n")
        #expect(request.body == .text(TextContent(sent, contentType: form)))
    }

    @Test func `a form with a variable has rows, whose values are encoded once they are filled in`() throws {
        let form = "application/x-www-form-urlencoded"
        let (request, notes) = try only(
            "POST https://a.test/x\nContent-Type: \(form)\n\na={{b}} &\nc = 2 3 &\nd=%C3%BC+%26\n")
        let rows = [Field("a", "{{b}}"), Field("c", "2 3"), Field("d", "\u{FC} &")]
        #expect(request.body == .form(FormContent(rows)))
        #expect(notes.contains { $0.kind == .remark && $0.message.contains("sent as +") })
    }

    @Test func `lines that one tool leaves out are named`() throws {
        let (request, notes) = try only("POST https://a.test/x\nContent-Type: text/markdown\n\n# Title\nb\n")
        #expect(request.body == .text(TextContent("# Title\nb", contentType: "text/markdown")))
        #expect(notes.contains { $0.kind == .remark && $0.subject == "body" })
    }

    @Test func `the content type may be a variable`() throws {
        let (request, _) = try only(
            "@type = application/json\nPOST https://a.test/x\nContent-Type: {{type}}\n\n{\"a\": {{b}}}\n")
        #expect(request.body == .json(JSONContent(.object([.init("a", .string("{{b:json}}"))]))))
        #expect(request.headers == [Field("Content-Type", "{{type}}")])
    }

    @Test func `the last line of newline-delimited JSON ends`() throws {
        let (request, _) = try only(
            "POST https://a.test/x\nContent-Type: application/x-ndjson\n\n{\"a\":1}\n{\"b\":2}\n")
        let text = "{\"a\":1}\n{\"b\":2}\n"
        #expect(request.body == .text(TextContent(text, contentType: "application/x-ndjson")))
    }

    @Test func `a query of GraphQL is marked by a header or a comment`() throws {
        let body = "\n\nquery Q($a: ID) { b }\n\n{\"a\": 1}\n"
        let variables = JSONValue.object([.init("a", .number(1))])
        let (marked, _) = try only("POST https://a.test/g\nX-REQUEST-TYPE: GraphQL\(body)")
        let query = "query Q($a: ID) { b }"
        #expect(marked.body == .graphql(GraphQLContent(query, variables: variables, operationName: "Q")))
        let (comment, notes) = try only("# @graphql\nPOST https://a.test/g\(body)")
        #expect(comment.body == .graphql(GraphQLContent(query, variables: variables)) && notes.isEmpty)
        let (unnamed, _) = try only("POST https://a.test/g\nX-REQUEST-TYPE: GraphQL\n\nquery { b }\n")
        #expect(unnamed.body == .graphql(GraphQLContent("query { b }")))
    }

    // MARK: References

    @Test func `parts of other requests and responses have several forms`() throws {
        let (imported, notes) = try imported(
            """
            # @name login
            POST https://a.test/login
            X-Trace: t1
            Content-Type: application/json

            {"user": {"name": "ada"}}

            ###
            GET https://a.test/x
            X-A: {{login.response.headers['X-Id']}}
            X-B: {{login.user.ids[0]}}
            X-C: {{login.request.headers.x-trace}}
            X-D: {{login.request.body.$.user.name}}
            X-E: {{login.request.body.$.none}}
            X-F: {{login.response.cookies.sid.value}}
            """)
        let (login, other) = (imported.collection.requests[0], imported.collection.requests[1])
        #expect(login.captures.map(\.source) == [.header("X-Id"), .path("$.user.ids[0]"), .cookie("sid")])
        #expect(other.headers.map(\.value).prefix(2) == login.captures.map { "{{\($0.name)}}" }.prefix(2))
        #expect(other.headers.last?.value == "{{login_sid_value}}")
        #expect(other.headers.map(\.value).dropFirst(2).prefix(2) == ["t1", "ada"])
        #expect(notes.contains { $0.kind == .loss && $0.subject.contains("none") })
    }

    @Test func `assertions of httpyac are expectations`() throws {
        let (request, notes) = try only(
            """
            GET https://a.test/x

            ?? status == 200
            ?? body user.id > 1
            ?? body user.name == ada
            ?? header Content-Type includes json
            ?? duration < 500
            ?? js response.body == 1
            """)
        var expect = Expectation()
        expect.status = [StatusPattern("200")].compactMap { $0 }
        expect.within = .milliseconds(500)
        expect.headers = [HeaderExpectation("Content-Type", [.contains(.string("json"))])]
        expect.body = [
            BodyExpectation("$.user.id", [.greater(.number(1))]),
            BodyExpectation("$.user.name", [.equals(.string("ada"))]),
        ]
        #expect(request.expect == expect)
        #expect(notes.filter { $0.kind == .loss }.map(\.position.line) == [8])
    }

    @Test func `options of curl above a request hold, and others are losses without their values`() throws {
        let key = "8f3a9c1e5b7d2f4a6c8e0b1d"
        let (request, notes) = try only(
            """
            # @curl-connect-timeout 3
            # @curl-max-time 10
            # @curl-proxy http://127.0.0.1:3128
            # @curl-insecure
            # @curl-no-such-option \(key)
            # @curl-data \(key)
            GET https://a.test/x
            """)
        #expect(request.connection?.connectTimeout == .seconds(3))
        #expect(request.connection?.proxy == "http://127.0.0.1:3128")
        #expect(request.policy?.timeout == .seconds(10))
        #expect(request.method == .get && request.body == nil)
        let losses = notes.filter { $0.kind == .loss }.map(\.subject)
        #expect(losses == ["@curl-insecure", "@curl-no-such-option", "@curl-data"])
        #expect(!notes.contains { "\($0)".contains(key) })
    }

    @Test func `a token of httpyac is made of variables`() throws {
        let (imported, notes) = try imported(
            """
            @local_tokenEndpoint = https://id.test/token
            @local_authorizationEndpoint = https://id.test/login
            @local_clientId = shop
            @oauth2_scope = read
            @local_audience = api

            GET https://a.test/x
            Authorization: oauth2 client_credentials local

            ###
            GET https://a.test/y
            Authorization: openid code local
            """)
        var oauth2 = OAuth2Authentication(
            tokenURL: "{{local_tokenEndpoint}}", clientID: "{{local_clientId}}", scope: "{{oauth2_scope}}")
        oauth2.parameters = [Field("audience", "{{local_audience}}")]
        let requests = imported.collection.requests
        #expect(requests.first?.authentication == .oauth2(oauth2) && requests.first?.headers.isEmpty == true)
        (oauth2.grant, oauth2.authorizationURL) = (.authorizationCode, "{{local_authorizationEndpoint}}")
        #expect(requests.last?.authentication == .oauth2(oauth2))
        #expect(notes.isEmpty, "\(notes)")
    }

    @Test(arguments: ["oauth2", "oauth2 implicit local", "openid code local"])
    func `a token without its variables is a loss`(header: String) throws {
        let (request, notes) = try only("GET https://a.test/x\nAuthorization: \(header)\n")
        #expect(request.authentication == .noAuthentication && request.headers.isEmpty)
        #expect(notes.map(\.subject) == ["oauth2"])
    }

    @Test func `settings of httpyac that Ombi has are its own`() throws {
        let (request, notes) = try only(
            "# @tag smoke, slow\n# @noRejectUnauthorized\nGET https://a.test/x\n")
        #expect(request.tags == ["smoke", "slow"])
        #expect(notes.map(\.subject) == ["@noRejectUnauthorized"])
        #expect(notes.first?.message.contains("verifyTLS") == true)
    }

    @Test func `what only one tool makes of a file is named`() throws {
        let (imported, notes) = try imported("@a = b\\nc\n\nWEBSOCKET wss://a.test\n\none\n=== wait-for-server\ntwo\n")
        #expect(imported.collection.variables == [Field("a", "b\\nc")])
        #expect(imported.collection.requests.first?.webSocket?.messages.count == 2)
        #expect(notes.map(\.position.line) == [1, 6])
    }

    @Test func `variables of a script come without its other statements, which are counted`() throws {
        let (request, notes) = try only(
            """
            < {%
              request.variables.set("a", "1");
              client.log("x")
              request.variables.set("b", other());
              if (a) { request.variables.set("c", "2"); }
            %}
            GET https://a.test/{{a}}
            """)
        #expect(request.variables == [Field("a", "1")])
        #expect(notes.lose("<", "2 of 3 statements are left out"))
    }

    @Test func `an assertion of httpyac names parts of a response in three ways`() throws {
        let (request, notes) = try only(
            """
            GET https://a.test/x

            ?? jsonpath $.id == 7
            ?? jsonpath user.name == ada
            ?? body items.length == 2
            ?? js response.parsedBody.list.length > 1
            ?? js response.statusCode == 201
            ?? js response.timings.total < 3
            """)
        #expect(request.expect?.status == [.code(201)])
        #expect(
            request.expect?.body == [
                BodyExpectation("$.id", [.equals(.number("7"))]), BodyExpectation("$.user.name", [.equals("ada")]),
                BodyExpectation("$.items", [.count(NumberComparison(.equal, 2))]),
                BodyExpectation("$.list", [.count(NumberComparison(.greater, 1))]),
            ])
        #expect(notes.filter { $0.kind == .loss }.map(\.position.line) == [8])
    }

    @Test func `settings that only one tool has are losses without their values`() throws {
        let names = ["note", "sleep", "save", "stdin-cmd", "rts", "auth", "capture"]
        let lines = names.map { "# @\($0) hunter2\n" }.joined()
        let (request, notes) = try only(lines + "# @prompt pin The pin\nGET https://a.test/x?p={{pin}}\n")
        #expect(request.query == [Field("p", "{{pin}}")] && !notes.contains { "\($0)".contains("hunter2") })
        #expect(notes.filter { $0.kind == .loss }.map(\.subject) == names.map { "@\($0)" })
    }

    @Test func `a prompt has the words of the file`() throws {
        let (imported, _) = try imported(
            "# @prompt pin The pin of the card\nGET https://a.test/x?p={{pin}}\n###\n# @prompt x\nGET /{{x}}\n")
        let secrets = imported.collection.environments.first?.secrets
        #expect(secrets == [Secret("pin", .prompt("The pin of the card")), Secret("x", .prompt(""))])
    }

    @Test func `what the environment of the process has is read from there, and forms that Ombi lacks are named`()
        throws
    {
        let (imported, notes) = try imported(
            "GET https://a.test/x?a={{$processEnv HOME2}}&b={{$processEnv %NAME}}&c={{%d}}\n")
        let request = try #require(imported.collection.requests.first)
        #expect(request.query == [Field("a", "{{HOME2}}"), Field("b", "{{NAME}}"), Field("c", "{{d}}")])
        let secrets = imported.collection.environments.first?.secrets
        #expect(secrets == [Secret("HOME2", .environment("HOME2")), Secret("NAME", .environment("NAME"))])
        #expect(notes.lose("%NAME") && notes.lose("{{%d}}"))
    }

    @Test(arguments: [
        ("> ./a.js", "scripts are not run"), (">> a.json", "responses are not written to files"),
        (">>! a.json", "responses are not written to files"), ("<> a.json", "no saved response is compared"),
        ("run #other", "requests are not run by others"), ("import ./a.http", "other files are not read"),
    ])
    func `what other files and requests are for has its own reason`(line: String, reason: String) throws {
        let isBehind = [">", "<"].contains { line.hasPrefix($0) }
        let request = "GET https://a.test/x\n"
        let (saved, notes) = try only(isBehind ? "\(request)\n\(line)\n" : "\(line)\n###\n\(request)")
        #expect(saved.body == nil && notes.map(\.message) == ["left out: \(reason)"], "\(notes)")
    }
}
