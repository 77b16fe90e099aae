/// Line numbers: those of the whole tree unfolded, from 0, as `JSONWriter` writes it. A folded container has as many as
/// an unfolded one, and further rows of an opened string have that of the first.
extension JSONTree {
    /// Returns the line of a row; nil until `extend` has got that far.
    public func lineNumber(of row: JSONRow) -> Int? {
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
    public var rowCount: Int? {
        guard index.isComplete, let lines = matches.map(\.lineCount) ?? index.lineCount else { return nil }
        guard let rest else { return lines }
        guard matches == nil, !rest.layout.bytes.isEmpty else { return lines + 1 }
        return rest.isIndexed ? lines + 1 + rest.lines.lineCount(in: rest.layout.bytes) : nil
    }

    /// Returns the row that shows a line, or the one that it is folded into. nil when there is none, or `extend` has
    /// not got that far.
    public func row(atLine line: Int) -> JSONRow? {
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
