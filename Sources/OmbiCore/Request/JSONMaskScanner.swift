internal import OmbiBase
import OmbiPlatform

/// A scanner that copies JSON text without the values of sensitive members. It only examines strings and brackets, so
/// that text that is not JSON, or ends early, does no harm.
struct JSONMaskScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0
    private var result: [UInt8] = []
    /// The end of what the result has.
    private var copied = 0
    /// True in a text with the parameters of an OAuth grant; nil up to the first `code`.
    private var isGrant: Bool?
    /// The last names with their verdicts, each at a place of its own: the members of a list have the same ones.
    private var known: [KnownName] = []

    private struct KnownName {
        var name = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
        var isSensitive = false
    }

    /// A power of two, as a name's place is taken from the bits of its sum.
    private static let maximumKnown = 64
    /// In bytes. A shorter text has few names twice.
    private static let minimumKnowing = 512

    private init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// Returns nil for a text without anything to mask.
    static func masked(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        var scanner = JSONMaskScanner(bytes)
        return scanner.masked()
    }

    private mutating func masked() -> [UInt8]? {
        while let start = first(quote, in: index..<bytes.count) {
            index = start
            let name = takeString()
            guard takeColon() else { continue }
            if Self.withText(of: name, { isCredential($0) || isCode($0) }) { skipValue() }
        }
        return copied == 0 ? nil : result + bytes[copied...]
    }

    /// Returns true for the name of a credential, unless its value, which starts here, is none.
    private mutating func isCredential(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        isSensitive(name) && !isBoolean && !(isNumber && LogMask.isFigure(name))
    }

    private mutating func isSensitive(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count >= Self.minimumKnowing, let base = name.baseAddress, !name.isEmpty else {
            return LogMask.isSensitive(name)
        }
        if known.isEmpty { known = [KnownName](repeating: KnownName(), count: Self.maximumKnown) }
        let place = (name.count &* 7 &+ Int(name[0]) &* 3 &+ Int(name[name.count - 1])) & (Self.maximumKnown - 1)
        let last = known[place]
        if last.name.count == name.count, let other = last.name.baseAddress, memcmp(base, other, name.count) == 0 {
            return last.isSensitive
        }
        let isSensitive = LogMask.isSensitive(name)
        // A name with its escapes resolved lies elsewhere, and not for long.
        if let text = bytes.baseAddress, (text..<text + bytes.count).contains(base) {
            known[place] = KnownName(name: name, isSensitive: isSensitive)
        }
        return isSensitive
    }

    /// Takes the string that starts here, with its quotation marks; the rest of the text if it is unterminated.
    private mutating func takeString() -> UnsafeBufferPointer<UInt8> {
        let start = index
        index += 1
        var end = first(quote, in: index..<bytes.count)
        while let last = end, let escape = first(Self.backslash, in: index..<last) {
            index = escape + 2
            // The quotation mark may be the escaped one.
            if index > last { end = first(quote, in: min(index, bytes.count)..<bytes.count) }
        }
        index = end.map { $0 + 1 } ?? bytes.count
        return UnsafeBufferPointer(rebasing: bytes[start..<index])
    }

    private func first(_ byte: UInt8, in range: Range<Int>) -> Int? {
        guard let base = bytes.baseAddress, let found = memchr(base + range.lowerBound, Int32(byte), range.count) else {
            return nil
        }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

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
            case quote:
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

    /// Returns true for a name whose value, which starts here, is the code of an OAuth grant.
    private mutating func isCode(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        guard name.count == 4, name.elementsEqual("code".utf8), index < bytes.count, bytes[index] == quote else {
            return false
        }
        if let isGrant { return isGrant }
        let text = String(decoding: bytes, as: UTF8.self)
        let hasGrant = text.contains("\"grant_type\"") || text.contains("\"redirect_uri\"")
        isGrant = hasGrant
        return hasGrant
    }

    private mutating func writeMask() { result += Array("\"\(LogMask.mask)\"".utf8) }

    /// Passes on the name in a string literal, with escapes resolved so that they do not hide it.
    private static func withText(
        of literal: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Bool
    ) -> Bool {
        if literal.contains(backslash), let name = try? JSONDecoder().decode(String.self, from: Data(literal)) {
            return Array(name.utf8).withUnsafeBufferPointer(body)
        }
        return body(UnsafeBufferPointer(rebasing: literal.dropFirst().dropLast()))
    }

    private var quote: UInt8 { 0x22 }
    private static var backslash: UInt8 { 0x5C }
}
