import CNcurses

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
