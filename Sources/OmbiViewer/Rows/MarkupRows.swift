import OmbiDocument

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

    func spans(at position: Int, skipping: Int, columns: Int, finder: Finder?) -> [TextSpan] {
        let row = folded.row(at: position)
        return index.spans(
            row: row, in: bytes, isFolded: folded.isFolded(row), skipping: skipping, columns: columns + 1,
            matches: finder?.marks(in: bytes, range(at: position)) ?? [])
    }

    func label(at position: Int) -> String? { String(folded.row(at: position) + 1) }

    func range(at position: Int) -> ByteRange {
        let row = folded.row(at: position)
        return index.rows.indices.contains(row) ? index.rows[row].range : 0..<0
    }

    func number(ofByte offset: Int) -> Int { folded.position(of: index.row(at: offset)) }

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

    func path(at position: Int) -> String? {
        var names: [String] = []
        var row: Int? = folded.row(at: position)
        while let current = row, names.count < 64 {
            if let name = name(of: current) { names.append(name) }
            row = index.parent(of: current)
        }
        return "/" + names.reversed().joined(separator: "/")
    }

    func number(labelled number: Int) -> Int { folded.position(of: max(0, min(number, index.rows.count) - 1)) }

    func value(at position: Int) -> ByteRange {
        let row = folded.row(at: position)
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
