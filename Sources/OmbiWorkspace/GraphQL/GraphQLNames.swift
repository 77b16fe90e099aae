/// The names of a schema, each kept once: elsewhere a number of four bytes means one.
struct GraphQLNames: Sendable {
    private var bytes: [UInt8] = []
    /// The end of each name in `bytes`.
    private var ends: [UInt32] = []
    /// A hash table with open addressing: a number and one more, or 0.
    private var slots = [UInt32](repeating: 0, count: 64)

    var count: Int { ends.count }

    subscript(name: UInt32) -> String { String(decoding: bytes[range(of: name)], as: UTF8.self) }

    /// Returns the number of a name; nil for one that the schema does not have.
    func number(of name: String) -> UInt32? {
        var name = name
        return name.withUTF8 { find($0) }
    }

    private func find(_ name: UnsafeBufferPointer<UInt8>) -> UInt32? {
        let slot = slot(of: name)
        return slots[slot] > 0 ? slots[slot] - 1 : nil
    }

    /// Returns the number of a name, and keeps the name.
    mutating func intern(_ name: UnsafeBufferPointer<UInt8>) -> UInt32 {
        var slot = slot(of: name)
        if slots[slot] > 0 { return slots[slot] - 1 }
        if (count + 1) * 2 > slots.count {
            grow()
            slot = self.slot(of: name)
        }
        bytes.append(contentsOf: name)
        ends.append(UInt32(truncatingIfNeeded: bytes.count))
        slots[slot] = UInt32(truncatingIfNeeded: count)
        return slots[slot] - 1
    }

    /// Returns true for a name of GraphQL: letters of ASCII, digits and underscores, no digit first.
    static func isName(_ text: some Swift.Collection<UInt8>) -> Bool {
        guard let first = text.first, isStart(first) else { return false }
        return text.allSatisfy(isPart)
    }

    static func isStart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
        default: false
        }
    }

    static func isPart(_ byte: UInt8) -> Bool {
        isStart(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    // MARK: The table

    private func range(of number: UInt32) -> Range<Int> {
        let index = Int(number)
        return (index > 0 ? Int(ends[index - 1]) : 0)..<Int(ends[index])
    }

    /// The slot of a name, or the empty one that it would have. Half of all slots are empty.
    private func slot(of name: UnsafeBufferPointer<UInt8>) -> Int {
        // Seeded anew by each program: no file can be made of names that collide.
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(name))
        let mask = slots.count - 1
        var slot = hasher.finalize() & mask
        while slots[slot] > 0, !bytes[range(of: slots[slot] - 1)].elementsEqual(name) { slot = (slot + 1) & mask }
        return slot
    }

    private mutating func grow() {
        slots = [UInt32](repeating: 0, count: slots.count * 2)
        for index in ends.indices {
            let number = UInt32(truncatingIfNeeded: index)
            let name = bytes[range(of: number)]
            let free = name.withUnsafeBufferPointer { slot(of: $0) }
            slots[free] = number + 1
        }
    }
}
