import Testing

@testable import OmbiDocument

private let text = """
    {"users": [{"name": "a"}, {"name": "b", "odd key": {"x": [[1, {"y": 2}]]}}], "none": null, "7": 7}
    """

@Test(arguments: [
    ("\"users\": [", "$['users']", "$.users"), ("\"name\": \"b\",", "$['users'][1]['name']", "$.users[1].name"),
    ("\"y\": 2", "$['users'][1]['odd key']['x'][0][1]['y']", "$.users[1][\"odd key\"].x[0][1].y"),
    ("\"7\": 7", "$['7']", "$[\"7\"]"), ("{", "$", "$"),
])
func `a row has a path, and a path leads to it`(drawn: String, path: String, short: String) throws {
    let tree = JSONTree(text)
    let row = try #require(tree.row(drawn: drawn))
    #expect(row.node.map { tree.document.path(of: $0) } == path)
    #expect(tree.shortPath(of: row) == short)
    for typed in [path, short, String(short.dropFirst()), short == "$" ? "." : String(short.dropFirst(2))]
    where typed.first != "\"" {
        #expect(try tree.node(atPath: typed) == row.node, "typed as \(typed)")
    }
}

@Test func `paths of many roots say which`() throws {
    let tree = JSONTree("{\"a\":1}\n{\"a\":[{}, 2, {\"b\": 3}]}", roots: .many)
    let row = try #require(tree.row(drawn: "\"b\": 3"))
    #expect(tree.shortPath(of: row) == "#2 $.a[2].b")
    #expect(try tree.node(atPath: "#2.a[2].b") == row.node)
    #expect(try tree.node(atPath: "#2 $.a[2].b") == row.node)
    #expect(tree.first.flatMap(tree.shortPath) == "#1 $")
    #expect(try tree.node(atPath: "#2") == tree.document.nextSibling(of: JSONNode(0)))
    #expect(try tree.node(atPath: "#9.a") == nil)
    #expect(throws: JSONPathError.self) { try tree.node(atPath: "$[") }
}

@Test func `rows lead to parents, siblings and children`() throws {
    let tree = JSONTree(text)
    let users = try #require(tree.row(drawn: "\"users\": ["))
    let none = try #require(tree.row(drawn: "\"none\": null,"))
    #expect(tree.sibling(of: users, forward: true) == none)
    #expect(tree.sibling(of: none, forward: false) == users)
    #expect(tree.parent(of: none) == tree.first)
    #expect(tree.parent(of: users).flatMap(tree.parent) == nil)
    #expect(tree.sibling(of: users, forward: false) == nil)
    let closing = try #require(tree.rows.last { $0.depth == 1 && $0.part == .end })
    #expect(tree.sibling(of: closing, forward: true) == none && tree.draw(closing) == "  ],")
}

@Test func `matches are shown with their paths`() throws {
    let document = JSONDocument(text)
    var found = try JSONPath("$..name").matches(in: document)
    var tree = JSONTree(document, columns: 60, matches: [found.next()].compactMap { $0 })
    #expect(tree.drawn == ["$.users[0].name: \"a\""])
    tree.append(matches: Array(found))
    #expect(tree.drawn == ["$.users[0].name: \"a\"", "$.users[1].name: \"b\""])
    #expect(tree.matchCount == 2 && tree.isFiltered)
    #expect(tree.last?.node.map { document.path(of: $0) } == "$['users'][1]['name']")
    tree.columns = 22
    #expect(tree.drawn == ["\u{2026}rs[0].name: \"a\"", "\u{2026}rs[1].name: \"b\""], "the end of a path tells more")
}

