/// Writes changes, and the rows around them, going down the newer document.
struct JSONDiffWriter {
    let old: JSONTree
    let new: JSONTree
    var text: DiffText
    /// The row of the newer document below those that were written or skipped; nil at the end.
    private var next: JSONRow?
    /// The values of the last change; nil before the first.
    private var last: (old: JSONNode?, new: JSONNode?)?

    init(old: JSONTree, new: JSONTree, text: DiffText) {
        self.old = old
        self.new = new
        self.text = text
        next = new.first
    }

    mutating func add(_ change: JSONChange) {
        text.count += 1
        var (left, right, depth) = (change.old, change.new, change.depth)
        // In a container on one line, all changes are one change of that line.
        if let oldParent = change.oldParent, let newParent = change.newParent,
            old.document.isOneLine(oldParent.index) || new.document.isOneLine(newParent.index)
        {
            (left, right, depth) = (oldParent, newParent, depth - 1)
        }
        if let last, last == (left, right) { return }
        let oldRow = left.map { JSONRow(value: $0.index, depth: depth) }
        let newRow = right.map { JSONRow(value: $0.index, depth: depth) }
        let path = newRow.map { (new, $0) } ?? oldRow.map { (old, $0) }
        goOn(to: newRow ?? rowBehind(change), position: path)
        last = (left, right)
        let firstDifferences = firstDifferences(left, right)
        text.beginDifference()
        if let oldRow { _ = write(oldRow, UInt8(ascii: "-"), old, around: firstDifferences?.old) }
        if let newRow { next = write(newRow, UInt8(ascii: "+"), new, around: firstDifferences?.new) }
    }

    /// Writes the rows below the last change.
    mutating func finish() {
        guard last != nil else { return }
        for row in rows(before: nil, limit: text.context) { addLine(row, 0x20, new) }
    }

    // MARK: From change to change

    /// Returns the row after the former position of a removed value.
    private func rowBehind(_ change: JSONChange) -> JSONRow? {
        if let before = change.newBefore {
            return new.row(after: end(of: JSONRow(value: before.index, depth: change.depth), in: new))
        }
        guard let parent = change.newParent else { return new.first }
        return new.row(after: JSONRow(value: parent.index, depth: change.depth - 1))
    }

    /// Writes the rows between the last change and a row, nil being the end: all of them if they are few, otherwise
    /// some below the one and above the other.
    private mutating func goOn(to row: JSONRow?, position: (tree: JSONTree, row: JSONRow)?) {
        if last != nil {
            let between = rows(before: row, limit: 2 * text.context + 1)
            let isLittle = between.count <= 2 * text.context
            for row in isLittle ? between[...] : between.prefix(text.context) { addLine(row, 0x20, new) }
            next = row
            if isLittle { return }
        }
        if let position { addHead(position.tree, position.row) }
        var above: [JSONRow] = []
        var current = if let row { new.row(before: row) } else { new.last }
        while let row = current, above.count < text.context {
            above.append(row)
            current = new.row(before: row)
        }
        for row in above.reversed() { addLine(row, 0x20, new) }
        next = row
    }

    private func rows(before end: JSONRow?, limit: Int) -> [JSONRow] {
        var rows: [JSONRow] = []
        var current = next
        while let row = current, row != end, rows.count < limit {
            rows.append(row)
            current = new.row(after: row)
        }
        return rows
    }

    private func end(of row: JSONRow, in tree: JSONTree) -> JSONRow {
        guard tree.document.isSpread(row.index) else { return row }
        return JSONRow(value: row.index, part: .end, depth: row.depth, entry: tree.document.after(row.index) - 1)
    }

    private func firstDifferences(_ left: JSONNode?, _ right: JSONNode?) -> (old: Int, new: Int)? {
        guard let left, let right, old.document.isScalar(left.index), new.document.isScalar(right.index) else {
            return nil
        }
        return DiffText.firstDifferences(
            old.document.range(of: left), of: old.document.bytes, new.document.range(of: right), of: new.document.bytes)
    }
}

/// Lines.
extension JSONDiffWriter {
    /// The maximum depth of a row with a path: a deeper path would be longer than its value, and take as long.
    private static let maximumSteps = 1000

    /// Adds a path as the tree shows it: `$.users[3]`.
    private mutating func addHead(_ tree: JSONTree, _ row: JSONRow) {
        guard row.depth <= Self.maximumSteps, let path = tree.shortPath(of: row) else {
            text.add("@@ depth \(GroupedNumber.text(row.depth))")
            return text.endLine()
        }
        let position = Bytes(path.utf8)
        text.add("@@ ")
        text.add(0..<position.count, of: position, around: 0)
        text.endLine()
    }

    /// Writes a value from its first row on.
    /// - Returns: The row below it.
    private mutating func write(_ first: JSONRow, _ sign: UInt8, _ tree: JSONTree, around position: Int?) -> JSONRow? {
        let end = end(of: first, in: tree)
        addLine(first, sign, tree, around: position)
        var last = first
        while last != end, !text.isFull, let row = tree.row(after: last) {
            addLine(row, sign, tree)
            last = row
        }
        return tree.row(after: end)
    }

    private mutating func addLine(_ row: JSONRow, _ sign: UInt8, _ tree: JSONTree, around position: Int? = nil) {
        guard let node = row.node else { return }
        let document = tree.document
        text.add(sign)
        text.add(blanks: 2 * min(row.depth, JSONWriter.maximumIndentedDepth))
        if row.part == .end {
            text.add(document.firstByte(row.index))
        } else {
            addValue(node, document, around: position)
        }
        let isEnd = row.part == .end || !document.isSpread(node.index)
        if isEnd, tree.hasComma(after: node.index, depth: row.depth) { text.add(UInt8(ascii: ",")) }
        text.endLine()
    }

    private mutating func addValue(_ node: JSONNode, _ document: JSONDocument, around position: Int?) {
        if let key = document.keyBytes(of: node) {
            text.add(key, of: document.bytes, around: key.lowerBound)
            text.add(": ")
        }
        let range = document.range(of: node)
        if document.isScalar(node.index) {
            text.add(range, of: document.bytes, around: position ?? range.lowerBound)
        } else if document.isOneLine(node.index) {
            addOneLine(node, document)
        } else {
            text.add(document.firstByte(node.index))
        }
    }

    private mutating func addOneLine(_ node: JSONNode, _ document: JSONDocument) {
        let end = document.after(node.index) - 1
        text.add(document.firstByte(node.index))
        for element in node.index + 1..<end {
            if element > node.index + 1 { text.add(", ") }
            text.add(document.range(of: JSONNode(element)), of: document.bytes)
        }
        text.add(document.firstByte(end))
    }
}
