/// A range of bytes within a body, as offsets from its start.
package typealias ByteRange = Range<Int>

/// A view of contiguous bytes that do not move and do not change: the body of a response, or the part of it that has
/// arrived. Copying a view copies no bytes. The owner of the memory lives as long as any view of it.
///
/// `@unchecked Sendable`: the bytes are never written through a view, and the creator of a view guarantees that nothing
/// else writes to these bytes any more (a body grows beyond the end of existing views).
package struct Bytes: @unchecked Sendable {
    package let base: UnsafePointer<UInt8>
    package let count: Int
    private let owner: (any AnyObject & Sendable)?

    /// - Parameters:
    ///   - base: The first byte; the `count` bytes from there stay readable and unchanged as long as `owner` lives.
    package init(base: UnsafePointer<UInt8>, count: Int, owner: (any AnyObject & Sendable)?) {
        self.base = base
        self.count = max(0, count)
        self.owner = owner
    }

    /// Creates a view of memory with another owner, to be used only while that memory is valid.
    package init(lent buffer: UnsafeRawBufferPointer) {
        let bytes = buffer.bindMemory(to: UInt8.self)
        self = bytes.baseAddress.map { Bytes(base: $0, count: bytes.count, owner: nil) } ?? .empty
    }

    /// Creates a view of a copy of some bytes.
    package init(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        self.init(capacity: bytes.count) { memory, _ in
            memory.copyBytes(from: bytes)
            return bytes.count
        }
    }

    /// Creates a view of new memory.
    /// - Parameter fill: writes the memory from its start, and returns the number of bytes that it wrote. Its second argument
    ///   returns a view of that many bytes, which it has written for good.
    package init<Failure: Error>(
        capacity: Int,
        filledBy fill: (UnsafeMutableRawBufferPointer, _ view: (Int) -> Bytes) throws(Failure) -> Int
    ) throws(Failure) {
        let owner = OwnedBytes(capacity: capacity)
        func view(_ count: Int) -> Bytes { Bytes(base: owner.base, count: min(count, capacity), owner: owner) }
        self = view(try fill(owner.memory, view))
    }

    package static let empty = Bytes([])

    package var isEmpty: Bool { count == 0 }

    /// The byte at an offset, and 0 outside of the view: parsers look ahead without bounds checks.
    @inlinable
    package subscript(offset: Int) -> UInt8 {
        offset >= 0 && offset < count ? base[offset] : 0
    }

    /// A part as a separate view, clamped to this one. Its offsets start at 0 again.
    package subscript(range: ByteRange) -> Bytes {
        let range = clamp(range)
        return Bytes(base: base + range.lowerBound, count: range.count, owner: owner)
    }

    /// Returns the part of a range that lies within the view.
    @inlinable
    package func clamp(_ range: ByteRange) -> ByteRange {
        let start = min(max(0, range.lowerBound), count)
        return start..<min(max(start, range.upperBound), count)
    }

    /// Returns a part of the memory, valid as long as this view is alive: during a call that received it, or while a
    /// variable that is used afterwards holds it.
    func buffer(_ range: ByteRange) -> UnsafeBufferPointer<UInt8> {
        let range = clamp(range)
        return UnsafeBufferPointer(start: base + range.lowerBound, count: range.count)
    }

    /// Lends a part of the memory, for example to write it to a file.
    package func withUnsafeBytes<Result>(
        _ range: ByteRange, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        try withExtendedLifetime(owner) { try body(UnsafeRawBufferPointer(buffer(range))) }
    }

    package func hasBytes(of other: Bytes) -> Bool {
        guard count == other.count, base != other.base else { return count == other.count }
        return withExtendedLifetime((owner, other.owner)) { buffer(0..<count).elementsEqual(other.buffer(0..<count)) }
    }

    /// Returns a copy of a part.
    package func array(_ range: ByteRange) -> [UInt8] {
        withUnsafeBytes(range) { Array($0) }
    }

    /// Returns a range as text, with invalid UTF-8 repaired.
    package func text(_ range: ByteRange) -> String {
        String(decoding: buffer(range), as: UTF8.self)
    }

    package func starts(with prefix: [UInt8], at offset: Int = 0) -> Bool {
        guard offset >= 0, prefix.count <= count - offset else { return false }
        for index in 0..<prefix.count where base[offset + index] != prefix[index] { return false }
        return true
    }
}

