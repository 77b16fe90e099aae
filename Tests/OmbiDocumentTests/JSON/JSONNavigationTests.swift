import Testing

@testable import OmbiDocument

private let document = JSONDocument("{\"a\": [10, [20, 21], {}], \"b\\u0063\" : {\"d\": \"x\\ty\"}, \"e\": null}")

@Test func `children, siblings and parents lead to one another`() throws {
    let root = try #require(document.firstRoot)
    let array = try #require(document.node(0))
    #expect(document.childCount(of: root) == 3)
    #expect(document.children(of: root).map { document.kind(of: $0) } == [.array, .object, .null])
    #expect(document.lastChild(of: root).map(document.source) == "null")
    #expect(document.node(1).flatMap(document.previousSibling) == array)
    #expect(document.node(0, 1, 1).map(document.source) == "21")
    let location = document.node(0, 2).flatMap(document.location)
    #expect(location?.parent == array && location?.index == 2)
    #expect(document.node(0, 1, 1).map(document.ancestors) == [root, array, document.node(0, 1)].compactMap { $0 })
    #expect(document.node(0, 2).flatMap(document.firstChild) == nil)
    #expect(document.child(at: 3, of: root) == nil)
    #expect(document.child(at: -1, of: root) == nil)
    #expect(document.parent(of: root) == nil)
    #expect(document.nextSibling(of: root) == nil)
}

@Test func `a subtree is skipped in one step`() throws {
    let array = try #require(document.node(0))
    #expect(document.next(after: array) == document.node(0, 0))
    #expect(document.node(0, 2).flatMap(document.next(after:)) == document.node(1))
    #expect(document.node(2).flatMap(document.next(after:)) == nil)
}

@Test func `keys and strings are decoded, sources are as sent`() throws {
    #expect(document.node(1).flatMap(document.key)?.string == "bc")
    #expect(document.node(1, 0).flatMap(document.text)?.string == "x\ty")
    #expect(document.node(1, 0).map(document.source) == "\"x\\ty\"")
    #expect(document.node(0, 0).flatMap(document.key) == nil)
    #expect(document.node(0, 0).flatMap(document.text) == nil)
    #expect(document.node(1).map(document.source) == "{\"d\": \"x\\ty\"}")
    let digits = "-0.10000000000000000000000000000000000001E+0005"
    let number = JSONDocument(digits)
    #expect(number.firstRoot.map(number.source) == digits)
}

@Test(arguments: [
    ("\"\\uD83D\\uDE00\"", "😀", false), ("\"\\uD83D\"", "\u{FFFD}", true),
    ("\"\\uDE00\\uD83D\"", "\u{FFFD}\u{FFFD}", true),
    ("\"\\uD83Dx\\u00e9\\u6771\"", "\u{FFFD}xé東", true), ("\"\\uD83D\\n\"", "\u{FFFD}\n", true),
    ("\"\\uD83D\\u0041\"", "\u{FFFD}A", true), ("\"\\\\u0041\\/\"", "\\u0041/", false), ("\"\\u0000\"", "\0", false),
])
func `escapes are resolved and lone surrogates marked`(literal: String, string: String, isLone: Bool) {
    let document = JSONDocument(literal)
    let text = document.firstRoot.flatMap(document.text)
    #expect(text?.string == string)
    #expect(text?.hasLoneSurrogates == isLone)
}

@Test func `a key is found from its value however it is written`() {
    let keys = ["", "\\\\", "\\\"", "a\\\\\\\"b", "\\\\\\\\", ":", "{", " \\\": "]
    let document = JSONDocument("{" + keys.map { "\"\($0)\" \t:\n [\":\"]" }.joined(separator: " , ") + "}")
    let found = document.firstRoot.map { document.children(of: $0).compactMap(document.keyBytes) } ?? []
    #expect(found.map { String(decoding: document.bytes(in: $0), as: UTF8.self) } == keys.map { "\"\($0)\"" })
    #expect(document.node(0, 0).flatMap(document.keyBytes) == nil)
}

@Test func `keys of every length are found, the first one at the beginning of the document, too`() {
    for length in 0...40 {
        for ending in ["", "\\\\", "\\\""] {
            let key = String(repeating: "é".prefix(length % 2) + "k", count: length) + ending
            let document = JSONDocument("{\"\(key)\":1,\"\(key)z\":2}")
            let found = document.firstRoot.map { document.children(of: $0).compactMap(document.keyBytes) } ?? []
            #expect(
                found.map { String(decoding: document.bytes(in: $0), as: UTF8.self) } == ["\"\(key)\"", "\"\(key)z\""])
        }
    }
}

@Test func `a byte of the body belongs to a value`() throws {
    //           0123456789012345678901234
    let text = " {\"a\": [1 , \"x\"], \"b\":2} "
    let document = JSONDocument(text)
    let root = document.firstRoot
    let array = document.node(0)
    let expected: [JSONNode?] =
        [nil, root] + Array(repeating: array, count: 6) + [document.node(0, 0), array, array, array]
        + Array(repeating: document.node(0, 1), count: 3) + [array, root, root]
        + Array(repeating: document.node(1), count: 5) + [root, nil]
    let found = (0..<text.utf8.count).map { document.node(atByte: $0) }
    for (byte, pair) in zip(found, expected).enumerated() { #expect(pair.0 == pair.1, "byte \(byte)") }
    #expect(document.node(atByte: -1) == nil && document.node(atByte: 100) == nil)
}

@Test func `a node of another document traps nothing`() throws {
    let long = JSONDocument("[1, 2, 3, 4, 5]")
    let short = JSONDocument("[]")
    let foreign = try #require(long.node(4))
    #expect(!short.contains(foreign))
    #expect(short.source(of: foreign).isEmpty)
    #expect(short.parent(of: foreign) == nil && short.next(after: foreign) == nil && short.key(of: foreign) == nil)
    #expect(short.childCount(of: foreign) == 0 && !short.isUnfinished(foreign))
}
