import Foundation
import OmbiCore
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Bundles that nobody's Ombi has written.
@Suite struct HostileBundleTests {
    static let valid = """
        {"ombi":"incident-bundle","format":1,
        "collection":{"version":1,"name":"c","environments":[{"name":"live","host":"http://api.test"}],
        "items":[{"request":"r","path":"/p"}]},
        "marks":[],"contents":["body"],
        "runs":[{"path":["r"],"environment":"live","startedAt":1800000000000000,"duration":5,"outcome":"passed",
        "status":200,"attemptCount":1,"method":"GET","url":"http://api.test/p","size":4,"body":0,"response":{},
        "attempts":[{"number":1,"reason":0,"startedAt":0,"duration":5,"phases":[0,0,0,0,0,3,2],"outcome":0,
        "bytesReceived":4,"bytesSent":0}]}]}
        """

    private static func read(_ text: String) throws -> IncidentBundle {
        try IncidentBundle(reading: Array(text.utf8), path: "incident.json")
    }

    @Test func `a bundle by hand is read`() throws {
        let bundle = try Self.read(Self.valid)
        #expect(bundle.excerpt.runCount == 1 && bundle.collection.requests.map(\.name) == ["r"])
        #expect(BundleFormat.begins(Array(Self.valid.utf8)[...]))
        #expect(!BundleFormat.begins(Array(Self.valid.utf8)[1...]))
    }

    @Test(arguments: [
        ("\"ombi\":\"incident-bundle\"", "\"ombi\":\"recipe\""), ("\"format\":1", "\"format\":2"),
        ("\"format\":1", "\"format\":\"1\""), ("\"format\":1,", ""), ("\"collection\":", "\"other\":"),
        ("\"name\":\"c\"", "\"name\":5"), ("\"host\":\"http://api.test\"", "\"host\":5"),
        ("\"outcome\":\"passed\"", "\"outcome\":\"won\""), ("\"status\":200", "\"status\":99999"),
        ("1800000000000000", "9999999999999999999999"), ("1800000000000000", "-5"), ("1800000000000000", "1.5"),
        ("1800000000000000", "\"now\""), ("\"duration\":5", "\"duration\":99999999999999999"),
        ("[0,0,0,0,0,3,2]", "[1]"), ("[0,0,0,0,0,3,2]", "[0,0,0,0,0,3,-2]"), ("\"number\":1", "\"number\":0"),
        ("\"number\":1", "\"number\":99999999"), ("\"body\":0", "\"body\":7"), ("\"body\":0", "\"body\":-1"),
        ("[\"body\"]", "[7]"), ("[\"body\"]", "[{\"base64\":\"***\"}]"), ("[\"body\"]", "{}"), ("[\"body\"]", "[]"),
        ("[\"r\"]", "[]"), ("[\"r\"]", "\"r\""), ("\"attemptCount\":1", "\"attemptCount\":100000000"),
        ("\"reason\":0", "\"reason\":5000"), ("\"url\":\"http://api.test/p\"", "\"url\":7"),
        ("\"marks\":[]", "\"marks\":[{\"at\":1e99,\"name\":\"x\"}]"), ("\"size\":4", "\"size\":1e6"),
        ("\"size\":4", "\"size\":9223372036854775807"), ("\"attempts\":[", "\"attempts\":[7,"),
        ("\"response\":{}", "\"response\":{},\"redirects\":[{\"place\":200,\"body\":0}]"),
        ("\"response\":{}", "\"response\":{},\"redirects\":[{\"place\":-1,\"body\":0}]"),
        ("\"response\":{}", "\"response\":{},\"redirects\":[{\"place\":0}]"),
        ("\"response\":{}", "\"response\":{},\"redirects\":[{\"place\":0,\"body\":1}]"),
        ("\"response\":{}", "\"response\":{},\"redirects\":[{\"place\":0,\"body\":0},{\"place\":0,\"body\":0}]"),
        ("\"response\":{}", "\"response\":{},\"redirects\":7"),
        ("\"runs\":[", "\"runs\":[7,"), ("\"response\":{}", "\"response\":\(String(repeating: "[", count: 300_000))"),
    ])
    func `a bundle with a value that no history has is refused with its position`(old: String, new: String) {
        let text = Self.valid.replacing(old, with: new)
        #expect(text != Self.valid)
        let error = #expect(throws: ImportError.self) { try Self.read(text) }
        #expect(error.map { !$0.message.isEmpty && $0.position.line >= 1 } == true)
    }

    @Test func `a bundle that was cut off says where it ends`() {
        let text = String(Self.valid.prefix(Self.valid.count / 2))
        let error = #expect(throws: ImportError.self) { try Self.read(text) }
        #expect(error?.message.hasPrefix("no JSON: ") == true, "\(error?.message ?? "")")
        #expect(error?.position.line ?? 0 > 1)
    }

    @Test func `lists are counted before they are read, and texts measured`() {
        let long = "\"" + String(repeating: "x", count: (1 << 20) + 1) + "\""
        let many = "[" + Array(repeating: "1", count: 200_000).joined(separator: ",") + "]"
        for (old, new) in [("\"http://api.test/p\"", long), ("[\"body\"]", many), ("[0,0,0,0,0,3,2]", many)] {
            #expect(throws: ImportError.self) { try Self.read(Self.valid.replacing(old, with: new)) }
        }
    }

    @Test func `attempts have growing numbers, and runs lie within 400 days`() throws {
        let start = try #require(Self.valid.range(of: "{\"path\"")?.lowerBound)
        let run = String(Self.valid[start...].dropLast(2))
        let head = String(Self.valid.dropLast(2)) + ","
        #expect(try Self.read(head + run + "]}").excerpt.runCount == 2)
        let later = run.replacing("1800000000000000", with: "1900000000000000")
        #expect(throws: ImportError.self) { try Self.read(head + later + "]}") }
        let attempt = "{\"number\":1,\"phases\":[0,0,0,0,0,0,0]},{\"number\":1,"
        #expect(throws: ImportError.self) {
            try Self.read(Self.valid.replacing("{\"number\":1,", with: attempt))
        }
    }

