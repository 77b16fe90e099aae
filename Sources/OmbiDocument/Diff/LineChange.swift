/// Lines of one text and the lines that replace them in another. One of the ranges may be empty.
public struct LineChange: Sendable, Equatable {
    public var old: Range<Int>
    public var new: Range<Int>

    public init(old: Range<Int>, new: Range<Int>) {
        self.old = old
        self.new = new
    }
}
