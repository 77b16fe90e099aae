import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Bodies with the content types and the examples that documents have.
@Suite struct OpenAPIBodyTests {
    private static func request(_ type: String, _ media: String) throws -> (request: SavedRequest, notes: [ImportNote])
    {
        let content = #"{"content": {"\#(type)": {\#(media)}}}"#
        return try OpenAPISample.only(#""requestBody": \#(content), "responses": {}"#, version: "3.1.0")
    }

    private static let types: [(type: String, header: String?)] = [
        ("application/json", nil), ("Application/JSON", nil), ("*/*", nil), ("*/*; q=1", nil),
        ("application/json; charset=utf-8", "application/json; charset=utf-8"),
        ("application/json;version=2", "application/json;version=2"),
        ("application/hal+json", "application/hal+json"),
    ]

    @Test(arguments: types)
    func `a content type of JSON that says more is sent as it is written`(type: String, header: String?) throws {
        let request = try Self.request(type, #""example": {"a": 1}"#).request
        #expect(request.headers == (header.map { [Field("Content-Type", $0)] } ?? []))
        #expect(try OpenAPISample.json(request) == ["a": 1])
    }

    @Test(arguments: [
        ("text/*", "text/plain", "hi"), ("text/csv", "text/csv", "a,b"), ("application/jwt", "application/jwt", "e.y"),
        ("application/yaml", "application/yaml", "a: 1"),
        ("application/x-www-form-urlencoded", "application/x-www-form-urlencoded", "a=1&b=%20"),
    ])
    func `an example that is a text is sent as it is`(type: String, sent: String, text: String) throws {
        let (request, notes) = try Self.request(type, #""example": "\#(text)", "schema": {}"#)
        #expect(request.body == .text(TextContent(text, contentType: sent)))
        #expect(!notes.lose("requestBody"))
    }

    @Test func `a file stays one though it has an example`() throws {
        let binary = #""example": "x", "schema": {"type": "string", "format": "binary"}"#
        for type in ["application/zip", "application/octet-stream", "image/png"] {
            #expect(try Self.request(type, binary).request.body == .file(FileContent("upload", contentType: type)))
        }
    }

    private static let texts: [(example: String, schema: String, value: JSONValue)] = [
        (#""{\"a\": 1}""#, #"{"type": "object"}"#, ["a": 1]), (#""[1]""#, #"{"type": "array"}"#, [1]),
        (#""{\"a\": 1}""#, #"{"type": "string"}"#, "{\"a\": 1}"), (#""{\"a\": 1}""#, "{}", "{\"a\": 1}"),
        ("5", #"{"type": "string"}"#, "5"), (#""no""#, #"{"type": "object"}"#, "no"),
    ]

    @Test(arguments: texts)
    func `an example may be the text of the JSON that is meant`(
        example: String, schema: String, value: JSONValue
    ) throws {
        let media = #""example": \#(example), "schema": \#(schema)"#
        #expect(try OpenAPISample.json(Self.request("application/json", media).request) == value)
    }

    private static let schemas: [(schema: String, value: JSONValue)] = [
        (#"{"required": ["a"], "properties": {"a": {"const": null}}}"#, ["a": .null]),
        (
            #"{"type": "object", "required": ["a"], "properties": {"a": {"enum": [null, "x"], "nullable": true}}}"#,
            ["a": "x"]
        ),
        (
            """
            {"type": "object", "required": ["a"], "properties": {"a": {"nullable": true, \
            "allOf": [{"nullable": true, "required": ["b"], "properties": {"b": {"type": "integer"}}}]}}}
            """, ["a": ["b": 0]]
        ),
        (
            """
            {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}, \
            "b": {"type": ["string", "null"], "default": null}}}
            """, ["a": 0]
        ),
        (
            """
            {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}, \
            "oneOf": [{"required": ["a"]}], "anyOf": [{"required": ["b"]}]}
            """, ["a": 0, "b": 0]
        ),
        (
            """
            {"allOf": [
              {"oneOf": [{"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}}, {}]},
              {"oneOf": [{"type": "null"}, {"required": ["b"], "properties": {"b": {"type": "boolean"}}}]}
            ]}
            """, ["a": 0, "b": true]
        ),
    ]

    @Test(arguments: schemas)
    func `a sample meets all parts of its schema`(schema: String, value: JSONValue) throws {
        let request = try Self.request("application/json", #""schema": \#(schema)"#).request
        #expect(try OpenAPISample.json(request) == value)
    }

    @Test func `numbers of an example keep their digits, and a type like JSON its name`() throws {
        let example = #"{"a": 18446744073709551617, "b": 1e400, "c": 1.10}"#
        let (request, _) = try Self.request("application/merge-patch+json", "\"example\": \(example)")
        #expect(try OpenAPISample.json(request).compact == example.filter { $0 != " " })
        #expect(request.headers == [Field("Content-Type", "application/merge-patch+json")])
    }

    @Test func `a list of files has as many parts as it needs`() throws {
        let files = #"{"type": "array", "minItems": 2, "items": {"type": "string", "format": "binary"}}"#
        let schema = #""schema": {"type": "object", "required": ["a"], "properties": {"a": \#(files), "b": \#(files)}}"#
        let request = try Self.request("multipart/form-data", schema).request
        guard case .multipart(let content)? = request.body else {
            Issue.record("no parts")
            return
        }
        #expect(content.parts.map(\.name) == ["a", "a", "b"])
    }

    @Test func `a dynamic reference leads to its anchor`() throws {
        let content = ##""requestBody": {"content": {"application/json": {"schema": {"$dynamicRef": "#item"}}}}"##
        let anchor = #", "components": {"schemas": {"A": {"$dynamicAnchor": "item", "const": "x"}}}"#
        let request = try OpenAPISample.only(content + #", "responses": {}"#, anchor, version: "3.1.0").request
        #expect(try OpenAPISample.json(request) == "x")
    }

    @Test func `a comma in a part is none between parts`() throws {
        let query = { (more: String) in
            let parameter = #"{"name": "k", "in": "query", "required": true, "schema": {"type": "array"}, \#(more)}"#
            return try OpenAPISample.only(#""parameters": [\#(parameter)], "responses": {}"#).request.query
        }
        let parts = #""example": ["a b", "c,d"]"#
        #expect(try query(parts + #", "explode": false"#) == [.raw("k", "a%20b,c%2Cd")])
        #expect(try query(parts) == [Field("k", "a b"), Field("k", "c,d")])
        #expect(try query(#""example": ["a", "b"], "explode": false"#) == [Field("k", "a,b")])
        #expect(try query(#""example": "a,b", "explode": false"#) == [Field("k", "a,b")])
    }
}
