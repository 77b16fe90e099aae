/// Long strings and numbers, which are cut unless they are opened.
extension JSONTree {
    /// Returns true if the row does not show its whole value, or could be cut again.
    public func isOpenable(_ row: JSONRow) -> Bool {
        guard let node = row.node, document.contains(node), document.isScalar(node.index) else { return false }
        return isOpened(node) || !isShownWhole(row, node)
    }

    private func isShownWhole(_ row: JSONRow, _ node: JSONNode) -> Bool {
        let range = document.range(of: node)
        let columns = scalarColumns(of: row) - (hasComma(after: node.index, depth: row.depth) ? 1 : 0)
        let end = ColumnReader(bytes: document.bytes, tabWidth: 8).advance(
            .init(offset: range.lowerBound, column: 0), toOffset: range.upperBound, toColumn: max(0, columns),
            end: range.upperBound)
        return end.offset == range.upperBound
    }

    func hasComma(after index: Int, depth: Int) -> Bool {
        depth > 0 && document.value(document.after(index)) != nil
    }

    public func isOpened(_ node: JSONNode) -> Bool { opened.contains(node.position) }

    /// Shows a whole long scalar, over as many rows as it takes.
    public mutating func open(_ node: JSONNode) {
        if document.contains(node), document.isScalar(node.index) { opened.insert(node.position) }
    }

    /// Cuts the scalar again.
    public mutating func close(_ node: JSONNode) { opened.remove(node.position) }

    /// Returns the lines of an opened scalar, in the width left beside its key; nil when it is not opened.
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

    /// Returns the last row of a scalar.
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
