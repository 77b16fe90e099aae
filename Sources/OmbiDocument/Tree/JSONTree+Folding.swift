/// Folding containers and opening long scalars.
extension JSONTree {
    /// Returns true if the value of the row can be folded, or is folded.
    public func isFoldable(_ row: JSONRow) -> Bool {
        guard let node = row.node, document.contains(node) else { return false }
        return document.isSpread(node.index) && document.firstChild(node.index) != nil
    }

    public func isFolded(_ row: JSONRow) -> Bool {
        guard let node = row.node, document.contains(node) else { return false }
        return isFolded(node.index, depth: row.depth)
    }

    func isFolded(_ index: Int, depth: Int) -> Bool {
        folds.isFolded(index, depth: depth) && document.isSpread(index) && document.firstChild(index) != nil
    }

    /// Folds or unfolds the container that the row begins or ends.
    /// - Returns: The row that shows its beginning.
    @discardableResult
    public mutating func toggle(_ row: JSONRow) -> JSONRow {
        guard isFoldable(row), let node = row.node else { return row }
        folds.toggle(node.index)
        return JSONRow(value: node.index, depth: row.depth, match: row.match)
    }

    /// Folds the containers at a depth of `level` or more, and unfolds all others. Level 1 leaves each root with its
    /// members visible. Individual folds are forgotten.
    public mutating func fold(level: Int) { folds = JSONFolds(level: level) }

    /// Folds everything: a row for each root.
    public mutating func foldAll() { folds = JSONFolds(level: 0) }

    public mutating func unfoldAll() { folds = JSONFolds() }

    /// Unfolds the containers around `node`, so that it has a row.
    public mutating func reveal(_ node: JSONNode) {
        guard document.contains(node), let match = row(of: node)?.match else { return }
        for (depth, index) in shownBranch(to: node, match: match).dropLast().enumerated()
        where isFolded(index, depth: depth) {
            folds.toggle(index)
        }
    }

    /// Returns the visible row for a row: itself, or the one that it is folded into.
    public func visible(_ row: JSONRow) -> JSONRow? {
        guard let node = row.node else {
            guard let rest else { return last }
            return row.part == .error
                ? JSONRow(behind: .error, offset: rest.error.offset) : rest.row(atByte: row.offset)
        }
        guard let shown = self.row(of: node, match: row.match) ?? self.row(of: node) else { return nil }
        if row.part == .end, shown.node == node, shown.match == row.match, !document.isOneLine(node.index),
            !isFolded(shown),
            !document.isUnfinished(node)
        {
            return row
        }
        return row.part == .piece && shown.node == node && isOpened(node) ? piece(at: row.offset, of: shown) : shown
    }

    /// Returns the number of values in the container; inexact if there may be more: beyond the first thousand, values
    /// are counted only as far as the index has got.
    public func childCount(of node: JSONNode) -> (count: Int, isExact: Bool) {
        guard document.contains(node), let last = document.lastChild(node.index) else { return (0, true) }
        let isWhole = !document.isUnfinished(node)
        if let location = index.location(of: last, in: document) { return (location.position + 1, isWhole) }
        var count = 0
        var child = document.firstChild(node.index)
        while let current = child, count < 1000 {
            count += 1
            child = document.value(document.after(current))
        }
        return (count, child == nil && isWhole)
    }
}
