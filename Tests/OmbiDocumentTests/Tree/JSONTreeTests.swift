import Testing

@testable import OmbiDocument

private let sample = """
    {"id":7,"tags":["a","b"],"empty":{},"none":[],"owner":{"name":"Zoë","age":1e400},"list":[{"x":1},[2,[3]]],"end":null}
    """

@Test func `a document is drawn in lines`() {
    let tree = JSONTree(sample)
    #expect(
        tree.drawn == [
            "{", "  \"id\": 7,", "  \"tags\": [\"a\", \"b\"],", "  \"empty\": {},", "  \"none\": [],", "  \"owner\": {",
            "    \"name\": \"Zoë\",", "    \"age\": 1e400", "  },", "  \"list\": [", "    {", "      \"x\": 1",
            "    },",
            "    [", "      2,", "      [3]", "    ]", "  ],", "  \"end\": null", "}",
        ])
    #expect(tree.disorder == nil)
}

@Test func `folded containers tell how much is in them`() throws {
    var tree = JSONTree(sample)
    tree.fold(level: 1)
    #expect(
        tree.drawn == [
            "{", "  \"id\": 7,", "  \"tags\": [\"a\", \"b\"],", "  \"empty\": {},", "  \"none\": [],",
            "  \"owner\": {…}, 2 members", "  \"list\": […], 2 items", "  \"end\": null", "}",
        ])
    #expect(tree.disorder == nil)
    let list = try #require(tree.row(drawn: "\"list\": […], 2 items"))
    tree.toggle(list)
    #expect(tree.drawn[6...9] == ["  \"list\": [", "    {…}, 1 member", "    […] 2 items", "  ],"])
    #expect(tree.disorder == nil)
    tree.fold(level: 0)
    #expect(tree.drawn == ["{…} 7 members"])
    #expect(tree.disorder == nil)
    tree.unfoldAll()
    #expect(tree.drawn == JSONTree(sample).drawn)
}

@Test func `line numbers are those of the unfolded tree`() throws {
    var tree = JSONTree(sample)
    let rows = tree.rows
    #expect(tree.rowCount == nil)
    #expect(tree.lineNumber(of: rows[4]) == nil)
    while !tree.extend(limit: 3) {}
    #expect(tree.rowCount == rows.count)
    #expect(rows.map(tree.lineNumber) == rows.indices.map { $0 })
    #expect(rows.indices.map(tree.row(atLine:)) == rows)
    #expect(tree.row(atLine: rows.count) == nil && tree.row(atLine: -1) == nil)
    tree.fold(level: 1)
    let list = try #require(tree.row(drawn: "\"list\": […], 2 items"))
    #expect(tree.lineNumber(of: list) == 9)
    #expect(tree.row(atLine: 14) == list)
}

@Test func `broken JSON shows what is good, the place, and the rest`() {
    let tree = JSONTree("{\"a\": [1, {\"b\": 2}],\n \"c\": tru, \"d\": 3}\nmore\n")
    #expect(
        tree.drawn == [
            "{", "  \"a\": [", "    1,", "    {", "      \"b\": 2", "    }", "  ]",
            "line 2, column 7 (byte 27): expected 'true', found 'tru'", "\"c\": tru, \"d\": 3}", "more",
        ])
    #expect(tree.disorder == nil)
}

@Test func `values in a row are roots one after the other`() {
    let tree = JSONTree("{\"a\":1}\n[]\n3\n\"x\"", roots: .many)
    #expect(tree.drawn == ["{", "  \"a\": 1", "}", "[]", "3", "\"x\""])
    #expect(tree.disorder == nil)
    #expect(JSONTree("", roots: .many).rows.isEmpty)
    #expect(JSONTree("true").drawn == ["true"])
}

@Test(arguments: ["x", "one\n\ntwo\r\n\r\nthree\n", "\n\n", String(repeating: "wörds ", count: 11_000), "é\r\n\u{1}"])
func `the rest of broken JSON is shown line by line, wrapped`(rest: String) {
    var tree = JSONTree("[1 x" + rest, columns: 30)
    #expect(tree.disorder == nil)
    let raw = tree.rows.filter { $0.part == .raw }
    let text = ("x" + rest).split(omittingEmptySubsequences: false) { $0.isNewline }.joined().replacing(
        "\u{1}", with: "␁")
    #expect(raw.map(tree.draw).joined() == text)
    #expect(raw.allSatisfy { tree.row(atByte: tree.byte(of: $0)) == $0 })
    while !tree.extend(limit: 1000) {}
    #expect(tree.last.flatMap(tree.lineNumber).map { $0 + 1 } == tree.rowCount)
}
