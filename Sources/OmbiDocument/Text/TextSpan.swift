/// A piece of a row, ready to be drawn: safe text in one style.
public struct TextSpan: Sendable, Equatable {
    /// No control characters, no tabs, nothing that turns the direction of writing: it can be drawn as it is.
    public var text: String
    public var style: TextStyle
    /// Whether it is part of something that was searched for.
    public var isMatch: Bool
    /// The bytes that it stands for.
    public var range: ByteRange
    /// The cells that it takes.
    public var columns: Int

    public init(text: String, style: TextStyle, isMatch: Bool = false, range: ByteRange, columns: Int) {
        self.text = text
        self.style = style
        self.isMatch = isMatch
        self.range = range
        self.columns = columns
    }
}
