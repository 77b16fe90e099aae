/// Drawing for panes: text, areas and boxes.
extension Surface {
    /// Writes one line of text.
    /// - Parameters:
    ///   - limit: The maximum columns; a longer text is cut as `truncate` says.
    ///   - clip: The cells that may change; the text is also cut at its right side.
    /// - Returns: The columns of the text from `at`, including those cut off at the left side.
    @discardableResult
    package mutating func write(
        _ text: String, at: Point, style: Style = .plain, limit: Int = .max, clip: Rect? = nil,
        truncate: Truncation = .tail
    ) -> Int {
        let area = clip?.intersection(bounds) ?? bounds
        // Clamped so that no sum below can overflow, whatever the caller's arithmetic gave.
        let start = min(max(at.column, -(1 << 40)), 1 << 40)
        let end = min(area.endColumn, start + min(max(0, limit), 1 << 41))
        guard at.row >= area.row, at.row < area.endRow, start < end else { return 0 }
        let place = Line(row: at.row, first: area.column, end: end, style: style)
        switch truncate {
        case .none: return writeStart(of: text, from: start, in: place, mark: false)
        case .tail: return writeStart(of: text, from: start, in: place, mark: true)
        case .head: return write(shortened(text, to: end - start, keepingHead: false), from: start, in: place)
        case .middle: return write(shortened(text, to: end - start, keepingHead: true), from: start, in: place)
        }
    }

    /// Fills a rectangle with one character; a wide one leaves a space where only half of it would fit.
    package mutating func fill(_ rect: Rect, with character: Character = " ", style: Style = .plain) {
        let area = rect.intersection(bounds)
        guard !area.isEmpty, let glyph = Glyphs(String(character)).first(where: { _ in true }) else { return }
        if glyph.width == 1, glyph.marks.isEmpty {
            for row in area.row..<area.endRow { fillRow(row, area.column..<area.endColumn, glyph.scalar, style) }
            return
        }
        for row in area.row..<area.endRow {
            var column = area.column
            while column + glyph.width <= area.endColumn {
                put(glyph, column: column, row: row, style: style)
                column += glyph.width
            }
            while column < area.endColumn {
                put(Glyph(scalar: " ", width: 1), column: column, row: row, style: style)
                column += 1
            }
        }
    }

    /// Adds traits to the cells and keeps their roles and content.
    package mutating func restyle(_ rect: Rect, adding traits: Traits) {
        restyle(rect) { $0.adding(traits) }
    }

    /// Draws a frame of light lines along the inside of the rectangle's edge; nothing when the rectangle is under 2×2.
    package mutating func box(_ rect: Rect, style: Style = Style(.border)) {
        guard rect.columns >= 2, rect.rows >= 2 else { return }
        let right = rect.endColumn - 1
        let bottom = rect.endRow - 1
        fill(rect.top(1), with: "─", style: style)
        fill(rect.bottom(1), with: "─", style: style)
        fill(rect.left(1), with: "│", style: style)
        fill(rect.right(1), with: "│", style: style)
        write("┌", at: rect.origin, style: style)
        write("┐", at: Point(column: right, row: rect.row), style: style)
        write("└", at: Point(column: rect.column, row: bottom), style: style)
        write("┘", at: Point(column: right, row: bottom), style: style)
    }

    // MARK: Lines

    /// The part of a row that may be written to.
    private struct Line {
        var row: Int
        var first: Int
        var end: Int
        var style: Style
    }

    /// Writes to the end of the line, and reads no more of the text, which may have megabytes.
    private mutating func writeStart(
        of text: String, from start: Int, in place: Line, mark: Bool
    ) -> Int {
        var column = start
        let plain = writeASCII(text, from: &column, in: place)
        guard plain < text.endIndex else { return column - start }
        for glyph in Glyphs(text[plain...]) {
            if column + glyph.width > place.end {
                guard mark else { break }
                if place.end - 1 >= place.first {
                    put(Glyph(scalar: "…", width: 1), column: place.end - 1, row: place.row, style: place.style)
                }
                return place.end - start
            }
            draw(glyph, at: column, in: place)
            column += glyph.width
        }
        return column - start
    }

    /// Writes the leading plain ASCII of the text, as far as it fits, and returns the index of the rest. Stops at a
    /// letter before a non-ASCII character, which may be a mark on it.
    private mutating func writeASCII(_ text: String, from column: inout Int, in place: Line) -> String.Index {
        let count = text.utf8.withContiguousStorageIfAvailable { bytes in
            let limit = min(bytes.count, max(0, place.end - column))
            var end = 0
            while end < limit, (0x20..<0x7F).contains(bytes[end]) { end += 1 }
            if end > 0, end < bytes.count, bytes[end] >= 0x80 { end -= 1 }
            let hidden = min(end, max(0, place.first - column))
            putPlain(bytes[hidden..<end], column: column + hidden, row: place.row, style: place.style)
            column += end
            return end
        }
        guard let count else { return text.startIndex }
        return text.utf8.index(text.startIndex, offsetBy: count)
    }

    private mutating func write(_ glyphs: [Glyph], from start: Int, in place: Line) -> Int {
        var column = start
        for glyph in glyphs {
            draw(glyph, at: column, in: place)
            column += glyph.width
        }
        return column - start
    }

    /// Draws a glyph unless it is left of the line; a wide one cut by the left side leaves a space.
    private mutating func draw(_ glyph: Glyph, at column: Int, in place: Line) {
        if column >= place.first {
            put(glyph, column: column, row: place.row, style: place.style)
        } else if column + glyph.width > place.first {
            put(Glyph(scalar: " ", width: 1), column: place.first, row: place.row, style: place.style)
        }
    }

    /// The glyphs that fit, with `…` for those left out at the start or in the middle.
    private func shortened(_ text: String, to columns: Int, keepingHead: Bool) -> [Glyph] {
        let glyphs = Array(Glyphs(text))
        let width = glyphs.reduce(0) { $0 + $1.width }
        if width <= columns { return glyphs }
        let room = columns - 1
        let head = keepingHead ? Self.prefix(of: glyphs, columns: room - room / 2) : []
        let used = head.reduce(0) { $0 + $1.width }
        let tail = Self.prefix(of: glyphs.reversed(), columns: room - used).reversed()
        return head + [Glyph(scalar: "…", width: 1)] + tail
    }

    private static func prefix(of glyphs: [Glyph], columns: Int) -> [Glyph] {
        var left = columns
        return Array(
            glyphs.prefix {
                left -= $0.width
                return left >= 0
            })
    }
}
