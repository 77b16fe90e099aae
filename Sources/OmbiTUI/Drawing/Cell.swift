/// One column of one row: a character, or the right half of a wide one. Eight bytes with no reference in it, so that
/// a surface copies and compares like plain memory. Combining marks lie in a side table of the surface.
struct Cell: Equatable, Sendable {
    /// The scalar in the low 21 bits, the width (0, 1 or 2 columns) above it.
    private var bits: UInt32
    var style: Style
    /// Which entry of the surface's table of marks belongs on top; 0 is none.
    var marks: UInt16

    init(_ scalar: Unicode.Scalar, width: Int = 1, style: Style = .plain, marks: UInt16 = 0) {
        bits = scalar.value | UInt32(truncatingIfNeeded: width & 3) << 21
        self.style = style
        self.marks = marks
    }

    static let blank = Cell(" ")

    /// The right half of a wide character.
    static func continuation(style: Style) -> Cell { Cell(" ", width: 0, style: style) }

    var scalar: Unicode.Scalar { Unicode.Scalar(bits & 0x1F_FFFF) ?? " " }
    /// Columns: 1, 2 for the left half of a wide character, 0 for its right half.
    var width: Int { Int(bits >> 21) }
    var isContinuation: Bool { width == 0 }
}
