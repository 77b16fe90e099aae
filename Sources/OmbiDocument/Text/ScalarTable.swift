/// The classes of the scalars up to U+FFFF as a table: asking the Unicode properties takes fifty times as long, which
/// matters where a long line is measured.
enum ScalarTable {
    static let mark: UInt8 = 0
    static let selector: UInt8 = 3
    static let joiner: UInt8 = 4
    static let skinTone: UInt8 = 5
    static let unprintable: UInt8 = 6

    /// The columns of a printable scalar (1 or 2), or one of the codes above.
    @inline(__always)
    static func code(of value: UInt32) -> UInt8 {
        if value < 0x10000 { return codes[Int(value)] }
        return Unicode.Scalar(value).map(code(of:)) ?? unprintable
    }

    private static func code(of scalar: Unicode.Scalar) -> UInt8 {
        switch ScalarClass(scalar) {
        case .printable(let width): UInt8(width)
        case .mark: mark
        case .selector: selector
        case .joiner: joiner
        case .skinTone: skinTone
        case .unprintable: unprintable
        }
    }

    private static let codes: [UInt8] = (0..<0x10000).map { value in
        Unicode.Scalar(UInt32(value)).map(code(of:)) ?? unprintable
    }
}
