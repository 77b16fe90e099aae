import TestSupport
import Testing

@testable import OmbiDocument

/// Two JSON documents as the text that shows what differs.
struct JSONDiffTextTests {
    private func tree(_ text: String) -> JSONTree {
        var tree = JSONTree(JSONDocument(text, roots: .many), columns: 80)
        while !tree.extend(limit: .max >> 8) {}
        return tree
    }

    private func text(_ old: String, _ new: String, context: Int = 1, limit: Int = 1 << 20) -> DiffText {
        var text = DiffText(old: "old", new: "new", context: context, limit: limit)
        let isDone = text.add(from: tree(old), to: tree(new))
        #expect(isDone)
        return text
    }

    private func lines(_ old: String, _ new: String, context: Int = 1) -> [String] {
        Array(DiffSample.lines(of: text(old, new, context: context)).dropFirst(2))
    }

    @Test func `what changed is shown with what is around it, behind its path`() {
        let found = lines(
            "{\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"d2\":4,\"tags\":[\"x\",\"y\"],\"e\":{\"f\":1,\"g\":[{\"h\":1}]},\"z\":0}",
            "{\"a\":1,\"b\":20,\"c\":3,\"d\":4,\"d2\":4,\"tags\":[\"x\",\"z\"],\"e\":{\"f\":1,\"g\":[{\"h\":2}, 3]}}")
        #expect(
            found == [
                "@@ $.b", "   \"a\": 1,", "-  \"b\": 2,", "+  \"b\": 20,", "   \"c\": 3,", "@@ $.tags", "   \"d2\": 4,",
                "-  \"tags\": [\"x\", \"y\"],", "+  \"tags\": [\"x\", \"z\"],", "   \"e\": {", "@@ $.e.g[0]",
                "     \"g\": [", "-      {", "-        \"h\": 1", "-      }", "+      {", "+        \"h\": 2",
                "+      },",
                "+      3", "     ]", "   }", "-  \"z\": 0", " }",
            ])
    }

    @Test func `key order, white space and escapes are no differences`() {
        let same = text("{\"a\":1,\"b\":[\"\\u00e9\"]}", "{ \"b\" : [\n\"é\"], \"a\":1 }")
        #expect(same.isSame && same.count == 0)
    }

    @Test func `a member that is gone is shown where it was, also when others changed their places`() {
        #expect(
            lines("{\"c\":3,\"x\":0,\"a\":1}", "{\"a\":9,\"c\":3}") == [
                "@@ $.a", " {", "-  \"a\": 1", "+  \"a\": 9,", "   \"c\": 3", "-  \"x\": 0,", " }",
            ])
        #expect(lines("{\"x\":0,\"a\":1}", "{\"a\":1}") == ["@@ $.x", " {", "-  \"x\": 0,", "   \"a\": 1"])
    }

    @Test func `an array on one line is one line, however many of its elements changed`() {
        #expect(
            lines("{\"t\":[1,2,3,4]}", "{\"t\":[0,2,5]}") == [
                "@@ $.t", " {", "-  \"t\": [1, 2, 3, 4]", "+  \"t\": [0, 2, 5]", " }",
            ])
        #expect(lines("[]", "[{\"a\":1}]") == ["@@ $", "-[]", "+[", "+  {", "+    \"a\": 1", "+  }", "+]"])
    }

    @Test func `values one after another are compared as elements are`() {
        #expect(
            lines("{\"a\":1}\n2\n3\n4", "{\"a\":1}\n3\n5") == [
                "@@ #2 $", " }", "-2", " 3", "-4", "+5",
            ])
        #expect(lines("1", "2\n") == ["@@ $", "-1", "+2"])
        #expect(lines("", "[]") == ["@@ $", "+[]"])
        #expect(lines("1\n2", "2") == ["@@ #1 $", "-1", " 2"])
    }

    @Test func `places have the names of their members as they are`() {
        #expect(
            lines("{\"a b\":{\"\\u0001\":[[1]]}}", "{\"a b\":{\"\\u0001\":[[2]]}}").first
                == "@@ $[\"a b\"][\"\\u0001\"][0]")
        #expect(lines("[[[1]],[{}]]", "[[[2]],[{}]]", context: 0) == ["@@ $[0][0]", "-    [1]", "+    [2]"])
    }

    @Test func `long strings are cut around what differs`() {
        let long = String(repeating: "x", count: 50_000)
        let found = lines("{\"s\":\"\(long)1\(long)\"}", "{\"s\":\"\(long)2\(long)\"}")
        #expect(found[2].hasPrefix("-  \"s\": \u{2026}(48,977 bytes)\u{2026}xxx"), "\(found[2].prefix(50))")
        #expect(found[2].contains("x1x") && found[3].contains("x2x"))
    }

    @Test func `a text that would be too long ends with a word about it`() {
        let cut = text("[]", "[" + (0..<1000).map { "[\($0)]" }.joined(separator: ",") + "]", limit: 500)
        #expect(DiffSample.lines(of: cut).last == "@@ more differs, which is not shown")
        #expect(cut.isCut && cut.bytes.count < 600)
    }

    /// The lines of a document as the tree shows them.
    private func formatted(_ text: String) -> [String] { formatted(Array(text.utf8)) }

    private func formatted(_ bytes: [UInt8]) -> [String] {
        var writer = JSONWriter(JSONDocument(bytes), form: .formatted)
        var output: [UInt8] = []
        while let portion = writer.next() { output += portion }
        return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test func `whatever byte of a document is another one, the text has every line of what came of it`() {
        let old = tree(JSONSamples.mixed)
        for version in Damage.versions(of: Array(JSONSamples.mixed.utf8)) {
            let document = JSONDocument(version)
            guard document.error == nil else { continue }
            var text = DiffText(old: "old", new: "new", context: 1000)
            let isDone = text.add(from: old, to: JSONTree(document, columns: 80))
            let lines = DiffSample.lines(of: text).dropFirst(3).filter { $0.first != "-" }.map {
                String($0.dropFirst())
            }
            #expect(
                isDone && (text.isSame || lines == formatted(version)), "\(String(decoding: version, as: UTF8.self))")
        }
    }

    @Test(arguments: 0..<60)
    func `with all that is around, the text has every line of both documents`(seed: Int) {
        var random = SeededRandom(seed: seed + 1)
        let old = RandomJSON.value(&random, depth: 4)
        let new = seed % 3 == 0 ? RandomJSON.value(&random, depth: 4) : RandomJSON.changed(old, &random)
        let shown = lines(old.text, new.text, context: 100_000).dropFirst()
        func side(_ sign: Character) -> [String] {
            shown.filter { $0.first == sign || $0.first == " " }.map { String($0.dropFirst()) }
        }
        // Commas and the order of members are those of the newer document.
        func loose(_ lines: [String]) -> [String] {
            lines.map { $0.hasSuffix(",") ? String($0.dropLast()) : $0 }.sorted()
        }
        guard !shown.isEmpty else {
            #expect(loose(formatted(old.text)) == loose(formatted(new.text)))
            return
        }
        #expect(side("+") == formatted(new.text))
        #expect(loose(side("-")) == loose(formatted(old.text)))
    }

    @Test func `deep documents are written without recursion`() {
        func deep(_ inner: String) -> String {
            String(repeating: "[[", count: 20_000) + inner + String(repeating: "],2]", count: 20_000)
        }
        let found = lines(deep("1"), deep("3"))
        #expect(found.count == 5)
        #expect(found.first == "@@ depth 39,999")
        #expect(found.allSatisfy { $0.utf8.count < 5000 })
    }

    @Test func `comparing can be given up`() {
        var text = DiffText(old: "old", new: "new")
        let isDone = text.add(from: tree("1"), to: tree("2"), isCancelled: { true })
        #expect(!isDone)
    }
}

