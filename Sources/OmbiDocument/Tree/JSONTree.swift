/// JSON laid out as lines, of which only the visible ones are made: a small value that finds the rows, their
/// contents and their positions, for a body of any size that may still be arriving.
///
/// It keeps the folds, the opened scalars and the line index; rows are not stored.
///
///     var tree = JSONTree(document, columns: 80)
///     while !tree.extend(limit: 100_000) {}           // line numbers, in steps
///     var row = tree.first
///     while let shown = row { draw(tree.spans(of: shown, columns: 80)); row = tree.row(after: shown) }
package struct JSONTree: Sendable {
    package private(set) var document: JSONDocument
    /// The width that opened strings are wrapped at.
    package var columns: Int {
        didSet { rest = JSONRest(document, columns: columns, lines: rest?.lines) }
    }
    /// The line index that `extend` builds. Another thread may build it on a copy of the tree, to be assigned here.
    package var index = JSONRowIndex()
    var folds = JSONFolds()
    /// The scalars shown in full.
    var opened: Set<UInt32> = []
    /// The text after the last value of broken JSON.
    var rest: JSONRest?
    /// The matches of a query, when only they are shown.
    var matches: JSONTreeMatches?

    package init(_ document: JSONDocument, columns: Int) {
        self.document = document
        self.columns = columns
        rest = JSONRest(document, columns: columns)
    }

    /// Creates a tree of only the matches of a query, which are added as they are found.
    package init(_ document: JSONDocument, columns: Int, matches: [JSONNode]) {
        self.init(document, columns: columns)
        self.matches = JSONTreeMatches()
        append(matches: matches)
    }

    /// Adopts a newer document. Rows, folds and the line index stay as they are.
    package mutating func update(_ document: JSONDocument) {
        self.document = document
        rest = JSONRest(document, columns: columns, lines: rest?.lines)
    }

    /// Continues to count lines, a few nanoseconds for each of `limit` entries.
    /// - Returns: true when everything received is counted.
    @discardableResult
    package mutating func extend(limit: Int) -> Bool {
        let before = index.indexed
        index.extend(over: document, limit: limit)
        rest?.extend(limit: limit)
        guard index.indexed == before || index.isComplete else { return false }
        let areCounted = matches?.count(in: document, index: index, limit: limit >> 6 + 1) ?? true
        return areCounted && rest?.isIndexed ?? true
    }
}

/// Line numbers of the whole tree unfolded, from 0, as `JSONWriter` writes it. Folding changes none of them, and all
/// rows of an opened string have the number of the first.
extension JSONTree {
    /// Returns the line of a row; nil until `extend` has got that far.
    package func lineNumber(of row: JSONRow) -> Int? {
        if row.isBehind { return lineNumber(ofRowBehind: row) }
        guard let line = index.lines(before: row.index, in: document) else { return nil }
        guard let matches else { return line }
        guard Int(row.match) < matches.entries.count,
            let start = index.lines(before: Int(matches.entries[Int(row.match)]), in: document)
        else { return nil }
        return matches.line(of: Int(row.match), in: document, index).map { $0 + line - start }
    }

    private func lineNumber(ofRowBehind row: JSONRow) -> Int? {
        guard let rest, index.isComplete, let lines = matches.map(\.lineCount) ?? index.lineCount else { return nil }
        if row.part == .error { return lines }
        guard rest.isIndexed || row.offset - rest.start <= rest.lines.indexed else { return nil }
        return lines + 1 + rest.lines.line(at: row.offset - rest.start, in: rest.layout.bytes)
    }

    /// The number of lines; nil until they are counted.
    package var rowCount: Int? {
        guard index.isComplete, let lines = matches.map(\.lineCount) ?? index.lineCount else { return nil }
        guard let rest else { return lines }
        guard matches == nil, !rest.layout.bytes.isEmpty else { return lines + 1 }
        return rest.isIndexed ? lines + 1 + rest.lines.lineCount(in: rest.layout.bytes) : nil
    }

