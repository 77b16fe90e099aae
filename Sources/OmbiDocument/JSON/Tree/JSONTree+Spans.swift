extension JSONTree {
    /// What a row shows, in no more than `columns` columns.
    /// - Parameter matches: Bytes of the body that are marked, in order.
    public func spans(of row: JSONRow, columns: Int, matches: [ByteRange] = []) -> [TextSpan] {
        var builder = JSONRowBuilder(tree: self, row: row, columns: columns, matches: matches)
        return builder.build()
    }

    /// Columns that are left for the scalar of a row, without what is before it.
    func scalarColumns(of row: JSONRow) -> Int {
        var builder = JSONRowBuilder(
            tree: self, row: JSONRow(value: row.index, depth: row.depth, match: row.match), columns: columns,
            matches: [])
        builder.head()
        return columns - builder.column
    }
}
