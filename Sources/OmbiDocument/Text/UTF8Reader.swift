/// Reads UTF-8 scalar by scalar from arbitrary bytes.
enum UTF8Reader {
    /// The value of bytes that are not UTF-8.
    static let invalid = UInt32.max

    /// Returns the scalar at an offset below `end`, and its length in bytes. For bytes that are not UTF-8 it is
    /// `invalid`, and the length is that of the bytes that one U+FFFD replaces (Unicode 16, section 3.9, "maximal
    /// subpart").
    @inline(__always)
    static func scalar(in bytes: Bytes, at offset: Int, before end: Int) -> (value: UInt32, length: Int) {
        let first = bytes.base[offset]
        if first < 0x80 { return (UInt32(first), 1) }
        return several(in: bytes, at: offset, before: end, first)
    }

    private static func several(
        in bytes: Bytes, at offset: Int, before end: Int, _ first: UInt8
    ) -> (value: UInt32, length: Int) {
        guard let lead = UTF8Lead(first) else { return (invalid, 1) }
        let length = lead.length
        var value = UInt32(first) & (0x7F >> UInt32(length))
        for index in 1..<length {
            guard offset + index < end else { return (invalid, index) }
            let byte = bytes.base[offset + index]
            guard lead.allows(byte, at: index) else { return (invalid, index) }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        return (value, length)
    }

    /// Returns the first offset in a range that is not UTF-8. A sequence cut off by the end of the range counts, unless
    /// more is to come.
    static func firstInvalid(in bytes: Bytes, _ range: ByteRange, moreToCome: Bool = false) -> Int? {
        let range = bytes.clamp(range)
        var offset = range.lowerBound
        while let next = ByteScan.firstNotASCII(in: bytes, offset..<range.upperBound) {
            offset = next
            while offset < range.upperBound, bytes.base[offset] >= 0x80 {
                let (value, length) = scalar(in: bytes, at: offset, before: range.upperBound)
                if value == invalid {
                    let isCutOff = offset + length >= range.upperBound && bytes.base[offset] >= 0xC2
                    return isCutOff && moreToCome ? nil : offset
                }
                offset += length
            }
        }
        return nil
    }

    /// Returns the start of the scalar that an offset lies in.
    static func start(of offset: Int, in bytes: Bytes) -> Int {
        var start = offset
        while start > 0, offset - start < 3, bytes[start] & 0xC0 == 0x80 { start -= 1 }
        let isInside = start == offset || scalarEnd(at: start, in: bytes) > offset
        return isInside ? start : offset
    }

    private static func scalarEnd(at offset: Int, in bytes: Bytes) -> Int {
        offset + scalar(in: bytes, at: offset, before: bytes.count).length
    }
}

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
