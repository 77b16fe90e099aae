import Testing

@testable import OmbiDocument

/// A query, a body, and the sources of what is selected.
struct Selection: CustomTestStringConvertible {
    let query: String
    let body: String
    let values: [String]

    init(_ query: String, _ body: String, _ values: String...) {
        (self.query, self.body, self.values) = (query, body, values)
    }

    var testDescription: String { "\(query) of \(body)" }

    func check() throws {
        let document = JSONDocument(body)
        let found = try JSONPath(query).matches(in: document).map { document.source(of: $0) }
        #expect(found == values)
    }
}

private let object = "{\"a\": 1, \"b\": [2, 3], \"c d\": {\"a\": 4}, \"é\": null}"
private let array = "[0, 1, 2, 3, 4, 5]"

@Test(arguments: [
    Selection("$", "7", "7"), Selection("$.a", object, "1"), Selection("$ .a", object, "1"),
    Selection("$\n['a']", object, "1"),
    Selection("$['c d'].a", object, "4"), Selection("$[\"c d\"]['a']", object, "4"), Selection("$.é", object, "null"),
    Selection("$['\\u00E9']", object, "null"), Selection("$.x", object), Selection("$.a.a", object),
    Selection("$.a", array),
    Selection("$['a','b','a']", object, "1", "[2, 3]", "1"), Selection("$['a' , 'x']", object, "1"),
    Selection("$.*", object, "1", "[2, 3]", "{\"a\": 4}", "null"), Selection("$[*]", "[1, [2]]", "1", "[2]"),
    Selection("$.*", "1"), Selection("$[*, 0]", "[8, 9]", "8", "9", "8"),
    Selection("$.twice", "{\"twice\": 1, \"twice\": 2}", "2"),
    Selection("$['\\'\"\\\\\\/\\b\\f\\n\\r\\t']", "{\"'\\\"\\\\/\\b\\f\\n\\r\\t\": 5}", "5"),
    Selection("$['\\uD83D\\uDE00']", "{\"\u{1F600}\": 1}", "1"), Selection("$.😀", "{\"\\ud83d\\ude00\": 1}", "1"),
    Selection("$.a", "{\"\\u0061\": 1, \"x\\\"a\": 2}", "1"), Selection("$['']", "{\"\": 1, \"a\": 2}", "1"),
])
func `names and wildcards select`(selection: Selection) throws { try selection.check() }

@Test(arguments: [
    Selection("$[0]", array, "0"), Selection("$[-1]", array, "5"), Selection("$[5]", array, "5"),
    Selection("$[6]", array),
    Selection("$[-6]", array, "0"), Selection("$[-7]", array), Selection("$[0]", object), Selection("$[0]", "[]"),
    Selection("$[9007199254740991]", array), Selection("$[1:3]", array, "1", "2"), Selection("$[4:]", array, "4", "5"),
    Selection("$[:2]", array, "0", "1"), Selection("$[:]", "[1, 2]", "1", "2"),
    Selection("$[::2]", array, "0", "2", "4"),
    Selection("$[1:5:2]", array, "1", "3"), Selection("$[-2:]", array, "4", "5"), Selection("$[:-4]", array, "0", "1"),
    Selection("$[::-1]", "[1, 2, 3]", "3", "2", "1"), Selection("$[::-2]", array, "5", "3", "1"),
    Selection("$[4:1:-1]", array, "4", "3", "2"), Selection("$[-1:-4:-2]", array, "5", "3"), Selection("$[3:1]", array),
    Selection("$[1:3:-1]", array), Selection("$[::0]", array), Selection("$[10:]", array),
    Selection("$[-100:2]", array, "0", "1"),
    Selection("$[100::-3]", array, "5", "2"), Selection("$[ 1 : 3 : 1 ]", array, "1", "2"), Selection("$[1:3]", object),
    Selection("$[::9007199254740991]", array, "0"), Selection("$[::-9007199254740991]", array, "5"),
    Selection("$[-9007199254740991:9007199254740991]", "[1]", "1"), Selection("$[::-1]", "[]"),
])
func `indices and slices select`(selection: Selection) throws { try selection.check() }

@Test(arguments: [
    // A container comes before what it holds: its own members are selected first.
    Selection("$..a", "{\"x\": {\"a\": 1}, \"a\": {\"a\": 2}}", "{\"a\": 2}", "1", "2"),
    Selection("$..*", "[[1], 2]", "[1]", "2", "1"), Selection("$..[0]", "[[1, 2], [[3]]]", "[1, 2]", "1", "[3]", "3"),
    Selection("$..[1,0]", "[[1, 2], 3]", "3", "[1, 2]", "2", "1"),
    Selection("$..['a','b']", "[{\"b\": 1, \"a\": 2}]", "2", "1"),
    Selection("$..a..b", "{\"a\": {\"a\": {\"b\": 1}}}", "1", "1"), Selection("$..x", "1"),
    Selection("$..[?@ > 1]", "[1, [2]]", "2"),
    Selection("$.a..b", "{\"a\": [{\"b\": 1}, {\"c\": {\"b\": 2}}], \"b\": 3}", "1", "2"),
    Selection("$..[::-1]", "[1, [2, 3]]", "[2, 3]", "1", "3", "2"),
])
func `descendants select`(selection: Selection) throws { try selection.check() }

