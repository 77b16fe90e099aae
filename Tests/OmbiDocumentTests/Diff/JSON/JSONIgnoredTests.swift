import TestSupport
import Testing

@testable import OmbiDocument

/// Comparisons that pass over some values.
@Suite struct JSONIgnoredTests {
    private static func paths(_ texts: [String]) throws -> [JSONPath] { try texts.map { try JSONPath($0) } }

    private static func changes(_ old: String, _ new: String, _ ignored: [String] = []) throws -> [String] {
        let found = JSONDiff.valueChanges(
            from: JSONDocument(old), to: JSONDocument(new), ignoring: try paths(ignored))
        return (found ?? []).map { change in
            "\(change.kind) \(change.path) " + [change.old, change.new].compactMap { $0 }.joined(separator: " -> ")
        }
    }

    @Test(arguments: [
        ("{\"id\":1,\"a\":2}", "{\"id\":3,\"a\":2}", ["$.id"], []),
        ("{\"a\":2}", "{\"id\":3,\"a\":2}", ["$.id"], []), ("{\"id\":1,\"a\":2}", "{\"a\":2}", ["$.id"], []),
        ("{\"id\":1,\"a\":2}", "{\"id\":3,\"a\":4}", ["$.id"], ["changed $.a 2 -> 4"]),
        ("[{\"id\":1,\"x\":1},{\"id\":2,\"x\":2}]", "[{\"id\":7,\"x\":1},{\"id\":8,\"x\":2}]", ["$[*].id"], []),
        (
            "[{\"id\":1,\"x\":1},{\"id\":2,\"x\":2}]", "[{\"id\":7,\"x\":0},{\"id\":8,\"x\":1},{\"id\":9,\"x\":2}]",
            ["$[*].id"], ["added $[0] {\"id\":7,\"x\":0}"]
        ),
        ("{\"a\":{\"t\":1},\"b\":[{\"t\":2}]}", "{\"a\":{\"t\":3},\"b\":[{\"t\":4}]}", ["$..t"], []),
        ("{\"a\":[1,2,3]}", "{\"a\":[1,9,3]}", ["$.a[1]"], []), ("[1]", "{}", ["$"], []),
        ("{\"t\":\"x\",\"a\":1}", "{\"t\":\"y\",\"a\":1}", ["$.a"], ["changed $.t \"x\" -> \"y\""]),
        ("{\"a\":{\"t\":1}}", "{\"a\":5}", ["$.a.t"], ["changed $.a {\"t\":1} -> 5"]),
    ])
    func `ignored values count as absent in both documents`(
        _ old: String, _ new: String, _ ignored: [String], _ expected: [String]
    ) throws {
        #expect(try Self.changes(old, new, ignored) == expected)
    }

    @Test func `a change is named by its short path, with excerpts of both values on one line`() throws {
        let long = String(repeating: "é", count: 300)
        #expect(
            try Self.changes("{\"a b\":[{\n  \"x\": 1\n}]}", "{\"a b\":[]}") == ["removed $[\"a b\"][0] { \"x\": 1 }"])
        let changed = try Self.changes("{\"a\":\"\(long)\"}", "{\"a\":\"  two  \"}")
        #expect(changed.count == 1)
        #expect(changed.first?.hasPrefix("changed $.a \"éé") == true && changed.first?.contains("…") == true)
        #expect(changed.first?.hasSuffix("-> \"  two  \"") == true)
        #expect(changed.first?.contains("\u{FFFD}") == false)
    }

    @Test(arguments: [
        ("$.items[3].id", "$.items[*].id"), ("$[0][12]", "$[*][*]"), ("$", "$"), ("$.a", "$.a"),
        ("$[\"a[0]\"][1]", "$[\"a[0]\"][*]"), ("$[\"a\\\"[0]\"]", "$[\"a\\\"[0]\"]"), ("#3 $.a[2]", "#3 $.a[*]"),
        ("$['x[1]'][2]", "$['x[1]'][*]"),
    ])
    func `positions are generalized, those in names are not`(_ path: String, _ expected: String) {
        #expect(JSONPathPattern.generalized(path) == expected)
    }

    // MARK: Properties

    private static func value(_ random: inout SeededRandom, depth: Int) -> String {
        switch random.next() % (depth > 3 ? 4 : 7) {
        case 0: "\(random.next() % 3)"
        case 1: "\"\(random.next() % 3)\""
        case 2: "true"
        case 3: "null"
        case 4:
            "[" + (0..<Int(random.next() % 4)).map { _ in value(&random, depth: depth + 1) }.joined(separator: ",")
                + "]"
        default:
            "{"
                + random.pick(Int(random.next() % 4), of: ["a", "b", "c", "id"]).enumerated().map { index, key in
                    "\"\(key)\(index)\":" + value(&random, depth: depth + 1)
                }.joined(separator: ",") + "}"
        }
    }

    @Test func `equal documents have no changes, others differ from both sides`() throws {
        var random = SeededRandom(seed: 41)
        for _ in 0..<2000 {
            let (left, right) = (Self.value(&random, depth: 0), Self.value(&random, depth: 0))
            #expect(try Self.changes(left, left) == [])
            let (there, back) = (try Self.changes(left, right), try Self.changes(right, left))
            #expect(there.isEmpty == back.isEmpty, "\(left) \(right)")
            #expect(there.isEmpty == (left == right) || there.isEmpty, "\(left) \(right)")
        }
    }

    @Test func `documents that differ in ignored values alone are the same, with wildcards and descendants`() throws {
        var random = SeededRandom(seed: 42)
        for _ in 0..<500 {
            let rows = (0..<Int(random.next() % 6)).map { _ in Self.value(&random, depth: 2) }
            func document(_ seed: UInt64) -> String {
                "{\"items\":["
                    + rows.enumerated().map { "{\"stamp\":\(seed + UInt64($0)),\"value\":\($1)}" }.joined(
                        separator: ",")
                    + "],\"stamp\":\"\(seed)\"}"
            }
            let (old, new) = (document(random.next() % 1000), document(1000 + random.next() % 1000))
            #expect(try Self.changes(old, new, ["$..stamp"]) == [])
            #expect(try Self.changes(old, new, ["$.stamp", "$.items[*].stamp"]) == [])
            #expect(try Self.changes(new, old, ["$.items[*]['stamp']", "$['stamp']"]) == [])
            #expect(try Self.changes(old, new, ["$.items[*].stamp"]) == ["changed $.stamp " + Self.stamps(old, new)])
        }
    }

    private static func stamps(_ old: String, _ new: String) -> String {
        [old, new].map { text in text.split(separator: ":").last.map { String($0.dropLast()) } ?? "" }
            .joined(separator: " -> ")
    }
}
