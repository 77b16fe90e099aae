/// Decodes the escapes of a JSON string that the index has validated.
struct JSONStringDecoder {
    private let literal: UnsafeBufferPointer<UInt8>
    private let replacesSurrogates: Bool
    private var next = 1
    private var result: [UInt8] = []
    private(set) var hasLoneSurrogates = false

    /// - Parameters:
    ///   - literal: The string with its quotes.
    ///   - replacesSurrogates: True to replace a lone surrogate with U+FFFD, as text needs it; false to encode it like
    ///   a character, so that different ones compare as different.
    init(_ literal: UnsafeBufferPointer<UInt8>, replacesSurrogates: Bool) {
        self.literal = literal
        self.replacesSurrogates = replacesSurrogates
    }

    /// Returns the decoded string as UTF-8.
    mutating func decode() -> [UInt8] {
        let end = literal.count - 1
        result.reserveCapacity(max(end, 0))
        while next < end {
            guard literal[next] == 0x5C, next + 1 < end else {
                result.append(literal[next])
                next += 1
                continue
            }
            escape(literal[next + 1])
        }
        return result
    }

    private mutating func escape(_ byte: UInt8) {
        next += 2
        switch byte {
        case UInt8(ascii: "b"): result.append(0x08)
        case UInt8(ascii: "f"): result.append(0x0C)
        case UInt8(ascii: "n"): result.append(0x0A)
        case UInt8(ascii: "r"): result.append(0x0D)
        case UInt8(ascii: "t"): result.append(0x09)
        case UInt8(ascii: "u"): codeUnit()
        default: result.append(byte)
        }
    }

    private mutating func codeUnit() {
        guard let first = digits(at: next) else { return }
        next += 4
        guard first & 0xF800 == 0xD800 else { return append(first) }
        if first & 0xFC00 == 0xD800, next + 1 < literal.count, literal[next] == 0x5C,
            literal[next + 1] == UInt8(ascii: "u"), let second = digits(at: next + 2), second & 0xFC00 == 0xDC00
        {
            next += 6
            append(0x10000 + (first & 0x3FF) << 10 + (second & 0x3FF))
        } else {
            hasLoneSurrogates = true
            append(replacesSurrogates ? 0xFFFD : first)
        }
    }

    private func digits(at offset: Int) -> UInt32? {
        guard let base = literal.baseAddress, offset + 4 < literal.count else { return nil }
        return Hexadecimal.fourDigits(at: base + offset)
    }

    /// Encodes by hand, because a lone surrogate is not a `Unicode.Scalar`.
    private mutating func append(_ value: UInt32) {
        func continuation(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: 0x80 | value >> shift & 0x3F) }
        switch value {
        case 0..<0x80: result.append(UInt8(truncatingIfNeeded: value))
        case 0x80..<0x800: result += [UInt8(truncatingIfNeeded: 0xC0 | value >> 6), continuation(0)]
        case 0x800..<0x10000:
            result += [UInt8(truncatingIfNeeded: 0xE0 | value >> 12), continuation(6), continuation(0)]
        default:
            result += [
                UInt8(truncatingIfNeeded: 0xF0 | value >> 18), continuation(12), continuation(6), continuation(0),
            ]
        }
    }
}

