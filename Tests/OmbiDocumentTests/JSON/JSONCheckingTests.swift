import Testing

@testable import OmbiDocument

@Suite struct JSONCheckingTests {
    @Test(arguments: [
        ("", "line 1, column 1: expected a value, found an empty file"),
        ("  \n ", "line 2, column 2: expected a value, found an empty file"),
        ("{", "line 1, column 2: expected a key in double quotes or '}', found the end of the file"),
        ("[", "line 1, column 2: expected a value or ']', found the end of the file"),
        ("{\"a\": 1 foo", "line 1, column 9: expected ',' or '}' after the value, found 'foo'"),
        ("{\"a\": 1 \"b\": 2}", "line 1, column 9: expected ',' or '}' after the value, found a string"),
        ("[1 2]", "line 1, column 4: expected ',' or ']' after the value, found '2'"),
        ("[1}", "line 1, column 3: expected ',' or ']' after the value, found '}'"),
        ("{\"a\": 1,\n}", "line 1, column 8: trailing comma: remove the ',' before '}'"),
        ("[1, ]", "line 1, column 3: trailing comma: remove the ',' before ']'"),
        ("[,]", "line 1, column 2: expected a value or ']', found ','"),
        ("[1,,2]", "line 1, column 4: expected a value, found ','"),
        ("{\"a\" 1}", "line 1, column 6: expected ':' after the key \"a\", found '1'"),
        ("{\"a\":}", "line 1, column 6: expected a value, found '}'"),
        ("{a: 1}", "line 1, column 2: a key needs double quotes: write \"a\""),
        ("{\"b\": 1, größe: 1}", "line 1, column 10: a key needs double quotes: write \"größe\""),
        ("{1: 1}", "line 1, column 2: expected a key in double quotes or '}', found '1'"),
        ("{'a': 1}", "line 1, column 2: a string needs double quotes (\"), found '''"),
        ("[\n  'x'\n]", "line 2, column 3: a string needs double quotes (\"), found '''"),
        (
            "{\n  // note\n}",
            "line 2, column 3: JSON has no comments; remove it, or keep the text under a key such as \"description\""
        ),
        (
            "[1] /* x */",
            "line 1, column 5: JSON has no comments; remove it, or keep the text under a key such as \"description\""
        ),
        (
            "# x",
            "line 1, column 1: JSON has no comments; remove it, or keep the text under a key such as \"description\""
        ),
        ("True", "line 1, column 1: expected a value, found 'True'; write true"),
        ("[None]", "line 1, column 2: expected a value or ']', found 'None'; write null"),
        ("{} {}", "line 1, column 4: expected the end of the file, found '{'"),
        ("01", "line 1, column 1: a number has no zeros in front"),
        ("-", "line 1, column 2: expected a digit after '-', found the end of the file"),
        ("1.", "line 1, column 3: expected a digit after '.', found the end of the file"),
        ("1e+", "line 1, column 4: expected a digit in the exponent, found the end of the file"),
        ("+1", "line 1, column 1: a number has no '+' in front"),
        (".5", "line 1, column 1: a number begins with a digit: write 0 before the '.'"),
        ("\"abc", "line 1, column 1: the string that begins here is not closed"),
        (
            "{\"a\": \"b\n\"}",
            "line 1, column 7: the string is not closed on its line; write \\n for a line break in it"
        ),
        ("\"a\u{1}\"", "line 1, column 3: the control character U+0001 in a string; write \\u0001"),
        ("\"a\tb\"", "line 1, column 3: the control character U+0009 in a string; write \\u0009"),
        (
            "\"a\\x\"",
            "line 1, column 3: unknown escape \\x; the escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX"
        ),
        ("\"\\u12g4\"", "line 1, column 2: \\u needs four hexadecimal digits"),
        ("\"\\ud83d\"", "line 1, column 2: \\ud83d is half of a surrogate pair; its other half is missing"),
        ("\"\\ude00\"", "line 1, column 2: \\ude00 is half of a surrogate pair; its other half is missing"),
        ("\"\\ud83d\\u0041\"", "line 1, column 2: \\ud83d is half of a surrogate pair; its other half is missing"),
        ("\"\\", "line 1, column 3: the file ends in a string"),
        ("[\u{A0}1]", "line 1, column 2: expected a value or ']', found the character U+00A0"),
        ("\"äöü\" x", "line 1, column 7: expected the end of the file, found 'x'"),
        ("[\r\n1,\r\n?]", "line 3, column 1: expected a value, found '?'"),
        ("[\r1,\r?]", "line 3, column 1: expected a value, found '?'"),
    ])
    func `a mistake is told with its place and what was expected`(text: String, message: String) {
        let error = #expect(throws: JSONSyntaxError.self) { try JSONValue.parse(text) }
        #expect(error?.description == message)
    }

    @Test(
        arguments: [
            (
                [0x22, 0xFF, 0x22],
                "line 1, column 2: not UTF-8: byte 0xFF at byte 2 of the file; save the file as UTF-8"
            ),
            (
                [0x5B, 0x0A, 0xC3, 0x28, 0x5D],
                "line 2, column 1: not UTF-8: byte 0xC3 at byte 3 of the file; save the file as UTF-8"
            ),
            (
                [0x22, 0xED, 0xA0, 0x80, 0x22],
                "line 1, column 2: not UTF-8: byte 0xED at byte 2 of the file; save the file as UTF-8"
            ),
            ([0xFF, 0xFE, 0x7B, 0x00], "line 1, column 1: the file is UTF-16; save it as UTF-8"),
        ] as [([UInt8], String)])
    func `bytes that are not UTF-8 are named`(bytes: [UInt8], message: String) {
        let error = #expect(throws: JSONSyntaxError.self) { try JSONDocument(checking: Bytes(bytes)) }
        #expect(error?.description == message)
    }

