import Foundation
import OmbiCore
import OmbiDocument
import TestSupport
import Testing

@testable import OmbiWorkspace

/// Scripts for load engines as exports of requests that are saved.
@Suite struct SavedLoadScriptTests {
    private static let engines = ["k6", "locust"]

    private static func orders(_ requests: [SavedRequest], selected: [Int]? = nil) -> [RunOrder] {
        let collection = Collection(
            name: "c", environments: [Environment(name: "local", host: "{{base}}/v1")],
            items: requests.map { .request($0) })
        return (selected ?? Array(requests.indices)).map { index in
            RunOrder(
                id: index + 1, request: collection.requests[index], collection: collection, environment: "local",
                file: "/c.json")
        }
    }

    private static func exported(
        _ requests: [SavedRequest], selected: [Int]? = nil, as name: String
    ) throws -> ExportedText {
        Session.exported(orders(requests, selected: selected), as: try #require(Exporter.named(name)))
    }

    private static var logIn: SavedRequest {
        var request = SavedRequest(
            name: "log in", method: .post, path: "/login",
            body: .json(JSONContent(.object([.init("key", .string("{{apiKey}}"))]))))
        request.captures = [Capture("token", .path("$.token"), isSecret: true), Capture("id", .path("$.id"))]
        return request
    }

    private static var list: SavedRequest {
        SavedRequest(
            name: "list", path: "/items/{{id}}", query: [Field("name", "{{name}}"), Field("at", "{{$timestamp}}")],
            authentication: .bearer(BearerAuthentication(token: "{{token}}")))
    }

    /// The value of a variable of the script, and one of the process.
    private static func values(_ name: String, _ engine: String) -> (captured: String, process: String) {
        engine == "k6"
            ? ("need(values, \"\(name)\")", "__ENV[\"\(name)\"]")
            : ("self.need(\"\(name)\")", "os.environ[\"\(name)\"]")
    }

    @Test(arguments: engines)
    func `values that no earlier request captures are variables of the process, which the script asks for`(
        engine: String
    ) throws {
        let exported = try Self.exported([Self.logIn, Self.list], selected: [1], as: engine)
        for name in ["token", "id"] { #expect(exported.text.contains(Self.values(name, engine).captured), "\(name)") }
        for name in ["API_KEY", "BASE", "NAME", "TIMESTAMP"] {
            #expect(exported.text.contains(Self.values(name, engine).process), "\(name)")
        }
        #expect(exported.text.contains("[\"API_KEY\", \"BASE\", \"NAME\", \"TIMESTAMP\"]"))
        for name in ["OMBI_USERS", "OMBI_DURATION", "OMBI_RATE"] { #expect(exported.text.contains(name)) }
        #expect(
            exported.losses.contains("list: computed by Ombi, a variable here: {{$timestamp}}"), "\(exported.losses)")
    }

    @Test(arguments: engines)
    func `a captured secret goes to its own server only, and no captured value decides a host`(
        engine: String
    ) throws {
        var foreign = Self.list
        (foreign.name, foreign.path) = ("foreign", "https://other.test/{{id}}")
        let host = SavedRequest(name: "host", path: "https://{{id}}.test/")
        let exported = try Self.exported([Self.logIn, foreign, host], selected: [1, 2], as: engine)
        #expect(!exported.text.contains(Self.values("token", engine).captured))
        for name in ["TOKEN", "ID"] { #expect(exported.text.contains(Self.values(name, engine).process), "\(name)") }
        #expect(exported.text.contains(Self.values("id", engine).captured), "a path may have it")
    }

    @Test(arguments: engines)
    func `secrets and captured values of one name go to the server of their own collection`(engine: String) throws {
        let orders = ["a", "b"].map { name -> RunOrder in
            let environment = Environment(
                name: "local", host: "https://\(name).test", secrets: [Secret("apiKey", .environment("KEY"))])
            let collection = Collection(
                name: name, environments: [environment], items: [.request(Self.logIn), .request(Self.list)])
            return RunOrder(
                id: 1, request: collection.requests[1], collection: collection, environment: "local",
                file: "/\(name).json")
        }
        let exporter = try #require(Exporter.named(engine))
        let requests = Session.exported(orders, as: exporter).text.components(separatedBy: "request_").filter {
            $0.contains("https://")
        }
        #expect(requests.count == 4)
        for (host, suffix, other) in [("https://a.test", "", "2"), ("https://b.test", "2", "")] {
            let own = requests.filter { $0.contains(host) }.joined()
            for name in ["token", "id"] { #expect(own.contains(Self.values(name + suffix, engine).captured)) }
            #expect(own.contains(Self.values("API_KEY" + suffix, engine).process), "\(own)")
            for name in ["token", "id"] { #expect(!own.contains(Self.values(name + other, engine).captured)) }
            #expect(!own.contains(Self.values("API_KEY" + other, engine).process))
        }
    }

    @Test func `what an engine cannot send is a loss, and the rest is sent`() throws {
        var form = SavedRequest(
            name: "form", method: .post, path: "/f",
            authentication: .digest(DigestAuthentication(username: "ada", password: "{{password}}")),
            body: .multipart(MultipartContent([MultipartPart("a", .text("{{part}}"))])))
        form.compression = .gzip
        var regex = Self.logIn
        regex.captures = [Capture("token", .regex("t=(.*)"))]
        let k6 = try Self.exported([form, regex, Self.list], as: "k6")
        for loss in [
            "form: its Digest authentication is left out", "form: the body is not compressed",
            "form: its body is left out: forms with parts are not written for k6",
            "log in: not captured: token from regex t=(.*)",
        ] { #expect(k6.losses.contains(loss) && k6.text.contains("// \(loss)\n"), "\(loss): \(k6.losses)") }
        #expect(k6.text.contains(Self.values("TOKEN", "k6").process) && !k6.text.contains("PART"))
        #expect(!k6.text.contains("PASSWORD"), "no script asks for what it does not send")
        let locust = try Self.exported([form, regex, Self.list], as: "locust")
        #expect(locust.text.contains("HTTPDigestAuth(") && locust.text.contains(Self.values("PART", "locust").process))
    }

    @Test(arguments: engines) func `a status that Ombi accepts is accepted, and no redirect in place of its target`(
        engine: String
    ) throws {
        var request = SavedRequest(name: "r", path: "https://a.test/x")
        #expect(try Self.exported([request], as: engine).text.contains(#"\"statuses\":[[100,399]]"#))
        request.headers = [Field("X-A", "{{name}}")]
        #expect(try Self.exported([request], as: engine).text.contains(#"\"statuses\":[[200,299]]"#))
        request.connection = SavedConnection { $0.maximumRedirects = 0 }
        #expect(try Self.exported([request], as: engine).text.contains(#"\"statuses\":[[100,399]]"#))
        request.body = .multipart(MultipartContent([]))
        #expect(try Self.exported([request], as: engine).losses.contains { $0.contains("form") })
    }

    @Test func `a WebSocket is left out, and k6 verifies all certificates where one request does`() throws {
        let environment = Environment(name: "local", host: "https://a.test", verifyTLS: false)
        let requests = [
            SavedRequest(name: "here", path: "/a"), SavedRequest(name: "there", path: "https://b.test/"),
            SavedRequest(name: "socket", path: "wss://a.test/"),
        ]
        let orders = requests.map { request in
            RunOrder(
                id: 1, request: request, collection: Collection(name: "c", environments: [environment]),
                environment: "local", file: "/c.json")
        }
        let exported = Session.exported(orders, as: try #require(Exporter.named("k6")))
        #expect(exported.losses.first == "socket is a WebSocket, which is left out")
        #expect(exported.text.contains("insecureSkipTLSVerify: false"))
        #expect(exported.losses.contains { $0.hasPrefix("here: k6 verifies the certificates of all servers") })
    }

    @Test(arguments: engines) func `secrets stay variables where values are filled in`(engine: String) throws {
        let session = Session(secrets: { _ in SecretReader(environment: { _ in "s3/cret" }, file: { _ in [] }) })
        let environment = Environment(
            name: "local", host: "https://a.test", variables: [Variable("name", "ada")],
            secrets: [Secret("key", .environment("KEY"))])
        let request = SavedRequest(name: "r", path: "/{{name}}", headers: [Field("X-Key", "{{key}}")])
        let order = RunOrder(
            id: 1, request: request, collection: Collection(name: "c", environments: [environment]),
            environment: "local", file: "/c.json")
        let exporter = try #require(Exporter.named(engine))
        let text = try session.filledExport(of: [order], as: exporter, revealsSecrets: true).text
        #expect(text.contains("https://a.test/ada") && !text.contains("cret"), "\(text)")
        #expect(text.contains(Self.values("OMBI_VALUE_KEY", engine).process), "\(text)")
    }

    // MARK: Judges

    private static let runner = """
        const metrics = {};
        globalThis.__ENV = process.env;
        globalThis.calls = [];
        globalThis.add = (name, value) => {
          const values = (metrics[name] ??= { values: { count: 0, avg: 2, max: 2, "p(95)": 2 } }).values;
          for (const percent of [50, 90, 99]) values[`p(${percent})`] = 2;
          values.count += 1;
        };
        const script = await import("./load.mjs");
        console.log(JSON.stringify(script.options.scenarios.load));
        script.default(script.setup());
        for (const { method, url, body } of calls) console.log(method, url, body);
        console.log(script.handleSummary({ metrics }).stdout);
        """

    @Test(.enabled(if: ChildProgram.find("node") != nil, "apt-get install nodejs"))
    func `Node.js runs the script for k6 with stand-ins for its modules`() async throws {
        let folder = try TemporaryFolder()
        try K6StandIn.write(into: folder)
        _ = try folder.file("load.mjs", try Self.exported([Self.logIn, Self.list], selected: [1], as: "k6").text)
        let node = try #require(ChildProgram.find("node"))
        var environment = ["API_KEY": "s\"3", "BASE": "https://a.test", "NAME": "a b", "OMBI_RATE": "5"]
        let unset = try await ChildProgram.run(
            node, [try folder.file("run.mjs", Self.runner)], environment: environment)
        #expect(unset.status != 0 && unset.errors.contains("the variable TIMESTAMP is not set"), "\(unset.errors)")
        environment["TIMESTAMP"] = "1"
        let result = try await ChildProgram.run(node, [folder.path + "/run.mjs"], environment: environment)
        #expect(
            result.output == """
                {"executor":"constant-arrival-rate","rate":5000,"timeUnit":"1000s","duration":"30s",\
                "preAllocatedVUs":10,"maxVUs":10}
                POST https://a.test/v1/login {"key":"s\\"3"}
                GET https://a.test/v1/items/7?name=a%20b&at=1 null
                log in: 1 sent, 0 failed, p50 2.0 ms, p90 2.0 ms, p95 2.0 ms, p99 2.0 ms
                list: 1 sent, 0 failed, p50 2.0 ms, p90 2.0 ms, p95 2.0 ms, p99 2.0 ms
                all: 2 sent, 0 failed, p50 2.0 ms, p90 2.0 ms, p95 2.0 ms, p99 2.0 ms


                """, "\(result.output)\(result.errors)")
    }
}