    @Test func `nothing of the machine is read because a bundle says so`() throws {
        let secrets = """
            {"name":"live","host":"http://api.test","envFile":"/etc/passwd","secrets":{"a":{"env":"HOME"},
            "b":{"file":"~/.ssh/id_rsa"},"c":{"command":["touch","/tmp/pwned"]},"d":{"keyring":{"service":"x"}}}}
            """
        let text = Self.valid.replacing("{\"name\":\"live\",\"host\":\"http://api.test\"}", with: secrets)
        let environment = try #require(try Self.read(text).collection.environments.first)
        #expect(environment.envFile == nil && environment.secrets.count == 4)
        #expect(environment.secrets.allSatisfy { $0.source == .prompt("") })
        let based = Self.valid.replacing(
            "\"path\":\"/p\"", with: "\"operation\":\"o\",\"specification\":\"/etc/a.yaml\"")
        let request = try #require(try Self.read(based).collection.requests.first)
        #expect(request.operation == nil && request.path == "/")
    }

    @Test func `what a run says of its response is taken as far as it is known`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ombi-\(UUID().uuidString)").path()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let response = """
            {"headers":[["A"],7,["B","c"]],"tls":7,"fallback":{"file":"/etc/passwd","date":1},
            "redirects":[{"status":1}],"expectations":[{}],
            "captured":[7],"pages":[-1],"missedRetry":[1,2],"failures":[7,"no"]}
            """
        let text = Self.valid.replacing("\"response\":{}", with: "\"response\":\(response)")
        let history = History(path: folder + "/history.sqlite")
        try await history.add(try Self.read(text).excerpt, file: "/incident.json")
        let run = try #require(try await history.run(1))
        #expect(run.result.response?.headers?["B"]?.text == "c" && run.result.failures == ["no"])
        #expect(run.result.response?.body == Data("body".utf8) && run.result.pages == nil)
        #expect(run.result.report?.attempts.first?.metrics.timings.wait == .microseconds(3))
    }

    @Test func `bodies of redirects that a run does not name are left out`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ombi-\(UUID().uuidString)").path()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let response = #"{"redirects":[{"status":302,"target":"/","size":4}]}"#
        let bodies = #"[{"place":0,"body":0},{"place":199,"body":0}]"#
        let request = #""{\"url\":\"http://api.test/p\",\"method\":\"GET\"}""#
        let text = Self.valid
            .replacing("\"response\":{}", with: "\"request\":1,\"response\":\(response),\"redirects\":\(bodies)")
            .replacing("[\"body\"]", with: "[\"body\",\(request)]")
        let history = History(path: folder + "/history.sqlite")
        try await history.add(try Self.read(text).excerpt, file: "/incident.json")
        let run = try #require(try await history.run(1))
        #expect(run.result.prepared?.redirects.map(\.body) == [Data("body".utf8)])
    }

    @Test func `an opened bundle waits for an environment, on every way to send`() throws {
        let bytes = Array(Self.valid.utf8)
        let loaded = LoadedCollection(
            path: "incident.json", collection: nil, fingerprint: Fingerprint(bytes: bytes)
        ).readInPlace
        let collection = try #require(loaded.collection)
        #expect(collection.overlay.foreignFormat == "an incident bundle" && collection.defaultEnvironment == nil)
        #expect(loaded.problems == [])
        let request = try #require(collection.requests.first)
        let secrets = SecretReader(environment: { _ in nil }, file: { _ in [] })
        let blind = Resolver(collection: collection, environment: nil, secrets: secrets)
        let error = #expect(throws: ResolveError.self) { try blind.resolve(request) }
        #expect(error?.reason.contains("chooses one: live") == true)
        let chosen = Resolver(
            collection: collection, environment: collection.environment(named: "live"), secrets: secrets)
        #expect(try chosen.resolve(request).host == "http://api.test")
    }
}
