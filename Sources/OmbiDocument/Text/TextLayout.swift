/// Divides a text into rows, from any position, forwards and backwards, without reading the rest of it.
///
/// A wrapped line of any length is divided into segments of some 8 KiB, each wrapped separately, so that the rows
/// around a position depend on the segment around it alone. In ASCII text the seams do not show; elsewhere about one
/// row in a hundred is shorter than it could be.
package struct TextLayout: RowStepping, Sendable {
    package let bytes: Bytes
    package let lines: LineIndex
    /// The width that lines are wrapped at; nil makes each line a row.
    package let columns: Int?

    static let segment = 8192

    package init(bytes: Bytes, lines: LineIndex, columns: Int?) {
        self.bytes = bytes
        self.lines = lines
        self.columns = columns.map { max(1, min($0, Self.segment)) }
    }

    /// Returns the row that holds an offset; the last one for an offset after the text.
    package func row(at offset: Int) -> TextRow {
        row(at: offset, of: lastLine(lines.range(around: offset, in: bytes)))
    }

    /// Returns the row that holds an offset of a line whose bounds are known.
    package func row(at offset: Int, of line: ByteRange) -> TextRow {
        let offset = min(max(line.lowerBound, offset), line.upperBound)
        guard let columns, line.count > 0 else { return TextRow(range: line, line: line) }
        let segment = segment(at: offset, of: line, columns)
        var row = wrapped(from: segment.lowerBound, segment, columns)
        while row.upperBound <= offset, row.upperBound < segment.upperBound {
            row = wrapped(from: row.upperBound, segment, columns)
        }
        return TextRow(range: row, line: line)
    }

    /// Returns the row below; nil at the end of the text.
    package func row(after row: TextRow) -> TextRow? {
        if let columns, !row.endsLine {
            let segment = segment(at: row.range.upperBound, of: row.line, columns)
            return TextRow(range: wrapped(from: row.range.upperBound, segment, columns), line: row.line)
        }
        let end = row.line.upperBound
        guard end < bytes.count, let next = LineIndex.nextLine(after: end, in: bytes), next < bytes.count else {
            return nil
        }
        return self.row(at: next)
    }

    /// Returns the row above; nil at the start of the text.
    package func row(before row: TextRow) -> TextRow? {
        if row.range.lowerBound > row.line.lowerBound { return self.row(at: row.range.lowerBound - 1) }
        guard row.line.lowerBound > 0 else { return nil }
        // The last byte of the line ending before it belongs to the line above.
        let above = lines.range(around: row.line.lowerBound - 1, in: bytes)
        return columns == nil ? TextRow(range: above, line: above) : self.row(at: lastGlyph(of: above))
    }

    /// Returns the line before an empty one at the end: a text that ends with a line ending has no empty line after it.
    private func lastLine(_ line: ByteRange) -> ByteRange {
        guard line.isEmpty, line.lowerBound == bytes.count, bytes.count > 0 else { return line }
        return lines.range(around: bytes.count - 1, in: bytes)
    }

    private func lastGlyph(of line: ByteRange) -> Int {
        max(line.lowerBound, line.upperBound - 1)
    }

    /// Returns the segment of a line that an offset lies in; the last one for the end of the line.
    private func segment(at offset: Int, of line: ByteRange, _ columns: Int) -> ByteRange {
        let length = columns * max(1, Self.segment / columns)
        var number = max(0, (min(offset, line.upperBound - 1) - line.lowerBound) / length)
        if seam(number, of: line, length) > offset { number -= 1 }
        return seam(number, of: line, length)..<seam(number + 1, of: line, length)
    }

    /// Returns the start of a segment: a multiple of the length, or the end of the scalar and marks that lie across it.
    private func seam(_ number: Int, of line: ByteRange, _ length: Int) -> Int {
        guard number > 0 else { return line.lowerBound }
        let nominal = line.lowerBound + number * length
        guard nominal < line.upperBound else { return line.upperBound }
        var offset = nominal
        while offset < line.upperBound, offset - nominal < 3, bytes.base[offset] & 0xC0 == 0x80 { offset += 1 }
        for _ in 0..<GlyphReader.maximumMarks where offset < line.upperBound && bytes.base[offset] >= 0xCC {
            let (value, length) = UTF8Reader.scalar(in: bytes, at: offset, before: line.upperBound)
            guard value != UTF8Reader.invalid, ScalarTable.code(of: value) == ScalarTable.mark else { break }
            offset += length
        }
        return offset
    }

    /// Returns the bytes from an offset that fit into a row: at least a glyph.
    private func wrapped(from start: Int, _ segment: ByteRange, _ columns: Int) -> ByteRange {
        let reader = ColumnReader(bytes: bytes)
        let end = segment.upperBound
        guard start < end else { return end..<end }
        let stop = reader.advance(.init(offset: start, column: 0), toOffset: end, toColumn: columns, end: end)
        if stop.offset > start { return start..<stop.offset }
        return start..<reader.glyphs.glyph(at: start, before: end).end
    }
}

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
            (line, lineStart) = (line + ends, LineIndex.lineStart(before: offset, in: bytes))
            (last, characters) = (lineStart, 0)
        }
        characters += bytes.buffer(last..<offset).reduce(into: 0) { $0 += $1 & 0xC0 == 0x80 ? 0 : 1 }
        last = offset
        return TextPosition(line: line, column: characters + 1)
    }
}

/// A position in a text, as editors show it: lines and columns count from 1, columns count Unicode scalars.
///
/// A line ends with LF, CR LF or CR. A byte order mark takes no column.
package struct TextPosition: Sendable, Hashable, Comparable {
    package var line: Int
    package var column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    package static func < (left: TextPosition, right: TextPosition) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

extension TextPosition: CustomStringConvertible {
    package var description: String { "line \(line), column \(column)" }
}

/// A row of text on the screen: a line, or the part of a line that fits when long lines are wrapped.
package struct TextRow: Sendable, Equatable {
    /// Its bytes, without a line ending.
    package var range: ByteRange
    /// Its line, without the line ending.
    package var line: ByteRange
    /// True for the first row of a line, which has the line number.
    package var startsLine: Bool { range.lowerBound == line.lowerBound }
    package var endsLine: Bool { range.upperBound == line.upperBound }

    package init(range: ByteRange, line: ByteRange) {
        self.range = range
        self.line = line
    }
}

/// Content that is divided into rows step by step, from any position.
package protocol RowStepping {
    associatedtype Row
    /// Returns the row below; nil at the end.
    func row(after row: Row) -> Row?
    /// Returns the row above; nil at the start.
    func row(before row: Row) -> Row?
}

extension RowStepping {
    /// Returns the row `distance` rows below, or above if negative, clamped to the text.
    package func row(_ start: Row, movedBy distance: Int) -> Row {
        var row = start
        for _ in 0..<distance.magnitude {
            guard let next = distance < 0 ? self.row(before: row) : self.row(after: row) else { break }
            row = next
        }
        return row
    }
}
