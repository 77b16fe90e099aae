import OmbiDocument
import OmbiTerminal

/// One evaluation of a filter, which reports the matches as they are found: a screen at once, then all so far in steps.
final class FilterJob {
    private let text: String
    private let path: JSONPath
    private let document: BodyDocument
    private let tree: JSONTree
    private let number: Int
    private let flag: CancelFlag
    private let emit: (ViewerEvent) -> Void
    /// The matches so far, as they are shown.
    private var shown: JSONTree
    private var pending: [JSONNode] = []
    private var lastReport: ContinuousClock.Instant?
    private let start = ContinuousClock.now

    /// Further matches are left out: a query can select each value many times.
    private static let maximumMatches = 1 << 24
    /// More matches than any screen has rows.
    private static let first = 256
    private static let batch = 1 << 14
    private static let interval = Duration.milliseconds(100)

    /// - Parameters:
    ///   - tree: the tree to filter: a body, or the values that another filter selected of one, each by itself.
    /// - Throws: the error in the path.
    init(
        _ text: String, _ document: BodyDocument, _ tree: JSONTree, _ number: Int, _ flag: CancelFlag,
        emit: @escaping (ViewerEvent) -> Void
    ) throws(JSONPathError) {
        path = try JSONPath(text)
        (self.text, self.document, self.tree, self.number) = (text, document, tree, number)
        (self.flag, self.emit) = (flag, emit)
        shown = JSONTree(tree.document, columns: 80, matches: [])
        shown.index = tree.index
    }

    func run() {
        var isCut = false
        // A query may read a hundred megabytes between two matches.
        let selection = JSONSelection(path, in: tree) {
            self.reportIfDue()
            return self.flag.isCancelled
        }
        for node in selection {
            isCut = shown.matchCount + pending.count >= Self.maximumMatches
            if isCut { break }
            pending.append(node)
            if pending.count >= (lastReport == nil ? Self.first : Self.batch) { reportIfDue() }
        }
        report(isCut: isCut, isDone: true)
    }

    private func reportIfDue() {
        let isDue = lastReport.map { .now - $0 >= Self.interval } ?? (pending.count >= Self.first)
        if isDue || lastReport == nil && .now - start >= Self.interval { return report(isCut: false, isDone: false) }
        if pending.count >= Self.batch { showPending() }
    }

    private func showPending() {
        shown.append(matches: pending)
        pending.removeAll(keepingCapacity: true)
    }

    private func report(isCut: Bool, isDone: Bool) {
        showPending()
        // Lines are counted and positions found here, and not while drawing.
        if isDone { shown.orderMatches() }
        while !flag.isCancelled, !shown.extend(limit: 1 << 20) {}
        guard !flag.isCancelled else { return }
        lastReport = .now
        var result = document
        result.shape = .json(shown)
        emit(.filtered(.matches(text, result, isCut: isCut, isDone: isDone), number: number))
    }
}

/// The values that a JSONPath selects, as one running text: strings as they read, other values as they were sent.
enum JoinJob {
    /// The rest of a longer text is left out.
    private static let maximumBytes = 64 << 20

    /// - Returns: nil when it was cancelled.
    /// - Throws: the error in the path.
    static func text(_ path: String, _ tree: JSONTree, _ flag: CancelFlag) throws(JSONPathError) -> BodyDocument? {
        let selection = JSONSelection(try JSONPath(path), in: tree) { flag.isCancelled }
        var bytes: [UInt8] = []
        for node in selection {
            if let text = tree.document.text(of: node) {
                bytes += Array(text.string.utf8)
            } else if !isNull(tree.document, node) {
                bytes += tree.document.bytes(in: tree.document.range(of: node))
            }
            if bytes.count > maximumBytes || flag.isCancelled { break }
        }
        return flag.isCancelled ? nil : BodyDocument(plain: Bytes(bytes))
    }

    /// A piece of a text that is null is one without text.
    private static func isNull(_ document: JSONDocument, _ node: JSONNode) -> Bool {
        document.bytes(in: document.range(of: node)).elementsEqual("null".utf8)
    }
}