@Test func `of matches in each other, a byte is shown in the outermost`() throws {
    let document = JSONDocument("{\"b\": {\"n\": {\"n\": 1, \"x\": 2}}, \"n\": [3, {\"n\": 4}], \"z\": 5}")
    let matches = Array(try JSONPath("$..n").matches(in: document))
    var outer = JSONTree(document, columns: 60, matches: matches)
    outer.orderMatches()
    #expect(matches.map { document.source(of: $0).prefix(3) } == ["[3,", "{\"n", "1", "4"], "not in order")
    for (text, path) in [("1", "$.b.n"), ("2", "$.b.n"), ("3", "$.n"), ("4", "$.n"), ("5", nil), ("{\"b", nil)] {
        let offset = try #require(document.offset(of: text))
        let row = outer.row(atByte: offset)
        let match = row.flatMap { row in sequence(first: row) { outer.parent(of: $0) }.reduce(row) { $1 } }
        #expect(match.flatMap(outer.shortPath) == path, "the byte of \(text)")
    }
    var (offset, parts) = (0, [String]())
    while let part = outer.matchRange(endingAfter: offset) {
        parts.append(String(decoding: document.bytes(in: part), as: UTF8.self))
        offset = part.upperBound
    }
    #expect(parts == ["{\"n\": 1, \"x\": 2}", "[3, {\"n\": 4}]"])
}

@Test func `what is folded in a match is found and unfolded there`() throws {
    let document = JSONDocument("{\"a\": [{\"deep\": {\"er\": [{\"end\": 1}]}}]}")
    var tree = JSONTree(document, columns: 60, matches: Array(try JSONPath("$..deep").matches(in: document)))
    tree.fold(level: 1)
    #expect(tree.drawn == ["$.a[0].deep: {", "  \"er\": [\u{2026}] 1 item", "}"])
    let end = try #require(try JSONPath("$..end").matches(in: document).first { _ in true })
    tree.reveal(end)
    #expect(tree.drawn.contains("      \"end\": 1"), "\(tree.drawn)")
}

@Test func `a tree of matches takes in more of them and keeps its folds`() throws {
    let document = JSONDocument(text)
    let all = Array(try JSONPath("$.users.*").matches(in: document))
    var tree = JSONTree(document, columns: 60, matches: [all[0]])
    tree.fold(level: 0)
    var more = JSONTree(document, columns: 60, matches: all)
    while !more.extend(limit: 3) {}
    tree.update(more)
    #expect(tree.drawn == ["$.users[0]: {\u{2026}} 1 member", "$.users[1]: {\u{2026}} 2 members"])
    #expect(tree.rowCount == more.rowCount)
}

@Test(arguments: [1, 15, 16, 17, 40, 1100])
func `lines of many matches lead to them`(count: Int) throws {
    let document = JSONDocument(
        "["
            + (0..<count).map { $0 % 3 == 0 ? "{\"a\": [{}, \($0)],\n\"b\": {\"c\": 1}}" : "\($0)" }.joined(
                separator: ",")
            + "]")
    var tree = JSONTree(document, columns: 60, matches: Array(try JSONPath("$.*").matches(in: document)))
    while !tree.extend(limit: 100) {}
    let rows = tree.rows
    #expect(tree.rowCount == rows.count)
    #expect(rows.map(tree.lineNumber) == rows.indices.map { $0 })
    #expect(rows.indices.map(tree.row(atLine:)) == rows)
}

@Test func `matches fold and have lines of their own`() throws {
    let document = JSONDocument(text)
    var tree = JSONTree(document, columns: 60, matches: Array(try JSONPath("$.users[1]..*").matches(in: document)))
    #expect(tree.disorder == nil)
    while !tree.extend(limit: 5) {}
    #expect(tree.rowCount == tree.rows.count)
    #expect(tree.rows.map(tree.lineNumber) == tree.rows.indices.map { $0 })
    #expect(tree.rows.indices.map(tree.row(atLine:)) == tree.rows)
    #expect(tree.drawn[1...3] == ["$.users[1][\"odd key\"]: {", "  \"x\": [", "    ["])
    let before = tree.rows
    tree.fold(level: 0)
    #expect(tree.disorder == nil)
    #expect(tree.drawn[1] == "$.users[1][\"odd key\"]: {…} 1 member")
    #expect(tree.sibling(of: tree.rows[0], forward: true) == tree.rows[1])
    #expect(tree.sibling(of: tree.rows[1], forward: false) == tree.rows[0])
    #expect(before.allSatisfy { tree.visible($0)?.part == .value })
    #expect(JSONTree(document, columns: 60, matches: []).first == nil)
}

