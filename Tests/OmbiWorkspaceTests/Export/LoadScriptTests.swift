import Foundation
import OmbiCore
import OmbiDocument
import TestSupport
import Testing

@testable import OmbiWorkspace

/// Scripts for load engines.
@Suite struct LoadScriptTests {
    private static let plan = LoadPlan(users: 20, duration: .seconds(60))
    private static let secret = "s3/cret \"key\""

    private static func session() -> Session {
        Session(secrets: { _ in SecretReader(environment: { _ in secret }, file: { _ in [] }) })
    }

    private static func orders(
        _ requests: [SavedRequest], selected: [Int]? = nil, variables: [Variable] = []
    ) -> [RunOrder] {
        let collection = Collection(
            name: "c", variables: variables,
            environments: [
                Environment(
                    name: "local", host: "https://api.example.com", secrets: [Secret("key", .environment("KEY"))])
            ],
            items: requests.map { .request($0) })
        return (selected ?? Array(requests.indices)).map { index in
            RunOrder(
                id: index + 1, request: collection.requests[index], collection: collection, environment: "local",
                file: "/c.json")
        }
    }

    private static var logIn: SavedRequest {
        var request = SavedRequest(
            name: "log in", method: .post, path: "/login",
            body: .json(JSONContent(.object([.init("key", .string("{{key}}"))]))))
        request.captures = [Capture("token", .path("$.user.token"), isSecret: true)]
        return request
    }

    private static var list: SavedRequest {
        var request = SavedRequest(
            name: "list", path: "/items", query: [Field("name", "{{name}}")],
            authentication: .bearer(BearerAuthentication(token: "{{token}}")))
        request.expect = Expectation(
            status: [.code(200)], within: .seconds(2),
            body: [
                BodyExpectation("$.items[0].id", [.atLeast(.number(1))]), BodyExpectation("$..deep", [.exists(true)]),
            ])
        request.policy = RequestPolicy(retries: 2)
        return request
    }

    private static let row = DataRow(number: 1, variables: [Variable("name", "ada")])

    /// - Parameter selected: the requests of the load.
    private static func script(
        _ requests: [SavedRequest], selected: [Int]? = nil, variables: [Variable] = [], row: DataRow? = nil,
        _ engine: LoadEngine, _ plan: LoadPlan = LoadScriptTests.plan
    ) throws -> LoadScript {
        let orders = orders(requests, selected: selected, variables: variables)
        return try session().loadScript(orders, row: row, plan, for: engine)
    }

    // MARK: Text

