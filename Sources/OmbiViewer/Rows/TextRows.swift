/// Text as received, line by line.
struct TextRows: NumberedRows {
    let layout: TextLayout
    let highlighter: LineHighlighter?

    /// - Parameter columns: The width at which long lines wrap; nil for no wrapping.
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

    func aligned(_ position: ViewerPosition) -> ViewerPosition {
        ViewerPosition(layout.row(at: position.number).range.lowerBound)
    }

    func position(_ position: ViewerPosition, movedBy rows: Int) -> ViewerPosition {
        ViewerPosition(layout.row(layout.row(at: position.number), movedBy: rows).range.lowerBound)
    }

    func spans(at position: ViewerPosition, skipping: Int, columns: Int, finder: Finder?) -> [TextSpan] {
        let row = layout.row(at: position.number)
        // One column more shows that the row goes on.
        let columns = layout.columns == nil ? columns + 1 : columns
        let visible =
            row.range.lowerBound..<min(row.range.upperBound, row.range.lowerBound + skipping * 4 + columns * 8)
        return SpanBuilder.spans(
            of: row.range, in: bytes, skipping: skipping, columns: columns,
            styles: highlighter?.styles(of: row.line, visible: visible, in: bytes) ?? [],
            matches: finder?.marks(in: bytes, visible) ?? [])
    }

    func label(at position: ViewerPosition) -> String? {
        let row = layout.row(at: position.number)
        guard row.startsLine, position.number <= layout.lines.indexed else { return nil }
        return String(layout.lines.line(at: row.line.lowerBound, in: bytes) + 1)
    }

    var labelColumns: Int { String(layout.lines.lineCount(in: bytes)).count }

    func range(at position: ViewerPosition) -> ByteRange { layout.row(at: position.number).range }

    func position(ofByte offset: Int) -> ViewerPosition { aligned(ViewerPosition(offset)) }

    func path(at position: ViewerPosition) -> String? {
        let line = layout.lines.line(at: position.number, in: bytes) + 1
        return "line \(line) of \(layout.lines.lineCount(in: bytes))"
    }

    func value(at position: ViewerPosition) -> ByteRange { layout.row(at: position.number).line }

    /// Counts lines; a wrapped one has many rows.
    func count(from first: ViewerPosition, through last: ViewerPosition) -> Int? {
        layout.lines.line(at: last.number, in: bytes) - layout.lines.line(at: first.number, in: bytes) + 1
    }

    /// Writes whole lines, so that wrapping does not matter.
    func writer(from first: ViewerPosition, through last: ViewerPosition) -> BodyWriter {
        let start = value(at: first).lowerBound
        return BodyWriter(bytes[start..<max(start, value(at: last).upperBound)], endsLine: true)
    }

    func selects(_ position: ViewerPosition, from first: ViewerPosition, through last: ViewerPosition) -> Bool {
        value(at: first).lowerBound <= position.number && position.number <= value(at: last).upperBound
    }

    static var noun: String { "line" }

    func position(ofNumber number: Int) -> ViewerPosition {
        ViewerPosition(layout.lines.start(of: number - 1, in: bytes) ?? lastNumber)
    }
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

/// XML or HTML, indented, with folding elements.
struct MarkupRows: NumberedRows {
    let bytes: Bytes
    private let index: MarkupIndex
    private var folded = RowFolds()

    init(bytes: Bytes, index: MarkupIndex) {
        self.bytes = bytes
        self.index = index
    }

    /// Returns the rows of the body after it has grown. An element that was folded before its end hides its new
    /// content, too.
    func grown(to index: MarkupIndex, bytes: Bytes) -> MarkupRows {
        var copy = MarkupRows(bytes: bytes, index: index)
        copy.folded.setFolds(folded.rows.map { (row: $0, hiding: index.foldable($0)) })
        return copy
    }

