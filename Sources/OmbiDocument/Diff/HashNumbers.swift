/// Numbers hashes from 0 in order of appearance. The hashes are good ones (`ByteHash`): they are not hashed again.
struct HashNumbers {
    /// The numbers, each in the slot of its hash or after it; -1 in empty slots.
    private var slots = [Int32](repeating: -1, count: 1 << 8)
    /// The hash of each number.
    private var hashes: [UInt64] = []

    var count: Int { hashes.count }

    /// Returns the number of a hash; nil when it has none.
    func find(_ hash: UInt64) -> Int32? {
        let number = slots[slot(of: hash) { _ in true }]
        return number < 0 ? nil : number
    }

    /// Returns the number of a hash, which may be a new one.
    /// - Parameter isSame: Returns true if the earlier item with this hash and number is equal to the current one.
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

    /// Returns the slot of a hash, or the empty slot for it.
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
