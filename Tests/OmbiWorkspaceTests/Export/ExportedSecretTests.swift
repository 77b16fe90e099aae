import Foundation
import OmbiCore
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Secrets that a collection has in clear, in exports.
@Suite struct ExportedSecretTests {
    private static func order(_ request: SavedRequest) -> RunOrder {
        let environment = Environment(name: "e", host: "https://a.test", variables: [Variable("plain", "seen")])
        return RunOrder(
            id: 1, request: request, collection: Collection(name: "c", environments: [environment]), environment: "e",
            file: "c.json")
    }

    private static let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N"

    /// Requests with secrets in clear that only their looks and the text around them tell.
    private static var tellingRequests: [SavedRequest] {
        let form = "application/x-www-form-urlencoded"
        let part = MultipartPart("j", .text("{\"password\":\"hunter2\"}"), contentType: "application/json")
        let bodies: [SavedBody] = [
            .text(TextContent("{\"password\": \"hunter2\"}", contentType: "application/json")),
            .text(TextContent("password=hunter2&a={{plain}}", contentType: form)),
            .text(TextContent("\n{\"password\": \"hunter2\"}")), .multipart(MultipartContent([part])),
            .graphql(GraphQLContent("mutation { login(password: \"hunter2\") { id } }")),
        ]
        var requests = bodies.map { SavedRequest(name: "r", method: .post, path: "/a", body: $0) }
        requests.append(SavedRequest(name: "r", path: "/:token", pathParameters: [Field("token", "hunter2")]))
        requests.append(SavedRequest(name: "r", path: "/a", headers: [Field("X-A", token)]))
        requests.append(SavedRequest(name: "r", path: "/a", query: [Field("a", token)]))
        var cookies = SavedRequest(name: "r", path: "/a")
        cookies.cookies = [Field("sid", "hunter2"), Field("theme", "{{plain}}")]
        return requests + [cookies]
    }

    @Test(arguments: Exporter.all.filter { $0.name != "curl" }.map(\.name))
    func `a secret that its looks or its body tell becomes a variable, and is masked in an example`(_ name: String)
        throws
    {
        let exporter = try #require(Exporter.named(name))
        for request in Self.tellingRequests {
            let text = Session.exported([Self.order(request)], as: exporter).text
            #expect(!text.contains("hunter2") && !text.contains(Self.token), "\(text)")
        }
        var request = SavedRequest(name: "r", path: "/a")
        request.examples = [
            SavedExample(
                "e", status: 200, headers: [Field("Set-Cookie", "sid=hunter2")], body: "{\"password\":\"hunter2\"}")
        ]
        #expect(!Session.exported([Self.order(request)], as: exporter).text.contains("hunter2"))
    }

    @Test(arguments: ["python", "httpie", "fetch", "http", "hurl", "postman", "har"])
    func `such a secret is written where it is asked for`(_ name: String) throws {
        let exporter = try #require(Exporter.named(name))
        for request in Self.tellingRequests {
            let text = try Session().filledExport(of: [Self.order(request)], as: exporter, revealsSecrets: true).text
            #expect(text.contains("hunter2") || text.contains(Self.token), "\(text)")
        }
    }

    @Test(arguments: Exporter.all.map(\.name))
    func `the password of an environment's host is in no export`(_ name: String) throws {
        let exporter = try #require(Exporter.named(name))
        let environment = Environment(name: "e", host: "https://ada:hunter2@a.test/v1/")
        let order = RunOrder(
            id: 1, request: SavedRequest(name: "r", path: "/a"),
            collection: Collection(name: "c", environments: [environment]), environment: "e", file: "c.json")
        let filled = try Session().filledExport(of: [order], as: exporter).text
        #expect(!filled.contains("hunter2"), "\(filled)")
        // curl has credentials as they are in the file.
        let saved = Session.exported([order], as: exporter).text
        #expect(name == "curl" || !saved.contains("hunter2"), "\(saved)")
    }

    @Test func `secrets of one name are different variables`() throws {
        let requests = ["hunter2", "hunter3", "hunter2", "{{X-Pin}}"].map { text in
            SavedRequest(name: "r", path: "/a", headers: [Field("X-Api-Key", text), Field("X-Pin", "1234")])
        }
        let python = try #require(Exporter.named("python"))
        let text = Session.exported(requests.map(Self.order), as: python).text
        for (name, count) in [("X_API_KEY", 2), ("X_API_KEY2", 1), ("X_PIN", 1), ("X_PIN2", 4)] {
            #expect(text.components(separatedBy: ": \(name).encode()").count == count + 1, "\(name): \(text)")
        }
    }

    @Test func `secrets of one name in two collections are different variables`() throws {
        let orders = ["a", "b"].map { name -> RunOrder in
            let environment = Environment(
                name: "e", host: "https://\(name).test", variables: [Variable("id", "1")],
                secrets: [Secret("key", .environment("KEY_\(name)"))])
            let request = SavedRequest(name: "r", path: "/{{id}}", headers: [Field("X-Key", "{{key}}")])
            return RunOrder(
                id: 1, request: request, collection: Collection(name: name, environments: [environment]),
                environment: "e", file: "\(name).json")
        }
        let python = Session.exported(orders, as: try #require(Exporter.named("python"))).text
        for name in ["KEY", "KEY2"] { #expect(python.contains("\"X-Key\": \(name).encode()"), "\(python)") }
        #expect(!python.contains("ID2"), "a variable is no secret")
        let hurl = Session.exported(orders, as: try #require(Exporter.named("hurl"))).text
        for name in ["key", "key2"] { #expect(hurl.contains("X-Key: {{\(name)}}"), "\(hurl)") }
    }
}