    @Test func `a byte order mark is skipped and takes no column`() throws {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        #expect(try JSONValue.parse("\u{FEFF}[1]") == .array([.number(1)]))
        let error = #expect(throws: JSONSyntaxError.self) { try JSONDocument(checking: Bytes(mark + Array("x".utf8))) }
        #expect(error?.position == TextPosition(line: 1, column: 1))
    }

    @Test(
        arguments: [
            ("null", .null), ("true", .bool(true)), (" false ", .bool(false)),
            ("-0.50e+10", .number("-0.50e+10")),
            ("123456789012345678901234567890", .number("123456789012345678901234567890")),
            ("\"\"", .string("")), ("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", .string("\"\\/\u{8}\u{C}\n\r\t")),
            ("\"\\u00e9\\uD83D\\uDE00é😀\"", .string("é😀é😀")), ("\"\\u0000\"", .string("\0")),
            ("[]", .array([])), ("{}", .object([])),
            ("{\"b\":1,\"a\":[{}]}", .object([.init("b", .number(1)), .init("a", .array([.object([])]))])),
        ] as [(String, JSONValue)])
    func `what is JSON is read as it is written`(text: String, value: JSONValue) throws {
        #expect(try JSONValue.parse(text) == value)
    }

    @Test func `nesting is bounded`() throws {
        let deepest = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
        #expect(throws: Never.self) { try JSONValue.parse(deepest) }
        let error = #expect(throws: JSONSyntaxError.self) {
            try JSONValue.parse(String(repeating: "[", count: 100_000))
        }
        #expect(error?.description == "line 1, column 513: nested more than 512 levels deep")
    }

    @Test func `a key given twice is noted at the second place`() throws {
        let document = try JSONDocument(checking: Bytes("{\"a\": 1,\n \"b\": {\"x\": 1, \"x\": 2}, \"a\": 3}".utf8))
        #expect(
            document.duplicateKeys.map(\.error.description) == [
                "line 2, column 16: the key \"x\" is given twice in this object, first on line 2",
                "line 2, column 25: the key \"a\" is given twice in this object, first on line 1",
            ])
    }

    @Test func `of many keys that come back on later lines, each names the line of the first`() throws {
        let lines = (0..<20_000).map { "\"k\($0 % 10_000)\": \($0)" }
        let document = try JSONDocument(checking: Bytes("{\(lines.joined(separator: ",\n"))}".utf8))
        let found = document.duplicateKeys
        #expect(found.count == 10_000)
        #expect(
            found.last?.error.description
                == "line 20000, column 1: the key \"k9999\" is given twice in this object, first on line 10000")
        #expect(Set(found.map(\.object)) == [document.firstRoot])
    }

    @Test func `parts of a document give the repeated keys of the whole, each once`() throws {
        let objects = (0..<40).map { "{\"k\($0 % 7)\": [{\"x\": 1, \"\($0 % 3 == 0 ? "x" : "y")\": {\"x\": 2}}]}" }
        let document = try JSONDocument(checking: Bytes("[\(objects.joined(separator: ","))]".utf8))
        let whole = document.duplicateKeys.map(\.node)
        #expect(whole.count == 14)
        for parts in [2, 3, 8, 1000] {
            #expect((0..<parts).flatMap { document.duplicateKeys(inPart: $0, of: parts).map(\.node) } == whole)
        }
    }

    @Test func `keys are found behind values of every kind, whatever white space stands between`() throws {
        let values = ["1", "\"a\\\"b\"", "null", "{ }", "[ { \"x\" : 1 } , 2 ]", "{\"y\":[]}"]
        for space in ["", " ", "\n\t  "] {
            let members = values.enumerated().map { "\($0.offset)k\($0.element.count)\"\(space):\(space)\($0.element)" }
            let text =
                "{\(space)\"" + (members + ["x\": 0"] + members.reversed()).joined(separator: "\(space),\(space)\"")
                + "}"
            let document = try JSONDocument(checking: Bytes(text.utf8))
            let found = document.duplicateKeys.map { document.key(of: $0.node)?.string ?? "" }
            #expect(found == values.indices.reversed().map { "\($0)k\(values[$0].count)" }, "\(text)")
        }
    }

    @Test(arguments: [2, 16, 17, 60]) func `one of many keys given twice is found wherever it stands`(count: Int) throws
    {
        for again in 0..<count {
            let keys = (0..<count).map { "key number \($0)" } + ["key number \(again)"]
            let text = "{\(keys.map { "\"\($0)\": 0" }.joined(separator: ", "))}"
            let document = try JSONDocument(checking: Bytes(text.utf8))
            #expect(document.duplicateKeys.map { document.key(of: $0.node)?.string } == ["key number \(again)"])
        }
    }

    @Test func `keys that differ only in how an accent is composed are two keys`() throws {
        let document = try JSONDocument(checking: Bytes("{\"\u{E9}\": 1, \"e\u{301}\": 2}".utf8))
        #expect(document.duplicateKeys.isEmpty)
    }
}
