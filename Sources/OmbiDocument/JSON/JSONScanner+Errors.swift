/// A syntax error of a JSON text (RFC 8259). Everything before it stays readable.
package struct JSONSyntaxError: Error, Equatable, Sendable, CustomStringConvertible {
    /// In bytes, from the start of the text.
    package let offset: Int
    package let position: TextPosition
    /// Such as `expected ':' after the key, found ','`.
    package let reason: String

    package init(offset: Int, position: TextPosition, reason: String) {
        self.offset = offset
        self.position = position
        self.reason = reason
    }

    package var description: String { "\(position): \(reason)" }
}

extension JSONSyntaxError {
    /// Finds the position. Reads all bytes before the offset: 1 ms for each 10 MB or so.
    init(offset: Int, reason: String, in bytes: Bytes) {
        var locator = TextLocator(bytes)
        self.init(offset: offset, position: locator.position(of: offset), reason: reason)
    }
}

/// A description of an unexpected byte.
struct Found: CustomStringConvertible {
    private let byte: UInt8

    init(_ byte: UInt8) { self.byte = byte }

    var description: String {
        switch byte {
        case 0x0A: "a line break"
        case 0x21...0x7E: "'\(Unicode.Scalar(byte))'"
        case 0x20: "a space"
        case 0..<0x80: "U+00\(hexadecimal)"
        default: "the byte 0x\(hexadecimal)"
        }
    }

    private var hexadecimal: String { byte.digits(2, radix: 16, uppercase: true) }
}

/// Error messages.
extension JSONScanner {
    /// Records the error. Returns false, the result of a step that cannot continue.
    mutating func fail(at offset: Int, _ reason: String) -> Bool {
        failure = (offset, reason)
        return false
    }

    /// Stops where the index would exceed a limit.
    mutating func stop(at limit: IndexLimit) -> Bool {
        self.limit = limit
        return fail(at: position, "this is JSON \(limit); the rest is not indexed")
    }

    /// Returns the error for `byte` where `position` allows another.
    func unexpected(_ byte: UInt8) -> String {
        "expected \(expectation), found \(found(byte))"
    }

    /// The error when the body ends at `position`; nil when it may end there.
    var truncation: String? {
        switch state {
        case .start, .root:
            if position < end { return "expected a value, found the end of the body inside \(foundWord)" }
            return roots == .many || rootCount > 0 ? nil : "expected a value, found an empty body"
        case .key: return "the body ends inside a key"
        case .string: return "the body ends inside a string"
        case .number: return numberPhase.isWhole ? nil : "\(numberPhase.missing), found the end of the body"
        default:
            let found = position < end ? "the end of the body inside \(foundWord)" : "the end of the body"
            return "expected \(expectation), found \(found)"
        }
    }

    private var expectation: String {
        switch state {
        case .start: "a value"
        case .root: rootCount == 0 ? "a value" : roots == .one ? "the end of the body after the value" : "white space"
        case .element: isInObject ? "a value after ':'" : "an element after ','"
        case .elementOrEnd: "an element or ']'"
        case .member: "a key in double quotes after ','"
        case .memberOrEnd: "a key in double quotes or '}'"
        case .colon: "':' after the key"
        case .commaOrEnd: isInObject ? "',' or '}' after the member" : "',' or ']' after the element"
        case .key, .string, .number: "the rest of it"
        }
    }

    /// Returns a description of the byte, with a hint where other formats allow it.
    private func found(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "'"): return "''' (JSON has double quotes only)"
        case UInt8(ascii: "/"), UInt8(ascii: "#"): return "\(Found(byte)) (JSON has no comments)"
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
            let isTrailing = state == .member || state == .element && !isInObject
            return "\(Found(byte))" + (isTrailing ? " (JSON has no trailing commas)" : "")
        case 0xFE, 0xFF: return "\(Found(byte))" + (position == 0 ? " (UTF-16? JSON is UTF-8)" : "")
        case _ where byte.isASCIILetter: return foundWord
        default: return "\(Found(byte))"
        }
    }

    /// The word at `position`, as far as it has arrived, up to 20 bytes.
    var foundWord: String {
        var word = ""
        while position + word.utf8.count < end, word.utf8.count < 20 {
            let byte = base[position + word.utf8.count]
            guard byte | 0x20 >= 0x61, byte | 0x20 <= 0x7A || byte == 0x5F else { break }
            word.unicodeScalars.append(Unicode.Scalar(byte))
        }
        return word.isEmpty ? "\(Found(base[position]))" : "'\(word)'"
    }
}

/// The error for the author of the text, with the fix if it is a common one.
extension JSONScanner {
    var advice: (offset: Int, reason: String) {
        if case .depth(let levels) = limit { return (position, "nested more than \(levels) levels deep") }
        if case .memory = limit, let failure { return failure }
        return switch state {
        case .key, .string: adviceInString
        case .number: adviceInNumber
        default: adviceAtToken
        }
    }

