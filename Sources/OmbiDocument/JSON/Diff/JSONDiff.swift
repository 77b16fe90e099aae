/// What changed between two JSON documents as far as they mean something: members are compared by key, wherever they
/// are in their object; elements by what they are, so that one that was inserted is one change.
public enum JSONDiff {
    /// The changes in the order of the newer document; nil when it was cancelled.
    /// - Parameter limit: After so many changes it stops: nobody reads more.
    public static func changes(
        from old: JSONDocument, to new: JSONDocument, limit: Int = 100_000, isCancelled: () -> Bool = { false }
    ) -> [JSONChange]? {
        let text = ByteHash()
        guard let oldHashes = JSONHashes(old, text: text, isCancelled: isCancelled),
            let newHashes = JSONHashes(new, text: text, isCancelled: isCancelled)
        else { return nil }
        var comparison = JSONComparison(old: old, new: new, oldHashes: oldHashes, newHashes: newHashes, limit: limit)
        return comparison.run(isCancelled: isCancelled)
    }
}
