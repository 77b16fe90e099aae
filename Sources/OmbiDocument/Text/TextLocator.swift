/// Turns offsets in a text into positions. It counts on from the last one: offsets in ascending order cost one pass.
package struct TextLocator {
    private let bytes: Bytes
    private let textStart: Int
    private var line = 1
    private var lineStart: Int

    package init(_ bytes: Bytes) {
        self.bytes = bytes
        textStart = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        lineStart = textStart
    }

    /// Returns the position of the byte at `offset`; offsets outside of the text count as its ends.
    package mutating func position(of offset: Int) -> TextPosition {
        let offset = min(max(offset, textStart), bytes.count)
        if offset < lineStart { (line, lineStart) = (1, textStart) }
        let ends = ByteScan.lineEnds(in: bytes, lineStart..<offset)
        if ends > 0 { (line, lineStart) = (line + ends, start(ofLineAt: offset)) }
        let before = bytes.buffer(lineStart..<offset)
        let characters = before.reduce(into: 0) { $0 += $1 & 0xC0 == 0x80 ? 0 : 1 }
        return TextPosition(line: line, column: characters + 1)
    }

    private func start(ofLineAt offset: Int) -> Int {
        var end = offset
        while let last = ByteScan.last(0x0A, or: 0x0D, in: bytes, lineStart..<end) {
            // A CR before an LF ends no line.
            if ByteScan.isLineEnd(bytes, last) { return last + 1 }
            end = last
        }
        return lineStart
    }
}
