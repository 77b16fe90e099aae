/// Steps from row to row. Each reads the tape once or twice, at any position.
extension JSONTree: RowStepping {
    package var first: JSONRow? {
        guard let matches else {
            return document.count > 0 ? JSONRow(value: 0, depth: 0) : firstBehind
        }
        return matches.entries.first.map { JSONRow(value: Int($0), depth: 0) } ?? firstBehind
    }

    package var last: JSONRow? {
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
    package func row(after row: JSONRow) -> JSONRow? {
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
    package func row(before row: JSONRow) -> JSONRow? {
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

/// A row of a `JSONTree`: a position that stays valid while more of the body arrives, and while other rows are folded.
/// Rows compare in the order in which they are shown.
package struct JSONRow: Hashable, Comparable, Sendable {
    /// The part of its value that a row shows.
    package enum Part: UInt8, Sendable {
        /// A scalar, a container on one line, a folded container, or the beginning of one.
        case value
        /// A further row of a long scalar that is opened.
        case piece
        /// The closing bracket of a container.
        case end
        /// The syntax error and its position.
        case error
        /// A line of the text after the error.
        case raw
    }

    package let part: Part
    /// The number of containers around the row.
    package let depth: Int
    /// The index of its match, in a tree of matches.
    let match: UInt32
    /// The index of its entry in the tape; for a closing bracket, of the closing entry.
    let entry: UInt32
    /// The index of its value.
    private let value: UInt32
    /// The offset of a piece, an error or a raw row in the body.
    let offset: Int

    /// The value that the row shows or ends; nil after the last value.
    package var node: JSONNode? { isBehind ? nil : JSONNode(Int(value)) }

    /// True for a row of the text after the last value.
    var isBehind: Bool { part == .error || part == .raw }
    var index: Int { Int(entry) }

    init(value: Int, part: Part = .value, depth: Int, match: UInt32 = 0, entry: Int? = nil, offset: Int = 0) {
        self.part = part
        self.depth = depth
        self.match = match
        self.entry = UInt32(truncatingIfNeeded: entry ?? value)
        self.value = UInt32(truncatingIfNeeded: value)
        self.offset = offset
    }

    /// Creates a row after all values.
    init(behind part: Part, offset: Int) {
        self.init(value: .max, part: part, depth: 0, match: .max, offset: offset)
    }

    package static func < (left: JSONRow, right: JSONRow) -> Bool {
        if left.match != right.match { return left.match < right.match }
        if left.entry != right.entry { return left.entry < right.entry }
        if left.part != right.part { return left.part.rawValue < right.part.rawValue }
        return left.offset < right.offset
    }

    package static func == (left: JSONRow, right: JSONRow) -> Bool {
        left.match == right.match && left.entry == right.entry && left.part == right.part
            && left.offset == right.offset
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(match)
        hasher.combine(entry)
        hasher.combine(part)
        hasher.combine(offset)
    }
}

/// The position of a value: its container, its index in it, and its depth.
struct JSONLocation: Sendable, Equatable {
    /// The index of the container; nil for a root.
    var parent: Int?
    /// The number of siblings before the value.
    var position: Int
    /// The number of containers around the value.
    var depth: Int
}
