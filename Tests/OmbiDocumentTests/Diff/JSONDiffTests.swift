import Testing

@testable import OmbiDocument

private func changes(_ old: String, _ new: String) -> [String] {
    let (old, new) = (JSONDocument(old, roots: .many), JSONDocument(new, roots: .many))
    return (JSONDiff.changes(from: old, to: new) ?? []).map { change in
        let path = change.new.map { new.path(of: $0) } ?? change.old.map { old.path(of: $0) } ?? ""
        let values = [change.old.map { old.source(of: $0) }, change.new.map { new.source(of: $0) }]
        return "\(change.kind) \(path) " + values.compactMap { $0 }.joined(separator: " -> ")
    }
}

@Test(arguments: [
    ("{\"a\":1}", "{ \"a\" : 1 }", []), ("{\"a\":1,\"b\":\"é\"}", "{\"b\":\"\\u00e9\",\"a\":1}", []),
    ("1", "2", ["changed $ 1 -> 2"]), ("1.0", "1.00", ["changed $ 1.0 -> 1.00"]),
    ("1", "\"1\"", ["changed $ 1 -> \"1\""]),
    ("{\"a\":1,\"b\":2}", "{\"a\":1,\"b\":3,\"c\":4}", ["changed $['b'] 2 -> 3", "added $['c'] 4"]),
    ("{\"a\":1,\"b\":2,\"c\":3}", "{\"a\":1,\"c\":3}", ["removed $['b'] 2"]),
    ("{\"a\":[]}", "{\"a\":{}}", ["changed $['a'] [] -> {}"]),
    ("[1,2,3,4]", "[1,3,4]", ["removed $[1] 2"]), ("[1,2,3]", "[0,1,2,3]", ["added $[0] 0"]),
    (
        "[{\"id\":1,\"x\":1},{\"id\":2,\"x\":2}]", "[{\"id\":9,\"x\":9},{\"id\":1,\"x\":5},{\"id\":2,\"x\":2}]",
        ["added $[0] {\"id\":9,\"x\":9}", "changed $[1]['x'] 1 -> 5"]
    ),
    ("{\"a\":1,\"a\":2}", "{\"a\":1,\"a\":3}", ["changed $['a'] 2 -> 3"]),
    ("{\"a\":1}\n{\"b\":2}", "{\"a\":1}\n{\"c\":3}\n{\"b\":2}", ["added $ {\"c\":3}"]),
    ("", "[]", ["added $ []"]), ("[[[1]]]", "[[[2]]]", ["changed $[0][0][0] 1 -> 2"]),
    ("{\"\\u0061\":1}", "{\"a\":2}", ["changed $['a'] 1 -> 2"]),
    ("[\"\\uD800\"]", "[\"\\uD801\"]", ["changed $[0] \"\\uD800\" -> \"\\uD801\""]),
])
func `what differs is told with both values`(old: String, new: String, expected: [String]) {
    #expect(changes(old, new) == expected)
}

@Test func `what changed is shown with what is around it`() {
    let old = JSONDocument(
        "{\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"tags\":[\"x\",\"y\"],\"e\":{\"f\":1,\"g\":[{\"h\":1}]},\"z\":0}")
    let new = JSONDocument(
        "{\"a\":1,\"b\":20,\"c\":3,\"d\":4,\"tags\":[\"x\",\"z\"],\"e\":{\"f\":1,\"g\":[{\"h\":2}, 3]}}")
    let rows = JSONDiffRows(
        old: old, new: new, changes: JSONDiff.changes(from: old, to: new) ?? [], columns: 40, context: 1)
    #expect(
        rows.rows.map { rows.spans(of: $0, columns: 40).map(\.text).joined() } == [
            "⋯ .a", "    \"a\": 1,", "-   \"b\": 2,", "+   \"b\": 20,", "    \"c\": 3,", "    \"d\": 4,",
            "-   \"tags\": [\"x\", \"y\"],", "+   \"tags\": [\"x\", \"z\"],", "    \"e\": {", "⋯ .e.g",
            "      \"g\": [", "-       {", "-         \"h\": 1", "-       }", "+       {", "+         \"h\": 2",
            "+       },", "+       3", "      ]", "    }", "-   \"z\": 0", "  }",
        ])
}

@Test func `two random documents differ by what was done to one`() {
    var dice = Dice(seed: 3)
    let records = (0..<300).map { "{\"id\": \($0), \"name\": \"n\($0)\", \"tags\": [\($0), [\($0)]]}" }
    for _ in 0..<20 {
        var changed = records
        let removed = Int(dice.next() % 100)
        let added = 150 + Int(dice.next() % 100)
        changed.remove(at: removed)
        changed.insert("{\"new\": true}", at: added)
        changed[120] = "{\"id\": 121, \"name\": \"other\", \"tags\": [121, [121]]}"
        let found = changes("[" + records.joined(separator: ",") + "]", "[" + changed.joined(separator: ",") + "]")
        #expect(found.count == 3, "\(found)")
        #expect(found.contains("changed $[120]['name'] \"n121\" -> \"other\""))
    }
}

@Test func `deep documents are compared without recursion`() {
    func deep(_ inner: String) -> String {
        String(repeating: "[", count: 50_000) + inner + String(repeating: "]", count: 50_000)
    }
    let (old, new) = (JSONDocument(deep("1")), JSONDocument(deep("2")))
    let changes = JSONDiff.changes(from: old, to: new)
    #expect(changes?.map(\.kind) == [.changed])
    #expect(JSONDiff.changes(from: old, to: new, isCancelled: { true }) == nil)
}
