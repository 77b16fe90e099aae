/// The rows of a growing text, in blocks: a copy shares all blocks but those that change as more rows are added.
public struct MarkupNodes: RandomAccessCollection, Sendable {
    private var blocks: [[MarkupNode]] = []
    public private(set) var count = 0

    private static let shift = 14
    private static let mask = (1 << shift) - 1

    public var startIndex: Int { 0 }
    public var endIndex: Int { count }

    public internal(set) subscript(index: Int) -> MarkupNode {
        get { blocks[index >> Self.shift][index & Self.mask] }
        set { blocks[index >> Self.shift][index & Self.mask] = newValue }
    }

    mutating func append(_ node: MarkupNode) {
        if count & Self.mask == 0 {
            var block: [MarkupNode] = []
            // Most texts are small.
            if count > 0 { block.reserveCapacity(1 << Self.shift) }
            blocks.append(block)
        }
        blocks[blocks.count - 1].append(node)
        count += 1
    }
}
