import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Requests in `.bru` files.
@Suite struct BrunoRequestTests {
    @Test func `the lists are what is sent, and the URL has the path`() throws {
        let (request, notes) = try BrunoSample.only(
            """
            meta {
              name: Create
              type: http
              seq: 1
              tags: [
                smoke
                two words
              ]
            }
            put {
              url: https://a.test/users/:user-id?q=1&old=2#top
              body: none
              auth: inherit
            }
            params:query {
              q: a b
              ~debug: yes
            }
            params:path {
              user-id: 7
            }
            headers {
              X-A: {{name}}
              "X:B": 1
              ~X-Off: 2
            }
            docs {
              Makes one.
            }
            settings {
              followRedirects: false
              timeout: 1500
            }
            """)
        #expect(request.name == "Create" && request.method == .put && request.tags == ["smoke"])
        #expect(request.path == "/users/:user_id" && request.pathParameters == [Field("user_id", "7")])
        #expect(request.query == [Field("q", "a b"), Field("debug", "yes", enabled: false)])
        #expect(request.headers == [Field("X-A", "{{name}}"), Field("X-Off", "2", enabled: false)])
        #expect(request.description == "Makes one.")
        #expect(request.connection?.maximumRedirects == 0 && request.policy?.timeout == .milliseconds(1500))
        #expect(Set(notes.filter { $0.kind == .loss }.map(\.subject)) == ["two words", "X:B"])
        #expect(notes.contains { $0.subject == "#" } && notes.contains { $0.subject == ":user-id" })
    }

    @Test func `a parameter amid a segment gets its value, and one without a value is a loss`() throws {
        let (request, notes) = try BrunoSample.only(
            BrunoSample.request(
                "params:path {\n  a: 1\n}\n", url: "https://a.test/Item(':a')/Other(:a)/:b"))
        #expect(request.path == "/Item('1')/Other(1)/:b" && request.pathParameters == [Field("b", "")])
        #expect(notes.contains { $0.kind == .loss && $0.subject == "/:b" })
    }

    @Test(
        arguments: [
            (
                "json", "body:json {\n  {\"id\": {{id}}}\n}",
                .json(JSONContent(.object([.init("id", .string("{{id:json}}"))])))
            ),
            ("json", "body {\n  [1]\n}", .json(JSONContent(.array([.number("1")])))),
            ("text", "body:text {\n  a\n    b\n}", .text(TextContent("a\n  b", contentType: "text/plain"))),
            ("xml", "body:xml {\n  <a/>\n}", .text(TextContent("<a/>", contentType: "application/xml"))),
            (
                "sparql", "body:sparql {\n  SELECT *\n}",
                .text(TextContent("SELECT *", contentType: "application/sparql-query"))
            ),
            (
                "text", "headers {\n  Content-Type: application/json\n}\nbody:text {\n  {\"a\": {{n}}}\n}",
                .json(JSONContent(.object([.init("a", .string("{{n:json}}"))])))
            ),
            (
                "form-urlencoded", "body:form-urlencoded {\n  a: 1\n  ~b: 2\n}",
                .form(FormContent([Field("a", "1"), Field("b", "2", enabled: false)]))
            ),
            (
                "multipartForm",
                "body:multipart-form {\n  t: x @contentType(text/css)\n  ~f: @file(a.png|b.png)\n}",
                .multipart(
                    MultipartContent([
                        MultipartPart("t", .text("x"), contentType: "text/css"),
                        MultipartPart("f", .file("a.png"), enabled: false),
                        MultipartPart("f", .file("b.png"), enabled: false),
                    ]))
            ),
            (
                "file", "body:file {\n  ~file: @file(b.bin)\n  file: @file(a.bin) @contentType(image/png)\n}",
                .file(FileContent("a.bin", contentType: "image/png"))
            ),
            (
                "graphql", "body:graphql {\n  { a }\n}\nbody:graphql:vars {\n  {\"b\": 1}\n}",
                .graphql(GraphQLContent("{ a }", variables: .object([.init("b", .number("1"))])))
            ),
            ("none", "", nil),
        ] as [(String, String, SavedBody?)])
    func `a body has its kind`(mode: String, block: String, body: SavedBody?) throws {
        #expect(try BrunoSample.only(BrunoSample.request(block, body: mode)).0.body == body)
    }

