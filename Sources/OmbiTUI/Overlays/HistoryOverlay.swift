/// The runs of all requests of the workspace, the newest first, and a filter that narrows them down: what was sent in
/// the last hour. It reads a page at a time, and the next one before the cursor is at the end.
struct HistoryOverlay: Equatable, Sendable {
    private let files: [String]
    private(set) var entries: [HistoryEntry] = []
    /// The loads among the runs that are listed, with their rows.
    private(set) var loads: [LoadRow] = []
    /// All loads of the filter, the newest first.
    private var allLoads: [HistoryLoad] = []
    private(set) var position = ListPosition()
    private(set) var filter = TextField()
    /// True while the filter is typed.
    private(set) var isTyping = false
    /// The reason why the filter is not understood. Until it is, the runs before stay.
    private(set) var problem: String?
    /// The filter whose runs are listed; nil before the first answer.
    private var answered: String?
    /// The run before which the search goes on; nil once all were looked at.
    private var next: HistoryEntry.ID?
    private(set) var oldest: String?
    /// The search whose answer is awaited.
    private var asked: RunSearch?
    /// The reason why there is no answer.
    private(set) var failure: String?
    /// The run that is to be marked.
    private var marking: HistoryEntry.ID?
    /// True until the mark is removed.
    private var isUnmarking = false
    var marked: HistoryEntry.ID?
    /// The number of runs that have ended, and that number when the newest runs were asked for.
    var ended = 0
    private var askedEnded = 0
    /// The message of the program, which the list may cover, and one about the last key.
    var notice: Notice?
    private(set) var remark: Notice?

    /// Runs that are listed; older ones are found by a filter.
    static let maximumEntries = 10_000
    /// The rows below the cursor from which the next page is read.
    private static let margin = 60

    /// A load among the runs.
    struct LoadRow: Equatable, Sendable {
        var row: Int
        var load: HistoryLoad
    }

    /// A row of the list.
    enum Row: Equatable, Sendable {
        case run(HistoryEntry)
        case load(HistoryLoad)
    }

    init(files: [String]) { self.files = files }

    var scope: KeyScope { isTyping ? .filtering : .allHistory }

    var rowCount: Int { entries.count + loads.count }

    /// Nil for a row that the list does not have.
    func row(at row: Int) -> Row? {
        if let load = loads.first(where: { $0.row == row }) { return .load(load.load) }
        return entries[safe: row - loads.count { $0.row < row }].map { .run($0) }
    }

    /// The run under the cursor; nil for a load.
    var current: HistoryEntry? { if case .run(let entry)? = row(at: position.cursor) { entry } else { nil } }

    /// The load under the cursor; nil for a run.
    var currentLoad: HistoryLoad? { loads.first { $0.row == position.cursor }?.load }

    /// True until the runs of the filter are listed.
    var isWaiting: Bool { answered != text }

    /// True while older runs may match.
    var hasMore: Bool { next != nil }

    /// True where older runs than those that are listed are not read.
    var isCut: Bool { hasMore && entries.count >= Self.maximumEntries }

    private var text: String { filter.text.trimmed }

    /// False for what is done with a run, where none is listed.
    func offers(_ action: Action) -> Bool {
        switch action {
        case .accept, .batch(.chooseReplay), .response(.compareRecorded), .response(.markRecorded):
            isTyping || rowCount > 0
        default: true
        }
    }

    // MARK: Searching

    /// Returns what the history is to be asked next. A search for another filter takes the place of the one before.
    mutating func ask() -> [HistoryQuery] {
        var queries: [HistoryQuery] = []
        if let id = marking {
            marking = nil
            queries.append(.mark(id))
        }
        if let search = nextSearch {
            asked = search
            if search.before == nil { askedEnded = ended }
            queries.append(.search(search))
        }
        return queries
    }

    private var nextSearch: RunSearch? {
        guard problem == nil else { return nil }
        let newest = RunSearch(text: text, files: files)
        guard answered == text else { return asked?.text == text ? nil : newest }
        guard asked == nil else { return nil }
        if let next, !isCut, rowCount - position.cursor <= Self.margin {
            return RunSearch(text: text, files: files, before: next)
        }
        return askedEnded == ended ? nil : newest
    }

    /// Takes in a page; one of an earlier filter is none of this list.
    mutating func take(_ page: HistoryPage, of search: RunSearch) {
        guard isAwaited(search) else { return }
        if search.before != nil {
            entries += page.entries
        } else if answered == search.text, insert(page) {
            return
        } else {
            (entries, allLoads) = (page.entries, page.loads)
            position = ListPosition()
        }
        (answered, next, failure) = (search.text, page.next, nil)
        placeLoads()
        oldest = page.oldest.map(HistoryTime.local)
    }

    /// Puts the runs that were recorded since above those that are listed, and keeps the cursor on its row.
    /// - Returns: false where none is listed, others may be between them, or the newest one is gone.
    private mutating func insert(_ page: HistoryPage) -> Bool {
        guard let first = entries.first, page.next != nil || page.entries.contains(where: { $0.id == first.id })
        else { return false }
        let newer = page.entries.prefix { $0.id > first.id }
        guard newer.count < RunSearch.page else { return false }
        let current = row(at: position.cursor)
        entries.insert(contentsOf: newer, at: 0)
        allLoads = page.loads
        placeLoads()
        let place = (0..<rowCount).first { row(at: $0) == current }
        position.follow(place ?? 0)
        return true
    }

