/// Finds bytes exactly, or ASCII letters in either case. It searches for the two bytes of the needle that are rarest in
/// texts, eight positions at a time, and compares the rest where both are found.
struct LiteralMatcher: Sendable {
    let needle: [UInt8]
    /// The bits set before a byte is compared: 0x20 for letters whose case is ignored.
    private let masks: [UInt8]
    private let first: Int
    private let second: Int

    /// - Parameter needle: Not empty.
    init(_ needle: [UInt8], ignoresCase: Bool) {
        masks = needle.map { ignoresCase && Self.isLetter($0) ? 0x20 : 0 }
        self.needle = zip(needle, masks).map { $0 | $1 }
        let byRarity = needle.indices.sorted { Self.commonness(needle[$0]) < Self.commonness(needle[$1]) }
        first = byRarity.first ?? 0
        second = byRarity.dropFirst().first ?? first
    }

    private static func isLetter(_ byte: UInt8) -> Bool { byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A }

    /// Ranks a byte by how common it is in texts and JSON, roughly: its index in this list.
    private static func commonness(_ byte: UInt8) -> Int {
        let common = Array("jqzxkvbJQZXKVWYwypgfmcu/;'|=+*&%$#@!?~^`hldrnosiate098765432{}[]1:,.-_\n\"".utf8)
        if byte == 0x20 { return common.count }
        return common.firstIndex(of: byte) ?? (isLetter(byte) ? 6 : -1)
    }

    /// Returns the first offset of the needle, at `start` or later and before `limit`.
    func first(in bytes: Bytes, from start: Int, before limit: Int) -> Int? {
        let base = bytes.base
        let end = min(limit, bytes.count - needle.count + 1)
        var offset = max(0, start)
        guard !needle.isEmpty, offset < end else { return nil }
        let (wanted, mask) = (ByteScan.all(needle[first]), ByteScan.all(masks[first]))
        let (otherWanted, otherMask) = (ByteScan.all(needle[second]), ByteScan.all(masks[second]))
        while offset + 8 <= end {
            let word = (ByteScan.word(base, offset + first) | mask) ^ wanted
            let other = (ByteScan.word(base, offset + second) | otherMask) ^ otherWanted
            var candidates = ByteScan.zeros(word | other)
            while candidates != 0 {
                let candidate = offset + candidates.trailingZeroBitCount >> 3
                if isNeedle(base + candidate) { return candidate }
                candidates &= candidates - 1
            }
            offset += 8
        }
        while offset < end {
            if isNeedle(base + offset) { return offset }
            offset += 1
        }
        return nil
    }

    @inline(__always)
    private func isNeedle(_ address: UnsafePointer<UInt8>) -> Bool {
        for index in 0..<needle.count where address[index] | masks[index] != needle[index] { return false }
        return true
    }
}