    @Test func `bodies and credentials that are not sent are losses, as are examples`() throws {
        let (request, notes) = try BrunoSample.only(
            BrunoSample.request(
                """
                body:json {
                  {}
                }
                body:xml {
                  <a/>
                }
                auth:basic {
                  username: a
                }
                example {
                  name: one
                }
                """, body: "json"))
        #expect(request.body == .json(JSONContent(.object([]))))
        let losses = notes.filter { $0.kind == .loss }
        #expect(losses.map(\.subject).sorted() == ["auth:basic", "body:xml", "example"])
        #expect(losses.first { $0.subject == "body:xml" }?.position.line == 15)
    }

    @Test(
        arguments: [
            (
                "basic", "username: ada\n  password: {{p}}",
                .basic(BasicAuthentication(username: "ada", password: "{{p}}"))
            ),
            (
                "digest", "username: ada\n  password: {{p}}",
                .digest(DigestAuthentication(username: "ada", password: "{{p}}"))
            ),
            ("bearer", "token: {{t}}", .bearer(BearerAuthentication(token: "{{t}}"))),
            (
                "apikey", "key: X-Key\n  value: {{k}}\n  placement: queryparams",
                .apiKey(APIKeyAuthentication(name: "X-Key", value: "{{k}}", location: .query))
            ),
            (
                "awsv4",
                "accessKeyId: {{a}}\n  secretAccessKey: {{s}}\n  sessionToken: \n  region: eu-west-1\n  service: s3",
                .aws(
                    AWSAuthentication(
                        accessKeyID: "{{a}}", secretAccessKey: "{{s}}", sessionToken: "", region: "eu-west-1",
                        service: "s3"))
            ),
            (
                "oauth2",
                "grant_type: client_credentials\n  access_token_url: https://a.test/token\n  client_id: me\n  "
                    + "client_secret: {{s}}\n  scope: read\n  credentials_placement: body",
                .oauth2(
                    OAuth2Authentication(
                        tokenURL: "https://a.test/token", clientID: "me", clientSecret: "{{s}}",
                        sendsSecretInBody: true, scope: "read"))
            ),
            (
                "awsv4", "profileName: dev\n  service: s3",
                .aws(
                    AWSAuthentication(
                        accessKeyID: "", secretAccessKey: "", region: "", service: "s3", profile: "dev"))
            ),
            (
                "ntlm", "username: ada\n  password: {{p}}\n  domain: CORP",
                .ntlm(NTLMAuthentication(username: "ada", password: "{{p}}", domain: "CORP"))
            ),
            ("inherit", "", nil), ("none", "", nil), ("wsse", "username: a", nil),
        ] as [(String, String, SavedAuthentication?)])
    func `credentials are those of Ombi`(mode: String, values: String, saved: SavedAuthentication?) throws {
        let block = values.isEmpty ? "" : "auth:\(mode) {\n  \(values)\n}"
        let (request, notes) = try BrunoSample.only(BrunoSample.request(block, auth: mode))
        #expect(request.authentication == saved)
        #expect(notes.contains { $0.kind == .loss && $0.subject == mode } == (mode == "wsse"))
    }

