import Testing

@testable import OmbiDocument

/// The pieces of a row with their styles.
private func pieces(_ text: String, line: Int = 0, columns: Int = 60) -> [String] {
    let tree = JSONTree(text, columns: columns)
    return tree.spans(of: tree.rows[line], columns: columns).map { "\($0.style) \($0.text)" }
}

@Test func `each part of a row has its style`() {
    let text = "{\"a\": \"x\", \"b\": -1.50E+400, \"c\": [true, \"y\", 12345678901234567890123], \"d\": null}"
    #expect(pieces(text, line: 1) == ["plain   ", "key \"a\"", "punctuation : ", "string \"x\"", "punctuation ,"])
    #expect(pieces(text, line: 2) == ["plain   ", "key \"b\"", "punctuation : ", "number -1.50E+400", "punctuation ,"])
    #expect(
        pieces(text, line: 3) == [
            "plain   ", "key \"c\"", "punctuation : ", "punctuation [", "literal true", "punctuation , ",
            "string \"y\"",
            "punctuation , ", "number 12345678901234567890123", "punctuation ]", "punctuation ,",
        ])
}

@Test(arguments: [
    ("\"a\\nb\\\"\\\\\"", ["string \"a\\nb\\\"\\\\\""]), ("\"\\/x\"", ["string \"", "code \\/", "string x\""]),
    ("\"\\u0041\"", ["string \"", "code \\u0041", "string \""]),
    ("\"\\u0000\\b\"", ["string \"", "control \\u0000\\b", "string \""]),
    ("\"\\uD83D\\uDE00\"", ["string \"", "code \\uD83D\\uDE00", "string \""]),
    ("\"\\uD83Dx\"", ["string \"", "invalid \\uD83D", "string x\""]),
    ("\"\\\\\\uDE00\"", ["string \"\\\\", "invalid \\uDE00", "string \""]),
    ("\"\\\\uD83D\"", ["string \"\\\\uD83D\""]),
    ("\"\u{7F}\u{202E}x\"", ["string \"", "control ␡\u{FFFD}", "string x\""]),
])
func `odd escapes and unseen characters are marked`(text: String, expected: [String]) {
    #expect(pieces(text) == expected)
}

@Test func `keys that an object has twice are marked`() {
    let tree = JSONTree("{\"a\": 1, \"b\": {\"a\": 2}, \"\\u0061\": 3}")
    #expect(
        tree.drawn == [
            "{", "  \"a\": 1,  duplicate key", "  \"b\": {", "    \"a\": 2", "  },", "  \"\\u0061\": 3  duplicate key",
            "}",
        ])
}

@Test func `long strings are cut, and open over several rows`() throws {
    let words = (1...30).map { "word\($0)" }.joined(separator: " ")
    var tree = JSONTree("{\"text\": \"\(words)\", \"n\": 1}", columns: 40)
    #expect(tree.drawn[1] == "  \"text\": \"word1 word2 word3 … 182 more,")
    let row = try #require(tree.rows.dropFirst().first)
    #expect(tree.isOpenable(row))
    #expect(!tree.isOpenable(tree.rows[2]))
    tree.open(try #require(row.node))
    #expect(tree.disorder == nil)
    let text = tree.drawn.dropFirst().dropLast(2).map { $0.dropFirst(10) }
    #expect(text.joined() == "\"\(words)\",")
    #expect(tree.rows.allSatisfy { tree.spans(of: $0, columns: 40).reduce(0) { $0 + $1.columns } <= 40 })
    tree.close(try #require(row.node))
    #expect(tree.rows.count == 4)
}

@Test func `no row is wider than the place`() {
    for columns in [0, 1, 2, 3, 5, 8, 13, 21, 34] {
        for roots in [JSONRoots.one, .many] {
            var tree = JSONTree(JSONSamples.mixed + "\n{\"東京東京東京東京東京\": tru", roots: roots, columns: columns)
            tree.rows.compactMap(\.node).forEach { tree.open($0) }
            for row in tree.rows {
                #expect(tree.spans(of: row, columns: columns).reduce(0) { $0 + $1.columns } <= columns)
            }
            #expect(tree.disorder == nil)
        }
    }
}

@Test func `what was searched for is marked`() {
    let tree = JSONTree("{\"abc\": \"xabcx\"}")
    let spans = tree.spans(of: tree.rows[1], columns: 40, matches: [2..<5, 10..<13])
    #expect(spans.filter(\.isMatch).map(\.text) == ["abc", "abc"])
    #expect(tree.row(atByte: 11) == tree.rows[1] && tree.row(atByte: 3) == tree.rows[1])
    #expect(tree.row(atByte: 15) == tree.rows[2])
}

@Test func `what does not fit ends in an ellipsis`() {
    let tree = JSONTree("{\"a key that is far too long\": [1, 2, 3, 4, 5, 6, 7, 8], \"b\": 1}", columns: 30)
    #expect(tree.drawn == ["{", "  \"a key that i…: [1, 2, 3, 4…", "  \"b\": 1", "}"])
    #expect(tree.spans(of: tree.rows[1], columns: 1).map(\.text) == ["…"])
}
