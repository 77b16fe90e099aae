/// The viewer of bodies, as a value. It requests work as effects and receives the results as events, so that no body is
/// too large for the main thread.
package struct Viewer: Equatable, Sendable {
    package let id: ViewerID
    package var name = ""
    /// True for the messages of a WebSocket that is open.
    package var isConversation = false
    /// True for a document of pages with more to load.
    package var hasMorePages = false
    /// The place to take up once it has arrived; nil once that is done, and after keys that go elsewhere.
    package var start: Place?
    /// The previous response, the one to compare with when nothing is marked.
    package var before: NamedBody?
    /// True for an older body, opened from the history; `before` is then a newer one.
    package var isBeforeNewer = false
    /// The comparison to make as soon as the body is complete.
    var comparison: Comparison?
    /// The body itself; nil until its first bytes arrive.
    package private(set) var body: ViewerPage?
    /// The offset of each difference in a body that is a comparison itself.
    package var differencesOfBody: [Int] = []
    /// The results shown in place of the body: each was made from the one before, the first from the body.
    var results: [ViewerResult] = []
    var line: ViewerLine?
    var find: ViewerFind?
    package var settings: ViewerSettings
    private(set) var size: Size
    /// The reason why the rest of the body will not arrive.
    package var interruption: String?
    /// A warning about the whole body, shown above all results.
    package var caution: String?
    /// The number of the last query, which identifies results of older ones.
    private var lastNumber = 0
    /// The pending filter, command or comparison.
    private(set) var query: Query?
    var move: PendingMove?
    /// The progress of saving the body; nil when it is not being saved.
    var saving: SaveProgress?
    /// The direction of the last search.
    var goesForward = true
    /// True while the cursor stays at the end of a body that arrives.
    var isFollowing = false

    /// A body to compare with, and its side.
    struct Comparison: Equatable, Sendable {
        var other: NamedBody
        var isNewer: Bool
    }

    /// A place in a body that the next one has, too: filters, and the row under the cursor in what they select.
    package struct Place: Equatable, Sendable {
        struct Filter: Equatable, Sendable {
            var path: String
            var joins: Bool
        }

        /// The first byte of the row.
        var offset: Int
        /// Each selects from the values of the one before.
        var filters: [Filter] = []
    }

    /// A job whose result is shown in place of the body.
    struct Query: Equatable, Sendable {
        /// Identifies its results.
        let number: Int
        /// The number of results below its own.
        let depth: Int
        /// The bytes that it goes through.
        let sourceCount: Int
    }

    /// A move of the cursor whose target a job searches for. A newer one replaces the one before.
    enum PendingMove: Equatable, Sendable {
        /// To a match; `isSlow` when it is not near.
        case match(number: Int, isSlow: Bool)
        /// To the value at a path.
        case path(number: Int)
    }

    package init(id: ViewerID, settings: ViewerSettings = ViewerSettings(), size: Size = Size(columns: 80, rows: 20)) {
        self.id = id
        self.settings = settings
        self.size = size
    }

    static let maximumResults = 16

    var result: ViewerResult? { results.last }

    package var page: ViewerPage? {
        get { result?.page ?? body }
        set {
            guard let newValue else { return }
            if results.isEmpty { body = newValue } else { results[results.count - 1].page = newValue }
        }
    }

    func document(under depth: Int) -> BodyDocument {
        (depth == 0 ? body : results[depth - 1].page)?.document ?? .empty
    }

    /// True while the prompt is open, which takes all input.
    package var hasPrompt: Bool { line != nil }

    /// The parts that take keys now, nearest first.
    package var scopes: [ViewerScope] {
        if line != nil { return [.line] }
        let own: [ViewerScope] = page?.rows.folds ?? false ? [.folding, .body] : [.body]
        return page?.anchor == nil ? own : [.selecting] + own
    }

    // MARK: Layout

    package mutating func resize(to size: Size) {
        self.size = size
        resizePages()
    }

    mutating func resizePages() {
        let (rows, columns) = (pageRows, max(1, size.columns - gutter(page)))
        guard var page else { return }
        page.resize(columns: columns, page: rows)
        self.page = page
    }

    /// The columns left of the rows: numbers and a space, if they fit.
    func gutter(_ page: ViewerPage?) -> Int {
        guard settings.showsNumbers, let page, page.rows.labelColumns > 0 else { return 0 }
        let columns = page.rows.labelColumns + 1
        return columns <= size.columns / 2 ? columns : 0
    }

    /// Rows below the body: the location, or the prompt.
    var footRows: Int {
        guard line == nil else { return min(size.rows, line?.problem == nil ? 1 : 2) }
        return size.rows >= 4 ? 1 : 0
    }

    /// The rows of the note; a long one takes a second row if there is room.
    var noteRows: Int { min(noteLines.count, size.rows >= 8 ? 2 : 1) }
    var noteLines: [String] { note.map { WrappedText.lines(of: $0, columns: size.columns) } ?? [] }
    /// Rows of a table's header, which stays in place.
    var headRows: Int { page?.rows.hasHeader ?? false && size.rows - footRows - noteRows > 1 ? 1 : 0 }
    var note: String? {
        caution ?? (result == nil ? interruption ?? page?.document.note : page?.document.note)
    }
    var pageRows: Int { max(1, size.rows - footRows - noteRows - headRows) }

    // MARK: Events

    package mutating func receive(_ event: ViewerEvent) -> [ViewerEffect] {
        switch event {
        case .read(let document): return read(document)
        case .found(let range, let number): return found(range, number)
        case .looking(let number):
            if move == .match(number: number, isSlow: false) { move = .match(number: number, isSlow: true) }
        case .counted(let count, let number): if find?.query.number == number { find?.count = count }
        case .filtered(let answer, let number): return filtered(answer, number)
        case .ran(let answer, let number): return ran(answer, number)
        case .compared(let answer, let number): return compared(answer, number)
        case .located(let offset, let problem, let number): return located(offset, problem, number)
        case .saving(let progress): saving = progress
        case .notSaved(let path, let form, let reason, let exists): return askAgain(path, form, reason, exists)
        case .inputFailed(let reason): interruption = reason
        case .copied(let text, let name): return [.output(.copyText(text, named: name))]
        }
        return []
    }

    private mutating func read(_ document: BodyDocument) -> [ViewerEffect] {
        let wasComplete = body?.document.isComplete ?? false
        if body == nil {
            body = ViewerPage(document, wraps: settings.wraps)
            isFollowing = isArriving && isLog
            resizePages()
        } else {
            let rows = pageRows
            body?.grow(to: document, page: rows)
            resizePages()
        }
        goToStart()
        goToEnd()
        guard document.isComplete, !wasComplete else { return repeatFilters() }
        if let comparison { return compare(with: comparison.other, isNewer: comparison.isNewer) }
        return (results.isEmpty ? repeatSearch() : []) + repeatFilters()
    }

    /// Starts a query whose result is placed on top of `depth` others. Returns its number.
    mutating func startQuery(over depth: Int) -> Int {
        let query = Query(number: nextNumber(), depth: depth, sourceCount: document(under: depth).raw.count)
        self.query = query
        return query.number
    }

    /// Ends the query of that number. Returns nil when it is not the pending one.
    mutating func endQuery(_ number: Int) -> Query? {
        guard let query, query.number == number else { return nil }
        self.query = nil
        return query
    }

    mutating func stopQuery() -> [ViewerEffect] {
        (query, start) = (nil, nil)
        return [order(.stopQuery)]
    }

    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    func order(_ order: ViewerOrder) -> ViewerEffect { .order(order) }
}

