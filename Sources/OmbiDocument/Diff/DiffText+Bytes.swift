/// Comparison of binary bodies.
extension DiffText {
    /// Shows the first byte that differs, in its row of each body.
    /// - Returns: Its offset; nil when the bodies are equal.
    @discardableResult
    public mutating func addBytes(from old: Bytes, to new: Bytes) -> Int? {
        guard let offset = old.firstDifference(from: new) else { return nil }
        count = 1
        add("@@ byte \(offset), the first that differs, of \(old.count) and \(new.count)")
        endLine()
        for (sign, bytes) in [(UInt8(ascii: "-"), old), (UInt8(ascii: "+"), new)] {
            let row = HexLayout.spans(row: offset / HexLayout.rowSize, in: bytes)
            guard !row.isEmpty else { continue }
            add(sign)
            add(row.map(\.text).joined())
            endLine()
        }
        return offset
    }
}
