/// Writes rows of a `JSONTree` in portions, as they are laid out, a line each: indented from the outermost on, strings
/// and numbers in full and as sent, folded containers written out. It steps from row to row and stores none of them.
public struct JSONRowWriter: Sendable {
    private let tree: JSONTree
    private let last: JSONRow
    /// The row to write next, or being written.
    private var row: JSONRow?
    /// The depth of the outermost row; nil before the first portion.
    private var outermost: Int?
    /// The unwritten part of the row's value.
    private var value: JSONWriter?

    init(_ tree: JSONTree, from first: JSONRow, through last: JSONRow) {
        self.tree = tree
        self.last = last
        row = first <= last ? first : nil
    }

    private var document: JSONDocument { tree.document }

    /// Returns the next portion, of `size` bytes or some more; the last one may be shorter. nil at the end.
    public mutating func next(_ size: Int = 1 << 16) -> [UInt8]? {
        var portion: [UInt8] = []
        while portion.count < size, let row {
            let outermost = self.outermost ?? Self.outermost(tree, from: row, through: last)
            self.outermost = outermost
            if value != nil {
                value?.write(to: &portion, size)
            } else {
                begin(row, depth: min(row.depth - outermost, JSONWriter.maximumIndentedDepth), &portion)
            }
            if value?.isDone ?? true { end(row, &portion) }
        }
        return portion.isEmpty ? nil : portion
    }

    private mutating func begin(_ row: JSONRow, depth: Int, _ portion: inout [UInt8]) {
        switch row.part {
        case .error: return
        case .raw: portion += tree.rest.map { document.bytes.array($0.range(of: row)) } ?? []
        case .end:
            portion.append(contentsOf: repeatElement(0x20, count: 2 * depth))
            portion.append(document.firstByte(row.index))
        case .value, .piece:
            guard let node = row.node, document.contains(node) else { return }
            portion.append(contentsOf: repeatElement(0x20, count: 2 * depth))
            if let key = document.keyBytes(of: node) {
                portion.append(contentsOf: document.bytes(in: key))
                portion += [UInt8(ascii: ":"), 0x20]
            }
            if document.isSpread(node.index), !tree.isFolded(row) {
                portion.append(document.firstByte(node.index))
            } else {
                value = JSONWriter(document, node, depth: depth)
            }
        }
    }

    /// Ends the line, and moves on.
    private mutating func end(_ row: JSONRow, _ portion: inout [UInt8]) {
        value = nil
        if let node = row.node {
            let isWhole = row.part == .end || !document.isSpread(node.index) || tree.isFolded(row)
            if isWhole, tree.hasComma(after: node.index, depth: row.depth) { portion.append(UInt8(ascii: ",")) }
        }
        if row.part != .error { portion.append(0x0A) }
        // A long string that is opened was written with its first row.
        let isScalar = row.node.map { document.isScalar($0.index) } ?? false
        let next = tree.row(after: isScalar && row.part != .end ? tree.lastPiece(of: row) : row)
        self.row = next.flatMap { $0 <= last ? $0 : nil }
    }

    /// Returns the depth of the outermost of some rows: the first one, or the end of a container around it.
    private static func outermost(_ tree: JSONTree, from first: JSONRow, through last: JSONRow) -> Int {
        guard !first.isBehind, !last.isBehind, first.match == last.match else { return 0 }
        var outermost = first
        while let parent = tree.parent(of: outermost), !tree.document.isOpen(parent.index),
            tree.document.after(parent.index) - 1 <= last.index
        {
            outermost = parent
        }
        return outermost.depth
    }
}
