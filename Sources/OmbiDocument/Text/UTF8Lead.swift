/// The first byte of a scalar beyond ASCII, and the bytes it allows after it (RFC 3629, section 4): no overlong forms,
/// no surrogates, nothing above U+10FFFF.
public struct UTF8Lead: Sendable {
    /// The number of bytes of the scalar, this one included: 2 to 4.
    public let length: Int
    /// The allowed values of the second byte; all further ones are 0x80 to 0xBF.
    public let second: ClosedRange<UInt8>

    /// Returns nil for a byte that begins no such scalar.
    @inline(__always)
    public init?(_ byte: UInt8) {
        switch byte {
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        default: return nil
        }
    }

    /// Returns true if a byte is allowed at an index, counted from the first.
    @inline(__always)
    public func allows(_ byte: UInt8, at index: Int) -> Bool {
        index == 1 ? second.contains(byte) : byte & 0xC0 == 0x80
    }
}
