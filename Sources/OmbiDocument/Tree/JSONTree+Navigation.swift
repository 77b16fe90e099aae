/// Navigation from value to value, and positions of values.
extension JSONTree {
    /// Returns the row that shows a value: its own, or the row of the one-line or folded container around it. If
    /// several matches contain the value, the outermost decides. nil if it is absent, or in no match.
    package func row(of node: JSONNode) -> JSONRow? {
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

    /// Returns the values from a root or a match to `node`; empty if it is absent.
    func shownBranch(to node: JSONNode, match: UInt32) -> [Int] {
        guard document.contains(node) else { return [] }
        let branch = branch(to: node).locations.map(\.index)
        guard let matches else { return branch }
        guard Int(match) < matches.entries.count else { return [] }
        let top = Int(matches.entries[Int(match)])
        return branch.firstIndex(of: top).map { Array(branch[$0...]) } ?? []
    }

    /// Returns the row that shows a byte of the body, such as one found by searching.
    package func row(atByte offset: Int) -> JSONRow? {
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
    package func byte(of row: JSONRow) -> Int {
        switch row.part {
        case .piece, .error, .raw: row.offset
        case .value: row.index < document.count ? document.start(row.index) : 0
        case .end: row.index < document.count ? document.offset(row.index) : 0
        }
    }

    /// Returns the row that begins the container around a row.
    package func parent(of row: JSONRow) -> JSONRow? {
        guard row.depth > 0, let node = row.node, let parent = location(of: node.index)?.parent else { return nil }
        return JSONRow(value: parent, depth: row.depth - 1, match: row.match)
    }

    /// Returns the row of the next or the previous sibling; among matches, of the next or the previous match.
    package func sibling(of row: JSONRow, forward: Bool) -> JSONRow? {
        guard let node = row.node else { return nil }
        if row.depth == 0, let matches {
            let match = Int(row.match) + (forward ? 1 : -1)
            guard matches.entries.indices.contains(match) else { return nil }
            return JSONRow(value: Int(matches.entries[match]), depth: 0, match: UInt32(match))
        }
        let sibling = forward ? document.nextSibling(of: node) : document.previousSibling(of: node)
        return sibling.map { JSONRow(value: $0.index, depth: row.depth, match: row.match) }
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

/// Paths of values.
extension JSONTree {
    /// Returns a shorter path, itself a JSONPath: `$.names[0]`, or `#3 $.names[0]` in the third of many roots.
    package func shortPath(of row: JSONRow) -> String? {
        row.node.flatMap { document.contains($0) ? shortPath(of: $0) : nil }
    }

    package func shortPath(of node: JSONNode) -> String {
        let (root, locations) = branch(to: node)
        let start = document.nextSibling(of: JSONNode(0)) == nil ? "$" : "#\(root + 1) $"
        return locations.dropFirst().reduce(into: start) { $0 += document.shortStep(to: $1.index, at: $1.position) }
    }

    /// Returns the first value that a path selects: a JSONPath (`$.names[0]`), with or without its beginning
    /// (`names[0]`), or a path from `shortPath`. nil if it selects none.
    /// - Throws: The error in the expression.
    package func node(atPath text: String, isCancelled: (() -> Bool)? = nil) throws(JSONPathError) -> JSONNode? {
        let (number, rest) = Self.rootNumber(in: text)
        let path = try JSONPath(Self.expression(rest))
        var roots = document.roots
        for _ in 0..<number { _ = roots.next() }
        guard let root = roots.next() else { return nil }
        return path.matches(in: document, root: root, isCancelled: isCancelled).first { _ in true }
    }

    /// Returns the root that `#3` in front of a path selects, from 0, and the rest.
    private static func rootNumber(in text: String) -> (Int, Substring) {
        let text = text.drop { $0 == " " }
        guard text.first == "#" else { return (0, text) }
        let digits = text.dropFirst().prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits), number > 0 else { return (0, text) }
        return (number - 1, text.dropFirst(digits.count + 1).drop { $0 == " " })
    }

    private static func expression(_ text: Substring) -> String {
        if text.isEmpty || text == "." { return "$" }
        if text.hasPrefix("$") { return String(text) }
        return text.hasPrefix(".") || text.hasPrefix("[") ? "$" + text : "$." + text
    }
}

/// Folding containers and opening long scalars.
extension JSONTree {
    /// Returns true if the value of the row can be folded, or is folded.
    package func isFoldable(_ row: JSONRow) -> Bool {
        guard let node = row.node, document.contains(node) else { return false }
        return document.isSpread(node.index) && document.firstChild(node.index) != nil
    }

    package func isFolded(_ row: JSONRow) -> Bool {
        guard let node = row.node, document.contains(node) else { return false }
        return isFolded(node.index, depth: row.depth)
    }

    func isFolded(_ index: Int, depth: Int) -> Bool {
        folds.isFolded(index, depth: depth) && document.isSpread(index) && document.firstChild(index) != nil
    }

    /// Folds or unfolds the container that the row begins or ends.
    /// - Returns: The row that shows its beginning.
    @discardableResult
    package mutating func toggle(_ row: JSONRow) -> JSONRow {
        guard isFoldable(row), let node = row.node else { return row }
        folds.toggle(node.index)
        return JSONRow(value: node.index, depth: row.depth, match: row.match)
    }

    /// Folds the containers at a depth of `level` or more, and unfolds all others. Level 1 leaves each root with its
    /// members visible. Individual folds are forgotten.
    package mutating func fold(level: Int) { folds = JSONFolds(level: level) }

    package mutating func unfoldAll() { folds = JSONFolds() }

    /// Unfolds the containers around `node`, so that it has a row.
    package mutating func reveal(_ node: JSONNode) {
        guard document.contains(node), let match = row(of: node)?.match else { return }
        for (depth, index) in shownBranch(to: node, match: match).dropLast().enumerated()
        where isFolded(index, depth: depth) {
            folds.toggle(index)
        }
    }

    /// Returns the visible row for a row: itself, or the one that it is folded into.
    package func visible(_ row: JSONRow) -> JSONRow? {
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

    /// Returns the number of values in the container; inexact if there may be more: beyond the first thousand, only
    /// indexed values count.
    package func childCount(of node: JSONNode) -> (count: Int, isExact: Bool) {
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

/// The folded containers: all from a level on or none, and those that were toggled since.
struct JSONFolds: Sendable, Equatable {
    /// The depth from which containers are folded.
    private(set) var level: Int?
    private var toggled: Set<UInt32> = []

    init(level: Int? = nil) { self.level = level.map { max(0, $0) } }

    @inline(__always) func isFolded(_ index: Int, depth: Int) -> Bool {
        let isFoldedByLevel = level.map { depth >= $0 } ?? false
        return toggled.isEmpty
            ? isFoldedByLevel : isFoldedByLevel != toggled.contains(UInt32(truncatingIfNeeded: index))
    }

    mutating func toggle(_ index: Int) {
        let index = UInt32(truncatingIfNeeded: index)
        if toggled.remove(index) == nil { toggled.insert(index) }
    }
}
