/// The content of one cell: a safe scalar, the marks on top of it, and its width in columns (1 or 2).
struct Glyph: Equatable, Sendable {
    var scalar: Unicode.Scalar
    var width: Int
    var marks: [Unicode.Scalar] = []

    /// The marks that ncurses takes in one cell beside the scalar itself; more are left out.
    static let mostMarks = 4
}
