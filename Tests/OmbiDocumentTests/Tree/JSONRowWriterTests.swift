import Testing

@testable import OmbiDocument

/// The rows, the same in portions of any size.
private func source(_ tree: JSONTree, _ first: Int, _ last: Int) -> String {
    let texts = [1, 7, 1 << 20].map { size in
        var writer = tree.writer(from: tree.rows[first], through: tree.rows[last])
        var text: [UInt8] = []
        while let portion = writer.next(size) { text += portion }
        return String(decoding: text, as: UTF8.self)
    }
    #expect(Set(texts).count == 1, "\(texts)")
    return texts[0]
}

@Test func `rows are written as they are laid out, from the outermost on`() {
    let tree = JSONTree("{\"a\":{\"b\":[1,2],\"c\":[]},\"d\":\"\\u0041\"}")
    #expect(source(tree, 0, tree.rows.count - 1) == tree.drawn.joined(separator: "\n") + "\n")
    #expect(source(tree, 2, 3) == "\"b\": [1, 2],\n\"c\": []\n")
    #expect(source(tree, 3, 5) == "  \"c\": []\n},\n\"d\": \"\\u0041\"\n")
}

@Test func `what is folded, cut or opened is written whole, and once`() throws {
    let long = String(repeating: "word ", count: 30)
    var tree = JSONTree("{\"a\":{\"b\":{\"c\":1}},\"long\":\"\(long)\"}", columns: 40)
    let whole = source(tree, 0, tree.rows.count - 1)
    #expect(whole.contains("  \"long\": \"\(long)\"\n"))
    tree.toggle(tree.rows[1])
    #expect(source(tree, 0, tree.rows.count - 1) == whole)
    tree.open(try #require(tree.rows[2].node))
    #expect(tree.rows.count > 5)
    #expect(source(tree, 0, tree.rows.count - 1) == whole)
    #expect(source(tree, 3, 3) == "\"long\": \"\(long)\"\n", "a piece stands for its string")
}

@Test func `behind a mistake the rows are written as they came`() {
    let tree = JSONTree("{\"a\": 1,\n oops }\nmore")
    #expect(source(tree, 0, tree.rows.count - 1) == "{\n  \"a\": 1\noops }\nmore\n")
}

@Test func `rows of deep JSON are indented only so far`() {
    let depth = 3000
    let tree = JSONTree(String(repeating: "[", count: depth) + String(repeating: "]", count: depth), columns: 80)
    let lines = source(tree, 0, tree.rows.count - 1).split(separator: "\n")
    #expect(lines.count == 2 * depth - 1)
    #expect(lines.map(\.count).max() == 2 * JSONWriter.maximumIndentedDepth + 2, "`[]` behind the deepest blanks")
}

@Test func `any rows are those of the tree, without the blanks that all of them begin with`() {
    let tree = JSONTree(
        "{\"a\":[{\"b\":[[],[1,{\"c\":2}]]},3],\"d\":{\"e\":{}}}\n[{\"f\":1}]", roots: .many, columns: 80)
    let drawn = tree.drawn
    for first in drawn.indices {
        for last in first..<drawn.count {
            let lines = drawn[first...last]
            let blanks = lines.map { $0.prefix { $0 == " " }.count }.min() ?? 0
            #expect(source(tree, first, last) == lines.map { $0.dropFirst(blanks) + "\n" }.joined())
        }
    }
    var folded = tree
    folded.toggle(folded.rows[1])
    #expect(
        source(folded, 1, 1) == drawn[1...].prefix { !$0.hasPrefix("  \"d") }.map { $0.dropFirst(2) + "\n" }.joined())
}

@Test func `a portion of many rows is made without those behind it`() {
    let text = "[" + String(repeating: "[{}],\n", count: 100_000) + "1]"
    let tree = JSONTree(JSONDocument(text), columns: 80)
    let (first, last) = (tree.first, tree.last)
    guard let first, let last else { return #expect(Bool(false), "there are no rows") }
    var writer = tree.writer(from: first, through: last)
    let portion = writer.next(100) ?? []
    #expect((100..<200).contains(portion.count))
    #expect(portion.starts(with: "[\n  [\n    {}\n  ],\n".utf8))
}
