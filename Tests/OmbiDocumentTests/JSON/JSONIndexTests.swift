import Testing

@testable import OmbiDocument

@Test(arguments: [
    "0", "-0", "10", "1.5", "-1.25e10", "1E-2", "0e0", "0.0E+1", "true", "false", "null", "\"\"", "[]", "{}",
    " \t\r\n1 ",
    "[1,2]", "[ 1 , 2 ]", "{\"a\":1}", "{ \"a\" : [ ] , \"a\" : { } }", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u12aF\"",
    "\"\u{7F}\"",
    "\"\\uD800\"", "\"\\uDC00\\uD800\"", "\"a long string of more than sixteen bytes, with ünïcödé in it and 東京 😀\"",
    "123456789012345678901234567890.123456789e-999999", "[[[[[[[[[[]]]]]]]]]]",
])
func `what RFC 8259 allows is accepted`(text: String) {
    let document = JSONDocument(text)
    #expect(document.error == nil)
    #expect(document.rootCount == 1)
    #expect(document.isFinished)
}

@Test(arguments: [
    ("", 1, 1, "expected a value, found an empty body"), ("  \n ", 2, 2, "expected a value, found an empty body"),
    ("01", 1, 2, "a number does not begin with '0' and another digit"),
    ("[-01]", 1, 4, "a number does not begin with '0' and another digit"),
    ("-", 1, 2, "expected a digit after '-', found the end of the body"),
    ("-a", 1, 2, "expected a digit after '-', found 'a'"),
    ("1.", 1, 3, "expected a digit after the decimal point, found the end of the body"),
    ("[1.]", 1, 4, "expected a digit after the decimal point, found ']'"),
    ("[1e+]", 1, 5, "expected a digit in the exponent, found ']'"), (".5", 1, 1, "expected a value, found '.'"),
    ("+1", 1, 1, "expected a value, found '+'"),
    ("1.5.5", 1, 4, "expected the end of the body after the value, found '.'"),
    ("NaN", 1, 1, "expected a value, found 'NaN'"),
    ("tru", 1, 4, "expected a value, found the end of the body inside 'tru'"),
    ("trux", 1, 1, "expected 'true', found 'trux'"), ("[nul]", 1, 2, "expected 'null', found 'nul'"),
    ("truex", 1, 5, "expected the end of the body after the value, found 'x'"),
    ("[1 2]", 1, 4, "expected ',' or ']' after the element, found '2'"),
    ("[1}", 1, 3, "expected ',' or ']' after the element, found '}'"),
    ("[1,]", 1, 4, "expected an element after ',', found ']' (JSON has no trailing commas)"),
    ("[,1]", 1, 2, "expected an element or ']', found ','"),
    ("[1,\n 2", 2, 3, "expected ',' or ']' after the element, found the end of the body"),
    ("[", 1, 2, "expected an element or ']', found the end of the body"),
    ("{\"a\":1,}", 1, 8, "expected a key in double quotes after ',', found '}' (JSON has no trailing commas)"),
    ("{\"a\" 1}", 1, 6, "expected ':' after the key, found '1'"),
    ("{\"a\":}", 1, 6, "expected a value after ':', found '}'"),
    ("{a:1}", 1, 2, "expected a key in double quotes or '}', found 'a'"),
    ("{'a':1}", 1, 2, "expected a key in double quotes or '}', found ''' (JSON has double quotes only)"),
    ("{\"a\":1 \"b\"", 1, 8, "expected ',' or '}' after the member, found '\"'"),
    ("[\"a\tb\"]", 1, 4, "a control character in a string must be written as an escape, found U+0009"),
    ("\"a\nb\"", 1, 3, "a control character in a string must be written as an escape, found a line break"),
    ("\"\\x\"", 1, 3, "expected one of \"\\/bfnrtu after '\\', found 'x'"),
    ("\"\\u12g4\"", 1, 6, "expected four hexadecimal digits after '\\u', found 'g'"),
    ("\"abc", 1, 5, "the body ends inside a string"), ("{\"abc", 1, 6, "the body ends inside a key"),
    ("\"\\u12", 1, 6, "the body ends inside a string"),
    ("// x", 1, 1, "expected a value, found '/' (JSON has no comments)"),
    ("1 2", 1, 3, "expected the end of the body after the value, found '2'"),
    ("{} x", 1, 4, "expected the end of the body after the value, found 'x'"),
    ("[\n  \"é東\", x]", 2, 9, "expected an element after ',', found 'x'"),
    ("\u{FEFF}[x]", 1, 2, "expected an element or ']', found 'x'"), ("]", 1, 1, "expected a value, found ']'"),
    ("1\u{FEFF}", 1, 2, "expected the end of the body after the value, found the byte 0xEF"),
])
func `what it does not allow is told with its place`(text: String, line: Int, column: Int, reason: String) {
    let error = JSONDocument(text).error
    #expect(error?.reason == reason)
    #expect(error?.position == TextPosition(line: line, column: column))
}

