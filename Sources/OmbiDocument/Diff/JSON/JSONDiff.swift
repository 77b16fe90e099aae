/// The meaningful changes between two JSON documents: members are compared by key, wherever they are in their object;
/// elements by content, so that an inserted one is one change.
public enum JSONDiff {
    /// Returns the changes in the order of the newer document; nil when cancelled.
    /// - Parameters:
    ///   - ignored: Paths whose values are passed over in both documents, whether they are there or not.
    ///   - limit: The number of changes after which it stops: nobody reads more.
    public static func changes(
        from old: JSONDocument, to new: JSONDocument, ignoring ignored: [JSONPath] = [], limit: Int = 100_000,
        isCancelled: () -> Bool = { false }
    ) -> [JSONChange]? {
        let text = ByteHash()
        guard let oldHashes = JSONHashes(old, text: text, ignoring: ignored, isCancelled: isCancelled),
            let newHashes = JSONHashes(new, text: text, ignoring: ignored, isCancelled: isCancelled)
        else { return nil }
        var comparison = JSONComparison(old: old, new: new, oldHashes: oldHashes, newHashes: newHashes, limit: limit)
        return comparison.run(isCancelled: isCancelled)
    }
}
