/// Navigation from value to value.
extension JSONDocument {
    /// The first value that is in no container. The other roots are its siblings.
    package var firstRoot: JSONNode? { count > 0 ? JSONNode(0) : nil }

    /// The values that are in no container, the last of which may be unfinished.
    package var roots: JSONSiblings { JSONSiblings(document: self, first: firstRoot) }

    /// Returns true if `node` is a value of this document.
    @inline(__always)
    package func contains(_ node: JSONNode) -> Bool { value(node.index) != nil }

    /// Returns the kind of `node`; `null` for a node of another document. O(1)
    package func kind(of node: JSONNode) -> JSONKind {
        contains(node) ? JSONKind(firstByte: firstByte(node.index)) : .null
    }

    /// Returns true if `node` is a container whose end has not come, or never comes because of an error. O(1)
    package func isUnfinished(_ node: JSONNode) -> Bool { isOpen(node.index) }

    /// O(1)
    package func firstChild(of node: JSONNode) -> JSONNode? {
        contains(node) ? firstChild(node.index).map(JSONNode.init) : nil
    }

    /// O(1), in an unfinished container O(depth).
    package func lastChild(of node: JSONNode) -> JSONNode? {
        contains(node) ? lastChild(node.index).map(JSONNode.init) : nil
    }

    /// O(1), however large `node` is.
    package func nextSibling(of node: JSONNode) -> JSONNode? {
        contains(node) ? value(after(node.index)).map(JSONNode.init) : nil
    }

    /// O(1), however large the sibling is.
    package func previousSibling(of node: JSONNode) -> JSONNode? {
        contains(node) ? previousSibling(node.index).map(JSONNode.init) : nil
    }

    /// Returns the next value in document order: the first child, or else the next sibling of `node` or of the nearest
    /// container that has one. At most O(depth)
    package func next(after node: JSONNode) -> JSONNode? {
        guard contains(node) else { return nil }
        var index = node.index + 1
        while index < count, isEnd(index) { index += 1 }
        return index < count ? JSONNode(index) : nil
    }

    /// Returns the previous value in document order: the previous sibling or the last value in it, or the container.
    /// At most O(depth)
    package func previous(before node: JSONNode) -> JSONNode? {
        guard contains(node) else { return nil }
        var index = node.index - 1
        while index >= 0, isEnd(index) { index -= 1 }
        return index >= 0 ? JSONNode(index) : nil
    }

    /// Returns the container of `node`; nil for a root. O(siblings before it)
    package func parent(of node: JSONNode) -> JSONNode? { location(of: node)?.parent }

    /// Returns the container of `node` and the number of siblings before it; nil for a root. O(siblings before it)
    package func location(of node: JSONNode) -> (parent: JSONNode, index: Int)? {
        guard contains(node) else { return nil }
        var (index, position) = (node.index, 0)
        while let before = previousSibling(index) { (index, position) = (before, position + 1) }
        return index > 0 ? (JSONNode(index - 1), position) : nil
    }

    /// Returns the containers around `node`, outermost first. O(siblings before it and before each of them)
    package func ancestors(of node: JSONNode) -> [JSONNode] {
        Array(
            sequence(state: node) { node in
                guard let parent = parent(of: node) else { return nil }
                node = parent
                return parent
            }
        ).reversed()
    }

    /// Returns the values in `node`, in order.
    package func children(of node: JSONNode) -> JSONSiblings {
        JSONSiblings(document: self, first: firstChild(of: node))
    }

    /// Returns what `make` returns for each value in `node`, in order, without nil.
    @inlinable
    package func elements<Element>(of node: JSONNode, _ make: (JSONNode) -> Element?) -> [Element] {
        var elements: [Element] = []
        elements.reserveCapacity(childCount(of: node))
        var next = firstChild(of: node)
        while let child = next {
            if let element = make(child) { elements.append(element) }
            next = nextSibling(of: child)
        }
        return elements
    }

    /// Returns the number of values in `node`. O(children)
    package func childCount(of node: JSONNode) -> Int {
        var (count, next) = (0, firstChild(of: node)?.index)
        while let index = next { (count, next) = (count + 1, value(after(index))) }
        return count
    }

    /// Returns the child at `position`, from 0. O(position)
    package func child(at position: Int, of node: JSONNode) -> JSONNode? {
        guard position >= 0, var index = firstChild(of: node)?.index else { return nil }
        for _ in 0..<position {
            guard let next = value(after(index)) else { return nil }
            index = next
        }
        return JSONNode(index)
    }

    /// Returns the innermost value at a byte of the body: a key belongs to its member, the bytes between values to
    /// their container. nil outside of all roots. O(log values), and the siblings before it for a byte between values
    package func node(atByte target: Int) -> JSONNode? {
        guard target >= 0, target < byteCount, count > 0 else { return nil }
        // Offsets grow with indices.
        let behind = (0..<count).partitioningIndex { offset($0) > target }
        if behind < count, let next = value(behind), let key = keyBytes(of: JSONNode(next)), key.lowerBound <= target {
            return JSONNode(next)
        }
        return behind > 0 ? enclosing(behind - 1, byte: target) : nil
    }

    private func enclosing(_ index: Int, byte target: Int) -> JSONNode? {
        if isEnd(index) {
            let container = JSONNode(Int(link(index)))
            return target == offset(index) ? container : parent(of: container)
        }
        let node = JSONNode(index)
        if !isScalar(index) || target < range(of: node).upperBound { return node }
        return parent(of: node)
    }
}

/// Consecutive values of the same container, or roots. Nothing is materialized.
package struct JSONSiblings: Sequence, IteratorProtocol, Sendable {
    private let document: JSONDocument
    private var upcoming: Int?

    init(document: JSONDocument, first: JSONNode?) {
        self.document = document
        upcoming = first?.index
    }

    package mutating func next() -> JSONNode? {
        guard let index = upcoming else { return nil }
        upcoming = document.value(document.after(index))
        return JSONNode(index)
    }
}

/// Values to write or query one after another: the roots of a document, or the matches of a query. Nothing is copied.
package struct JSONTops: Sequence, IteratorProtocol, Sendable {
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

    package mutating func next() -> JSONNode? {
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