/// Encodes text as a JSON string (RFC 8259, section 7), with only those characters escaped that must be.
enum JSONStringEncoder {
    /// Appends a text in quotes. The names in normalized paths (RFC 9535, section 2.7) differ in their quotes only.
    static func append(_ text: String, quote: UInt8 = UInt8(ascii: "\""), to result: inout [UInt8]) {
        var text = text
        result.append(quote)
        text.withUTF8 { bytes in
            var start = 0
            while let index = firstToEscape(in: bytes, from: start, quote) {
                result.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
                appendEscape(of: bytes[index], to: &result)
                start = index + 1
            }
            result.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...]))
        }
        result.append(quote)
    }

    /// Returns the next index of a quote, a backslash or a control character.
    private static func firstToEscape(
        in bytes: UnsafeBufferPointer<UInt8>, from start: Int, _ quote: UInt8
    ) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        let (quotes, backslashes) = (ByteScan.all(quote), ByteScan.all(0x5C))
        var index = start
        while index + 8 <= bytes.count {
            let word = ByteScan.word(base, index)
            let isControl = (word &- ByteScan.all(0x20)) & ~word & ByteScan.all(0x80)
            let found = isControl | ByteScan.zeros(word ^ quotes) | ByteScan.zeros(word ^ backslashes)
            if found != 0 { return index + found.trailingZeroBitCount >> 3 }
            index += 8
        }
        return bytes[index...].firstIndex { $0 < 0x20 || $0 == quote || $0 == 0x5C }
    }

    private static func appendEscape(of byte: UInt8, to result: inout [UInt8]) {
        result.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: result.append(UInt8(ascii: "b"))
        case 0x09: result.append(UInt8(ascii: "t"))
        case 0x0A: result.append(UInt8(ascii: "n"))
        case 0x0C: result.append(UInt8(ascii: "f"))
        case 0x0D: result.append(UInt8(ascii: "r"))
        case 0..<0x20: result += "u\(byte.digits(4, radix: 16))".utf8
        default: result.append(byte)
        }
    }
}

/// A decoded JSON string.
package struct JSONText: Hashable, Sendable {
    /// Each lone surrogate, which no Unicode text can hold, is replaced by U+FFFD.
    package let string: String
    /// True if an escape named half of a character beyond U+FFFF without the other half (RFC 8259, section 8.2).
    package let hasLoneSurrogates: Bool

    /// - Parameter literal: A JSON string, with its quotes.
    init(decoding literal: UnsafeBufferPointer<UInt8>) {
        self.init(decoding: literal, hasEscapes: literal.contains(0x5C))
    }

    /// - Parameter hasEscapes: True unless there are no escapes in the literal.
    init(decoding literal: UnsafeBufferPointer<UInt8>, hasEscapes: Bool) {
        guard hasEscapes else {
            string = String(decoding: literal.unquoted, as: UTF8.self)
            hasLoneSurrogates = false
            return
        }
        var decoder = JSONStringDecoder(literal, replacesSurrogates: true)
        string = String(decoding: decoder.decode(), as: UTF8.self)
        hasLoneSurrogates = decoder.hasLoneSurrogates
    }
}

extension UnsafeBufferPointer<UInt8> {
    var unquoted: Self { Self(start: baseAddress.map { $0 + 1 }, count: Swift.max(count - 2, 0)) }
}

/// Hexadecimal digits as ASCII.
enum Hexadecimal {
    /// Returns the value of four digits at `address`; nil when one of them is not a digit.
    static func fourDigits(at address: UnsafePointer<UInt8>) -> UInt32? {
        var result: UInt32 = 0
        for index in 0..<4 {
            guard let digit = address[index].hexDigitValue else { return nil }
            result = result << 4 | UInt32(digit)
        }
        return result
    }
}

/// Locates the first byte of a text that is not UTF-8.
package enum UTF8Check {
    /// Returns nil for a text that is UTF-8, with or without a byte order mark.
    package static func error(in bytes: Bytes) -> JSONSyntaxError? {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            return JSONSyntaxError(offset: 0, reason: "the file is UTF-16; save it as UTF-8", in: bytes)
        }
        guard let offset = UTF8Reader.firstInvalid(in: bytes, 0..<bytes.count) else { return nil }
        let hex = String(bytes[offset], radix: 16, uppercase: true)
        return JSONSyntaxError(
            offset: offset,
            reason: "not UTF-8: byte 0x\(hex) at byte \(offset + 1) of the file; save the file as UTF-8", in: bytes)
    }
}

/// The bytes of one character beyond ASCII.
enum UTF8Sequence: Equatable {
    /// A character of this many bytes.
    case whole(Int)
    /// The beginning of a character whose rest is missing.
    case cut
    case wrong

    @inline(__always) init(at address: UnsafePointer<UInt8>, count: Int) {
        guard let lead = UTF8Lead(address[0]) else {
            self = .wrong
            return
        }
        for index in 1..<lead.length {
            guard index < count else {
                self = .cut
                return
            }
            guard lead.allows(address[index], at: index) else {
                self = .wrong
                return
            }
        }
        self = .whole(lead.length)
    }
}
