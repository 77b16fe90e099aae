extension JSONDiff {
    /// The maximum bytes of a value in an excerpt.
    private static let maximumExcerpt = 120
    /// The maximum depth of a value whose own path is written; a deeper one is named by a container around it.
    private static let maximumDepth = 200

    /// Returns the changes by their paths, in the order of the newer document; nil when cancelled.
    /// - Parameter limit: The number of changes after which it stops.
    public static func valueChanges(
        from old: JSONDocument, to new: JSONDocument, ignoring ignored: [JSONPath] = [], limit: Int = 1000,
        isCancelled: () -> Bool = { false }
    ) -> [JSONValueChange]? {
        let changes = changes(from: old, to: new, ignoring: ignored, limit: limit, isCancelled: isCancelled)
        let (oldTree, newTree) = (JSONTree(old, columns: 80), JSONTree(new, columns: 80))
        return changes.map { changes in
            changes.map { change in
                let (tree, node) = change.new.map { (newTree, $0) } ?? (oldTree, change.old ?? JSONNode(0))
                return JSONValueChange(
                    kind: change.kind,
                    path: change.depth <= maximumDepth ? tree.shortPath(of: node) : "depth \(change.depth)",
                    old: change.old.map { excerpt(of: $0, in: old) }, new: change.new.map { excerpt(of: $0, in: new) })
            }
        }
    }

    /// Returns the value as sent, on one line.
    private static func excerpt(of node: JSONNode, in document: JSONDocument) -> String {
        let range = document.range(of: node)
        guard range.count > maximumExcerpt else { return oneLine(document.source(of: node)) }
        let start = range.lowerBound..<range.lowerBound + maximumExcerpt
        var text = String(decoding: document.bytes(in: start), as: UTF8.self)
        // The cut may go through a character.
        while text.hasSuffix("\u{FFFD}") { text.removeLast() }
        return oneLine(text) + "…"
    }

    /// Line breaks are between values only; those and the indentation behind them become one space.
    private static func oneLine(_ text: String) -> String {
        var (result, isBreaking) = (String.UnicodeScalarView(), false)
        for scalar in text.unicodeScalars {
            let isBreak = scalar == "\n" || scalar == "\r" || scalar == "\t"
            if isBreak, !isBreaking { result.append(" ") }
            if !isBreak, !(isBreaking && scalar == " ") { result.append(scalar) }
            isBreaking = isBreak || isBreaking && scalar == " "
        }
        return String(result)
    }
}
