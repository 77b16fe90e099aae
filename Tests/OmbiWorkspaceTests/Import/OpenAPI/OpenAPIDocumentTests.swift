import Foundation
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Documents of each version as a whole.
@Suite struct OpenAPIDocumentTests {
    private static let two = """
        swagger: '2.0'
        info: {title: Shop, version: 1.0}
        host: api.test
        basePath: /v1
        schemes: [http, https]
        consumes: [application/json]
        tags:
        - {name: pets, description: All pets}
        securityDefinitions:
          key: {type: apiKey, in: header, name: X-Key}
        security:
        - key: []
        paths:
          /pets/{pet-id}:
            parameters:
            - {name: pet-id, in: path, required: true, type: integer, minimum: 5}
            get:
              tags: [pets]
              summary: Get a pet
              responses: {200: {description: ok, schema: {$ref: '#/definitions/Pet'}}}
            post:
              tags: [pets]
              operationId: changePet
              parameters:
              - {name: body, in: body, schema: {$ref: '#/definitions/Pet'}}
              responses: {default: {description: any}}
          /upload:
            post:
              parameters:
              - {name: note, in: formData, type: string, default: hi}
              - {name: file, in: formData, type: file, required: true}
              responses: {204: {description: done}}
        definitions:
          Pet:
            type: object
            required: [name]
            properties: {name: {type: string, example: Rex}, age: {type: integer}}
        """
    private static let three = """
        openapi: 3.0.3
        info: {title: Shop, description: Things}
        servers:
        - url: https://{region}.api.test/v2/
          description: Production
          variables: {region: {default: eu}}
        - {url: 'http://localhost:8080', description: Local}
        components:
          securitySchemes:
            login: {type: http, scheme: Bearer}
          schemas:
            Node:
              type: object
              required: [id, children]
              properties:
                id: {type: string, format: uuid, nullable: true}
                children: {type: array, items: {$ref: '#/components/schemas/Node'}}
        paths:
          /nodes:
            get:
              deprecated: true
              security: [{login: []}]
              parameters:
              - {name: limit, in: query, schema: {type: integer, default: 20}}
              - {name: q, in: query, required: true, example: a b}
              responses:
                '200':
                  description: ok
                  content: {application/json: {schema: {$ref: '#/components/schemas/Node'}}}
        """
    private static let threeOne = """
        openapi: 3.1.0
        info: {title: Shop, version: '1'}
        servers: [{url: 'https://api.test'}]
        paths:
          /a:
            put:
              requestBody:
                content:
                  application/json:
                    schema:
                      type: [object, 'null']
                      required: [size, kind]
                      properties:
                        size: {type: number, exclusiveMinimum: 3}
                        kind: {anyOf: [{type: 'null'}, {enum: [small]}]}
              responses: {'2XX': {description: ok}}
        webhooks:
          news: {post: {responses: {}}}
        """

