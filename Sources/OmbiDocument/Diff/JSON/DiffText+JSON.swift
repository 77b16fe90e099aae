/// Comparison of JSON by content.
extension DiffText {
    /// Compares two JSON documents; white space, the order of members and escapes are ignored. Each line is a row of
    /// the tree of its document.
    /// - Parameters:
    ///   - old: A tree that is indexed to its end, as is the other.
    ///   - ignored: Paths whose values are passed over.
    /// - Returns: false when cancelled.
    public mutating func add(
        from old: JSONTree, to new: JSONTree, ignoring ignored: [JSONPath] = [], isCancelled: () -> Bool = { false }
    ) -> Bool {
        guard
            let changes = JSONDiff.changes(
                from: old.document, to: new.document, ignoring: ignored, limit: Self.maximumChanges + 1,
                isCancelled: isCancelled)
        else { return false }
        var writer = JSONDiffWriter(old: old, new: new, text: self)
        for (number, change) in changes.enumerated() {
            if number & 0xFF == 0, isCancelled() { return false }
            guard number < Self.maximumChanges, !writer.text.isFull else {
                writer.text.cut()
                self = writer.text
                return true
            }
            writer.add(change)
        }
        writer.finish()
        self = writer.text
        return true
    }
}
