import OmbiDocument

/// Text as received, line by line.
struct TextRows: NumberedRows {
    let layout: TextLayout
    let highlighter: LineHighlighter?

    /// - Parameter columns: the width at which long lines wrap; nil leaves them whole.
    init(_ document: BodyDocument, columns: Int?) {
        layout = TextLayout(bytes: document.text, lines: document.lines, columns: columns)
        switch document.shape {
        case .text(let highlighter): self.highlighter = highlighter
        case .json: highlighter = .json
        default: highlighter = nil
        }
    }

    var bytes: Bytes { layout.bytes }

    var isEmpty: Bool { bytes.isEmpty }

    var lastNumber: Int { layout.row(at: bytes.count).range.lowerBound }

    func aligned(_ position: Int) -> Int { layout.row(at: position).range.lowerBound }

    func number(_ position: Int, movedBy rows: Int) -> Int {
        layout.row(layout.row(at: position), movedBy: rows).range.lowerBound
    }

    func spans(at position: Int, skipping: Int, columns: Int, finder: Finder?) -> [TextSpan] {
        let row = layout.row(at: position)
        // One column more shows that the row goes on.
        let columns = layout.columns == nil ? columns + 1 : columns
        let visible =
            row.range.lowerBound..<min(row.range.upperBound, row.range.lowerBound + skipping * 4 + columns * 8)
        return SpanBuilder.spans(
            of: row.range, in: bytes, skipping: skipping, columns: columns,
            styles: highlighter?.styles(of: row.line, visible: visible, in: bytes) ?? [],
            matches: finder?.marks(in: bytes, visible) ?? [])
    }

    func label(at position: Int) -> String? {
        let row = layout.row(at: position)
        guard row.startsLine, position <= layout.lines.indexed else { return nil }
        return String(layout.lines.line(at: row.line.lowerBound, in: bytes) + 1)
    }

    var labelColumns: Int { String(layout.lines.lineCount(in: bytes)).count }

    func range(at position: Int) -> ByteRange { layout.row(at: position).range }

    func number(ofByte offset: Int) -> Int { aligned(offset) }

    func path(at position: Int) -> String? {
        let line = layout.lines.line(at: position, in: bytes) + 1
        return "line \(line) of \(layout.lines.lineCount(in: bytes))"
    }

    func value(at position: Int) -> ByteRange { layout.row(at: position).line }

    /// Counts lines; a wrapped one has many rows.
    func count(from first: Int, through last: Int) -> Int {
        layout.lines.line(at: last, in: bytes) - layout.lines.line(at: first, in: bytes) + 1
    }

    /// Writes whole lines, so that wrapping does not matter.
    func writer(from first: Int, through last: Int) -> BodyWriter {
        let start = value(at: first).lowerBound
        return BodyWriter(bytes[start..<max(start, value(at: last).upperBound)], endsLine: true)
    }

    func selects(_ position: Int, from first: Int, through last: Int) -> Bool {
        value(at: first).lowerBound <= position && position <= value(at: last).upperBound
    }

    static var noun: String { "line" }

    func number(labelled number: Int) -> Int { layout.lines.start(of: number - 1, in: bytes) ?? lastNumber }
}

extension Finder {
    /// A row may show the middle of a match that begins before it.
    private static let lead = 256
    /// The rest of a longer row is not searched for marks.
    private static let most = 1 << 13
    private static let maximumMatches = 2000

    /// The visible matches in a range.
    func marks(in bytes: Bytes, _ range: ByteRange) -> [ByteRange] {
        let start = max(0, range.lowerBound - Self.lead)
        let end = min(range.upperBound, range.lowerBound + Self.most)
        guard start < end else { return [] }
        return matches(in: bytes, start..<end, limit: Self.maximumMatches)
    }
}