    @Test(
        arguments: [
            ("bearer", "token: "), ("apikey", "key: X-Key\n  value: "), ("basic", "username: \n  password: "),
            (
                "oauth2",
                "grant_type: client_credentials\n  access_token_url: https://a.test/token\n  client_id: me\n  "
                    + "client_secret: "
            ),
        ])
    func `credentials that a file leaves blank are losses`(mode: String, values: String) throws {
        let (_, notes) = try BrunoSample.only(BrunoSample.request("auth:\(mode) {\n  \(values)\n}", auth: mode))
        #expect(
            notes.contains { $0.kind == .loss && $0.subject == mode && $0.message.contains("does not have its") },
            "\(notes)")
    }

    @Test func `further parameters of a token are sent, and those of other places are a loss`() throws {
        let name = "auth:oauth2:additional_params:"
        let blocks = """
            auth:oauth2 {
              grant_type: client_credentials
              access_token_url: https://a.test/token
              client_id: me
            }

            \(name)access_token_req:body {
              audience: shop
              ~off: 1
            }
            """
        let (request, notes) = try BrunoSample.only(BrunoSample.request(blocks, auth: "oauth2"))
        guard case .oauth2(let oauth2)? = request.authentication else {
            Issue.record("there are no credentials")
            return
        }
        #expect(oauth2.parameters == [Field("audience", "shop")])
        #expect(!notes.contains { $0.subject == "additional parameters" })
        let others = blocks + "\n\n\(name)access_token_req:headers {\n  X-A: 1\n}"
        let (_, losses) = try BrunoSample.only(BrunoSample.request(others, auth: "oauth2"))
        #expect(losses.contains { $0.subject == "additional parameters" && $0.kind == .loss })
    }

    @Test func `a variable that only its own request captures has an empty value at first`() throws {
        let capture = "vars:post-response {\n  next: res.body.next\n}"
        let file = BrunoSample.request(capture, url: "https://a.test/{{next}}")
        let (imported, notes) = try BrunoSample.imported(file)
        #expect(imported.collection.variables == [Field("next", "")])
        #expect(notes.filter { $0.kind == .loss }.map(\.subject) == ["next"])
        let known = file + "vars:pre-request {\n  next: 1\n}\n"
        #expect(try BrunoSample.imported(known).imported.collection.variables.isEmpty)
    }

    @Test func `a method of any name and quotes amid a value are read`() throws {
        let text = "http {\n  method: PURGE\n  url: https://a.test/x\n}\n\nheaders {\n  X-A: a ''' b\n}\n"
        let (request, _) = try BrunoSample.only(text)
        #expect(request.method.rawValue == "PURGE" && request.headers == [Field("X-A", "a ''' b")])
    }

    @Test func `variables of a request are its own`() throws {
        let (imported, notes) = try BrunoSample.imported(
            BrunoSample.request(
                """
                vars:pre-request {
                  id: 42
                  place: v1/{{id}}/{{other}}
                  self: {{self}}
                  ~off: 1
                }
                body:json {
                  {"n": {{id}}, "s": "{{off}}"}
                }
                """, body: "json", url: "https://a.test/{{place}}"))
        let request = try #require(imported.collection.requests.first)
        #expect(request.path == "/{{place}}")
        #expect(
            request.variables == [
                Field("id", "42"), Field("place", "v1/{{id}}/{{other}}"), Field("off", "1", enabled: false),
            ])
        let members = [JSONValue.Member("n", .string("{{id:json}}")), .init("s", .string("{{off}}"))]
        #expect(request.body == .json(JSONContent(.object(members))))
        #expect(!notes.contains { $0.subject.contains("variable") })
    }

    @Test func `a host that is a variable of the request is filled in`() throws {
        let text = BrunoSample.request("vars:pre-request {\n  base: https://b.test\n}", url: "{{base}}/x")
        let (imported, _) = try BrunoSample.imported(text)
        #expect(imported.collection.environments.map(\.host) == ["https://b.test"])
        #expect(imported.collection.requests.map(\.path) == ["/x"])
    }

    @Test func `prompts and the process environment are secrets, random values are samples`() throws {
        let (imported, notes) = try BrunoSample.imported(
            BrunoSample.request(
                """
                headers {
                  X-A: {{?Your name}} {{process.env.HOME_DIR}} {{$guid}} {{$randomFirstName}}
                }
                """))
        let collection = imported.collection
        let expected = "{{Your_name}} {{HOME_DIR}} {{$uuid}} {{randomFirstName}}"
        #expect(collection.requests.first?.headers == [Field("X-A", expected)])
        let secrets = try #require(collection.environments.first).secrets
        #expect(secrets == [Secret("Your_name", .prompt("")), Secret("HOME_DIR", .environment("HOME_DIR"))])
        #expect(collection.variables == [Field("randomFirstName", "Ada")])
        #expect(notes.contains { $0.kind == .loss && $0.subject == "{{$randomFirstName}}" })
    }

    @Test(arguments: ["{{$file('/etc/hosts')}}", "{{$base64($file('/etc/hosts'), '{{x}}')}}"])
    func `a text of a file calls no function that only Ombi has`(text: String) throws {
        let (request, _) = try BrunoSample.only(BrunoSample.request("headers {\n  X-A: \(text)\n}"))
        let value = try #require(request.headers.first?.value)
        #expect(try Template(value).names.allSatisfy { !$0.hasPrefix("$") }, "\(value)")
    }

    @Test(arguments: [
        ("name A\nmethod GET\nurl https://a.test\ntype http-request\n", "version 1 of Bruno's language"),
        ("meta {\n  name: x\n}\n", "no request"), ("get {\n  url: x\n", "not closed"),
    ])
    func `a file without a request is an error with a reason`(text: String, reason: String) {
        do throws(ImportError) {
            _ = try Importer.read(Array(text.utf8), from: "a.bru")
            Issue.record("it was read")
        } catch {
            #expect(error.message.contains(reason), "\(error.message)")
        }
    }

    @Test func `a request of another protocol is a loss`() throws {
        let text = "meta {\n  name: a\n  type: grpc\n}\ngrpc {\n  url: a.test\n}\n"
        let (imported, notes) = try BrunoSample.imported(text)
        #expect(imported.requestCount == 0 && notes.contains { $0.kind == .loss && $0.subject == "grpc" })
    }

    @Test func `a WebSocket has its headers, its subprotocols and its messages`() throws {
        let json = "body:ws {\n  name: hi\n  type: json\n  content: '''\n    {\n      \"a\": {{b}}\n    }\n  '''\n}\n"
        let (request, notes) = try BrunoSample.only(
            "meta {\n  name: a\n  type: ws\n}\nws {\n  url: wss://a.test/w?q=1\n  body: ws\n  auth: none\n}\n"
                + "headers {\n  X-A: 1\n  Sec-WebSocket-Protocol: chat, v2\n}\n" + json
                + "body:ws {\n  type: text\n  content: hello\n}\n")
        #expect(request.isWebSocket && request.method == .get && request.body == nil)
        #expect(request.headers == [Field("X-A", "1")] && request.query == [Field("q", "1")])
        #expect(request.webSocket?.subprotocols == ["chat", "v2"])
        #expect(request.webSocket?.messages.map(\.name) == ["hi", "message 2"])
        #expect(request.webSocket?.messages.map(\.text) == ["{\n  \"a\": {{b}}\n}", "hello"])
        #expect(!notes.contains { $0.subject == "ws" })
    }

    @Test(arguments: [
        ("", false), ("settings {\n  encodeUrl: false\n}\n", false), ("settings {\n  encodeUrl: true\n}\n", true),
    ])
    func `a query is sent as it is written, or encoded as a whole`(settings: String, isEncoded: Bool) throws {
        let list = "params:query {\n  @description('a word')\n  q: a+b\n  t: {{t}}\n}\n"
        let (request, notes) = try BrunoSample.only(
            BrunoSample.request(list + settings, url: "https://a.test/x?q=a+b&t={{t}}"))
        var first = isEncoded ? Field("q", "a+b") : Field.raw("q", "a+b")
        first.description = "a word"
        #expect(request.path == "/x" && request.query == [first, Field("t", "{{t}}")])
        #expect(notes.isEmpty, "\(notes)")
        let (other, _) = try BrunoSample.only(BrunoSample.request(settings, url: "https://a.test/x?q=a+b"))
        #expect(other.query == [isEncoded ? Field("q", "a+b") : Field.raw("q", "a+b")])
    }

    @Test func `a row has the value of the URL, which is sent, and that of the list where the URL has other rows`()
        throws
    {
        let list = "params:query {\n  text: Hello you\n  flag: \n  list: a\n}\n"
        let (request, _) = try BrunoSample.only(
            BrunoSample.request(list, url: "https://a.test/x?text=Hello+you&flag&list=a,b"))
        #expect(request.query == [.raw("text", "Hello+you"), .raw("flag", ""), Field("list", "a,b")])
        let (other, _) = try BrunoSample.only(BrunoSample.request(list, url: "https://a.test/x?text=Hello+you"))
        #expect(other.query.map(\.value) == ["Hello you", "", "a"])
    }
}
