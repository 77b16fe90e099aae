/// A part of the screen whose content moves up or down: a terminal does it in a few bytes.
struct Scroll: Equatable {
    var columns: Range<Int>
    var rows: Range<Int>
    /// Rows by which the content moves up; negative for down.
    var distance: Int

    /// Fewer rows are written in about as many bytes as the move takes.
    static let fewestRows = 5
    /// Cells that can be written in the bytes that the move takes.
    private static let cost = 32
}

extension Scroll {
    /// Finds the move that leaves the fewest cells to be written; nil where none saves anything.
    /// - Parameters:
    ///   - old: a surface of the same size.
    ///   - area: a part of it. Only whole rows of the part are moved.
    ///   - changed: the rows that differ.
    init?(from old: Surface, to new: Surface, in area: Rect, changed: [Int]) {
        let area = area.intersection(new.bounds)
        let changed = changed.filter { $0 >= area.row && $0 < area.endRow }
        guard changed.count >= Self.fewestRows, Self.isLikely(from: old, to: new, area, changed),
            let moved = Self.largestMove(from: old, to: new, area, changed), moved.rows.count >= Self.fewestRows,
            let first = moved.rows.first, let last = moved.rows.last
        else { return nil }
        columns = area.column..<area.endColumn
        distance = moved.distance
        rows = min(first, first + distance)..<max(last, last + distance) + 1
        let scrolled = old.scrolled(self)
        func changes(since other: Surface) -> Int {
            rows.reduce(0) { $0 + new.changedCells(in: $1, columns, since: other) }
        }
        guard !rows.contains(where: { old.cutsWide($0, columns) }),
            changes(since: scrolled) + Self.cost < changes(since: old)
        else { return nil }
    }

    /// Looks at two rows only: nearly all frames move none.
    private static func isLikely(from old: Surface, to new: Surface, _ area: Rect, _ changed: [Int]) -> Bool {
        [changed[changed.count / 3], changed[changed.count * 2 / 3]].contains { row in
            let cells = new.cells(row, area)
            return (area.row..<area.endRow).contains { cells.elementsEqual(old.cells($0, area)) }
        }
    }

    /// The distance by which most of the changed rows have moved, and these rows.
    private static func largestMove(
        from old: Surface, to new: Surface, _ area: Rect, _ changed: [Int]
    ) -> (distance: Int, rows: [Int])? {
        let before = (area.row..<area.endRow).map { hash(old.cells($0, area)) }
        let after = changed.map { hash(new.cells($0, area)) }
        return (1 - before.count..<before.count).lazy.map { distance in
            let moved = changed.indices.filter {
                let source = changed[$0] - area.row + distance
                return before.indices.contains(source) && before[source] == after[$0]
            }
            return (distance, moved.map { changed[$0] })
        }.max { $0.rows.count < $1.rows.count }
    }

    /// A number that rows with different cells rarely share. Those that do are found to differ when they are written.
    private static func hash(_ cells: ArraySlice<Cell>) -> Int {
        cells.reduce(0) { ($0 ^ $1.hash) &* 0x2545_F491_4F6C_DD1D ^ ($0 >> 29) }
    }
}

extension Surface {
    fileprivate func cells(_ row: Int, _ area: Rect) -> ArraySlice<Cell> {
        cells[row * size.columns + area.column..<row * size.columns + area.endColumn]
    }

    fileprivate func changedCells(in row: Int, _ columns: Range<Int>, since other: Surface) -> Int {
        columns.count { !isSameCell(row * size.columns + $0, in: other) }
    }

    /// True when a wide character stands across the side of a part.
    fileprivate func cutsWide(_ row: Int, _ columns: Range<Int>) -> Bool {
        [columns.lowerBound, columns.upperBound].contains { self[$0, row].isContinuation }
    }
}
