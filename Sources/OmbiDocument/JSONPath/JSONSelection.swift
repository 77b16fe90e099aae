/// What a query gives in a document of any number of roots, in steps: each root is what `$` stands for in turn.
///
///     var selection = JSONSelection(path, in: document) { isCancelled }
///     while let nodes = selection.next(1000) { tree.append(matches: nodes) }
public struct JSONSelection {
    private let path: JSONPath
    private let document: JSONDocument
    private let isCancelled: (() -> Bool)?
    private var roots: JSONSiblings
    private var matches: JSONPathMatches?
    /// Whether it ended because it was cancelled.
    public private(set) var wasCancelled = false

    /// - Parameter isCancelled: Asked every few thousand values; once it says yes, there are no more matches.
    public init(_ path: JSONPath, in document: JSONDocument, isCancelled: (() -> Bool)? = nil) {
        self.path = path
        self.document = document
        self.isCancelled = isCancelled
        roots = document.roots
    }

    /// The next values, at most `limit`; nil at the end.
    public mutating func next(_ limit: Int) -> [JSONNode]? {
        var nodes: [JSONNode] = []
        while nodes.count < limit, !wasCancelled {
            if matches == nil {
                guard let root = roots.next() else { break }
                matches = path.matches(in: document, root: root, isCancelled: isCancelled)
            }
            let more = matches?.next(limit - nodes.count) ?? []
            nodes += more
            wasCancelled = matches?.wasCancelled ?? false
            if nodes.count < limit { matches = nil }
        }
        return nodes.isEmpty ? nil : nodes
    }
}
