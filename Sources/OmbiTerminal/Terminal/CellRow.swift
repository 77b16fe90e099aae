import CNcurses

/// Passes a row of a surface to ncurses.
@MainActor
struct CellRow {
    private var palette: Palette
    private let glyphs: GlyphSet
    private var buffer: [cchar_t] = []
    /// One scalar, its marks, and the zero at the end.
    private var characters = [wchar_t](repeating: 0, count: Glyph.maximumMarks + 2)

    private static let upperHalf: Unicode.Scalar = "\u{2580}"

    init(palette: Palette, glyphs: GlyphSet) {
        self.palette = palette
        self.glyphs = glyphs
    }

    var depth: ColorDepth { palette.depth }
    /// True while the colours depend on the background that the terminal reports.
    var adapts: Bool { palette.adapts }

    /// Chooses colours for that background; nil for a terminal that does not report it. Returns true when everything must
    /// be put again.
    mutating func adapt(to background: Background?) -> Bool { palette.adapt(to: background) }

    /// Frees the colour pairs of pictures when they have run out. Returns true when it did: everything must be put
    /// again then.
    mutating func forgetPictures() -> Bool { palette.forgetPictures() }

    /// - Parameter range: the columns to pass; more where a wide character begins before them.
    mutating func put(_ row: Int, _ range: Range<Int>, of surface: Surface, columns: Int) {
        let start = collect(row, range, of: surface, columns: columns)
        ombi_put_cells(Int32(row), Int32(start), buffer, Int32(buffer.count))
    }

    /// Paints a whole row instead. Returns false where the painter cannot.
    mutating func paint(_ row: Int, of surface: Surface, columns: Int, with painter: inout FramePainter) -> Bool {
        _ = collect(row, 0..<columns, of: surface, columns: columns)
        return painter.paint(buffer, row: row, palette)
    }

    /// Fills the buffer with the cells, and returns the column of the first one.
    private mutating func collect(_ row: Int, _ range: Range<Int>, of surface: Surface, columns: Int) -> Int {
        buffer.removeAll(keepingCapacity: true)
        let columns = min(columns, surface.size.columns)
        let first = row * surface.size.columns
        var start = min(range.lowerBound, columns)
        surface.cells.withUnsafeBufferPointer { cells in
            guard first >= 0, first + columns <= cells.count else { return }
            if start > 0, start < columns, cells[first + start].isContinuation { start -= 1 }
            var column = start
            while column < min(range.upperBound, columns) {
                let cell = cells[first + column]
                // Most cells are like the one before: blanks and lines.
                if column > start, cell.width == 1, cell == cells[first + column - 1], let same = buffer.last {
                    buffer.append(same)
                } else {
                    append(cell, of: surface, hasRoom: column + 1 < columns)
                }
                column += max(1, cell.width)
            }
        }
        return start
    }

    /// - Parameter hasRoom: true when the second half of a wide character fits.
    private mutating func append(_ cell: Cell, of surface: Surface, hasRoom: Bool) {
        if let pixels = cell.pixels, glyphs == .unicode, let pair = palette.pair(for: pixels) {
            return append(Self.upperHalf, [], Palette.Ink(traits: 0, pair: pair))
        }
        let ink = palette.ink(for: cell.style)
        if glyphs != .unicode, let substitute = glyphs.substitute(for: cell.scalar) {
            for _ in 0..<(hasRoom ? max(1, cell.width) : 1) { append(substitute, [], ink) }
            return
        }
        if cell.width == 1, cell.marks == 0, cell.scalar.value < 0x300 { return append(cell.scalar, [], ink) }
        // A character whose width differs in the C library would shift the rest of the row.
        let agrees = wcwidth(wchar_t(bitPattern: cell.scalar.value)) == cell.width
        if cell.width == 2, agrees, hasRoom {
            append(cell.scalar, surface.marks(of: cell), ink)
        } else {
            let fits = cell.width == 1 && agrees
            let substitute: Unicode.Scalar = cell.width == 0 ? " " : "\u{FFFD}"
            append(fits ? cell.scalar : substitute, fits ? surface.marks(of: cell) : [], ink)
            if cell.width == 2, hasRoom { append(" ", [], ink) }
        }
    }

    private mutating func append(_ scalar: Unicode.Scalar, _ marks: [Unicode.Scalar], _ ink: Palette.Ink) {
        var cell = cchar_t()
        if marks.isEmpty {
            ombi_set_plain_cell(&cell, wchar_t(bitPattern: scalar.value), ink.traits, ink.pair)
            buffer.append(cell)
            return
        }
        characters[0] = wchar_t(bitPattern: scalar.value)
        var count = 1
        for mark in marks.prefix(Glyph.maximumMarks) where wcwidth(wchar_t(bitPattern: mark.value)) == 0 {
            characters[count] = wchar_t(bitPattern: mark.value)
            count += 1
        }
        characters[count] = 0
        ombi_set_cell(&cell, characters, ink.traits, ink.pair)
        buffer.append(cell)
    }
}