    var folds: Bool { true }
    var isEmpty: Bool { index.rows.isEmpty }
    var lastNumber: Int { max(0, folded.visibleCount(of: index.rows.count) - 1) }
    var labelColumns: Int { String(index.rows.count).count }

    func spans(at position: ViewerPosition, skipping: Int, columns: Int, finder: Finder?) -> [TextSpan] {
        let row = folded.row(at: position.number)
        return index.spans(
            row: row, in: bytes, isFolded: folded.isFolded(row), skipping: skipping, columns: columns + 1,
            matches: finder?.marks(in: bytes, range(at: position)) ?? [])
    }

    func label(at position: ViewerPosition) -> String? { String(folded.row(at: position.number) + 1) }

    func range(at position: ViewerPosition) -> ByteRange {
        let row = folded.row(at: position.number)
        return index.rows.indices.contains(row) ? index.rows[row].range : 0..<0
    }

    func position(ofByte offset: Int) -> ViewerPosition { ViewerPosition(folded.position(of: index.row(at: offset))) }

    func isFolded(at position: ViewerPosition) -> Bool? {
        let row = folded.row(at: position.number)
        return index.foldable(row).isEmpty ? nil : folded.isFolded(row)
    }

    mutating func toggleFold(at position: ViewerPosition) {
        let row = folded.row(at: position.number)
        folded.toggle(row, hiding: index.foldable(row))
    }

    mutating func fold(toLevel level: Int?) {
        guard let level else { return folded.unfoldAll() }
        let index = index
        let rows = index.rows.indices.lazy.filter { index.rows[$0].kind == .open && index.rows[$0].depth >= level }
        folded.setFolds(rows.map { ($0, hiding: index.foldable($0)) })
    }

    mutating func reveal(byte offset: Int) { folded.reveal(index.row(at: offset)) }

    func parent(of position: ViewerPosition) -> ViewerPosition? {
        index.parent(of: folded.row(at: position.number)).map { ViewerPosition(folded.position(of: $0)) }
    }

    func sibling(of position: ViewerPosition, forward: Bool) -> ViewerPosition? {
        let row = folded.row(at: position.number)
        guard index.rows.indices.contains(row) else { return nil }
        let depth = index.rows[row].depth
        var next = forward ? max(row + 1, index.foldable(row).upperBound) : row - 1
        // A deeper row, or an end tag, leads to its parent.
        while !forward, index.rows.indices.contains(next),
            index.rows[next].depth > depth || index.rows[next].kind == .close, let parent = index.parent(of: next)
        {
            next = parent
        }
        guard index.rows.indices.contains(next), index.rows[next].depth == depth, index.rows[next].kind != .close
        else { return nil }
        return ViewerPosition(folded.position(of: next))
    }

    func path(at position: ViewerPosition) -> String? {
        var names: [String] = []
        var row: Int? = folded.row(at: position.number)
        while let current = row, names.count < 64 {
            if let name = name(of: current) { names.append(name) }
            row = index.parent(of: current)
        }
        return "/" + names.reversed().joined(separator: "/")
    }

    func position(ofNumber number: Int) -> ViewerPosition {
        ViewerPosition(folded.position(of: max(0, min(number, index.rows.count) - 1)))
    }

    func value(at position: ViewerPosition) -> ByteRange {
        let row = folded.row(at: position.number)
        guard index.rows.indices.contains(row) else { return 0..<0 }
        let hidden = index.foldable(row)
        guard let last = hidden.last, index.rows.indices.contains(last) else { return index.rows[row].range }
        return index.rows[row].range.lowerBound..<index.rows[last].range.upperBound
    }

    private func name(of row: Int) -> String? {
        guard index.rows.indices.contains(row), [.open, .element].contains(index.rows[row].kind) else { return nil }
        let range = index.rows[row].range
        let text = bytes.text(range.lowerBound + 1..<min(range.upperBound, range.lowerBound + 200))
        return String(text.prefix { !$0.isWhitespace && $0 != ">" && $0 != "/" })
    }
}
