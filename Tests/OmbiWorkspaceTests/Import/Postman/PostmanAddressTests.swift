import Testing

@testable import OmbiWorkspace

/// The URLs of Postman's requests, and the hosts of environments.
@Suite struct PostmanAddressTests {
    @Test(arguments: ["", "https://", "http://"])
    func `a URL without a host is a loss, and no path that nothing could read`(url: String) throws {
        let (request, notes) = try PostmanSample.only("\"url\": \"\(url)\"")
        #expect(request.path == "/" && notes.contains { $0.kind == .loss && $0.message == "the URL is empty" })
        let (other, losses) = try BrunoSample.only(BrunoSample.request("", url: url))
        #expect(other.path == "/" && losses.contains { $0.kind == .loss && $0.message == "the URL is empty" })
    }

    @Test(arguments: [
        ("\"https://a.test/users\"", "/users", ""), ("\"a.test/x\"", "/x", ""), ("\"localhost:3000/x\"", "/x", ""),
        ("\"{{base}}/x\"", "/x", ""), ("{\"raw\": \"https://a.test/x?a=1&b=two\"}", "/x", "a=1 b=two"),
        ("\"https://a.test/x?flag\"", "/x?flag", ""), ("\"https://a.test/x#part\"", "/x", ""),
        ("\"https://a.test/x?q=a%20b\"", "/x", "q=a b"),
        (
            "{\"protocol\": \"https\", \"host\": [\"a\", \"test\"], \"port\": \"8080\", \"path\": [\"x\", \"y\"]}",
            "/x/y", ""
        ),
        ("{\"host\": \"a.test\", \"path\": \"x\"}", "/x", ""), ("\"\"", "/", ""),
        ("\"https://a.test//bucket/x\"", "//bucket/x", ""),
        ("\"https://a.test//b.test/x\"", "https://a.test//b.test/x", ""),
        ("\"//a.test/x\"", "/x", ""), ("\"{{base}}/x{{#}}/y?z={{#}}&a=1\"", "/x{{_}}/y", "z={{_}} a=1"),
        ("{\"raw\": \"https://a.test/x?a=1&b=2\", \"query\": [{\"key\": \"a\", \"value\": \"1\"}]}", "/x", "a=1 b=2"),
    ])
    func `a URL becomes a path below the host`(url: String, path: String, query: String) throws {
        let (request, _) = try PostmanSample.only("\"method\": \"GET\", \"url\": \(url)")
        #expect(request.path == path)
        #expect(request.query.map { "\($0.name)=\($0.value)" }.joined(separator: " ") == query)
    }

    @Test func `of a URL and parts that differ, the parts are sent, which is said`() throws {
        let url = """
            {"raw": "https://a.test/x", "protocol": "https", "host": ["b", "test"],
            "path": ["y", {"type": "string", "value": "z"}]}
            """
        let (imported, notes) = try PostmanSample.imported(
            PostmanSample.collection(PostmanSample.request("\"url\": \(url)")))
        #expect(imported.collection.environments.map(\.host) == ["https://b.test"])
        #expect(imported.collection.requests.map(\.path) == ["/y/z"])
        #expect(notes.contains { $0.kind == .remark && $0.subject == "url" })
    }

    @Test func `a request that is only a URL is one`() throws {
        let (imported, _) = try PostmanSample.imported(
            PostmanSample.collection("{\"name\": \"a\", \"request\": \"https://a.test/x\"}"))
        let request = try #require(imported.collection.requests.first)
        #expect(request.path == "/x" && request.method.rawValue == "GET")
        #expect(imported.collection.environments.map(\.host) == ["https://a.test"])
    }

    @Test func `a path parameter with a slash or an escape is written into the path, as Postman does`() throws {
        let url = """
            {"raw": "https://a.test/:a/:b/:c", "variable": [{"key": "a", "value": "x/y z"},
            {"key": "b", "value": "%2F{{v}}"}, {"key": "c", "value": "{{v}} w"}]}
            """
        let (request, notes) = try PostmanSample.only("\"url\": \(url)")
        #expect(request.path == "/x/y z/%2F{{v}}/:c")
        #expect(request.pathParameters == [Field("c", "{{v}} w")])
        #expect(notes.isEmpty, "\(notes)")
    }

    @Test func `a disabled row of the query stays, and a row without a value is written as it is`() throws {
        let url = """
            {"raw": "https://a.test/x?a=1&flag", "query": [{"key": "a", "value": "1"},
            {"key": "off", "value": "2", "disabled": true}, {"key": "flag", "value": null}]}
            """
        let (request, _) = try PostmanSample.only("\"url\": \(url)")
        #expect(request.path == "/x?a=1&flag")
        #expect(request.query == [Field("off", "2", enabled: false)])
    }

    @Test func `what would divide a query is encoded in a value of the list, as Postman does`() throws {
        let url = """
            {"raw": "https://a.test/x?q=a&b&h=c#d", "query": [{"key": "q", "value": "a&b"},
            {"key": "h", "value": "c#d"}, {"key": "k=", "value": "{{v}}&"}]}
            """
        let (request, _) = try PostmanSample.only("\"url\": \(url)")
        #expect(request.path == "/x")
        #expect(request.query == [Field("q", "a&b"), Field("h", "c#d"), Field("k=", "{{v}}&")])
    }

