/// The columns of a table, as its first rows show them.
public struct TableShape: Sendable, Equatable {
    public struct Column: Sendable, Equatable {
        /// What the first row says.
        public var name: String
        /// Terminal columns of the widest cell that was looked at, `mostWidth` at most.
        public var width: Int
        /// Whether all cells below the first row are numbers: then they stand on the right.
        public var isNumeric: Bool
    }

    public var columns: [Column]

    public static let mostWidth = 60

    /// - Parameter rows: how many rows are looked at.
    public init(_ index: TableIndex, in bytes: Bytes, rows: Int = 200) {
        columns = []
        var hasValues: [Bool] = []
        for number in 0..<max(0, min(rows, index.rowCount(in: bytes))) {
            guard let row = index.range(of: number, in: bytes) else { break }
            let cells = index.cells(of: row, in: bytes, limit: 1000)
            if number == 0 {
                columns = cells.map { Column(name: $0.text(in: bytes), width: 1, isNumeric: true) }
                hasValues = cells.map { _ in false }
            }
            for (column, cell) in zip(columns.indices, cells) {
                let text = cell.text(in: bytes, limit: 512)
                columns[column].width = max(columns[column].width, min(Self.mostWidth, Self.width(of: text)))
                guard number > 0, !text.isEmpty else { continue }
                hasValues[column] = true
                if Double(text) == nil { columns[column].isNumeric = false }
            }
        }
        for column in columns.indices where !hasValues[column] { columns[column].isNumeric = false }
    }

    /// Whether a row has more or fewer cells than the first one.
    public func isRagged(_ cells: [TableCell]) -> Bool { cells.count != columns.count }

    private static func width(of text: String) -> Int {
        let bytes = Bytes(text.utf8)
        let reader = ColumnReader(bytes: bytes, tabWidth: 1)
        return reader.advance(
            .init(offset: 0, column: 0), toOffset: bytes.count, toColumn: mostWidth, end: bytes.count
        ).column
    }
}
