/// JSON laid out as lines, of which only the visible ones are made: a small value that finds the rows, their
/// contents and their positions, for a body of any size that may still be arriving.
///
/// It keeps the folds, the opened scalars and the line index; rows are not stored.
///
///     var tree = JSONTree(document, columns: 80)
///     while !tree.extend(limit: 100_000) {}           // line numbers, in steps
///     var row = tree.first
///     while let shown = row { draw(tree.spans(of: shown, columns: 80)); row = tree.row(after: shown) }
public struct JSONTree: Sendable {
    public private(set) var document: JSONDocument
    /// The width that opened strings are wrapped at.
    public var columns: Int {
        didSet { rest = JSONRest(document, columns: columns, lines: rest?.lines) }
    }
    /// The line index that `extend` builds. Another thread may build it on a copy of the tree, to be assigned here.
    public var index = JSONRowIndex()
    var folds = JSONFolds()
    /// The scalars shown in full.
    var opened: Set<UInt32> = []
    /// The text after the last value of broken JSON.
    var rest: JSONRest?
    /// The matches of a query, when only they are shown.
    var matches: JSONTreeMatches?

    public init(_ document: JSONDocument, columns: Int) {
        self.document = document
        self.columns = columns
        rest = JSONRest(document, columns: columns)
    }

    /// Creates a tree of only the matches of a query, which are added as they are found.
    public init(_ document: JSONDocument, columns: Int, matches: [JSONNode]) {
        self.init(document, columns: columns)
        self.matches = JSONTreeMatches()
        append(matches: matches)
    }

    /// Adopts a newer document. Rows, folds and the line index stay as they are.
    public mutating func update(_ document: JSONDocument) {
        self.document = document
        rest = JSONRest(document, columns: columns, lines: rest?.lines)
    }

    /// Continues to count lines, a few nanoseconds for each of `limit` entries.
    /// - Returns: true when everything received is counted.
    @discardableResult
    public mutating func extend(limit: Int) -> Bool {
        let before = index.indexed
        index.extend(over: document, limit: limit)
        rest?.extend(limit: limit)
        guard index.indexed == before || index.isComplete else { return false }
        let areCounted = matches?.count(in: document, index: index, limit: limit >> 6 + 1) ?? true
        return areCounted && rest?.isIndexed ?? true
    }
}
