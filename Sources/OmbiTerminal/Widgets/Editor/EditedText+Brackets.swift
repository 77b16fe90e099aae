import OmbiDocument

/// The bracket at the cursor and its partner. Brackets in double quotes count among themselves alone, and quotes end
/// with their line.
extension EditedText {
    struct Brackets: Equatable {
        var bracket: Int
        var partner: Int
    }

    private static let pairs: [(open: UInt8, close: UInt8)] = [(0x7B, 0x7D), (0x5B, 0x5D), (0x28, 0x29)]

    /// Looks for the partner within a range, of the bracket under the cursor or before it.
    func brackets(within range: ByteRange) -> Brackets? {
        for offset in [cursor, cursor - 1] where offset >= 0 && offset < buffer.count {
            for pair in Self.pairs {
                let byte = buffer.bytes[offset]
                guard byte == pair.open || byte == pair.close else { continue }
                let partner = byte == pair.open ? closing(offset, pair, range) : opening(offset, pair, range)
                return partner.map { Brackets(bracket: offset, partner: $0) }
            }
        }
        return nil
    }

    private func closing(_ offset: Int, _ pair: (open: UInt8, close: UInt8), _ range: ByteRange) -> Int? {
        guard !isQuoted(offset) else { return nil }
        return buffer.bytes.withUnsafeBufferPointer { bytes in
            var depth = 0
            var isQuoted = false
            var index = offset
            while index < min(range.upperBound, bytes.count) {
                let byte = bytes[index]
                if isQuoted, byte == 0x5C {
                    index += 1
                } else if byte == 0x22 {
                    isQuoted.toggle()
                } else if byte == 0x0A {
                    isQuoted = false
                } else if !isQuoted, byte == pair.open {
                    depth += 1
                } else if !isQuoted, byte == pair.close {
                    depth -= 1
                    if depth == 0 { return index }
                }
                index += 1
            }
            return nil
        }
    }

    private func opening(_ offset: Int, _ pair: (open: UInt8, close: UInt8), _ range: ByteRange) -> Int? {
        var depth = 0
        var line = buffer.line(at: offset)
        var end = offset + 1
        guard !isQuoted(offset) else { return nil }
        while line >= 0 {
            let start = buffer.range(ofLine: line).lowerBound
            for index in unquoted(pair, in: start..<end).reversed() {
                guard index >= range.lowerBound else { return nil }
                depth += buffer.bytes[index] == pair.close ? 1 : -1
                if depth == 0 { return index }
            }
            guard start > range.lowerBound else { return nil }
            line -= 1
            end = start
        }
        return nil
    }

    private func isQuoted(_ offset: Int) -> Bool {
        let byte = buffer.bytes[offset]
        let start = buffer.lineRange(at: offset).lowerBound
        return unquoted((byte, byte), in: start..<offset + 1).last != offset
    }

    /// The brackets of a part of a line that are not in quotes.
    private func unquoted(_ pair: (open: UInt8, close: UInt8), in range: ByteRange) -> [Int] {
        var found: [Int] = []
        var isQuoted = false
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = buffer.bytes[index]
            if isQuoted, byte == 0x5C { index += 1 } else if byte == 0x22 { isQuoted.toggle() }
            if !isQuoted, byte == pair.open || byte == pair.close { found.append(index) }
            index += 1
        }
        return found
    }
}