/// JSON that looks random, and what may become of it.
private indirect enum RandomJSON {
    case scalar(Int)
    case array([RandomJSON])
    case object([(key: Int, value: RandomJSON)])

    static func value(_ random: inout SeededRandom, depth: Int) -> RandomJSON {
        let count = Int(random.next() % 5)
        switch depth > 0 ? random.next() % 3 : 0 {
        case 0: return .scalar(Int(random.next() % 4))
        case 1: return .array((0..<count).map { _ in value(&random, depth: depth - 1) })
        default: return .object((0..<count).map { ($0, value(&random, depth: depth - 1)) })
        }
    }

    /// The same with something else in it, members in another order.
    static func changed(_ value: RandomJSON, _ random: inout SeededRandom) -> RandomJSON {
        switch value {
        case .scalar(let number): return random.next() % 4 == 0 ? .scalar(number + 10) : value
        case .array(var elements):
            for index in elements.indices { elements[index] = changed(elements[index], &random) }
            if random.next() % 3 == 0 { elements.insert(Self.value(&random, depth: 1), at: elements.count / 2) }
            if random.next() % 4 == 0, !elements.isEmpty { elements.removeFirst() }
            return .array(elements)
        case .object(var members):
            for index in members.indices { members[index].value = changed(members[index].value, &random) }
            if random.next() % 3 == 0 { members.append((9, Self.value(&random, depth: 1))) }
            if random.next() % 4 == 0, !members.isEmpty { members.remove(at: members.count / 2) }
            members.shuffle(using: &random)
            return .object(members)
        }
    }

    var text: String {
        switch self {
        case .scalar(let number): number % 2 == 0 ? "\(number)" : "\"s\(number)\""
        case .array(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
        case .object(let members): "{" + members.map { "\"k\($0.key)\":\($0.value.text)" }.joined(separator: ",") + "}"
        }
    }
}