@Test(
    arguments: [
        ([0x80], "the byte 0x80"), ([0xC0, 0x80], "the byte 0xC0"), ([0xC1, 0xBF], "the byte 0xC1"),
        ([0xE0, 0x9F, 0xBF], "the byte 0xE0"), ([0xED, 0xA0, 0x80], "the byte 0xED"),
        ([0xF0, 0x8F, 0xBF, 0xBF], "the byte 0xF0"),
        ([0xF4, 0x90, 0x80, 0x80], "the byte 0xF4"), ([0xF5, 0x80, 0x80, 0x80], "the byte 0xF5"),
        ([0xFF], "the byte 0xFF"),
        ([0xC3, 0x28], "the byte 0xC3"), ([0xE2, 0x82, 0x28], "the byte 0xE2"),
        ([0xE6, 0x9D, 0xB1, 0xBF], "the byte 0xBF"),
    ] as [([UInt8], String)])
func `a string that is not UTF-8 is refused`(bytes: [UInt8], found: String) {
    for padding in [0, 13, 20] {
        let document = JSONDocument([0x5B, 0x22] + Array(repeating: 0x61, count: padding) + bytes + [0x22, 0x5D])
        #expect(document.error?.reason == "the string is not UTF-8, found \(found)")
    }
}

@Test func `UTF-16 is told as such`() {
    #expect(
        JSONDocument([0xFF, 0xFE, 0x5B, 0]).error?.reason
            == "expected a value, found the byte 0xFF (UTF-16? JSON is UTF-8)")
}

@Test func `a byte order mark is skipped and told`() {
    let marked = JSONDocument("\u{FEFF}[1]")
    #expect(marked.error == nil)
    #expect(marked.hasByteOrderMark)
    #expect(marked.rebuilt == "[1]")
    #expect(!JSONDocument("[1]").hasByteOrderMark)
    #expect(JSONDocument([0xEF, 0xBB], roots: .many).error != nil)
}

@Test func `what comes before an error stays readable`() {
    let document = JSONDocument("{\"a\": [1, {\"b\": 2}, tru], \"c\": 3}")
    #expect(document.rebuilt == "{\"a\":[1,{\"b\":2}\u{2026}\u{2026}")
    #expect(document.rootCount == 0)
    #expect(document.firstRoot.map(document.isUnfinished) == true)
}

@Test(arguments: [
    ("1\n2\n3\n", "1 2 3"), ("{\"a\":1}\n{\"a\":2}", "{\"a\":1} {\"a\":2}"),
    ("[][1]\"a\"\"b\"true", "[] [1] \"a\" \"b\" true"),
    ("", ""), ("\n \n", ""), ("null", "null"),
])
func `many values may follow one another`(text: String, rebuilt: String) {
    let document = JSONDocument(text, roots: .many)
    #expect(document.error == nil)
    #expect(document.rebuilt == rebuilt)
}

