import TestSupport
import Testing

@testable import OmbiDocument

@Suite struct JSONValueTests {
    @Test func `a literal keeps the order of members and their duplicates, and leaves out nil`() {
        let (missing, number): (JSONValue?, Int?) = (nil, nil)
        let value: JSONValue = [
            "b": 1, "a": [1.5, true, "x", [:], []], "missing": missing, "b": .nullable(number), "c": .nullable("y"),
        ]
        #expect(value.compact == #"{"b":1,"a":[1.5,true,"x",{},[]],"b":null,"c":"y"}"#)
        #expect(value.appending(["d": 2]).compact.hasSuffix(#","c":"y","d":2}"#))
    }

    @Test(arguments: [
        ("{}", "{}\n"), ("[]", "[]\n"), ("null", "null\n"),
        ("{\"a\":{\"b\":1.50,\"c\":[]}}", "{\n  \"a\": { \"b\": 1.50, \"c\": [] }\n}\n"),
        ("[[1,2],[{\"x\":1}]]", "[\n  [1, 2],\n  [\n    { \"x\": 1 }\n  ]\n]\n"),
        ("{\"é\":\"\\u00e9\\/\\u0001\\u2028\"}", "{\n  \"é\": \"é/\\u0001\u{2028}\"\n}\n"),
    ])
    func `a value has one text`(source: String, text: String) throws {
        #expect(try JSONValue.parse(source).text == text)
    }

    @Test(arguments: [(97, true), (98, false)])
    func `what does not fit a line is spread`(length: Int, fits: Bool) throws {
        // Two spaces, the brackets and the quotes of the string: what is left of 100, with one column for a comma.
        let value = JSONValue.array([.array([.string(String(repeating: "x", count: length - 4))])])
        #expect(value.text.split(separator: "\n").count == (fits ? 3 : 5))
        if fits { #expect(value.text.split(separator: "\n").allSatisfy { $0.count < 100 }) }
    }

    @Test func `compact text has no space`() throws {
        let value = try JSONValue.parse("{ \"a\" : [ 1 , \"b c\" , null , true ] , \"d\" : { } }")
        #expect(value.compact == "{\"a\":[1,\"b c\",null,true],\"d\":{}}")
    }

    @Test func `random values come back as they were, and their text is stable`() throws {
        var random = SeededRandom(seed: 7)
        for _ in 0..<500 {
            let value = JSONValue.random(depth: 5, &random)
            let text = value.text
            #expect(try JSONValue.parse(text) == value)
            #expect(try JSONValue.parse(text).text == text)
            #expect(try JSONValue.parse(value.compact) == value)
        }
    }

    @Test(arguments: [(2.0, "2"), (0.2, "0.2"), (1e300, "1e+300"), (-0.5, "-0.5"), (.infinity, "null"), (.nan, "null")])
    func `a number is written shortest`(number: Double, text: String) {
        #expect(JSONValue.number(number).compact == text)
    }

    @Test func `a text is quoted wherever its special bytes are`() throws {
        let escapes = [
            "\"": #"\""#, "\\": #"\\"#, "\n": #"\n"#, "\u{0}": #"\u0000"#, "\u{1F}": #"\u001f"#, " ": " ", "!": "!",
            "é": "é",
            "\u{7F}": "\u{7F}", "[": "[", "]": "]",
        ]
        for (character, escape) in escapes {
            for other in ["", "x", "é", "\""] {
                for before in 0..<20 {
                    for after in [0, 1, 7, 8, 9] {
                        let (start, end) = (String(repeating: "a", count: before), String(repeating: "b", count: after))
                        let quoted = JSONValue.quoted(start + character + other + end)
                        let second = other == "\"" ? #"\""# : other
                        #expect(quoted == "\"" + start + escape + second + end + "\"")
                    }
                }
            }
        }
    }
}

extension JSONValue {
    static func random(depth: Int, _ random: inout SeededRandom) -> JSONValue {
        let letters: [Unicode.Scalar] = ["a", "\"", "\\", "\n", "\u{1}", "é", "😀", "{", " ", "\u{7F}", "\u{2028}"]
        func text() -> String {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...30, using: &random) { text.append(letters.randomElement(using: &random)!) }
            return String(text)
        }
        switch Int.random(in: 0...(depth == 0 ? 3 : 6), using: &random) {
        case 0: return .null
        case 1: return .bool(.random(using: &random))
        case 2: return .number(Double.random(in: -1e9...1e9, using: &random))
        case 3: return .string(text())
        case 4:
            return .array((0..<Int.random(in: 0...6, using: &random)).map { _ in .random(depth: depth - 1, &random) })
        default:
            return .object(
                (0..<Int.random(in: 0...6, using: &random)).map {
                    Member("\($0)" + text(), .random(depth: depth - 1, &random))
                })
        }
    }
}
