/// Steps from row to row. Each reads the tape once or twice, at any position.
extension JSONTree: RowStepping {
    public var first: JSONRow? {
        guard let matches else {
            return document.count > 0 ? JSONRow(value: 0, depth: 0) : firstBehind
        }
        return matches.entries.first.map { JSONRow(value: Int($0), depth: 0) } ?? firstBehind
    }

    public var last: JSONRow? {
        if rest != nil { return (matches == nil ? rest?.last : nil) ?? firstBehind }
        return lastValueRow
    }

    private var firstBehind: JSONRow? { rest.map { JSONRow(behind: .error, offset: $0.error.offset) } }

    private var lastValueRow: JSONRow? {
        if let matches { return matches.entries.isEmpty ? nil : lastRow(ofMatch: matches.entries.count - 1) }
        return (document.open.first.map { Int($0) } ?? document.previousSibling(document.count))
            .map { lastRow(of: $0, match: 0) }
    }

    private func lastRow(ofMatch match: Int) -> JSONRow? {
        (matches?.entries[match]).map { lastRow(of: Int($0), match: UInt32(truncatingIfNeeded: match)) }
    }

    /// Returns the last row of a root or a match.
    private func lastRow(of root: Int, match: UInt32) -> JSONRow {
        guard document.isOpen(root) else {
            return row(endingAt: document.after(root) - 1, depth: 0, match: match)
        }
        let around = document.open.drop { Int($0) < root }
        for (depth, container) in around.enumerated() where isFolded(Int(container), depth: depth) {
            return JSONRow(value: Int(container), depth: depth, match: match)
        }
        let last = document.count - 1
        if document.isOpen(last) { return JSONRow(value: last, depth: around.count - 1, match: match) }
        return row(endingAt: last, depth: around.count, match: match)
    }

    /// Returns the last row of the value that ends with `entry`, a scalar or a closing entry.
    private func row(endingAt entry: Int, depth: Int, match: UInt32) -> JSONRow {
        if document.isScalar(entry) { return lastPiece(of: JSONRow(value: entry, depth: depth, match: match)) }
        let container = Int(document.link(entry))
        if document.isOneLine(container) || isFolded(container, depth: depth) {
            return JSONRow(value: container, depth: depth, match: match)
        }
        return JSONRow(value: container, part: .end, depth: depth, match: match, entry: entry)
    }

    /// Returns the row below; nil at the end.
    public func row(after row: JSONRow) -> JSONRow? {
        switch row.part {
        case .error: return matches == nil ? rest?.first : nil
        case .raw: return rest?.row(after: row)
        case .end: return step(to: row.index + 1, depth: row.depth, match: row.match)
        case .value, .piece:
            guard row.index < document.count else { return nil }
            if let piece = piece(after: row) { return piece }
            if document.isSpread(row.index), !isFolded(row.index, depth: row.depth) {
                return step(to: row.index + 1, depth: row.depth + 1, match: row.match)
            }
            return step(to: document.after(row.index), depth: row.depth, match: row.match)
        }
    }

    /// Returns the row that begins at an entry whose siblings are `depth` deep.
    private func step(to entry: Int, depth: Int, match: UInt32) -> JSONRow? {
        if let matches {
            guard Int(match) < matches.entries.count else { return nil }
            if entry >= document.after(Int(matches.entries[Int(match)])) {
                let next = Int(match) + 1
                guard next < matches.entries.count else { return firstBehind }
                return JSONRow(value: Int(matches.entries[next]), depth: 0, match: match + 1)
            }
        }
        guard entry < document.count else { return firstBehind }
        guard document.isEnd(entry) else { return JSONRow(value: entry, depth: depth, match: match) }
        return JSONRow(value: Int(document.link(entry)), part: .end, depth: depth - 1, match: match, entry: entry)
    }

    /// Returns the row above; nil at the start.
    public func row(before row: JSONRow) -> JSONRow? {
        switch row.part {
        case .error: return lastValueRow
        case .raw: return rest?.row(before: row) ?? firstBehind
        case .piece: return piece(before: row)
        case .value, .end:
            if row.part == .value, let matches, Int(row.match) < matches.entries.count,
                row.entry == matches.entries[Int(row.match)]
            {
                return row.match > 0 ? lastRow(ofMatch: Int(row.match) - 1) : nil
            }
            let before = row.index - 1
            guard before >= 0, row.index < document.count else { return nil }
            let depth = row.part == .end ? row.depth + 1 : row.depth
            if document.isContainer(before) { return JSONRow(value: before, depth: depth - 1, match: row.match) }
            return self.row(endingAt: before, depth: depth, match: row.match)
        }
    }
}
