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
