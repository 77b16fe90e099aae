import Foundation
import OmbiCore
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Requests that are based on an operation of a document, from the file to the response.
@Suite struct LivingRequestTests {
    private static func document(
        id: String = "getUser", path: String = "/users/{id}", limit: String = "10", total: String = "integer"
    ) -> String {
        """
        openapi: 3.0.3
        info: {title: Shop, version: '1'}
        servers: [{url: https://api.test/v1}]
        paths:
          \(path):
            get:
              operationId: \(id)
              summary: Get a user
              parameters:
              - {name: id, in: path, required: true, schema: {type: integer}, example: 7}
              - {name: limit, in: query, required: true, schema: {type: integer, default: \(limit)}}
              responses:
                '200':
                  description: ok
                  content:
                    application/json:
                      schema: {type: object, properties: {total: {type: \(total)}}}
                '404':
                  description: none
                  content:
                    application/json:
                      schema: {type: object, required: [reason]}
        """
    }

    private static func collection(_ members: String = "") -> String {
        """
        {
          "version": 1,
          "name": "shop",
          "environments": [{ "name": "test", "host": "https://api.test/v1" }],
          "items": [
            {
              "operation": "getUser",
              "specification": "./openapi.yaml"\(members)
            }
          ]
        }

        """
    }

    /// The file in a folder with the document.
    private static func loaded(
        _ folder: borrowing TemporaryFolder, _ collection: String = Self.collection(),
        _ document: String? = Self.document()
    ) throws -> LoadedCollection {
        if let document { _ = try folder.file("openapi.yaml", document) }
        return CollectionFile.load(try folder.file("shop.json", collection)).specified()
    }

    private static func request(_ loaded: LoadedCollection) throws -> SavedRequest {
        try #require(loaded.collection?.requests.first, "\(loaded.problems)")
    }

    @Test func `the document gives what the file leaves out`() throws {
        let folder = try TemporaryFolder()
        let loaded = try Self.loaded(folder)
        let request = try Self.request(loaded)
        #expect(loaded.problems.map(\.description) == [])
        #expect(request.name == "Get a user" && request.method == .get && request.path == "/users/:id")
        #expect(request.pathParameters == [Field("id", "7")] && request.query == [Field("limit", "10")])
        #expect(request.expect?.status == [.code(200)] && request.expect?.schema == nil)
        #expect(request.operation?.responses.map(\.name) == ["200", "404"])
        #expect(request.documentedResponses.map(\.description) == ["ok", "none"])
        #expect(request.documentedResponses.map(\.contentTypes) == [["application/json"], ["application/json"]])
        let path = folder.path + "/openapi.yaml"
        #expect(loaded.documents == [path])
        let text = try #require(loaded.collection).text
        #expect(try JSONValue.parse(text) == JSONValue.parse(Self.collection()))
    }

    @Test func `an operation without an ID is named by its method and its path`() throws {
        let folder = try TemporaryFolder()
        let text = Self.collection().replacing("\"getUser\"", with: "\"GET /users/{id}\"")
        let request = try Self.request(try Self.loaded(folder, text))
        #expect(request.path == "/users/:id")
    }

    @Test func `what is edited is written, and nothing of the document`() throws {
        let folder = try TemporaryFolder()
        let loaded = try Self.loaded(folder)
        var collection = try #require(loaded.collection)
        let id = try Self.request(loaded).id
        collection.update(id) { request in
            request.query[0].value = "20"
            request.headers.append(Field("X-Trace", "one"))
            request.expect?.within = .seconds(1)
        }
        _ = try CollectionFile.save(collection, to: loaded.path, expecting: loaded.fingerprint)
        let written = folder.text("shop.json")
        let text = try #require(written)
        #expect(text.contains("\"value\": \"20\"") && text.contains("\"within\": \"1s\""))
        #expect(!text.contains("/users") && !text.contains("Get a user") && !text.contains("\"status\""))
        let again = try Self.request(CollectionFile.load(loaded.path).specified())
        #expect(again.query == [Field("limit", "20")] && again.path == "/users/:id")
        #expect(again.expect?.status == [.code(200)] && again.expect?.within == .seconds(1))
        // The document changes under it: what was added stays.
        _ = try folder.file("openapi.yaml", Self.document(path: "/people/{id}", limit: "30"))
        let moved = try Self.request(CollectionFile.load(loaded.path).specified())
        #expect(moved.path == "/people/:id" && moved.query == [Field("limit", "20")])
        #expect(moved.headers == [Field("X-Trace", "one")])
    }

