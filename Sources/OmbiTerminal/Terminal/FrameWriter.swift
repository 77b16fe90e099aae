import CNcurses

/// Writes the difference between two frames: compares each surface with the previous one, and writes what changed. It
/// is not on the main actor: closures there look up their actor at each call, here at every cell.
struct FrameWriter {
    private let sequences: TerminalSequences
    private var theme: Theme
    private let content: ShownCell
    private var pen = TerminalPen(size: Size(columns: 0, rows: 0))
    private var shown: Surface?
    private var hasEntered = false
    /// True once the terminal has reported that it can scroll a part between two columns.
    private var hasMargins = false
    /// Nil if unknown.
    private var cursorIsVisible: Bool?
    private var looks: [(style: Style, attributes: TextAttributes)] = []
    private var lastLook = 0
    /// The looks of the last frame, if the colours have changed since.
    private var formerLooks: [(style: Style, attributes: TextAttributes)]?

    private static let upperHalf: Unicode.Scalar = "\u{2580}"
    /// So many unchanged characters are written again in fewer bytes than the cursor takes to move over them.
    private static let shortGap = 4
    /// The maximum number of blanks within a row that are written; more take more bytes than erasing them and moving
    /// on.
    private static let blanksInRow = 9
    private static let blanksAtEnd = 3

    init(_ sequences: TerminalSequences, theme: Theme, glyphs: GlyphSet) {
        self.sequences = sequences
        self.theme = theme
        content = ShownCell(glyphs: glyphs)
    }

    var depth: ColorDepth { theme.depth }
    /// True while the colours depend on the background that the terminal reports.
    var adapts: Bool { theme.adapts && sequences.described == nil }

    /// Chooses colours for a background; nil for a terminal that does not report it. Returns true if a look changes.
    mutating func adapt(to background: Background?) -> Bool {
        guard background.map({ theme.adapt(to: $0) }) ?? theme.adaptToUnknownBackground() else { return false }
        forgetLooks()
        return true
    }

    mutating func use(_ theme: ThemeChoice) {
        self.theme.choose(theme)
        forgetLooks()
    }

    private mutating func forgetLooks() {
        formerLooks = formerLooks ?? looks
        looks = []
    }

    /// True if frames scroll parts of the screen.
    var scrolls: Bool { sequences.scrolls }

    /// From now on frames may set margins at the left and the right for that.
    mutating func useMargins() { hasMargins = true }

    /// The next frame replaces all that a terminal of that size shows.
    mutating func begin(_ size: Size) {
        pen = TerminalPen(size: size, described: sequences.described)
        shown = nil
        formerLooks = nil
        cursorIsVisible = nil
    }

    /// Returns the bytes that make the terminal show the surface, and the cursor at that position; none when it does
    /// already.
    mutating func frame(_ surface: Surface, cursor: Point?) -> [UInt8] {
        let cursor = cursor.flatMap { Rect(pen.size).contains($0) ? $0 : nil }
        if !hasEntered { pen.write(sequences.enter) }
        hasEntered = true
        if cursor == nil, cursorIsVisible != false { pen.write(sequences.hideCursor) }
        // Nobody sees where a hidden cursor has gone.
        if cursorIsVisible != true { pen.forgetPosition() }
        if shown?.size != surface.size { shown = nil }
        if shown == nil { pen.clear() }
        var old = shown
        var changes = surface.changes(since: formerLooks == nil ? old : nil)
        if changes.count >= Scroll.fewestRows, let scrolled = scrolled(to: surface, changes.map(\.row)) {
            old = scrolled
            changes = surface.changes(since: old)
        }
        surface.cells.withUnsafeBufferPointer { cells in
            for (row, columns) in changes where row < pen.size.rows {
                write(row, columns, cells, of: surface, since: old)
            }
        }
        shown = surface
        formerLooks = nil
        if let cursor {
            pen.move(to: cursor)
            if cursorIsVisible != true { pen.write(sequences.showCursor) }
        }
        cursorIsVisible = cursor != nil
        return pen.take()
    }

    /// Returns the bytes that restore the terminal for another program.
    mutating func end() -> [UInt8] {
        guard hasEntered else { return [] }
        hasEntered = false
        // The next program's text begins below, unless there is another screen.
        pen.move(to: Point(column: 0, row: max(0, pen.size.rows - 1)))
        pen.write(sequences.leave)
        return pen.take()
    }

    /// Scrolls rows that have moved; returns the resulting content of the terminal, nil if nothing was scrolled.
    private mutating func scrolled(to surface: Surface, _ changed: [Int]) -> Surface? {
        guard sequences.scrolls, formerLooks == nil, isErased(.blank), let shown, shown.size == pen.size else {
            return nil
        }
        var scrolled: Surface?
        for area in surface.scrollAreas.isEmpty ? [surface.bounds] : surface.scrollAreas {
            var area = area
            if !hasMargins { (area.column, area.columns) = (0, surface.size.columns) }
            guard let scroll = Scroll(from: scrolled ?? shown, to: surface, in: area, changed: changed) else {
                continue
            }
            pen.scroll(scroll)
            scrolled = (scrolled ?? shown).scrolled(scroll)
        }
        return scrolled
    }

    // MARK: Rows