    mutating func fail(_ reason: String, of search: RunSearch) {
        guard isAwaited(search) else { return }
        (answered, next, failure, oldest) = (search.text, nil, reason, nil)
        if search.before == nil { (entries, loads, allLoads) = ([], [], []) }
    }

    /// Puts each load above the runs that are older; one that is older than all waits for the next page.
    private mutating func placeLoads() {
        loads = []
        var index = 0
        for load in allLoads {
            while let entry = entries[safe: index], entry.startedAt > load.startedAt { index += 1 }
            if index == entries.count, hasMore { break }
            loads.append(LoadRow(row: index + loads.count, load: load))
        }
    }

    private mutating func isAwaited(_ search: RunSearch) -> Bool {
        guard search == asked else { return false }
        asked = nil
        return search.text == text
    }

    // MARK: Keys

    /// Returns nil while it stays, and the use of the chosen run when it closes.
    mutating func handle(_ action: Action, in screen: Rect) -> [Action]? {
        let page = max(1, HistoryLayout(screen).list.rows)
        remark = nil
        switch action {
        case .leave: return leave()
        case .text(let edit) where isTyping: perform(edit)
        case .response(.filterHistory): isTyping = true
        case .accept where isTyping: isTyping = false
        case .accept: return use(.open)
        case .batch(.chooseReplay): return use(.replay)
        case .response(.markRecorded): mark()
        case .response(.compareRecorded): return compare()
        case .move(let movement): position.move(movement, count: rowCount, page: page)
        case .mouse(.wheel(_, let lines)): position.scroll(by: lines, count: rowCount, page: page)
        case .mouse(.click(let point)): return click(point, HistoryLayout(screen), page)
        default: break
        }
        return nil
    }

    private mutating func use(_ use: RecordedUse) -> [Action]? { chosen().map { [.app(.useRecorded($0, use))] } }

    /// Returns the run under the cursor; of a load, which has no other use, it says how to see that.
    private mutating func chosen() -> HistoryEntry? {
        if let load = currentLoad {
            remark = Notice(.info, "A load is seen by request: ombi history show \(load.name)")
        }
        return current
    }

    /// Ends the filter, or closes the list.
    private mutating func leave() -> [Action]? {
        guard isTyping || !filter.text.isEmpty else { return [] }
        (filter, isTyping, problem) = (TextField(), false, nil)
        return nil
    }

    private mutating func perform(_ edit: TextEdit) {
        if case .insert(let text) = edit {
            let room = max(0, HistorySearch.maximumText - filter.text.count)
            filter.perform(.insert(String(text.prefix(room))))
        } else {
            filter.perform(edit)
        }
        problem = HistorySearch.problem(with: text)
    }

    /// Marks the run under the cursor, or unmarks it.
    private mutating func mark() {
        guard let current = chosen() else { return }
        guard current.id == marked else {
            marking = current.id
            return
        }
        isUnmarking = true
        remark = Notice(.info, "No longer marked")
    }

    /// Returns true once after the marked run was unmarked.
    mutating func takeUnmarking() -> Bool {
        defer { isUnmarking = false }
        return isUnmarking
    }

    /// Compares with the mark; without one, with the run of the same request before.
    private mutating func compare() -> [Action]? {
        guard let current = chosen() else { return nil }
        if let marked {
            guard marked == current.id else { return use(.compare(nil)) }
            remark = Notice(.info, "This is the marked response; D on another compares both, M unmarks it")
            return nil
        }
        let older = entries.drop { $0.id != current.id }.dropFirst().first { $0.request == current.request }
        guard let older else {
            remark = Notice(.info, "M marks a response; D on another compares both")
            return nil
        }
        return use(.compare(older.id))
    }

    /// Opens the run under the cursor, moves the cursor to another, or goes to the filter.
    private mutating func click(_ point: Point, _ layout: HistoryLayout, _ page: Int) -> [Action]? {
        if layout.filter.contains(point) {
            isTyping = true
            filter.click(column: point.column - layout.filter.column - 2, in: max(1, layout.filter.columns - 2))
        }
        let row = position.first(ofVisible: layout.list.rows) + point.row - layout.list.row
        guard layout.list.contains(point), row < rowCount else { return nil }
        if row == position.cursor { return use(.open) }
        position.place(at: row, count: rowCount, page: page)
        return nil
    }
}

/// The parts of the list of all runs inside its frame, which covers the screen.
struct HistoryLayout: Equatable {
    let inside: Rect
    let filter: Rect
    let list: Rect
    /// The lines that say more about the run under the cursor, or why there is none.
    let detail: Rect

    init(_ screen: Rect) {
        inside = OverlayFrame.inside(columns: screen.columns, rows: screen.rows, in: screen)
        var rest = inside
        filter = rest.takeTop(1)
        detail = rest.takeBottom(2)
        list = rest
    }
}
