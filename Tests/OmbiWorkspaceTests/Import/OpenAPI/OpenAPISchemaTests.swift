import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Samples meet the schemas that they are made from.
@Suite struct OpenAPISchemaTests {
    /// Schemas of draft 2020-12, whose samples the validator can judge.
    private static let schemas = [
        "{\"type\": \"integer\", \"minimum\": 3}",
        "{\"type\": \"integer\", \"exclusiveMinimum\": 3, \"maximum\": 5}",
        "{\"type\": \"integer\", \"minimum\": 10, \"multipleOf\": 7}",
        "{\"type\": \"integer\", \"maximum\": -4}",
        "{\"type\": \"integer\", \"exclusiveMaximum\": -4, \"multipleOf\": 3}",
        "{\"type\": \"number\", \"exclusiveMinimum\": 0, \"exclusiveMaximum\": 1}",
        "{\"type\": \"number\", \"exclusiveMinimum\": 0, \"multipleOf\": 0.5}",
        "{\"type\": \"string\", \"minLength\": 12, \"maxLength\": 14}",
        "{\"type\": \"string\", \"maxLength\": 2}",
        "{\"type\": \"string\", \"pattern\": \"^[A-Z]{3}$\"}",
        "{\"type\": \"string\", \"pattern\": \"^[0-9]{5}$\", \"minLength\": 5}",
        "{\"type\": \"array\", \"items\": {\"type\": \"boolean\"}, \"minItems\": 3}",
        "{\"type\": \"array\", \"items\": {\"type\": \"string\"}, \"minItems\": 3, \"uniqueItems\": true}",
        "{\"type\": \"array\", \"items\": {\"enum\": [\"a\", \"b\", \"c\"]}, \"minItems\": 2, \"uniqueItems\": true}",
        "{\"type\": \"array\", \"maxItems\": 0, \"items\": {}}",
        "{\"type\": \"array\", \"prefixItems\": [{\"type\": \"string\"}, {\"type\": \"integer\"}], \"items\": false}",
        "{\"type\": \"object\", \"required\": [\"a\"], \"properties\": {\"a\": {\"type\": \"boolean\"}}}",
        "{\"type\": \"object\", \"minProperties\": 1, \"properties\": {\"a\": {\"type\": \"boolean\"}}}",
        "{\"allOf\": [{\"required\": [\"a\"], \"properties\": {\"a\": {\"type\": \"integer\"}}}, "
            + "{\"required\": [\"b\"], \"properties\": {\"b\": {\"type\": \"string\"}, \"a\": {\"minimum\": 2}}}]}",
        "{\"oneOf\": [{\"type\": \"null\"}, {\"type\": \"integer\", \"minimum\": 1}]}",
        "{\"anyOf\": [{\"type\": \"string\", \"minLength\": 9}, {\"type\": \"integer\"}]}",
        "{\"type\": [\"null\", \"string\"]}", "{\"const\": {\"a\": 1}}", "{\"enum\": [null, 2]}",
        "{\"type\": \"string\", \"pattern\": \"^AC[0-9a-f]{32}$\", \"minLength\": 34}",
        "{\"type\": \"array\", \"uniqueItems\": true, \"minItems\": 3, \"items\": "
            + "{\"type\": \"string\", \"pattern\": \"^(0|[1-9][0-9]*)$\"}}",
        "{\"type\": \"object\", \"minProperties\": 2, \"additionalProperties\": {\"type\": \"integer\"}}",
        "{\"required\": [\"a\"], \"additionalProperties\": {\"type\": \"boolean\"}}",
        #"{"type": "object", "minProperties": 2}"#, #"{"type": "number", "multipleOf": 0.1, "minimum": 0.25}"#,
        #"{"type": "number", "multipleOf": 0.01, "maximum": -0.001}"#,
        #"{"type": "integer", "multipleOf": 1e1, "minimum": 3}"#,
        #"{"required": ["a"], "allOf": [{"properties": {"a": {"items": {"type": "integer"}}}}, "#
            + #"{"properties": {"a": {"items": {"minimum": 3}}}}]}"#,
        "{\"type\": \"integer\", \"default\": 9}", "{\"type\": \"string\", \"examples\": [\"x\"]}",
        #"{"oneOf": [{"properties": {"a": {"type": "integer"}, "kind": {"const": "x"}}}, "#
            + #"{"properties": {"kind": {"enum": ["y"]}}}]}"#,
    ]

    @Test(arguments: schemas) func `a sample meets its schema`(text: String) throws {
        let schema = try JSONValue.parse(text)
        var schemas = OpenAPISchemas(.object([]), .threeOne)
        let found = schemas.sample(schema)
        let sample = try #require(found)
        #expect(sample != .null)
        #expect(try OpenAPISample.failures(sample, schema).isEmpty, "\(sample.compact)")
    }

