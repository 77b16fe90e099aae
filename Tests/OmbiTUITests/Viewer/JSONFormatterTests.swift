import Testing

@testable import OmbiTUI

/// The formatter against the grammar of RFC 8259.
@Suite struct JSONFormatterTests {
    private static func format(_ text: String) throws -> String {
        String(decoding: try JSONFormatter.format(Array(text.utf8)).bytes, as: UTF8.self)
    }

    // MARK: Accepted

    @Test(arguments: [
        // §3 values
        "null", "true", "false", "0", "\"\"", "{}", "[]",
        // §6 numbers: every combination of minus, integer, fraction and exponent
        "-0", "7", "-7", "10", "123456789012345678901234567890", "0.0", "-0.10", "1.50", "0e0", "0E+00", "1e9", "-1E-9",
        "1.5e+10", "0.1E-400",
        // §7 strings: unescaped characters, every escape, surrogates as they are
        "\" !#[]~\"", "\"\u{7F}é€😀\"", #""\"\\\/\b\f\n\r\t""#, #""\u0000\uFFFF\uaBcD""#, #""\uD83D\uDE00""#,
        #""\uD800""#,
    ])
    func `a value by itself is kept exactly`(text: String) throws {
        #expect(try Self.format(text) == text)
        #expect(try Self.format(" \t\r\n" + text + "\n\r\t ") == text, "with blanks around it")
    }