extension Bytes {
    /// Returns an unsigned number of up to seven bytes; bytes outside of the view are 0.
    func bigEndian(_ offset: Int, _ length: Int) -> Int {
        var number = 0
        for index in 0..<length { number = number << 8 | Int(self[offset + index]) }
        return number
    }

    /// Returns the same number with the lowest byte first.
    func littleEndian(_ offset: Int, _ length: Int) -> Int {
        var number = 0
        for index in (0..<length).reversed() { number = number << 8 | Int(self[offset + index]) }
        return number
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns the text with its percent-escapes decoded, and another byte for a plus sign. Invalid escapes are kept.
    func unescaped(plus: UInt8) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(count)
        var index = 0
        while index < count {
            if self[index] == UInt8(ascii: "%"), index + 2 < count, let high = self[index + 1].hexDigitValue,
                let low = self[index + 2].hexDigitValue
            {
                text.append(high << 4 | low)
                index += 3
            } else {
                text.append(self[index] == UInt8(ascii: "+") ? plus : self[index])
                index += 1
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

/// Memory for `Bytes` views. It is freed with the last view.
// Proof of Sendable: each byte is written only before there is a view that has it.
final class OwnedBytes: @unchecked Sendable {
    let base: UnsafePointer<UInt8>
    let memory: UnsafeMutableRawBufferPointer

    init(capacity: Int) {
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, capacity))
        base = UnsafePointer(bytes)
        memory = UnsafeMutableRawBufferPointer(start: bytes, count: capacity)
    }

    deinit { base.deallocate() }
}

/// Loops that read eight bytes at a time, as one word, for everything that reads a whole body. Words rather than
/// vectors, because they are fast in debug builds too.
enum ByteScan {
    /// Returns a word of eight equal bytes.
    @inline(__always)
    static func all(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

    @inline(__always)
    static func word(_ base: UnsafePointer<UInt8>, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(base + offset).loadUnaligned(as: UInt64.self))
    }

    /// Returns the first eight bytes as one word, padded with zeros: equal for equal bytes. Up to eight bytes are equal
    /// if their words and their counts are.
    @inline(__always)
    static func beginning(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        guard let base = bytes.baseAddress else { return 0 }
        if bytes.count >= 8 { return word(base, 0) }
        if bytes.count >= 4 {
            // The two halves overlap, with equal bytes in both.
            let (low, high) = (half(base, 0), half(base, bytes.count - 4))
            return UInt64(low) | UInt64(high) << UInt64((bytes.count - 4) * 8)
        }
        var word: UInt64 = 0
        for index in 0..<bytes.count { word |= UInt64(base[index]) << UInt64(index * 8) }
        return word
    }

    /// Returns the beginning of a text.
    @inline(__always)
    static func leadingWord(of text: String) -> UInt64 {
        text.utf8.withContiguousStorageIfAvailable { beginning($0) }
            ?? Array(text.utf8).withUnsafeBufferPointer { beginning($0) }
    }

    /// Returns one of 64 bits, the same for equal beginnings: of a few, most are found to be new without a comparison.
    @inline(__always)
    static func bit(of beginning: UInt64) -> UInt64 { 1 << ((beginning &* 0x9E37_79B9_7F4A_7C15) >> 58) }

    @inline(__always)
    private static func half(_ base: UnsafePointer<UInt8>, _ offset: Int) -> UInt32 {
        UInt32(littleEndian: UnsafeRawPointer(base + offset).loadUnaligned(as: UInt32.self))
    }

    /// Returns the high bit of each zero byte. Bits after the first zero byte may be wrong.
    @inline(__always)
    static func zeros(_ word: UInt64) -> UInt64 {
        (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
    }

    /// Returns the high bit of each zero byte, and no others.
    @inline(__always)
    static func exactZeros(_ word: UInt64) -> UInt64 {
        ~(((word & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7F7F_7F7F_7F7F_7F7F) | word | 0x7F7F_7F7F_7F7F_7F7F)
    }

    /// Returns the first offset in a range whose byte matches. `word` returns high bits for eight bytes, of which only
    /// the first that is set must be right.
    @inline(__always)
    static func first(in bytes: Bytes, _ range: ByteRange, word test: (UInt64) -> UInt64) -> Int? {
        let range = bytes.clamp(range)
        let base = bytes.base
        var offset = range.lowerBound
        while offset + 8 <= range.upperBound {
            let found = test(word(base, offset))
            if found != 0 { return offset + found.trailingZeroBitCount >> 3 }
            offset += 8
        }
        guard offset < range.upperBound else { return nil }
        // Less than a word is left: its bytes are gathered, and anything after them does not count.
        var rest: UInt64 = 0
        for index in offset..<range.upperBound { rest |= UInt64(base[index]) << UInt64((index - offset) * 8) }
        let found = offset + test(rest).trailingZeroBitCount >> 3
        return found < range.upperBound ? found : nil
    }

    static func first(_ a: UInt8, in bytes: Bytes, _ range: ByteRange) -> Int? {
        let a = all(a)
        return first(in: bytes, range) { zeros($0 ^ a) }
    }

    static func first(_ a: UInt8, or b: UInt8, in bytes: Bytes, _ range: ByteRange) -> Int? {
        let (a, b) = (all(a), all(b))
        return first(in: bytes, range) { zeros($0 ^ a) | zeros($0 ^ b) }
    }

    static func first(_ a: UInt8, or b: UInt8, or c: UInt8, in bytes: Bytes, _ range: ByteRange) -> Int? {
        let (a, b, c) = (all(a), all(b), all(c))
        return first(in: bytes, range) { zeros($0 ^ a) | zeros($0 ^ b) | zeros($0 ^ c) }
    }

    /// Returns the last offset in a range that holds one of two bytes.
    static func last(_ a: UInt8, or b: UInt8, in bytes: Bytes, _ range: ByteRange) -> Int? {
        let range = bytes.clamp(range)
        let (words, otherWords) = (all(a), all(b))
        var end = range.upperBound
        while end - 8 >= range.lowerBound {
            let word = word(bytes.base, end - 8)
            if zeros(word ^ words) | zeros(word ^ otherWords) != 0 { break }
            end -= 8
        }
        while end > range.lowerBound {
            end -= 1
            if bytes.base[end] == a || bytes.base[end] == b { return end }
        }
        return nil
    }

    /// Returns the offset of the first byte that is not printable ASCII (U+0020 to U+007E): before it, each byte is a
    /// character and a column.
    static func firstNotPlain(in bytes: Bytes, _ range: ByteRange) -> Int? {
        first(in: bytes, range) { word in
            let isLow = (word &- 0x2020_2020_2020_2020) & ~word
            return (isLow | word) & 0x8080_8080_8080_8080 | zeros(word ^ 0x7F7F_7F7F_7F7F_7F7F)
        }
    }

    /// Returns the offset of the first byte of 0x80 and above.
    static func firstNotASCII(in bytes: Bytes, _ range: ByteRange) -> Int? {
        first(in: bytes, range) { $0 & 0x8080_8080_8080_8080 }
    }

    /// Returns the number of lines that end in a range: at LF, at CR LF (the LF counts), and at a lone CR. Reads the
    /// byte after the range.
    static func lineEnds(in bytes: Bytes, _ range: ByteRange) -> Int {
        let range = bytes.clamp(range)
        let base = bytes.base
        var offset = range.lowerBound
        var total = 0
        // The last byte of the body has no byte after it: it is left to the loop over single bytes.
        let wordsEnd = min(range.upperBound, bytes.count - 1)
        while offset + 8 <= wordsEnd {
            // The sums are bytes of a word: they are added up before they can overflow.
            var sums: UInt64 = 0
            let count = min((wordsEnd - offset) / 8, 255)
            for index in 0..<count {
                let position = offset &+ index &* 8
                let word = word(base, position)
                let isFeed = exactZeros(word ^ 0x0A0A_0A0A_0A0A_0A0A)
                let isReturn = exactZeros(word ^ 0x0D0D_0D0D_0D0D_0D0D)
                let feedFollows = exactZeros(Self.word(base, position &+ 1) ^ 0x0A0A_0A0A_0A0A_0A0A)
                sums &+= (isFeed | isReturn & ~feedFollows) >> 7
            }
            total += sum(sums)
            offset += count * 8
        }
        while offset < range.upperBound {
            if isLineEnd(bytes, offset) { total += 1 }
            offset += 1
        }
        return total
    }

    @inline(__always)
    static func isLineEnd(_ bytes: Bytes, _ offset: Int) -> Bool {
        let byte = bytes[offset]
        return byte == 0x0A || byte == 0x0D && bytes[offset + 1] != 0x0A
    }

    /// Returns the sum of the eight bytes.
    private static func sum(_ word: UInt64) -> Int {
        let pairs = (word & 0x00FF_00FF_00FF_00FF) &+ (word >> 8 & 0x00FF_00FF_00FF_00FF)
        return Int((pairs &* 0x0001_0001_0001_0001) >> 48)
    }
}