    /// Returns the row that shows a line, or the row it is folded into; nil if there is none or `extend` has not
    /// reached it.
    package func row(atLine line: Int) -> JSONRow? {
        guard line >= 0 else { return nil }
        if let matches {
            if let (match, inner) = matches.match(atLine: line, in: document, index) {
                return row(atLine: inner, ofMatch: match)
            }
            return line == matches.lineCount ? rest.map { JSONRow(behind: .error, offset: $0.error.offset) } : nil
        }
        if let entry = index.entry(atLine: line, in: document) { return row(ofEntry: entry, match: 0) }
        guard index.isComplete, let rest, line >= index.lineCount else { return nil }
        if line == index.lineCount { return JSONRow(behind: .error, offset: rest.error.offset) }
        return rest.lines.start(of: line - index.lineCount - 1, in: rest.layout.bytes)
            .flatMap { $0 < rest.layout.bytes.count ? rest.row(atByte: rest.start + $0) : nil }
    }

    private func row(atLine line: Int, ofMatch match: Int) -> JSONRow? {
        guard let matches else { return nil }
        let entry = Int(matches.entries[match])
        // An element of a container on one line begins no line of the whole tree.
        if line == 0 { return row(ofEntry: entry, match: UInt32(truncatingIfNeeded: match)) }
        guard let start = index.lines(before: entry, in: document) else { return nil }
        return index.entry(atLine: start + line, in: document)
            .flatMap { row(ofEntry: $0, match: UInt32(truncatingIfNeeded: match)) }
    }

    private func row(ofEntry entry: Int, match: UInt32) -> JSONRow? {
        guard document.isEnd(entry) else { return row(of: JSONNode(entry), match: match) }
        let container = JSONNode(Int(document.link(entry)))
        guard let row = row(of: container, match: match), row.node == container, !isFolded(row) else {
            return row(of: container, match: match)
        }
        return JSONRow(value: container.index, part: .end, depth: row.depth, match: match, entry: entry)
    }
}

extension JSONTree {
    /// Returns the spans of a row, cut to `columns` columns. A row that does not fit ends in `…`.
    /// - Parameter matches: Byte ranges of the body to mark, in order.
    package func spans(of row: JSONRow, columns: Int, matches: [ByteRange] = []) -> [TextSpan] {
        var builder = JSONRowBuilder(tree: self, row: row, columns: columns, matches: matches)
        let spans = builder.build()
        guard builder.isCut, columns > 0 else { return spans }
        builder = JSONRowBuilder(tree: self, row: row, columns: columns - 1, matches: matches)
        let rest = builder.build()
        let end = rest.last?.range.upperBound ?? byte(of: row)
        return rest + [TextSpan(text: "\u{2026}", style: .comment, range: end..<end, columns: 1)]
    }

    /// Returns the number of columns left for the scalar of a row, after its indentation and key.
    func scalarColumns(of row: JSONRow) -> Int {
        var builder = JSONRowBuilder(
            tree: self, row: JSONRow(value: row.index, depth: row.depth, match: row.match), columns: columns,
            matches: [])
        builder.head()
        return columns - builder.column
    }
}

/// Long strings and numbers, which are cut unless they are opened.
extension JSONTree {
    /// Returns true if the row does not show its whole value, or could be cut again.
    package func isOpenable(_ row: JSONRow) -> Bool {
        guard let node = row.node, document.contains(node), document.isScalar(node.index) else { return false }
        return isOpened(node) || !isShownWhole(row, node)
    }

    private func isShownWhole(_ row: JSONRow, _ node: JSONNode) -> Bool {
        let range = document.range(of: node)
        let columns = scalarColumns(of: row) - (hasComma(after: node.index, depth: row.depth) ? 1 : 0)
        let end = ColumnReader(bytes: document.bytes).advance(
            .init(offset: range.lowerBound, column: 0), toOffset: range.upperBound, toColumn: max(0, columns),
            end: range.upperBound)
        return end.offset == range.upperBound
    }

    func hasComma(after index: Int, depth: Int) -> Bool {
        depth > 0 && document.value(document.after(index)) != nil
    }

    package func isOpened(_ node: JSONNode) -> Bool { opened.contains(node.position) }

    /// Shows a whole long scalar, over as many rows as it takes.
    package mutating func open(_ node: JSONNode) {
        if document.contains(node), document.isScalar(node.index) { opened.insert(node.position) }
    }

