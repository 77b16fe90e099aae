/// JSON laid out as lines of which only those in sight are made: a value of a few words that answers which row comes
/// after which, what is in it, and where it is, for a body of any size that may still be arriving.
///
/// What is folded, opened and known of line numbers is in it; the rows themselves are in nobody's memory.
///
///     var tree = JSONTree(document, columns: 80)
///     while !tree.extend(limit: 100_000) {}           // in steps, in between: line numbers
///     var row = tree.first
///     while let shown = row { draw(tree.spans(of: shown, columns: 80)); row = tree.row(after: shown) }
public struct JSONTree: Sendable {
    public private(set) var document: JSONDocument
    /// The width that opened strings are wrapped at.
    public var columns: Int {
        didSet { rest = JSONRest(document, columns: columns, lines: rest?.lines) }
    }
    /// What has been found out in `extend`. It may be made by another thread, on a copy of the tree, and be put here.
    public var index = JSONRowIndex()
    var folds = JSONFolds()
    /// The scalars that are shown whole.
    var opened: Set<UInt32> = []
    /// The text behind the last value of broken JSON.
    var rest: JSONRest?
    /// The values that a query gave, when only they are shown.
    var matches: JSONTreeMatches?

    public init(_ document: JSONDocument, columns: Int) {
        self.document = document
        self.columns = columns
        rest = JSONRest(document, columns: columns)
    }

    /// A tree of nothing but matches of a query, which are added as they are found.
    public init(_ document: JSONDocument, columns: Int, matches: [JSONNode]) {
        self.init(document, columns: columns)
        self.matches = JSONTreeMatches()
        append(matches: matches)
    }

    /// Takes in what has come since. Rows, folds and the index of lines stay as they are.
    public mutating func update(_ document: JSONDocument) {
        self.document = document
        rest = JSONRest(document, columns: columns, lines: rest?.lines)
    }

    /// Goes on counting lines, a few nanoseconds for each of `limit` entries.
    /// - Returns: Whether all that has come is counted.
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
