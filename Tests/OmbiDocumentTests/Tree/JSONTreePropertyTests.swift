import TestSupport
import Testing

@testable import OmbiDocument

@Test func `every truncation of a sample shows something, in order`() {
    let bytes = Array(JSONSamples.mixed.utf8)
    for count in bytes.indices {
        var tree = JSONTree(JSONDocument(Array(bytes.prefix(count))), columns: 60)
        #expect(tree.first != nil && tree.disorder == nil, "after \(count) bytes: \(tree.disorder ?? "nothing")")
        tree.extend(limit: .max)
        #expect(tree.rows.map(tree.lineNumber).first == 0, "after \(count) bytes")
        if tree.document.error != nil { #expect(tree.rows.contains { $0.part == .error }, "after \(count) bytes") }
        tree.fold(level: 0)
        #expect(tree.disorder == nil, "folded, after \(count) bytes: \(tree.disorder ?? "")")
    }
}

@Test func `whatever happens to a sample, its rows stay in order`() {
    let sample = Array("{\"a\\n\": [1.5e3, \"é\\u00e9\", [true]],\n\"b\":{\"c\":[{}, 1]}}".utf8)
    for bytes in Damage.versions(of: sample) {
        var tree = JSONTree(JSONDocument(bytes, roots: .many), columns: 20)
        #expect(tree.disorder == nil, "\(String(decoding: bytes, as: UTF8.self)): \(tree.disorder ?? "")")
        while !tree.extend(limit: 2) {}
        let lines = tree.rows.compactMap(tree.lineNumber)
        #expect(lines == lines.sorted() && lines.count == tree.rows.count, "\(String(decoding: bytes, as: UTF8.self))")
    }
}

/// Arrays and objects in each other, at random.
private func randomJSON(_ random: inout SeededRandom, depth: Int = 0) -> String {
    let count = Int(random.next() % 30)
    switch random.next() % (depth > 4 ? 2 : 5) {
    case 0: return "\(random.next() % 1000)"
    case 1: return "\"\(String(repeating: "s", count: count))\""
    case 2: return "[" + (0..<count).map { "\($0)" }.joined(separator: ", ") + "]"
    case 3: return "[" + (0..<count / 4).map { _ in randomJSON(&random, depth: depth + 1) }.joined(separator: ",") + "]"
    default:
        return "{"
            + (0..<count / 4).map { "\"k\($0)\": " + randomJSON(&random, depth: depth + 1) }.joined(separator: ",")
            + "}"
    }
}

@Test(arguments: 1...6)
func `random documents lead everywhere, folded or not, indexed or not`(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let text = "[" + (0..<60).map { _ in randomJSON(&random) }.joined(separator: ",\n") + "]"
    let document = JSONDocument(text)
    #expect(document.error == nil)
    var tree = JSONTree(document, columns: 60)
    while !tree.extend(limit: 700) {}
    let plain = JSONTree(document, columns: 60)
    #expect(tree.disorder == nil)
    let rows = tree.rows
    #expect(rows.map(tree.lineNumber) == rows.indices.map { $0 })
    for line in stride(from: 0, to: rows.count, by: 7) { #expect(tree.row(atLine: line) == rows[line]) }
    for row in rows where random.next() % 5 == 0 {
        let node = try #require(row.node)
        #expect(tree.row(of: node) == plain.row(of: node))
        #expect(tree.parent(of: row) == plain.parent(of: row))
        #expect(try tree.node(atPath: tree.shortPath(of: row) ?? "") == node)
        #expect(tree.row(atByte: tree.byte(of: row)) == row)
    }
    for row in rows where row.part == .value && random.next() % 5 == 0 { tree.toggle(row) }
    #expect(tree.disorder == nil)
    for line in stride(from: 0, to: rows.count, by: 11) {
        let found = try #require(tree.row(atLine: line))
        #expect(tree.visible(rows[line]) == found)
    }
    for row in rows { row.node.map { tree.reveal($0) } }
    for row in rows where tree.isFolded(row) && row.part == .value { tree.toggle(row) }
    #expect(tree.rows == rows)
}

@Test(arguments: 1...12)
func `all rows joined give the values of the body back`(seed: Int) {
    var random = SeededRandom(seed: seed)
    let text =
        seed == 1 ? JSONSamples.mixed : "[" + (0..<20).map { _ in randomJSON(&random) }.joined(separator: ",\n") + "]"
    let document = JSONDocument(text.replacing("\"twice\": 1, ", with: ""))
    var tree = JSONTree(document, columns: 10_000)
    tree.fold(level: 0)
    #expect(tree.drawn.count == 1)
    tree.unfoldAll()
    #expect(JSONDocument(tree.drawn.joined(separator: "\n")).rebuilt == document.rebuilt)
}

@Test func `a body that arrives keeps its rows and folds`() throws {
    var random = SeededRandom(seed: 5)
    let bytes = Bytes(("[" + (0..<40).map { _ in randomJSON(&random) }.joined(separator: ",") + "]").utf8)
    let index = JSONIndex(roots: .one)
    var tree = JSONTree(index.append(bytes[0..<0]), columns: 60)
    var folded: [JSONNode] = []
    var cursor: JSONRow?
    for count in stride(from: 50, through: bytes.count, by: 170) {
        tree.update(index.append(bytes[0..<count]))
        tree.extend(limit: 1000)
        #expect(tree.disorder == nil, "after \(count) bytes")
        if folded.count < 3,
            let row = tree.rows.last(where: { $0.part == .value && $0.depth > 0 && tree.isFoldable($0) })
        {
            tree.toggle(row)
            folded += row.node.map { [$0] } ?? []
        }
        let last = cursor
        cursor = cursor.flatMap(tree.visible) ?? tree.last
        if let last, let cursor { #expect(cursor <= last, "the cursor is where it was or what that is folded into") }
    }
    _ = index.append(bytes)
    tree.update(index.finish())
    while !tree.extend(limit: 1000) {}
    var fresh = JSONTree(tree.document, columns: 60)
    while !fresh.extend(limit: .max) {}
    #expect(tree.rowCount == fresh.rowCount)
    let foldable = folded.filter { node in fresh.row(of: node).map(fresh.isFoldable) ?? false }
    for node in foldable { fresh.row(of: node).map { _ = fresh.toggle($0) } }
    #expect(tree.rows == fresh.rows)
}

@Test func `depth is no matter`() throws {
    let depth = 100_000
    let text = String(repeating: "[", count: depth - 1) + "{\"a\":1}" + String(repeating: "]", count: depth - 1)
    var tree = JSONTree(JSONDocument(text), columns: 60)
    while !tree.extend(limit: 10_000) {}
    #expect(tree.rowCount == 2 * depth + 1)
    let middle = try #require(tree.row(atLine: depth))
    #expect(tree.draw(middle) == "⋯ depth 100,000 \"a\": 1")
    #expect(tree.row(before: middle).map(tree.draw) == "⋯ depth 99,999 {")
    #expect(tree.last.map(tree.draw) == "]")
    #expect(tree.lineNumber(of: middle) == depth)
    #expect(tree.parent(of: middle) == tree.row(before: middle))
    #expect(middle.node.map { tree.document.path(of: $0).count } == 1 + 3 * (depth - 1) + 5)
    tree.fold(level: 0)
    #expect(tree.visible(middle) == tree.first)
    tree.reveal(try #require(middle.node))
    #expect(tree.visible(middle) == middle)
}

@Test(arguments: [(1, "$..*"), (2, "$..k1"), (3, "$[::-1]"), (4, "$[*][*]"), (5, "$[3,1,3]..*"), (6, "$")])
func `matches of random documents lead everywhere`(seed: Int, path: String) throws {
    var random = SeededRandom(seed: seed)
    let document = JSONDocument("[" + (0..<40).map { _ in randomJSON(&random) }.joined(separator: ",\n") + "]")
    let matches = Array(try JSONPath(path).matches(in: document))
    var tree = JSONTree(document, columns: 60, matches: [])
    // In portions that end anywhere.
    var left = matches[...]
    while !left.isEmpty {
        tree.append(matches: Array(left.prefix(7)))
        left = left.dropFirst(7)
    }
    tree.orderMatches()
    while !tree.extend(limit: 700) {}
    #expect(tree.disorder == nil)
    let rows = tree.rows
    #expect(rows.map(tree.lineNumber) == rows.indices.map { $0 })
    for line in stride(from: 0, to: rows.count, by: 7) { #expect(tree.row(atLine: line) == rows[line]) }
    // Every byte of a match is in a part, no other is, and parts do not overlap.
    let ranges = matches.map { document.range(of: $0) }
    var shown = Set<Int>()
    var offset = 0
    while let part = tree.matchRange(endingAfter: offset) {
        #expect(part.lowerBound >= offset && ranges.contains(part))
        shown.formUnion(part)
        offset = part.upperBound
    }
    #expect(shown == ranges.reduce(into: Set()) { $0.formUnion($1) })
    // A byte leads to a row that shows it, in a match that is in no other.
    for byte in stride(from: 0, to: document.byteCount, by: 23) where shown.contains(byte) {
        guard let row = tree.row(atByte: byte) else {
            Issue.record("byte \(byte) leads nowhere")
            continue
        }
        let top = ranges[Int(row.match)]
        #expect(top.contains(byte))
        #expect(!ranges.contains { $0.count > top.count && $0.contains(byte) }, "byte \(byte) is in a larger match")
    }
}
