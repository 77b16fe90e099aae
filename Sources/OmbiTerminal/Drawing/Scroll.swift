/// Rows of the screen that show what rows of the same part showed before: a terminal moves them in a few bytes.
struct Scroll: Equatable {
    /// The part of the screen, in its full width.
    var rows: Range<Int>
    /// Rows by which the content moves up; negative for down.
    var distance: Int

    /// Fewer rows are written in about as many bytes as the move takes.
    private static let fewestRows = 8
    /// Cells that can be written in the bytes that the move takes.
    private static let cost = 16
}

extension Scroll {
    /// Finds the move that leaves the fewest cells to be written; nil where none saves anything.
    /// - Parameters:
    ///   - old: a surface of the same size.
    ///   - changed: the rows that differ.
    init?(from old: Surface, to new: Surface, changed: [Int]) {
        guard changed.count >= Self.fewestRows, Self.isLikely(from: old, to: new, changed),
            let moved = Self.mostMoved(from: old, to: new, changed), moved.rows.count >= Self.fewestRows,
            let first = moved.rows.first, let last = moved.rows.last
        else { return nil }
        distance = moved.distance
        rows = min(first, first + distance)..<max(last, last + distance) + 1
        let scrolled = old.scrolled(self)
        func changes(since other: Surface) -> Int { rows.reduce(0) { $0 + new.changedCells(in: $1, since: other) } }
        guard changes(since: scrolled) + Self.cost < changes(since: old) else { return nil }
    }

    /// Looks at two rows only: nearly all frames move none.
    private static func isLikely(from old: Surface, to new: Surface, _ changed: [Int]) -> Bool {
        [changed[changed.count / 3], changed[changed.count * 2 / 3]].contains { row in
            (0..<new.size.rows).contains { new.hasSameCells(inRow: row, as: old, inRow: $0) }
        }
    }

    /// The distance by which most of the changed rows have moved, and these rows.
    private static func mostMoved(
        from old: Surface, to new: Surface, _ changed: [Int]
    ) -> (distance: Int, rows: [Int])? {
        let before = (0..<old.size.rows).map { old.hash(ofRow: $0) }
        let after = changed.map { new.hash(ofRow: $0) }
        return (1 - before.count..<before.count).lazy.map { distance in
            let moved = changed.indices.filter {
                before.indices.contains(changed[$0] + distance) && before[changed[$0] + distance] == after[$0]
            }
            return (distance, moved.map { changed[$0] })
        }.max { $0.rows.count < $1.rows.count }
    }
}

extension Surface {
    /// A number that rows with different cells rarely share. Those that do are found to differ when they are written.
    fileprivate func hash(ofRow row: Int) -> Int {
        cells.withUnsafeBytes { bytes in
            let words = bytes.bindMemory(to: Int.self)[row * size.columns..<(row + 1) * size.columns]
            return words.reduce(0) { ($0 ^ $1) &* 0x2545_F491_4F6C_DD1D ^ ($0 >> 29) }
        }
    }

    fileprivate func changedCells(in row: Int, since other: Surface) -> Int {
        (row * size.columns..<(row + 1) * size.columns).count { !isSameCell($0, in: other) }
    }
}
