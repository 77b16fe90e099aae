import OmbiDocument

/// Scrolling to the left and to the right.
extension ViewerPage {
    /// Scrolls, but never past the end of the longest visible row.
    mutating func scrollSideways(forward: Bool, page: Int) {
        let next = rows.stop(from: left, forward: forward)
        left = forward ? left + min(next - left, hidden(atMost: next - left, page: page)) : max(0, next)
    }

    mutating func goToFirstColumn() { left = 0 }

    /// Scrolls back when all rows are out of sight.
    mutating func scrollBack(page: Int) {
        guard left > 0 else { return }
        let isSeen = shown(page: page).contains {
            !rows.spans(at: $0, skipping: left, columns: columns, finder: nil).isEmpty
        }
        if !isSeen { left = 0 }
    }

    /// Scrolls to a match in the row of the cursor.
    mutating func show(match range: ByteRange, _ finder: Finder?) {
        guard let finder, column(of: range, finder, skipping: left, in: columns) == nil else { return }
        left = 0
        guard column(of: range, finder, skipping: 0, in: columns) == nil else { return }
        left = column(of: range, finder, skipping: 0, in: Self.farthestMatch).map { max(0, $0 - columns / 2) } ?? 0
    }

    /// Matches in columns further to the right are not scrolled to.
    private static let farthestMatch = 20_000

    /// Returns the column of a match in the row of the cursor, or in the header; nil when it is not in that range of
    /// columns.
    private func column(of match: ByteRange, _ finder: Finder, skipping: Int, in columns: Int) -> Int? {
        let row = rows.spans(at: cursor, skipping: skipping, columns: columns, finder: finder)
        for spans in [row, rows.header(skipping: skipping, columns: columns, finder: finder)] {
            guard let index = spans.firstIndex(where: { $0.isMatch && $0.range.overlaps(match) }) else { continue }
            let column = spans[..<index].reduce(0) { $0 + $1.columns }
            // The last column is taken by the sign of a row that goes on.
            let room = spans.columns > columns ? columns - 1 : columns
            return column + min(spans[index].columns, columns / 2) <= room ? column : nil
        }
        return nil
    }

    /// The number of columns out of sight on the right, counted as far as `limit`.
    private func hidden(atMost limit: Int, page: Int) -> Int {
        let wanted = columns + limit
        var longest = rows.header(skipping: left, columns: wanted, finder: nil).columns
        for position in shown(page: page) where longest < wanted {
            longest = max(longest, rows.spans(at: position, skipping: left, columns: wanted, finder: nil).columns)
        }
        return max(0, longest - columns)
    }

    private func shown(page: Int) -> [ViewerPosition] {
        var shown = [rows.aligned(top)]
        while shown.count < page, let last = shown.last, last < rows.last {
            shown.append(rows.position(last, movedBy: 1))
        }
        return shown
    }
}

extension [TextSpan] {
    var columns: Int { reduce(0) { $0 + $1.columns } }
}
