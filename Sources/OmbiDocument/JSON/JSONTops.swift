/// Values to write or query one after another: the roots of a document, or the matches of a query. Nothing is copied.
public struct JSONTops: Sequence, IteratorProtocol, Sendable {
    private let document: JSONDocument
    private var roots: JSONSiblings
    private let positions: [UInt32]?
    private var taken = 0

    init(_ document: JSONDocument) {
        self.document = document
        roots = document.roots
        positions = nil
    }

    init(_ positions: [UInt32], of document: JSONDocument) {
        self.document = document
        roots = document.roots
        self.positions = positions
    }

    public mutating func next() -> JSONNode? {
        guard let positions else { return roots.next() }
        while taken < positions.count {
            taken += 1
            let node = JSONNode(Int(positions[taken - 1]))
            if document.contains(node) { return node }
        }
        return nil
    }

    /// Returns the progress, from 0 to 1. `done` is that of the last value; for roots, `offset` counts instead.
    func fraction(ofLast done: Double, at offset: Int) -> Double {
        guard let positions else { return Double(offset) / Double(Swift.max(1, document.byteCount)) }
        return positions.isEmpty || taken == 0 ? 0 : (Double(taken - 1) + done) / Double(positions.count)
    }
}
