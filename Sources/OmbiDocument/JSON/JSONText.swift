/// A decoded JSON string.
public struct JSONText: Hashable, Sendable {
    /// Each lone surrogate, which no Unicode text can hold, is replaced by U+FFFD.
    public let string: String
    /// True if an escape named half of a character beyond U+FFFF without the other half (RFC 8259, section 8.2).
    public let hasLoneSurrogates: Bool

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
    /// A JSON string without its quotes.
    var unquoted: Self { Self(start: baseAddress.map { $0 + 1 }, count: Swift.max(count - 2, 0)) }
}
