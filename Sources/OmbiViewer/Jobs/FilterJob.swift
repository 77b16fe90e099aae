import OmbiDocument
import OmbiTerminal

/// One evaluation of a filter, which reports the matches as they are found: a screen at once, then all so far in steps.
final class FilterJob {
    private let text: String
    private let path: JSONPath
    private let document: BodyDocument
    private let asked: JSONTree
    private let number: Int
    private let flag: CancelFlag
    private let emit: (ViewerEvent) -> Void
    /// The matches so far, as they are shown.
    private var shown: JSONTree
    private var pending: [JSONNode] = []
    private var told: ContinuousClock.Instant?
    private let start = ContinuousClock.now

    /// Further matches are left out: a query can select each value many times.
    private static let maximumMatches = 1 << 24
    /// More matches than any screen has rows.
    private static let first = 256
    private static let batch = 1 << 14
    private static let interval = Duration.milliseconds(100)

    /// - Parameters:
    ///   - asked: the tree to filter: a body, or the values that another filter selected of one, each by itself.
    ///   - number: the number of the query.
    /// - Throws: the error in the path.
    init(
        _ text: String, _ document: BodyDocument, _ asked: JSONTree, _ number: Int, _ flag: CancelFlag,
        emit: @escaping (ViewerEvent) -> Void
    ) throws(JSONPathError) {
        path = try JSONPath(text)
        (self.text, self.document, self.asked, self.number) = (text, document, asked, number)
        (self.flag, self.emit) = (flag, emit)
        shown = JSONTree(asked.document, columns: 80, matches: [])
        shown.index = asked.index
    }

    func run() {
        var isCut = false
        // A query may read a hundred megabytes between two matches.
        let selection = JSONSelection(path, in: asked) {
            self.tellIfDue()
            return self.flag.isCancelled
        }
        for node in selection {
            isCut = shown.matchCount + pending.count >= Self.maximumMatches
            if isCut { break }
            pending.append(node)
            if pending.count >= (told == nil ? Self.first : Self.batch) { tellIfDue() }
        }
        tell(isCut: isCut, isDone: true)
    }

    private func tellIfDue() {
        let isDue = told.map { .now - $0 >= Self.interval } ?? (pending.count >= Self.first)
        if isDue || told == nil && .now - start >= Self.interval { return tell(isCut: false, isDone: false) }
        if pending.count >= Self.batch { take() }
    }

    private func take() {
        shown.append(matches: pending)
        pending.removeAll(keepingCapacity: true)
    }

    private func tell(isCut: Bool, isDone: Bool) {
        take()
        // Lines are counted and positions found here, and not while drawing.
        if isDone { shown.orderMatches() }
        while !flag.isCancelled, !shown.extend(limit: 1 << 20) {}
        guard !flag.isCancelled else { return }
        told = .now
        var result = document
        result.shape = .json(shown)
        emit(.filtered(.matches(text, result, isCut: isCut, isDone: isDone), number: number))
    }
}
