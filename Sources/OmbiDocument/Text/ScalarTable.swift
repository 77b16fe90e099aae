import Synchronization

/// The classes of the scalars up to U+FFFF as a table: a lookup of Unicode properties takes fifty times as long, which
/// matters where a long line is measured. The table is filled on demand: filling it all at once would delay the first
/// row with a letter of another script by some 7 ms.
enum ScalarTable {
    static let mark: UInt8 = 0
    static let selector: UInt8 = 3
    static let joiner: UInt8 = 4
    static let skinTone: UInt8 = 5
    static let unprintable: UInt8 = 6

    /// Returns the columns of a printable scalar (1 or 2), or one of the codes above.
    @inline(__always)
    static func code(of value: UInt32) -> UInt8 {
        guard value < 0x10000 else { return lookedUp(value) }
        let code = codes[Int(value)].load(ordering: .relaxed)
        return code == unknown ? meet(value) : code
    }

    private static func meet(_ value: UInt32) -> UInt8 {
        let code = lookedUp(value)
        codes[Int(value)].store(code, ordering: .relaxed)
        return code
    }

    private static func lookedUp(_ value: UInt32) -> UInt8 {
        Unicode.Scalar(value).map(code(of:)) ?? unprintable
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

    private static let unknown = UInt8.max

    // Proof of safety: the pointer never changes and its memory is never freed; what it points to is atomic. Every
    // thread that finds a scalar unknown writes the same code.
    nonisolated(unsafe) private static let codes: UnsafeMutablePointer<Atomic<UInt8>> = {
        let codes = UnsafeMutablePointer<Atomic<UInt8>>.allocate(capacity: 0x10000)
        for index in 0..<0x10000 { (codes + index).initialize(to: Atomic(unknown)) }
        return codes
    }()
}
