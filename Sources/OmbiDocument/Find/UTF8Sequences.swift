/// The UTF-8 of a range of scalars as sequences of byte ranges.
enum UTF8Sequences {
    static func of(_ set: ScalarSet) -> [[ClosedRange<UInt8>]] {
        var sequences: [[ClosedRange<UInt8>]] = []
        for range in set.ranges { split(range, into: &sequences) }
        return sequences
    }

    /// Splits a range until the first and the last scalar differ only in bytes that take all values between.
    private static func split(_ range: ClosedRange<UInt32>, into sequences: inout [[ClosedRange<UInt8>]]) {
        let (low, high) = (range.lowerBound, range.upperBound)
        // Surrogates have no UTF-8.
        if low < 0xD800, high >= 0xD800 { return cut(range, after: 0xD7FF, into: &sequences) }
        if low <= 0xDFFF, high > 0xDFFF, low >= 0xD800 { return split(0xE000...high, into: &sequences) }
        if low >= 0xD800, high <= 0xDFFF { return }
        for limit: UInt32 in [0x7F, 0x7FF, 0xFFFF] where low <= limit && high > limit {
            return cut(range, after: limit, into: &sequences)
        }
        if high > 0x7F {
            for bits in [UInt32(6), 12, 18] {
                let mask: UInt32 = (1 << bits) - 1
                guard low & ~mask != high & ~mask else { continue }
                if low & mask != 0 { return cut(range, after: low | mask, into: &sequences) }
                if high & mask != mask { return cut(range, after: (high & ~mask) - 1, into: &sequences) }
            }
        }
        guard let first = Unicode.Scalar(low), let last = Unicode.Scalar(high) else { return }
        sequences.append(zip(UTF8.encode(first) ?? .init(), UTF8.encode(last) ?? .init()).map { $0...$1 })
    }

    private static func cut(
        _ range: ClosedRange<UInt32>, after limit: UInt32, into sequences: inout [[ClosedRange<UInt8>]]
    ) {
        split(range.lowerBound...limit, into: &sequences)
        split((limit + 1)...range.upperBound, into: &sequences)
    }
}
