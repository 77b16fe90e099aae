import Testing

@testable import OmbiDocument

/// What does not meet a schema, and what is no schema.
@Suite struct JSONSchemaTests {
    private static func value(_ text: String) -> JSONValue {
        let document = JSONIndex.document(Bytes(text.utf8))
        return document.firstRoot.map { document.value(of: $0) } ?? .null
    }

    private static func failures(_ schema: String, _ text: String) throws -> [String] {
        let document = JSONIndex.document(Bytes(text.utf8))
        let schema = try JSONSchema(value(schema))
        return try schema.failures(in: document, at: try #require(document.firstRoot)).map { failure in
            "\(document.path(of: failure.node)): \(failure.expected) (\(failure.keyword))"
                + (failure.found.map { ", \($0)" } ?? "")
        }
    }

    @Test(
        arguments: [
            (#"{"type":"string"}"#, "1", "$: the type string (type)"),
            (#"{"properties":{"a":{"minimum":2}}}"#, #"{"a":1}"#, "$['a']: at least 2 (minimum)"),
            (#"{"required":["a"]}"#, #"{"b":1}"#, #"$: a member "a" (required), only "b""#),
            (#"{"additionalProperties":false}"#, #"{"b":1}"#, #"$['b']: no member "b" (additionalProperties)"#),
            (#"{"items":{"enum":[1,"x"]}}"#, "[1,2]", #"$[1]: one of 1, "x" (enum)"#),
            (#"{"prefixItems":[true],"items":false}"#, "[1,2]", "$[1]: at most 1 elements (items)"),
            (
                #"{"uniqueItems":true}"#, #"[{"a":1.0,"b":2},{"b":2,"a":1}]"#,
                "$[1]: an element that is not there twice (uniqueItems)"
            ),
            (#"{"minLength":3}"#, #""ab""#, "$: at least 3 characters (minLength), 2"),
            (#"{"anyOf":[{"type":"null"},{"const":1}]}"#, "2", "$: a value of one of 2 schemas (anyOf)"),
            (#"{"pattern":"^a+$"}"#, #""b""#, "$: a match of ^a+$ (pattern)"),
            (#"{"multipleOf":0.01}"#, "1.005", "$: a multiple of 0.01 (multipleOf)"),
            (
                #"{"allOf":[{"properties":{"a":true}}],"unevaluatedProperties":false}"#, #"{"a":1,"b":2}"#,
                #"$['b']: no member "b" (unevaluatedProperties)"#
            ),
        ])
    func `a failure names the place, the keyword, and what was expected`(
        schema: String, text: String, failure: String
    ) throws {
        #expect(try Self.failures(schema, text) == [failure])
    }

    @Test(
        arguments: [
            ("1", "a schema is an object, true or false"),
            (#"{"properties":{"a":{"type":"text"}}}"#, #"/properties/a/type: unknown type "text""#),
            (##"{"$ref":"#/$defs/a"}"##, ##"/$ref: there is no schema "#/$defs/a""##),
            (#"{"$ref":"other.json"}"#, "/$ref: "), (#"{"minItems":-1}"#, "/minItems: expected a whole number from 0"),
            (#"{"patternProperties":{"(":true}}"#, "/patternProperties/(: \"(\" is no regular expression"),
            (#"{"required":"a"}"#, "/required: expected an array of strings"),
            (#"{"allOf":[]}"#, "/allOf: expected an array of schemas"),
            (#"{"$defs":{"a":{"multipleOf":0}}}"#, "/$defs/a/multipleOf: expected a number above 0"),
        ])
    func `an error in a schema names its place`(schema: String, message: String) {
        let error = #expect(throws: JSONSchemaError.self) { try JSONSchema(Self.value(schema)) }
        #expect(error.map { "\($0)".hasPrefix(message) } ?? false, "\(String(describing: error))")
    }

    @Test(arguments: [
        ("^a$", "a\n", false), ("^a+$", "a\n<b>", false), ("^.$", "\u{2028}", false), ("^[^\\n]$", "\r", true),
        ("\\s", "\u{FEFF}", true), ("^\\w+$", "é", false), ("^[\\w-]+$", "a-b_1", true), ("^\\d$", "٣", false),
        ("^(?:a|b)$", "b", true), ("b", "abc", true),
    ])
    func `a pattern is that of ECMA-262, for the whole text`(pattern: String, text: String, isMet: Bool) throws {
        let schema = try JSONSchema(["pattern": .string(pattern)])
        let document = JSONIndex.document(Bytes(JSONValue.quoted(text).utf8))
        let failures = try schema.failures(in: document, at: try #require(document.firstRoot))
        #expect(failures.isEmpty == isMet)
    }

    @Test func `a schema that refers to itself without end is given up`() throws {
        let schema = try JSONSchema(Self.value(##"{"$ref":"#"}"##))
        let document = JSONIndex.document(Bytes("1".utf8))
        #expect(throws: JSONSchema.Interruption.tooDeep) {
            try schema.failures(in: document, at: try #require(document.firstRoot))
        }
    }

    @Test func `an evaluation that takes too long is given up`() throws {
        let schema = try JSONSchema(Self.value(#"{"items":{"type":"integer"}}"#))
        let document = JSONIndex.document(
            Bytes("[\(Array(repeating: "1", count: 10_000).joined(separator: ","))]".utf8))
        #expect(throws: JSONSchema.Interruption.interrupted(.tooLong)) {
            try schema.failures(in: document, at: try #require(document.firstRoot), within: EvaluationTime(.zero))
        }
    }

    @Test func `of many failures the first ones are told`() throws {
        let text = "[\(Array(repeating: "1", count: 100).joined(separator: ","))]"
        #expect(try Self.failures(#"{"items":{"type":"string"}}"#, text).count == 20)
    }
}
