/// Gives equal lines equal numbers, in one text and across several.
struct LineTable {
    private let hash = ByteHash()
    private var numbers = HashNumbers()
    /// The first line of each number.
    private var lines: [UnsafeBufferPointer<UInt8>] = []
    /// Keeps the memory of `lines` alive.
    private var texts: [Bytes] = []

    /// - Returns: nil when cancelled.
    mutating func lines(of text: Bytes, isCancelled: () -> Bool = { false }) -> TextLines? {
        texts.append(text)
        var lines = TextLines(text)
        while let line = lines.next() {
            if lines.count & 0xFFFF == 0xFFFF, isCancelled() { return nil }
            lines.add(line, number: number(of: text.buffer(line.lowerBound..<LineIndex.withoutEnd(line, in: text))))
        }
        return isCancelled() ? nil : lines
    }

    private mutating func number(of line: UnsafeBufferPointer<UInt8>) -> Int32 {
        let number = numbers.number(of: hash(line)) { lines[Int($0)].elementsEqual(line) }
        if number == lines.count { lines.append(line) }
        return number
    }
}

/// A text split into lines, with a number for each: equal lines have equal numbers.
struct TextLines {
    let bytes: Bytes
    private(set) var numbers: [Int32] = []
    /// The start of each line, and of the one to come.
    private var starts = [0]

    init(_ bytes: Bytes) { self.bytes = bytes }

    var count: Int { numbers.count }

    /// A line without its line ending.
    subscript(line: Int) -> ByteRange {
        starts[line]..<LineIndex.withoutEnd(starts[line]..<starts[line + 1], in: bytes)
    }

    /// Returns the line after those that were added, with its line ending; nil at the end.
    func next() -> ByteRange? {
        let start = starts[starts.count - 1]
        return start < bytes.count ? start..<(LineIndex.nextLine(after: start, in: bytes) ?? bytes.count) : nil
    }

    mutating func add(_ line: ByteRange, number: Int32) {
        numbers.append(number)
        starts.append(line.upperBound)
    }
}

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
