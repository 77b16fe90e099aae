/// Messages for errors at the cursor.
extension JSONScanner {
    func mistake(_ message: String, at place: Int? = nil) -> JSONMistake {
        JSONMistake(position: source.position(at: place ?? offset), message: message)
    }

    /// "expected `expected`, found …", or the message for a common error.
    func unexpected(_ expected: String) -> JSONMistake {
        if let message = commonMistake { return mistake(message) }
        let hint = expected.hasPrefix("a value") ? literalHint.map { "; write \($0)" } ?? "" : ""
        return mistake("expected \(expected), found \(found)\(hint)")
    }

    func unexpectedKey(_ expected: String) -> JSONMistake {
        let word = wordAtCursor
        if commonMistake == nil, let first = word.first, first.isLetter || first == "_" || first == "$" {
            return mistake("a key needs double quotes: write \"\(word)\"")
        }
        return unexpected(expected)
    }

    private var commonMistake: String? {
        let second = byte(at: offset + 1)
        let isComment = second == UInt8(ascii: "/") || second == UInt8(ascii: "*")
        switch next {
        case let sign where sign == UInt8(ascii: "#") || sign == UInt8(ascii: "/") && isComment:
            return "JSON has no comments; remove it, or keep the text under a key such as \"description\""
        case UInt8(ascii: "'"), UInt8(ascii: "`"):
            return "a string needs double quotes (\"), found \(found)"
        case UInt8(ascii: "+"): return "a number has no '+' in front"
        case UInt8(ascii: "."): return "a number begins with a digit: write 0 before the '.'"
        default: return nil
        }
    }

    private var literalHint: String? {
        switch wordAtCursor.lowercased() {
        case "true", "yes", "on": "true"
        case "false", "no", "off": "false"
        case "null", "nil", "none", "undefined", "nan", "infinity": "null"
        default: nil
        }
    }

    /// The text under the cursor, for error messages.
    var found: String {
        guard let byte = next else { return "the end of the file" }
        if byte == UInt8(ascii: "\"") { return "a string" }
        let word = wordAtCursor
        if !word.isEmpty { return "'\(word.prefix(40))'" }
        let character = characterAtCursor
        guard let scalar = character.unicodeScalars.first else { return "the end of the file" }
        let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
        return isControl || scalar.properties.isDefaultIgnorableCodePoint || scalar == "\u{A0}"
            ? "the character U+\(Self.hex(scalar.value).uppercased())" : "'\(character)'"
    }

    /// The letters, digits and underscores from the cursor on.
    var wordAtCursor: String {
        var end = offset
        while let byte = byte(at: end), byte >= 0x80 || Self.isWordByte(byte) { end += 1 }
        let word = String(decoding: source.bytes[min(offset, end)..<end], as: UTF8.self)
        let isPlain = word.unicodeScalars.allSatisfy { $0.isASCII || $0.properties.isAlphabetic }
        return isPlain ? word : ""
    }

    var characterAtCursor: String {
        let end = min(offset + 4, source.bytes.count)
        guard offset < end else { return "" }
        let text = String(decoding: source.bytes[offset..<end], as: UTF8.self)
        return text.unicodeScalars.first.map { String($0) } ?? ""
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"):
            true
        default: false
        }
    }
}
