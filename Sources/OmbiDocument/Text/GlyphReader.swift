/// Reads text by the units that take cells on the screen: a scalar with the marks on top of it, a tab, a replacement
/// for something that must not be drawn. It groups by scalars and not by `Character`s, because that is how terminals
/// count columns.
struct GlyphReader {
    enum Kind: Equatable {
        case plain
        /// Plain, but some of its bytes are left out: it is not drawn by copying them.
        case reduced
        case tab
        /// A control character, a control of the direction of writing, an invisible or unassigned scalar.
        case control
        /// Bytes that are not UTF-8.
        case invalid
    }

    struct Glyph: Equatable {
        var kind: Kind
        /// In columns. A tab extends to the next stop.
        var width: Int
        var end: Int
    }

    let bytes: Bytes

    /// The maximum number of marks drawn in one cell; more are left out.
    static let maximumMarks = 4
    /// The length in bytes at which a glyph takes no more scalars.
    static let maximumBytes = 64

    /// Returns the glyph that starts at an offset below `end`.
    @inline(__always)
    func glyph(at offset: Int, before end: Int) -> Glyph {
        let first = bytes.base[offset]
        if first &- 0x20 <= 0x5E, offset + 1 >= end || bytes.base[offset + 1] < 0x80 {
            return Glyph(kind: .plain, width: 1, end: offset + 1)
        }
        return uncommon(at: offset, before: end)
    }

    private func uncommon(at offset: Int, before end: Int) -> Glyph {
        let (value, length) = UTF8Reader.scalar(in: bytes, at: offset, before: end)
        if value == UTF8Reader.invalid { return Glyph(kind: .invalid, width: 1, end: offset + length) }
        if value == 0x09 { return Glyph(kind: .tab, width: 1, end: offset + 1) }
        var glyph = Glyph(kind: .plain, width: 1, end: offset + length)
        var marks = 0
        switch ScalarTable.code(of: value) {
        case 1: break
        case 2, ScalarTable.skinTone: glyph.width = 2
        case ScalarTable.mark:
            glyph.kind = .reduced
            marks = 1
        default: glyph.kind = .control
        }
        while glyph.end < end, glyph.end - offset < Self.maximumBytes, Self.mayAttach(bytes.base[glyph.end]) {
            guard attach(to: &glyph, base: value, marks: &marks, before: end) else { break }
        }
        return glyph
    }

    /// Returns true if a scalar that begins with this byte can belong to the one before it: there are marks from U+0300
    /// on, but none among Greek, Cyrillic and the Chinese characters.
    @inline(__always)
    private static func mayAttach(_ byte: UInt8) -> Bool {
        byte >= 0xCC && !(byte >= 0xCE && byte <= 0xD1) && !(byte >= 0xE4 && byte <= 0xE9)
    }

    /// Takes the next scalar into the glyph if it belongs to it, as a mark or to be left out.
    private func attach(to glyph: inout Glyph, base: UInt32, marks: inout Int, before end: Int) -> Bool {
        let (value, length) = UTF8Reader.scalar(in: bytes, at: glyph.end, before: end)
        guard value != UTF8Reader.invalid else { return false }
        switch ScalarTable.code(of: value) {
        case ScalarTable.mark:
            marks += 1
            if marks > Self.maximumMarks, glyph.kind == .plain { glyph.kind = .reduced }
        case ScalarTable.selector: if glyph.kind == .plain { glyph.kind = .reduced }
        case ScalarTable.joiner:
            guard base > 0xFF, Unicode.Scalar(base)?.properties.isEmoji == true else { return false }
            if glyph.kind == .plain { glyph.kind = .reduced }
        case ScalarTable.skinTone:
            guard Unicode.Scalar(base)?.properties.isEmojiModifierBase == true else { return false }
            if glyph.kind == .plain { glyph.kind = .reduced }
        default: return false
        }
        glyph.end += length
        return true
    }

    /// Returns the text drawn for a glyph that is not plain and not a tab.
    func text(of glyph: Glyph, at offset: Int) -> String {
        var scalars = String.UnicodeScalarView()
        var marks = 0
        var position = offset
        while position < glyph.end {
            let (value, length) = UTF8Reader.scalar(in: bytes, at: position, before: glyph.end)
            let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
            let isFirst = position == offset
            position += length
            switch ScalarClass(scalar) {
            case .unprintable(let picture): scalars.append(picture)
            case .printable: scalars.append(scalar)
            case .mark:
                if isFirst { scalars.append("\u{25CC}") }
                marks += 1
                if marks <= Self.maximumMarks { scalars.append(scalar) }
            case .selector, .joiner: if isFirst { scalars.append("\u{FFFD}") }
            case .skinTone: if isFirst { scalars.append(scalar) }
            }
        }
        return String(scalars)
    }
}

/// Measures text in terminal columns.
package struct ColumnReader {
    /// A position in a line: an offset at the start of a glyph, and the columns before it.
    package struct Position: Equatable, Sendable {
        package var offset: Int
        package var column: Int

        package init(offset: Int, column: Int) {
            self.offset = offset
            self.column = column
        }
    }

    let glyphs: GlyphReader
    let tabWidth: Int

    package init(bytes: Bytes, tabWidth: Int = 8) {
        glyphs = GlyphReader(bytes: bytes)
        self.tabWidth = max(1, tabWidth)
    }

    func width(of glyph: GlyphReader.Glyph, at column: Int) -> Int {
        glyph.kind == .tab ? tabWidth - column % tabWidth : glyph.width
    }

    /// Advances by whole glyphs while neither the offset nor the column is passed. Returns the last position within
    /// both. `end` is the end of the line.
    package func advance(_ position: Position, toOffset: Int, toColumn: Int, end: Int) -> Position {
        var position = position
        let end = min(end, glyphs.bytes.count)
        while position.offset < end, position.column < toColumn, position.offset < toOffset {
            if let next = plainRun(position, toOffset: min(toOffset, end), toColumn: toColumn, end: end) {
                position = next
                continue
            }
            let glyph = glyphs.glyph(at: position.offset, before: end)
            let column = position.column + width(of: glyph, at: position.column)
            guard glyph.end <= toOffset, column <= toColumn else { break }
            position = Position(offset: glyph.end, column: column)
        }
        return position
    }

    /// Skips printable ASCII, at one column per byte, except for a last letter that may carry a mark.
    @inline(__always)
    private func plainRun(_ position: Position, toOffset: Int, toColumn: Int, end: Int) -> Position? {
        let bytes = glyphs.bytes
        guard bytes.base[position.offset] &- 0x20 <= 0x5E else { return nil }
        let left = toColumn - position.column
        let limit = toOffset - position.offset > left ? position.offset + left : toOffset
        var stop = ByteScan.firstNotPlain(in: bytes, position.offset..<limit) ?? limit
        if stop < end, bytes.base[stop] >= 0x80 { stop -= 1 }
        guard stop > position.offset else { return nil }
        return Position(offset: stop, column: position.column + stop - position.offset)
    }
}