@Test func `counting a large container is bounded until it is indexed`() throws {
    var tree = JSONTree("{\"a\": [" + (1...1234).map { "\($0)" }.joined(separator: ",") + "]}")
    tree.fold(level: 1)
    #expect(tree.drawn[1] == "  \"a\": […] 1,000+ items")
    while !tree.extend(limit: 100) {}
    #expect(tree.drawn[1] == "  \"a\": […] 1,234 items")
}

@Test func `a query is asked of every root`() throws {
    let document = JSONDocument("{\"a\": [1, 2, 3]}\n{\"a\": [4]}\n{}\n{\"a\": [5, 6]}", roots: .many)
    var selection = JSONSelection(try JSONPath("$.a[*]"), in: document)
    var found: [String] = []
    while let node = selection.next() { found.append(document.source(of: node)) }
    #expect(found == ["1", "2", "3", "4", "5", "6"])
    #expect(!selection.wasCancelled)
    let matches = JSONTree(document, columns: 60, matches: Array(JSONSelection(try JSONPath("$.a"), in: document)))
    let last = JSONSelection(try JSONPath("$[-1]"), in: matches).map { document.source(of: $0) }
    #expect(last == ["3", "4", "6"], "each match is what $ stands for")
    let long = JSONDocument("[" + (0..<20_000).map { "[\($0)]" }.joined(separator: ",") + "]")
    var cancelled = JSONSelection(try JSONPath("$..x"), in: long) { true }
    #expect(cancelled.next() == nil && cancelled.wasCancelled)
    let lines = JSONDocument(String(repeating: "[]\n", count: 5000), roots: .many)
    var small = JSONSelection(try JSONPath("$.x"), in: lines) { true }
    #expect(small.next() == nil && small.wasCancelled, "though no root is large")
}

@Test func `what is shown can be written`() throws {
    let tree = JSONTree("{\"a\\nb\": \"x\\u00e9\", \"c\": [1,\n {\"d\": 2}]}")
    let matches = JSONTree(
        tree.document, columns: 60, matches: Array(try JSONPath("$.c[*]").matches(in: tree.document)))
    var writer = matches.writer(form: .formatted)
    #expect(writer.next() == Array("1\n{\n  \"d\": 2\n}".utf8))
}

@Test(arguments: [1, 3, 1 << 16])
func `matches are written a value a line, as they were sent`(portion: Int) throws {
    let document = JSONDocument("{\"a\": [[1,  2], [ 1,\n 2 ], \"x\\ny\", {\"b\" :\n\"c d\"}, 1.50]}")
    let nodes = Array(try JSONPath("$.a.*").matches(in: document))
    let tree = JSONTree(document, columns: 60, matches: nodes)
    var writer = tree.writer(form: .line)
    var (written, fractions) = ([UInt8](), [writer.fraction])
    while let more = writer.next(portion) {
        written += more
        fractions.append(writer.fraction)
    }
    let wanted = nodes.map { node -> String in
        var line: [UInt8] = []
        document.appendLine(of: node, to: &line)
        return String(decoding: line, as: UTF8.self)
    }
    #expect(wanted == ["[1,  2]", "[1,2]", "\"x\\ny\"", "{\"b\":\"c d\"}", "1.50"])
    #expect(String(decoding: written, as: UTF8.self) == wanted.joined(separator: "\n"))
    #expect(fractions == fractions.sorted() && fractions.first == 0 && fractions.last == 1, "\(fractions)")
}

@Test func `the rest of broken JSON grows with the body`() {
    let bytes = Bytes("[1, x\nmore\nand more\n".utf8)
    let index = JSONIndex(roots: .one)
    var tree = JSONTree(index.append(bytes[0..<5]), columns: 60)
    while !tree.extend(limit: 10) {}
    #expect(tree.drawn.suffix(1) == ["x"])
    tree.update(index.append(bytes))
    while !tree.extend(limit: 10) {}
    #expect(tree.drawn.suffix(3) == ["x", "more", "and more"])
    tree.update(index.finish())
    while !tree.extend(limit: 10) {}
    #expect(tree.rowCount == 6 && tree.rows.map(tree.lineNumber) == tree.rows.indices.map { $0 })
    #expect(tree.rows.indices.map(tree.row(atLine:)) == tree.rows)
    #expect(tree.disorder == nil)
}
