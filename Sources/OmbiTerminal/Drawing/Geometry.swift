/// A cell of the screen, counted from the top left corner, which is (0, 0).
package struct Point: Equatable, Sendable {
    package var column: Int
    package var row: Int

    package init(column: Int, row: Int) {
        self.column = column
        self.row = row
    }

    /// The same point counted from the corner of a rectangle.
    package func relative(to rect: Rect) -> Point { Point(column: column - rect.column, row: row - rect.row) }
}

/// The columns and rows of a screen or a surface.
package struct Size: Equatable, Sendable {
    package var columns: Int
    package var rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}

/// A rectangle of cells. Panes draw into one, and cut it up with `top`, `dropTop` and so on.
/// Sides are never negative: a cut that is larger than the rectangle leaves an empty one.
package struct Rect: Equatable, Sendable {
    package var column: Int
    package var row: Int
    package var columns: Int
    package var rows: Int

    /// Far beyond any screen, and far from overflow when two of them are added.
    private static let farthest = 1 << 30

    package init(column: Int, row: Int, columns: Int, rows: Int) {
        self.column = min(max(column, -Self.farthest), Self.farthest)
        self.row = min(max(row, -Self.farthest), Self.farthest)
        self.columns = min(max(columns, 0), Self.farthest)
        self.rows = min(max(rows, 0), Self.farthest)
    }

    package init(_ size: Size) {
        self.init(column: 0, row: 0, columns: size.columns, rows: size.rows)
    }

    package var isEmpty: Bool { columns <= 0 || rows <= 0 }
    package var size: Size { Size(columns: columns, rows: rows) }
    package var origin: Point { Point(column: column, row: row) }
    /// The first column to the right of the rectangle.
    package var endColumn: Int { column + columns }
    /// The first row below the rectangle.
    package var endRow: Int { row + rows }

    package func contains(_ point: Point) -> Bool {
        point.column >= column && point.column < endColumn && point.row >= row && point.row < endRow
    }

    /// The rectangle without `n` cells on each side: the inside of a box.
    package func inset(by n: Int = 1) -> Rect {
        dropTop(n).dropBottom(n).dropLeft(n).dropRight(n)
    }

    func intersection(_ other: Rect) -> Rect {
        let left = max(column, other.column)
        let top = max(row, other.row)
        return Rect(
            column: left, row: top,
            columns: min(endColumn, other.endColumn) - left, rows: min(endRow, other.endRow) - top)
    }

    /// A rectangle of that size in the middle of this one, cut to fit.
    package func centered(columns wantedColumns: Int, rows wantedRows: Int) -> Rect {
        let width = min(max(0, wantedColumns), columns)
        let height = min(max(0, wantedRows), rows)
        return Rect(
            column: column + (columns - width) / 2, row: row + (rows - height) / 2, columns: width, rows: height)
    }

    /// The nth row (counted from 0) as a rectangle; empty if there is none.
    package func line(_ n: Int) -> Rect {
        n < 0 ? Rect(column: column, row: row, columns: columns, rows: 0) : dropTop(n).top(1)
    }

    package func top(_ n: Int) -> Rect {
        Rect(column: column, row: row, columns: columns, rows: Self.clamp(n, rows))
    }

    package func bottom(_ n: Int) -> Rect {
        let height = Self.clamp(n, rows)
        return Rect(column: column, row: endRow - height, columns: columns, rows: height)
    }

    package func left(_ n: Int) -> Rect {
        Rect(column: column, row: row, columns: Self.clamp(n, columns), rows: rows)
    }

    package func right(_ n: Int) -> Rect {
        let width = Self.clamp(n, columns)
        return Rect(column: endColumn - width, row: row, columns: width, rows: rows)
    }

    package func dropTop(_ n: Int) -> Rect { bottom(rows - Self.clamp(n, rows)) }
    package func dropBottom(_ n: Int) -> Rect { top(rows - Self.clamp(n, rows)) }
    package func dropLeft(_ n: Int) -> Rect { right(columns - Self.clamp(n, columns)) }
    package func dropRight(_ n: Int) -> Rect { left(columns - Self.clamp(n, columns)) }

    /// Cuts `n` rows off the top and returns them; the rectangle keeps the rest.
    package mutating func takeTop(_ n: Int) -> Rect {
        let taken = top(n)
        self = dropTop(n)
        return taken
    }

    /// Cuts `n` rows off the bottom and returns them; the rectangle keeps the rest.
    package mutating func takeBottom(_ n: Int) -> Rect {
        let taken = bottom(n)
        self = dropBottom(n)
        return taken
    }

    private static func clamp(_ n: Int, _ limit: Int) -> Int { min(max(n, 0), max(limit, 0)) }
}
