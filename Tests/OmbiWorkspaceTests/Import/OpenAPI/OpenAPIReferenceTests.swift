import Foundation
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// References from documents of OpenAPI into other files.
@Suite struct OpenAPIReferenceTests {
    static let shop = [
        "openapi.yaml": """
        openapi: 3.1.0
        info:
          title: Shop
          version: "1"
        servers:
          - url: https://a.test
        paths:
          /users:
            $ref: paths/users.yaml
          /users/{id}:
            $ref: "paths/user%20one.yaml#/item"
        components:
          schemas:
            $ref: schemas/all.json
        """,
        "paths/users.yaml": """
        post:
          summary: Create
          parameters:
            - $ref: "../parameters.yaml#/page"
          requestBody:
            content:
              application/json:
                schema:
                  $ref: ../schemas/user.yaml
          responses:
            "201":
              description: Created
        """,
        "paths/user one.yaml": """
        item:
          get:
            summary: Read
            parameters:
              - name: id
                in: path
                schema:
                  $ref: "../openapi.yaml#/components/schemas/Identifier"
            responses: {}
        """,
        "parameters.yaml": "page:\n  name: page\n  in: query\n  required: true\n  example: 2\n",
        "schemas/all.json": "{\"Identifier\": {\"type\": \"integer\", \"example\": 7}}",
        "schemas/user.yaml": """
        type: object
        required: [name, friend]
        properties:
          name:
            type: object
            example: {$ref: kept}
          friend:
            $ref: "#/$defs/friend"
        $defs:
          friend:
            type: object
            required: [age]
            properties:
              age: {type: integer, example: 3}
              best: {$ref: user.yaml}
        """,
    ]

    private static func imported(
        _ files: [String: String], _ name: String = "openapi.yaml"
    ) throws -> (imported: Imported, notes: [ImportNote]) {
        let folder = try TemporaryFolder()
        defer { _ = folder.names }
        for (name, text) in files { _ = try folder.file(name, text) }
        return try read(folder.path + "/" + name)
    }

    private static func read(_ path: String) throws -> (imported: Imported, notes: [ImportNote]) {
        let content = Array(try Data(contentsOf: URL(filePath: path)))
        let read = try Importer.read(content, from: path, in: ImportFolder(of: path))
        let joined = try Imported.joined([read])
        return (joined, read.notes + joined.notes)
    }

    @Test func `paths, parameters and schemas in other files are read`() throws {
        let (imported, notes) = try Self.imported(Self.shop)
        #expect(imported.collection.requests.map(\.name) == ["Create", "Read"])
        let (create, read) = (imported.collection.requests[0], imported.collection.requests[1])
        #expect(create.query == [Field("page", "2")])
        #expect(read.path == "/users/:id" && read.pathParameters == [Field("id", "7")])
        let body = try OpenAPISample.json(create)
        #expect(body["friend"]?["age"] == .number("3"))
        #expect(!notes.contains { $0.message.contains("left out: there is no such part") }, "\(notes)")
    }

