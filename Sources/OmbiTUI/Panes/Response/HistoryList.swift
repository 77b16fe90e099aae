import OmbiTerminal
import OmbiWorkspace

/// The runs that the History tab lists, and the text that narrows them down. Its rows are made once, not for every frame.
struct HistoryList: Equatable, Sendable {
    /// The runs that match, the newest first, and a row for each of them.
    private(set) var entries: [HistoryEntry] = []
    private(set) var rows: [ResponseRow] = []
    /// Nil for all runs.
    private(set) var filter: TextField?
    /// True while the filter is typed.
    private(set) var isTyping = false
    private var history: RequestHistory?
    /// The request whose runs were listed last, also while those of another are read.
    private var request: ItemPath?
    /// The runs whose responses are on the screen, and marked.
    private var shown: HistoryEntry.ID?
    private var marked: HistoryEntry.ID?
    private var columns = 80

    /// Follows the runs that were read. A filter stays with its request.
    mutating func follow(
        _ history: RequestHistory?, shown: HistoryEntry.ID?, marked: HistoryEntry.ID?, columns: Int
    ) {
        guard history != self.history || shown != self.shown || marked != self.marked || columns != self.columns else {
            return
        }
        self.columns = columns
        if let history, history.request != request {
            request = history.request
            (filter, isTyping) = (nil, false)
        }
        (self.history, self.shown, self.marked) = (history, shown, marked)
        refresh()
    }

    private mutating func refresh() {
        let query = FuzzyMatch(filter?.text ?? "")
        let all = history?.entries ?? []
        entries = query.isEmpty ? all : all.filter { query.isFoundWhole(in: HistoryTab.words($0)) }
        rows =
            entries.isEmpty
            ? HistoryTab.hint(history, isFiltered: !query.isEmpty)
            : HistoryTab.rows(
                entries, shown: shown, marked: marked, moments: history?.marks ?? [], columns: columns)
    }

    // MARK: The filter

    mutating func openFilter() {
        guard !(history?.entries ?? []).isEmpty else { return }
        filter = filter ?? TextField()
        isTyping = true
    }

    mutating func perform(_ edit: TextEdit) {
        filter?.perform(edit)
        refresh()
    }

    /// Leaves the field; one without a text filters nothing.
    mutating func keepFilter() {
        isTyping = false
        if filter?.text.isEmpty ?? true { filter = nil }
    }

    mutating func endFilter() {
        (filter, isTyping) = (nil, false)
        refresh()
    }

    /// Draws the filter with the number of runs that match, and returns the position of the cursor while it is typed.
    func drawFilter(on surface: inout Surface, in rect: Rect) -> Point? {
        guard let filter else { return nil }
        let all = history?.entries.count ?? 0
        let isCut = (history?.count ?? 0) > all
        let count = "\(entries.count) of \(isCut ? "the newest " : "")\(all)"
        surface.write("/", at: rect.origin, style: Style(.footerKey))
        let end = rect.right(TextWidth.of(count))
        surface.write(count, at: end.origin, style: Style(.dim), limit: end.columns)
        let cursor = filter.draw(on: &surface, in: rect.dropLeft(2).dropRight(end.columns + 1))
        return isTyping ? cursor : nil
    }
}