    /// Cuts the scalar again.
    package mutating func close(_ node: JSONNode) { opened.remove(node.position) }

    /// Returns the lines of an opened scalar, in the width to the right of its key; nil if it is not opened.
    private func layout(of row: JSONRow) -> (layout: TextLayout, start: Int)? {
        guard let node = row.node, row.part == .value || row.part == .piece, isOpened(node), document.contains(node)
        else { return nil }
        let range = document.range(of: node)
        let layout = TextLayout(
            bytes: document.bytes[range], lines: LineIndex(), columns: max(8, scalarColumns(of: row) - 1))
        return (layout, range.lowerBound)
    }

    func piece(after row: JSONRow) -> JSONRow? {
        guard let (layout, start) = layout(of: row) else { return nil }
        let line = 0..<layout.bytes.count
        let current = layout.row(at: row.part == .piece ? row.offset - start : 0, of: line)
        return current.endsLine ? nil : piece(row, at: start + current.range.upperBound)
    }

    func piece(before row: JSONRow) -> JSONRow? {
        guard let (layout, start) = layout(of: row), row.offset > start else { return piece(row, at: nil) }
        let above = layout.row(at: row.offset - start - 1, of: 0..<layout.bytes.count)
        return piece(row, at: above.startsLine ? nil : start + above.range.lowerBound)
    }

    /// Returns the row of an opened scalar that shows a byte of it.
    func piece(at offset: Int, of row: JSONRow) -> JSONRow {
        guard let (layout, start) = layout(of: row) else { return row }
        let found = layout.row(at: offset - start, of: 0..<layout.bytes.count)
        return piece(row, at: found.startsLine ? nil : start + found.range.lowerBound)
    }

    func lastPiece(of row: JSONRow) -> JSONRow { piece(at: .max >> 1, of: row) }

    /// Returns the bytes that a row of an opened scalar shows; nil when it is not opened.
    func pieceRange(of row: JSONRow) -> ByteRange? {
        guard let (layout, start) = layout(of: row) else { return nil }
        let range = layout.row(at: row.part == .piece ? row.offset - start : 0, of: 0..<layout.bytes.count).range
        return start + range.lowerBound..<start + range.upperBound
    }

    private func piece(_ row: JSONRow, at offset: Int?) -> JSONRow {
        JSONRow(
            value: row.index, part: offset == nil ? .value : .piece, depth: row.depth, match: row.match,
            offset: offset ?? 0)
    }
}

extension JSONTree {
    /// The number of siblings compared on each side, so that a page of an object with a million members is not slow.
    private static let reach = 128

    /// Returns true if another member of the object has the same key, among the nearest 128 on each side.
    package func hasDuplicateKey(_ node: JSONNode) -> Bool {
        guard let key = document.keyBytes(of: node) else { return false }
        var forward: Int? = node.index
        var backward: Int? = node.index
        for _ in 0..<Self.reach {
            forward = forward.flatMap { document.value(document.after($0)) }
            backward = backward.flatMap { document.previousSibling($0) }
            if forward == nil, backward == nil { return false }
            if let forward, isSame(key, forward) { return true }
            if let backward, isSame(key, backward) { return true }
        }
        return false
    }

    private func isSame(_ key: ByteRange, _ other: Int) -> Bool {
        if !document.hasEscapedKeys {
            let name = document.bytes(in: key).unquoted
            return document.hasKey(other, name, needsEscape: false)
        }
        var decoder = JSONStringDecoder(document.bytes(in: key), replacesSurrogates: false)
        return decoder.decode() == document.decodedKey(other)
    }
}

/// Copying and saving.
extension JSONTree {
    /// Returns a writer of everything, folded or not: the document, or the matches.
    package func writer(form: JSONWriter.Form) -> JSONWriter {
        JSONWriter(document, tops, form: form)
    }

    /// Returns a writer of the rows from one through another that is not above it, a portion at a time.
    package func writer(from first: JSONRow, through last: JSONRow) -> JSONRowWriter {
        JSONRowWriter(self, from: first, through: last)
    }
}
