import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Schemas as they are read.
@Suite struct GraphQLSchemaTests {
    @Test func `definitions are read and written again`() throws {
        #expect(try GraphQLSample.schema().definitions == GraphQLSample.definitions)
    }

    @Test func `descriptions and definitions of directives are kept, and comments are read past`() throws {
        let schema = try GraphQLSample.schema(
            #"""
            # A service.
            schema @a(b: {c: [1]}) { query: Root }
            """
            A directive with "quotes" and \""" in it.
            """
            directive @a(b: Any = {x: 1}) repeatable on OBJECT | FIELD_DEFINITION
            "the root"
            type Root @a(b: 2) { "a field" a("an argument" b: [[Int!]]! = [[1]] @a): String }
            extend type Root { c: Int }
            scalar Any @specifiedBy(url: "https://a.test")
            """#)
        let definitions = #"""
            schema {
              query: Root
            }

            "the root"
            type Root {
              "a field"
              a(
                "an argument"
                b: [[Int!]]! = [[1]]
              ): String
              c: Int
            }

            scalar Any

            "A directive with \"quotes\" and \\\"\"\" in it."
            directive @a(b: Any = {x: 1}) repeatable on OBJECT | FIELD_DEFINITION

            """#
        #expect(schema.definitions == definitions)
        #expect(try GraphQLSample.schema(definitions).definitions == definitions)
    }

    @Test func `a reason for a deprecation is kept of fields, arguments and values`() throws {
        let text = #"""
            type Query {
              a(b: Int @deprecated(reason: "Use \"c\".")): Int @deprecated(reason: "Use d.")
            }

            enum E {
              "The first."
              A @deprecated
              B @deprecated(reason: "Use A.")
            }

            input In {
              a: Int = 1 @deprecated(reason: "Use b.")
            }

            """#
        #expect(try GraphQLSample.schema(text).definitions == text)
    }

    @Test func `an introspection gives the same schema as definitions`() throws {
        let text = """
            {"data": {"__schema": {
              "queryType": {"name": "Query"}, "mutationType": null, "subscriptionType": null,
              "types": [
                {"kind": "OBJECT", "name": "Query", "interfaces": [{"name": "Node"}], "description": "All.", "fields": [
                  {"name": "users", "description": "Every user,\\nonce. In no order.", "args": [
                    {"name": "role", "type": {"kind": "ENUM", "name": "Role"}, "defaultValue": "USER"}
                  ], "isDeprecated": true, "deprecationReason": "Use `all`.",
                  "type": {"kind": "NON_NULL", "ofType": {"kind": "LIST", "ofType":
                    {"kind": "NON_NULL", "ofType": {"kind": "SCALAR", "name": "ID"}}}}}
                ]},
                {"kind": "INTERFACE", "name": "Node", "fields": []},
                {"kind": "ENUM", "name": "Role", "enumValues": [{"name": "USER", "description": ""}]},
                {"kind": "UNION", "name": "Any", "possibleTypes": [{"name": "Query"}]},
                {"kind": "INPUT_OBJECT", "name": "In", "inputFields": [
                  {"name": "a", "type": {"kind": "SCALAR", "name": "Int"}, "defaultValue": null}]},
                {"kind": "OBJECT", "name": "__Type", "fields": []},
                {"kind": "SCALAR", "name": "ID"}
              ],
              "directives": [
                {"name": "include", "description": null, "locations": ["FIELD"], "args": [{"name": "if", "type":
                  {"kind": "NON_NULL", "ofType": {"kind": "SCALAR", "name": "Boolean"}}}]},
                {"name": "old", "locations": [], "args": []}
              ]}}}
            """
        let definitions = """
            "All."
            type Query implements Node {
              "Every user, once."
              users(role: Role = USER): [ID!]! @deprecated(reason: "Use `all`.")
            }

            interface Node

            enum Role {
              USER
            }

            union Any = Query

            input In {
              a: Int
            }

            directive @include(if: Boolean!) on FIELD

            """
        #expect(try GraphQLSample.schema(text).definitions == definitions)
        let inner = text.dropFirst(9).dropLast(1)
        #expect(try GraphQLSample.schema(String(inner)).definitions == definitions)
    }

    @Test(arguments: [
        ("type A {\n  a String\n}", "line 2, column 5: expected `:`, found `String`"),
        ("type A {", "line 1, column 9: expected the name of a field, found the end"),
        ("query { a }", "line 1, column 1: expected a definition such as `type` or `enum`, found `query`"),
        ("type A { a: \"x\" }", "line 1, column 13: expected the name of a type, found a string"),
        ("scalar \"", "line 1, column 8: expected the name of a type, found a string without an end"),
        ("", "there is no type in it"),
        ("[1]", "line 1, column 1: expected a definition, found `[`"),
        ("type A { a(b: Int = ): Int }", "line 1, column 21: expected a value, found `)`"),
        ("type A { a(b: Int = [1}): Int }", "line 1, column 23: expected a value, found `}`"),
        ("{", "line 1, column 2:"),
        ("{\"data\": 1}", "not the response to an introspection query: \"__schema\" is missing"),
        (
            "{\"errors\": [{\"message\": \"not allowed\"}]}",
            "the service responds with an error: not allowed"
        ),
        (
            "{\"__schema\": {\"types\": [{\"kind\": \"OBJECT\", \"name\": \"a\\u001b\"}]}}",
            "line 1, column 52: not a name of GraphQL"
        ),
        ("{\"__schema\": {\"types\": [{\"kind\": \"SCALAR\", \"name\": \"A\"},\n{\"kind\": tru}]}}", "line 2, column"),
        ("{\"__schema\": {\"types\": [{\"kind\": \"SCALAR\", \"name\": \"A\"}]}} x", "line 1, column"),
        ("{\"__schema\": {\"types\": [{\"kind\": \"SCALAR\", \"name\": \"A\"}", "line 1, column"),
    ])
    func `an error names its place and the remedy`(text: String, error: String) {
        #expect {
            try GraphQLSample.schema(text)
        } throws: {
            "\($0)".hasPrefix(error)
        }
    }

    @Test func `a default value that is none is kept as a string`() throws {
        func argument(_ name: String, _ value: String) -> String {
            #"{"name": "\#(name)", "type": {"kind": "SCALAR", "name": "Int"}, "defaultValue": "\#(value)"}"#
        }
        let arguments = [
            argument("a", ""), argument("b", "[1"), argument("c", "1) "), argument("d", "1 # x"), argument("e", "1 2"),
            argument("f", "{x: [1]}"),
        ]
        let schema = try GraphQLSample.schema(
            #"""
            {"__schema": {"types": [{"kind": "OBJECT", "name": "Query", "fields": [{"name": "f",
              "args": [\#(arguments.joined(separator: ", "))], "type": {"kind": "SCALAR", "name": "Int"}}]}]}}
            """#)
        let text =
            #"type Query {\#n  f(a: Int = "", b: Int = "[1", c: Int = "1) ", d: Int = "1 # x", e: Int = "1 2", "#
            + "f: Int = {x: [1]}): Int\n}\n"
        #expect(schema.definitions == text)
        #expect(try GraphQLSample.schema(text).definitions == text)
    }

    @Test func `a type with the name of an operation that the service does not have stays a type`() throws {
        let schema = try GraphQLSample.schema(
            #"""
            {"__schema": {"queryType": {"name": "Query"}, "mutationType": null, "subscriptionType": null, "types": [
              {"kind": "OBJECT", "name": "Query", "fields": []},
              {"kind": "OBJECT", "name": "Subscription", "fields": []}]}}
            """#)
        let text = "schema {\n  query: Query\n}\n\ntype Query\n\ntype Subscription\n"
        #expect(schema.root(.subscription) == nil && schema.definitions == text)
        #expect(try GraphQLSample.schema(text).root(.subscription) == nil)
    }

    @Test func `types without members, and marks that say nothing, are written so that they are read again`() throws {
        let type =
            #"{"kind": "NON_NULL", "ofType": {"kind": "NON_NULL", "ofType": {"kind": "LIST", "ofType": {"name": "A"}}}}"#
        let schema = try GraphQLSample.schema(
            #"""
            {"__schema": {"types": [{"kind": "UNION", "name": "U", "possibleTypes": []},
              {"kind": "OBJECT", "name": "String", "fields": [{"name": "a", "type": \#(type)}]},
              {"kind": "ENUM", "name": "A"}]}}
            """#)
        let text = "union U\n\ntype String {\n  a: [A]!\n}\n\nenum A\n"
        #expect(schema.definitions == text)
        #expect(try GraphQLSample.schema(text).definitions == text)
    }

    @Test func `an extension of the schema adds an operation to those with names of their own`() throws {
        let schema = try GraphQLSample.schema(
            "extend schema @a { subscription: S } type Query { a: Int } type S { b: Int }")
        #expect(schema.root(.query) == 0 && schema.root(.subscription) == 1 && schema.root(.mutation) == nil)
    }

    @Test func `hostile files give an error`() {
        let lists = String(repeating: "[", count: 100_000)
        for text in [
            "type A { a: \(lists)", "type A { a(b: Int = \(lists)", "scalar A @a(b: \(lists)",
            "{\"a\":" + lists, "type A { a: Int \u{0} }", "\"\"\"", "type A implements", "extend", "union A = |",
        ] {
            #expect(throws: GraphQLSchemaError.self) { try GraphQLSample.schema(text) }
        }
    }

    @Test func `a reference in as many lists as the standard query asks for is read`() throws {
        let text = "type Query { a: [[[[[[[Int!]!]!]!]!]!]!] }"
        let schema = try GraphQLSample.schema(text)
        #expect(schema.definitions == "type Query {\n  a: [[[[[[[Int!]!]!]!]!]!]!]\n}\n")
    }

    @Test func `the parts of an introspection come in any order`() throws {
        let types = #"[{"name": "T", "kind": "OBJECT", "fields": [{"name": "]}\"", "name": "a"}]}]"#
        let text =
            #"{"extensions": {"a": ["}", {}]}, "data": {"__schema": {"directives": [], "types": \#(types), "#
            + #""queryType": {"name": "T"}}, "b": 1}, "errors": null}"#
        #expect(throws: GraphQLSchemaError.self) { try GraphQLSample.schema(text) }
        let mended = text.replacing(#""name": "]}\"", "name": "a""#, with: #""name": "a", "type": {"name": "Int"}"#)
        #expect(try GraphQLSample.schema(mended).operations.map(\.name) == ["a"])
    }

    @Test func `a large introspection is read within twice its size`() throws {
        let bytes = Bytes(GraphQLSample.introspection(types: 40, fields: 80).utf8)
        let schema = try GraphQLSchema(reading: bytes)
        let storage = schema.storage
        #expect(storage.fields.count == 3200 && schema.root(.query) == 0)
        let kept =
            storage.fields.count * MemoryLayout<GraphQLSchema.Field>.stride
            + storage.parts.count * MemoryLayout<GraphQLSchema.Part>.stride + storage.names.count * 32
        // Of 40 types one is indexed at a time.
        let index = JSONIndex.document(bytes).entryCount * 8 / 40
        #expect(bytes.count + index + kept < bytes.count * 2)
    }

    @Test func `fields with the same arguments share them`() throws {
        let fields =
            (0..<1000).map { "a\($0)(first: Int = 1, after: ID!): Int" } + ["b(first: Int = 2, after: ID!): Int"]
        let schema = try GraphQLSample.schema(
            "type Query { \(fields.joined(separator: " ")) } input In { first: Int = 1 after: ID! }")
        // One is that of `@include`.
        #expect(schema.storage.inputs.count <= 7)
        let definitions = schema.definitions
        let lines = Set(definitions.split(separator: "\n").map(String.init))
        #expect(fields.allSatisfy { lines.contains("  " + $0) })
        #expect(definitions.hasSuffix("input In {\n  first: Int = 1\n  after: ID!\n}\n"))
    }

    @Test func `definitions of too many members are not read to their end`() throws {
        for text in ["type Query { a: Int b: Int c: Int d: Int }", "enum E { A B C D }", "union U = A | B | C | D"] {
            let bytes = Bytes(text.utf8)
            #expect(throws: GraphQLSchemaError.self) { try GraphQLSchema(definitions: bytes, maximumMembers: 2) }
            #expect(throws: Never.self) { try GraphQLSchema(definitions: bytes, maximumMembers: 4) }
        }
    }
}
