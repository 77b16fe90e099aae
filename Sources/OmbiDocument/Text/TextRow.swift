/// A row of text as it stands on the screen: a line, or the part of a line that fits when long lines are wrapped.
public struct TextRow: Sendable, Equatable {
    /// Its bytes, without a line end.
    public var range: ByteRange
    /// The line that it belongs to, without the line end.
    public var line: ByteRange
    /// Whether it is the first row of its line: the place of the line number.
    public var startsLine: Bool { range.lowerBound == line.lowerBound }
    public var endsLine: Bool { range.upperBound == line.upperBound }

    public init(range: ByteRange, line: ByteRange) {
        self.range = range
        self.line = line
    }
}
