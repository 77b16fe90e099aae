/// XML or HTML as rows: one for each tag, each line of text and each short element. Rows are numbered; `RowFolds` keeps
/// which are visible when elements are folded.
public struct MarkupIndex: Sendable {
    private var builder: MarkupBuilder

    /// Creates an empty index.
    /// - Parameter start: The offset of the text, after a byte order mark.
    public init(isHTML: Bool, start: Int = 0, limits: IndexLimits = IndexLimits()) {
        builder = MarkupBuilder(isHTML: isHTML, start: start, limits: limits)
    }

    /// Creates the index of a complete text.
    public init(_ bytes: Bytes, isHTML: Bool, start: Int = 0, limits: IndexLimits = IndexLimits()) {
        self.init(isHTML: isHTML, start: start, limits: limits)
        extend(over: bytes, isComplete: true)
    }

    /// Reads what has arrived since the last call. Existing rows do not change, except for the ends of their elements;
    /// an incomplete row is left for later.
    /// - Parameters:
    ///   - bytes: All bytes received so far, always at the same address.
    ///   - isCancelled: Polled once per MiB.
    public mutating func extend(over bytes: Bytes, isComplete: Bool, isCancelled: () -> Bool = { false }) {
        builder.extend(over: bytes, isComplete: isComplete, isCancelled: isCancelled)
    }

    public var rows: MarkupNodes { builder.nodes }
    public var isHTML: Bool { builder.isHTML }
    /// The first error, in XML only. The whole text is shown nevertheless.
    public var problem: MarkupProblem? { builder.problem }

    /// The limit at which the index stopped; the text after it is in no row.
    public var limit: IndexLimit? { builder.limit }

    /// Returns the last row of the element that begins in a row; of an unfinished one, the last row received.
    private func end(of row: Int) -> Int { min(Int(rows[row].end), rows.count - 1) }

    /// Returns the rows that folding the element of a row hides; empty when there is nothing to fold.
    public func foldable(_ row: Int) -> Range<Int> {
        guard rows.indices.contains(row), rows[row].kind == .open else { return row..<row }
        return row + 1..<max(row + 1, end(of: row) + 1)
    }

    /// Returns the start tag of the element that contains a row, or that it ends; nil outside of all elements.
    public func parent(of row: Int) -> Int? {
        guard rows.indices.contains(row), rows[row].parentRow != MarkupNode.noParent else { return nil }
        return Int(rows[row].parentRow)
    }

    /// Returns the row at an offset, or the one before it.
    public func row(at offset: Int) -> Int {
        max(0, rows.partitioningIndex { Int($0.offset) > offset } - 1)
    }

    /// Returns a row as spans: indented, white space in tags collapsed, `…` and the end tag after a folded element.
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