    @Test func `an example is no reference, and a schema that contains itself ends`() throws {
        let (imported, _) = try Self.imported(Self.shop)
        let body = try OpenAPISample.json(try #require(imported.collection.requests.first))
        #expect(body["name"] == .object([.init("$ref", "kept")]))
    }

    @Test func `without a folder other files are not read`() throws {
        let text = try #require(Self.shop["openapi.yaml"])
        let (imported, notes) = try OpenAPISample.imported(text)
        #expect(imported.requestCount == 0 && notes.lose("paths/users.yaml", "other files"))
    }

    @Test(arguments: [
        ("../other.yaml", "outside"), ("paths/../../other.yaml", "outside"), ("/etc/hosts", "outside"),
        ("https://a.test/x.yaml", "URLs are not read"), ("link.yaml", "outside"), ("none.yaml", ""),
        ("broken.yaml", ""), ("openapi.yaml#/none", "no such part"), ("./.hidden/a.yaml", "hidden files are not read"),
    ])
    func `what is not followed is a loss, and the other operations stay`(reference: String, reason: String) throws {
        let folder = try TemporaryFolder()
        defer { _ = folder.names }
        _ = try folder.file("other.yaml", "get: {summary: stolen}\n")
        _ = try folder.file("api/broken.yaml", "get: [\n")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/api/link.yaml", withDestinationPath: folder.path + "/other.yaml")
        let document = try folder.file(
            "api/openapi.yaml",
            """
            openapi: 3.1.0
            info: {title: a, version: "1"}
            paths:
              /x:
                $ref: "\(reference)"
              /y:
                get: {summary: kept}
            """)
        let (imported, notes) = try Self.read(document)
        #expect(imported.collection.requests.map(\.name) == ["kept"])
        let isNamed = notes.contains { $0.kind == .loss && (reason.isEmpty || $0.message.contains(reason)) }
        #expect(isNamed, "\(notes)")
    }

    @Test func `URLs that begin as the one that a document gives itself are its files`() throws {
        let document = """
            openapi: 3.2.0
            $self: https://a.test/api/shop.yaml
            info: {title: a, version: "1"}
            paths:
              /own: {$ref: "https://a.test/api/shop.yaml#/components/pathItems/own"}
              /other: {$ref: "https://a.test/api/paths/other.yaml"}
              /outside: {$ref: "https://a.test/api/../../x.yaml"}
              /elsewhere: {$ref: "https://a.test/x.yaml"}
            components: {pathItems: {own: {get: {summary: own}}}}
            """
        let (imported, notes) = try Self.imported([
            "openapi.yaml": document,
            "paths/other.yaml": "get: {summary: other, parameters: [{$ref: 'https://a.test/api/page.yaml'}]}\n",
            "page.yaml": "name: page\nin: query\nexample: 2\n",
        ])
        #expect(imported.collection.requests.map(\.name) == ["own", "other"])
        #expect(imported.collection.requests.last?.query.map(\.name) == ["page"])
        #expect(notes.lose("https://a.test/api/../../x.yaml", "outside"))
        #expect(notes.lose("https://a.test/x.yaml", "URLs are not read"))
    }

    @Test func `the URL of a schema in the document is no file, and anchors are those of all files`() throws {
        let document = """
            openapi: 3.1.0
            info: {title: a, version: "1"}
            paths:
              /x:
                post:
                  requestBody: {content: {application/json: {schema: {required: [a, b, c], properties: {
                    a: {$ref: "https://a.test/id#/$defs/d"}, b: {$ref: "other.yaml#here"}, c: {$ref: "other.yaml"}}}}}}
                  responses: {}
            components: {schemas: {S: {$id: "https://a.test/id", $defs: {d: {type: boolean}}}}}
            """
        let (imported, notes) = try Self.imported([
            "openapi.yaml": document,
            "other.yaml": "$ref: '#here'\n$defs: {x: {$anchor: here, type: integer, minimum: 7}}\n",
        ])
        let body = try OpenAPISample.json(try #require(imported.collection.requests.first))
        #expect(body["a"] == true && body["b"] == 7 && body["c"] == 7)
        #expect(!notes.contains { $0.message.contains("URLs are not read") })
    }

    @Test func `names of files may have spaces and dollar signs, and a property may have the name $ref`() throws {
        let document = """
            openapi: 3.1.0
            info: {title: a, version: "1"}
            paths:
              /x: {$ref: "a$b c.yaml"}
            """
        let operation = """
            post:
              requestBody:
                content:
                  application/json:
                    schema: {type: object, required: [$ref], properties: {$ref: {type: string}}}
            """
        let (imported, _) = try Self.imported(["open $api.yaml": document, "a$b c.yaml": operation], "open $api.yaml")
        let request = try #require(imported.collection.requests.first)
        #expect(try OpenAPISample.json(request) == ["$ref": "string"])
    }

    @Test func `a name with escapes is found by a reference that has them alike`() throws {
        let schemas =
            #"{"Pick.%22id%22_": {"type": "object", "required": ["id"], "properties": {"id": {"example": 7}}}}"#
        let parameters = #"{"p%20": {"name": "p", "in": "query", "required": true, "example": 1}}"#
        let (request, notes) = try OpenAPISample.only(
            ##""parameters": [{"$ref": "#/components/parameters/p%20"}], "requestBody": {"content": "##
                + ##"{"application/json": {"schema": {"$ref": "#/components/schemas/Pick.%22id%22_"}}}}, "responses": {}"##,
            ", \"components\": {\"schemas\": \(schemas), \"parameters\": \(parameters)}")
        #expect(try OpenAPISample.json(request) == ["id": 7] && request.query == [Field("p", "1")])
        #expect(!notes.contains { $0.kind == .loss && $0.subject != "servers" }, "\(notes)")
    }

    @Test func `an operation may be a reference`() throws {
        let document = """
            openapi: 3.0.3
            info: {title: a, version: "1"}
            paths:
              /x/{id}:
                get: {$ref: operations/get.yml}
                put: {$ref: operations/none.yml}
            """
        let operation = """
            operationId: read
            summary: Read it
            parameters:
              - {name: id, in: path, required: true, example: 7}
            """
        let (imported, notes) = try Self.imported(["openapi.yaml": document, "operations/get.yml": operation])
        let request = try #require(imported.collection.requests.first)
        #expect(request.name == "Read it" && request.pathParameters == [Field("id", "7")])
        #expect(imported.collection.requests.map(\.method) == [.get, .put], "method and path are known without it")
        #expect(notes.lose("operations/none.yml"))
    }

    @Test func `an operation beside a reference of its path is a loss`() throws {
        let paths = ##""/a": {"get": {"responses": {}}}, "/b": {"$ref": "#/paths/~1a", "put": {"responses": {}}}"##
        let (imported, notes) = try OpenAPISample.imported(OpenAPISample.document(paths))
        #expect(imported.collection.requests.map(\.name) == ["GET /a", "GET /b"])
        #expect(notes.lose("/b", "the operation put beside a $ref"))
    }

    @Test func `files that refer to each other in a circle end`() throws {
        let (imported, notes) = try Self.imported([
            "openapi.yaml": "openapi: 3.1.0\ninfo: {title: a, version: \"1\"}\npaths:\n  /x:\n    $ref: a.yaml\n",
            "a.yaml": "$ref: b.yaml\n", "b.yaml": "$ref: a.yaml\n",
        ])
        #expect(imported.requestCount == 0 && notes.lose("$ref"))
    }

    @Test func `words beside a reference of OpenAPI 3.0 are none of its part`() throws {
        let parameter = ##"{"$ref": "#/components/parameters/p", "description": "left out", "required": false}"##
        let (request, _) = try OpenAPISample.only(
            "\"parameters\": [\(parameter)], \"responses\": {}",
            #", "components": {"parameters": {"p": {"name": "p", "in": "query", "required": true, "example": 1}}}"#)
        #expect(request.query == [Field("p", "1")])
    }

    @Test func `a loss in another file has the place there`() throws {
        var files = Self.shop
        files["paths/users.yaml"] = "post:\n  summary: Create\n  callbacks:\n    done: {}\n"
        let (_, notes) = try Self.imported(files)
        let note = try #require(notes.first { $0.subject == "callbacks" })
        #expect(note.file?.hasSuffix("/paths/users.yaml") == true && note.position.line == 4)
    }
}
