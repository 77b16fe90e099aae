import Testing

@testable import OmbiWorkspace

/// The URLs that requests go to.
@Suite struct OpenAPIServerTests {
    @Test(arguments: [
        ("https://a.test/op", "https://a.test/op/x"), ("/op", "https://a.test/op/x"), ("/", "https://a.test/x"),
        ("/op/", "https://a.test/op/x"), ("op", "https://a.test/op/x"), (".", "/x"),
    ])
    func `a relative server of an operation starts at that of the document`(server: String, path: String) throws {
        let operation = { (more: String) in "{\"get\": {\(more)\"responses\": {}}}" }
        let servers = "\"servers\": [{\"url\": \"\(server)\"}], "
        let (imported, notes) = try OpenAPISample.imported(
            OpenAPISample.document(
                "\"/y\": \(operation("")), \"/x\": \(operation(servers))",
                ", \"servers\": [{\"url\": \"https://a.test/root\"}]"))
        #expect(imported.collection.requests.map(\.path) == ["/y", path])
        let isNoted = notes.contains { $0.kind == .remark && $0.subject == "servers" }
        #expect(isNoted == (server != "." && !server.contains("://")))
    }

    /// The hosts of a document that was read from a URL.
    private static func hosts(_ more: String, version: String = "3.0.3") throws -> [String] {
        let text = OpenAPISample.document("\"/x\": {\"get\": {\"responses\": {}}}", more, version: version)
        let file = try Importer.read(Array(text.utf8), from: "http://a.test/specs/openapi.json?x=/y")
        return try Imported.joined([file]).collection.environments.map(\.host)
    }

    @Test(arguments: [
        ("/v2", "http://a.test/v2"), (".", "http://a.test/specs"), ("./api", "http://a.test/specs/api"),
        ("../up", "http://a.test/up"), ("v3/", "http://a.test/specs/v3"), ("/", "http://a.test"),
        ("https://b.test", "https://b.test"), ("wss://b.test/v1", "https://b.test/v1"),
        ("WS://b.test", "http://b.test"),
    ])
    func `a relative server starts at the URL of the document`(server: String, host: String) throws {
        #expect(try Self.hosts(", \"servers\": [{\"url\": \"\(server)\"}]") == [host])
    }

    @Test func `a host with a scheme is one without it`() throws {
        #expect(
            try Self.hosts(", \"host\": \"http://b.test/\", \"basePath\": \"/v1\"", version: "2.0") == [
                "http://b.test/v1"
            ])
        let schemes = ", \"host\": \"http://b.test\", \"schemes\": [\"https\"]"
        #expect(try Self.hosts(schemes, version: "2.0") == ["https://b.test"])
    }

    @Test func `a document without a host is about the server that it comes from`() throws {
        #expect(try Self.hosts("") == ["http://a.test"])
        #expect(try Self.hosts(", \"basePath\": \"/b\"", version: "2.0") == ["http://a.test/b"])
        let schemes = ", \"host\": \"b.test\", \"schemes\": [\"https\"]"
        #expect(try Self.hosts(schemes, version: "2.0") == ["https://b.test"])
    }

    @Test(arguments: [("/", ""), ("", ""), ("/v1/", "/v1"), ("v1", "/v1"), ("/v1?a=b", "/v1"), ("/v1/#a", "/v1")])
    func `a base path has a slash in front and none at its end`(written: String, path: String) throws {
        let two = ", \"host\": \"b.test\", \"schemes\": [\"http\"], \"basePath\": \"\(written)\""
        #expect(try Self.hosts(two, version: "2.0") == ["http://b.test" + path])
        let three = ", \"servers\": [{\"url\": \"http://b.test/\(written)\"}]"
        #expect(try Self.hosts(three).map { $0.replacing("test//", with: "test/") } == ["http://b.test" + path])
    }

    @Test func `an environment has the name of its server, or its description`() throws {
        let servers = """
            , "servers": [{"url": "https://a.test", "name": "live", "description": "of all"},
            {"url": "https://b.test", "description": "tests"}, {"url": "https://c.test:8080/v1"}]
            """
        let (imported, _) = try OpenAPISample.imported(
            OpenAPISample.document("\"/x\": {\"get\": {\"responses\": {}}}", servers, version: "3.2.0"))
        #expect(imported.collection.environments.map(\.name) == ["live", "tests", "c.test:8080"])
    }

    @Test func `the query of a server is a loss`() throws {
        let server = ", \"servers\": [{\"url\": \"http://b.test/v1?key=1\"}]"
        let notes = try OpenAPISample.only("\"responses\": {}", server).notes
        #expect(notes.lose("http://b.test/v1?key=1", "no query"))
    }

    @Test(arguments: ["\"swagger\": 2.0", "\"openapi\": 3.0", "\"openapi\": 3.1"])
    func `a version may be a number`(version: String) throws {
        let text = "{\(version), \"info\": {}, \"paths\": {\"/x\": {\"get\": {\"responses\": {\"200\": {}}}}}}"
        #expect(try OpenAPISample.imported(text).imported.requestCount == 1)
    }

    @Test func `the description of a variable of a server has its values`() throws {
        let variable = #"{"default": "v1", "enum": ["v1", "v2"], "description": "The version"}"#
        let server = ", \"servers\": [{\"url\": \"https://a.test/{v}\", \"variables\": {\"v\": \(variable)}}]"
        let (imported, notes) = try OpenAPISample.imported(
            OpenAPISample.document("\"/x\": {\"get\": {\"responses\": {}}}", server))
        let found = imported.collection.environments.first?.variables.first
        #expect(
            found?.value == "v1" && found?.description == "The version\n\nOne of v1, v2"
                && !notes.contains { $0.kind == .loss })
    }

    @Test func `a variable of a server that the document does not describe is left to fill in`() throws {
        let (imported, notes) = try OpenAPISample.imported(
            OpenAPISample.document(
                "\"/x\": {\"get\": {\"responses\": {}}}",
                ", \"servers\": [{\"url\": \"https://{tenant}.test/{v}\", \"variables\": {\"v\": {\"default\": \"1\"}}}]"
            ))
        let environment = try #require(imported.collection.environments.first)
        #expect(environment.host == "https://{{tenant}}.test/{{v}}")
        #expect(environment.variables == [Field("v", "1"), Field("tenant", "")])
        #expect(notes.lose("{tenant}", "the document does not describe it"))
    }

    @Test(arguments: [
        ("", "/x"), ("\"schemes\": [\"https\", \"http\"], ", "/x"), ("\"schemes\": [\"ws\"], ", "/x"),
        ("\"schemes\": [\"http\"], ", "http://a.test/v1/x"),
    ])
    func `an operation of OpenAPI 2.0 may have schemes of its own`(schemes: String, path: String) throws {
        let (imported, _) = try OpenAPISample.imported(
            OpenAPISample.document(
                "\"/y\": {\"get\": {\"responses\": {}}}, \"/x\": {\"get\": {\(schemes)\"responses\": {}}}",
                ", \"host\": \"a.test\", \"basePath\": \"/v1\", \"schemes\": [\"https\"]", version: "2.0"))
        #expect(imported.collection.requests.map(\.path) == ["/y", path])
    }
}
