import OmbiDocument

/// The position of a row in a body. Positions grow downwards.
struct ViewerPosition: Comparable, Sendable {
    /// In a text the offset of the row's first byte, in everything else the index among the visible rows.
    var number: Int
    /// The row of a JSON tree, which keeps its identity while others are folded.
    var row: JSONRow?

    init(_ number: Int) { self.number = number }

    init(_ row: JSONRow) {
        number = 0
        self.row = row
    }

    static let start = ViewerPosition(0)

    static func == (left: ViewerPosition, right: ViewerPosition) -> Bool {
        left.number == right.number && left.row == right.row
    }

    static func < (left: ViewerPosition, right: ViewerPosition) -> Bool {
        if let mine = left.row, let other = right.row { return mine < other }
        return left.row == nil && right.row == nil ? left.number < right.number : left.row == nil
    }
}
