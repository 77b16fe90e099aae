/// Which column of a line stands at which offset, for lines that are scrolled sideways. Of a long line it keeps a place
/// every 16 KiB, as far as it has been asked for.
public struct ColumnIndex: Sendable {
    public let line: ByteRange
    private let tabWidth: Int
    private var places: [ColumnReader.Place]

    static let step = 16 << 10

    public init(line: ByteRange, tabWidth: Int = 8) {
        self.line = line
        self.tabWidth = tabWidth
        places = [.init(offset: line.lowerBound, column: 0)]
    }

    /// The last glyph that starts at a column or before it: where it starts, and in which column. The end of the line
    /// when it is not so wide.
    public mutating func place(atColumn column: Int, in bytes: Bytes) -> (offset: Int, column: Int) {
        let column = max(0, column)
        extend(in: bytes) { $0.column > column }
        let known = places.last { $0.column <= column } ?? places[0]
        let place = advance(known, toOffset: .max, toColumn: column, in: bytes)
        return (place.offset, place.column)
    }

    /// The columns before an offset.
    public mutating func column(at offset: Int, in bytes: Bytes) -> Int {
        let offset = min(max(line.lowerBound, offset), line.upperBound)
        extend(in: bytes) { $0.offset > offset }
        let known = places.last { $0.offset <= offset } ?? places[0]
        return advance(known, toOffset: offset, toColumn: .max, in: bytes).column
    }

    private mutating func extend(in bytes: Bytes, until isEnough: (ColumnReader.Place) -> Bool) {
        while let last = places.last, !isEnough(last), last.offset + Self.step < line.upperBound {
            let next = advance(last, toOffset: last.offset + Self.step, toColumn: .max, in: bytes)
            guard next.offset > last.offset else { return }
            places.append(next)
        }
    }

    private func advance(
        _ place: ColumnReader.Place, toOffset: Int, toColumn: Int, in bytes: Bytes
    ) -> ColumnReader.Place {
        let reader = ColumnReader(bytes: bytes, tabWidth: tabWidth)
        return reader.advance(place, toOffset: toOffset, toColumn: toColumn, end: line.upperBound)
    }
}