    private mutating func write(
        _ row: Int, _ changed: Range<Int>, _ cells: UnsafeBufferPointer<Cell>, of surface: borrowing Surface,
        since old: Surface?
    ) {
        let corner = sequences.fillsCorner || row + 1 < pen.size.rows ? 0 : 1
        let columns = min(surface.size.columns, pen.size.columns - corner)
        let first = row * surface.size.columns
        var column = min(changed.lowerBound, columns)
        if column > 0, column < columns, cells[first + column].isContinuation { column -= 1 }
        while column < min(changed.upperBound, columns) {
            let cell = cells[first + column]
            let isShown =
                old.map { surface.isSameCell(first + column, in: $0) && keepsLook(cell) } ?? isErased(cell)
            if !isShown {
                let place = Point(column: column, row: row)
                let blanks = blanks(cells[first + column..<first + columns], of: cell)
                reach(place, cells, first)
                if blanks > 0 {
                    pen.erase(column + blanks == columns ? nil : blanks, in: attributes(of: cell.style))
                    column += blanks
                    continue
                }
                put(cell, of: surface, hasRoom: column + 1 < columns)
            }
            column += max(1, cell.width)
        }
    }

    /// The number of blanks that begin a row's rest, if they are to be erased; else 0.
    private mutating func blanks(_ rest: Slice<UnsafeBufferPointer<Cell>>, of cell: Cell) -> Int {
        guard cell == Cell(" ", style: cell.style), attributes(of: cell.style).leavesBlanksBlank,
            sequences.erasesCharacters || sequences.erasesRows && rest.last == cell
        else { return 0 }
        let count = (rest.firstIndex { $0 != cell } ?? rest.endIndex) - rest.startIndex
        if count == rest.count { return count > Self.blanksAtEnd ? count : 0 }
        return count > Self.blanksInRow && sequences.erasesCharacters ? count : 0
    }

    /// Moves the cursor, by writing unchanged characters again if that is shorter.
    private mutating func reach(_ place: Point, _ cells: UnsafeBufferPointer<Cell>, _ first: Int) {
        if let position = pen.position, position.row == place.row, position.column < place.column,
            place.column - position.column <= Self.shortGap
        {
            let gap = cells[first + position.column..<first + place.column]
            if gap.allSatisfy({ $0.isPlainASCII && attributes(of: $0.style) == pen.attributes }) {
                for cell in gap { pen.write(cell.scalar, [], width: 1) }
                return
            }
        }
        pen.move(to: place)
    }

    private mutating func put(_ cell: Cell, of surface: borrowing Surface, hasRoom: Bool) {
        if let pixels = cell.pixels, content.glyphs == .unicode, theme.depth == .many {
            pen.set(TextAttributes(foreground: pixels.upper, background: pixels.lower))
            return pen.write(Self.upperHalf, [], width: 1)
        }
        pen.set(attributes(of: cell.style))
        let content = content
        content.write(cell, of: surface, hasRoom: hasRoom) { scalar, marks, width in
            pen.write(scalar, marks, width: width)
        }
    }

    /// True for a cell that a blank screen shows already.
    private mutating func isErased(_ cell: Cell) -> Bool {
        cell == .blank && attributes(of: .plain) == TextAttributes()
    }

    private mutating func keepsLook(_ cell: Cell) -> Bool {
        guard let formerLooks, cell.pixels == nil else { return true }
        return formerLooks.first { $0.style == cell.style }?.attributes == attributes(of: cell.style)
    }

    private mutating func attributes(of style: Style) -> TextAttributes {
        // Neighbours mostly look the same, and a screen has a dozen looks: no need for a hash.
        if lastLook < looks.count, looks[lastLook].style == style { return looks[lastLook].attributes }
        if let known = looks.firstIndex(where: { $0.style == style }) {
            lastLook = known
            return looks[known].attributes
        }
        lastLook = looks.count
        looks.append((style, sequences.attributes(of: theme.look(of: style))))
        return looks[lastLook].attributes
    }
}

/// A cell in the form that the terminal can show.
struct ShownCell {
    let glyphs: GlyphSet

    /// Calls `put` for each character of a cell, from left to right, with its columns, which add up to those of the
    /// cell.
    /// - Parameter hasRoom: True if the second half of a wide character fits.
    @inline(__always)
    func write(
        _ cell: Cell, of surface: borrowing Surface, hasRoom: Bool,
        _ put: (Unicode.Scalar, [Unicode.Scalar], _ width: Int) -> Void
    ) {
        if cell.width == 1, cell.marks == 0, cell.scalar.value < 0x80 { return put(cell.scalar, [], 1) }
        if glyphs != .unicode, let substitute = glyphs.substitute(for: cell.scalar) {
            for _ in 0..<(hasRoom ? max(1, cell.width) : 1) { put(substitute, [], 1) }
            return
        }
        if cell.width == 1, cell.marks == 0, cell.scalar.value < 0x300 { return put(cell.scalar, [], 1) }
        // A character whose width differs in the C library would shift the rest of the row.
        let agrees = Self.width(of: cell.scalar) == cell.width
        if cell.width == 2, agrees, hasRoom { return put(cell.scalar, marks(of: cell, surface), 2) }
        let fits = cell.width == 1 && agrees
        let substitute: Unicode.Scalar = cell.width == 0 ? " " : "\u{FFFD}"
        put(fits ? cell.scalar : substitute, fits ? marks(of: cell, surface) : [], 1)
        if cell.width == 2, hasRoom { put(" ", [], 1) }
    }

    private func marks(of cell: Cell, _ surface: borrowing Surface) -> [Unicode.Scalar] {
        surface.marks(of: cell).prefix(Glyph.maximumMarks).filter { Self.width(of: $0) == 0 }
    }

    private static func width(of scalar: Unicode.Scalar) -> Int { Int(wcwidth(wchar_t(bitPattern: scalar.value))) }
}
