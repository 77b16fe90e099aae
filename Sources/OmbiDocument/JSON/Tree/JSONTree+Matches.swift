extension JSONTree {
    /// Whether only matches of a query are shown.
    public var isFiltered: Bool { matches != nil }

    /// How many matches are shown.
    public var matchCount: Int { matches?.entries.count ?? 0 }

    /// Shows more matches behind the last; nothing in a tree of everything.
    public mutating func append(matches nodes: [JSONNode]) {
        let document = document
        matches?.append(nodes.lazy.filter { document.contains($0) })
    }
}

extension JSONPathMatches {
    /// The next values, at most `limit`: a step of an evaluation that goes on later. Fewer only at the end.
    public mutating func next(_ limit: Int) -> [JSONNode] {
        var nodes: [JSONNode] = []
        while nodes.count < limit, let node = next() { nodes.append(node) }
        return nodes
    }
}
