import OmbiDocument

/// Splits a text into glyphs and makes it safe on the way (see `ScalarClass`). It goes by scalars and not by
/// `Character`s, because that is how terminals count columns: one `Character` of Hindi may need two cells.
package struct Glyphs<Text: StringProtocol>: Sequence, IteratorProtocol {
    private var scalars: Text.UnicodeScalarView.Iterator
    private var pending: Unicode.Scalar?

    package init(_ text: Text) {
        scalars = text.unicodeScalars.makeIterator()
        pending = scalars.next()
    }

    package mutating func next() -> Glyph? {
        guard let first = pending else { return nil }
        pending = scalars.next()
        var glyph = Self.start(with: first)
        while let scalar = pending, attach(scalar, to: &glyph) {
            pending = scalars.next()
        }
        return glyph
    }

    private static func start(with scalar: Unicode.Scalar) -> Glyph {
        switch ScalarClass(scalar) {
        case .printable(let width): Glyph(scalar: scalar, width: width)
        case .skinTone: Glyph(scalar: scalar, width: 2)
        case .unprintable(let picture): Glyph(scalar: picture, width: 1)
        case .mark: Glyph(scalar: "\u{25CC}", width: 1, marks: [scalar])
        case .selector, .joiner: Glyph(scalar: "\u{FFFD}", width: 1)
        }
    }

    /// Attaches the scalar to the glyph, as a mark or by leaving it out. Returns false when it begins a glyph of its
    /// own.
    private func attach(_ scalar: Unicode.Scalar, to glyph: inout Glyph) -> Bool {
        if scalar.value < 0x300 { return false }
        switch ScalarClass(scalar) {
        case .mark:
            if glyph.marks.count < Glyph.maximumMarks { glyph.marks.append(scalar) }
            return true
        case .selector: return true
        case .joiner: return glyph.scalar.properties.isEmoji && glyph.scalar.value > 0xFF
        case .skinTone: return glyph.scalar.properties.isEmojiModifierBase
        case .printable, .unprintable: return false
        }
    }
}
