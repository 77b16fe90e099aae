/// XML or HTML as rows: one for each tag, each line of text, each short element. A row is a number; which of them show
/// when elements are folded is a matter of `RowFolds`.
public struct MarkupIndex: Sendable {
    private var builder: MarkupBuilder

    /// An index of nothing yet.
    /// - Parameter start: where the text begins: behind a byte order mark.
    public init(isHTML: Bool, start: Int = 0, limits: IndexLimits = IndexLimits()) {
        builder = MarkupBuilder(isHTML: isHTML, start: start, limits: limits)
    }

    /// The index of a text that has arrived whole.
    public init(_ bytes: Bytes, isHTML: Bool, start: Int = 0, limits: IndexLimits = IndexLimits()) {
        self.init(isHTML: isHTML, start: start, limits: limits)
        extend(over: bytes, isComplete: true)
    }

    /// Reads what has arrived since the last time. Rows that are there do not change, but for where their elements end;
    /// a row that has not come whole is left for later.
    /// - Parameters:
    ///   - bytes: all that has come so far, always from the same address.
    ///   - isCancelled: asked for each MiB.
    public mutating func extend(over bytes: Bytes, isComplete: Bool, isCancelled: () -> Bool = { false }) {
        builder.extend(over: bytes, isComplete: isComplete, isCancelled: isCancelled)
    }

    public var rows: MarkupNodes { builder.nodes }
    public var isHTML: Bool { builder.isHTML }
    /// The first mistake, in XML only. All of the text is shown nevertheless.
    public var problem: MarkupProblem? { builder.problem }

    /// The limit at which the index stopped; what comes behind is in no row.
    public var limit: IndexLimit? { builder.limit }

    /// The last row of the element that begins in a row; of one that goes on, the last that has come.
    private func end(of row: Int) -> Int { min(Int(rows[row].end), rows.count - 1) }

    /// The rows that disappear when the element of a row is folded. Empty when there is nothing to fold.
    public func foldable(_ row: Int) -> Range<Int> {
        guard rows.indices.contains(row), rows[row].kind == .open else { return row..<row }
        return row + 1..<max(row + 1, end(of: row) + 1)
    }

    /// The start tag of the element that a row is in, or that it ends. Nil for a row that is in none.
    public func parent(of row: Int) -> Int? {
        guard rows.indices.contains(row), rows[row].parentRow != MarkupNode.noParent else { return nil }
        return Int(rows[row].parentRow)
    }

    /// The row that an offset lies in, or the one before it.
    public func row(at offset: Int) -> Int {
        max(0, rows.partitioningIndex { Int($0.offset) > offset } - 1)
    }

    /// A row in spans: indented, blanks in tags made one, `…` and the end tag behind a folded element.
    public func spans(
        row: Int, in bytes: Bytes, isFolded: Bool = false, skipping: Int = 0, columns: Int, matches: [ByteRange] = []
    ) -> [TextSpan] {
        guard rows.indices.contains(row) else { return [] }
        let node = rows[row]
        var line = MarkupLine(bytes: bytes, matches: matches, skipping: skipping, columns: columns)
        line.indent(depth: node.depth)
        line.add(node)
        if isFolded, node.kind == .open {
            line.addPlain("…", .punctuation, at: node.range.upperBound)
            let last = rows[end(of: row)]
            if last.kind == .close, last.depth == node.depth { line.add(last) }
        }
        return line.spans
    }
}
