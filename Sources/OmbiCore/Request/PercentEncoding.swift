/// Percent encoding (RFC 3986 §2.1) over UTF-8.
package enum PercentEncoding {
    /// Escapes everything but unreserved characters.
    package static func escape(_ text: String) -> String { escape(text, but: .unreserved) }

    /// Escapes a whole path: all characters that are invalid in one. Existing escapes are kept.
    package static func escapePath(_ text: String) -> String {
        escape(text, but: .path, keepingEscapes: true)
    }

    /// Escapes a whole query, like `escapePath(_:)`.
    static func escapeQuery(_ text: String) -> String { escape(text, but: .query, keepingEscapes: true) }

    /// Escapes a query as typed by a user: like `escapeQuery(_:)`, but keeps plus signs.
    package static func escapeWrittenQuery(_ text: String) -> String {
        escape(text, but: .writtenQuery, keepingEscapes: true)
    }

    /// Escapes a name or a value in a query: the characters that would split it (`& = + # [ ] ;`), and those invalid in
    /// one.
    package static func escapeParameter(_ text: String) -> String { escape(text, but: .parameter) }

    /// Escapes for `application/x-www-form-urlencoded` (WHATWG URL §5.2): a space becomes `+`.
    package static func escapeForm(_ text: String) -> String {
        String(decoding: escape(text, but: .form).utf8.map { $0 == 0x20 ? 0x2B : $0 }, as: UTF8.self)
    }

    /// Decodes all escapes, and escapes everything but unreserved characters, and slashes if they are kept.
    package static func escapeAnew(_ text: some StringProtocol, keepingSlashes: Bool = false) -> String {
        escape(unescape(text, plus: UInt8(ascii: "+")), but: keepingSlashes ? .unreservedPath : .unreserved)
    }

    private static func escape(_ text: String, but allowed: Characters, keepingEscapes: Bool = false) -> String {
        if text.allBytesSatisfy(allowed.contains) { return text }
        return escape(text.utf8, but: allowed, keepingEscapes: keepingEscapes)
    }

    private static func escape(
        _ bytes: some Collection<UInt8>, but allowed: Characters, keepingEscapes: Bool = false
    ) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 32)
        for index in bytes.indices {
            let byte = bytes[index]
            if allowed.contains(byte) || (keepingEscapes && escaped(bytes[index...]) != nil) {
                result.append(byte)
            } else {
                result.append(0x25)
                result.append(hexDigit(byte >> 4))
                result.append(hexDigit(byte & 15))
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Decodes the escapes of a form or a query, in which `+` is a space. Invalid escapes are kept.
    package static func unescapeForm(_ text: some StringProtocol) -> String {
        String(decoding: unescape(text, plus: UInt8(ascii: " ")), as: UTF8.self)
    }

    /// Decodes escapes; a plus stays one. Invalid escapes are kept.
    package static func unescape(_ text: some StringProtocol) -> String {
        String(decoding: unescape(text, plus: UInt8(ascii: "+")), as: UTF8.self)
    }

    private static func unescape(_ text: some StringProtocol, plus: UInt8) -> [UInt8] {
        var bytes = Array(text.utf8)[...]
        var result: [UInt8] = []
        while let byte = bytes.first {
            let value = escaped(bytes)
            result.append(value ?? (byte == 0x2B ? plus : byte))
            bytes = bytes.dropFirst(value == nil ? 1 : 3)
        }
        return result
    }

    /// Returns the byte of an escape at the start; nil if there is none.
    private static func escaped(_ bytes: some Collection<UInt8>) -> UInt8? {
        guard bytes.first == 0x25 else { return nil }
        let digits = bytes.dropFirst().prefix(2).compactMap(\.hexDigitValue)
        return digits.count == 2 ? digits[0] << 4 | digits[1] : nil
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }
}

extension PercentEncoding {
    /// A set of ASCII characters: letters, digits and some others.
    struct Characters: Sendable {
        private var low: UInt64 = 0
        private var high: UInt64 = 0

        private init(_ others: String) {
            let alphanumerics = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
            for byte in (alphanumerics + others).utf8 {
                if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
            }
        }

        func contains(_ byte: UInt8) -> Bool {
            switch byte {
            case 0..<64: low >> UInt64(byte) & 1 == 1
            case 64..<128: high >> UInt64(byte - 64) & 1 == 1
            default: false
            }
        }

        static let unreserved = Characters("-._~")
        static let unreservedPath = Characters("-._~/")
        static let path = Characters("-._~/:@!$&'()*+,;=")
        static let query = Characters("-._~/?:@!$&'()*,;=")
        static let writtenQuery = Characters("-._~/?:@!$&'()*+,;=")
        static let parameter = Characters("-._~/?:@!$'()*,")
        /// The characters of a token (RFC 9110 §5.6.2).
        static let token = Characters("!#$%&'*+-.^_`|~")
        static let scheme = Characters("+-.")
        static let form = Characters("-._* ")
    }
}

extension StringProtocol {
    /// Like `utf8.allSatisfy`, but in one loop over memory if the text is contiguous.
    func allBytesSatisfy(_ predicate: (UInt8) -> Bool) -> Bool {
        utf8.withContiguousStorageIfAvailable { $0.allSatisfy(predicate) } ?? utf8.allSatisfy(predicate)
    }
}

/// The rest of a header field that is being read.
extension Substring.UTF8View {
    mutating func skipSpaces() { self = drop { $0 == 0x20 || $0 == 0x09 } }

    mutating func take(while isPart: (UInt8) -> Bool) -> String {
        let part = prefix(while: isPart)
        self = self[part.endIndex...]
        return String(decoding: part, as: UTF8.self)
    }

    /// Takes a quoted string, which extends to the end of the field without a closing quote; nil for other text.
    mutating func takeQuoted() -> String? {
        let quote = UInt8(ascii: "\"")
        guard first == quote else { return nil }
        removeFirst()
        var bytes: [UInt8] = []
        while let byte = popFirst(), byte != quote {
            bytes.append(byte == UInt8(ascii: "\\") ? popFirst() ?? byte : byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