    @Test func `saving without the document loses nothing`() throws {
        let folder = try TemporaryFolder()
        let own = #","# + "\n      \"method\": \"GET\",\n      \"body\": null,\n      \"expect\": { \"status\": null }"
        let loaded = try Self.loaded(folder, Self.collection(own), nil)
        #expect(loaded.problems.map(\.severity) == [.error])
        let text = try #require(loaded.collection).text
        for part in ["\"method\": \"GET\"", "\"body\": null", "\"status\": null", "\"operation\": \"getUser\""] {
            #expect(text.contains(part), "\(part)")
        }
        #expect(!text.contains("\"path\"") && !text.contains("\"request\""))
        #expect(CollectionFile.read(Array(text.utf8), file: "").collection?.text == text)
    }

    @Test func `a renamed operation is a problem at its place, and an edit survives it`() throws {
        let folder = try TemporaryFolder()
        let loaded = try Self.loaded(folder)
        var collection = try #require(loaded.collection)
        let id = try Self.request(loaded).id
        collection.update(id) { $0.query[0].value = "20" }
        let gone = try Self.loaded(folder, Self.collection(), Self.document(id: "readUser"))
        let problem = try #require(gone.problems.first)
        #expect(problem.position == TextPosition(line: 7, column: 20))
        #expect(problem.message.contains("./openapi.yaml has no operation \"getUser\""))
        #expect(gone.itemsWithProblems.count == 1)
        // The one that is open keeps what it had.
        collection.takeOverlay(from: gone.collection)
        let kept = try #require(collection.request(id))
        #expect(kept.path == "/users/:id" && kept.query == [Field("limit", "20")])
        #expect(kept.operation?.failure?.contains("has no operation") == true)
        // It is there again.
        collection.takeOverlay(from: try Self.loaded(folder, Self.collection(), Self.document(limit: "5")).collection)
        #expect(collection.request(id)?.operation?.failure == nil)
        #expect(collection.request(id)?.query == [Field("limit", "20")])
    }

