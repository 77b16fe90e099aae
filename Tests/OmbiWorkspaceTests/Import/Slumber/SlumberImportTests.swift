import OmbiCore
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Collections of slumber 3 and 4.
@Suite struct SlumberImportTests {
    static let shop = """
        name: Shop
        .data:
          size: 3
        .base:
          headers:
            Accept: text/plain
          query:
            a: 1
        profiles:
          stage:
            name: Stage
            data:
              host: https://stage.test
          local:
            default: true
            data:
              $ref: "#/.data"
              host: http://localhost:3000
              user:
                name: ada
        requests:
          login:
            name: Log in
            method: POST
            url: "{{ host }}/login"
            persist: false
            authentication:
              type: basic
              username: ada
              password: "{{ prompt(message='Password', sensitive=true) }}"
            body:
              type: form_urlencoded
              data:
                tag: [x, y]
          users:
            name: users
            requests:
              create:
                $ref: "#/.base"
                method: POST
                url: "{{host}}/users/{{ user.name }}"
                query:
                  b: [2, 3]
                authentication:
                  type: bearer
                  token: "{{ response('login', trigger='1h') | jsonpath('$.token') }}"
                body:
                  type: json
                  data:
                    size: "{{ size }}"
                    count: "{{ prompt(message='Count', default=3) | integer() }}"
                    flag: "{{ true }}"
                    text: "{_{ size }}"
                    list: [1, null]
              upload:
                method: PUT
                url: "{{ host }}/upload"
                body:
                  type: stream
                  data: "{{ file('data/a.bin') }}"
              parts:
                method: POST
                url: "{{ host }}/parts"
                headers:
                  X-Run: "{{ command(['git', 'rev-parse', 'HEAD']) | trim() }}"
                  X-Env: "{{ env('SHOP_KEY') }}"
                  X-Pick: "{{ select(['one', 'two'], message='Which') }}"
                  X-Odd: "{{ jq('.a', response('login')) }}"
                body:
                  type: form_multipart
                  data:
                    name: "{{ user.name }}"
                    file: "{{ file('a.png') }}"
        """

    private static func imported() throws -> (imported: Imported, notes: [ImportNote]) {
        try FolderSample.file(shop, "slumber.yml")
    }

    private static func request(_ name: String) throws -> SavedRequest {
        try #require(try imported().imported.collection.requests.first { $0.name == name })
    }

    @Test func `the tree has the order of the file, and references with their own members`() throws {
        let (imported, _) = try Self.imported()
        #expect(imported.collection.name == "Shop" && imported.collection.items.map(\.name) == ["Log in", "users"])
        #expect(imported.requestCount == 4 && imported.folderCount == 1)
        let create = try Self.request("create")
        #expect(create.headers == [Field("Accept", "text/plain")])
        #expect(create.query == [Field("b", "2"), Field("b", "3")])
        #expect(create.path == "/users/{{user.name}}")
        #expect(try !Self.request("Log in").isRecorded)
    }

    @Test func `profiles are environments, the default one first`() throws {
        let (imported, _) = try Self.imported()
        let environments = imported.collection.environments
        #expect(environments.map(\.name) == ["local", "Stage"])
        #expect(environments.map(\.host) == ["http://localhost:3000", "https://stage.test"])
        #expect(environments[0].variables.contains(Field("size", "3")))
        #expect(environments[0].variables.contains(Field("user.name", "ada")))
    }

    @Test func `bodies, and the kinds of what templates give`() throws {
        let create = try Self.request("create")
        let body = JSONValue.object([
            .init("size", .string("{{size:number}}")), .init("count", .string("{{Count:number}}")),
            .init("flag", .bool(true)), .init("text", .string("\\{{ size }}")),
            .init("list", .array([.number("1"), .null])),
        ])
        #expect(create.body == .json(JSONContent(body)), "\(String(describing: create.body))")
        #expect(try Self.request("Log in").body == .form(FormContent([Field("tag", "x"), Field("tag", "y")])))
        #expect(try Self.request("upload").body == .file(FileContent("data/a.bin")))
        let parts = [MultipartPart("name", .text("{{user.name}}")), MultipartPart("file", .file("a.png"))]
        #expect(try Self.request("parts").body == .multipart(MultipartContent(parts)))
    }

