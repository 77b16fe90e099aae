/// A row of text on the screen: a line, or the part of a line that fits when long lines are wrapped.
public struct TextRow: Sendable, Equatable {
    /// Its bytes, without a line ending.
    public var range: ByteRange
    /// Its line, without the line ending.
    public var line: ByteRange
    /// True for the first row of a line, which has the line number.
    public var startsLine: Bool { range.lowerBound == line.lowerBound }
    public var endsLine: Bool { range.upperBound == line.upperBound }

    public init(range: ByteRange, line: ByteRange) {
        self.range = range
        self.line = line
    }
}