    @Test(arguments: [
        (#"{ "operation": "a", "specification": 3 }"#, "expected a string"),
        (#"{ "operation": "a" }"#, "missing key \"specification\""),
        (#"{ "operation": "", "specification": "a.yaml" }"#, "the name is empty"),
        (#"{ "operation": "a", "specification": "" }"#, "no file is named"),
    ])
    func `an item that names no operation is an error`(item: String, message: String) {
        let text = #"{ "version": 1, "name": "c", "items": [\#(item)] }"#
        let read = CollectionFile.read(Array(text.utf8), file: "c.json")
        #expect(read.collection == nil && read.problems.contains { $0.message.contains(message) }, "\(read.problems)")
    }

    @Test func `a document that cannot be read says so`() throws {
        let folder = try TemporaryFolder()
        let broken = try Self.loaded(folder, Self.collection(), "openapi: [")
        #expect(broken.collection != nil && broken.problems.count == 1)
        #expect(broken.problems.first?.message.contains("./openapi.yaml:") == true)
        let other = try Self.loaded(folder, Self.collection(), "name: shop")
        #expect(other.problems.first?.message.contains("this is no OpenAPI document") == true)
    }

    @Test func `an import can leave the content of the requests to the document`() throws {
        let folder = try TemporaryFolder()
        let (document, path) = (try folder.file("openapi.yaml", Self.document()), folder.path + "/shop.json")
        let bytes = Array(Self.document().utf8)
        let imported = try Imported.joined([try Importer.read(bytes, from: document)])
        let living = imported.based(on: try Specification(bytes, path: document), at: document, for: path)
        #expect(try living.write(to: path, keeping: .local))
        let written = folder.text("shop.json")
        let text = try #require(written)
        #expect(text.contains("\"operation\": \"getUser\"") && text.contains("openapi.yaml\""))
        #expect(!text.contains("/users") && !text.contains("Get a user") && !text.contains("schema\": {"))
        let request = try Self.request(CollectionFile.load(path).specified())
        #expect(request.path == "/users/:id" && request.operation?.failure == nil)
        let again = try #require(try living.merge(into: path, keeping: .local))
        #expect(!again.isChanged)
    }

    @Test func `an operation in another file of the document is read, and the file is watched`() throws {
        let folder = try TemporaryFolder()
        defer { _ = folder.names }
        let path = try folder.file(
            "paths/users.yaml", "get:\n  operationId: getUser\n  summary: Get a user\n  responses: {}\n")
        let document = """
            openapi: 3.1.0
            info: {title: Shop, version: '1'}
            paths:
              /users/{id}: {$ref: paths/users.yaml}
            """
        let loaded = try Self.loaded(folder, Self.collection(), document)
        #expect(try Self.request(loaded).name == "Get a user")
        #expect(loaded.problems.map(\.description) == [])
        let root = folder.path + "/openapi.yaml"
        #expect(loaded.documents == [root, path])
        let opened = CollectionFile.load(root).readInPlace
        #expect(opened.documents == [path])
        _ = try folder.file("paths/users.yaml", "get:\n  operationId: getUser\n  summary: Read\n  responses: {}\n")
        let again = CollectionFile.load(root).readInPlace
        #expect(again.fingerprint != opened.fingerprint && again.collection?.requests.map(\.name) == ["Read"])
        try FileManager.default.removeItem(atPath: path)
        let problem = try #require(CollectionFile.load(loaded.path).specified().problems.first)
        #expect(problem.message.contains("has no operation \"getUser\"; it refers to paths/users.yaml: "))
    }

    @Test func `of two operations with one ID, the second is known by its method and path`() throws {
        let text = """
            openapi: 3.1.0
            info: {title: Shop, version: '1'}
            paths:
              /a: {get: {operationId: same, responses: {}}, put: {operationId: same, responses: {}}}
            """
        let document = try Specification(Array(text.utf8), path: "openapi.yaml")
        #expect(document.operations.map(\.name) == ["same", "PUT /a"])
        #expect(document.operation(named: "PUT /a")?.method == .put)
        let (imported, notes) = try OpenAPISample.imported(text)
        #expect(imported.sources.values.sorted() == ["PUT /a", "same"])
        #expect(notes.contains { $0.kind == .remark && $0.message.contains("GET /a") })
    }

    // MARK: Sending

    private static func result(
        _ loaded: LoadedCollection, status: Int = 200, body: String = #"{"total": 1}"#
    ) async throws -> SessionResult {
        let collection = try #require(loaded.collection)
        let session = Session(transport: StubTransport { _ in .json(body, statusCode: status) })
        let order = RunOrder(
            id: 1, request: try request(loaded), collection: collection, environment: "test", file: loaded.path)
        guard case .ended(let result)? = await session.events(of: order).last else { throw CancellationError() }
        return result
    }

    @Test func `a response is judged by the schema that the document has for its status`() async throws {
        let folder = try TemporaryFolder()
        let loaded = try Self.loaded(folder)
        let right = try await Self.result(loaded)
        #expect(right.passed && right.expectations.count == 2, "\(right.failures)")
        #expect(right.prepared?.url == "https://api.test/v1/users/7?limit=10")
        let wrong = try await Self.result(loaded, body: #"{"total": "1"}"#)
        #expect(wrong.failures == ["differs from the document: `$.total` is a string"])
        let none = try await Self.result(loaded, status: 404, body: "{}")
        #expect(none.failures.contains { $0.hasPrefix("differs from the document: expected $") }, "\(none.failures)")
        // A status that the document does not have has no schema.
        let teapot = try await Self.result(loaded, status: 418, body: "[]")
        #expect(teapot.failures == ["expected status 200, got 418"])
    }

    @Test(arguments: [
        ("application/json", "application/json; charset=utf-8", true), ("application/json", "text/html", false),
        ("application/json", "", true),
        ("'*/*'", "application/json", true), ("'*/*'", "text/plain", false),
        ("application/*", "application/x+json", true),
        ("text/plain: {}, application/json", "application/json", true),
        ("text/plain: {}, application/json", "text/plain", false),
        ("application/*: {schema: {type: string}}, application/json", "application/json", true),
        ("application/json: {schema: {type: string}}, application/problem+json", "Application/Problem+JSON", true),
    ])
    func `a response is judged by the schema of its content type`(written: String, sent: String, isJudged: Bool) throws
    {
        let document = """
            openapi: 3.1.0
            info: {title: Shop, version: '1'}
            paths:
              /x: {get: {responses: {'4XX': {description: no, content: {\(written): {schema: {type: integer}}}}}}}
            """
        let folder = try TemporaryFolder()
        defer { _ = folder.names }
        let loaded = CollectionFile.load(try folder.file("api.yaml", document)).readInPlace
        let request = try Self.request(loaded)
        #expect(request.expect?.schema == nil)
        let response = try #require(request.documentedResponses.response(to: 404))
        let schema: JSONValue = ["type": "integer"]
        #expect(response.schema(ofType: sent) == (isJudged ? schema : nil))
        #expect(request.documentedResponses.response(to: 500) == nil)
    }

    @Test func `a document that is opened makes examples of its schemas when they are looked at`() throws {
        let document = """
            openapi: 3.1.0
            info: {title: Shop, version: '1'}
            paths:
              /x:
                get:
                  responses:
                    '200': {description: ok, content: {application/json: {schema: {type: integer, example: 7}}}}
                    '404': {description: gone, content: {application/json: {example: none, schema: {type: string}}}}
                    default: {description: no, content: {application/json: {schema: {type: string}}}}
            """
        let folder = try TemporaryFolder()
        defer { _ = folder.names }
        let request = try Self.request(CollectionFile.load(try folder.file("api.yaml", document)).readInPlace)
        #expect(request.examples?.map(\.name) == ["gone"])
        let shown = request.shownExamples
        #expect(shown.map(\.name) == ["gone", "From the schema"] && shown.map(\.status) == [404, 200])
        #expect(shown.last?.body == "7" && shown.last?.contentType == "application/json")
    }

    @Test(arguments: [
        (
            "'200': {description: ok, content: {application/json: {}}}", 200, "text/html",
            "the content type application/json, got \"text/html\""
        ),
        ("'200': {description: ok, content: {application/json: {}}}", 200, "Application/JSON; charset=utf-8", ""),
        ("'200': {description: ok, content: {text/*: {}, application/json: {}}}", 200, "text/html", ""),
        ("'200': {description: ok, content: {'*/*': {}}}", 200, "image/png", ""),
        ("'200': {description: ok}", 200, "text/html", ""),
        ("'200': {description: ok, content: {text/plain: {}}}", 200, "", "the content type text/plain, got none"),
        ("'404': {description: none}", 200, "text/html", "status 404, got 200"),
        ("'302': {description: moved}", 200, "text/html", ""),
        ("default: {description: any}", 200, "text/html", ""),
    ])
    func `a response differs from a document without its status or its content type`(
        responses: String, status: Int, type: String, difference: String
    ) async throws {
        let document = """
            openapi: 3.1.0
            info: {title: Shop, version: '1'}
            servers: [{url: https://api.test}]
            paths: {/x: {get: {responses: {\(responses)}}}}
            """
        let folder = try TemporaryFolder()
        defer { _ = folder.names }
        let loaded = CollectionFile.load(try folder.file("api.yaml", document)).readInPlace
        let collection = try #require(loaded.collection)
        let headers: RequestHeaders = type.isEmpty ? [:] : [.contentType: .string(type)]
        let session = Session(
            transport: StubTransport { _ in .response(statusCode: status, data: Data("{}".utf8), headers: headers) })
        let order = RunOrder(
            id: 1, request: try Self.request(loaded), collection: collection,
            environment: collection.environments.first?.name, file: loaded.path)
        guard case .ended(let result)? = await session.events(of: order).last else { throw CancellationError() }
        #expect(result.failures == (difference.isEmpty ? [] : ["differs from the document: expected \(difference)"]))
    }

    @Test func `responses of documents with the same content are the same`() throws {
        let responses = { (text: String) in
            try Specification(Array(text.utf8), path: "openapi.yaml").operations.map(\.responses)
        }
        let first = try responses(Self.document())
        #expect(try first == responses(Self.document()))
        #expect(try first != responses(Self.document(total: "string")))
        #expect(first.first?.first?.schema?["type"] == "object")
    }

    @Test func `a document that is opened judges responses of all statuses`() async throws {
        let folder = try TemporaryFolder()
        defer { _ = folder.names }
        let loaded = CollectionFile.load(try folder.file("api.yaml", Self.document())).readInPlace
        let collection = try #require(loaded.collection)
        let session = Session(transport: StubTransport { _ in .json("{}", statusCode: 404) })
        let order = RunOrder(
            id: 1, request: try Self.request(loaded), collection: collection,
            environment: collection.environments.first?.name, file: loaded.path)
        guard case .ended(let result)? = await session.events(of: order).last else { throw CancellationError() }
        #expect(
            result.failures.contains { $0.hasPrefix("differs from the document: expected $") }, "\(result.failures)")
    }

    @Test func `a request whose operation is gone is not sent`() async throws {
        let folder = try TemporaryFolder()
        let loaded = try Self.loaded(folder, Self.collection(), Self.document(id: "readUser"))
        let result = try await Self.result(loaded)
        #expect(result.response == nil && result.failures.first?.contains("has no operation") == true)
    }

    @Test func `a document outside of the workspace is a source of what is sent`() throws {
        let outside = try TemporaryFolder()
        let folder = try TemporaryFolder()
        let path = try outside.file("openapi.yaml", Self.document())
        let text = Self.collection().replacing("./openapi.yaml", with: path)
        let loaded = try Self.loaded(folder, text, nil)
        let collection = try #require(loaded.collection)
        let flows = Session().flows(of: collection, file: loaded.path)
        let real = try #require(Workspace.real(path))
        #expect(flows.contains { $0.source == .file(real) }, "\(flows)")
        let inside = try Self.loaded(folder)
        #expect(Session().flows(of: try #require(inside.collection), file: inside.path).isEmpty)
    }

    @Test func `a path behind a dot leads nowhere else, neither for the reader nor for the gate`() throws {
        let outside = try TemporaryFolder()
        let folder = try TemporaryFolder()
        let path = try outside.file("openapi.yaml", Self.document())
        let loaded = try Self.loaded(folder, Self.collection().replacing("./openapi.yaml", with: "./" + path), nil)
        #expect(loaded.collection?.requests.first?.operation?.failure?.contains("cannot be read") == true)
        for name in [".//etc/a.yaml", "./~/a.yaml"] {
            #expect(SpecifiedOperations.path(of: name, in: "/api") == "/api/" + name)
        }
        #expect(SpecifiedOperations.path(of: "./a.yaml", in: "/api") == "/api/a.yaml")
    }
}
