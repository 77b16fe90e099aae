/// CSV or TSV as a table, its header apart from the rows.
struct TableRows: NumberedRows {
    let bytes: Bytes
    let index: TableIndex
    let shape: TableShape
    /// The first screen column of each column of the table.
    private let starts: [Int]

    private static let gap = 2
    /// The rest of a larger cell is not shown.
    private static let maximumBytes = 512
    /// The part of a row that is read: a row may be as long as the body.
    private static let maximumReadBytes = 1 << 16

    init(bytes: Bytes, index: TableIndex, shape: TableShape) {
        self.bytes = bytes
        self.index = index
        self.shape = shape
        var start = 0
        starts = shape.columns.map { column in
            defer { start += column.width + Self.gap }
            return start
        }
    }

    var hasHeader: Bool { shape.hasHeader }
    private var headers: Int { hasHeader ? 1 : 0 }

    var isEmpty: Bool { index.rowCount(in: bytes) == 0 }
    var lastNumber: Int { max(0, index.rowCount(in: bytes) - headers - 1) }
    var labelColumns: Int { String(lastNumber + 1).count }
    func label(at position: ViewerPosition) -> String? { String(position.number + 1) }

    func header(skipping: Int, columns: Int, finder: Finder?) -> [TextSpan] {
        spans(ofRow: 0, isHeader: true, skipping: skipping, columns: columns, finder: finder)
    }

    func spans(at position: ViewerPosition, skipping: Int, columns: Int, finder: Finder?) -> [TextSpan] {
        spans(ofRow: position.number + headers, isHeader: false, skipping: skipping, columns: columns, finder: finder)
    }

    private func spans(
        ofRow number: Int, isHeader: Bool, skipping: Int, columns: Int, finder: Finder?
    ) -> [TextSpan] {
        guard let whole = index.range(of: number, in: bytes) else { return [] }
        let row = Self.cut(whole)
        let end = skipping + columns
        let first = max(0, (starts.firstIndex { $0 > skipping } ?? starts.count) - 1)
        let behind = starts.firstIndex { $0 - Self.gap > end }
        let cells = index.cells(of: row, in: bytes, limit: behind.map { $0 + 1 } ?? 10_000)
        let marks = finder?.marks(in: bytes, row) ?? []
        let start = first < starts.count ? starts[first] : 0
        var spans: [TextSpan] = []
        var width = start
        for (number, cell) in cells.enumerated().dropFirst(first) where width - Self.gap <= end {
            let isMatch = marks.contains { $0.overlaps(cell.range) }
            let column = number < shape.columns.count ? shape.columns[number] : nil
            if number > first {
                let gap = String(repeating: " ", count: Self.gap)
                spans.append(TextSpan(text: gap, style: .plain, range: cell.range, columns: Self.gap))
            }
            let span = span(cell, column, isHeader: isHeader, isLast: number == cells.count - 1, isMatch)
            width += span.columns + Self.gap
            spans.append(span)
        }
        if row != whole, let last = cells.last, last.range.count <= Self.maximumBytes, width - Self.gap <= end {
            spans.append(TextSpan(text: "…", style: .plain, range: last.range, columns: 1))
        }
        return spans.dropping(columns: skipping - start)
    }

    private static func cut(_ row: ByteRange) -> ByteRange { row.prefix(maximumReadBytes) }

    private func span(
        _ cell: TableCell, _ column: TableShape.Column?, isHeader: Bool, isLast: Bool, _ isMatch: Bool
    ) -> TextSpan {
        let limit = column?.width ?? TableShape.maximumWidth
        var text = cell.text(in: bytes, limit: Self.maximumBytes).map { $0.isNewline ? "⏎" : String($0) }.joined()
        // The last cell may have any width: nothing follows it.
        if !isLast, TextWidth.of(text) > limit {
            while TextWidth.of(text) > limit - 1, !text.isEmpty { text.removeLast() }
            text += "…"
        } else if cell.range.count > Self.maximumBytes {
            text += "…"
        }
        let blanks = String(repeating: " ", count: column == nil ? 0 : max(0, limit - TextWidth.of(text)))
        let isNumeric = column?.isNumeric ?? false
        let padded = isNumeric ? blanks + text : isLast ? text : text + blanks
        let style: TextStyle = isHeader ? .heading : isNumeric ? .number : .plain
        return TextSpan(
            text: padded, style: style, isMatch: isMatch, range: cell.range, columns: TextWidth.of(padded))
    }

    /// Stops at the start of each column.
    func stop(from left: Int, forward: Bool) -> Int {
        forward ? starts.first { $0 > left } ?? left + Self.sideStep : starts.last { $0 < left } ?? 0
    }

    func range(at position: ViewerPosition) -> ByteRange {
        index.range(of: position.number + headers, in: bytes) ?? 0..<0
    }
    func position(ofByte offset: Int) -> ViewerPosition {
        aligned(ViewerPosition(index.row(at: offset, in: bytes) - headers))
    }

    /// The number of the row, with a note when its cells do not match the columns.
    func path(at position: ViewerPosition) -> String? {
        let place = "row \(position.number + 1) of \(lastNumber + 1)"
        let row = range(at: position)
        guard Self.cut(row) == row else { return place }
        let cells = index.cells(of: row, in: bytes)
        return shape.isRagged(cells) && shape.columns.count < 1000
            ? place + ": \(cells.count) of \(shape.columns.count) cells" : place
    }
}

/// The fields of a form, one per row.
struct FormRows: NumberedRows {
    let bytes: Bytes
    let fields: [FormField]

    var isEmpty: Bool { fields.isEmpty }
    var lastNumber: Int { max(0, fields.count - 1) }

    func spans(at position: ViewerPosition, skipping: Int, columns: Int, finder: Finder?) -> [TextSpan] {
        guard fields.indices.contains(position.number) else { return [] }
        let field = fields[position.number]
        let isMatch = !(finder?.marks(in: bytes, range(at: position)) ?? []).isEmpty
        let name = FormField.text(field.name, in: bytes, limit: 4096)
        let value = FormField.text(field.value, in: bytes, limit: 1 << 16)
        let pieces: [(String, TextStyle, Bool)] = [
            (name, .key, false), (" = ", .punctuation, false), (value, .string, isMatch),
        ]
        return pieces.map { text, style, isMatch in
            TextSpan(
                text: text, style: style, isMatch: isMatch, range: range(at: position), columns: TextWidth.of(text))
        }.dropping(columns: skipping)
    }

    func range(at position: ViewerPosition) -> ByteRange {
        guard fields.indices.contains(position.number) else { return 0..<0 }
        let field = fields[position.number]
        return field.name.lowerBound..<max(field.name.upperBound, field.value.upperBound)
    }

    func position(ofByte offset: Int) -> ViewerPosition {
        ViewerPosition(fields.lastIndex { $0.name.lowerBound <= offset } ?? 0)
    }

    func path(at position: ViewerPosition) -> String? { "field \(position.number + 1) of \(fields.count)" }
}