    @Test func `a response is a capture, a prompt and a program are secrets`() throws {
        let (imported, notes) = try Self.imported()
        let login = try Self.request("Log in")
        #expect(login.captures.map(\.source) == [.path("$.token")])
        #expect(login.captures.first?.maximumAge == .seconds(3600) && login.captures.first?.isSecret == true)
        let name = try #require(login.captures.first?.name)
        #expect(try Self.request("create").authentication == .bearer(BearerAuthentication(token: "{{\(name)}}")))
        let secrets = try #require(imported.collection.environments.first?.secrets)
        #expect(secrets.contains(Secret("Password", .prompt(""))))
        #expect(secrets.contains { $0.source == .command(["git", "rev-parse", "HEAD"]) })
        #expect(secrets.contains(Secret("SHOP_KEY", .environment("SHOP_KEY"))))
        #expect(imported.collection.variables.contains(Field("Count", "3")))
        #expect(try Self.request("parts").headers.contains(Field("X-Pick", "one")))
        #expect(notes.lose("select") && notes.contains { $0.kind == .loss && $0.subject.contains("jq(") })
    }

    @Test(arguments: [
        ("jsonpath('$.list[*].id', mode='array')", "$.list[0].id"), ("jsonpath('$.ids')", "$.ids[0]"),
    ])
    func `a choice among the values of a response is a capture of the first`(query: String, path: String) throws {
        let text = """
            requests:
              list: { method: GET, url: "http://a.test/list" }
              one:
                method: GET
                url: "http://a.test/{{ response('list') | \(query) | select(message='Which') }}"
            """
        let (imported, notes) = try FolderSample.file(text, "slumber.yml")
        let requests = imported.collection.requests
        #expect(requests[0].captures.map(\.source) == [.path(path)])
        #expect(requests[1].path == "/{{\(requests[0].captures.first?.name ?? "")}}" && notes.lose("select"))
    }

    static let former = """
        profiles:
          one:
            data:
              host: https://a.test
        chains:
          name:
            source: !command
              command: [whoami]
          pin:
            source: !prompt
              message: Pin
            sensitive: true
          token:
            source: !request
              recipe: login
              trigger: !expire 12h
            selector: $.token
          other:
            source: !request
              recipe: gone
        requests:
          login: !request
            method: POST
            url: "{{host}}/login"
            authentication: !basic
              username: "{{chains.name}}"
              password: "{{chains.pin}}"
            body: !json { "a": 1 }
            query:
              - b=2
          folder: !folder
            name: inner
            requests:
              next: !request
                method: GET
                url: "{{host}}/next"
                authentication: !bearer "{{chains.token}}"
                headers:
                  X-Home: "{{env.HOME_PAGE}}"
                  X-Other: "{{chains.other}}"
        """

    @Test func `the tags and the chains of slumber 3 are those of 4`() throws {
        let (imported, notes) = try FolderSample.file(Self.former, "slumber.yml")
        #expect(imported.collection.items.map(\.name) == ["login", "inner"])
        let (login, next) = (imported.collection.requests[0], imported.collection.requests[1])
        #expect(login.body == .json(JSONContent(.object([.init("a", .number("1"))]))))
        #expect(login.query == [Field("b", "2")])
        #expect(login.authentication == .basic(BasicAuthentication(username: "{{whoami}}", password: "{{Pin}}")))
        #expect(login.captures.map(\.source) == [.path("$.token")])
        #expect(login.captures.first?.maximumAge == .seconds(43_200))
        #expect(next.headers.first == Field("X-Home", "{{HOME_PAGE}}"))
        #expect(notes.lose("response('gone')"))
    }

    @Test(
        arguments: [
            (", trigger='always'", Duration.zero), (", trigger='1d12h'", .seconds(129_600)),
            (", trigger='90s'", .seconds(90)),
            (", trigger='no_history'", nil), ("", nil), (", trigger='never'", nil), (", trigger='soon'", nil),
            (", trigger='5'", nil),
        ] as [(String, Duration?)])
    func `a trigger is the age of a capture, or is named`(option: String, age: Duration?) throws {
        let (imported, notes) = try FolderSample.file(
            """
            profiles: {}
            requests:
              login: { url: "https://a.test/login" }
              next:
                url: "https://a.test/next"
                authentication: { type: bearer, token: "{{ response('login'\(option)) | jsonpath('$.token') }}" }
            """, "slumber.yml")
        #expect(imported.collection.requests[0].captures.map(\.maximumAge) == [age])
        let subjects = notes.map(\.subject)
        let isNever = option.isEmpty || option.contains("never")
        #expect(subjects.contains("response('login')") == isNever)
        #expect(notes.contains { $0.kind == .loss } == (option.contains("soon") || option.contains("5'")))
        #expect(notes.allSatisfy { $0.position.line == 6 })
    }

