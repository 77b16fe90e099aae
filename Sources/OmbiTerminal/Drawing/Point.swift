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
