import OmbiDocument

/// Single characters: ASCII, control characters, UTF-8, and Esc before any of them (Alt).
extension KeyDecoder {
    /// The first token of the bytes; nil when more bytes are needed to decide, which is never so with `flush`.
    /// The result depends on the token's own bytes alone, so that it does not matter how reads have split them.
    static func token(in bytes: ArraySlice<UInt8>, flush: Bool) -> Token? {
        guard let first = bytes.first else { return nil }
        if first == 0x1B { return escapeToken(in: bytes, flush: flush) }
        if first < 0x20 || first == 0x7F { return Token(1, .key(controlKey(first))) }
        if first < 0x80 { return Token(1, .key(Key(.character(Character(Unicode.Scalar(first)))))) }
        return encodedToken(in: bytes, flush: flush)
    }

    private static func controlKey(_ byte: UInt8) -> Key {
        switch byte {
        case 0: Key(.character(" "), .control)
        case 8, 0x7F: Key(.backspace)
        case 9: Key(.tab)
        case 13: Key(.enter)
        case 0x1B: Key(.escape)
        case 1...26: Key(.character(Character(Unicode.Scalar(byte + 0x60))), .control)
        default: Key(.character(Character(Unicode.Scalar(byte + 0x40))), .control)
        }
    }

    private static func escapeToken(in bytes: ArraySlice<UInt8>, flush: Bool) -> Token? {
        let rest = bytes.dropFirst()
        guard let second = rest.first else { return flush ? Token(1, .key(Key(.escape))) : nil }
        switch second {
        case 0x5B: return controlSequence(in: bytes, flush: flush)
        case 0x4F: return shiftedSequence(in: bytes, flush: flush)
        case 0x5D, 0x50: return commandString(in: bytes, flush: flush)
        case 0x1B:
            guard let third = rest.dropFirst().first else { return flush ? Token(1, .key(Key(.escape))) : nil }
            guard third == 0x5B || third == 0x4F else { return Token(1, .key(Key(.escape))) }
            return altToken(before: rest, flush: flush)
        default: return altToken(before: rest, flush: flush)
        }
    }

    /// Esc and a key is that key with Alt held. Before anything else, such as a reply of the terminal, it is Esc itself.
    private static func altToken(before rest: ArraySlice<UInt8>, flush: Bool) -> Token? {
        guard let token = token(in: rest, flush: flush) else { return nil }
        guard case .key(var key)? = token.events.first else { return Token(1, .key(Key(.escape))) }
        key.modifiers.insert(.alt)
        return Token(1 + token.length, .key(key))
    }

    /// A scalar in UTF-8 (RFC 3629). Invalid bytes become U+FFFD, one for each broken start, and the byte that broke it
    /// is decoded again.
    private static func encodedToken(in bytes: ArraySlice<UInt8>, flush: Bool) -> Token? {
        let first = bytes[bytes.startIndex]
        guard let lead = UTF8Lead(first) else { return Token(1, .key(Key(.character("\u{FFFD}")))) }
        let length = lead.length
        var value = UInt32(first) & (0x7F >> UInt32(length))
        for (count, byte) in bytes.dropFirst().prefix(length - 1).enumerated() {
            guard lead.allows(byte, at: count + 1) else {
                return Token(count + 1, .key(Key(.character("\u{FFFD}"))))
            }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        guard bytes.count >= length else {
            return flush ? Token(bytes.count, .key(Key(.character("\u{FFFD}")))) : nil
        }
        guard let scalar = Unicode.Scalar(value), !(0x80...0x9F).contains(value) else { return Token(length) }
        return Token(length, .key(Key(.character(Character(scalar)))))
    }
}
