/// The content of one cell: a safe scalar, the marks on top of it, and its width in columns (1 or 2).
package struct Glyph: Equatable, Sendable {
    package var scalar: Unicode.Scalar
    package var width: Int
    package var marks: [Unicode.Scalar] = []

    /// The marks that ncurses takes in one cell beside the scalar itself; more are left out.
    static let maximumMarks = 4
}
