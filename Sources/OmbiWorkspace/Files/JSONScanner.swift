/// Reads the tokens of JSON: strings, numbers, `true`, `false` and `null`, one after the other.
struct JSONScanner {
    let source: SourceText
    private(set) var offset: Int

    init(_ source: SourceText) {
        self.source = source
        offset = source.start
    }

    var isAtEnd: Bool { offset >= source.bytes.count }

    /// The byte under the cursor; nil at the end.
    var next: UInt8? { byte(at: offset) }

    func byte(at offset: Int) -> UInt8? {
        source.bytes.indices.contains(offset) ? source.bytes[offset] : nil
    }

    mutating func advance() { offset += 1 }

    mutating func skipWhitespace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { offset += 1 }
    }

    mutating func scalar(expecting expected: String) throws(JSONMistake) -> JSONValue {
        if next == UInt8(ascii: "\"") { return .string(try string()) }
        if let byte = next, byte == UInt8(ascii: "-") || Self.isDigit(byte) { return .number(try number()) }
        let word = wordAtCursor
        let value: JSONValue? =
            switch word {
            case "true": .bool(true)
            case "false": .bool(false)
            case "null": .null
            default: nil
            }
        guard let value else { throw unexpected(expected) }
        offset += word.utf8.count
        return value
    }

    private mutating func number() throws(JSONMistake) -> String {
        let start = offset
        if next == UInt8(ascii: "-") { advance() }
        let firstDigit = next
        let digits = skipDigits()
        if digits == 0 { throw unexpected("a digit after '-'") }
        if firstDigit == UInt8(ascii: "0"), digits > 1 {
            throw mistake("a number has no zeros in front", at: start)
        }
        if next == UInt8(ascii: ".") {
            advance()
            if skipDigits() == 0 { throw unexpected("a digit after '.'") }
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            advance()
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { advance() }
            if skipDigits() == 0 { throw unexpected("a digit in the exponent") }
        }
        return String(decoding: source.bytes[start..<offset], as: UTF8.self)
    }

    private mutating func skipDigits() -> Int {
        let start = offset
        while let byte = next, Self.isDigit(byte) { offset += 1 }
        return offset - start
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    /// Reads the string whose opening quote is under the cursor.
    mutating func string() throws(JSONMistake) -> String {
        let start = offset
        advance()
        var text = ""
        var pieceStart = offset
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                text += piece(from: pieceStart)
                advance()
                return text
            case UInt8(ascii: "\\"):
                text += piece(from: pieceStart)
                text.unicodeScalars.append(try escape())
                pieceStart = offset
            case 0x0A, 0x0D:
                throw mistake("the string is not closed on its line; write \\n for a line break in it", at: start)
            case 0..<0x20:
                let code = Self.hex(UInt32(byte))
                throw mistake("the control character U+\(code) in a string; write \\u\(code)")
            default: advance()
            }
        }
        throw mistake("the string that begins here is not closed", at: start)
    }

    private func piece(from start: Int) -> String {
        String(decoding: source.bytes[start..<offset], as: UTF8.self)
    }

    private mutating func escape() throws(JSONMistake) -> Unicode.Scalar {
        let start = offset
        advance()
        if let byte = next, let scalar = Self.shortEscapes[byte] {
            advance()
            return scalar
        }
        guard next == UInt8(ascii: "u") else {
            if isAtEnd { throw mistake("the file ends in a string") }
            throw mistake(
                "unknown escape \\\(characterAtCursor); the escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX",
                at: start)
        }
        let first = try hexadecimal(from: start)
        if let scalar = Unicode.Scalar(first) { return scalar }
        // UTF-16 writes a character beyond U+FFFF as a surrogate pair (RFC 8259 §7).
        let secondStart = offset
        guard first < 0xDC00, next == UInt8(ascii: "\\"), byte(at: offset + 1) == UInt8(ascii: "u") else {
            throw half(first, at: start)
        }
        advance()
        let second = try hexadecimal(from: secondStart)
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (UInt32(first - 0xD800) << 10) + UInt32(second - 0xDC00))
        else { throw half(first, at: start) }
        return scalar
    }

    private func half(_ code: UInt16, at offset: Int) -> JSONMistake {
        mistake("\\u\(Self.hex(UInt32(code))) is half of a surrogate pair; its other half is missing", at: offset)
    }

    /// Reads the four digits after the `u` under the cursor.
    private mutating func hexadecimal(from start: Int) throws(JSONMistake) -> UInt16 {
        advance()
        var code: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
                throw mistake("\\u needs four hexadecimal digits", at: start)
            }
            code = code << 4 | UInt16(digit)
            advance()
        }
        return code
    }

    private static let shortEscapes: [UInt8: Unicode.Scalar] = [
        UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/", UInt8(ascii: "b"): "\u{8}",
        UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "n"): "\n", UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
    ]

    static func hex(_ code: UInt32) -> String {
        let digits = String(code, radix: 16)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
