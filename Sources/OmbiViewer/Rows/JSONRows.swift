/// JSON, laid out one value per line, with folding containers.
struct JSONRows: ViewerRows {
    private var tree: JSONTree
    private var bytes: Bytes

    init(_ tree: JSONTree, bytes: Bytes, columns: Int) {
        self.tree = tree
        self.bytes = bytes
        self.tree.columns = columns
    }

    /// Returns the rows of the body after it has grown.
    func grown(to tree: JSONTree, bytes: Bytes, columns: Int) -> JSONRows {
        var copy = self
        copy.tree.update(tree)
        copy.bytes = bytes
        if copy.tree.columns != columns { copy.tree.columns = columns }
        return copy
    }

    private var document: JSONDocument { tree.document }
    private func row(_ position: ViewerPosition) -> JSONRow? { position.row ?? tree.first }

    var folds: Bool { true }
    var isEmpty: Bool { tree.first == nil }
    var last: ViewerPosition { tree.last.map(ViewerPosition.init) ?? .start }
    var labelColumns: Int { String(tree.rowCount ?? max(1000, document.entryCount)).count }

    func aligned(_ position: ViewerPosition) -> ViewerPosition {
        row(position).flatMap(tree.visible).map(ViewerPosition.init) ?? tree.first.map(ViewerPosition.init) ?? .start
    }

    func position(_ position: ViewerPosition, movedBy rows: Int) -> ViewerPosition {
        row(position).map { ViewerPosition(tree.row($0, movedBy: rows)) } ?? .start
    }

    func spans(at position: ViewerPosition, skipping: Int, columns: Int, finder: Finder?) -> [TextSpan] {
        guard let row = row(position) else { return [] }
        let marks = finder?.marks(in: bytes, range(at: position)) ?? []
        return tree.spans(of: row, columns: skipping + columns, matches: marks).dropping(columns: skipping)
    }

    func label(at position: ViewerPosition) -> String? {
        guard var row = row(position), row.part != .piece else { return nil }
        // While the body arrives, the index waits for the end of a value that may fit in a line: rows are counted from
        // there.
        for distance in 0..<Self.maximumUncounted {
            if let line = tree.lineNumber(of: row) { return String(line + distance + 1) }
            repeat {
                guard let above = tree.row(before: row) else { return nil }
                row = above
            } while row.part == .piece
        }
        return nil
    }

    private static let maximumUncounted = 64

    func range(at position: ViewerPosition) -> ByteRange {
        guard let row = row(position) else { return 0..<0 }
        let start = tree.byte(of: row)
        let next = tree.row(after: row).map(tree.byte) ?? document.byteCount
        // The next match follows the last row of a match, and may be anywhere in the body.
        let end = tree.isFiltered ? tree.matchRange(endingAfter: start)?.upperBound ?? start : next
        return start..<max(start, next < start ? end : min(next, end))
    }

    /// Returns false for a byte that a filter left out.
    func shows(byte offset: Int) -> Bool { !tree.isFiltered || tree.row(atByte: offset) != nil }

    func position(ofByte offset: Int) -> ViewerPosition {
        (tree.row(atByte: offset) ?? tree.first).map(ViewerPosition.init) ?? .start
    }

    func position(ofNumber number: Int) -> ViewerPosition {
        tree.row(atLine: number - 1).map(ViewerPosition.init) ?? last
    }

    func path(at position: ViewerPosition) -> String? { row(position).flatMap(tree.shortPath) }

    /// The path from the root of the value, which a filter takes.
    func fullPath(at position: ViewerPosition) -> String? { row(position)?.node.map { document.shortPath(of: $0) } }

    func node(at position: ViewerPosition) -> JSONNode? { row(position)?.node }

    func value(at position: ViewerPosition) -> ByteRange {
        row(position)?.node.map(document.range) ?? range(at: position)
    }

    func text(at position: ViewerPosition) -> String {
        guard let node = row(position)?.node else { return bytes.text(range(at: position)) }
        return document.text(of: node)?.string ?? document.source(of: node)
    }

    /// The rows as they are laid out, with whole strings and with folded content written out.
    func writer(from first: ViewerPosition, through last: ViewerPosition) -> BodyWriter {
        guard let first = row(first), let last = row(last) else { return BodyWriter(.empty) }
        return BodyWriter(tree.writer(from: first, through: last))
    }

    func count(from first: ViewerPosition, through last: ViewerPosition) -> Int? {
        guard let last = row(last), var current = row(first) else { return 0 }
        for count in 1...Self.maximumCounted {
            guard current < last, let next = tree.row(after: current) else { return count }
            current = next
        }
        return nil
    }

    private static let maximumCounted = 1000

    // MARK: Folding

    func isFolded(at position: ViewerPosition) -> Bool? {
        guard let row = row(position) else { return nil }
        if tree.isFoldable(row) { return tree.isFolded(row) }
        return tree.isOpenable(row) ? row.node.map { !tree.isOpened($0) } : nil
    }

    mutating func toggleFold(at position: ViewerPosition) {
        guard let row = row(position) else { return }
        if tree.isFoldable(row) {
            tree.toggle(row)
        } else if let node = row.node, tree.isOpenable(row) {
            if tree.isOpened(node) { tree.close(node) } else { tree.open(node) }
        }
    }

    mutating func fold(toLevel level: Int?) {
        if let level { tree.fold(level: level) } else { tree.unfoldAll() }
    }

    mutating func reveal(byte offset: Int) {
        if let node = document.node(atByte: offset) { tree.reveal(node) }
    }

    func parent(of position: ViewerPosition) -> ViewerPosition? {
        row(position).flatMap(tree.parent).map(ViewerPosition.init)
    }

    func sibling(of position: ViewerPosition, forward: Bool) -> ViewerPosition? {
        row(position).flatMap { tree.sibling(of: $0, forward: forward) }.map(ViewerPosition.init)
    }
}
