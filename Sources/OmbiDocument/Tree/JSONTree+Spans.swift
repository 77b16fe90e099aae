extension JSONTree {
    /// Returns the spans of a row, in at most `columns` columns: those of the tree, unless only a part of the row is
    /// wanted. A row that does not fit ends in `…`.
    /// - Parameter matches: Byte ranges of the body to mark, in order.
    public func spans(of row: JSONRow, columns: Int, matches: [ByteRange] = []) -> [TextSpan] {
        var builder = JSONRowBuilder(tree: self, row: row, columns: columns, matches: matches)
        let spans = builder.build()
        guard builder.isCut, columns > 0 else { return spans }
        builder = JSONRowBuilder(tree: self, row: row, columns: columns - 1, matches: matches)
        let rest = builder.build()
        let end = rest.last?.range.upperBound ?? byte(of: row)
        return rest + [TextSpan(text: "\u{2026}", style: .comment, range: end..<end, columns: 1)]
    }

    /// Returns the number of columns left for the scalar of a row, after its indentation and key.
    func scalarColumns(of row: JSONRow) -> Int {
        var builder = JSONRowBuilder(
            tree: self, row: JSONRow(value: row.index, depth: row.depth, match: row.match), columns: columns,
            matches: [])
        builder.head()
        return columns - builder.column
    }
}
