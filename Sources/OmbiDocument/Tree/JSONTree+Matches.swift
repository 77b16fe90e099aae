extension JSONTree {
    /// True when only the matches of a query are shown.
    public var isFiltered: Bool { matches != nil }

    /// The number of matches shown.
    public var matchCount: Int { matches?.entries.count ?? 0 }

    /// Returns true if both show the same matches in the same order, or both all of a document.
    public func hasSameMatches(as other: JSONTree) -> Bool { matches?.entries == other.matches?.entries }

    /// Appends matches; has no effect in a tree of a whole document. If they are not in the order of the body, the
    /// lookup of matches by byte is updated each time their number has doubled, and in `orderMatches`.
    public mutating func append(matches nodes: [JSONNode]) {
        let document = document
        matches?.append(nodes.lazy.filter { document.contains($0) }, in: document)
    }

    /// Updates the lookup of matches by byte. Call it once there are no more: in the worst case it sorts them.
    public mutating func orderMatches() {
        let document = document
        matches?.order(in: document)
    }

    /// Adopts the state of another tree that shows the same matches or more of them, and perhaps more of the same body.
    /// Folds stay as they are.
    public mutating func update(_ other: JSONTree) {
        update(other.document)
        index = other.index
        matches = other.matches
    }

    /// Returns the range of the first outermost match that ends after an offset.
    public func matchRange(endingAfter offset: Int) -> ByteRange? {
        matches?.range(endingAfter: offset, in: document)
    }

    /// The top-level values: the roots, or the matches.
    public var tops: JSONTops { matches.map { JSONTops($0.entries, of: document) } ?? JSONTops(document) }
}

extension JSONPathMatches {
    /// Returns the next values, at most `limit`, fewer only at the end: a step of an evaluation that continues later.
    public mutating func next(_ limit: Int) -> [JSONNode] {
        var nodes: [JSONNode] = []
        while nodes.count < limit, let node = next() { nodes.append(node) }
        return nodes
    }
}

extension JSONSelection {
    /// Runs a query on the values that a tree shows.
    public init(_ path: JSONPath, in tree: JSONTree, isCancelled: (() -> Bool)? = nil) {
        self.init(path, tree.document, tree.tops, isCancelled)
    }
}
