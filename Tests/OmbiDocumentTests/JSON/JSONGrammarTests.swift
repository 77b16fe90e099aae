import Testing

@testable import OmbiDocument

/// The productions of RFC 8259, one after another.
@Test(arguments: [
    Production("JSON-text = ws value ws", ["1", " 1", "1 ", "\n[]\n"], not: ["", " ", "1 1", "[] {}", "[],"]),
    Production("begin-array = ws [ ws", ["[]", " [ ] ", "\t[\n1]"], not: ["[", "(1)", "[[]", "\u{FF3B}1]"]),
    Production("begin-object = ws { ws", ["{}", " { } ", "{\r\n\"a\":1}"], not: ["{", "{{}}", "{\"a\":{}"]),
    Production("end-array = ws ] ws", ["[1 ]", "[1\n] "], not: ["]", "[1)", "[1]]", "[1}"]),
    Production("end-object = ws } ws", ["{\"a\":1 }", "{\"a\":1\t} "], not: ["}", "{\"a\":1]", "{}}", "{\"a\":1"]),
    Production(
        "name-separator = ws : ws", ["{\"a\":1}", "{\"a\" : 1}", "{\"a\"\n:\t1}"], not: ["{\"a\"=1}", "{\"a\"::1}"]),
    Production(
        "value-separator = ws , ws", ["[1,2]", "[1 , 2]", "[1\n,\r2]"], not: ["[1;2]", "[1,,2]", "[1 2]", "[,]"]),
    Production(
        "ws = *( SP / HT / LF / CR )", [" \t\n\r1\r\n\t "],
        not: ["\u{0B}1", "\u{0C}1", "\u{A0}1", "\u{2028}1", "\u{0}1", "1\u{85}", "1\u{3000}"]),
    Production(
        "value = false / null / true / object / array / number / string",
        ["false", "null", "true", "{}", "[]", "0", "\"\""], not: ["undefined", "NaN", "Infinity", "'a'", "/a/", "a"]),
    Production("false", ["false", "[false,false]"], not: ["False", "FALSE", "fals", "falsee", "[f]"]),
    Production("null", ["null", "{\"null\":null}"], not: ["Null", "nil", "nul", "nulll", "[n]"]),
    Production("true", ["true", "[true]"], not: ["True", "TRUE", "tru", "truefalse", "[t]"]),
    Production(
        "object = begin-object [ member *( value-separator member ) ] end-object",
        ["{}", "{\"a\":1}", "{\"a\":1,\"b\":2,\"a\":3}"],
        not: ["{\"a\":1,}", "{,}", "{,\"a\":1}", "{\"a\":1 \"b\":2}", "{1}"]),
    Production(
        "member = string name-separator value", ["{\"\":\"\"}", "{\"\\u0061\":[{}]}"],
        not: ["{a:1}", "{1:1}", "{\"a\"}", "{\"a\":}", "{:1}", "{null:1}", "{\"a\":1:2}", "{[]:1}"]),
    Production(
        "array = begin-array [ value *( value-separator value ) ] end-array", ["[]", "[1]", "[1,[2],{}]"],
        not: ["[1,]", "[,1]", "[\"a\":1]", "[1"]),
    Production(
        "number = [ minus ] int [ frac ] [ exp ]", ["1", "-1", "1.5", "1e5", "-1.5e5"],
        not: ["1e5.5", "0x1", "1_0", "1f"]),
    Production("decimal-point = .", ["1.0"], not: ["1,0.", "1..0", "1\u{B7}0", ".0"]),
    Production("digit1-9", ["1", "9", "19"], not: ["\u{661}", "\u{FF11}", "01"]),
    Production("e = e / E", ["1e1", "1E1"], not: ["1ee1", "1x1", "e1", "1\u{435}1"]),
    Production(
        "exp = e [ minus / plus ] 1*DIGIT", ["1e0", "1e+0", "1e-00", "1E+012"],
        not: ["1e", "1e+", "1e-", "1e+-1", "1e 1"]),
    Production("frac = decimal-point 1*DIGIT", ["0.0", "1.00", "1.123456789"], not: ["1.", "1.e1", "1.-1", "1.+1"]),
    Production("int = zero / ( digit1-9 *DIGIT )", ["0", "10", "1234567890"], not: ["00", "01", "-01", "1 0"]),
    Production("minus", ["-1", "-0", "[-0.0]"], not: ["-", "--1", "- 1", "\u{2212}1", "[-]"]),
    Production("plus", ["1e+1"], not: ["+1", "+0", "[+1]"]),
    Production("zero", ["0", "-0", "0e0", "0.0"], not: ["00", "0 0", "0-"]),
    Production(
        "string = quotation-mark *char quotation-mark", ["\"\"", "\"a\"", "\" \"", "\"'\""],
        not: ["\"", "'a'", "\"a", "a\"", "\"a\"b\"", "\u{201C}a\u{201D}"]),
    Production(
        "char = unescaped / escape ( ... )",
        ["\"\\\"\"", "\"\\\\\"", "\"\\/\"", "\"\\b\"", "\"\\f\"", "\"\\n\"", "\"\\r\"", "\"\\t\"", "\"\\u0000\""],
        not: ["\"\\a\"", "\"\\v\"", "\"\\0\"", "\"\\'\"", "\"\\\n\"", "\"\\U0061\"", "\"\\ \"", "\"\\"]),
    Production(
        "%x75 4HEXDIG", ["\"\\u0061\"", "\"\\uABCD\"", "\"\\uabcd\"", "\"\\uD83D\\uDE00\"", "\"\\uDE00\""],
        not: ["\"\\u\"", "\"\\u1\"", "\"\\u123\"", "\"\\u12G4\"", "\"\\u{61}\"", "\"\\u+061\"", "\"\\u 061\""]),
    Production("escape = \\", ["\"\\\\\\\\\""], not: ["\"\\\"", "\"\\\\\\\"", "\\\"a\""]),
    Production("quotation-mark", ["\"a\""], not: ["`a`", "\u{FF02}a\u{FF02}", "\"a'"]),
    Production(
        "unescaped = %x20-21 / %x23-5B / %x5D-10FFFF",
        ["\" !\"", "\"#[\"", "\"]~\"", "\"\u{7F}\"", "\"\u{80}\"", "\"\u{2028}\"", "\"\u{FFFF}\"", "\"\u{10FFFF}\""],
        not: ["\"\u{0}\"", "\"\u{1F}\"", "\"\t\"", "\"\n\"", "\"\r\"", "\"\u{1B}\""]),
])
func `each production of RFC 8259 is read, and nothing beside it`(production: Production) {
    production.check { text in
        let isAccepted = JSONDocument(text).error == nil
        let bytes = Array(text.utf8)
        for middle in bytes.indices where (JSONDocument(bytes, splitAt: middle).error == nil) != isAccepted {
            Issue.record("\(text.debugDescription) is something else in two parts")
        }
        return isAccepted
    }
}

@Test func `every character of a string is what its class says, escaped or not`() {
    for value in UInt32(0)...0x17F {
        guard let scalar = Unicode.Scalar(value) else { continue }
        let isPlain = value >= 0x20 && scalar != "\"" && scalar != "\\"
        #expect((JSONDocument("\"\(scalar)\"").error == nil) == isPlain, "U+\(String(value, radix: 16))")
        let isEscape = "\"\\/bfnrt".unicodeScalars.contains(scalar)
        #expect((JSONDocument("\"\\\(scalar)\"").error == nil) == isEscape, "\\ and U+\(String(value, radix: 16))")
        let isDigit = "0123456789abcdefABCDEF".unicodeScalars.contains(scalar)
        #expect(
            (JSONDocument("\"\\u00\(scalar)0\"").error == nil) == isDigit, "\\u00 and U+\(String(value, radix: 16))")
    }
}
