import OmbiDocument

/// A piece of text in one role. Rows are made of spans.
package struct Span: Equatable, Sendable {
    package var text: String
    package var role: Role
    package var traits: Traits

    package init(text: String, role: Role, traits: Traits = []) {
        self.text = text
        self.role = role
        self.traits = traits
    }
}

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

/// The width of a text on the screen, after it has been made safe.
package enum TextWidth {
    /// Columns of one scalar by itself: 0 for a mark on the scalar before it, or a scalar that is left out after it.
    package static func of(_ scalar: Unicode.Scalar) -> Int {
        switch ScalarClass(scalar) {
        case .printable(let width): width
        case .unprintable: 1
        case .skinTone: 2
        case .mark, .selector, .joiner: 0
        }
    }

    package static func of(_ text: String) -> Int {
        // Nearly all texts, and each frame measures many.
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text.utf8.count }
        var columns = 0
        for glyph in Glyphs(text) { columns += glyph.width }
        return columns
    }
}

/// The position of the cut, and of `…`, in a text that is too long.
package enum Truncation: Sendable {
    case tail, head, middle
    /// Cut at the end with no mark.
    case none
}
