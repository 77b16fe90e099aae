import OmbiDocument

/// The rows that a text under edit takes on the screen: its lines, or parts of them where long lines are wrapped.
struct EditorRows {
    let buffer: TextBuffer
    private let layout: TextLayout?
    private let reader: ColumnReader

    /// - Parameter columns: the width at which lines wrap; nil leaves them whole.
    init(_ buffer: TextBuffer, bytes: Bytes, columns: Int?) {
        self.buffer = buffer
        layout = columns.map { TextLayout(bytes: bytes, lines: LineIndex(), columns: $0) }
        reader = ColumnReader(bytes: bytes)
    }

    func row(at offset: Int) -> TextRow {
        let line = buffer.lineRange(at: offset)
        return layout?.row(at: offset, of: line) ?? TextRow(range: line, line: line)
    }

    func row(after row: TextRow) -> TextRow? {
        if !row.endsLine { return layout?.row(at: row.range.upperBound, of: row.line) }
        return row.line.upperBound < buffer.count ? self.row(at: buffer.offset(after: row.line.upperBound)) : nil
    }

    func row(before row: TextRow) -> TextRow? {
        row.range.lowerBound > 0 ? self.row(at: buffer.offset(before: row.range.lowerBound)) : nil
    }

    /// Returns the row that many rows away, as far as there are rows.
    func row(_ row: TextRow, movedBy count: Int) -> TextRow {
        if layout == nil {
            let line = buffer.range(ofLine: buffer.line(at: row.line.lowerBound) + count)
            return TextRow(range: line, line: line)
        }
        var row = row
        for _ in 0..<abs(count) {
            guard let next = count > 0 ? self.row(after: row) : self.row(before: row) else { break }
            row = next
        }
        return row
    }

    /// The columns of a row before an offset.
    /// - Parameter start: a known position before it; nil for the start of the row.
    func column(of offset: Int, in row: TextRow, from start: ColumnReader.Position? = nil) -> Int {
        let start = start ?? ColumnReader.Position(offset: row.range.lowerBound, column: 0)
        return reader.advance(start, toOffset: offset, toColumn: .max, end: row.range.upperBound).column
    }

    /// The part of a row that shows in some columns: its start, and the offset of its end.
    func visible(_ row: TextRow, left: Int, columns: Int) -> (start: ColumnReader.Position, end: Int) {
        let end = row.range.upperBound
        let first = ColumnReader.Position(offset: row.range.lowerBound, column: 0)
        let start = reader.advance(first, toOffset: end, toColumn: left, end: end)
        return (start, reader.advance(start, toOffset: end, toColumn: left + columns + 2, end: end).offset)
    }

    /// The offset of the character at a column of a row; the last one of a row that is too short.
    func offset(ofColumn column: Int, in row: TextRow) -> Int {
        let start = ColumnReader.Position(offset: row.range.lowerBound, column: 0)
        let end = row.range.upperBound
        let offset = reader.advance(start, toOffset: end, toColumn: column, end: end).offset
        // The end of a wrapped row is the start of the next one.
        return buffer.aligned(offset == end && !row.endsLine ? buffer.offset(before: offset) : offset)
    }
}
