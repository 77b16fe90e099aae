/// A cell of the screen, counted from the top left corner, which is (0, 0).
struct Point: Equatable, Sendable {
    var column: Int
    var row: Int
}
