/// Walks through a line and records styles.
struct LineCursor {
    let bytes: Bytes
    private(set) var offset: Int
    let end: Int
    private(set) var styles: [StyledRange] = []

    init(bytes: Bytes, line: ByteRange) {
        self.bytes = bytes
        offset = line.lowerBound
        end = line.upperBound
    }

    var isAtEnd: Bool { offset >= end }

    /// Returns the byte at a distance from the cursor; 0 past the end.
    func peek(_ distance: Int = 0) -> UInt8 {
        offset + distance < end ? bytes[offset + distance] : 0
    }

    mutating func skip(_ count: Int = 1) { offset = min(end, offset + count) }

    mutating func skipBlanks() {
        while peek() == 0x20 || peek() == 0x09 { offset += 1 }
    }

    /// Moves to an offset and styles the bytes up to it.
    mutating func take(upTo stop: Int, _ style: TextStyle) {
        let stop = min(max(offset, stop), end)
        if stop > offset, style != .plain { styles.append(StyledRange(offset..<stop, style)) }
        offset = stop
    }

    func first(_ byte: UInt8, from start: Int) -> Int? {
        start < end ? ByteScan.first(byte, in: bytes, start..<end) : nil
    }

    /// Returns the end of the word at the cursor: white space or one of `signs`.
    func wordEnd(_ signs: StaticString) -> Int {
        var stop = offset
        while stop < end, bytes[stop] > 0x20 {
            let byte = bytes[stop]
            if (0..<signs.utf8CodeUnitCount).contains(where: { signs.utf8Start[$0] == byte }) { break }
            stop += 1
        }
        return stop
    }

    /// Returns the offset after the closing quote of the text at the cursor; the end of the line if there is none.
    func quotedEnd(escape: UInt8) -> Int {
        let quote = peek()
        var stop = offset + 1
        while stop < end {
            if bytes[stop] == escape, escape != 0 {
                stop += 1
            } else if bytes[stop] == quote {
                return stop + 1
            }
            stop += 1
        }
        return end
    }

    /// Returns the style of a word that is a number or one of `literals`; nil for others.
    func valueStyle(upTo stop: Int, literals: [StaticString]) -> TextStyle? {
        let length = stop - offset
        for word in literals where word.utf8CodeUnitCount == length {
            if (0..<length).allSatisfy({ bytes[offset + $0] == word.utf8Start[$0] }) { return .literal }
        }
        guard length > 0, length <= 40, "+-.0123456789".utf8.contains(peek()) else { return nil }
        let text = bytes.text(offset..<stop)
        return Double(text) != nil || text.hasPrefix("0x") ? .number : nil
    }
}