    @Test func `containers are spread over lines`() throws {
        let text = #" { "a":1 ,"b" : [ ] , "c":{"d":[1,2 , [ null ]]},"a":"x"} "#
        #expect(
            try Self.format(text) == """
                {
                  "a": 1,
                  "b": [],
                  "c": {
                    "d": [
                      1,
                      2,
                      [
                        null
                      ]
                    ]
                  },
                  "a": "x"
                }
                """)
    }

    @Test func `the starts of the lines are told`() throws {
        let result = try JSONFormatter.format(Array(#"{"a":[1]}"#.utf8))
        let text = String(decoding: result.bytes, as: UTF8.self)
        #expect(text == "{\n  \"a\": [\n    1\n  ]\n}")
        #expect(result.lineStarts == [0, 2, 11, 17, 21])
    }

    @Test func `a byte order mark is passed over`() throws {
        #expect(try Self.format("\u{FEFF}[1]") == "[\n  1\n]")
    }

    @Test func `bytes that are no UTF-8 are kept in strings`() throws {
        let bytes: [UInt8] = [0x22, 0xFF, 0xC3, 0x22]
        #expect(try JSONFormatter.format(bytes).bytes == bytes)
    }

    // MARK: Refused

    struct Refusal: Sendable, CustomTestStringConvertible {
        var text: String
        var line = 1
        var column: Int
        var reason: String
        var testDescription: String { text.debugDescription }

        init(_ text: String, _ column: Int, _ reason: String, line: Int = 1) {
            (self.text, self.line, self.column, self.reason) = (text, line, column, reason)
        }
    }

    @Test(arguments: [
        Refusal("", 1, "the body ends where a value is expected"),
        Refusal(" \n ", 2, "the body ends where a value is expected", line: 2),
        Refusal("[", 2, "the body ends where a value is expected"),
        Refusal("[1,", 4, "the body ends where a value is expected"),
        Refusal("[1", 3, "the body ends inside an array"),
        Refusal("{\"a\":1", 7, "the body ends inside an object"),
        Refusal("{", 2, "expected a name in quotes, found the end of the body"),
        Refusal("{a:1}", 2, "expected a name in quotes, found 'a'"),
        Refusal("{\"a\":1,}", 8, "expected a name in quotes, found '}'"),
        Refusal("{\"a\" 1}", 6, "expected ':' after the name, found '1'"),
        Refusal("{\"a\":}", 6, "expected a value, found '}'"),
        Refusal("[1,]", 4, "expected a value, found ']'"),
        Refusal("[,1]", 2, "expected a value, found ','"),
        Refusal("[1 2]", 4, "expected ',' or ']', found '2'"),
        Refusal("{\"a\":1 \"b\":2}", 8, "expected ',' or '}', found '\"'"),
        Refusal("[1}", 3, "expected ',' or ']', found '}'"),
        Refusal("[]]", 3, "more text after the end of the value"),
        Refusal("1 2", 3, "more text after the end of the value"),
        Refusal("nullx", 5, "more text after the end of the value"),
        Refusal("tru", 1, "expected true"), Refusal("[fals]", 2, "expected false"), Refusal("nil", 1, "expected null"),
        Refusal("True", 1, "expected a value, found 'T'"), Refusal("NaN", 1, "expected a value, found 'N'"),
        Refusal("Infinity", 1, "expected a value, found 'I'"), Refusal("'a'", 1, "expected a value, found '''"),
        Refusal("+1", 1, "expected a value, found '+'"), Refusal(".5", 1, "expected a value, found '.'"),
        Refusal("-", 2, "expected a digit, found the end of the body"), Refusal("-a", 2, "expected a digit, found 'a'"),
        Refusal("01", 3, "a number must not start with 0"), Refusal("-00", 4, "a number must not start with 0"),
        Refusal("1.", 3, "expected a digit after the point, found the end of the body"),
        Refusal("1.e5", 3, "expected a digit after the point, found 'e'"),
        Refusal("1e", 3, "expected a digit in the exponent, found the end of the body"),
        Refusal("1e+x", 4, "expected a digit in the exponent, found 'x'"),
        Refusal("0x10", 2, "more text after the end of the value"),
        Refusal("\"a", 3, "the body ends inside a string"), Refusal("\"a\\", 4, "the body ends inside a string"),
        Refusal("\"a\\\"", 5, "the body ends inside a string"),
        Refusal("\"a\nb\"", 3, "a control character inside a string must be escaped"),
        Refusal("\"\t\"", 2, "a control character inside a string must be escaped"),
        Refusal("\"\u{0}\"", 2, "a control character inside a string must be escaped"),
        Refusal("\"\\x\"", 3, "unknown escape in a string: 'x' after a backslash"),
        Refusal("\"\\\n\"", 3, "unknown escape in a string: byte 0xa after a backslash"),
        Refusal("\"\\u12G4\"", 6, "\\u needs four hexadecimal digits"),
        Refusal("\"\\u12", 6, "\\u needs four hexadecimal digits"),
        Refusal("// no\n1", 1, "expected a value, found '/'"),
        Refusal("[\u{A0}1]", 2, "expected a value, found byte 0xc2"),
        Refusal("{\n  \"a\": 1,\n  \"b\": oops\n}", 8, "expected a value, found 'o'", line: 3),
        Refusal("[1,\r\n2,\r\nx]", 1, "expected a value, found 'x'", line: 3),
    ])
    func `what is no JSON is refused with its place`(refusal: Refusal) {
        let wanted = JSONFormatter.Mistake(line: refusal.line, column: refusal.column, reason: refusal.reason)
        #expect(throws: wanted) { try Self.format(refusal.text) }
    }

    // MARK: Nothing traps

    private static let sample = Array(
        #"{"a":[1,-2.50e+3,true,false,null,"x\n\u00e9\\"],"b":{"":{}},"ü€😀":[[],[{}]]}"#.utf8)

    @Test func `every beginning of a document is refused at its end`() {
        for count in 0..<Self.sample.count {
            let mistake = #expect(throws: JSONFormatter.Mistake.self) {
                try JSONFormatter.format(Array(Self.sample[..<count]))
            }
            #expect(mistake?.line == 1)
            #expect(
                (1...count + 1).contains(mistake?.column ?? 0),
                "the first \(count) bytes: \(String(describing: mistake))")
        }
    }

    @Test func `every changed byte is kept or refused`() {
        let bytes = Array("\"\\{}[],:0e.-tu \n".utf8) + [0x00, 0x1F, 0x7F, 0x80, 0xFF]
        for index in Self.sample.indices {
            for byte in bytes {
                var changed = Self.sample
                changed[index] = byte
                guard let formatted = try? JSONFormatter.format(changed).bytes else { continue }
                #expect(Self.tokens(of: formatted) == Self.tokens(of: changed), "byte \(index) as \(byte)")
            }
        }
    }

    @Test func `formatting twice is formatting once`() throws {
        let once = try JSONFormatter.format(Self.sample)
        let twice = try JSONFormatter.format(once.bytes)
        #expect(once.bytes == twice.bytes)
        #expect(once.lineStarts == twice.lineStarts)
        #expect(Self.tokens(of: once.bytes) == Self.tokens(of: Self.sample))
    }

    @Test(arguments: 0..<40) func `random documents keep their tokens`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let text = Self.document(depth: 4, &random)
        let result = try JSONFormatter.format(Array(text.utf8))
        #expect(Self.tokens(of: result.bytes) == Self.tokens(of: Array(text.utf8)), "\(text)")
        #expect(result.lineStarts.dropFirst().allSatisfy { result.bytes[$0 - 1] == UInt8(ascii: "\n") })
        #expect(result.lineStarts.count == result.bytes.count { $0 == UInt8(ascii: "\n") } + 1)
    }

    @Test func `a depth of a hundred thousand is no limit`() throws {
        let depth = 100_000
        let text = Array(String(repeating: "[", count: depth).utf8) + Array(String(repeating: "]", count: depth).utf8)
        let result = try JSONFormatter.format(text)
        #expect(result.lineStarts.count == 2 * depth - 1)
        #expect(
            throws: JSONFormatter.Mistake(line: 1, column: depth + 1, reason: "the body ends where a value is expected")
        ) {
            try JSONFormatter.format(Array(text[..<depth]))
        }
    }

    /// The bytes without the blanks outside of strings.
    private static func tokens(of bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var isInString = false
        var isEscaped = false
        for byte in bytes {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else {
                    isInString = byte != UInt8(ascii: "\"")
                }
            } else if [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
                continue
            } else {
                isInString = byte == UInt8(ascii: "\"")
            }
            result.append(byte)
        }
        return result
    }

    private static func document(depth: Int, _ random: inout SeededRandom) -> String {
        let blanks = ["", " ", "\n", "\t \r\n"]
        let blank = blanks.randomElement(using: &random) ?? ""
        let scalars = ["0", "-1.50E+7", "true", "false", "null", "\"\"", #""a b\"\\\u00e9""#, "\"é😀\"", "{}", "[ ]"]
        guard depth > 0, Int.random(in: 0..<4, using: &random) > 0 else {
            return blank + (scalars.randomElement(using: &random) ?? "0") + blank
        }
        let count = Int.random(in: 0..<4, using: &random)
        let isObject = Bool.random(using: &random)
        let parts = (0..<count).map { index in
            (isObject ? "\(blank)\"k\(index)\"\(blank):" : "") + document(depth: depth - 1, &random)
        }
        return blank + (isObject ? "{" : "[") + parts.joined(separator: ",") + blank + (isObject ? "}" : "]") + blank
    }
}
