import OmbiDocument

/// Several lines of text under edit, and the part of them on the screen.
package struct TextEditor: Equatable, Sendable {
    package private(set) var text: EditedText
    /// Wraps long lines; else the view follows the cursor sideways.
    package var wraps = false { didSet { if wraps != oldValue { scrollToCursor() } } }
    package var showsNumbers = true
    package var highlighter: LineHighlighter?
    /// The matches of a search, in order.
    package var matches: [ByteRange] = []
    private var size: Size
    /// The start of the first visible row.
    private var top = 0
    /// The columns out of view at the left.
    private(set) var left = 0
    /// The column that moves up and down keep to.
    private var goal: Int?

    /// - Parameter line: the line of the cursor, from 0.
    package init(_ text: String, line: Int = 0, size: Size = Size(columns: 80, rows: 10)) {
        self.text = EditedText(text)
        self.size = size
        self.text.place(at: buffer.range(ofLine: line).lowerBound)
        scrollToCursor()
    }

    package var buffer: TextBuffer { text.buffer }

    /// The cursor's line and column, from 1; columns count Unicode scalars, as in errors.
    package var position: TextPosition {
        let line = buffer.line(at: text.cursor)
        let before = buffer.bytes[buffer.range(ofLine: line).lowerBound..<text.cursor]
        return TextPosition(line: line + 1, column: before.count { $0 & 0xC0 != 0x80 } + 1)
    }

    package mutating func resize(to size: Size) {
        guard size != self.size else { return }
        self.size = size
        scrollToCursor()
        // A view that has grown leaves no rows at its end empty.
        scroll(by: 0)
    }

    /// Changes the text, and scrolls to its cursor.
    package mutating func change(_ change: (inout EditedText) -> Void) {
        change(&text)
        goal = nil
        scrollToCursor()
    }

    package mutating func perform(_ edit: TextEdit) {
        switch edit {
        case .move(let move): if !moveRows(move, selecting: false) { change { $0.perform(edit) } }
        case .select(let move): if !moveRows(move, selecting: true) { change { $0.perform(edit) } }
        default: change { $0.perform(edit) }
        }
    }

    /// Scrolls the view and leaves the cursor where it is.
    package mutating func scroll(by count: Int) {
        let last = rows { $0.row($0.row(at: buffer.count), movedBy: 1 - size.rows).range.lowerBound }
        top = min(max(0, last), rows { $0.row($0.row(at: top), movedBy: count).range.lowerBound })
    }

    /// Moves the cursor to a cell of the view.
    package mutating func click(_ point: Point, selecting: Bool = false) {
        let offset = rows { rows in
            let row = rows.row(rows.row(at: top), movedBy: max(0, point.row))
            return rows.offset(ofColumn: max(0, point.column - gutter) + left, in: row)
        }
        change { $0.place(at: offset, selecting: selecting) }
    }

    /// Moves the cursor to a column of its line.
    package mutating func place(column: Int) {
        let offset = rows { $0.offset(ofColumn: column, in: $0.row(at: text.cursor)) }
        change { $0.place(at: offset) }
    }

    // MARK: Rows

    /// The columns of the line numbers.
    var gutter: Int { showsNumbers ? String(buffer.lineCount).count + 1 : 0 }

    /// The columns of the text.
    var columns: Int { max(1, size.columns - gutter) }

    /// The last column of wrapped rows is the cursor's, behind a full row.
    private var wrapColumns: Int? { wraps ? max(1, columns - 1) : nil }

    func rows<Result>(_ body: (EditorRows) -> Result) -> Result {
        buffer.read { body(EditorRows(buffer, bytes: $0, columns: wrapColumns)) }
    }

    var firstRow: TextRow { rows { $0.row(at: top) } }

    /// Performs a move that depends on rows; returns false for another one.
    private mutating func moveRows(_ move: TextMove, selecting: Bool) -> Bool {
        let count: Int
        switch move {
        case .up: count = -1
        case .down: count = 1
        case .pageUp: count = -max(1, size.rows - 1)
        case .pageDown: count = max(1, size.rows - 1)
        default: return false
        }
        let cursor = text.cursor
        let (column, offset) = rows { rows in
            let row = rows.row(at: cursor)
            let column = goal ?? rows.column(of: cursor, in: row)
            return (column, rows.offset(ofColumn: column, in: rows.row(row, movedBy: count)))
        }
        text.place(at: offset, selecting: selecting)
        goal = column
        scrollToCursor()
        return true
    }

    private mutating func scrollToCursor() {
        (top, left) = rows { rows in
            let row = rows.row(at: text.cursor)
            return (top(for: row, rows), left(for: rows.column(of: text.cursor, in: row)))
        }
    }

    private func top(for row: TextRow, _ rows: EditorRows) -> Int {
        let first = rows.row(at: min(top, buffer.count))
        guard first.range.lowerBound < row.range.lowerBound else { return row.range.lowerBound }
        let lowest = rows.row(row, movedBy: 1 - size.rows)
        return max(first.range.lowerBound, lowest.range.lowerBound)
    }

    /// Scrolls by some columns at once, so that few keys move all of the view.
    private func left(for column: Int) -> Int {
        if wraps || column < columns { return 0 }
        if (left..<left + columns).contains(column) { return left }
        return max(0, column - (column < left ? columns / 4 : columns * 3 / 4))
    }
}
