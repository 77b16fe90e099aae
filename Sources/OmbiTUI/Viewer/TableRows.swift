import OmbiDocument

/// CSV or TSV as a table.
struct TableRows: NumberedRows {
    let bytes: Bytes
    let index: TableIndex
    let shape: TableShape

    private static let gap = "  "

    var isEmpty: Bool { index.rowCount(in: bytes) == 0 }
    var lastNumber: Int { max(0, index.rowCount(in: bytes) - 1) }
    var labelColumns: Int { String(lastNumber).count }

    func number(labelled number: Int) -> Int { aligned(number) }

    /// The header is row 0 and bears no number.
    func label(at position: Int) -> String? { position == 0 ? nil : String(position) }

    func spans(at position: Int, skipping: Int, columns: Int, finder: Finder?) -> [TextSpan] {
        guard let row = index.range(of: position, in: bytes) else { return [] }
        let marks = finder?.marks(in: bytes, row) ?? []
        var spans: [TextSpan] = []
        var width = 0
        let cells = index.cells(of: row, in: bytes)
        for (number, cell) in cells.enumerated() where width < skipping + columns {
            let isMatch = marks.contains { $0.overlaps(cell.range) }
            let column = number < shape.columns.count ? shape.columns[number] : nil
            let span = span(cell, column, isHeader: position == 0, isLast: number == cells.count - 1, isMatch)
            width += span.columns + Self.gap.count
            spans.append(span)
            spans.append(TextSpan(text: Self.gap, style: .plain, range: cell.range, columns: Self.gap.count))
        }
        return spans.dropping(columns: skipping)
    }

    private func span(
        _ cell: TableCell, _ column: TableShape.Column?, isHeader: Bool, isLast: Bool, _ isMatch: Bool
    ) -> TextSpan {
        let limit = column?.width ?? TableShape.mostWidth
        var text = cell.text(in: bytes, limit: 512).map { $0.isNewline ? "⏎" : String($0) }.joined()
        if TextWidth.of(text) > limit {
            while TextWidth.of(text) > limit - 1, !text.isEmpty { text.removeLast() }
            text += "…"
        }
        let blanks = String(repeating: " ", count: max(0, limit - TextWidth.of(text)))
        let isNumeric = column?.isNumeric ?? false
        let padded = isNumeric ? blanks + text : isLast ? text : text + blanks
        let style: TextStyle = isHeader ? .heading : isNumeric ? .number : .plain
        return TextSpan(
            text: padded, style: style, isMatch: isMatch, range: cell.range, columns: TextWidth.of(padded))
    }

    func range(at position: Int) -> ByteRange { index.range(of: position, in: bytes) ?? 0..<0 }
    func number(ofByte offset: Int) -> Int { min(lastNumber, index.row(at: offset, in: bytes)) }
    func path(at position: Int) -> String? { position == 0 ? "header" : "row \(position) of \(lastNumber)" }
}
