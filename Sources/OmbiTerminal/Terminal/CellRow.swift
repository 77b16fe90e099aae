import CNcurses

/// Passes a row of a surface to ncurses.
@MainActor
struct CellRow {
    private var palette: Palette
    private let content: ShownCell
    private var buffer: [cchar_t] = []

    init(palette: Palette, glyphs: GlyphSet) {
        self.palette = palette
        content = ShownCell(glyphs: glyphs)
    }

    /// - Parameter range: the columns to pass; more where a wide character begins before them.
    mutating func put(_ row: Int, _ range: Range<Int>, of surface: Surface, columns: Int) {
        let start = collect(row, range, of: surface, columns: columns)
        ombi_put_cells(Int32(row), Int32(start), buffer, Int32(buffer.count))
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
                append(cell, of: surface, hasRoom: column + 1 < columns)
                column += max(1, cell.width)
            }
        }
        return start
    }

    /// - Parameter hasRoom: true when the second half of a wide character fits.
    private mutating func append(_ cell: Cell, of surface: borrowing Surface, hasRoom: Bool) {
        let ink = palette.ink(for: cell.style)
        content.write(cell, of: surface, hasRoom: hasRoom) { scalar, marks, _ in append(scalar, marks, ink) }
    }

    private mutating func append(_ scalar: Unicode.Scalar, _ marks: [Unicode.Scalar], _ ink: Palette.Ink) {
        let characters = ([scalar] + marks).map { wchar_t(bitPattern: $0.value) } + [0]
        var cell = cchar_t()
        ombi_set_cell(&cell, characters, ink.traits, ink.pair)
        buffer.append(cell)
    }
}

/// Turns a cell into what the terminal can show of it.
struct ShownCell {
    let glyphs: GlyphSet

    /// Calls `put` for each character of a cell, from left to right, with its columns: all those of the cell.
    /// - Parameter hasRoom: true when the second half of a wide character fits.
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
