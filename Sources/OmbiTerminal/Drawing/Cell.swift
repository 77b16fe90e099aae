import OmbiDocument

/// One column of one row: a character, the right half of a wide one, or a piece of a picture. Eight bytes with no
/// reference in it, so that a surface copies and compares like plain memory. Combining marks are in a side table of
/// the surface.
package struct Cell: Equatable, Sendable {
    /// The scalar in the low 21 bits, the width (0, 1 or 2 columns) above it, then the flag of a piece of a picture.
    private var bits: UInt32
    package var style: Style
    /// The number of a character's marks, or the pixels of a picture.
    private var extra: UInt16

    private static let pictureBit: UInt32 = 1 << 23

    package init(_ scalar: Unicode.Scalar, width: Int = 1, style: Style = .plain, marks: UInt16 = 0) {
        bits = scalar.value | UInt32(truncatingIfNeeded: width & 3) << 21
        self.style = style
        extra = marks
    }

    /// Creates a piece of a picture.
    /// - Parameter shade: The character to show instead on a terminal with too few colours.
    package init(_ pixels: PixelPair, shade: Unicode.Scalar) {
        self.init(shade)
        bits |= Self.pictureBit
        extra = pixels.rawValue
    }

    package static let blank = Cell(" ")

    /// The right half of a wide character.
    static func continuation(style: Style) -> Cell { Cell(" ", width: 0, style: style) }

    package var scalar: Unicode.Scalar { Unicode.Scalar(bits & 0x1F_FFFF) ?? " " }
    /// Columns: 1, 2 for the left half of a wide character, 0 for its right half.
    package var width: Int { Int(bits >> 21 & 3) }
    package var isContinuation: Bool { width == 0 }
    private var isPicture: Bool { bits & Self.pictureBit != 0 }

    /// The number of the entry in the surface's table of marks; 0 is none.
    package var marks: UInt16 {
        get { isPicture ? 0 : extra }
        set { if !isPicture { extra = newValue } }
    }

    /// True for a character of ASCII without marks.
    var isPlainASCII: Bool { bits >> 7 == 1 << 14 && extra == 0 }

    /// A different number for each cell.
    var hash: Int { Int(bits) | Int(style.role.rawValue) << 32 | Int(style.traits.rawValue) << 40 | Int(extra) << 48 }

    /// Nil for characters.
    package var pixels: PixelPair? { isPicture ? PixelPair(rawValue: extra) : nil }
}

/// The content of one cell: a safe scalar, the marks on top of it, and its width in columns (1 or 2).
package struct Glyph: Equatable, Sendable {
    package var scalar: Unicode.Scalar
    package var width: Int
    package var marks: [Unicode.Scalar] = []

    /// The maximum number of marks on the scalar; more are left out.
    static let maximumMarks = 4
}

/// Two pixels, one above the other, in one cell: colours of the palette of 256.
package struct PixelPair: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// - Parameter lower: nil below the end of the picture, where the terminal's own background shows.
    package init(upper: RGB, lower: RGB?) {
        let below = lower.map(PaletteColor.nearest(to:)) ?? 0
        rawValue = UInt16(PaletteColor.nearest(to: upper)) << 8 | UInt16(below)
    }

    package var upper: UInt8 { UInt8(rawValue >> 8) }
    /// The lower pixel; nil for none. Colour 0 is not one of the fixed ones, and so can mean that.
    package var lower: UInt8? { rawValue & 0xFF == 0 ? nil : UInt8(rawValue & 0xFF) }
}

/// A piece of text in one role. Rows are made of spans.
package struct Span: Equatable, Sendable {
    package var text: String
    package var role: Role
    package var traits: Traits

    package init(text: String, role: Role, traits: Traits = []) {
        self.text = text
        self.role = role
        self.traits = traits
    }
}

/// Writes pieces of text one after the other along a row of a surface, and stops at its end.
package struct Pen {
    package let rect: Rect
    package private(set) var column: Int

    package init(_ rect: Rect) {
        self.rect = rect
        column = rect.column
    }

    package var left: Int { max(0, rect.column + rect.columns - column) }

    /// Writes as much of the text as fits, leaving `keeping` columns free for what follows.
    package mutating func write(
        _ text: String, _ style: Style = Style(.plain), on surface: inout Surface, keeping reserve: Int = 0
    ) {
        guard left > reserve else { return }
        column += surface.write(
            text, at: Point(column: column, row: rect.row), style: style, limit: left - reserve)
    }

    package mutating func write(_ spans: [Span], on surface: inout Surface) {
        for span in spans { write(span.text, Style(span.role, span.traits), on: &surface) }
    }

    package mutating func skip(_ columns: Int) {
        column += min(columns, left)
    }

    package mutating func skip(to target: Int) {
        column = min(max(column, rect.column + target), rect.column + rect.columns)
    }
}

extension String {
    /// The text padded with spaces to `columns`.
    package func padded(to columns: Int) -> String {
        self + String(repeating: " ", count: max(0, columns - TextWidth.of(self)))
    }

    /// The text with spaces in front, up to `columns`.
    package func leftPadded(to columns: Int) -> String {
        String(repeating: " ", count: max(0, columns - TextWidth.of(self))) + self
    }
}

/// The width of a text on the screen, after it has been made safe.
package enum TextWidth {
    /// The columns of one scalar: 0 for a mark on the preceding one, or for one that is left out after it.
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

/// The position of the cut, and of `…`, in a text that is too long.
package enum Truncation: Sendable {
    case tail, head, middle
    /// Cut at the end with no mark.
    case none
}
