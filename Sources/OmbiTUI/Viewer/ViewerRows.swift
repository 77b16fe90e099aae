import OmbiDocument

/// A body cut into the rows of one kind of content.
protocol ViewerRows: Sendable {
    var isEmpty: Bool { get }
    var last: ViewerPosition { get }
    /// The row that shows at that place.
    func aligned(_ position: ViewerPosition) -> ViewerPosition
    /// Goes up (negative) or down by rows, as far as there are any.
    func position(_ position: ViewerPosition, movedBy rows: Int) -> ViewerPosition
    /// A row, ready to be drawn.
    func spans(at position: ViewerPosition, skipping: Int, columns: Int, finder: Finder?) -> [TextSpan]
    /// What stands beside the row, and the columns that the longest of them takes.
    func label(at position: ViewerPosition) -> String?
    var labelColumns: Int { get }
    /// The bytes that the row shows.
    func range(at position: ViewerPosition) -> ByteRange
    /// The row that shows a byte.
    func position(ofByte offset: Int) -> ViewerPosition
    /// The row with that number, as it stands beside it.
    func position(ofNumber number: Int) -> ViewerPosition
    /// Where the row is, in the words of its kind.
    func path(at position: ViewerPosition) -> String?
    /// The bytes of what the row stands for: of a folded row all of it.
    func value(at position: ViewerPosition) -> ByteRange
    /// The same as text, to be copied.
    func text(at position: ViewerPosition) -> String

    // The header, which stays while the rows scroll.
    var hasHeader: Bool { get }
    func header(skipping: Int, columns: Int, finder: Finder?) -> [TextSpan]
    /// Where scrolling sideways goes next.
    func stop(from left: Int, forward: Bool) -> Int

    // Several rows, from one through another that is not above it.
    func writer(from first: ViewerPosition, through last: ViewerPosition) -> BodyWriter
    /// How many they are; nil when counting them would take long.
    func count(from first: ViewerPosition, through last: ViewerPosition) -> Int?
    func selects(_ position: ViewerPosition, from first: ViewerPosition, through last: ViewerPosition) -> Bool
    /// What one of them is called.
    static var noun: String { get }

    // What only folding content has.
    var folds: Bool { get }
    /// Nil where there is nothing to fold.
    func isFolded(at position: ViewerPosition) -> Bool?
    mutating func toggleFold(at position: ViewerPosition)
    /// Folds everything deeper than that many levels; nil unfolds all.
    mutating func fold(toLevel level: Int?)
    /// Unfolds what hides a byte.
    mutating func reveal(byte offset: Int)
    func parent(of position: ViewerPosition) -> ViewerPosition?
    func sibling(of position: ViewerPosition, forward: Bool) -> ViewerPosition?
}

extension ViewerRows {
    var hasHeader: Bool { false }
    func header(skipping: Int, columns: Int, finder: Finder?) -> [TextSpan] { [] }
    func stop(from left: Int, forward: Bool) -> Int { left + (forward ? 1 : -1) * ViewerPage.sideStep }
    func selects(_ position: ViewerPosition, from first: ViewerPosition, through last: ViewerPosition) -> Bool {
        first <= position && position <= last
    }
    static var noun: String { "row" }
    var folds: Bool { false }
    func isFolded(at position: ViewerPosition) -> Bool? { nil }
    mutating func toggleFold(at position: ViewerPosition) {}
    mutating func fold(toLevel level: Int?) {}
    mutating func reveal(byte offset: Int) {}
    func parent(of position: ViewerPosition) -> ViewerPosition? { nil }
    func sibling(of position: ViewerPosition, forward: Bool) -> ViewerPosition? { nil }
}
