/// The position of a value in a `JSONDocument`: four bytes, and valid in every later document of the same index. Nodes
/// compare in document order, in which a container comes before its contents.
public struct JSONNode: Hashable, Comparable, Sendable {
    /// Increases in document order, with gaps.
    public let position: UInt32

    @inline(__always) init(_ index: Int) { position = UInt32(truncatingIfNeeded: index) }

    @inline(__always) var index: Int { Int(position) }

    public static func < (left: JSONNode, right: JSONNode) -> Bool { left.position < right.position }
}
