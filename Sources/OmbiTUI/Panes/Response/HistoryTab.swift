/// The runs of the request that the history has, the newest first.
enum HistoryTab {
    static func title(_ history: RequestHistory?) -> String {
        guard let count = history?.count, count > 0 else { return "History" }
        return "History \(count)"
    }

    /// A row for each run, so that the row under the cursor is one.
    /// - Parameters:
    ///   - shown: the run whose response is on the screen.
    ///   - marked: the run whose response others are compared with.
    ///   - moments: the marks; each shows in the row of the first run after it.
    static func rows(
        _ entries: [HistoryEntry], shown: HistoryEntry.ID?, marked: HistoryEntry.ID? = nil,
        moments: [HistoryMark] = [], columns: Int = 80
    ) -> [ResponseRow] {
        let longest = entries.map(\.duration).max() ?? .zero
        let isNarrow = columns < minimumColumns
        let environments = entries.map { TextWidth.of($0.environment ?? "") }.max() ?? 0
        let namesURLs = haveSeveral(\.url, entries)
        let namesHosts = namesURLs && haveSeveral(\.origin, entries)
        let times = entries.map { TimeText.duration($0.duration).count }.max() ?? 0
        return entries.indices.map { index in
            let entry = entries[index]
            let marks = moments.before(entry, after: index + 1 < entries.count ? entries[index + 1] : nil)
            let spans = [
                entry.id == marked
                    ? Span(text: "◆", role: .warning) : Span(text: entry.id == shown ? "▌" : " ", role: .title),
                Span(text: String(time(entry.startedAt).dropFirst(isNarrow ? 5 : 0)) + "  ", role: .dim),
                Span(text: (entry.environment ?? "").padded(to: min(12, environments)) + "  ", role: .plain),
                result(entry),
                Span(text: "  " + TimeText.duration(entry.duration).leftPadded(to: times), role: .plain),
                Span(text: isNarrow ? "" : "  " + bar(entry.duration, longest), role: .dim),
                Span(text: "  " + details(entry, namesURL: namesURLs, namesHost: namesHosts), role: .dim),
            ]
            let lines = marks.map { Span(text: "  " + $0.shortLine, role: .warning) }
            return ResponseRow(spans + lines, .value(line(entry), named: "the run"))
        }
    }

    /// The row in place of a list without runs; none until the runs were read.
    static func hint(_ history: RequestHistory?, isFiltered: Bool) -> [ResponseRow] {
        guard history != nil else { return [] }
        let text =
            isFiltered
            ? "No run matches; Esc shows all."
            : "No run is in the history yet. s sends the request."
        return [.hint(text)]
    }

    /// The text that a filter searches.
    static func words(_ entry: HistoryEntry) -> String { line(entry) }

    static func name(_ entry: HistoryEntry) -> String { "\(entry.method) \(entry.url), \(time(entry.startedAt))" }

    /// The status, or why there is none.
    private static func result(_ entry: HistoryEntry) -> Span {
        switch entry.outcome {
        case .passed: Span(text: "✓ " + status(entry), role: .success)
        case .failed: Span(text: "✗ " + status(entry), role: .forStatus(entry.status))
        case .error: Span(text: "✗ " + status(entry), role: .failure)
        case .cancelled: Span(text: "  ---", role: .warning)
        }
    }

    private static func status(_ entry: HistoryEntry) -> String { entry.status.map(String.init) ?? "---" }

    private static let barColumns = 8
    /// Fewer have neither years nor bars.
    private static let minimumColumns = 70

    /// A bar from zero, as long as the duration; the longest one has all the cells.
    private static func bar(_ duration: Duration, _ longest: Duration) -> String {
        let cells = longest > .zero ? Int(max(0, duration / longest) * Double(barColumns) + 0.5) : 0
        return (cells == 0 ? "▏" : String(repeating: "█", count: min(barColumns, cells))).padded(to: barColumns)
    }

    /// True where that part of the URL differs between runs in one environment, as those of a scratch request do.
    private static func haveSeveral(_ part: (HistoryEntry) -> String, _ entries: [HistoryEntry]) -> Bool {
        var parts: [String: String] = [:]
        return entries.contains { entry in
            guard !entry.url.isEmpty else { return false }
            let new = part(entry)
            let before = parts.updateValue(new, forKey: entry.environment ?? "")
            return before.map { $0 != new } ?? false
        }
    }

