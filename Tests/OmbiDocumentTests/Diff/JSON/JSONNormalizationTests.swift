import Testing

@testable import OmbiDocument

/// JSON as text that stays the same while its values do.
@Suite struct JSONNormalizationTests {
    private static func text(_ text: String, _ paths: String...) throws -> String? {
        JSONNormalization.text(
            of: JSONDocument(text), replacing: try paths.map { try JSONPath($0) }, by: "(ignored)")
    }

    @Test func `members are sorted at every level, and elements keep their order`() throws {
        #expect(
            try Self.text("{\"b\":1.50,\"a\":[{\"d\":2,\"c\":1},3]}") == """
                {
                  "a": [
                    { "c": 1, "d": 2 },
                    3
                  ],
                  "b": 1.50
                }

                """)
    }

    @Test func `texts with the same values are the same`() throws {
        let one = try Self.text("{\"a\":1,\"b\":{\"x\":null,\"w\":true}}")
        #expect(try one != nil && one == Self.text(" { \"b\" : {\"w\":true, \"x\":null},\n \"a\":1 } "))
        #expect(try one != Self.text("{\"a\":2,\"b\":{\"x\":null,\"w\":true}}"))
    }

    @Test func `values at paths are replaced as a whole`() throws {
        #expect(
            try Self.text("{\"at\":17,\"items\":[{\"id\":1},{\"id\":{\"x\":[2]}}]}", "$.at", "$.items[*].id") == """
                {
                  "at": "(ignored)",
                  "items": [
                    { "id": "(ignored)" },
                    { "id": "(ignored)" }
                  ]
                }

                """)
        #expect(try Self.text("[1]", "$") == "\"(ignored)\"\n")
        #expect(try Self.text("{\"a\":1}", "$.b") == "{\n  \"a\": 1\n}\n")
    }

    @Test func `members of one name are all kept, in order`() throws {
        #expect(try Self.text("{\"b\":0,\"a\":2,\"a\":1}") == "{\n  \"a\": 2,\n  \"a\": 1,\n  \"b\": 0\n}\n")
    }

    @Test(arguments: ["", "{\"a\":", "1 2", "nul"]) func `what is no JSON has no such text`(text: String) throws {
        #expect(try Self.text(text) == nil)
    }

    @Test func `nesting has a limit`() throws {
        let depth = JSONNormalization.maximumDepth
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(try Self.text(nested(depth)) != nil)
        #expect(try Self.text(nested(depth + 1)) == nil)
        #expect(try Self.text(nested(100_000)) == nil)
    }
}
