/// Two documents in one list of rows: what was removed and added, and a few rows around it.
public struct JSONDiffRows: Sendable {
    public let old: JSONTree
    public let new: JSONTree
    public private(set) var rows: [JSONDiffRow] = []
    /// Whether there are more than fit.
    public private(set) var isCut = false

    private let context: Int
    /// The last row of the newer document that is in the list.
    private var shown: JSONRow?
    /// The last row of the older document that is in the list.
    private var gone: JSONRow?

    /// - Parameters:
    ///   - changes: As `JSONDiff` found them.
    ///   - context: How many rows around a change are shown.
    ///   - limit: How many rows there are at most, or a few more.
    public init(
        old: JSONDocument, new: JSONDocument, changes: [JSONChange], columns: Int, context: Int = 3,
        limit: Int = 20_000
    ) {
        self.old = Self.indexed(JSONTree(old, columns: columns))
        self.new = Self.indexed(JSONTree(new, columns: columns))
        self.context = max(0, context)
        for change in changes {
            guard rows.count < limit else {
                isCut = true
                break
            }
            add(change, limit: limit)
        }
        if let shown { follow(shown, until: nil) }
    }

    private static func indexed(_ tree: JSONTree) -> JSONTree {
        var tree = tree
        while !tree.extend(limit: .max >> 8) {}
        return tree
    }

    /// What a row shows: a sign and the row of the document.
    public func spans(of row: JSONDiffRow, columns: Int) -> [TextSpan] {
        let sign: String
        switch row.side {
        case .same: sign = "  "
        case .removed: sign = "- "
        case .added: sign = "+ "
        case .gap:
            let place = new.byte(of: row.row)
            let text = Bytes("\u{22EF} \(new.shortPath(of: row.row) ?? "")".utf8)
            let all = 0..<text.count
            let style = [StyledRange(all, .comment)]
            return SpanBuilder.spans(of: all, in: text, columns: columns, styles: style).map {
                TextSpan(text: $0.text, style: $0.style, range: place..<place, columns: $0.columns)
            }
        }
        let tree = row.side == .removed ? old : new
        let rest = tree.spans(of: row.row, columns: max(0, columns - 2))
        guard columns > 1 else { return [] }
        let place = tree.byte(of: row.row)
        return [TextSpan(text: sign, style: .punctuation, range: place..<place, columns: 2)] + rest
    }
}

/// Making the list.
extension JSONDiffRows {
    private mutating func add(_ change: JSONChange, limit: Int) {
        var (oldNode, newNode) = (change.old, change.new)
        // In a container on one line the line changes.
        if let oldParent = change.oldParent, let newParent = change.newParent,
            old.document.isOneLine(oldParent.index) || new.document.isOneLine(newParent.index)
        {
            (oldNode, newNode) = (oldParent, newParent)
        }
        let newFirst = newNode.flatMap(new.row(of:))
        let oldFirst = oldNode.flatMap(old.row(of:))
        let isKnown =
            newFirst.map { first in shown.map { first <= $0 } ?? false }
            ?? oldFirst.map { first in gone.map { first <= $0 } ?? false }
        if isKnown == true { return }
        approach(newFirst, behind: newFirst == nil ? anchor(of: change) : nil)
        if let oldFirst { gone = append(oldFirst, .removed, old, limit) }
        if let newFirst { shown = append(newFirst, .added, new, limit) }
    }

    /// The last row in the newer document before one that was removed.
    private func anchor(of change: JSONChange) -> JSONRow? {
        if let before = change.newBefore.flatMap(new.row(of:)) { return last(of: before, in: new) }
        return change.newParent.flatMap(new.row(of:))
    }

    /// The row in which a value ends that a row begins.
    private func last(of row: JSONRow, in tree: JSONTree) -> JSONRow {
        let document = tree.document
        guard let node = row.node, document.isSpread(node.index), !document.isUnfinished(node) else { return row }
        let end = document.after(node.index) - 1
        return JSONRow(value: node.index, part: .end, depth: row.depth, entry: end)
    }

    private mutating func append(_ first: JSONRow, _ side: JSONDiffRow.Side, _ tree: JSONTree, _ limit: Int) -> JSONRow
    {
        let end = last(of: first, in: tree)
        var row = first
        rows.append(JSONDiffRow(side: side, row: row))
        while row < end, let next = tree.row(after: row) {
            guard rows.count < limit else {
                isCut = true
                return end
            }
            rows.append(JSONDiffRow(side: side, row: next))
            row = next
        }
        return row
    }

    /// Shows the rows around, from what is shown on: before `row`, or up to `behind`.
    private mutating func approach(_ row: JSONRow?, behind: JSONRow?) {
        let stop = row ?? behind.flatMap(new.row(after:))
        if let shown, follow(shown, until: stop) { return }
        var before: [JSONRow] = []
        var next = row.map(new.row(before:)) ?? behind
        while let current = next, before.count < context, shown.map({ $0 < current }) ?? true {
            before.append(current)
            next = new.row(before: current)
        }
        if let next, shown.map({ $0 < next }) ?? true, let first = before.last ?? row ?? behind {
            rows.append(JSONDiffRow(side: .gap, row: first))
        }
        rows += before.reversed().map { JSONDiffRow(side: .same, row: $0) }
        shown = before.first ?? shown
    }

    /// Shows a few rows behind; true when `stop` was come to.
    @discardableResult
    private mutating func follow(_ row: JSONRow, until stop: JSONRow?) -> Bool {
        var last = row
        for _ in 0..<context {
            guard let next = new.row(after: last) else { return stop == nil }
            if next == stop { return true }
            rows.append(JSONDiffRow(side: .same, row: next))
            last = next
            shown = next
        }
        return new.row(after: last) == stop
    }
}
