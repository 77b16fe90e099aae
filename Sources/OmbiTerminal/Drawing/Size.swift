/// The columns and rows of a screen or a surface.
package struct Size: Equatable, Sendable {
    package var columns: Int
    package var rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}
