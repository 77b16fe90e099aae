/// Bytes in hexadecimal, sixteen per row.
struct HexRows: NumberedRows {
    let bytes: Bytes

    var isEmpty: Bool { bytes.isEmpty }
    var lastNumber: Int { max(0, HexLayout.rowCount(of: bytes.count) - 1) }

    func spans(at position: ViewerPosition, skipping: Int, columns: Int, finder: Finder?) -> [TextSpan] {
        let range = range(at: position)
        return HexLayout.spans(row: position.number, in: bytes, matches: finder?.marks(in: bytes, range) ?? [])
            .dropping(columns: skipping)
    }

    func range(at position: ViewerPosition) -> ByteRange {
        bytes.clamp(position.number * HexLayout.rowSize..<(position.number + 1) * HexLayout.rowSize)
    }
    func position(ofByte offset: Int) -> ViewerPosition {
        ViewerPosition(min(lastNumber, max(0, offset) / HexLayout.rowSize))
    }
    func path(at position: ViewerPosition) -> String? {
        bytes.isEmpty ? nil : "byte \(range(at: position).lowerBound) of \(bytes.count)"
    }

    /// The digits, because bytes are not text.
    func text(at position: ViewerPosition) -> String {
        bytes.array(range(at: position)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
    }

    func writer(from first: ViewerPosition, through last: ViewerPosition) -> BodyWriter {
        let start = range(at: first).lowerBound
        return BodyWriter(digitsOf: bytes[start..<max(start, range(at: last).upperBound)])
    }
}

extension [TextSpan] {
    /// The spans without their first columns. A wide character that is cut leaves a space.
    func dropping(columns: Int) -> [TextSpan] {
        guard columns > 0 else { return self }
        var left = columns
        return compactMap { span in
            guard left > 0 else { return span }
            if span.columns <= left {
                left -= span.columns
                return nil
            }
            var text = span.text[...]
            var cut = 0
            while cut < left, let first = text.first {
                cut += TextWidth.of(String(first))
                text = text.dropFirst()
            }
            let blanks = String(repeating: " ", count: cut > left ? cut - left : 0)
            defer { left = 0 }
            return TextSpan(
                text: blanks + text, style: span.style, isMatch: span.isMatch, range: span.range,
                columns: span.columns - left)
        }
    }
}

/// A picture in half blocks: a cell is two pixels, one above the other, and so about square. All of it is on the page.
struct ImageRows: NumberedRows {
    let bytes: Bytes
    let picture: Picture
    /// The size of the picture on the screen, in pixels.
    private var size = PixelSize(width: 0, height: 0)
    private var cells: [Cell] = []

    init(bytes: Bytes, picture: Picture) {
        self.bytes = bytes
        self.picture = picture
    }

    mutating func fit(columns: Int, rows: Int) {
        let room = PixelSize(width: columns, height: 2 * rows)
        let fitted = picture.bitmap.size.fitted(into: room)
        guard fitted != size else { return }
        size = fitted
        let bitmap = picture.bitmap.scaled(to: fitted)
        cells = (0..<rowCount).flatMap { row in
            (0..<fitted.width).map { column in Self.cell(bitmap, column, row) }
        }
    }

    private static func cell(_ bitmap: Bitmap, _ column: Int, _ row: Int) -> Cell {
        let upper = bitmap[column, 2 * row]
        let lower = 2 * row + 1 < bitmap.size.height ? bitmap[column, 2 * row + 1] : nil
        let luminance = lower.map { (upper.luminance + $0.luminance) / 2 } ?? upper.luminance
        return Cell(PixelPair(upper: upper, lower: lower), shade: Shade.scalar(for: luminance))
    }

    private var rowCount: Int { (size.height + 1) / 2 }

    private func cells(of row: Int) -> ArraySlice<Cell> {
        (0..<rowCount).contains(row) ? cells[row * size.width..<(row + 1) * size.width] : []
    }

    func draw(on surface: inout Surface, in rect: Rect) {
        for row in 0..<min(rowCount, rect.rows) {
            for (column, cell) in cells(of: row).prefix(rect.columns).enumerated() {
                surface.put(cell, column: rect.column + column, row: rect.row + row)
            }
        }
    }

    var isEmpty: Bool { false }
    var lastNumber: Int { max(0, rowCount - 1) }

    /// The picture as characters.
    func spans(at position: ViewerPosition, skipping: Int, columns: Int, finder: Finder?) -> [TextSpan] {
        let text = String(String.UnicodeScalarView(cells(of: position.number).map(\.scalar)))
        return [TextSpan(text: text, style: .plain, range: range(at: position), columns: size.width)]
            .dropping(columns: skipping)
    }

    func range(at position: ViewerPosition) -> ByteRange { 0..<bytes.count }
    func position(ofByte offset: Int) -> ViewerPosition { .start }
    func path(at position: ViewerPosition) -> String? { nil }
}