    private static func sample(_ schema: String, of name: String, _ version: OpenAPIVersion = .threeZero) throws
        -> JSONValue?
    {
        let root = try JSONValue.parse("{\"schemas\": {\(schema)}}")
        var schemas = OpenAPISchemas(root, version)
        return schemas.sample(["$ref": .string("#/schemas/\(name)")])
    }

    @Test func `a schema that contains itself has a sample that ends`() throws {
        let node = """
            "Node": {"required": ["next"], "properties": {"next": {"$ref": "#/schemas/Node"},
            "other": {"$ref": "#/schemas/Node"}}}
            """
        let expected: JSONValue = ["next": .object([])]
        #expect(try Self.sample(node, of: "Node") == expected)
        #expect(
            try Self.sample("\"A\": {\"$ref\": \"#/schemas/B\"}, \"B\": {\"$ref\": \"#/schemas/A\"}", of: "A") == nil)
        #expect(try Self.sample("\"A\": {\"allOf\": [{\"$ref\": \"#/schemas/A\"}]}", of: "A") == nil)
    }

    @Test func `a part that schemas in each other share is no cycle, and one that contains itself ends`() throws {
        let schemas = """
            "Page": {"type": "object", "required": ["total"], "properties": {"total": {"type": "integer"}}},
            "Albums": {"allOf": [{"$ref": "#/schemas/Page"}], "required": ["one"],
            "properties": {"one": {"$ref": "#/schemas/Tracks"}}},
            "Tracks": {"allOf": [{"$ref": "#/schemas/Page"}]},
            "Tree": {"allOf": [{"$ref": "#/schemas/Node"}]},
            "Node": {"required": ["next"], "properties": {"next": {"allOf": [{"$ref": "#/schemas/Node"}]}}}
            """
        let albums = try Self.sample(schemas, of: "Albums")
        #expect(albums?["one"]?["total"] == 0 && albums?["total"] == 0)
        let tree: JSONValue = ["next": ["next": .object([])]]
        #expect(try Self.sample(schemas, of: "Tree") == tree)
    }

    @Test func `schemas are found by their anchors and by their own URLs`() throws {
        let schemas = """
            "A": {"$ref": "#name"}, "B": {"$anchor": "name", "type": "integer", "minimum": 3}, "C": {"$ref": "#none"},
            "D": {"$id": "https://a.test/d", "$defs": {"d": {"type": "boolean"}}, "type": "string", "minLength": 8},
            "E": {"$ref": "https://a.test/d#/$defs/d"}, "F": {"$ref": "https://a.test/d"}
            """
        let samples = try ["A", "C", "E", "F"].map { try Self.sample(schemas, of: $0, .threeOne) }
        #expect(samples == [3, nil, true, "stringaa"])
    }

    @Test func `a schema is told from others of the same part by its name`() throws {
        let schemas = """
            "Pet": {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}},
            "discriminator": {"propertyName": "kind", "mapping": {"dog": "#/schemas/Dog"}}},
            "Cat": {"allOf": [{"$ref": "#/schemas/Pet"}]}, "Dog": {"allOf": [{"$ref": "#/schemas/Pet"}]},
            "Any": {"oneOf": [{"$ref": "#/schemas/Dog"}, {"$ref": "#/schemas/Cat"}]},
            "Owner": {"required": ["pet"], "properties": {"pet": {"$ref": "#/schemas/Cat"}}}
            """
        let kinds = try ["Cat", "Dog", "Any", "Pet"].map { try Self.sample(schemas, of: $0)?["kind"]?.stringValue }
        #expect(kinds == ["Cat", "dog", "dog", "string"])
        #expect(try Self.sample(schemas, of: "Owner")?["pet"]?["kind"] == "Cat")
        let former = """
            "Pet": {"required": ["kind"], "properties": {"kind": {"type": "string"}}, "discriminator": "kind"},
            "Dog": {"allOf": [{"$ref": "#/schemas/Pet"}]}
            """
        #expect(try Self.sample(former, of: "Dog", .two)?["kind"] == "Dog")
    }

    @Test(arguments: [
        (#""schema": {"type": "string", "format": "date-time"}, "example": "2024-01-01""#, "at $: expected a date and"),
        (#""schema": {"type": "object", "required": ["a"]}, "example": {"b": 1}"#, #"at $: expected a member "a""#),
        (#""schema": {"oneOf": [{"type": "object"}, {"type": "object"}]}"#, "exactly one of 2 schemas"),
        (#""schema": {"type": "integer"}, "example": 1"#, ""),
    ])
    func `a sample that does not meet its schema is a loss`(members: String, reason: String) throws {
        let body = #""requestBody": {"content": {"application/json": {\#(members)}}}, "responses": {}"#
        #expect(try OpenAPISample.only(body).notes.lose("requestBody", reason) != reason.isEmpty)
        let row = #""parameters": [{"name": "b", "in": "query", \#(members)}], "responses": {}"#
        #expect(try OpenAPISample.only(row).notes.lose("b", reason) != reason.isEmpty)
    }

    @Test func `an example in the schema of a response that does not meet it is a loss`() throws {
        let schema =
            #"{"type": "object", "properties": {"at": {"type": "string", "format": "date", "example": "1.2."}}}"#
        let responses = #""responses": {"200": {"content": {"application/json": {"schema": \#(schema)}}}}"#
        let (request, notes) = try OpenAPISample.only(responses)
        #expect(request.examples?.count == 1 && notes.lose("examples", "at $.at: expected a date"))
    }

    @Test(arguments: [
        (#""schema": {"type": "string"}"#, "required, and the document has no value for it"),
        (
            #""schema": {"type": "array", "items": {"type": "string"}}"#,
            "required, and the document has no value for it"
        ),
        (#""schema": {"type": "integer"}, "example": "5""#, ""), (#""schema": {"type": "string"}, "example": 5"#, ""),
        (#""schema": {"type": "integer"}, "example": "five""#, "its sample differs from the schema at $"),
    ])
    func `a required parameter without a value says so, and an example is read in any type`(
        members: String, message: String
    ) throws {
        let row = #"{"name": "q", "in": "query", "required": true, \#(members)}"#
        let (_, notes) = try OpenAPISample.only(#""parameters": [\#(row)], "responses": {}"#)
        let own = notes.filter { $0.subject == "q" }.map(\.message)
        #expect(message.isEmpty ? own.isEmpty : own.contains { $0.hasPrefix(message) })
    }

    @Test func `schemas that refer to two others each do not grow without end`() throws {
        let levels = (0..<40).map { level in
            let next = "{\"$ref\": \"#/schemas/L\(level + 1)\"}"
            return "\"L\(level)\": {\"required\": [\"a\", \"b\"], \"properties\": {\"a\": \(next), \"b\": \(next)}}"
        }
        _ = try Self.sample(levels.joined(separator: ", ") + ", \"L40\": {\"type\": \"string\"}", of: "L0")
    }

    @Test func `what only responses have is left out of a request`() throws {
        let schema = """
            "A": {"required": ["id", "name"], "properties": {"id": {"type": "integer", "readOnly": true},
            "name": {"type": "string"}, "old": {"type": "string", "example": "x", "deprecated": true}}}
            """
        let expected: JSONValue = ["name": "string"]
        #expect(try Self.sample(schema, of: "A") == expected)
    }

    @Test func `a discriminator has the name of its branch`() throws {
        let schema = """
            "Pet": {"oneOf": [{"$ref": "#/schemas/Cat"}], "discriminator": {"propertyName": "kind",
            "mapping": {"cat": "#/schemas/Cat"}}},
            "Cat": {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}}}
            """
        let expected: JSONValue = ["kind": "cat"]
        #expect(try Self.sample(schema, of: "Pet") == expected)
    }

    @Test func `a schema of OpenAPI 3.0 is converted`() throws {
        let schema = try JSONValue.parse(
            """
            {"type": "object", "required": ["a", "secret"], "example": 1, "x-more": 2, "properties": {
            "a": {"type": "integer", "minimum": 1, "exclusiveMinimum": true},
            "b": {"type": "string", "nullable": true, "enum": ["x"]},
            "secret": {"type": "string", "writeOnly": true}}}
            """)
        var schemas = OpenAPISchemas(.object([]), .threeZero)
        let found = schemas.converted(schema).value
        let converted = try #require(found)
        #expect(converted["example"] == nil)
        #expect(try OpenAPISample.failures(["a": 2, "b": "x"], converted).isEmpty)
        #expect(try OpenAPISample.failures(.object([.init("a", 2), .init("b", .null)]), converted).isEmpty)
        #expect(try !OpenAPISample.failures(["a": 1], converted).isEmpty)
        #expect(try !OpenAPISample.failures(["a": 2, "b": "y"], converted).isEmpty)
    }

    @Test func `nullable allows null in documents of 3.1, too, and a schema that is false allows nothing`() throws {
        var schemas = OpenAPISchemas(.object([]), .threeOne)
        let found = schemas.converted(["type": "string", "nullable": true]).value
        #expect(try OpenAPISample.failures(.null, try #require(found)).isEmpty)
        let none = schemas.converted(.bool(false))
        #expect(none == .schema(.bool(false)))
    }

    @Test func `references are bundled, also those of a cycle and with equal names`() throws {
        let root = try JSONValue.parse(
            """
            {"a": {"X": {"properties": {"x": {"$ref": "#/b/X"}}}}, "b": {"X": {"type": "integer"}},
            "c": {"C": {"properties": {"c": {"$ref": "#/c/C"}}, "type": "object"}}}
            """)
        var schemas = OpenAPISchemas(root, .threeOne)
        let found = schemas.converted(["allOf": .array([["$ref": "#/a/X"], ["$ref": "#/c/C"]])]).value
        let converted = try #require(found)
        #expect(try OpenAPISample.failures(["x": 1, "c": ["c": .object([])]], converted).isEmpty)
        #expect(try !OpenAPISample.failures(["x": "1"], converted).isEmpty)
        #expect(try !OpenAPISample.failures(["c": ["c": 1]], converted).isEmpty)
        let (lost, broken) = (
            schemas.converted(["$ref": "#/no"]),
            schemas.converted(["type": "object", "minProperties": -1])
        )
        #expect(lost == .refused && broken == .refused)
    }

    @Test func `a schema with a pattern that is not read holds without it`() throws {
        let schema: JSONValue = ["type": "object", "properties": ["a": ["type": "string", "pattern": "^(?=a)"]]]
        var schemas = OpenAPISchemas(.object([]), .threeOne)
        let found = schemas.converted(schema).value
        let converted = try #require(found)
        #expect(try OpenAPISample.failures(["a": "b"], converted).isEmpty)
        #expect(try !OpenAPISample.failures(["a": 1], converted).isEmpty)
    }

    @Test func `the comparison of a sample ends with its time`() {
        var schemas: [JSONValue.Member] = [JSONValue.Member("A40", ["minimum": 5])]
        for number in 0..<40 {
            let inner: JSONValue = ["$ref": .string("#/$defs/A\(number + 1)")]
            schemas.append(JSONValue.Member("A\(number)", ["oneOf": [inner, inner]]))
        }
        let schema: JSONValue = ["$ref": "#/$defs/A0", "$defs": .object(schemas)]
        let time = EvaluationTime(.zero)
        #expect(ConvertedSchema.schema(schema).difference(of: 1, within: time) == nil)
        #expect(time.interruption == .tooLong)
    }

    @Test func `a pattern that no response is judged by is a loss`() throws {
        let schema = #"{"type": "string", "pattern": "^(?=a)b"}"#
        let content = #"{"content": {"application/json": {"schema": \#(schema)}}}"#
        let notes = try OpenAPISample.only(#""responses": {"200": \#(content)}"#, method: "get").notes
        #expect(notes.lose("^(?=a)b", "not expected"))
    }

    @Test func `an example of another type is read in the type of its schema, or left out`() throws {
        let sample = { (schema: String) in try Self.sample("\"A\": {\(schema)}", of: "A") }
        #expect(try sample("\"type\": \"string\", \"example\": 12345") == "12345")
        #expect(try sample("\"type\": \"boolean\", \"example\": \"false\"") == false)
        #expect(try sample("\"type\": \"array\", \"items\": {}, \"example\": \"[1]\"") == [1])
        #expect(try sample("\"type\": \"integer\", \"minimum\": 3, \"example\": \"the first\"") == 3)
        #expect(try sample("\"type\": \"string\", \"enum\": [\"a\"], \"example\": \"b\"") == "a")
        #expect(try sample("\"const\": 1, \"example\": 2") == 1)
    }

    @Test func `a discriminator leaves the value that its property must have`() throws {
        let schema = """
            "Message": {"oneOf": [{"$ref": "#/schemas/DeveloperMessage"}], "discriminator": {"propertyName": "role"}},
            "DeveloperMessage": {"required": ["role"], "properties": {"role": {"type": "string", "enum": ["dev"]}}}
            """
        let expected: JSONValue = ["role": "dev"]
        #expect(try Self.sample(schema, of: "Message") == expected)
    }

    @Test func `a pattern that no text is made for is a loss`() throws {
        let schema = "{\"type\": \"string\", \"pattern\": \"^(?=.*[0-9])[a-z0-9]{9}$\"}"
        let body = "\"requestBody\": {\"content\": {\"application/json\": {\"schema\": \(schema)}}}"
        let (_, notes) = try OpenAPISample.only(body + ", \"responses\": {}")
        #expect(notes.lose("pattern"))
    }

    @Test func `a text that meets no pattern is told each time, and elements are looked at once`() {
        var schemas = OpenAPISchemas(.object([]), .threeOne)
        for _ in 1...2 {
            let unread = schemas.sample(["type": "string", "pattern": "^(?=a)b"])
            #expect(unread == .string("string") && schemas.isUnmet)
            let made = schemas.sample(["type": "string", "pattern": "^x[0-9]{2}$"])
            #expect(made == .string("x00") && !schemas.isUnmet)
            let list = schemas.sample(["type": "array", "items": ["type": "integer"]])
            #expect(list == .array([0]) && schemas.spent == 2)
        }
    }
}
