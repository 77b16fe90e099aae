import OmbiDocument

/// The width of a text on the screen, after it has been made safe.
package enum TextWidth {
    /// Columns of one scalar by itself: 0 for a mark on the scalar before it, or a scalar that is left out after it.
    package static func of(_ scalar: Unicode.Scalar) -> Int {
        switch ScalarClass(scalar) {
        case .printable(let width): width
        case .unprintable: 1
        case .skinTone: 2
        case .mark, .selector, .joiner: 0
        }
    }

    package static func of(_ text: String) -> Int {
        // Nearly all texts, and each frame measures many.
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text.utf8.count }
        var columns = 0
        for glyph in Glyphs(text) { columns += glyph.width }
        return columns
    }
}