    @Test func `OpenAPI 2.0 gives hosts, folders, credentials and bodies`() throws {
        let (imported, notes) = try OpenAPISample.imported(Self.two)
        let collection = imported.collection
        #expect(collection.environments.map(\.host) == ["https://api.test/v1", "http://api.test/v1"])
        #expect(collection.items.map(\.name) == ["pets", "POST /upload"])
        #expect(collection.items.first?.items.map(\.name) == ["Get a pet", "changePet"])
        #expect(
            collection.authentication == .apiKey(APIKeyAuthentication(name: "X-Key", value: "{{key}}")))
        #expect(collection.environments.allSatisfy { $0.secrets == [Secret("key", .prompt(""))] })
        let get = try #require(collection.requests.first)
        #expect(get.path == "/pets/:pet_id")
        #expect(get.pathParameters == [Field("pet_id", "5")])
        #expect(get.expect?.status == [.code(200)])
        #expect(notes.contains { $0.kind == .remark && $0.message.hasPrefix("renamed to pet_id") })
        let upload = try #require(collection.requests.last)
        #expect(
            upload.body
                == .multipart(
                    MultipartContent([
                        MultipartPart("note", .text("hi"), enabled: false), MultipartPart("file", .file("upload")),
                    ])))
    }

    /// The body of a request with these encodings of the fields of a form.
    private static func form(_ type: String, _ encoding: String) throws -> SavedBody? {
        let example = "{\"tags\": [\"a\", \"b\"], \"at\": {\"x\": 1, \"y\": {\"z\": 2}}}"
        let media = "{\"example\": \(example), \"encoding\": {\(encoding)}}"
        return try OpenAPISample.only("\"requestBody\": {\"content\": {\"\(type)\": \(media)}}").request.body
    }

    @Test func `the fields of a form are encoded as the document says`() throws {
        let rows: (String) throws -> [String] = { encoding in
            guard case .form(let form)? = try Self.form(OpenAPIReader.form, encoding) else { return [] }
            return form.fields.map { "\($0.name)=\($0.value.filter { $0 != " " })" }
        }
        let object = "at={\"x\":1,\"y\":{\"z\":2}}"
        #expect(try rows("") == ["tags=a", "tags=b", object])
        #expect(try rows("\"tags\": {\"explode\": false}") == ["tags=a,b", object])
        #expect(try rows("\"tags\": {\"contentType\": \"application/json\"}") == ["tags=[\"a\",\"b\"]", object])
        let deep = "\"at\": {\"style\": \"deepObject\", \"explode\": true}"
        #expect(try rows(deep) == ["tags=a", "tags=b", "at[x]=1", "at[y][z]=2"])
    }

    @Test func `a list of texts in a multipart body is a part for each`() throws {
        guard case .multipart(let content)? = try Self.form("multipart/form-data", "") else {
            Issue.record("the body is no multipart body")
            return
        }
        #expect(content.parts.map(\.name) == ["tags", "tags", "at"])
        #expect(content.parts.prefix(2).map(\.content) == [.text("a"), .text("b")])
        #expect(content.parts.map(\.contentType) == [nil, nil, "application/json"])
    }

    @Test(arguments: ["schema", "itemSchema"])
    func `JSON in lines is a text, not a file that is missing`(key: String) throws {
        let schema = "{\"type\": \"object\", \"required\": [\"a\"], \"properties\": {\"a\": {\"type\": \"integer\"}}}"
        let content = "\"requestBody\": {\"content\": {\"application/x-ndjson\": {\"\(key)\": \(schema)}}}"
        guard case .text(let text)? = try OpenAPISample.only(content, version: "3.2.0").request.body else {
            Issue.record("the body is no text")
            return
        }
        #expect(text.text.filter { $0 != " " } == "{\"a\":0}" && text.contentType == "application/x-ndjson")
    }

    @Test(arguments: [
        ("https://a.test/v1", "/token", "https://a.test/token"),
        ("https://a.test/api/v1", "token", "https://a.test/api/token"),
        ("https://a.test", "/token", "/token"), ("https://a.test", "token", "/token"),
        ("https://a.test/v1", "https://b.test/t", "https://b.test/t"), ("/v1", "/token", "{{host}}/token"),
        ("http://a.test/v1", "//b.test/t", "http://b.test/t"),
    ])
    func `a relative URL of tokens starts at the server`(server: String, written: String, url: String) throws {
        let scheme = """
            {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "\(written)", "scopes": {}}}}
            """
        let (imported, _) = try OpenAPISample.imported(
            OpenAPISample.document(
                "\"/x\": {\"get\": {\"responses\": {}}}",
                """
                , "servers": [{"url": "\(server)"}], "security": [{"o": []}],
                "components": {"securitySchemes": {"o": \(scheme)}}
                """))
        guard case .oauth2(let found)? = imported.collection.authentication else {
            Issue.record("no OAuth 2")
            return
        }
        #expect(found.tokenURL == url)
    }

    @Test func `OpenAPI 3.0 gives an environment for each server`() throws {
        let (imported, _) = try OpenAPISample.imported(Self.three)
        let collection = imported.collection
        #expect(collection.description == "Things")
        #expect(collection.environments.map(\.name) == ["Production", "Local"])
        #expect(collection.environments.map(\.host) == ["https://{{region}}.api.test/v2", "http://localhost:8080"])
        #expect(collection.environments.first?.variables == [Field("region", "eu")])
        let request = try #require(collection.requests.first)
        #expect(request.path == "/nodes")
        #expect(request.query == [Field("limit", "20", enabled: false), Field("q", "a b")])
        #expect(request.tags == ["deprecated"])
        #expect(request.description == "Deprecated.")
        #expect(request.authentication == .bearer(BearerAuthentication(token: "{{login}}")))
    }

    @Test func `the schema of OpenAPI 3.0 becomes one of the later draft`() throws {
        let (imported, _) = try OpenAPISample.imported(Self.three)
        guard case .inline(let schema)? = imported.collection.requests.first?.expect?.schema else {
            Issue.record("no schema")
            return
        }
        #expect(try OpenAPISample.failures(["id": "x", "children": []], schema).isEmpty)
        let child: JSONValue = .object([.init("id", .null), .init("children", .array([]))])
        #expect(try OpenAPISample.failures(["id": "x", "children": .array([child])], schema).isEmpty)
        #expect(try !OpenAPISample.failures(["id": 1, "children": []], schema).isEmpty)
        #expect(try !OpenAPISample.failures(["id": "x"], schema).isEmpty)
    }

    @Test func `OpenAPI 3.1 gives samples that are not null`() throws {
        let (imported, notes) = try OpenAPISample.imported(Self.threeOne)
        let request = try #require(imported.collection.requests.first)
        #expect(request.method == .put)
        let body: JSONValue = ["size": 4, "kind": "small"]
        #expect(try OpenAPISample.json(request) == body)
        #expect(request.expect?.status == [.hundreds(2)])
        #expect(notes.contains { $0.kind == .loss && $0.subject == "webhooks" && $0.position.line == 18 })
    }

    @Test(arguments: [two, three, threeOne]) func `a document in JSON says the same`(text: String) throws {
        let json = String(decoding: try YAMLDocument(Array(text.utf8)).json, as: UTF8.self)
        let fromYAML = try OpenAPISample.imported(text).imported.written(keeping: .drop).text
        #expect(try OpenAPISample.imported(json).imported.written(keeping: .drop).text == fromYAML)
    }

    @Test(arguments: [two, three, threeOne])
    func `a document is imported the same twice, and the collection passes its check`(text: String) throws {
        let written = try OpenAPISample.imported(text).imported.written(keeping: .drop).text
        #expect(try OpenAPISample.imported(text).imported.written(keeping: .drop).text == written)
        let (collection, problems) = CollectionFile.read(Array(written.utf8), file: "f.json")
        #expect(collection != nil)
        #expect(problems.allSatisfy { $0.severity != .error }, "\(problems)")
        let found = CollectionCheck.problems(in: Array(written.utf8), file: "f.json")
        #expect(found.allSatisfy { $0.severity != .error }, "\(found)")
    }

    @Test(arguments: ["1.2", "4.0.0", "x"]) func `another version is refused by its number`(version: String) {
        let error = #expect(throws: ImportError.self) {
            try OpenAPISample.imported("openapi: '\(version)'\npaths: {}\n")
        }
        #expect(error?.message.contains(version) == true)
    }

    @Test func `a later version of 3 is read, and a document without operations has no requests`() throws {
        let (imported, notes) = try OpenAPISample.imported("openapi: 3.9.0\ninfo: {title: Shop}\npaths: {}\n")
        #expect(imported.collection.name == "Shop" && imported.requestCount == 0)
        #expect(notes.contains { $0.kind == .remark && $0.subject == "3.9.0" })
    }

    @Test func `a reference that leads nowhere costs its own part`() throws {
        let (imported, notes) = try OpenAPISample.imported(
            OpenAPISample.document(
                """
                "/a": {"get": {"parameters": [{"$ref": "#/components/parameters/no"}], "responses": {}}},
                "/b": {"$ref": "https://elsewhere.test/b.yaml"},
                "/c": {"$ref": "#/paths/~1c"}
                """))
        #expect(imported.requestCount == 1)
        let losses = notes.filter { $0.kind == .loss }.map(\.subject)
        #expect(losses.contains("#/components/parameters/no"))
        #expect(losses.contains("https://elsewhere.test/b.yaml"))
        #expect(losses.contains("$ref"))
    }

    @Test(arguments: [
        (#""content": {"application/xml": {}, "application/json; charset=utf-8": {}}"#, "application/json"),
        (#""content": {"application/json": {}}"#, ""), (#""content": {"text/plain": {}, "text/html": {}}"#, ""),
    ])
    func `JSON is asked for where a success has other content types, too`(content: String, accepted: String) throws {
        let responses = #""responses": {"404": {"content": {"a/b": {}, "a/json": {}}}, "201": {\#(content)}}"#
        let (request, _) = try OpenAPISample.only(responses)
        #expect(request.headers == (accepted.isEmpty ? [] : [Field("Accept", accepted)]))
        let former = #""produces": ["application/xml", "application/json"], "responses": {"200": {"schema": {}}}"#
        #expect(try OpenAPISample.only(former, version: "2.0").request.headers.map(\.value) == ["application/json"])
    }

    @Test func `a further method that is none, or is not in capital letters, is noted`() throws {
        let more =
            #""additionalOperations": {"Link": {"responses": {}}, "COPY": {"responses": {}}, "a b": {"responses": {}}}"#
        let (imported, notes) = try OpenAPISample.imported(
            OpenAPISample.document("\"/a\": {\(more)}", version: "3.2.0"))
        #expect(imported.collection.requests.map(\.method.rawValue) == ["LINK", "COPY", "GET"])
        #expect(notes.lose("a b", "no method") && !notes.contains { $0.subject == "COPY" })
        #expect(notes.contains { $0.kind == .remark && $0.subject == "Link" })
    }

    @Test func `braces of a document are no templates`() throws {
        let (request, _) = try OpenAPISample.only(
            """
            "parameters": [{"name": "q", "in": "query", "required": true, "example": "{{name}}"}],
            "responses": {}
            """)
        #expect(request.query.first?.value == "\\{{name}}")
    }

    @Test func `a server that is not whole needs a host`() throws {
        let (imported, notes) = try OpenAPISample.imported(
            OpenAPISample.document("\"/a\": {\"get\": {\"responses\": {}}}", ", \"servers\": [{\"url\": \"/v2\"}]"))
        #expect(imported.collection.environments.map(\.host) == ["{{host}}/v2"])
        #expect(notes.contains { $0.kind == .loss && $0.subject == "servers" })
    }

    @Test func `a server with braces names no variable that names itself`() throws {
        let (imported, _) = try OpenAPISample.imported(
            OpenAPISample.document(
                "\"/a\": {\"get\": {\"responses\": {}}}", ", \"servers\": [{\"url\": \"{{baseUrl}}\"}]"))
        let environment = try #require(imported.collection.environments.first)
        #expect(environment.host == "{{baseUrl}}")
        #expect(!environment.variables.contains { $0.name == "baseUrl" && $0.value.contains("{{") })
    }

    @Test(arguments: [two, three, threeOne]) func `a document in YAML is opened in place`(text: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "openapi-" + UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try text.write(toFile: folder + "/api.yaml", atomically: true, encoding: .utf8)
        let loaded = CollectionFile.load(folder + "/api.yaml")
        #expect(loaded.collection == nil)
        #expect(loaded.problems.first?.message.contains("ombi import") == true)
        let opened = try #require(loaded.importing)
        #expect(opened.collection?.requests.isEmpty == false)
        #expect(opened.problems.first?.message.contains("an OpenAPI document") == true)
    }

    @Test(arguments: [
        ("openapi: 3.0.3\npaths:\n  /x:\n    get:\n      tags: []\n      tags: []\n", 6, "duplicate key \"tags\""),
        ("openapi: 1.2\npaths: {}\n", 1, "version 1.2 of OpenAPI is not read"),
        ("openapi: 3.0.3\npaths: {}\n", 1, "there is no operation"),
    ])
    func `a document that cannot be opened says why`(text: String, line: Int, reason: String) throws {
        let folder = try TemporaryFolder()
        let loaded = CollectionFile.load(try folder.file("api.yaml", text))
        for opened in [try #require(loaded.importing), loaded.readInPlace] {
            #expect(opened.collection == nil && opened.problems.count == 1)
            #expect(opened.problems.first?.position?.line == line)
            #expect(opened.problems.first?.message.hasPrefix(reason) == true, "\(opened.problems)")
        }
    }

    @Test func `of a doubled key in JSON the first counts, which is said`() throws {
        let operation = #""operationId": "a", "operationId": "b", "responses": {}"#
        let (request, notes) = try OpenAPISample.only(operation)
        #expect(request.name == "a" && notes.contains { $0.kind == .loss && $0.message.contains("the first") })
    }

    /// The collection of a document whose operation needs all of these schemes.
    private static func secured(_ schemes: String, _ names: String) throws -> (Collection, [ImportNote]) {
        let more =
            ", \"components\": {\"securitySchemes\": {\(schemes)}}, \"security\": [{\(names)}]"
        let document = OpenAPISample.document(
            "\"/x\": {\"get\": {\"responses\": {\"204\": {\"description\": \"done\"}}}}", more)
        let (imported, notes) = try OpenAPISample.imported(document)
        return (imported.collection, notes)
    }

    private static let cookie = #""key": {"type": "apiKey", "in": "cookie", "name": "sid"}"#

    @Test func `a key in a cookie is the authentication, and a cookie beside another`() throws {
        let key = APIKeyAuthentication(name: "sid", value: "{{key}}", location: .cookie)
        let (alone, _) = try Self.secured(Self.cookie, #""key": []"#)
        #expect(alone.authentication == .apiKey(key) && alone.headers.isEmpty)
        let login = #", "login": {"type": "http", "scheme": "bearer"}"#
        for names in [#""key": [], "login": []"#, #""login": [], "key": []"#] {
            let (both, _) = try Self.secured(Self.cookie + login, names)
            #expect(both.authentication == .bearer(BearerAuthentication(token: "{{login}}")))
            #expect(both.headers.isEmpty && both.requests.map(\.cookies) == [[Field("sid", "{{key}}")]])
        }
    }

    @Test func `a further key of all operations is sent by those without credentials of their own`() throws {
        let document = OpenAPISample.document(
            #"""
            "/x": {"get": {"parameters": [{"name": "c", "in": "cookie", "required": true, "example": "1"}],
            "responses": {}}, "post": {"security": [], "responses": {}}}
            """#,
            #"""
            , "components": {"securitySchemes": {"login": {"type": "http", "scheme": "bearer"},
            "token": {"type": "apiKey", "in": "query", "name": "t"},
            "key": {"type": "apiKey", "in": "cookie", "name": "sid"}}},
            "security": [{"login": [], "token": [], "key": []}]
            """#)
        let (imported, _) = try OpenAPISample.imported(document)
        let collection = imported.collection
        #expect(collection.authentication == .bearer(BearerAuthentication(token: "{{login}}")))
        let (inheriting, open) = (try #require(collection.requests.first), try #require(collection.requests.last))
        #expect(inheriting.query == [Field("t", "{{token}}")] && inheriting.authentication == nil)
        #expect(inheriting.cookies == [Field("c", "1"), Field("sid", "{{key}}")])
        #expect(open.query.isEmpty && open.cookies.isEmpty && open.authentication == .noAuthentication)
    }

    @Test func `a content type may refer to a part of the document`() throws {
        let more = #", "components": {"mediaTypes": {"m": {"schema": {"type": "string"}, "example": "hi"}}}"#
        let members =
            ##""requestBody": {"content": {"text/plain": {"$ref": "#/components/mediaTypes/m"}}}, "##
            + #""responses": {}"#
        let (request, notes) = try OpenAPISample.only(members, more, version: "3.2.0")
        #expect(request.body == .text(TextContent("hi", contentType: "text/plain")))
        #expect(!notes.contains { $0.subject == "text/plain" }, "\(notes)")
    }

    @Test func `a name that no cookie has is a loss`() throws {
        let (collection, notes) = try Self.secured(Self.cookie.replacing("sid", with: "a b"), #""key": []"#)
        #expect(collection.authentication == .noAuthentication)
        #expect(notes.contains { $0.kind == .loss && $0.message == "left out: no cookie has such a name" })
    }

    @Test func `a body of XML has the names, attributes and lists of its schema`() throws {
        let (request, notes) = try OpenAPISample.only(
            "\"requestBody\": {\"content\": {\"application/xml\": {\"schema\": {\"$ref\": \"#/components/schemas/Pet\"}}}}",
            """
            , "components": {"schemas": {"Pet": {"type": "object", "xml": {"name": "pet", "prefix": "p",
            "namespace": "https://a.test/ns"}, "properties": {
            "id": {"type": "integer", "example": 7, "xml": {"attribute": true}},
            "name": {"type": "string", "example": "a < b"},
            "tags": {"type": "array", "example": ["x", "y"], "items": {"type": "string", "xml": {"name": "tag"}}},
            "photos": {"type": "array", "example": ["z"], "xml": {"wrapped": true}, "items": {"type": "string"}},
            "owner": {"type": "object", "example": {"1st": true}}}}}}
            """)
        let expected = """
            <p:pet id="7" xmlns:p="https://a.test/ns">
              <name>a &lt; b</name>
              <tag>x</tag>
              <tag>y</tag>
              <photos>
                <photos>z</photos>
              </photos>
              <owner>
                <_1st>true</_1st>
              </owner>
            </p:pet>
            """
        #expect(request.body == .text(TextContent(expected, contentType: "application/xml")))
        #expect(notes.allSatisfy { $0.subject != "application/xml" })
    }

    @Test func `a body of XML whose element has no name is left to write`() throws {
        let (request, notes) = try OpenAPISample.only(
            "\"requestBody\": {\"content\": {\"text/xml\": {\"schema\": {\"type\": \"object\"}}}}")
        #expect(request.body == .text(TextContent("", contentType: "text/xml")))
        #expect(notes.contains { $0.kind == .loss && $0.subject == "text/xml" })
    }
}
