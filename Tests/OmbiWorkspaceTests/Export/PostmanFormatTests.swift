import Foundation
import OmbiCore
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Exported collections of Postman, judged by the rules of the format.
@Suite struct PostmanFormatTests {
    private static let texts = [
        "]]>", "\u{1}\u{1B}[31m", "%", "\"'", "a\nb\r\nc", "</script>", "\u{202E}a", "{{", "}}", "\\", "#", "a b", "\t",
        "é→😀", "+/=?&;:@", "[a]", "http://x:1/", "\u{2028}", "\0", "{\"a\":1}", ":id",
        String(repeating: "x", count: 1 << 16),
    ]

    private static func exported(_ orders: [RunOrder]) throws -> String {
        Session.exported(orders, as: try #require(Exporter.named("postman"))).text
    }

    private static func order(_ request: SavedRequest, in folders: [Folder]? = nil) -> RunOrder {
        let environment = Environment(name: "e", host: "https://a.test:8443/v1", variables: [Variable("plain", "seen")])
        return RunOrder(
            id: 1, request: request, collection: Collection(name: "c", environments: [environment]), environment: "e",
            file: "c.json", folders: folders)
    }

    /// Requests with a text in each of their places, one for each kind of body and of authentication.
    private static func orders(_ text: String) -> [RunOrder] {
        let escaped = text.replacing("{{", with: "\\{{")
        let parts = [
            MultipartPart(escaped, .text(escaped), contentType: escaped, fileName: escaped),
            MultipartPart("f", .file(escaped)),
        ]
        let bodies: [SavedBody?] = [
            nil, .text(TextContent(escaped)), .json(JSONContent(.object([.init(escaped, .string(escaped))]))),
            .form(FormContent([Field(escaped, escaped)])), .multipart(MultipartContent(parts)),
            .file(FileContent(escaped)), .graphql(GraphQLContent(escaped)),
        ]
        let authentications: [SavedAuthentication?] = [
            nil, .basic(BasicAuthentication(username: escaped, password: "{{p}}")),
            .digest(DigestAuthentication(username: escaped, password: "{{p}}")),
            .bearer(BearerAuthentication(token: "{{t}}")),
            .apiKey(APIKeyAuthentication(name: escaped, value: "{{k}}")),
            .apiKey(APIKeyAuthentication(name: escaped, value: "{{k}}", location: .query)),
            .apiKey(APIKeyAuthentication(name: escaped, value: "{{k}}", location: .cookie)),
        ]
        return zip(bodies, authentications).map { body, authentication in
            var request = SavedRequest(
                name: text, description: text, method: .post, path: "/\(escaped)/:id", query: [Field(escaped, escaped)],
                headers: [Field("X-A", escaped)], authentication: authentication, body: body)
            request.pathParameters = [Field("id", escaped)]
            request.examples = [SavedExample(text, status: 200, headers: [Field("X-A", text)], body: text)]
            return order(request, in: [Folder(name: text)])
        }
    }

    @Test(arguments: ["demo.json", "httpbin.json"])
    func `an export of the project's collections keeps the rules`(_ name: String) throws {
        let root = URL(filePath: #filePath).pathComponents.dropLast(4).joined(separator: "/").dropFirst()
        let collection = try #require(CollectionFile.load("\(root)/collections/\(name)").collection)
        let orders = collection.requests.map { request in
            RunOrder(
                id: 1, request: request, collection: collection, environment: collection.environments.first?.name,
                file: name, folders: collection.folders(of: request.id))
        }
        let text = try Self.exported(orders)
        #expect(try PostmanFormat.faults(of: text) == [])
        let urls = Self.urls(try JSONValue.parse(text))
        let sent = orders.filter { !$0.request.isWebSocket }
        #expect(urls.count == sent.count)
        for url in urls { #expect(Self.joined(url) == url["raw"]?.stringValue) }
    }

    @Test(arguments: texts) func `an export keeps the rules whatever the texts are`(text: String) throws {
        let exported = try Self.exported(Self.orders(text))
        #expect(try PostmanFormat.faults(of: exported) == [])
        let urls = Self.urls(try JSONValue.parse(exported))
        #expect(urls.count == 7)
        for url in urls { #expect(Self.joined(url) == url["raw"]?.stringValue) }
    }

    /// The URLs of all requests, at any depth.
    private static func urls(_ value: JSONValue) -> [JSONValue] {
        (value["item"]?.elements ?? []).flatMap { item in [item["request"]?["url"]].compactMap { $0 } + urls(item) }
    }

    /// The whole of a URL from its parts, which Postman sends.
    private static func joined(_ url: JSONValue) -> String {
        let texts = { (name: String) -> [String] in (url[name]?.elements ?? []).compactMap(\.stringValue) }
        var whole = texts("host").joined(separator: ".")
        if let scheme = url["protocol"]?.stringValue { whole = "\(scheme)://\(whole)" }
        if let port = url["port"]?.stringValue { whole += ":\(port)" }
        if url["path"] != nil { whole += "/" + texts("path").joined(separator: "/") }
        guard let rows = url["query"]?.elements else { return whole }
        let query = rows.map { row -> String in
            let key = row["key"]?.stringValue ?? ""
            return row["value"]?.stringValue.map { "\(key)=\($0)" } ?? key
        }
        return "\(whole)?" + query.joined(separator: "&")
    }

    @Test(arguments: [
        ("\"mode\": \"raw\"", "\"mode\": \"text\""), ("\"mode\": \"raw\"", "\"mode\": \"urlencoded\""),
        ("\"type\": \"basic\"", "\"type\": \"Basic\""), ("\"type\": \"basic\"", "\"type\": \"digest\""),
        ("\"key\": \"username\"", "\"name\": \"username\""), ("\"key\": \"X-A\"", "\"name\": \"X-A\""),
        ("\"value\": \"one\"", "\"value\": 1"), ("\"raw\": \"https:", "\"whole\": \"https:"),
        ("\"host\": [\"a\", \"test\"]", "\"host\": \"a.test\""), ("\"port\": \"8443\"", "\"port\": 8443"),
        ("/v2.1.0/", "/v2.0.0/"), ("\"method\": \"POST\",", ""), ("\"name\": \"c\"", "\"title\": \"c\""),
        ("\"variable\":", "\"event\": [{ \"listen\": \"test\", \"script\": { \"exec\": \"x\" } }], \"variable\":"),
        ("\"variable\":", "\"event\": [{ \"listen\": \"after\", \"script\": { \"exec\": [] } }], \"variable\":"),
    ])
    func `a collection that breaks a rule is refused`(right: String, wrong: String) throws {
        let request = SavedRequest(
            name: "r", method: .post, path: "/a", headers: [Field("X-A", "one")],
            authentication: .basic(BasicAuthentication(username: "ada", password: "{{p}}")),
            body: .text(TextContent("x")))
        let text = try Self.exported([Self.order(request)])
        #expect(try PostmanFormat.faults(of: text) == [])
        try #require(text.contains(right), "\(text)")
        #expect(try !PostmanFormat.faults(of: text.replacing(right, with: wrong)).isEmpty)
    }

    @Test func `scripts are lists of lines`() throws {
        let text = try Self.exported([Self.order(SavedRequest(name: "r", path: "/a"))])
        let event = "\"event\": [{ \"listen\": \"test\", \"script\": { \"exec\": [\"x\"] } }], \"variable\":"
        #expect(try PostmanFormat.faults(of: text.replacing("\"variable\":", with: event)) == [])
    }
}
