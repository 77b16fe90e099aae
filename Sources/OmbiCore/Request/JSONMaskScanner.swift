internal import OmbiBase
import OmbiPlatform

/// A scanner that copies JSON text without the values of sensitive members. It only examines strings and brackets, so
/// that text that is not JSON, or ends early, does no harm.
struct JSONMaskScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0
    /// The start of the last word with quotation marks, and their high bits.
    private var (wordStart, quotes): (Int, UInt64) = (-8, 0)
    private var result: [UInt8] = []
    /// The end of what the result has.
    private var copied = 0
    /// True in a text with the parameters of an OAuth grant.
    private lazy var isGrant = hasGrant

    /// False for most texts, in whose strings none is looked for.
    private let hasEscapes: Bool

    private init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        hasEscapes = bytes.baseAddress.map { memchr($0, Int32(Self.backslash), bytes.count) != nil } ?? false
    }

    /// Returns nil for a text without anything to mask.
    /// - Parameter names: The names of other texts, of which this one may well have some.
    static func masked(_ bytes: UnsafeBufferPointer<UInt8>, _ names: inout KnownNames) -> [UInt8]? {
        var scanner = JSONMaskScanner(bytes)
        return scanner.masked(&names)
    }

    private mutating func masked(_ names: inout KnownNames) -> [UInt8]? {
        while let start = nextQuote(from: index) {
            index = start
            let (text, isEscaped) = takeString()
            guard takeColon() else { continue }
            if Self.withText(of: text, isEscaped, { isSecret($0, &names) }) { skipValue() }
        }
        return copied == 0 ? nil : result + bytes[copied...]
    }

    /// Returns true for the name of a member whose value, which starts here, is a secret.
    private mutating func isSecret(_ name: UnsafeBufferPointer<UInt8>, _ names: inout KnownNames) -> Bool {
        switch names.kind(of: name) {
        case .harmless: false
        // Its value may be none.
        case .credential: !isBoolean && !(isNumber && LogMask.isFigure(name))
        case .code: index < bytes.count && bytes[index] == Self.quote && isGrant
        }
    }

    /// Takes the string that starts here, and the rest of the text if it is unterminated.
    /// - Returns: The text without its quotation marks; the last byte of an unterminated one is missing.
    private mutating func takeString() -> (text: UnsafeBufferPointer<UInt8>, isEscaped: Bool) {
        let start = index + 1
        var isEscaped = false
        index = start
        var end = nextQuote(from: start)
        while hasEscapes, let last = end, let escape = ByteSearch.first(Self.backslash, in: bytes, index..<last) {
            isEscaped = true
            index = escape + 2
            // The quotation mark may be the escaped one.
            if index > last { end = nextQuote(from: min(index, bytes.count)) }
        }
        index = end.map { $0 + 1 } ?? bytes.count
        return (UnsafeBufferPointer(rebasing: bytes[start..<max(start, index - 1)]), isEscaped)
    }

    /// Returns the place of the next quotation mark; nil for none. Most are near, several in a word.
    /// - Parameter start: No less than the last one.
    private mutating func nextQuote(from start: Int) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        var place = start
        if start - wordStart < 8 {
            let found = quotes >> UInt64((start - wordStart) * 8)
            if found != 0 { return start + found.trailingZeroBitCount >> 3 }
            place = wordStart + 8
        }
        let end = min(bytes.count, place + Self.nearBytes)
        while place + 8 <= end {
            let word = UnsafeRawPointer(base + place).loadUnaligned(as: UInt64.self).littleEndian ^ Self.quoteWord
            // Each zero byte, and no other.
            let zeros = ~((word & Self.lowBits) &+ Self.lowBits | word | Self.lowBits)
            if zeros != 0 {
                (wordStart, quotes) = (place, zeros)
                return place + zeros.trailingZeroBitCount >> 3
            }
            place += 8
        }
        return ByteSearch.first(Self.quote, in: bytes, place..<bytes.count)
    }

    /// In these a word at a time is faster than a call.
    private static var nearBytes: Int { 64 }
    private static var quoteWord: UInt64 { 0x2222_2222_2222_2222 }
    private static var lowBits: UInt64 { 0x7F7F_7F7F_7F7F_7F7F }

    private mutating func takeColon() -> Bool {
        let start = index
        skipSpace()
        guard index < bytes.count, bytes[index] == UInt8(ascii: ":") else {
            index = start
            return false
        }
        index += 1
        skipSpace()
        return true
    }

    private mutating func skipSpace() { while index < bytes.count, isSpace(bytes[index]) { index += 1 } }

    private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    /// Skips a value, except null, which reveals nothing and shows that there is no value.
    private mutating func skipValue() {
        guard index < bytes.count, !bytes[index...].starts(with: "null".utf8) else { return }
        result += bytes[copied..<index]
        defer { copied = index }
        var depth = 0
        repeat {
            switch bytes[index] {
            case Self.quote:
                _ = takeString()
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ",") where depth == 0: return writeMask()
            default: break
            }
            if depth < 0 { return writeMask() }
            index += 1
        } while index < bytes.count
        writeMask()
    }

    /// More bytes than a number has.
    private static let maximumLiteral = 64

    /// The literal that starts here, up to what ends one; nil for one that is cut off, or longer than any.
    private var literal: Slice<UnsafeBufferPointer<UInt8>>? {
        let rest = bytes[index...].prefix(Self.maximumLiteral)
        let literal = rest.prefix { !",]} \t\r\n".utf8.contains($0) }
        return literal.endIndex < rest.endIndex ? literal : nil
    }

    private var isNumber: Bool {
        guard let literal, !literal.isEmpty else { return false }
        return literal.allSatisfy { $0.isASCIIDigit || "+-.eE".utf8.contains($0) }
    }

    /// A Boolean value is no credential: `is_password_enabled`.
    private var isBoolean: Bool {
        literal.map { $0.elementsEqual("true".utf8) || $0.elementsEqual("false".utf8) } ?? false
    }

    private var hasGrant: Bool {
        let text = String(decoding: bytes, as: UTF8.self)
        return text.contains("\"grant_type\"") || text.contains("\"redirect_uri\"")
    }

    private mutating func writeMask() { result += Array("\"\(LogMask.mask)\"".utf8) }

    /// Passes on a name, with escapes resolved so that they do not hide it.
    private static func withText(
        of name: UnsafeBufferPointer<UInt8>, _ isEscaped: Bool, _ body: (UnsafeBufferPointer<UInt8>) -> Bool
    ) -> Bool {
        let literal = isEscaped ? Data([quote] + name + [quote]) : Data()
        guard isEscaped, let text = try? JSONDecoder().decode(String.self, from: literal) else { return body(name) }
        return Array(text.utf8).withUnsafeBufferPointer(body)
    }

    private static var quote: UInt8 { 0x22 }
    private static var backslash: UInt8 { 0x5C }
}
