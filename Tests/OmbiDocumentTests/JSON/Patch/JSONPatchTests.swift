import TestSupport
import Testing

@testable import OmbiDocument

@Suite struct JSONPatchTests {
    private static func patched(_ source: String, _ new: String) throws -> String {
        let document = try JSONDocument(checking: Bytes(source.utf8))
        let root = try #require(document.firstRoot)
        let bytes = JSONPatch.text(
            document, from: document.value(of: root), to: try JSONValue.parse(new), identifyingKeys: ["name"])
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: [
        ("{ \"a\" :1.50,\"b\":\"\\u00e9\" }", #"{"a":1.50,"b":"x"}"#, "{ \"a\" :1.50,\"b\":\"x\" }"),
        ("\u{FEFF}[1,\r\n\t2 ]\r\n\r\n", "[1,3]", "\u{FEFF}[1,\r\n\t3 ]\r\n\r\n"),
        (
            "{\"z\": 1,   \"a\": {\"y\": [ ], \"x\": 2}}", #"{"z":1,"a":{"y":[],"x":3}}"#,
            "{\"z\": 1,   \"a\": {\"y\": [ ], \"x\": 3}}"
        ),
    ])
    func `only the value that differs is written`(source: String, new: String, text: String) throws {
        #expect(try Self.patched(source, new) == text)
    }

    @Test(arguments: [
        // At the end, in front, in between.
        ("{\n\t\"a\": 1\n}", #"{"a":1,"b":[{"c":2}]}"#, "{\n\t\"a\": 1,\n\t\"b\": [\n\t\t{ \"c\": 2 }\n\t]\n}"),
        ("[\r\n  1,\r\n  3\r\n]", "[0,1,2,3]", "[\r\n  0,\r\n  1,\r\n  2,\r\n  3\r\n]"),
        ("{ \"a\": 1 }", #"{"a":1,"b":2}"#, "{ \"a\": 1, \"b\": 2 }"),
        ("{\"a\": [1]}", #"{"a":[1,2]}"#, "{\"a\": [1, 2]}"),
        ("{\"a\":[1]}", #"{"a":[1,{"b":2}]}"#, "{\"a\":[1,{\"b\":2}]}"),
        ("[\n    1\n  , 2\n]", "[1,2,3]", "[\n    1\n  , 2\n  , 3\n]"),
        ("{\n  \"a\": []\n}\n", #"{"a":[{"b":{}}]}"#, "{\n  \"a\": [\n    { \"b\": {} }\n  ]\n}\n"),
    ])
    func `what is new takes lines of its own, indented as those beside it`(
        source: String, new: String, text: String
    ) throws {
        #expect(try Self.patched(source, new) == text)
    }

    @Test func `what takes lines by itself stays on the line of its container where it fits, and spreads it elsewhere`()
        throws
    {
        let added = #""b":{"c":{"d":2}}"#
        let short = "{\r\n  \"x\": { \"a\":1 }\r\n}"
        #expect(
            try Self.patched(short, "{\"x\":{\"a\":1,\(added)}}")
                == "{\r\n  \"x\": { \"a\":1, \"b\":{ \"c\": { \"d\": 2 } } }\r\n}")
        let text = String(repeating: "a", count: 70)
        let long = "{\n\t\"x\": {\"a\":\"\(text)\"}\n}"
        #expect(
            try Self.patched(long, "{\"x\":{\"a\":\"\(text)\",\(added)}}")
                == "{\n\t\"x\": {\n\t\t\"a\":\"\(text)\",\n\t\t\"b\": {\n\t\t\t\"c\": { \"d\": 2 }\n\t\t}\n\t}\n}")
    }

    @Test(arguments: [
        ("[\n  1,\n  2,\n  3\n]", "[2,3]", "[\n  2,\n  3\n]"), ("[\n  1,\n  2,\n  3\n]", "[1,3]", "[\n  1,\n  3\n]"),
        ("[\n  1,\n  2,\n  3\n]", "[1,2]", "[\n  1,\n  2\n]"),
        ("{\n  \"a\": [ 1 ]\n}", #"{"a":[]}"#, "{\n  \"a\": []\n}"),
        ("{ \"a\": 1, \"b\": 2 }", #"{"b":2}"#, "{ \"b\": 2 }"),
    ])
    func `what is deleted takes its lines away`(source: String, new: String, text: String) throws {
        #expect(try Self.patched(source, new) == text)
    }

    @Test(arguments: [
        (
            "[\n {\"name\":  \"a\"},\n\n {\"name\":\"b\"}\n]", #"[{"name":"b"},{"name":"a"}]"#,
            "[\n {\"name\":\"b\"},\n\n {\"name\":  \"a\"}\n]"
        ),
        (
            "[{\"name\":  \"a\", \"v\":  1}, {\"name\":\"b\"}]", #"[{"name":"b"},{"name":"a","v":2}]"#,
            "[{\"name\":\"b\"}, {\"name\":  \"a\", \"v\":  2}]"
        ),
        (
            "[{\"name\":  \"a\"}, {\"name\":\"b\"}]", #"[{"name":"c"},{"name":"b"}]"#,
            "[{\"name\":  \"c\"}, {\"name\":\"b\"}]"
        ),
        ("{\"a\":  1, \"b\":2, \"c\" :3}", #"{"c":3,"b":2,"a":1}"#, "{\"c\" :3, \"b\":2, \"a\":  1}"),
    ])
    func `what moves keeps its text`(source: String, new: String, text: String) throws {
        #expect(try Self.patched(source, new) == text)
    }

    @Test func `what neither value has stays, and what only the new one says otherwise is written`() throws {
        let source = "{\"enabled\": true, \"note\": \"\", \"value\": \"a\"}"
        let document = try JSONDocument(checking: Bytes(source.utf8))
        func text(_ new: String) throws -> String {
            let old = try JSONValue.parse(#"{"method": "GET", "value": "a"}"#)
            return String(decoding: JSONPatch.text(document, from: old, to: try JSONValue.parse(new)), as: UTF8.self)
        }
        #expect(
            try text(#"{"method": "GET", "value": "b"}"#) == source.replacing("\"a\"", with: "\"b\""))
        #expect(
            try text(#"{"method": "PUT", "value": "a", "enabled": false}"#)
                == "{\"method\": \"PUT\", \"enabled\": false, \"note\": \"\", \"value\": \"a\"}")
    }

    /// A text, the value that it represents, the edited value, and the text after the edit.
    @Test(arguments: [
        ("{\"a\": 200}", #"{"a":"200"}"#, #"{"a":"201"}"#, "{\"a\": 201}"),
        ("{\"a\": 200}", #"{"a":"200"}"#, #"{"a":"0201"}"#, "{\"a\": \"0201\"}"),
        ("{\"a\": \"5\"}", #"{"a":5}"#, #"{"a":6}"#, "{\"a\": \"6\"}"),
        ("{\"a\": [1, 2]}", #"{"a":["1","2"]}"#, #"{"a":["1","3","x"]}"#, "{\"a\": [1, 3, \"x\"]}"),
        ("{\"a\": [ 1 ]}", #"{"a":"1"}"#, #"{"a":"2"}"#, "{\"a\": [ 2 ]}"),
        // As it represents itself, it may become anything.
        ("{\"a\": 200}", #"{"a":200}"#, #"{"a":"201"}"#, "{\"a\": \"201\"}"),
        ("{\"a\": [1]}", #"{"a":[1]}"#, #"{"a":"2"}"#, "{\"a\": \"2\"}"),
    ])
    func `a number stays without quotes, and a list of one a list`(
        source: String, old: String, new: String, text: String
    ) throws {
        let document = try JSONDocument(checking: Bytes(source.utf8))
        let bytes = JSONPatch.text(document, from: try JSONValue.parse(old), to: try JSONValue.parse(new))
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }

    @Test func `random edits give the edited value, and leave the bytes of everything else`() throws {
        var random = SeededRandom(seed: 11)
        for round in 0..<1500 {
            let source = JSONValue.object([
                .init("a", .random(depth: 4, &random)), .init("b", .random(depth: 4, &random)),
            ])
            let text = source.oddText(&random)
            let document = try JSONDocument(checking: Bytes(text.utf8))
            let root = try #require(document.firstRoot)
            #expect(document.value(of: root) == source)
            var edited = source
            for _ in 0..<Int.random(in: 1...3, using: &random) { edited = edited.edited(&random) }
            let patched = JSONPatch.text(document, from: source, to: edited)
            let again = try JSONDocument(checking: Bytes(patched))
            let newRoot = try #require(again.firstRoot)
            #expect(again.value(of: newRoot) == edited, "round \(round): \(text)")
            let changed = Self.rewritten(root, of: document, newRoot, of: again)
            #expect(changed == [], "round \(round): \(text)")
        }
    }

    /// The texts of members that have the same value in both documents, and other bytes.
    private static func rewritten(
        _ old: JSONNode, of before: JSONDocument, _ new: JSONNode, of after: JSONDocument
    ) -> [String] {
        if before.value(of: old) == after.value(of: new) {
            return before.source(of: old) == after.source(of: new) ? [] : [before.source(of: old)]
        }
        let (children, others) = (Array(before.children(of: old)), Array(after.children(of: new)))
        guard before.kind(of: old) == after.kind(of: new) else { return [] }
        if before.kind(of: old) == .object {
            let keys = others.map { after.key(of: $0)?.string }
            guard before.duplicateKeys.isEmpty, after.duplicateKeys.isEmpty else { return [] }
            return children.flatMap { child in
                keys.firstIndex(of: before.key(of: child)?.string).map {
                    rewritten(child, of: before, others[$0], of: after)
                } ?? []
            }
        }
        let pairs = Array(zip(children, others))
        let differing = pairs.filter { before.value(of: $0) != after.value(of: $1) }
        guard children.count == others.count, differing.count == 1 else { return [] }
        return pairs.flatMap { rewritten($0, of: before, $1, of: after) }
    }
}

extension JSONValue {
    /// A text of the value with white space and escapes that nobody would write.
    fileprivate func oddText(_ random: inout SeededRandom) -> String {
        func space() -> String { ["", "", " ", "\n", "\r\n  ", "\t"].randomElement(using: &random) ?? "" }
        func string(_ text: String) -> String {
            Bool.random(using: &random)
                ? JSONValue.quoted(text)
                : "\""
                    + text.utf16.map { "\\u" + $0.digits(4, radix: 16) }.joined() + "\""
        }
        switch self {
        case .array(let elements):
            let texts = elements.map { space() + $0.oddText(&random) + space() }
            return "[" + (texts.isEmpty ? space() : texts.joined(separator: ",")) + "]"
        case .object(let members):
            let texts = members.map {
                space() + string($0.key) + space() + ":" + space() + $0.value.oddText(&random) + space()
            }
            return "{" + (texts.isEmpty ? space() : texts.joined(separator: ",")) + "}"
        case .string(let text): return string(text)
        case .null, .bool, .number: return compact
        }
    }

    /// The value with one change somewhere in it.
    fileprivate func edited(_ random: inout SeededRandom) -> JSONValue {
        switch self {
        case .array(var elements) where !elements.isEmpty:
            let index = elements.indices.randomElement(using: &random) ?? 0
            switch Int.random(in: 0...4, using: &random) {
            case 0: elements.remove(at: index)
            case 1: elements.insert(.random(depth: 2, &random), at: index)
            case 2: elements.append(elements.remove(at: index))
            default: elements[index] = elements[index].edited(&random)
            }
            return .array(elements)
        case .object(var members) where !members.isEmpty:
            let index = members.indices.randomElement(using: &random) ?? 0
            switch Int.random(in: 0...5, using: &random) {
            case 0: members.remove(at: index)
            case 1: members.insert(Member("new\(random.next())", .random(depth: 2, &random)), at: index)
            case 2: members.append(members.remove(at: index))
            case 3: members[index].key += "'"
            default: members[index].value = members[index].value.edited(&random)
            }
            return .object(members)
        case .null, .bool, .number, .string, .array, .object: return .random(depth: 2, &random)
        }
    }
}
