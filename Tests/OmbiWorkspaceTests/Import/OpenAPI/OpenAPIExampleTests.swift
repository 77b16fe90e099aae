import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// The responses of a document are the examples of its requests.
@Suite struct OpenAPIExampleTests {
    private static func examples(
        _ responses: String, _ more: String = "", method: String = "get", version: String = "3.0.3"
    ) throws -> (examples: [SavedExample], losses: [String]) {
        let (request, notes) = try OpenAPISample.only(
            "\"responses\": {\(responses)}", more, method: method, version: version)
        return (request.examples ?? [], notes.filter { $0.kind == .loss }.map(\.message))
    }

    private static let one: JSONValue = ["id": 1]

    private static func json(_ example: SavedExample?) throws -> JSONValue {
        try JSONValue.parse(try #require(example).body)
    }

    @Test func `the examples of all statuses come with their names, headers and bodies`() throws {
        let (examples, losses) = try Self.examples(
            #"""
            "200": {"description": "ok", "headers": {"X-Rate": {"schema": {"default": 5}}, "X-None": {}},
              "content": {"application/json": {"examples": {
                "one": {"summary": "One pet", "value": {"id": 1}}, "two": {"value": "{\"id\": 2}"}}}}},
            "404": {"description": "No such pet", "content": {"text/plain": {"example": "none"}}},
            "default": {"description": "any", "content": {"application/json": {"example": {"a": 1}}}}
            """#)
        #expect(examples.map(\.name) == ["One pet", "two", "No such pet"])
        #expect(examples.map(\.status) == [200, 200, 404])
        #expect(examples.map(\.contentType) == ["application/json", "application/json", "text/plain"])
        #expect(examples.first?.headers == [Field("Content-Type", "application/json"), Field("X-Rate", "5")])
        #expect(try Self.json(examples.first) == Self.one)
        #expect(examples.dropFirst().map(\.body) == ["{\"id\": 2}", "none"])
        #expect(losses.contains("its examples are left out, as they have no status"))
    }

    @Test func `a JSON response without an example has that of its schema, with what only responses have`() throws {
        let (examples, _) = try Self.examples(
            #"""
            "5XX": {"description": "bad", "content": {"application/problem+json": {"schema": {
              "type": "object", "required": ["number", "word"], "properties": {
              "number": {"type": "integer", "readOnly": true}, "detail": {"type": "string"},
              "word": {"type": "string", "writeOnly": true}}}}}},
            "204": {"description": "nothing"}, "400": {"content": {"text/html": {"schema": {"type": "string"}}}}
            """#)
        #expect(examples.map(\.name) == ["From the schema"] && examples.map(\.status) == [500])
        let body: JSONValue = ["number": 0, "detail": "string"]
        #expect(try Self.json(examples.first) == body)
    }

    @Test func `OpenAPI 2.0 has examples by their content types`() throws {
        let (examples, _) = try Self.examples(
            #"""
            "200": {"description": "ok", "examples": {"application/json": {"id": 3}, "text/plain": "three"},
              "schema": {"type": "object"}},
            "201": {"description": "made", "schema": {"type": "object", "properties": {"a": {"type": "boolean"}}}}
            """#, version: "2.0")
        #expect(examples.map(\.name) == ["ok", "ok", "From the schema"])
        #expect(examples.map(\.contentType) == ["application/json", "text/plain", "application/json"])
        let (first, last): (JSONValue, JSONValue) = (["id": 3], ["a": true])
        #expect(try Self.json(examples.first) == first)
        #expect(examples.dropFirst().first?.body == "three")
        #expect(try Self.json(examples.last) == last)
    }

    @Test func `a request has at most ten examples, none of them longer than 64 KiB`() throws {
        let many = (1...12).map { "\"e\($0)\": {\"value\": \($0)}" }.joined(separator: ", ")
        let (examples, losses) = try Self.examples(
            "\"200\": {\"content\": {\"application/json\": {\"examples\": {\(many)}}}}")
        #expect(examples.map(\.name) == (1...10).map { "e\($0)" })
        #expect(losses.contains("2 are left out; a request has 10"))
        let text = String(repeating: "a", count: 65 << 10)
        let long = try Self.examples("\"200\": {\"content\": {\"text/plain\": {\"example\": \"\(text)\"}}}")
        #expect(long.examples.isEmpty && long.losses.contains("left out: one is longer than 64 KiB"))
    }

    @Test func `the examples of all requests together have a limit`() throws {
        let responses = "\"responses\": {\"200\": {\"$ref\": \"#/components/responses/R\"}}"
        let text = OpenAPISample.document(
            (0..<4).map { "\"/p\($0)\": {\"get\": {\(responses)}}" }.joined(separator: ", "),
            ", \"components\": {\"responses\": {\"R\": {\"content\": {\"text/plain\": {\"example\": \"word\"}}}}}")
        let file = try ForeignFile(Array(text.utf8), path: "a.json")
        var reader = try OpenAPIImport.reader(of: file, try #require(file.root))
        reader.exampleEffort = 1000
        let imported = reader.imported(name: "a")
        let counts = imported.collection.requests.map { $0.examples?.count ?? 0 }
        #expect(counts.count == 4 && counts.reduce(0, +) == 2)
        let losses = imported.notes.map(\.message).filter { $0 == "further ones are left out: they are too many" }
        #expect(losses.count == 1)
    }

    @Test func `a schema that is too large for a sample has none`() throws {
        let levels = (0..<40).map { level in
            let next = "{\"$ref\": \"#/components/schemas/L\(level + 1)\"}"
            return "\"L\(level)\": {\"type\": \"object\", \"properties\": {\"a\": \(next), \"b\": \(next)}}"
        }
        let schemas = levels.joined(separator: ", ") + ", \"L40\": {\"type\": \"string\"}"
        let (examples, _) = try Self.examples(
            "\"200\": {\"content\": {\"application/json\": {\"schema\": {\"$ref\": \"#/components/schemas/L0\"}}}}",
            ", \"components\": {\"schemas\": {\(schemas)}}")
        #expect(examples.isEmpty)
    }

    @Test func `credentials in an example are masked, and one that is elsewhere is a loss`() throws {
        let (examples, losses) = try Self.examples(
            #"""
            "200": {"content": {"application/json": {"example": {"password": "hunter2-hunter2"}}}},
            "201": {"content": {"application/json": {"examples": {"x": {"externalValue": "https://a.test/x"}}}}}
            """#)
        #expect(examples.count == 1 && examples.first?.body.contains("password") == true)
        #expect(examples.first?.body.contains("hunter2") == false)
        #expect(losses.contains("left out: examples elsewhere are not read"))
    }

    @Test func `a request that is based on an operation has its examples, and the file none of them`() throws {
        let folder = try TemporaryFolder()
        let document = OpenAPISample.document(
            #"""
            "/a": {"get": {"operationId": "a", "responses": {"200": {"description": "ok",
              "content": {"application/json": {"example": {"id": 1}}}}}}}
            """#)
        _ = try folder.file("openapi.json", document)
        let text = """
            { "version": 1, "name": "c", "items": [{ "operation": "a", "specification": "./openapi.json" }] }
            """
        let loaded = CollectionFile.load(try folder.file("c.json", text)).specified()
        let collection = try #require(loaded.collection)
        let request = try #require(collection.requests.first)
        #expect(request.examples?.map(\.name) == ["ok"])
        #expect(try Self.json(request.examples?.first) == Self.one)
        #expect(!collection.text.contains("\"examples\""))
    }
}
