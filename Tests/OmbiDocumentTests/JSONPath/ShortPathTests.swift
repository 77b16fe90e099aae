import Testing

@testable import OmbiDocument

@Suite struct ShortPathTests {
    @Test(arguments: [
        ("{\"a\": 1}", "$.a"), ("[7]", "$[0]"), ("{\"a\": {\"b\": [1]}}", "$.a.b[0]"), ("{\"_a1\": 1}", "$._a1"),
        ("{\"1a\": 1}", "$[\"1a\"]"), ("{\"a b\": 1}", "$[\"a b\"]"), ("{\"a-b\": 1}", "$[\"a-b\"]"),
        ("{\"\": 1}", "$[\"\"]"), ("{\"a.b\": 1}", "$[\"a.b\"]"), ("{\"é\": 1}", "$.é"), ("{\"日本\": 1}", "$.日本"),
        ("{\"a\\\"b\": 1}", "$[\"a\\\"b\"]"), ("{\"it's\": 1}", "$[\"it's\"]"), ("{\"a\\nb\": 1}", "$[\"a\\nb\"]"),
        ("{\"$\": 1}", "$[\"$\"]"), ("{\"@\": {\"x\": 1}}", "$[\"@\"].x"), ("[[[1]]]", "$[0][0][0]"),
        ("{\"a[0]\": 1}", "$[\"a[0]\"]"), ("{\"\\\\\": 1}", "$[\"\\\\\"]"), ("{\"*\": 1}", "$[\"*\"]"),
        ("{\"A_b9\": [{\"c d\": 1}]}", "$.A_b9[0][\"c d\"]"), ("1", "$"),
        ("{\"\\u0061\\u0062\": 1}", "$[\"\\u0061\\u0062\"]"),
    ])
    func `a path is short where the name allows it, and selects the value that it is of`(
        text: String, path: String
    ) throws {
        let document = JSONDocument(text)
        let nodes = Array(sequence(first: JSONNode(0)) { document.next(after: $0) })
        let last = try #require(nodes.last)
        #expect(document.shortPath(of: last) == path)
        for node in nodes {
            let short = document.shortPath(of: node)
            #expect(Array(try JSONPath(short).matches(in: document)) == [node], "\(short)")
        }
    }

    @Test func `short paths select the same values as normalized ones`() throws {
        let document = JSONDocument(JSONSamples.mixed)
        for node in sequence(first: JSONNode(0), next: { document.next(after: $0) }) {
            let short = try JSONPath(document.shortPath(of: node)).matches(in: document)
            #expect(Array(short) == Array(try JSONPath(document.path(of: node)).matches(in: document)))
        }
    }
}
