import Foundation
import OmbiCore
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Requests as a document of OpenAPI 3.1.
@Suite struct OpenAPIExportTests {
    /// No secret of anybody, and built so that no scanner takes it for one.
    private static let gitHub = "ghp" + "_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"

    private static func orders(_ requests: [SavedRequest], variables: [Variable] = []) -> [RunOrder] {
        let local = Environment(
            name: "local", host: "http://127.0.0.1:{{port}}/",
            variables: [Variable("port", "8080"), Variable("userId", "7")] + variables,
            secrets: [Secret("token", .environment("T"))])
        let collection = Collection(
            name: "shop", environments: [local, Environment(name: "live", host: "https://a.test")])
        return requests.map { request in
            RunOrder(
                id: 1, request: request, collection: collection, environment: "local", file: "c.json",
                folders: [Folder(name: "users", settings: SharedSettings(description: "All users"))])
        }
    }

    private static func exported(_ orders: [RunOrder], allEnvironments: Bool = true) throws -> ExportedText {
        Session.exported(
            orders, as: try #require(Exporter.named("openapi")), allEnvironments: allEnvironments)
    }

    private static func document(_ requests: [SavedRequest], variables: [Variable] = []) throws -> JSONValue {
        try JSONValue.parse(exported(orders(requests, variables: variables)).text)
    }

    private static func operation(_ request: SavedRequest, _ path: String = "/a", _ method: String = "get") throws
        -> JSONValue
    {
        let whole = try document([request])
        return try #require(whole["paths"]?[path]?[method])
    }

    @Test func `environments are servers, and folders are tags`() throws {
        let orders = Self.orders([SavedRequest(name: "r", path: "/a")])
        let document = try JSONValue.parse(Self.exported(orders).text)
        let local: JSONValue = [
            "url": "http://127.0.0.1:{port}", "description": "local", "variables": ["port": ["default": "8080"]],
        ]
        #expect(document["openapi"] == "3.1.0")
        #expect(document["info"] == ["title": "shop", "version": "0.0.0"])
        #expect(document["servers"] == [local, ["url": "https://a.test", "description": "live"]])
        #expect(document["tags"] == [["name": "users", "description": "All users"]])
        #expect(document["paths"]?["/a"]?["get"]?["tags"] == ["users"])
        let one = try JSONValue.parse(Self.exported(orders, allEnvironments: false).text)
        #expect(one["servers"] == [local])
    }

    @Test func `rows are parameters with the types of their values`() throws {
        let request = SavedRequest(
            name: "Get a user!", path: "/users/:id/{{part}}?f=%20", pathParameters: [Field("id", "{{userId}}")],
            query: [Field("page", "2").described("the page"), Field("off", "x", enabled: false), Field("page", "3")],
            headers: [Field("X-A", "true"), Field("Accept", "text/html")])
        let operation = try Self.operation(request, "/users/{id}/{part}")
        #expect(operation["operationId"] == "getAUser" && operation["summary"] == "Get a user!")
        let list: JSONValue = ["type": "array", "items": ["type": "integer"]]
        let parameters: JSONValue = [
            ["name": "id", "in": "path", "required": true, "schema": ["type": "integer"], "example": 7],
            ["name": "part", "in": "path", "required": true, "schema": ["type": "string"]],
            ["name": "f", "in": "query", "required": true, "schema": ["type": "string"], "example": " "],
            [
                "name": "page", "in": "query", "required": true, "description": "the page", "schema": list,
                "example": [2, 3],
            ],
            ["name": "off", "in": "query", "schema": ["type": "string"], "example": "x"],
            ["name": "X-A", "in": "header", "required": true, "schema": ["type": "boolean"], "example": true],
        ]
        #expect(operation["parameters"] == parameters)
        #expect(operation["responses"] == ["default": ["description": "Any response"]])
        let losses = try Self.exported(Self.orders([request])).losses
        #expect(
            losses == [
                "Get a user!: the header Accept is left out: it is that of the responses",
                "Get a user!: no example, as it is a secret or not known: part",
            ])
    }

