/// How many columns and rows a screen or a surface has.
struct Size: Equatable, Sendable {
    var columns: Int
    var rows: Int
}
