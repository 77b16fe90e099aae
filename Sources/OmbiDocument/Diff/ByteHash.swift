/// Seeded hashes of texts: unpredictable, so that no body can be crafted to look like another one, or to be slow.
struct ByteHash: Sendable {
    let seed: UInt64

    /// - Parameter seed: The same for texts that are compared.
    init(seed: UInt64 = .random(in: .min ... .max)) { self.seed = seed }

    func callAsFunction(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var hash = seed ^ UInt64(bytes.count)
        guard let base = bytes.baseAddress else { return Self.mix(hash, 0) }
        var offset = 0
        while offset + 8 <= bytes.count {
            hash = Self.mix(hash, ByteScan.word(base, offset))
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < bytes.count {
            rest = rest << 8 | UInt64(base[offset])
            offset += 1
        }
        return Self.mix(hash, rest)
    }

    @inline(__always) static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = (left ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: right ^ 0xE703_7ED1_A0B4_28DB)
        return product.high ^ product.low ^ left &* 3
    }
}