@Test(arguments: [
    ("$['a'][0]['b c']", "{\"a\": [{\"b c\": 1}]}", ["$['a'][0]['b c']"]),
    ("$..*", "[[1, {\"a\": 2}], 3]", ["$[0]", "$[1]", "$[0][0]", "$[0][1]", "$[0][1]['a']"]),
    ("$[::-1].a", "[{\"a\": 1}, {\"a\": 2}, {\"a\": 3}]", ["$[2]['a']", "$[1]['a']", "$[0]['a']"]), ("$", "[1]", ["$"]),
    (
        "$.*", "{\"'\\\"\\\\\\/\\b\\f\\n\\r\\t\\u000B\\u001f\\u007f\u{E9}\u{1F600}\": 1}",
        ["$['\\'\"\\\\/\\b\\f\\n\\r\\t\\u000b\\u001f\u{7F}\u{E9}\u{1F600}']"]
    ),
])
func `paths are normalized`(query: String, body: String, paths: [String]) throws {
    let document = JSONDocument(body)
    let nodes = Array(try JSONPath(query).matches(in: document))
    var locator = JSONPathLocator(document)
    #expect(nodes.map { locator.path(of: $0) } == paths)
    #expect(nodes.map { document.path(of: $0) } == paths)
    for (node, path) in zip(nodes, paths) { #expect(Array(try JSONPath(path).matches(in: document)) == [node]) }
}

@Test func `paths in any order are those found one by one`() throws {
    let document = JSONDocument(JSONSamples.mixed)
    let nodes = Array(sequence(first: JSONNode(0)) { document.next(after: $0) })
    for step in 1..<nodes.count {
        var locator = JSONPathLocator(document)
        for turn in nodes.indices {
            let node = nodes[turn * step % nodes.count]
            #expect(locator.path(of: node) == document.path(of: node))
        }
    }
}

@Test func `each of many values is a root`() throws {
    let document = JSONDocument("{\"a\": 1}\n{\"a\": [2]}", roots: .many)
    let path = try JSONPath("$.a")
    let found = document.roots.flatMap { root in path.matches(in: document, root: root).map { document.source(of: $0) }
    }
    #expect(found == ["1", "[2]"])
    #expect(path.matches(in: JSONDocument("", roots: .many)).map(\.self).isEmpty)
}

@Test func `a body is asked as far as it has come`() throws {
    let bytes = Array("[{\"a\": 1}, {\"a\": 2, \"b\": [{\"a\": 3".utf8)
    let document = JSONIndex(roots: .one).append(Bytes(bytes))
    func found(_ query: String) throws -> [String] {
        try JSONPath(query).matches(in: document).map { document.source(of: $0) }
    }
    #expect(try found("$..a") == ["1", "2"])
    #expect(try found("$[-1].a") == ["2"])
    #expect(try found("$[::-1].a") == ["2", "1"])
    #expect(try found("$[-1].b") == ["[{\"a\": 3"])
    #expect(try found("$[?@.b].a") == ["2"])
    #expect(try found("$[?length(@) == 2].a") == ["2"])
}

@Test func `deep nesting is walked without a deep stack`() throws {
    let depth = 100_000
    let text = String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)
    let document = JSONDocument("[\(text), \(text)]")
    #expect(try JSONPath("$..[0]").matches(in: document).reduce(0) { count, _ in count + 1 } == 2 * depth + 1)
    #expect(try JSONPath("$[?@ == $[1]]").matches(in: document).reduce(0) { count, _ in count + 1 } == 2)
}

@Test func `what is asked can be cancelled`() throws {
    let document = JSONDocument("[" + (0..<100_000).map(String.init).joined(separator: ",") + "]")
    var asked = 0
    var matches = try JSONPath("$[*]").matches(
        in: document,
        isCancelled: {
            asked += 1
            return asked == 3
        })
    var count = 0
    while matches.next() != nil { count += 1 }
    #expect(matches.wasCancelled)
    #expect(count > 4_000 && count < 20_000)
    #expect(matches.next() == nil)
    var idle = try JSONPath("$[?@ == 'none']").matches(in: document, isCancelled: { true })
    #expect(idle.next() == nil)
    #expect(idle.wasCancelled)
}
