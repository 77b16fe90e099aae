import Foundation
import OmbiDocument
import Testing

@testable import OmbiTUI

/// The manual page of the file format.
@Suite struct CollectionManualTests {
    private static func schema() throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: "collections/ombi.schema.json"), encoding: .utf8)
    }

    /// The keys that a schema describes, at any depth.
    private static func keys(of json: Any) -> Set<String> {
        if let elements = json as? [Any] { return elements.reduce(into: []) { $0.formUnion(keys(of: $1)) } }
        guard let members = json as? [String: Any] else { return [] }
        let own = (members["properties"] as? [String: Any] ?? [:]).filter { $0.value is [String: Any] }.keys
        return members.values.reduce(into: Set(own)) { $0.formUnion(keys(of: $1)) }
    }

    @Test func `the page names each key of the schema`() throws {
        let text = try Self.schema()
        let page = try CollectionManual.page(schema: text)
        #expect(page.path == "man5/ombi-collection.5")
        let named = page.source.components(separatedBy: "\n").filter { $0.hasPrefix(".It Cm ") }.compactMap { line in
            let path = line.components(separatedBy: " ")[2].replacing("\\-", with: "-").replacing("\\&", with: "")
            return path.components(separatedBy: ".").last
        }
        let keys = Self.keys(of: try JSONSerialization.jsonObject(with: Data(text.utf8)))
        #expect(keys.count > 100)
        #expect(keys.subtracting(named) == [])
    }

    @Test func `each definition has a section, with what the schema says of it`() throws {
        let text = try Self.schema()
        let source = try CollectionManual.page(schema: text).source
        let schema = try JSONValue.parse(text)
        for definition in schema["$defs"]?.members ?? [] {
            #expect(source.contains(".Ss \(Mdoc.word(definition.key))\n"), "\(definition.key)")
            guard let text = definition.value["description"]?.stringValue else { continue }
            var description = Mdoc()
            description.text(text)
            #expect(source.contains(description.source), "\(definition.key)")
        }
        #expect(source.contains(".It Cm messages[].text Pq \"string, required\"\n"))
        #expect(source.contains(".It Cm keyring.service Pq \"string, required\"\n"))
    }

    @Test(arguments: [
        (##"{ "type": "string" }"##, "string"), (##"{ "$ref": "#/$defs/age" }"##, "age"), ("{}", "any value"),
        ("true", "any value"), (##"{ "type": "integer", "minimum": 0, "maximum": 9 }"##, "integer, 0 to 9"),
        (##"{ "type": "number", "minimum": 0.5, "default": 1 }"##, "number, at least 0.5, default 1"),
        (##"{ "maximum": 3, "type": "number" }"##, "number, at most 3"),
        (##"{ "enum": ["a", "b", 3], "default": "a" }"##, ##""a", "b" or 3, default "a""##),
        (##"{ "const": true }"##, "true"),
        (##"{ "type": "array", "items": { "$ref": "#/$defs/part" } }"##, "array of part"),
        (##"{ "type": "array", "items": { "enum": [1, 2] } }"##, "array of 1 or 2"),
        (##"{ "type": "object", "additionalProperties": { "type": "string" } }"##, "object of string"),
        (##"{ "type": "object", "additionalProperties": false }"##, "object"),
        (##"{ "oneOf": [{ "type": "string" }, { "type": "array" }, { "type": "string" }] }"##, "string or array"),
        (##"{ "type": "object", "oneOf": [{ "required": ["a"] }, { "required": ["b"] }] }"##, "object"),
    ])
    func `a type is words`(schema: String, text: String) throws {
        let schema = try JSONValue.parse(schema)
        #expect(SchemaType.text(schema, isRequired: false) == text)
        #expect(SchemaType.text(schema, isRequired: true).contains(", required"))
    }

    @Test func `keys of objects in an object are named after it, and those of choices are named once`() throws {
        let schema = try JSONValue.parse(
            ##"""
            { "required": ["a"], "properties": {
                "a": { "$ref": "#/$defs/b" },
                "list": { "items": { "properties": { "x": { "description": "One." } } } },
                "map": { "additionalProperties": { "properties": { "y": { "type": "null" } } } } },
              "oneOf": [{ "properties": { "a": { "const": 1 }, "list": false }, "required": ["a"] },
                { "properties": { "c": { "type": "string" } }, "required": ["c"] }] }
            """##)
        let keys = SchemaKey.all(of: schema, in: .object([.init("b", .object([.init("description", .string("B."))]))]))
        #expect(
            keys == [
                SchemaKey(path: "a", type: "b, required", text: "B."),
                SchemaKey(path: "list", type: "any value", text: ""),
                SchemaKey(path: "list[].x", type: "any value", text: "One."),
                SchemaKey(path: "map", type: "any value", text: ""),
                SchemaKey(path: "map.*.y", type: "null", text: ""),
                SchemaKey(path: "c", type: "string", text: ""),
            ])
    }
}
