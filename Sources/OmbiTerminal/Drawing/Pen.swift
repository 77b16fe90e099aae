/// Writes pieces of text one after the other along a row of a surface, and stops at its end.
package struct Pen {
    package let rect: Rect
    package private(set) var column: Int

    package init(_ rect: Rect) {
        self.rect = rect
        column = rect.column
    }

    package var left: Int { max(0, rect.column + rect.columns - column) }

    /// Writes as much of the text as fits, leaving `keeping` columns free for what follows.
    package mutating func write(
        _ text: String, _ style: Style = Style(.plain), on surface: inout Surface, keeping reserve: Int = 0
    ) {
        guard left > reserve else { return }
        column += surface.write(
            text, at: Point(column: column, row: rect.row), style: style, limit: left - reserve)
    }

    package mutating func write(_ spans: [Span], on surface: inout Surface) {
        for span in spans { write(span.text, Style(span.role, span.traits), on: &surface) }
    }

    package mutating func skip(_ columns: Int) {
        column += min(columns, left)
    }

    package mutating func skip(to target: Int) {
        column = min(max(column, rect.column + target), rect.column + rect.columns)
    }
}

extension String {
    /// The text padded with spaces to `columns`.
    package func padded(to columns: Int) -> String {
        self + String(repeating: " ", count: max(0, columns - TextWidth.of(self)))
    }
}