    @Test func `the query of a URL that is not encoded has raw rows`() throws {
        let url = """
            {"raw": "https://a.test/x?a=1,2&b=%2Fc&flag&d={{v}}", "query": [{"key": "a", "value": "1,2"},
            {"key": "b", "value": "%2Fc"}, {"key": "flag", "value": null}, {"key": "d", "value": "{{v}}"},
            {"key": "off", "value": "1", "disabled": true}]}
            """
        let items = PostmanSample.request(
            "\"url\": \(url)", ", \"protocolProfileBehavior\": {\"disableUrlEncoding\": true}")
        let folder = "{\"name\": \"f\", \"item\": [\(PostmanSample.request("\"url\": \(url)"))], "
        let raw = [
            Field.raw("a", "1,2"), .raw("b", "%2Fc"), .raw("flag", ""), .raw("d", "{{v}}"),
            .raw("off", "1", enabled: false),
        ]
        let inherited = "\(folder)\"protocolProfileBehavior\": {\"disableUrlEncoding\": true}}"
        for item in [items, inherited] {
            let (imported, notes) = try PostmanSample.imported(PostmanSample.collection(item))
            #expect(imported.collection.requests.map(\.query) == [raw])
            #expect(!notes.contains { $0.subject == "disableUrlEncoding" })
        }
        let (_, notes) = try PostmanSample.only(
            "\"url\": \"https://a.test/x?a=|\"", ", \"protocolProfileBehavior\": {\"disableUrlEncoding\": true}")
        #expect(notes.contains { $0.kind == .loss && $0.subject == "disableUrlEncoding" })
    }

    @Test func `path parameters have their values, by key or by id`() throws {
        let url = """
            {"raw": "{{base}}/users/:user-id/:post", "variable": [{"key": "user-id", "value": "7"},
            {"id": "post", "value": "{{post}}"}]}
            """
        let (request, notes) = try PostmanSample.only("\"url\": \(url)")
        #expect(request.path == "/users/:user_id/:post")
        #expect(request.pathParameters == [Field("user_id", "7"), Field("post", "{{post}}")])
        #expect(notes.contains { $0.subject == ":user-id" && $0.kind == .remark })
    }

    @Test func `a variable with the URL becomes the host of each environment`() throws {
        let items = ["a", "b"].map { PostmanSample.request("\"url\": \"{{base}}/\($0)\"") }.joined(separator: ", ")
        let (imported, _) = try PostmanSample.imported(
            PostmanSample.collection(items),
            PostmanSample.environment("dev", "{\"key\": \"base\", \"value\": \"http://localhost:80/\"}"),
            PostmanSample.environment("live", "{\"key\": \"base\", \"value\": \"https://a.test/v2\"}"))
        #expect(imported.collection.environments.map(\.host) == ["http://localhost:80", "https://a.test/v2"])
        #expect(imported.collection.environments.allSatisfy { $0.variables.isEmpty })
        #expect(imported.collection.requests.map(\.path) == ["/a", "/b"])
        #expect(imported.collection.requests.map(\.name) == ["r", "r 2"])
    }

    @Test func `variables that refer to themselves are empty, and others stay`() throws {
        let values = [("a", "{{b}}"), ("b", "{{a}}x"), ("c", "{{c}}"), ("d", "{{a}}"), ("e", "{{f}}"), ("f", "1")]
        let rows = values.map { #"{"key": "\#($0)", "value": "\#($1)"}"# }.joined(separator: ", ")
        let (imported, notes) = try PostmanSample.imported(
            PostmanSample.collection(PostmanSample.request("\"url\": \"https://a.test/x\"")),
            PostmanSample.environment("dev", rows))
        #expect(
            imported.collection.environments.first?.variables == [
                Field("a", ""), Field("b", ""), Field("c", ""), Field("d", "{{a}}"), Field("e", "{{f}}"),
                Field("f", "1"),
            ])
        #expect(notes.filter { $0.message.contains("refers to itself") }.map(\.subject) == ["a", "b", "c"])
    }

    @Test func `a variable without a value is a loss that names it`() throws {
        let (request, notes) = try PostmanSample.only("\"url\": \"{{base}}/x\"")
        #expect(request.path == "/x")
        #expect(notes.contains { $0.kind == .loss && $0.message.contains("give the variable base") })
    }

    @Test func `the origin of most requests is the host, and others stay whole`() throws {
        let urls = ["https://b.test/1", "https://a.test/1", "https://a.test/2"]
        let items = urls.map { PostmanSample.request("\"url\": \"\($0)\"") }.joined(separator: ", ")
        let (imported, _) = try PostmanSample.imported(PostmanSample.collection(items))
        #expect(imported.collection.environments.map(\.name) == ["a.test"])
        #expect(imported.collection.requests.map(\.path) == ["https://b.test/1", "/1", "/2"])
    }

    @Test func `a single quote is encoded in the query alone, as Postman does`() throws {
        let (request, _) = try PostmanSample.only(#""url": "https://a.test/it's?name='{{n}}'&list=a,b""#)
        #expect(request.path == "/it's" && request.query == [.raw("name", "%27{{n}}%27"), Field("list", "a,b")])
    }
}