    /// - Parameter namesHost: false where all went to one, for which there would be room alone on a small screen.
    private static func details(_ entry: HistoryEntry, namesURL: Bool = false, namesHost: Bool = true) -> String {
        // The status is a column.
        let words = entry.status.map(StatusCode.words)
        let parts = [
            entry.attempts > 1 ? "\(entry.attempts) attempts" : nil, entry.size.map(TimeText.size),
            entry.outcome == .passed || entry.failure == words ? nil : entry.failure,
            namesURL ? "\(entry.method) \(namesHost ? withoutScheme(entry.url) : entry.target)" : nil,
        ]
        return parts.compactMap { $0 }.joined(separator: " · ")
    }

    private static func withoutScheme(_ url: String) -> String {
        url.firstRange(of: "://").map { String(url[$0.upperBound...]) } ?? url
    }

    private static func line(_ entry: HistoryEntry) -> String {
        let parts = [
            time(entry.startedAt), entry.environment ?? "", entry.method, entry.url, entry.outcome.name, status(entry),
            TimeText.duration(entry.duration), details(entry), entry.failure ?? "",
            entry.failureKind?.rawValue ?? "",
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "  ")
    }

    /// `2026-11-23 08:11:07`, by the clock of this place.
    static func time(_ date: Date) -> String { LocalClock.system.text(date) }
}

/// The runs that the History tab lists, and the text that narrows them down. Its rows are made once, not for every frame.
struct HistoryList: Equatable, Sendable {
    /// The runs that match, the newest first, and a row for each of them.
    private(set) var entries: [HistoryEntry] = []
    private(set) var rows: [ResponseRow] = []
    /// Nil for all runs.
    private(set) var filter: TextField?
    /// True while the filter is typed.
    private(set) var isTyping = false
    /// The text of the filter, or the last one that was understood.
    private var search = HistoryFilter()
    /// The reason why the filter is not understood.
    private var problem: String?
    private var history: RequestHistory?
    /// The request whose runs were listed last, also while those of another are read.
    private var request: ItemPath?
    /// The runs whose responses are on the screen, and marked.
    private var shown: HistoryEntry.ID?
    private var marked: HistoryEntry.ID?
    private var columns = 80
    /// The columns that the text of a filter has next to a long reason.
    private static let minimumColumns = 24

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
        let all = history?.entries ?? []
        let text = (filter?.text ?? "").trimmed
        do throws(HistorySearch.Problem) {
            search = try HistorySearch.filter(text, now: history?.readAt ?? .distantPast)
            problem = nil
        } catch { problem = error.text }
        let search = search
        let words = FuzzyMatch(search.words.joined(separator: " "))
        entries =
            text.isEmpty ? all : all.filter { search.selects($0) && words.isFoundWhole(in: HistoryTab.words($0)) }
        rows =
            entries.isEmpty
            ? HistoryTab.hint(history, isFiltered: !text.isEmpty)
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
        let note = problem ?? "\(entries.count) of \(isCut ? "the newest " : "")\(all)"
        surface.write("/", at: rect.origin, style: Style(.footerKey))
        // The text that it is about shows, too.
        let end = rect.right(min(TextWidth.of(note), max(rect.columns / 2, rect.columns - Self.minimumColumns)))
        surface.write(note, at: end.origin, style: Style(problem == nil ? .dim : .warning), limit: end.columns)
        let field = rect.dropLeft(2).dropRight(end.columns + 1)
        let cursor = filter.draw(on: &surface, in: field)
        if filter.text.isEmpty {
            surface.write(HistorySearch.forms, at: field.origin, style: Style(.dim), limit: field.columns)
        }
        return isTyping ? cursor : nil
    }
}

/// A run of the history to read, where its request is gone: in no tree there is a place for its response.
enum RecordedRows {
    /// The lines of a body that show, and the bytes that they are taken from.
    private static let maximumLines = 500
    private static let maximumBytes = 1 << 16

    static func rows(_ run: RecordedRun, age: Duration) -> [[Span]] {
        let name = run.entry.request.shortName
        let note = "\(name) is not in the workspace; ombi history show \(run.entry.id) has all of the run"
        let start = [[Span(text: "recorded \(age.ageWords) ago", role: .warning)], [Span(text: note, role: .dim)], []]
        return start + request(run) + failures(run) + response(run)
    }

