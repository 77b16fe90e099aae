/// XML or HTML as rows: one for each tag, each line of text, each short element. A row is a number; which of them show
/// when elements are folded is a matter of `RowFolds`.
public struct MarkupIndex: Sendable {
    public let rows: [MarkupNode]
    public let isHTML: Bool
    /// The first mistake, in XML only. All of the text is shown nevertheless.
    public let problem: MarkupProblem?

    /// Nil when it was cancelled.
    /// - Parameter start: where the text begins: behind a byte order mark.
    public init?(_ bytes: Bytes, isHTML: Bool, start: Int = 0, isCancelled: () -> Bool = { false }) {
        var builder = MarkupBuilder(bytes: bytes, isHTML: isHTML, start: start)
        repeat {
            if isCancelled() { return nil }
        } while builder.run(until: builder.offset + 1 << 20)
        builder.finish()
        rows = builder.nodes
        problem = builder.problem
        self.isHTML = isHTML
    }

    /// The rows that disappear when the element of a row is folded. Empty when there is nothing to fold.
    public func foldable(_ row: Int) -> Range<Int> {
        guard rows.indices.contains(row), rows[row].kind == .open else { return row..<row }
        return row + 1..<max(row + 1, Int(rows[row].end) + 1)
    }

    /// The start tag of the element that a row is in. Nil for a row that is in none.
    public func parent(of row: Int) -> Int? {
        guard rows.indices.contains(row) else { return nil }
        var depth = rows[row].depth
        if rows[row].kind == .close { depth += 1 }
        return rows[..<row].lastIndex { $0.kind == .open && $0.depth < depth && Int($0.end) >= row }
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
            let last = rows[Int(node.end)]
            if last.kind == .close { line.add(last) }
        }
        return line.spans
    }
}