/// Following a body that arrives: the cursor stays at its end until it is moved away.
extension Viewer {
    /// True while more may come.
    var isArriving: Bool { !(body?.document.isComplete ?? true) && interruption == nil }

    /// True for content whose newest row matters most.
    var isLog: Bool { if case .events? = body?.document.shape { true } else { false } }

    /// True for content whose filters continue while it arrives.
    static func isLive(_ document: BodyDocument) -> Bool {
        guard document.raw.count <= maximumLiveBytes else { return false }
        return if case .events = document.shape { true } else { document.kind == .jsonLines }
    }

    /// A larger body is filtered again once all of it is there.
    private static let maximumLiveBytes = 16 << 20

    mutating func toggleFollowing() -> [ViewerEffect] {
        guard isArriving else { return [.notify(.info, "All of it is here; G goes to the end")] }
        isFollowing.toggle()
        goToEnd()
        return []
    }

    /// The first byte of the row under the cursor, in the body itself.
    package var offset: Int? { body.map { $0.rows.range(at: $0.cursor).lowerBound } }

    /// The place for the viewer of the next body; nil before anything has arrived.
    package var place: Place? {
        // Filters wait where the body has nothing to select from.
        if let start, results.count < start.filters.count { return start }
        let filters = results.prefix { $0.path != nil }
        guard let page = filters.last?.page ?? body else { return start }
        return Place(
            offset: page.rows.range(at: page.cursor).lowerBound,
            filters: filters.map { Place.Filter(path: $0.path ?? "", joins: $0.isJoined) })
    }

