/// Loops that read eight bytes at a time, as one word. Everything that has to read a whole body goes through here. They
/// use words instead of vectors, because these are fast in debug builds too.
enum ByteScan {
    /// Returns a word of eight equal bytes.
    @inline(__always)
    static func all(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

    @inline(__always)
    static func word(_ base: UnsafePointer<UInt8>, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(base + offset).loadUnaligned(as: UInt64.self))
    }

    /// Returns the first eight bytes as one word, or fewer and zeros: equal for equal bytes, and for up to eight of them only then
    /// when the counts are equal, too.
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

    /// Returns the number of lines that end in a range: at LF, at CR LF (the LF counts), and at a CR by itself. Reads
    /// the byte after the range.
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
