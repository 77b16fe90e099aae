/// The columns and rows of a screen or a surface.
struct Size: Equatable, Sendable {
    var columns: Int
    var rows: Int
}
