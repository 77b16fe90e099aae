/// Gives hashes numbers, from 0 on, in the order in which they come. The hashes are good ones (`ByteHash`): they are not
/// hashed again.
struct HashNumbers {
    /// Numbers, each at the place of its hash or behind; -1 where none is.
    private var slots = [Int32](repeating: -1, count: 1 << 8)
    /// By number.
    private var hashes: [UInt64] = []

    var count: Int { hashes.count }

    /// The number of a hash; nil when it has none.
    func find(_ hash: UInt64) -> Int32? {
        let number = slots[slot(of: hash) { _ in true }]
        return number < 0 ? nil : number
    }

    /// The number of a hash, which may be a new one.
    /// - Parameter isSame: whether what had the hash before is the same as what has it now.
    @inline(__always)
    mutating func number(of hash: UInt64, isSame: (Int32) -> Bool = { _ in true }) -> Int32 {
        let slot = slot(of: hash, isSame: isSame)
        if slots[slot] >= 0 { return slots[slot] }
        let number = Int32(truncatingIfNeeded: hashes.count)
        slots[slot] = number
        hashes.append(hash)
        if hashes.count * 2 > slots.count { grow() }
        return number
    }

    /// Where the hash is, or would be.
    @inline(__always)
    private func slot(of hash: UInt64, isSame: (Int32) -> Bool) -> Int {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] >= 0, hashes[Int(slots[slot])] != hash || !isSame(slots[slot]) { slot = (slot + 1) & mask }
        return slot
    }

    private mutating func grow() {
        slots = [Int32](repeating: -1, count: slots.count * 4)
        let mask = slots.count - 1
        for (number, hash) in hashes.enumerated() {
            var slot = Int(truncatingIfNeeded: hash) & mask
            while slots[slot] >= 0 { slot = (slot + 1) & mask }
            slots[slot] = Int32(truncatingIfNeeded: number)
        }
    }
}