    @Test func `bodies have schemas that their examples meet`() throws {
        let json = SavedRequest(
            name: "r", method: .post, path: "/a",
            body: .json(JSONContent(.object([.init("id", .number(7)), .init("tags", ["a", "{{userId}}"])]))))
        let content = try Self.operation(json, "/a", "post")["requestBody"]?["content"]?["application/json"]
        #expect(content?["example"] == ["id": 7, "tags": ["a", "7"]])
        let list: JSONValue = ["type": "array", "items": ["type": "string"]]
        #expect(
            content?["schema"] == ["type": "object", "properties": ["id": ["type": "integer"], "tags": list]])
        let parts = SavedRequest(
            name: "r", method: .post, path: "/a",
            body: .multipart(
                MultipartContent([MultipartPart("a", .text("x")), MultipartPart("f", .file("./b.png"))])))
        let form = try Self.operation(parts, "/a", "post")["requestBody"]?["content"]?["multipart/form-data"]
        #expect(form?["schema"]?["properties"]?["f"] == ["type": "string", "contentMediaType": "image/png"])
        #expect(form?["example"] == ["a": "x"] && form?["encoding"] == ["f": ["contentType": "image/png"]])
    }

    @Test func `responses are those of examples and expectations`() throws {
        var request = SavedRequest(name: "r", path: "/a")
        request.expect = Expectation(status: [.hundreds(2), .code(404)])
        request.expect?.schema = .inline(["$defs": ["id": ["type": "integer"]], "items": ["$ref": "#/$defs/id"]])
        request.examples = [
            SavedExample(
                "none", status: 404, headers: [Field("Content-Type", "application/json"), Field("X-A", "1")],
                body: #"{"token": "\#(Self.gitHub)"}"#)
        ]
        let document = try Self.document([request])
        let responses = document["paths"]?["/a"]?["get"]?["responses"]
        let schema = "#/components/schemas/r"
        #expect(responses?["2XX"]?["content"]?["application/json"]?["schema"] == ["$ref": .string(schema)])
        #expect(document["components"]?["schemas"]?["r"]?["items"] == ["$ref": .string(schema + "/$defs/id")])
        #expect(responses?["404"]?["description"] == "Not Found")
        #expect(responses?["404"]?["headers"]?["X-A"] == ["schema": ["type": "integer"], "example": 1])
        let examples = responses?["404"]?["content"]?["application/json"]?["examples"]
        #expect(examples == ["none": ["value": ["token": "{{token}}"]]])
        #expect(try Self.exported(Self.orders([request])).losses.isEmpty)
        request.expect?.within = .seconds(1)
        #expect(try Self.exported(Self.orders([request])).losses == ["r: left out: expectations"])
    }

    @Test(
        arguments: [
            (
                .basic(BasicAuthentication(username: "u", password: "hunter2")), "basic",
                ["type": "http", "scheme": "basic"]
            ),
            (
                .digest(DigestAuthentication(username: "u", password: "hunter2")), "digest",
                ["type": "http", "scheme": "digest"]
            ),
            (.bearer(BearerAuthentication(token: "{{token}}")), "token", ["type": "http", "scheme": "bearer"]),
            (
                .apiKey(APIKeyAuthentication(name: "key", value: "hunter2", location: .cookie)), "apiKey",
                ["type": "apiKey", "name": "key", "in": "cookie"]
            ),
            (
                .oauth2(
                    OAuth2Authentication(tokenURL: "/token", clientID: "u", clientSecret: "hunter2", scope: "read")),
                "oauth2",
                [
                    "type": "oauth2",
                    "flows": ["clientCredentials": ["tokenUrl": "/token", "scopes": ["read": ""]]],
                ]
            ),
        ] as [(SavedAuthentication, String, JSONValue)])
    func `credentials are security schemes`(
        _ authentication: SavedAuthentication, _ name: String, _ scheme: JSONValue
    ) throws {
        let request = SavedRequest(name: "r", path: "/a", authentication: authentication)
        let exported = try Self.exported(Self.orders([request, request]))
        let document = try JSONValue.parse(exported.text)
        #expect(document["components"]?["securitySchemes"] == .object([JSONValue.Member(name, scheme)]))
        #expect(document["paths"]?["/a"]?["get"]?["security"]?.elements?.first?[name] != nil)
        #expect(!exported.text.contains("hunter2"))
    }

    @Test func `two requests on one operation are one, with the parameters and the examples of both`() throws {
        let first = SavedRequest(
            name: "first", path: "/users/:id", pathParameters: [Field("id", "1")], query: [Field("a", "1")])
        var second = SavedRequest(
            name: "second", path: "/users/:user", pathParameters: [Field("user", "2")], query: [Field("b", "2")])
        second.examples = [SavedExample("gone", status: 410, body: "gone")]
        let exported = try Self.exported(Self.orders([first, second]))
        let paths = try JSONValue.parse(exported.text)["paths"]
        let operation = paths?["/users/{id}"]?["get"]
        #expect(paths?["/users/{user}"] == nil && operation?["summary"] == "first")
        #expect(operation?["parameters"]?.elements?.map { $0["name"] } == ["id", "a", "b"])
        #expect(operation?["parameters"]?.elements?.last?["required"] == nil)
        #expect(operation?["responses"]?["410"] != nil)
        #expect(
            exported.losses == ["second: GET /users/{id} is first already, which gets its parameters and examples"])
    }

    @Test func `a variable with a secret has no example, and hides the one behind it`() throws {
        let request = SavedRequest(
            name: "r", method: .post, path: "/a", query: [Field("x", "{{x}}"), Field("y", "{{y}}")],
            headers: [Field("X-Other", Self.gitHub)], body: .text(TextContent("{{x}} \(Self.gitHub)")))
        let variables = [Variable("x", Self.gitHub), Variable("y", "a {{x}}"), Variable("z", "{{z}}")]
        let text = try Self.exported(Self.orders([request], variables: variables)).text
        #expect(!text.contains(Self.gitHub), "\(text)")
    }

    @Test func `a server is part of the operation where the path has one`() throws {
        let requests = [
            SavedRequest(name: "a", path: "https://b.test/x"), SavedRequest(name: "b", path: "{{base}}/y"),
            SavedRequest(name: "c", path: "{{userId}}/z"), SavedRequest(name: "d", path: "https://u:p4ssw0rd@b.test/q"),
            SavedRequest(name: "e", path: "/webhooks/12/q8Zr4Lm2Xv7Tb1Kd9Pw"),
        ]
        let document = try Self.document(requests, variables: [Variable("base", "https://c.test")])
        let paths = document["paths"]
        #expect(paths?["/x"]?["get"]?["servers"] == [["url": "https://b.test"]])
        #expect(paths?["/y"]?["get"]?["servers"] == [["url": "https://c.test"]])
        #expect(paths?["/{userId}/z"]?["get"]?["servers"] == nil)
        #expect(paths?["/q"]?["get"] != nil && !document.compact.contains("p4ssw0rd"))
        #expect(paths?["/webhooks/12/{token}"]?["get"] != nil)
    }

    @Test func `a method that OpenAPI has not and a WebSocket are left out`() throws {
        let purge = SavedRequest(name: "purge", method: "PURGE", path: "/a")
        let socket = SavedRequest(name: "socket", path: "ws://a.test/")
        let exported = try Self.exported(Self.orders([purge, socket]))
        #expect(try JSONValue.parse(exported.text)["paths"] == [:])
        #expect(
            exported.losses == [
                "purge is left out: OpenAPI 3.1 has no method PURGE", "socket is a WebSocket, which is left out",
            ])
    }

    @Test(arguments: ["demo.json", "httpbin.json"])
    func `an import of the document has the requests, up to the losses`(_ name: String) throws {
        let root = URL(filePath: #filePath).pathComponents.dropLast(4).joined(separator: "/").dropFirst()
        let collection = try #require(CollectionFile.load("\(root)/collections/\(name)").collection)
        let orders = collection.requests.map { request in
            RunOrder(
                id: 1, request: request, collection: collection, environment: collection.environments.first?.name,
                file: name, folders: collection.folders(of: request.id))
        }
        let exported = try Self.exported(orders)
        let imported = try Importer.read(Array(exported.text.utf8), from: "c.json").collection.requests
        let isLeftOut = { (request: SavedRequest) in
            exported.losses.contains { loss in
                loss == "\(request.name) is a WebSocket, which is left out"
                    || loss.hasPrefix("\(request.name) is left out: OpenAPI 3.1 has no method")
                    || loss.hasPrefix("\(request.name): ") && loss.contains(" already, which gets ")
            }
        }
        for request in collection.requests where !isLeftOut(request) {
            let found = imported.filter { $0.name == request.name && $0.method == request.method }
            #expect(!found.isEmpty, "\(request.name)")
            guard !request.path.contains("?"), !request.query.contains(where: \.isRaw) else { continue }
            let names = request.query.filter(\.enabled).map(\.name)
            #expect(
                found.contains { found in names.allSatisfy { name in found.query.contains { $0.name == name } } },
                "\(request.name)")
        }
        #expect(imported.count <= collection.requests.count)
    }
}
