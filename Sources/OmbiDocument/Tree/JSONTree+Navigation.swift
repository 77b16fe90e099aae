/// Navigation from value to value, and positions of values.
extension JSONTree {
    /// Returns the row that shows a value: its own, or that of the one-line or folded container around it; of several
    /// matches that hold it, that of the outermost. nil when the value is not there, or in no match.
    public func row(of node: JSONNode) -> JSONRow? {
        guard let matches else { return row(of: node, match: 0) }
        return matches.match(holding: node.index, in: document)
            .flatMap { row(of: node, match: UInt32(truncatingIfNeeded: $0)) }
    }

    func row(of node: JSONNode, match: UInt32) -> JSONRow? {
        for (depth, index) in shownBranch(to: node, match: match).enumerated() {
            let isHiding = document.isOneLine(index) || isFolded(index, depth: depth)
            if isHiding || index == node.index { return JSONRow(value: index, depth: depth, match: match) }
        }
        return nil
    }

    /// Returns the values from a root or a match to `node`; empty when it is not there.
    func shownBranch(to node: JSONNode, match: UInt32) -> [Int] {
        guard document.contains(node) else { return [] }
        let branch = branch(to: node).locations.map(\.index)
        guard let matches else { return branch }
        guard Int(match) < matches.entries.count else { return [] }
        let top = Int(matches.entries[Int(match)])
        return branch.firstIndex(of: top).map { Array(branch[$0...]) } ?? []
    }

    /// Returns the row that shows a byte of the body, such as one found by searching.
    public func row(atByte offset: Int) -> JSONRow? {
        if let rest, matches == nil, offset >= rest.start, offset < document.bytes.count {
            return rest.row(atByte: offset)
        }
        guard let node = document.node(atByte: offset), let row = row(of: node) else { return nil }
        if row.node == node, !isFolded(row), document.isSpread(node.index), !document.isUnfinished(node) {
            let end = document.after(node.index) - 1
            guard document.offset(end) == offset else { return row }
            return JSONRow(value: node.index, part: .end, depth: row.depth, match: row.match, entry: end)
        }
        return row.node == node ? piece(at: offset, of: row) : row
    }

    /// Returns the offset of the first byte of the body that a row shows.
    public func byte(of row: JSONRow) -> Int {
        switch row.part {
        case .piece, .error, .raw: row.offset
        case .value: row.index < document.count ? document.start(row.index) : 0
        case .end: row.index < document.count ? document.offset(row.index) : 0
        }
    }

    /// Returns the row that begins the container around a row.
    public func parent(of row: JSONRow) -> JSONRow? {
        guard row.depth > 0, let node = row.node, let parent = location(of: node.index)?.parent else { return nil }
        return JSONRow(value: parent, depth: row.depth - 1, match: row.match)
    }

    public func nextSibling(of row: JSONRow) -> JSONRow? {
        guard let node = row.node else { return nil }
        if row.depth == 0, let matches {
            let next = Int(row.match) + 1
            guard next < matches.entries.count else { return nil }
            return JSONRow(value: Int(matches.entries[next]), depth: 0, match: row.match + 1)
        }
        return document.nextSibling(of: node).map { JSONRow(value: $0.index, depth: row.depth, match: row.match) }
    }

    public func previousSibling(of row: JSONRow) -> JSONRow? {
        guard let node = row.node else { return nil }
        if row.depth == 0, let matches {
            guard row.match > 0, Int(row.match) <= matches.entries.count else { return nil }
            return JSONRow(value: Int(matches.entries[Int(row.match) - 1]), depth: 0, match: row.match - 1)
        }
        return document.previousSibling(of: node).map { JSONRow(value: $0.index, depth: row.depth, match: row.match) }
    }

    func location(of index: Int) -> JSONLocation? {
        if let location = self.index.location(of: index, in: document) { return location }
        guard let location = document.location(of: JSONNode(index)) else { return nil }
        return JSONLocation(parent: location.parent.index, position: location.index, depth: 0)
    }

    /// Returns the number of the root around a value, and the values from the root to it, each with the number of
    /// siblings before it. Roots are siblings of each other.
    func branch(to node: JSONNode) -> (root: Int, locations: [(index: Int, position: Int)]) {
        let locations = index.branch(to: node.index, in: document) ?? document.branch(to: node.index)
        return (locations.first?.position ?? 0, locations)
    }
}

extension JSONDocument {
    /// Returns the same branch without an index: walks over all siblings before.
    fileprivate func branch(to index: Int) -> [(index: Int, position: Int)] {
        var result: [(index: Int, position: Int)] = []
        var current = index
        while true {
            var (first, position) = (current, 0)
            while let before = previousSibling(first) { (first, position) = (before, position + 1) }
            result.append((current, position))
            guard first > 0 else { return result.reversed() }
            current = first - 1
        }
    }
}
