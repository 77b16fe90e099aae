/// Turns offsets in a text into positions. It counts on from the last one: offsets in ascending order cost one pass, also
/// where the text is one line.
package struct TextLocator {
    private let bytes: Bytes
    private let textStart: Int
    private var line = 1
    private var lineStart: Int
    /// The last offset, in that line, and the characters before it there.
    private var last: Int
    private var characters = 0

    package init(_ bytes: Bytes) {
        self.bytes = bytes
        textStart = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        lineStart = textStart
        last = textStart
    }

    /// Returns the position of the byte at `offset`; offsets outside of the text count as its ends.
    package mutating func position(of offset: Int) -> TextPosition {
        let offset = min(max(offset, textStart), bytes.count)
        if offset < lineStart { (line, lineStart) = (1, textStart) }
        if offset < last { (last, characters) = (lineStart, 0) }
        let ends = ByteScan.lineEnds(in: bytes, last..<offset)
        if ends > 0 {
            (line, lineStart) = (line + ends, start(ofLineAt: offset))
            (last, characters) = (lineStart, 0)
        }
        characters += bytes.buffer(last..<offset).reduce(into: 0) { $0 += $1 & 0xC0 == 0x80 ? 0 : 1 }
        last = offset
        return TextPosition(line: line, column: characters + 1)
    }

    private func start(ofLineAt offset: Int) -> Int {
        var end = offset
        while let found = ByteScan.last(0x0A, or: 0x0D, in: bytes, last..<end) {
            // A CR before an LF ends no line.
            if ByteScan.isLineEnd(bytes, found) { return found + 1 }
            end = found
        }
        return lineStart
    }
}
