/// Measures text in terminal columns.
struct ColumnReader {
    /// A position in a line: an offset at the start of a glyph, and the columns before it.
    struct Place: Equatable, Sendable {
        var offset: Int
        var column: Int
    }

    let glyphs: GlyphReader
    let tabWidth: Int

    init(bytes: Bytes, tabWidth: Int) {
        glyphs = GlyphReader(bytes: bytes)
        self.tabWidth = max(1, tabWidth)
    }

    func width(of glyph: GlyphReader.Glyph, at column: Int) -> Int {
        glyph.kind == .tab ? tabWidth - column % tabWidth : glyph.width
    }

    /// Advances by whole glyphs while neither the offset nor the column is passed. Returns the last position within
    /// both. `end` is the end of the line.
    func advance(_ place: Place, toOffset: Int, toColumn: Int, end: Int) -> Place {
        var place = place
        let end = min(end, glyphs.bytes.count)
        while place.offset < end, place.column < toColumn, place.offset < toOffset {
            if let next = plainRun(place, toOffset: min(toOffset, end), toColumn: toColumn, end: end) {
                place = next
                continue
            }
            let glyph = glyphs.glyph(at: place.offset, before: end)
            let column = place.column + width(of: glyph, at: place.column)
            guard glyph.end <= toOffset, column <= toColumn else { break }
            place = Place(offset: glyph.end, column: column)
        }
        return place
    }

    /// Skips printable ASCII, of which a byte is a column, but not a last letter that may carry a mark.
    @inline(__always)
    private func plainRun(_ place: Place, toOffset: Int, toColumn: Int, end: Int) -> Place? {
        let bytes = glyphs.bytes
        guard bytes.base[place.offset] &- 0x20 <= 0x5E else { return nil }
        let left = toColumn - place.column
        let limit = toOffset - place.offset > left ? place.offset + left : toOffset
        var stop = ByteScan.firstNotPlain(in: bytes, place.offset..<limit) ?? limit
        if stop < end, bytes.base[stop] >= 0x80 { stop -= 1 }
        guard stop > place.offset else { return nil }
        return Place(offset: stop, column: place.column + stop - place.offset)
    }
}