    private static func request(_ run: RecordedRun) -> [[Span]] {
        guard let request = run.result.prepared else { return [] }
        var rows = [[Span(text: "\(request.method.rawValue) \(request.url)", role: .title)]]
        rows += request.headers.map { header($0.name, $0.value) }
        rows.append([])
        guard let body = request.body, !body.isEmpty else { return rows }
        rows += lines(body)
        rows.append([])
        return rows
    }

    private static func failures(_ run: RecordedRun) -> [[Span]] {
        run.result.failures.map { [Span(text: "✗ " + $0, role: .failure)] }
    }

    private static func response(_ run: RecordedRun) -> [[Span]] {
        guard let response = run.result.receivedResponse else { return [] }
        let status = response.statusCode.map(StatusCode.words) ?? "no status"
        let facts = " · \(TimeText.duration(run.entry.duration)) · \(TimeText.size(run.entry.size ?? 0))"
        var rows = [[Span(text: status, role: .title), Span(text: facts, role: .dim)]]
        rows += (response.headers?.fields ?? []).map { header($0.key.name, $0.value.text) }
        rows.append([])
        return rows + body(response.body ?? Data(), missing: run.missingBody)
    }

    private static func body(_ body: Data, missing: String?) -> [[Span]] {
        if let missing { return [[Span(text: missing, role: .dim)]] }
        let start = body.prefix(maximumBytes)
        guard !start.contains(0) else { return [[Span(text: "\(TimeText.size(body.count)) of bytes", role: .dim)]] }
        let lines = lines(String(decoding: start, as: UTF8.self))
        guard start.count < body.count || lines.count > maximumLines else { return lines }
        return Array(lines.prefix(maximumLines)) + [[Span(text: "… and more", role: .dim)]]
    }

    private static func header(_ name: String, _ value: String) -> [Span] {
        [Span(text: name + ": ", role: .key), Span(text: value, role: .plain)]
    }

    private static func lines(_ text: String) -> [[Span]] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { [Span(text: String($0), role: .plain)] }
    }
}

/// The rows that show one request in several environments: the attempts of each below the others, on one time axis.
enum EnvironmentRunRows {
    static func rows(_ shown: EnvironmentRuns, _ runs: Runs, now: Duration, columns: Int) -> [[Span]] {
        let states = shown.lanes.map { ($0.environment, runs[id: $0.run]) }
        let longest = states.compactMap { $0.1?.elapsed(now: now) }.max() ?? .zero
        let end = Timeline.axisEnd(elapsed: longest, sla: .zero)
        let width = shown.lanes.map { TextWidth.of($0.environment) }.max() ?? 0
        var (rows, axis, legend) = ([[Span]](), [Span]?.none, [Span]?.none)
        for (environment, state) in states {
            guard let state else { continue }
            let timeline = Timeline(state, now: now, columns: columns, end: end)
            axis = axis ?? timeline.axisRow
            legend = legend ?? timeline.legendRow
            rows.append([Span(text: environment.padded(to: width) + "  ", role: .title)] + result(state, now: now))
            rows += timeline.attemptRows
        }
        return [axis].compactMap { $0 } + rows + [[]] + [legend].compactMap { $0 }
    }

    private static func result(_ run: RunState, now: Duration) -> [Span] {
        let time = Span(text: "  " + TimeText.duration(run.elapsed(now: now)), role: .dim)
        switch run.stage {
        case .preparing, .attempting, .waiting:
            return [Span(text: TimeText.running(run.elapsed(now: now)), role: .running)]
        case .ended(.cancelled): return [Span(text: "cancelled", role: .warning), time]
        case .ended(.failure(let reason)): return [Span(text: reason, role: .failure)]
        case .ended(.response(let response)):
            let failures = run.failures.filter { $0 != response.statusCode.map(StatusCode.words) }
            return [
                Span(text: response.statusCode.map(StatusCode.words) ?? "done", role: .forStatus(response.statusCode))
            ]
                + (failures.isEmpty ? [] : [Span(text: " ✗ " + failures.joined(separator: "; "), role: .failure)])
                + [time]
        }
    }
}