    @Test(
        arguments: [
            ("!always", Duration.zero), ("always", .zero), ("!no_history", nil), ("no_history", nil),
            ("!expire 1h", .seconds(3600)),
            ("expire 1h", .seconds(3600)), ("!never", nil),
        ] as [(String, Duration?)])
    func `a trigger of slumber 3 is the same`(trigger: String, age: Duration?) throws {
        let text = Self.former.replacing("!expire 12h", with: trigger)
        let (imported, notes) = try FolderSample.file(text, "slumber.yml")
        #expect(imported.collection.requests[0].captures.map(\.maximumAge) == [age])
        #expect(notes.contains { $0.subject == "response('login')" } == trigger.contains("never"))
    }

    @Test func `what slumber sends for null, and for values of variables that are no texts`() throws {
        let (imported, notes) = try FolderSample.file(
            """
            profiles:
              one: { data: { none: null, age: "{{ '3' | integer() }}", list: [1, a], name: ada } }
            requests:
              login: { url: "https://a.test/login" }
              r:
                method: POST
                url: "https://a.test/{{ list }}"
                query: { n: null }
                headers: { Accept: a/b, accept: c/d }
                body:
                  type: json
                  data:
                    none: "{{ none }}"
                    age: "{{ age }}"
                    list: "{{ list }}"
                    name: "{{ name }}"
                    id: "{{ response('login', trigger='1h') | jsonpath('$.id') }}"
              t: { method: POST, url: "https://a.test/t", body: "hello" }
            """, "slumber.yml")
        let request = imported.collection.requests[1]
        #expect(request.query == [Field("n", "null")] && request.headers == [Field("accept", "c/d")])
        let body = JSONValue.object([
            .init("none", .string("{{none:json}}")), .init("age", .string("{{age:number}}")),
            .init("list", .string("{{list:json}}")), .init("name", .string("{{name}}")),
            .init("id", .string("{{login_id}}")),
        ])
        #expect(request.body == .json(JSONContent(body)), "\(String(describing: request.body))")
        let variables = try #require(imported.collection.environments.first?.variables)
        #expect(variables.contains(Field("none", "null")) && variables.contains(Field("age", "3")))
        let remarks = notes.filter { $0.kind == .remark }.map { "\($0.position.line) \($0.subject)" }
        #expect(Set(remarks) == ["7 {{ list }}", "17 response()", "18 body"])
    }

    @Test func `a literal is trimmed, and spaces of another value are named`() throws {
        let (imported, notes) = try FolderSample.file(
            """
            profiles: { one: { data: { name: ada } } }
            requests:
              r:
                url: "https://a.test/{{ ' x ' | trim() }}"
                headers: { A: "{{ name | trim() }}", B: "{{ command(['date']) | trim() }}" }
            """, "slumber.yml")
        #expect(imported.collection.requests[0].path == "/x")
        #expect(notes.filter { $0.subject == "trim()" }.map(\.position.line) == [5])
    }

    @Test func `a default that names a variable is the value, in both versions`() throws {
        let former = """
            profiles: { one: { data: { id: "7" } } }
            chains:
              a: { source: !prompt { default: "{{id}}" } }
              b: { source: !prompt { default: "No. {{id}}!" } }
            requests:
              r: !request { method: GET, url: "https://a.test/x", headers: { A: "{{chains.a}}", B: "{{chains.b}}" } }
            """
        let current = """
            profiles: { one: { data: { id: "7" } } }
            requests:
              r:
                url: "https://a.test/x"
                headers:
                  A: "{{ prompt(message='a', default=id) }}"
                  B: "{{ prompt(message='a', default=concat(['No. ', id, '!'])) }}"
            """
        for (text, names) in [(former, ["a", "b"]), (current, ["a", "a2"])] {
            let imported = try FolderSample.file(text, "slumber.yml").imported
            #expect(imported.collection.requests[0].headers.map(\.value) == names.map { "{{\($0)}}" })
            #expect(imported.collection.variables == [Field(names[0], "{{id}}"), Field(names[1], "No. {{id}}!")])
        }
    }

