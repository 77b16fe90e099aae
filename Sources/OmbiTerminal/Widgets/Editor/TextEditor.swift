import OmbiDocument

/// Several lines of text under edit, and the part of them on the screen.
package struct TextEditor: Equatable, Sendable {
    package private(set) var text: EditedText
    /// Wraps long lines; else the view follows the cursor sideways.
    package var wraps = false { didSet { if wraps != oldValue { scrollToCursor() } } }
    package var showsNumbers = true
    package var highlighter: LineHighlighter?
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

    package mutating func place(column: Int) {
        let offset = rows { $0.offset(ofColumn: column, in: $0.row(at: text.cursor)) }
        change { $0.place(at: offset) }
    }

    // MARK: Rows

    var gutter: Int { showsNumbers ? String(buffer.lineCount).count + 1 : 0 }

    var columns: Int { max(1, size.columns - gutter) }

    /// The width of wrapped rows: the last column is reserved for the cursor after a full row.
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

    /// Scrolls by several columns at once, so that few keys move the whole view.
    private func left(for column: Int) -> Int {
        if wraps || column < columns { return 0 }
        if (left..<left + columns).contains(column) { return left }
        return max(0, column - (column < left ? columns / 4 : columns * 3 / 4))
    }
}

extension TextEditor {
    /// A part of a text that is drawn in its own role.
    package struct Mark: Equatable, Sendable {
        package var range: ByteRange
        package var role: Role

        package init(_ range: ByteRange, _ role: Role) {
            self.range = range
            self.role = role
        }
    }

    /// Draws the visible rows and returns the cursor's position; nil while it is out of view.
    /// - Parameter marks: returns the marks in a range.
    package func draw(
        on surface: inout Surface, in rect: Rect, marks: (TextBuffer, ByteRange) -> [Mark] = { _, _ in [] }
    ) -> Point? {
        var shown: [TextRow] = []
        rows { rows in
            var row: TextRow? = firstRow
            while let next = row, shown.count < rect.rows {
                shown.append(next)
                row = rows.row(after: next)
            }
        }
        guard let first = shown.first, let last = shown.last else { return nil }
        let brackets = brackets(within: first.range.lowerBound..<last.range.upperBound)
        var cursor: Point?
        for (number, row) in shown.enumerated() {
            let place = rect.line(number)
            if row.startsLine { drawNumber(of: row, on: &surface, in: place) }
            let canvas = canvas(row, in: place.dropLeft(gutter))
            draw(canvas, marks: marks, brackets, on: &surface)
            let next = row.endsLine ? row.range.upperBound + 1 : row.range.upperBound
            if row.range.lowerBound <= text.cursor, text.cursor < next { cursor = self.cursor(in: canvas) }
        }
        return cursor
    }

    /// A row, its place on the screen, and the part of it that shows.
    private struct RowCanvas {
        let row: TextRow
        let rect: Rect
        let start: ColumnReader.Position
        let visible: ByteRange
    }

    private func canvas(_ row: TextRow, in rect: Rect) -> RowCanvas {
        let (start, end) = rows { $0.visible(row, left: left, columns: rect.columns) }
        return RowCanvas(row: row, rect: rect, start: start, visible: start.offset..<max(start.offset, end))
    }

    private func cursor(in canvas: RowCanvas) -> Point? {
        guard text.cursor >= canvas.start.offset, text.cursor <= canvas.visible.upperBound else { return nil }
        let column = column(of: text.cursor, in: canvas)
        guard (0..<canvas.rect.columns).contains(column) else { return nil }
        return Point(column: canvas.rect.column + column, row: canvas.rect.row)
    }

    /// The column of a visible offset, from the left side of the canvas.
    private func column(of offset: Int, in canvas: RowCanvas) -> Int {
        rows { $0.column(of: offset, in: canvas.row, from: canvas.start) } - left
    }

    private func drawNumber(of row: TextRow, on surface: inout Surface, in rect: Rect) {
        guard gutter > 0 else { return }
        let number = String(buffer.line(at: row.range.lowerBound) + 1)
        let place = Point(column: rect.column + gutter - 1 - number.count, row: rect.row)
        surface.write(number, at: place, style: Style(.dim), clip: rect)
    }