    @Test(arguments: LoadEngine.allCases)
    func `a capture becomes set-up, a row a feeder, an expectation a check and a secret a variable`(
        engine: LoadEngine
    ) throws {
        let script = try Self.script([Self.logIn, Self.list], selected: [1], row: Self.row, engine)
        #expect(script.requests == ["log in", "list"])
        #expect(script.environment == ["OMBI_VALUE_KEY": Self.secret])
        for hidden in [Self.secret, "s3/cret", "s3%2Fcret", "ada"] { #expect(!script.text.contains(hidden)) }
        let need = engine == .k6 ? "need(values, " : "self.need("
        #expect(script.text.contains("\"Bearer \" + \(need)\"token\")"), "\(script.text)")
        #expect(script.text.contains("\(need)\"name\")"))
        #expect(script.text.contains("OMBI_VALUE_KEY") && script.text.contains(LoadScript.rowsVariable))
        #expect(script.text.contains("\\\"key\\\":\\\"atLeast\\\",\\\"wanted\\\":1"), "\(script.text)")
        #expect(script.text.contains("\\\"keys\\\":[\\\"user\\\",\\\"token\\\"]"))
        #expect(script.text.contains("\\\"limitMs\\\":2000"))
        let losses = script.losses.filter { $0.hasPrefix("list: ") }
        #expect(losses.contains("list: it is not retried"))
        #expect(losses.contains { $0.hasPrefix("list: not checked: $..deep") }, "\(losses)")
        #expect(script.losses.count { $0.hasPrefix("log in, list: redirects are not followed") } == 1)
    }

    @Test func `what escapes a value is in the language of the engine, or imported`() throws {
        let request = SavedRequest(
            name: "r", method: .post, path: "/p/{{name}}", body: .form(FormContent([Field("a", "{{name}}")])))
        let locust = try Self.script([request], row: Self.row, .locust).text
        #expect(locust.contains("re.sub(") && locust.contains("\nimport re\n"), "\(locust)")
        #expect(locust.contains("quote_plus(") && locust.contains(" import quote, quote_plus\n"))
        let k6 = try Self.script([request], row: Self.row, .k6).text
        #expect(k6.contains(".charCodeAt(0)") && !k6.contains("URLSearchParams"), "\(k6)")
    }

    @Test func `users, duration and rate are those of the engine`() throws {
        var plan = LoadPlan(users: 20, duration: .seconds(90), rate: 10)
        plan.percentiles.append(99.9)
        let requests = [SavedRequest(name: "a", path: "/a"), SavedRequest(name: "a", path: "/b")]
        let k6 = try Self.script(requests, .k6, plan)
        for part in [
            "__ENV.OMBI_USERS || 20)", "__ENV.OMBI_DURATION || \"90s\"", "__ENV.OMBI_RATE || 10.0)",
            "timeUnit: \"2000s\"", "\"p(99.9)\"", "timeout: \"30s\"",
        ] { #expect(k6.text.contains(part), "\(part)") }
        #expect(k6.requests == ["a", "a (2)"])
        let locust = try Self.script(requests, .locust, plan)
        for part in ["or \"20\")", "or \"90s\"", "or \"10.0\")", "constant_throughput(RATE / 2 / USERS)"] {
            #expect(locust.text.contains(part), "\(part)")
        }
        #expect(plan.variables(for: .k6)["OMBI_DURATION"] == "90s")
        #expect(plan.variables(for: .locust) == ["OMBI_USERS": "20", "OMBI_DURATION": "90s", "OMBI_RATE": "10.0"])
    }

    @Test(arguments: LoadEngine.allCases)
    func `two collections that capture one name have values of their own`(engine: LoadEngine) throws {
        let orders = ["a", "b"].enumerated().map { index, name -> RunOrder in
            let environment = Environment(
                name: "local", host: "https://\(name).test", secrets: [Secret("key", .environment("KEY"))])
            let collection = Collection(
                name: name, environments: [environment], items: [.request(Self.logIn), .request(Self.list)])
            return RunOrder(
                id: index + 1, request: collection.requests[1], collection: collection, environment: "local",
                file: "/\(name).json")
        }
        let script = try Self.session().loadScript(orders, row: Self.row, Self.plan, for: engine)
        #expect(script.requests == ["log in", "log in (2)", "list", "list (2)"])
        let need = engine == .k6 ? "need(values, " : "self.need("
        for name in ["token", "token2"] {
            #expect(script.text.components(separatedBy: "\"Bearer \" + \(need)\"\(name)\")").count == 2, "\(name)")
            #expect(script.text.contains("\\\"name\\\":\\\"\(name)\\\""), "\(script.text)")
        }
    }

    @Test(arguments: LoadEngine.allCases)
    func `what is sent first has its own values, also from a request of the load`(engine: LoadEngine) throws {
        var create = SavedRequest(
            name: "create", method: .post, path: "/items",
            authentication: .bearer(BearerAuthentication(token: "{{token}}")))
        create.captures = [Capture("item", .path("$.id"))]
        let show = SavedRequest(name: "show", path: "/items/{{item}}")
        let script = try Self.script([Self.logIn, create, show], selected: [0, 2], engine)
        #expect(script.requests == ["log in", "create", "log in (2)", "show"])
    }

    @Test func `the engine's lines show no value of a variable`() throws {
        let script = try Self.script([Self.logIn], .k6)
        let line = "GET https://a.test/?k=s3%2Fcret%20%22key%22 failed for \(Self.secret)"
        let masked = script.masked(line)
        #expect(!masked.contains("cret") && masked.contains("failed for"), "\(masked)")
    }

    @Test func `a variable of the request is sent, and not the secret of the same name`() throws {
        var request = Self.logIn
        request.variables = [Field("key", "a plain value")]
        let script = try Self.script([request], .k6)
        #expect(!script.environment.values.contains(Self.secret), "the gate has asked for no secret")
        #expect(script.environment.values.contains("a plain value") || script.text.contains("a plain value"))
    }

    // MARK: Refusals

    @Test func `a secret passes the gate before it is in the variables of an engine`() {
        var steps = SessionSteps()
        steps.gate = Gate(store: nil)
        let session = Session(
            secrets: { _ in SecretReader(environment: { _ in Self.secret }, file: { _ in [] }) }, steps: steps)
        #expect(throws: ResolveError.self) {
            try session.loadScript(Self.orders([Self.logIn]), row: nil, Self.plan, for: .k6)
        }
    }

    @Test func `what a script cannot send is refused with its reason`() throws {
        var tunnelled = SavedRequest(name: "t", path: "/t")
        tunnelled.connection = SavedConnection { $0.via = "ssh://bastion" }
        var form = SavedRequest(name: "f", method: .post, path: "/f")
        form.body = .multipart(MultipartContent([MultipartPart("a", .text("b"))]))
        var regex = Self.logIn
        regex.captures = [Capture("token", .regex("t=(.*)"))]
        let refused: [([SavedRequest], LoadEngine, String)] = [
            ([tunnelled], .locust, "its connection takes a way that locust cannot"),
            ([form], .k6, "forms with parts are not written for k6"),
            ([regex, Self.list], .k6, "a script cannot capture it"),
        ]
        for (requests, engine, reason) in refused {
            let error = #expect(throws: ResolveError.self) {
                try Self.script(requests, row: Self.row, engine)
            }
            #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
        }
        let host = SavedRequest(name: "h", path: "https://{{name}}/x")
        #expect(throws: ResolveError.self) { try Self.script([host], row: Self.row, .locust) }
        let indirect = SavedRequest(name: "i", path: "/{{full}}")
        let error = #expect(throws: ResolveError.self) {
            try Self.script([indirect], variables: [Variable("full", "x-{{name}}")], row: Self.row, .locust)
        }
        #expect(error?.reason.contains("computed from a captured value or a row") == true)
    }

    @Test(
        arguments: [
            ("$.a.b[0]", "[\"a\",\"b\",0]"), ("$['a b'][\"c\"]", "[\"a b\",\"c\"]"), ("$", "[]"), ("$.a[-1]", nil),
            ("$..a", nil), ("$.*", nil), ("$[0:1]", nil), ("$[?@.a]", nil), ("$.a['x\\'y']", nil), ("a", nil),
            ("$['a','b']", nil),
        ] as [(String, String?)])
    func `a path of one value is one of keys`(path: String, keys: String?) {
        let step = LoadPath(path).map { path -> LoadStep in
            let order = Self.orders([SavedRequest(name: "r", path: "/")])[0]
            var step = LoadStep(request: ExportedRequest(order), limit: .zero)
            step.taken = [LoadStep.Taken(name: "x", subject: .path(path))]
            return step
        }
        #expect(step?.json["taken"]?.elements?.first?["keys"]?.compact == keys)
    }

    // MARK: Judges

    /// Requests whose every text wants out of its place.
    private static var hostile: [SavedRequest] {
        [
            "\"\"\"", "'''", "*/", "</script>", "\\", "\n# x", "\r\n", "${x}", "%s", "{", "\u{2028}", "\u{202E}",
        ].map { text in
            var request = SavedRequest(
                name: "n\(text)", method: .post, path: "/p", query: [Field("q\(text)", text)],
                headers: [Field("X-A", "a\"'\\b")], body: .text(TextContent(text)))
            request.expect = Expectation(body: [BodyExpectation("$['k']", [.equals(.string(text))])])
            // A comment names the request.
            request.policy = RequestPolicy(retries: 1)
            return request
        }
    }

    @Test(.enabled(if: ChildProgram.find("python3") != nil, "apt-get install python3"))
    func `Python compiles the script of hostile requests`() async throws {
        let script = try Self.script(Self.hostile + [Self.logIn, Self.list], row: Self.row, .locust)
        let python = try #require(ChildProgram.find("python3"))
        let result = try await ChildProgram.run(
            python, ["-c", "import sys; compile(sys.stdin.buffer.read(), 'load.py', 'exec')"], input: script.text)
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test(.enabled(if: ChildProgram.find("node") != nil, "apt-get install nodejs"))
    func `the parser of Node.js reads the script of hostile requests`() async throws {
        let script = try Self.script(Self.hostile + [Self.logIn, Self.list], row: Self.row, .k6)
        let folder = try TemporaryFolder()
        let file = try folder.file("load.mjs", script.text)
        let node = try #require(ChildProgram.find("node"))
        let result = try await ChildProgram.run(node, ["--check", file])
        #expect(result.status == 0, "\(result.errors)")
    }
}
