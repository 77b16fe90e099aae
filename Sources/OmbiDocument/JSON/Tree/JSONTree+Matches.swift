extension JSONTree {
    /// Whether only matches of a query are shown.
    public var isFiltered: Bool { matches != nil }

    /// How many matches are shown.
    public var matchCount: Int { matches?.entries.count ?? 0 }

    /// Whether both show the same matches in the same order, or both all of a document.
    public func hasSameMatches(as other: JSONTree) -> Bool { matches?.entries == other.matches?.entries }

    /// Shows more matches behind the last; nothing in a tree of everything. Where they are not in the order of the body,
    /// which of them shows a byte is found out each time there are twice as many, and in `orderMatches`.
    public mutating func append(matches nodes: [JSONNode]) {
        let document = document
        matches?.append(nodes.lazy.filter { document.contains($0) }, in: document)
    }

    /// Finds out for all matches which of them shows a byte. To be done once there are no more: in the worst case they
    /// are sorted.
    public mutating func orderMatches() {
        let document = document
        matches?.order(in: document)
    }

    /// Takes in what another tree has learned, which shows the same matches or more of them, and perhaps more of the
    /// same body. Folds stay as they are.
    public mutating func update(_ other: JSONTree) {
        update(other.document)
        index = other.index
        matches = other.matches
    }

    /// The first part of the body behind an offset that matches show: the outermost one that ends behind it.
    public func matchRange(endingAfter offset: Int) -> ByteRange? {
        matches?.range(endingAfter: offset, in: document)
    }

    /// The values that are in nothing else that is shown: the roots, or the matches.
    public var tops: JSONTops { matches.map { JSONTops($0.entries, of: document) } ?? JSONTops(document) }
}

extension JSONPathMatches {
    /// The next values, at most `limit`: a step of an evaluation that goes on later. Fewer only at the end.
    public mutating func next(_ limit: Int) -> [JSONNode] {
        var nodes: [JSONNode] = []
        while nodes.count < limit, let node = next() { nodes.append(node) }
        return nodes
    }
}
