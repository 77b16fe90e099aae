/// The values that a query gives in a document of any number of roots: `$` stands for each root in turn, or for each
/// match in a tree of matches.
///
///     var selection = JSONSelection(path, in: document) { isCancelled }
///     while let nodes = selection.next(1000) { tree.append(matches: nodes) }
public struct JSONSelection: Sequence, IteratorProtocol {
    private let path: JSONPath
    private let document: JSONDocument
    private let isCancelled: (() -> Bool)?
    private var roots: JSONTops
    private var matches: JSONPathMatches?
    private var queriedCount = 0
    /// True when the iteration ended because `isCancelled` returned true.
    public private(set) var wasCancelled = false

    /// - Parameter isCancelled: Polled every few thousand values; once it returns true, there are no more matches.
    public init(_ path: JSONPath, in document: JSONDocument, isCancelled: (() -> Bool)? = nil) {
        self.init(path, document, JSONTops(document), isCancelled)
    }

    init(_ path: JSONPath, _ document: JSONDocument, _ roots: JSONTops, _ isCancelled: (() -> Bool)?) {
        self.path = path
        self.document = document
        self.roots = roots
        self.isCancelled = isCancelled
    }

    public mutating func next() -> JSONNode? {
        while !wasCancelled {
            if let node = matches?.next() { return node }
            wasCancelled = matches?.wasCancelled ?? false
            queriedCount &+= 1
            // A small root ends before its query polls.
            if queriedCount & 0x3FF == 0, isCancelled?() ?? false { wasCancelled = true }
            guard !wasCancelled, let root = roots.next() else { return nil }
            matches = path.matches(in: document, root: root, isCancelled: isCancelled)
        }
        return nil
    }

    /// Returns the next values, at most `limit`; nil at the end.
    public mutating func next(_ limit: Int) -> [JSONNode]? {
        var nodes: [JSONNode] = []
        while nodes.count < limit, let node = next() { nodes.append(node) }
        return nodes.isEmpty ? nil : nodes
    }
}