    private var adviceInString: (offset: Int, reason: String) {
        switch byte(at: position) {
        case nil: return (tokenStart, "the string that begins here is not closed")
        case 0x0A, 0x0D:
            return (tokenStart, "the string is not closed on its line; write \\n for a line break in it")
        case let control? where control < 0x20:
            let code = control.digits(4, radix: 16)
            return (position, "the control character U+\(code) in a string; write \\u\(code)")
        default: break
        }
        guard let escaped = byte(at: position + 1) else { return (end, "the file ends in a string") }
        if escaped == UInt8(ascii: "u") { return (position, "\\u needs four hexadecimal digits") }
        return (
            position,
            "unknown escape \\\(character(at: position + 1)); the escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX"
        )
    }

    private var adviceInNumber: (offset: Int, reason: String) {
        switch numberPhase {
        case .minus: unexpected("a digit after '-'")
        case .point: unexpected("a digit after '.'")
        case .exponent, .exponentSign: unexpected("a digit in the exponent")
        case .zero, .integer, .fraction, .exponentDigits: (tokenStart, "a number has no zeros in front")
        }
    }

    private var adviceAtToken: (offset: Int, reason: String) {
        let closer = isInObject ? "'}'" : "']'"
        switch state {
        case .root where rootCount == 0, .start:
            return position == end ? (position, "expected a value, found an empty file") : unexpected("a value")
        case .root: return afterLiteral ?? unexpected("the end of the file")
        case .elementOrEnd: return unexpected("a value or ']'")
        case .memberOrEnd: return unexpectedKey("a key in double quotes or '}'")
        case .colon: return unexpected("':' after the key \(key)")
        case .commaOrEnd: return afterLiteral ?? unexpected("',' or \(closer) after the value")
        default: break
        }
        if state == .member || !isInObject, byte(at: position) == (isInObject ? 0x7D : 0x5D) {
            return (tokenEnd - 1, "trailing comma: remove the ',' before \(closer)")
        }
        return state == .member ? unexpectedKey("a key in double quotes") : unexpected("a value")
    }

    /// The error of a word that only begins like a literal: `truely`.
    private var afterLiteral: (offset: Int, reason: String)? {
        guard let next = byte(at: position), next >= 0x80 || Self.isWordByte(next) else { return nil }
        var start = position
        while start > 0, base[start - 1] &- 0x61 < 26 { start -= 1 }
        return start < position ? (start, "expected a value, found '\(word(at: start).prefix(40))'") : nil
    }

    /// "expected `expected`, found …", or the message for a common error.
    private func unexpected(_ expected: String) -> (offset: Int, reason: String) {
        if let message = commonError { return (position, message) }
        let hint = expected.hasPrefix("a value") ? literalHint.map { "; write \($0)" } ?? "" : ""
        return (position, "expected \(expected), found \(found)\(hint)")
    }

    private func unexpectedKey(_ expected: String) -> (offset: Int, reason: String) {
        let word = word(at: position)
        if commonError == nil, let first = word.first, first.isLetter || first == "_" || first == "$" {
            return (position, "a key needs double quotes: write \"\(word)\"")
        }
        return unexpected(expected)
    }

    private var commonError: String? {
        let second = byte(at: position + 1)
        let isComment = second == UInt8(ascii: "/") || second == UInt8(ascii: "*")
        switch byte(at: position) {
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
        switch word(at: position).lowercased() {
        case "true", "yes", "on": "true"
        case "false", "no", "off": "false"
        case "null", "nil", "none", "undefined", "nan", "infinity": "null"
        default: nil
        }
    }
}

/// The text around the error.
extension JSONScanner {
    private func byte(at offset: Int) -> UInt8? { offset < end ? base[offset] : nil }

    /// The text under the cursor, for error messages.
    private var found: String {
        guard let byte = byte(at: position) else { return "the end of the file" }
        if byte == UInt8(ascii: "\"") { return "a string" }
        let word = word(at: position)
        if !word.isEmpty { return "'\(word.prefix(40))'" }
        let character = character(at: position)
        guard let scalar = character.unicodeScalars.first else { return "the end of the file" }
        let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
        return isControl || scalar.properties.isDefaultIgnorableCodePoint || scalar == "\u{A0}"
            ? "the character U+\(scalar.value.digits(4, radix: 16, uppercase: true))" : "'\(character)'"
    }

    /// The letters, digits and underscores from an offset on.
    private func word(at start: Int) -> String {
        var next = start
        while let byte = byte(at: next), byte >= 0x80 || Self.isWordByte(byte) { next += 1 }
        let word = text(start..<next)
        let isPlain = word.unicodeScalars.allSatisfy { $0.isASCII || $0.properties.isAlphabetic }
        return isPlain ? word : ""
    }

    private func character(at offset: Int) -> String {
        text(offset..<min(offset + 4, end)).unicodeScalars.first.map { String($0) } ?? ""
    }

    /// The key before the cursor, in quotes.
    private var key: String {
        let literal = UnsafeBufferPointer(start: base + tokenStart, count: max(0, tokenEnd - tokenStart))
        return JSONValue.quoted(JSONText(decoding: literal).string)
    }

    private var tokenEnd: Int {
        var end = position
        while end > 0, Self.isWhitespace(base[end - 1]) { end -= 1 }
        return end
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: UnsafeBufferPointer(start: base + range.lowerBound, count: range.count), as: UTF8.self)
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        byte.isASCIIAlphanumeric || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
    }
}
