/// A change of a text under edit, of the cursor in it, or of its selection.
package enum TextEdit: Equatable, Sendable {
    case insert(String)
    /// Breaks the line and indents the new one as the text suggests.
    case newline
    /// Indents the selected lines, or inserts an indent at the cursor.
    case indent, outdent
    case deleteBackward, deleteForward
    case deleteWordBackward, deleteWordForward
    case deleteToStart, deleteToEnd
    case move(TextMove)
    case select(TextMove)
    case selectAll
    /// Sets or clears the mark: while it is set, moves extend the selection.
    case mark
    /// The selection, or the line of the cursor where nothing is selected.
    case cut, copy, duplicate
    case paste
    case moveLinesUp, moveLinesDown
    case undo, redo
}

/// A step of the cursor through a text. The raw value is its name in settings.
package enum TextMove: String, Equatable, Sendable {
    case left, right, wordLeft, wordRight
    case up, down, pageUp, pageDown
    case start = "lineStart"
    case end = "lineEnd"
    case paragraphUp, paragraphDown
    case textStart, textEnd
    case bracket
}

/// One line of text under edit, and its drawing.
package struct TextField: Equatable, Sendable {
    package private(set) var edited: EditedText

    package init(_ text: String = "") {
        edited = EditedText(text, cursor: text.utf8.count, isOneLine: true)
    }

    package var text: String { edited.buffer.text }

    package mutating func perform(_ edit: TextEdit) {
        switch edit {
        case .move(let move): edited.perform(.move(Self.sideways(move)))
        case .select(let move): edited.perform(.select(Self.sideways(move)))
        case .indent, .outdent, .newline, .duplicate: break
        default: edited.perform(edit)
        }
    }

    package mutating func change(_ change: (inout EditedText) -> Void) { change(&edited) }

    /// Moves up and down go to the ends of the only line.
    private static func sideways(_ move: TextMove) -> TextMove {
        switch move {
        case .up, .pageUp, .paragraphUp, .start: .textStart
        case .down, .pageDown, .paragraphDown: .textEnd
        default: move
        }
    }

    /// Moves the cursor to a column of the part that shows in `columns`.
    package mutating func click(column: Int, in columns: Int, selecting: Bool = false) {
        let buffer = edited.buffer
        var offset = visiblePart(columns).first
        var left = column
        while offset < buffer.count {
            let next = buffer.offset(after: offset)
            left -= max(1, TextWidth.of(buffer.text(offset..<next)))
            if left < 0 { break }
            offset = next
        }
        edited.place(at: offset, selecting: selecting)
    }

    /// Draws the part around the cursor and returns the cursor's position.
    package func draw(on surface: inout Surface, in rect: Rect, style: Style = Style(.plain, .underline)) -> Point {
        let (first, column) = visiblePart(rect.columns)
        let buffer = edited.buffer
        let end = buffer.aligned(min(buffer.count, first + max(1, rect.columns) * Self.maximumColumnBytes))
        surface.fill(rect.top(1), style: style)
        surface.write(buffer.text(first..<end), at: rect.origin, style: style, limit: rect.columns, truncate: .none)
        if let selected = edited.selected?.clamped(to: first..<end), !selected.isEmpty {
            let start = TextWidth.of(buffer.text(first..<selected.lowerBound))
            let part = Rect(
                column: rect.column + start, row: rect.row,
                columns: TextWidth.of(buffer.text(selected)), rows: 1)
            surface.restyle(part.intersection(rect), adding: .reverse)
        }
        guard rect.columns >= Self.columnsForMarks else { return Point(column: rect.column + column, row: rect.row) }
        // Marks where the text goes on, but for the cell of the cursor.
        let isCut = TextWidth.of(buffer.text(first..<end)) > rect.columns
        let ends = [(first > 0, 0), (isCut, rect.columns - 1)]
        for (goesOn, place) in ends where goesOn && place != column && place >= 0 {
            let point = Point(column: rect.column + place, row: rect.row)
            surface.write("…", at: point, style: Style(.dim, .underline), limit: 1)
        }
        return Point(column: rect.column + column, row: rect.row)
    }

    /// In a narrower field marks would take the place of the text.
    private static let columnsForMarks = 8
    /// A column takes no more bytes than this, or nearly.
    private static let maximumColumnBytes = 32

    private func visiblePart(_ columns: Int) -> (first: Int, column: Int) {
        let buffer = edited.buffer
        var first = edited.cursor
        var column = 0
        while first > 0 {
            let before = buffer.offset(before: first)
            let width = max(1, TextWidth.of(buffer.text(before..<first)))
            guard column + width < columns else { break }
            column += width
            first = before
        }
        return (first, column)
    }
}
