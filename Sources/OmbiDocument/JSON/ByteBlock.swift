/// Sixteen bytes examined at once: the hot loops of the index skip plain bytes in blocks.
///
/// Only `==` and the bitwise operators of whole vectors become single instructions. Ordered comparisons, and operators
/// with a scalar on the right, are loops over the lanes, and fifty times slower.
struct ByteBlock {
    static let size = 16
    private typealias Mask = SIMD16<UInt8>
    private let bytes: SIMD16<UInt8>

    @inline(__always) init(at address: UnsafePointer<UInt8>) {
        bytes = UnsafeRawPointer(address).loadUnaligned(as: SIMD16<UInt8>.self)
    }

    /// The number of bytes before the first that ends a plain run in a string: a quote, a backslash, a control
    /// character, or anything beyond ASCII.
    @inline(__always) var plainTextLength: Int {
        let isControl = mask((bytes & Mask(repeating: 0xE0)) .== Mask(repeating: 0))
        return Self.first(has(0x22) | has(0x5C) | isControl | bytes & Mask(repeating: 0x80))
    }

    /// The number of bytes before the first that is not white space.
    @inline(__always) var whitespaceLength: Int {
        Self.first(~(has(0x20) | has(0x0A) | has(0x0D) | has(0x09)))
    }

    /// True if there is a line feed or a carriage return.
    @inline(__always) var hasLineBreak: Bool { Self.first(has(0x0A) | has(0x0D)) < Self.size }

    @inline(__always) private func has(_ byte: UInt8) -> Mask { mask(bytes .== Mask(repeating: byte)) }

    @inline(__always) private func mask(_ mask: SIMDMask<SIMD16<Int8>>) -> Mask { unsafeBitCast(mask, to: Mask.self) }

    /// Returns the index of the first lane that is not zero; 16 when there is none.
    @inline(__always) private static func first(_ mask: Mask) -> Int {
        let words = unsafeBitCast(mask, to: SIMD2<UInt64>.self)
        if words[0] != 0 { return words[0].trailingZeroBitCount >> 3 }
        return 8 + words[1].trailingZeroBitCount >> 3
    }
}
