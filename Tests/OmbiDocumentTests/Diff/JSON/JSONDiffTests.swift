import TestSupport
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
    ("1", "2", ["changed $ 1 -> 2"]), ("1.0", "1.00", []),
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

@Test(arguments: [
    ("1", "1.0", true), ("100", "1e2", true), ("100", "1.00E+2", true), ("-0", "0.0", true), ("0", "0e9", true),
    ("0.1", "1e-1", true), ("0.10", "0.1", true), ("-1.50", "-15e-1", true), ("1e20", "100000000000000000000", true),
    ("123456789012345678", "123456789012345678.0", true), ("1234567890123456789", "1234567890123456789.0", true),
    ("1", "1.0000000000000000000001", false), ("9007199254740993", "9007199254740992.0", false), ("1", "-1", false),
    ("10", "1", false), ("1e2", "1e3", false), ("0.1", "0.01", false), ("1e400", "1e401", false),
])
func `numbers are compared as expectations and filters compare them`(old: String, new: String, isSame: Bool) {
    #expect(changes(old, new).isEmpty == isSame)
    #expect(changes("[{\"a\": \(old)}]", "[{\"a\": \(new)}]").isEmpty == isSame)
    let document = JSONDocument(old, roots: .one)
    #expect(document.firstRoot.map { document.isEqual($0, to: .number(new)) } == isSame)
}

@Test func `two random documents differ by what was done to one`() {
    var random = SeededRandom(seed: 3)
    let records = (0..<300).map { "{\"id\": \($0), \"name\": \"n\($0)\", \"tags\": [\($0), [\($0)]]}" }
    for _ in 0..<20 {
        var changed = records
        let removed = Int(random.next() % 100)
        let added = 150 + Int(random.next() % 100)
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

@Test func `equal elements between others that changed are no changes`() {
    // More edits than are looked for: all between the first and the last counts as changed.
    let old = (0..<6000).map { $0 % 3 == 0 ? "7" : "\($0 % 5)" }
    let new = (0..<6000).map { $0 % 3 == 0 ? "7" : "\($0 % 5 + 10)" }
    let found = changes("[\(old.joined(separator: ","))]", "[\(new.joined(separator: ","))]")
    #expect(found.count == 4000)
    #expect(found.allSatisfy { !$0.hasSuffix("7 -> 7") })
}

@Test func `elements that have something in common are the same ones, however many others come and go`() {
    let old = (0..<200).map { "{\"id\": \($0), \"n\": 0}" }
    let new = (0..<201).map { $0 == 100 ? "{\"other\": true}" : "{\"id\": \($0 < 100 ? $0 : $0 - 1), \"n\": 1}" }
    let found = changes("[\(old.joined(separator: ","))]", "[\(new.joined(separator: ","))]")
    #expect(found.count == 201)
    #expect(found.contains("added $[100] {\"other\": true}"))
    #expect(found.filter { $0.hasPrefix("changed") && $0.hasSuffix("0 -> 1") }.count == 200)
}

@Test func `no more changes are looked for than are wanted`() {
    let (old, new) = (JSONDocument("[1,[2,3],4]"), JSONDocument("[5,[6,7],8]"))
    #expect(JSONDiff.changes(from: old, to: new, limit: 2)?.count == 2)
}
