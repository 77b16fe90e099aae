/// The columns and offsets of a line that is scrolled sideways. Of a long line it keeps a position every 16 KiB, as far
/// as it has been needed.
public struct ColumnIndex: Sendable {
    public let line: ByteRange
    private let tabWidth: Int
    private var positions: [ColumnReader.Position]

    static let step = 16 << 10

    public init(line: ByteRange, tabWidth: Int = 8) {
        self.line = line
        self.tabWidth = tabWidth
        positions = [.init(offset: line.lowerBound, column: 0)]
    }

    /// Returns the offset and the column of the last glyph that starts at a column or before it; the end of the line
    /// when the line is narrower.
    public mutating func position(atColumn column: Int, in bytes: Bytes) -> (offset: Int, column: Int) {
        let column = max(0, column)
        extend(in: bytes) { $0.column > column }
        let known = positions.last { $0.column <= column } ?? positions[0]
        let position = advance(known, toOffset: .max, toColumn: column, in: bytes)
        return (position.offset, position.column)
    }

    /// Returns the number of columns before an offset.
    public mutating func column(at offset: Int, in bytes: Bytes) -> Int {
        let offset = min(max(line.lowerBound, offset), line.upperBound)
        extend(in: bytes) { $0.offset > offset }
        let known = positions.last { $0.offset <= offset } ?? positions[0]
        return advance(known, toOffset: offset, toColumn: .max, in: bytes).column
    }

    private mutating func extend(in bytes: Bytes, until isEnough: (ColumnReader.Position) -> Bool) {
        while let last = positions.last, !isEnough(last), last.offset + Self.step < line.upperBound {
            let next = advance(last, toOffset: last.offset + Self.step, toColumn: .max, in: bytes)
            guard next.offset > last.offset else { return }
            positions.append(next)
        }
    }

    private func advance(
        _ position: ColumnReader.Position, toOffset: Int, toColumn: Int, in bytes: Bytes
    ) -> ColumnReader.Position {
        let reader = ColumnReader(bytes: bytes, tabWidth: tabWidth)
        return reader.advance(position, toOffset: toOffset, toColumn: toColumn, end: line.upperBound)
    }
}

/// Measures text in terminal columns.
package struct ColumnReader {
    /// A position in a line: an offset at the start of a glyph, and the columns before it.
    package struct Position: Equatable, Sendable {
        package var offset: Int
        package var column: Int

        package init(offset: Int, column: Int) {
            self.offset = offset
            self.column = column
        }
    }

    let glyphs: GlyphReader
    let tabWidth: Int

    package init(bytes: Bytes, tabWidth: Int = 8) {
        glyphs = GlyphReader(bytes: bytes)
        self.tabWidth = max(1, tabWidth)
    }

    func width(of glyph: GlyphReader.Glyph, at column: Int) -> Int {
        glyph.kind == .tab ? tabWidth - column % tabWidth : glyph.width
    }

    /// Advances by whole glyphs while neither the offset nor the column is passed. Returns the last position within
    /// both. `end` is the end of the line.
    package func advance(_ position: Position, toOffset: Int, toColumn: Int, end: Int) -> Position {
        var position = position
        let end = min(end, glyphs.bytes.count)
        while position.offset < end, position.column < toColumn, position.offset < toOffset {
            if let next = plainRun(position, toOffset: min(toOffset, end), toColumn: toColumn, end: end) {
                position = next
                continue
            }
            let glyph = glyphs.glyph(at: position.offset, before: end)
            let column = position.column + width(of: glyph, at: position.column)
            guard glyph.end <= toOffset, column <= toColumn else { break }
            position = Position(offset: glyph.end, column: column)
        }
        return position
    }

    /// Skips printable ASCII, of which a byte is a column, but not a last letter that may carry a mark.
    @inline(__always)
    private func plainRun(_ position: Position, toOffset: Int, toColumn: Int, end: Int) -> Position? {
        let bytes = glyphs.bytes
        guard bytes.base[position.offset] &- 0x20 <= 0x5E else { return nil }
        let left = toColumn - position.column
        let limit = toOffset - position.offset > left ? position.offset + left : toOffset
        var stop = ByteScan.firstNotPlain(in: bytes, position.offset..<limit) ?? limit
        if stop < end, bytes.base[stop] >= 0x80 { stop -= 1 }
        guard stop > position.offset else { return nil }
        return Position(offset: stop, column: position.column + stop - position.offset)
    }
}
