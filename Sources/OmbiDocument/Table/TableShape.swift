/// The columns of a table, inferred from a sample of its rows.
public struct TableShape: Sendable, Equatable {
    public struct Column: Sendable, Equatable {
        /// The cell of the first row.
        public var name: String
        /// The width of the widest cell in the sample, in terminal columns, at most `maximumWidth`.
        public var width: Int
        /// True if all cells in the sample, except a header and empty ones, are numbers: they are aligned on the right.
        public var isNumeric: Bool
    }

    public var columns: [Column]
    /// True if the first row names the columns. It is data when it is the only one, or when it has a number in a column
    /// of numbers; but years are often names of columns.
    public let hasHeader: Bool

    public static let maximumWidth = 60
    /// The number of cells above which fewer rows are read, in a table with very many columns.
    private static let maximumCells = 40_000

    /// - Parameter rows: The number of rows read from the first on; half as many are sampled from the rest.
    public init(_ index: TableIndex, in bytes: Bytes, rows: Int = 200) {
        let count = index.rowCount(in: bytes)
        let first = index.range(of: 0, in: bytes).map { index.cells(of: $0, in: bytes, limit: 1000) } ?? []
        columns = first.map { Column(name: $0.text(in: bytes), width: 1, isNumeric: true) }
        var hasValues = first.map { _ in false }
        let limit = min(rows, max(20, Self.maximumCells / max(1, first.count)))
        for number in Self.sample(of: count, limit) {
            guard let row = index.range(of: number, in: bytes) else { break }
            let cells = number == 0 ? first : index.cells(of: row, in: bytes, limit: first.count)
            for (column, cell) in zip(columns.indices, cells) {
                let text = cell.text(in: bytes, limit: 512)
                columns[column].width = max(columns[column].width, min(Self.maximumWidth, Self.width(of: text)))
                guard number > 0, !text.isEmpty else { continue }
                hasValues[column] = true
                if columns[column].isNumeric, Double(text) == nil { columns[column].isNumeric = false }
            }
        }
        for column in columns.indices where !hasValues[column] { columns[column].isNumeric = false }
        let areData = zip(columns, first).contains { column, cell in
            column.isNumeric && Self.isAmount(cell.text(in: bytes, limit: 512))
        }
        hasHeader = count > 1 && !areData
    }

    /// Returns true if a row has more or fewer cells than the first one.
    public func isRagged(_ cells: [TableCell]) -> Bool { cells.count != columns.count }

    /// Returns the first rows, some of the others at even distances, and the last one.
    private static func sample(of count: Int, _ limit: Int) -> [Int] {
        let rest = max(0, count - limit)
        guard rest > 0 else { return Array(0..<max(0, count)) }
        let more = min(rest, max(1, limit / 2))
        return Array(0..<limit) + (1...more).map { limit - 1 + rest / more * $0 + min($0, rest % more) }
    }

    private static func isAmount(_ text: String) -> Bool {
        guard Double(text) != nil else { return false }
        return Int(text).map { !(1000...2999).contains($0) } ?? true
    }

    private static func width(of text: String) -> Int {
        let bytes = Bytes(text.utf8)
        let reader = ColumnReader(bytes: bytes, tabWidth: 1)
        return reader.advance(
            .init(offset: 0, column: 0), toOffset: bytes.count, toColumn: maximumWidth, end: bytes.count
        ).column
    }
}