    /// Looking for each name among all, from the first on, takes minutes.
    @Test(.timeLimit(.minutes(2))) func `thousands of headers and of defaults are read in one pass`() throws {
        let headers = (0..<5000).map { "      X-\($0): \"{{ prompt(message='a', default='\($0)') }}\"\n" }
        let text =
            "profiles: {}\nrequests:\n  r:\n    url: https://a.test/x\n    headers:\n" + headers.joined()
            + "      x-0: last\n"
        let imported = try FolderSample.file(text, "slumber.yml").imported
        let request = try #require(imported.collection.requests.first)
        #expect(request.headers.count == 5000 && request.headers.last == Field("x-0", "last"))
        #expect(request.headers.first == Field("X-1", "{{a2}}"))
        #expect(imported.collection.variables.prefix(3) == [Field("a", "0"), Field("a2", "1"), Field("a3", "2")])
    }

    @Test func `two triggers of one value are two captures, and a list of values is a loss`() throws {
        let (imported, notes) = try FolderSample.file(
            """
            profiles: {}
            requests:
              login: { url: "https://a.test/login" }
              next:
                url: "https://a.test/next"
                headers:
                  A: "{{ response('login', trigger='1h') | jsonpath('$.a') }}"
                  B: "{{ response('login', trigger='always') | jsonpath('$.a') }}"
                  C: "{{ response('login', trigger='1h') | jsonpath('$.a') }}"
                  D: "{{ response('login', trigger='1h') | jsonpath('$.a[*]', mode='array') }}"
            """, "slumber.yml")
        let (login, next) = (imported.collection.requests[0], imported.collection.requests[1])
        #expect(login.captures.map(\.maximumAge) == [.seconds(3600), .zero])
        let names = login.captures.map { "{{\($0.name)}}" }
        #expect(next.headers.prefix(3).map(\.value) == [names[0], names[1], names[0]])
        #expect(notes.contains { $0.kind == .loss && $0.message.contains("fixed value") })
    }

    @Test(arguments: [
        ("response('a') | jsonpath('$.b')", true), ("a", true), ("concat(['x', a, 1.5])", true), ("f(", false),
        ("a b", false), ("", false), ("'open", false), ("[1, 2", false), ("a | b", false),
    ])
    func `an expression is read whole or not at all`(text: String, isOne: Bool) {
        #expect((SlumberExpression(text) != nil) == isOne)
    }

    @Test func `brackets in each other are bounded`() {
        #expect(SlumberExpression(String(repeating: "[", count: 10_000)) == nil)
        #expect(SlumberExpression(String(repeating: "f(", count: 10_000)) == nil)
    }

    @Test func `references that grow are an error, and one that leads nowhere is a loss`() throws {
        let levels = (1...20).map { level in
            let reference = "{$ref: '#/.x/a\(level - 1)'}"
            return "  a\(level): [" + Array(repeating: reference, count: 9).joined(separator: ", ") + "]\n"
        }
        let text =
            ".x:\n  a0: 1\n" + levels.joined()
            + "profiles: {}\nrequests:\n  r:\n    url: https://a.test/x\n    body: {$ref: '#/.x/a20'}\n"
        #expect(throws: ImportError.self) { try Importer.read(Array(text.utf8), from: "slumber.yml") }
        let (imported, notes) = try FolderSample.file(
            "profiles: {}\nrequests:\n  r:\n    $ref: \"#/.none\"\n    url: https://a.test/x\n", "slumber.yml")
        #expect(imported.requestCount == 1 && notes.lose("#/.none", "no such part"))
    }

    @Test func `a folder with the file is imported`() throws {
        let (imported, _) = try FolderSample.imported(["slumber.yml": Self.shop])
        #expect(imported.requestCount == 4)
    }

    @Test func `a literal that is made a number is one`() throws {
        let (imported, _) = try FolderSample.file(
            """
            requests:
              r:
                method: POST
                url: "https://a.test/x"
                body:
                  type: json
                  data: { a: "{{ integer('5') }}", b: "{{ 'true' | boolean() }}", c: "{{ integer('x') }}" }
            """, "slumber.yml")
        let body: JSONValue = ["a": .number("5"), "b": true, "c": "x"]
        #expect(imported.collection.requests.first?.body == .json(JSONContent(body)))
    }

    @Test func `an underscore keeps braces in a text, too`() throws {
        let (imported, _) = try FolderSample.file(
            "requests:\n  r: { method: POST, url: \"https://a.test/x\", body: \"{_{ a }} {{ b }}\" }\n", "slumber.yml")
        #expect(imported.collection.requests.first?.body == .text(TextContent("\\{{ a }} {{b}}")))
    }
}
