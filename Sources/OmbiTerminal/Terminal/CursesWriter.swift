import CNcurses

/// Draws on a terminal with sequences of its own: ncurses knows them, compares the frames and writes the difference into a
/// file in memory. ncurses sees no terminal at all.
@MainActor
final class CursesWriter: FrameWriter {
    let depth: ColorDepth
    /// Only terminals with more colours report their background.
    let adapts = false

    private let frames: FrameFile
    /// The ncurses screen of the terminal.
    private let opened: OpaquePointer
    private var cells: CellRow
    private var size: Size
    private var shown: Surface?
    private var cursorIsVisible: Bool?

    /// Nil when there can be no file in memory.
    /// - Parameters:
    ///   - name: a terminal that ncurses knows.
    ///   - theme: for the number of colours of the terminal.
    init?(name: String, size: Size, glyphs: GlyphSet, theme: (_ colors: Int) -> Theme) {
        guard let frames = FrameFile() else { return nil }
        // Knowing the size beforehand, ncurses need not build everything twice.
        guard let opened = ombi_newterm(name, frames.descriptor, Int32(size.rows), Int32(size.columns)) else {
            frames.close()
            return nil
        }
        typeahead(-1)
        self.frames = frames
        self.opened = opened
        self.size = size
        // start_color succeeds without colours, too: only has_colors is reliable.
        let theme = theme(Int(ombi_colors()))
        depth = theme.depth
        cells = CellRow(palette: Palette(theme: theme), glyphs: glyphs)
    }

    func adapt(to background: Background?) -> Bool { false }

    func begin(_ size: Size) {
        self.size = size
        resizeterm(Int32(size.rows), Int32(size.columns))
        ombi_erase()
        ombi_paint_everything()
        shown = nil
        cursorIsVisible = nil
    }

    func frame(_ surface: Surface, cursor: Point?) -> [UInt8] {
        // Cells that did not change since the last surface need not go through ncurses, which compares the rest.
        for (row, changed) in surface.changes(since: shown) where row < size.rows {
            cells.put(row, changed, of: surface, columns: size.columns)
        }
        shown = surface
        place(cursor)
        ombi_refresh()
        return frames.take()
    }

    private func place(_ cursor: Point?) {
        let visible = cursor.map(Rect(size).contains) ?? false
        if visible, let cursor { ombi_move(Int32(cursor.row), Int32(cursor.column)) }
        if visible != cursorIsVisible {
            curs_set(visible ? 1 : 0)
            ombi_leave_cursor(visible ? 0 : 1)
            cursorIsVisible = visible
        }
    }

    func end() -> [UInt8] {
        endwin()
        return frames.take()
    }

    func close() {
        delscreen(opened)
        frames.close()
    }
}
