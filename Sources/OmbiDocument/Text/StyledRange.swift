/// A style for some bytes. Lists of them are in order and do not overlap; the bytes between are plain.
public struct StyledRange: Sendable, Equatable {
    public var range: ByteRange
    public var style: TextStyle

    public init(_ range: ByteRange, _ style: TextStyle) {
        self.range = range
        self.style = style
    }
}
