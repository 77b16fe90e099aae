import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// What a schema describes, as a list to read.
@Suite struct DocumentedValuesTests {
    /// Schemas that are JSON Schema as they are.
    private final class PlainSchemas: DocumentedSchemas {
        let digest = 0

        func converted(_ schema: JSONValue) -> ConvertedSchema { .schema(schema) }

        func sample(_ schema: JSONValue) -> JSONValue? { nil }
    }

    private static func lines(_ schema: String) throws -> [String] {
        let body = DocumentedBody(contentType: "", schema: try JSONValue.parse(schema), of: PlainSchemas())
        let response = DocumentedResponse(status: .code(200), bodies: [body])
        return response.values.map { "\($0.path) \($0.type)\($0.isRequired ? " !" : "")" }
    }

    @Test func `members and elements are listed with their types, down to a schema that contains itself`() throws {
        let lines = try Self.lines(
            #"""
            { "type": "object", "required": ["id"], "properties": {
                "id": { "type": "integer", "format": "int64" },
                "tags": { "type": "array", "items": { "$ref": "#/$defs/Tag" } },
                "parent": { "$ref": "#/$defs/Node" }, "odd name": { "const": 7 } },
              "$defs": { "Tag": { "enum": ["a", "b"] }, "Node": { "type": "object", "properties": {
                "at": { "type": ["string", "null"] }, "parent": { "$ref": "#/$defs/Node" } } } } }
            """#)
        #expect(
            lines == [
                "$.id integer, int64 !", "$.tags array", #"$.tags[*] "a", "b""#, "$.parent object",
                "$.parent.at string or null", "$.parent.parent Node", #"$["odd name"] 7"#,
            ])
    }

    @Test(arguments: [
        (#"{ "type": "array", "items": { "properties": { "a": {} } } }"#, ["$ array", "$[*] object", "$[*].a "]),
        (
            #"{ "allOf": [{ "properties": { "a": { "type": "string" } } }, { "required": ["a"], "type": "object" }] }"#,
            ["$.a string !"]
        ),
        (#"{ "oneOf": [{ "type": "null" }, { "type": "string" }] }"#, ["$ string"]),
        (#"{ "anyOf": [{ "type": "integer" }, { "type": "string" }] }"#, ["$ one of 2 forms"]),
        (#"{ "type": "object" }"#, ["$ object"]), ("true", ["$ "]),
    ])
    func `a schema may consist of others`(schema: String, expected: [String]) throws {
        #expect(try Self.lines(schema) == expected)
    }

    @Test func `a schema that grows without end is listed in part`() throws {
        let levels = (0..<10).map { level in
            let next = "{ \"$ref\": \"#/$defs/L\(level + 1)\" }"
            let members = (0..<5).map { "\"m\($0)\": \(next)" }.joined(separator: ", ")
            return "\"L\(level)\": { \"type\": \"object\", \"properties\": { \(members) } }"
        }
        let lines = try Self.lines("{ \"$ref\": \"#/$defs/L0\", \"$defs\": { \(levels.joined(separator: ", ")) } }")
        #expect(lines.count == 199)
    }

    @Test func `a response without a schema has no values`() {
        #expect(DocumentedResponse(status: nil).values.isEmpty)
    }

    @Test func `a response whose schema is too large to judge it is told from one of any form`() throws {
        let values = (0..<4000).map { "value\($0)" }.joined(separator: ", ")
        let document = """
            openapi: 3.0.3
            info: {title: Shop, version: '1'}
            paths:
              /a:
                get:
                  responses:
                    200: {description: large, content: {application/json: {schema: {enum: [\(values)]}}}}
                    201: {description: any, content: {application/json: {schema: {description: any}}}}
                    202: {description: fine, content: {application/json: {schema: {type: integer}}}}
                    404: {description: none}
            """
        let responses = try Specification(Array(document.utf8), path: "openapi.yaml").operations[0].responses
        #expect(responses.map(\.isUnjudged) == [true, false, false, false])
        #expect(responses.map { $0.schema != nil } == [false, false, true, false])
        #expect(responses == responses)
    }
}
