/// A piece of a row, ready to draw: safe text in one style.
public struct TextSpan: Sendable, Equatable {
    /// No control characters, no tabs, nothing that changes the direction of writing: it can be drawn as it is.
    public var text: String
    public var style: TextStyle
    /// True for a part of a search match.
    public var isMatch: Bool
    /// The bytes that the text represents.
    public var range: ByteRange
    /// The cells that the text takes.
    public var columns: Int

    public init(text: String, style: TextStyle, isMatch: Bool = false, range: ByteRange, columns: Int) {
        self.text = text
        self.style = style
        self.isMatch = isMatch
        self.range = range
        self.columns = columns
    }
}
