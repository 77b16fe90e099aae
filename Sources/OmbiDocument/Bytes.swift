/// A range of bytes within a body, as offsets from its start.
public typealias ByteRange = Range<Int>
