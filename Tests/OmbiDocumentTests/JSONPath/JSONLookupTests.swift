import Testing

@testable import OmbiDocument

/// Singular queries by a lookup that remembers, against the walk that does not.
@Suite struct JSONLookupTests {
    private static let body =
        "{\"list\": [" + (0..<2000).map { "{\"id\": \($0)}" }.joined(separator: ",") + "], \"names\": {"
        + (0..<600).map { "\"k\($0)\": \($0)" }.joined(separator: ",")
        + ", \"k7\": \"last\", \"\\u0061b\": 1}, \"a\": [1]}"

    @Test(arguments: [
        "$", "$.a", "$.a[0]", "$.a[1]", "$.a[-1]", "$.list[0].id", "$.list[255].id", "$.list[256].id",
        "$.list[1999].id",
        "$.list[2000]", "$.list[-1].id", "$.list[511]", "$.list[99999]", "$.names.k0", "$.names.k7", "$.names.k599",
        "$.names.none", "$.names.ab", "$.names['k1']", "$.a.b", "$.list.id", "$.names[0]", "$.none.none",
    ])
    func `a lookup finds what a walk finds, also the second time`(text: String) throws {
        let document = JSONIndex.document(Bytes(Self.body.utf8))
        let path = try JSONPath(text)
        #expect(path.isSingular)
        let lookup = JSONLookup(document)
        var walk = path.matches(in: document)
        let found = walk.next()
        for _ in 0..<2 { #expect(lookup.node(at: path) == found) }
        // Also after others have filled the memory.
        for other in ["$.list[1500]", "$.names.k3"] { _ = lookup.node(at: try JSONPath(other)) }
        #expect(lookup.node(at: path) == found)
    }

    @Test func `a query for several values is not for the lookup`() throws {
        let lookup = JSONLookup(JSONIndex.document(Bytes("[1]".utf8)))
        for text in ["$[*]", "$..a", "$[0,0]", "$[0:1]", "$[?@]"] {
            let path = try JSONPath(text)
            #expect(!path.isSingular && lookup.node(at: path) == nil)
        }
    }

    @Test func `an empty body has no values`() throws {
        #expect(JSONLookup(JSONIndex.document(Bytes.empty)).node(at: try JSONPath("$")) == nil)
    }
}

/// Values of a document compared with given ones.
@Suite struct JSONComparingTests {
    private static func document(_ text: String) -> JSONDocument { JSONIndex.document(Bytes(text.utf8)) }

    @Test(
        arguments: [
            ("1", "1.0", true), ("1e2", "100", true), ("-0", "0", true), ("1", "\"1\"", false),
            ("null", "false", false),
            ("\"\\u0061\"", "\"a\"", true), ("[1,2]", "[1,2]", true), ("[1,2]", "[1]", false), ("[1]", "[1,2]", false),
            ("{\"a\":1,\"b\":[{}]}", "{\"b\":[{}],\"a\":1}", true), ("{\"a\":1}", "{\"a\":1,\"b\":2}", false),
            ("{\"a\":1,\"b\":2}", "{\"a\":1}", false), ("{\"a\":1,\"a\":2}", "{\"a\":2}", true), ("{}", "[]", false),
        ])
    func `values are equal by content`(text: String, other: String, areEqual: Bool) throws {
        let document = Self.document(text)
        #expect(document.isEqual(try #require(document.firstRoot), to: try JSONValue.parse(other)) == areEqual)
    }

    @Test(arguments: [
        ("1", true), ("1.0", true), ("1e3", true), ("12.50e1", true), ("0.0", true), ("1.5", false), ("15e-1", false),
        ("1e-1", false),
        ("100000000000000000000.0", true), ("true", false), ("\"1\"", false),
    ])
    func `a whole number is an integer however it is written`(text: String, isInteger: Bool) throws {
        let document = Self.document(text)
        #expect(document.isInteger(try #require(document.firstRoot)) == isInteger)
    }
}