    private func draw(
        _ canvas: RowCanvas, marks: (TextBuffer, ByteRange) -> [Mark], _ brackets: [Int], on surface: inout Surface
    ) {
        buffer.draw(
            canvas.row, visible: canvas.visible, skipping: left, highlighter: highlighter,
            matches: matches(in: canvas.visible), on: &surface, in: canvas.rect)
        for mark in marks(buffer, canvas.visible) {
            restyle(mark.range, in: canvas, on: &surface) { _ in Style(mark.role) }
        }
        for bracket in brackets where canvas.visible.contains(bracket) {
            restyle(bracket..<bracket + 1, in: canvas, on: &surface) { $0.adding([.bold, .underline]) }
        }
        guard let selected = text.selected else { return }
        restyle(selected, in: canvas, on: &surface) { $0.adding(.reverse) }
        // A selected line break shows as a selected space.
        let end = canvas.row.range.upperBound
        if canvas.row.endsLine, canvas.visible.upperBound == end, selected.contains(end) {
            restyle(columns: column(of: end, in: canvas)..<column(of: end, in: canvas) + 1, in: canvas, on: &surface) {
                $0.adding(.reverse)
            }
        }
    }

    private func restyle(
        _ range: ByteRange, in canvas: RowCanvas, on surface: inout Surface, _ change: (Style) -> Style
    ) {
        let part = range.clamped(to: canvas.visible)
        guard !part.isEmpty else { return }
        let columns = column(of: part.lowerBound, in: canvas)..<column(of: part.upperBound, in: canvas)
        restyle(columns: columns, in: canvas, on: &surface, change)
    }

    private func restyle(
        columns: Range<Int>, in canvas: RowCanvas, on surface: inout Surface, _ change: (Style) -> Style
    ) {
        let rect = Rect(
            column: canvas.rect.column + columns.lowerBound, row: canvas.rect.row, columns: columns.count, rows: 1)
        surface.restyle(rect.intersection(canvas.rect), change)
    }

    private func matches(in range: ByteRange) -> ArraySlice<ByteRange> {
        let first = matches.partitioningIndex { $0.upperBound > range.lowerBound }
        return matches[first...].prefix { $0.lowerBound < range.upperBound }
    }

    /// More would take too long with every key.
    private static let maximumBracketDistance = 1 << 16

    /// The bracket at the cursor and its partner, where both show.
    private func brackets(within range: ByteRange) -> [Int] {
        guard text.selected == nil, range.count <= Self.maximumBracketDistance else { return [] }
        return text.brackets(within: range).map { [$0.bracket, $0.partner] } ?? []
    }
}

extension TextBuffer {
    /// Draws a row in its colours; a cut one ends in `…`.
    /// - Parameter visible: The bytes to draw; nil for as many as fit from the start of the row.
    package func draw(
        _ row: TextRow, visible: ByteRange? = nil, skipping: Int = 0, highlighter: LineHighlighter?,
        matches: ArraySlice<ByteRange> = [], on surface: inout Surface, in rect: Rect
    ) {
        let start = row.range.lowerBound
        let visible = visible ?? start..<min(row.range.upperBound, start + rect.columns * Self.maximumColumnBytes)
        let spans = read { bytes in
            // One column more shows that the row goes on.
            SpanBuilder.spans(
                of: row.range, in: bytes, skipping: skipping, columns: rect.columns + 1,
                styles: highlighter?.styles(of: row.line, visible: visible, in: bytes) ?? [], matches: Array(matches))
        }
        var pen = Pen(rect)
        for span in spans {
            pen.write(span.text, Style(span.isMatch ? .match : span.style.role), on: &surface)
        }
        guard row.endsLine, spans.reduce(0, { $0 + $1.columns }) > rect.columns else { return }
        surface.write("…", at: rect.right(1).origin, style: Style(.dim), clip: rect)
    }

    /// A column of text takes no more bytes than this, or nearly.
    private static let maximumColumnBytes = 8
}