@Test(arguments: [("1{}", 2), ("true1", 5), ("1\n2x", 4), ("[] ]", 4), ("12-3", 3)])
func `values in a row need something between them`(text: String, byte: Int) {
    #expect(JSONDocument(text, roots: .many).error.map { $0.offset + 1 } == byte)
}

@Test func `nesting is bounded by memory only`() {
    let depth = 100_000
    let document = JSONDocument(String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
    #expect(document.error == nil)
    #expect(document.entryCount == 2 * depth)
    let cut = JSONDocument(String(repeating: "{\"a\":", count: depth))
    #expect(cut.error?.reason == "expected a value after ':', found the end of the body")
    #expect(cut.lastChild(of: JSONNode(depth - 2)) == JSONNode(depth - 1))
    #expect(cut.parent(of: JSONNode(depth - 1)) == JSONNode(depth - 2))
    #expect(cut.ancestors(of: JSONNode(depth - 1)).count == depth - 1)
}

@Test func `a body that is too large is told`() {
    let bytes = Bytes("[1, 2, 3, 4]".utf8)
    func error(maximumByteCount: Int = .max, memory: Int = .max) -> JSONSyntaxError? {
        let index = JSONIndex(roots: .one, limits: IndexLimits(memory: memory), maximumByteCount: maximumByteCount)
        return index.append(bytes).error
    }
    #expect(error(maximumByteCount: 6)?.reason == "the body is larger than 4 GiB; the rest is not indexed")
    #expect(error(memory: 24)?.reason == "this is JSON whose index takes more than 0 MiB; the rest is not indexed")
    #expect(error(memory: 40)?.offset == 11)
    #expect(error(maximumByteCount: 12, memory: 48) == nil)
}

@Test func `a document does not change when more of the body comes`() throws {
    let bytes = Bytes("[1, {\"a\": 2}, 34]".utf8)
    let index = JSONIndex(roots: .one)
    let early = index.append(bytes[0..<10])
    #expect(early.rebuilt == "[1,{\u{2026}\u{2026}")
    let whole = index.append(bytes)
    #expect(early.rebuilt == "[1,{\u{2026}\u{2026}")
    #expect(whole.rebuilt == "[1,{\"a\":2},34]")
    #expect(!whole.isFinished)
    #expect(index.append(bytes[0..<3]).byteCount == bytes.count)
    let object = try #require(early.node(1))
    #expect(early.isUnfinished(object) && !whole.isUnfinished(object))
    #expect(early.nextSibling(of: object) == nil)
    #expect(whole.nextSibling(of: object).map(whole.source) == "34")
    #expect(index.finish().isFinished)
    #expect(index.append(bytes).byteCount == bytes.count)
}

@Test func `one thread reads while another appends`() async {
    let bytes = Array(("[" + (0..<50_000).map { "{\"id\":\($0),\"list\":[1,2]}" }.joined(separator: ",") + "]").utf8)
    let body = Bytes(bytes)
    let (stream, continuation) = AsyncStream.makeStream(of: JSONDocument.self)
    async let writer: Void = {
        let index = JSONIndex(roots: .one)
        var count = 0
        while count < bytes.count {
            count = min(count + 9_973, bytes.count)
            continuation.yield(index.append(body[0..<count]))
        }
        continuation.yield(index.finish())
        continuation.finish()
    }()
    var seen = 0
    for await document in stream {
        let found = document.firstRoot.map(document.childCount) ?? 0
        #expect(found >= seen)
        seen = found
    }
    await writer
    #expect(seen == 50_000)
}

@Test(arguments: ["[", "{\"a\":"]) func `what opens without end is read to a depth`(opening: String) {
    let document = JSONIndex.document(Bytes(String(repeating: opening, count: 1 << 20).utf8))
    #expect(document.entryCount == 200_000)
    #expect(document.limit == .depth(200_000))
    #expect(document.error?.reason == "this is JSON nested deeper than 200,000 levels; the rest is not indexed")
}
