import OmbiPlatform

/// The search for one text in another, and its replacement, byte by byte. The standard library compares characters: that
/// takes a hundred times as long, and does not find `://` or `{{` with an accent behind it, which a URL and a template
/// begin with all the same.
extension StringProtocol {
    /// Returns the first place of a text; nil for none.
    package func firstRange(of part: String) -> Range<Index>? {
        var part = part
        let count = part.utf8.count
        let offset = part.withUTF8 { part in
            utf8.withContiguousStorageIfAvailable { ByteSearch.offset(of: part, in: $0) }
                ?? Array(utf8).withUnsafeBufferPointer { ByteSearch.offset(of: part, in: $0) }
        }
        guard let offset else { return nil }
        let start = utf8.index(startIndex, offsetBy: offset)
        return start..<utf8.index(start, offsetBy: count)
    }

    /// Returns true for a text with another one in it.
    package func contains(_ part: String) -> Bool { firstRange(of: part) != nil }

    /// Returns the text with another one in each of its places. An accent behind a quote hides it from no shell, and from
    /// nothing else that reads bytes.
    package func replacing(_ part: String, with text: String) -> String {
        guard !part.isEmpty, contains(part) else { return String(self) }
        let (bytes, part) = (Array(utf8), Array(part.utf8))
        var (result, start): ([UInt8], Int) = ([], 0)
        bytes.withUnsafeBufferPointer { bytes in
            part.withUnsafeBufferPointer { part in
                while let found = ByteSearch.offset(of: part, in: UnsafeBufferPointer(rebasing: bytes[start...])) {
                    result += bytes[start..<start + found]
                    result += text.utf8
                    start += found + part.count
                }
            }
        }
        return String(decoding: result + bytes[start...], as: UTF8.self)
    }

    /// Returns the text before the first such byte and the text after it; nil without one.
    @inlinable package func cut(at byte: UInt8) -> (String, String?) {
        guard let index = utf8.firstIndex(of: byte) else { return (String(self), nil) }
        return (String(self[..<index]), String(self[utf8.index(after: index)...]))
    }

    /// The text without spaces and tabs around it.
    package var trimmed: String { String(String(self).trimming { $0 == " " || $0 == "\t" }) }
}

package enum ByteSearch {
    /// Returns the first index of a byte in a range; nil for none.
    @inlinable package static func first(
        _ byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
    ) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        // Most are near: a few words take fewer steps than a call.
        let all = UInt64(byte) &* 0x0101_0101_0101_0101
        var index = range.lowerBound
        while index + 8 <= range.upperBound, index < range.lowerBound + 32 {
            let word = UInt64(littleEndian: UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self)) ^ all
            let zeros = (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
            if zeros != 0 { return index + zeros.trailingZeroBitCount >> 3 }
            index += 8
        }
        guard index < range.upperBound, let found = memchr(base + index, CInt(byte), range.upperBound - index) else {
            return nil
        }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    /// Returns the first offset of some bytes; nil for none.
    package static func offset(of part: UnsafeBufferPointer<UInt8>, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let first = part.baseAddress, !part.isEmpty else { return 0 }
        guard let base = bytes.baseAddress else { return nil }
        var offset = 0
        while bytes.count - offset >= part.count {
            let rest = bytes.count - offset - part.count + 1
            guard let found = memchr(base + offset, CInt(first.pointee), rest) else { return nil }
            offset = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            if memcmp(base + offset, first, part.count) == 0 { return offset }
            offset += 1
        }
        return nil
    }
}

extension BidirectionalCollection {
    /// Returns the elements without the dropped ones at both ends.
    @inlinable package func trimming(while isDropped: (Element) -> Bool) -> SubSequence {
        var rest = drop(while: isDropped)
        while let last = rest.last, isDropped(last) { rest.removeLast() }
        return rest
    }
}

extension RandomAccessCollection {
    /// Nil for an index that the collection does not have.
    package subscript(safe index: Index) -> Element? { index >= startIndex && index < endIndex ? self[index] : nil }
}

/// Durations as numbers, for arithmetic and for texts.
extension Duration {
    package var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }

    package var milliseconds: Double { Double(components.seconds) * 1000 + Double(components.attoseconds) / 1e15 }
}

/// Bytes as ASCII characters. Inlinable, since parsers of other modules ask about every byte.
extension UInt8 {
    @inlinable package var isASCIIDigit: Bool { self &- 0x30 < 10 }

    @inlinable package var isASCIILetter: Bool { (self | 0x20) &- 0x61 < 26 }

    @inlinable package var isASCIIAlphanumeric: Bool { isASCIIDigit || isASCIILetter }

    @inlinable package var lowercasedASCII: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }

    /// From 0 to 15; nil unless it is a hexadecimal digit.
    @inlinable package var hexDigitValue: UInt8? {
        if isASCIIDigit { return self - 0x30 }
        let letter = (self | 0x20) &- 0x61
        return letter < 6 ? letter + 10 : nil
    }
}

extension BinaryInteger {
    /// Returns the digits of a number from 0 on, with zeros in front of fewer than `count`.
    @inlinable package func digits(_ count: Int, radix: Int = 10, uppercase: Bool = false) -> String {
        let digits = String(self, radix: radix, uppercase: uppercase)
        return String(repeating: "0", count: Swift.max(0, count - digits.utf8.count)) + digits
    }
}

extension String {
    /// The words that a text is kept as: its bytes, or the place of them.
    private typealias Words = (UInt64, UInt64)

    /// True for a text of the same bytes: one of other bytes may be equal, too.
    package func hasBytes(of other: String) -> Bool {
        #if _pointerBitWidth(_64)
        // Short texts, and copies of one, are kept as the same two words.
        let (one, two) = (unsafeBitCast(self, to: Words.self), unsafeBitCast(other, to: Words.self))
        if one == two { return true }
        #endif
        return utf8.count == other.utf8.count
            && (utf8.withContiguousStorageIfAvailable { one in
                other.utf8.withContiguousStorageIfAvailable { two in
                    guard let first = one.baseAddress, let second = two.baseAddress else { return true }
                    return memcmp(first, second, one.count) == 0
                }
            } ?? nil) ?? utf8.elementsEqual(other.utf8)
    }
}

extension String? {
    /// True for none in both places, too.
    package func hasBytes(of other: String?) -> Bool {
        guard let self, let other else { return self == nil && other == nil }
        return self.hasBytes(of: other)
    }
}

extension Array {
    /// True for a copy of an array that neither has changed since. False says nothing.
    @inlinable package func sharesStorage(with other: [Element]) -> Bool {
        count == other.count
            && withUnsafeBufferPointer { one in other.withUnsafeBufferPointer { one.baseAddress == $0.baseAddress } }
    }
}
