/// Gives equal lines equal numbers.
struct LineTable {
    /// By a hash of its bytes the first line that has it.
    private var lines: [UInt64: (number: Int32, text: UnsafeBufferPointer<UInt8>, owner: Bytes)] = [:]
    private var count: Int32 = 0

    mutating func numbers(of bytes: Bytes) -> [Int32] {
        var numbers: [Int32] = []
        var start = 0
        while start < bytes.count {
            let next = LineIndex.nextLine(after: start, in: bytes) ?? bytes.count
            numbers.append(number(of: start..<LineIndex.withoutEnd(start..<next, in: bytes), in: bytes))
            start = next
        }
        return numbers
    }

    private mutating func number(of line: ByteRange, in bytes: Bytes) -> Int32 {
        let text = bytes.buffer(line)
        var hash = Self.hash(text)
        while let known = lines[hash] {
            if known.text.elementsEqual(text) { return known.number }
            hash &+= 1
        }
        lines[hash] = (count, text, bytes)
        count += 1
        return count - 1
    }

    private static func hash(_ text: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var hash = UInt64(text.count) &* 0x9E37_79B9_7F4A_7C15
        guard let base = text.baseAddress else { return hash }
        var offset = 0
        while offset + 8 <= text.count {
            hash = (hash ^ ByteScan.word(base, offset)) &* 0xFF51_AFD7_ED55_8CCD
            hash ^= hash >> 32
            offset += 8
        }
        while offset < text.count {
            hash = (hash ^ UInt64(base[offset])) &* 0x100_0000_01B3
            offset += 1
        }
        return hash ^ hash >> 29
    }
}