    /// Moves the cursor to the position that it had in the previous viewer, once its filters show.
    mutating func goToStart() {
        guard query == nil, let start, results.count == start.filters.count, let page,
            page.document.raw.count > start.offset || page.document.isComplete
        else { return }
        self.start = nil
        // The body before may have been longer.
        let end = page.rows.isEmpty ? 0 : page.rows.range(at: page.rows.last).upperBound
        let rows = pageRows
        self.page?.go(toByte: min(start.offset, max(0, end - 1)), page: rows)
    }

    /// Keeps the cursor at the end, if it follows.
    mutating func goToEnd() {
        guard isFollowing, line == nil || line?.subject == .filter || line?.subject == .join else { return }
        let rows = pageRows
        page?.move(.bottom, page: rows)
    }

    /// Leaves the end when the cursor does, and follows again from there.
    mutating func followCursor() {
        guard isArriving, let page, !page.rows.isEmpty else { return }
        let isAtEnd = page.cursor >= page.rows.last
        if !isAtEnd { isFollowing = false } else if isLog { isFollowing = true }
    }
}

/// The footer's hints.
extension Viewer {
    /// The visibility of an action among the hints.
    package enum Hint: Equatable, Sendable {
        case hidden, shown
        /// Shown, with this word for its present effect.
        case named(String)
    }

    /// The footer's words for submitting and switching the option of the open prompt; nil without one.
    package var promptWords: (accept: String, option: String?)? { line.map { ($0.acceptWord, $0.optionWord) } }

    /// Returns the hint of an action on the visible content: hidden where it has no effect.
    package func hint(for action: ViewerAction) -> Hint {
        guard let page else { return .shown }
        switch action {
        case .filter: return page.document.hasPaths ? .shown : .hidden
        case .join: return isLog && page.document.hasPaths ? .shown : .hidden
        case .toggleFollowing: return isArriving ? .named(isFollowing ? "pause" : "follow") : .hidden
        case .switchMode: return page.modes.count > 1 ? .named(page.nextMode.hint) : .hidden
        case .findNext:
            if find != nil { return .shown }
            return differences.isEmpty ? .hidden : .named("next difference")
        case .compare:
            let hasOther = settings.mark != nil || results.isEmpty && before != nil
            return hasOther && !isComparison ? .shown : .hidden
        case .mark: return isComparison ? .hidden : .shown
        case .select: return page.rows.isEmpty || page.anchor != nil ? .hidden : .shown
        case .copyValue, .find, .save: return page.rows.isEmpty ? .hidden : .shown
        case .copyPath: return page.path == nil ? .hidden : .shown
        default: return .shown
        }
    }

    private var isComparison: Bool { if case .comparison? = result?.source { true } else { false } }
}
