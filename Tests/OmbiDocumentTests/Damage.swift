import OmbiDocument
import TestSupport

/// What bad luck does to a sample: it is cut anywhere, or a byte in it is another one.
enum Damage {
    static func versions(of sample: [UInt8], seed: Int = 1) -> [[UInt8]] {
        var random = SeededRandom(seed: seed)
        let cuts = (0...sample.count).map { Array(sample.prefix($0)) }
        let mutations = sample.indices.flatMap { index in
            [UInt8(truncatingIfNeeded: random.next()), 0x00, 0xFF, 0x22, 0x3C].map { byte in
                var copy = sample
                copy[index] = byte
                return copy
            }
        }
        return cuts + mutations
    }
}
