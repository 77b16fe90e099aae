import OmbiDocument

/// The rows of a body, for one kind of content.
protocol ViewerRows: Sendable {
    var isEmpty: Bool { get }
    var last: ViewerPosition { get }
    /// The visible row at that position.
    func aligned(_ position: ViewerPosition) -> ViewerPosition
    /// Moves up (negative) or down by rows, as far as there are any.
    func position(_ position: ViewerPosition, movedBy rows: Int) -> ViewerPosition
    /// A row, ready to be drawn.
    func spans(at position: ViewerPosition, skipping: Int, columns: Int, finder: Finder?) -> [TextSpan]
    /// The label beside the row, and the columns of the longest label.
    func label(at position: ViewerPosition) -> String?
    var labelColumns: Int { get }
    /// The bytes that the row shows.
    func range(at position: ViewerPosition) -> ByteRange
    /// The row that shows a byte.
    func position(ofByte offset: Int) -> ViewerPosition
    /// The row with that number as its label.
    func position(ofNumber number: Int) -> ViewerPosition
    /// The location of the row for display: a path, a line, an offset in bytes.
    func path(at position: ViewerPosition) -> String?
    /// The bytes of the row's value: all of it for a folded row.
    func value(at position: ViewerPosition) -> ByteRange
    /// The value as text, for copying.
    func text(at position: ViewerPosition) -> String

    // The header, which stays while the rows scroll.
    var hasHeader: Bool { get }
    func header(skipping: Int, columns: Int, finder: Finder?) -> [TextSpan]
    /// The next stop of scrolling sideways.
    func stop(from left: Int, forward: Bool) -> Int

    // Several rows, from one through another that is not above it.
    func writer(from first: ViewerPosition, through last: ViewerPosition) -> BodyWriter
    /// The number of rows, or of lines in a text; nil when counting them would take long.
    func count(from first: ViewerPosition, through last: ViewerPosition) -> Int?
    func selects(_ position: ViewerPosition, from first: ViewerPosition, through last: ViewerPosition) -> Bool
    /// The singular noun for what is counted.
    static var noun: String { get }

    // For content that folds only.
    var folds: Bool { get }
    /// Nil where there is nothing to fold.
    func isFolded(at position: ViewerPosition) -> Bool?
    mutating func toggleFold(at position: ViewerPosition)
    /// Folds everything deeper than that many levels; nil unfolds all.
    mutating func fold(toLevel level: Int?)
    /// Unfolds the rows that hide a byte.
    mutating func reveal(byte offset: Int)
    func parent(of position: ViewerPosition) -> ViewerPosition?
    func sibling(of position: ViewerPosition, forward: Bool) -> ViewerPosition?
}

extension ViewerRows {
    /// Columns per step sideways.
    static var sideStep: Int { 8 }
    var hasHeader: Bool { false }
    func header(skipping: Int, columns: Int, finder: Finder?) -> [TextSpan] { [] }
    func stop(from left: Int, forward: Bool) -> Int { left + (forward ? 1 : -1) * Self.sideStep }
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
