/// The pane of the response: its tab, the row under the cursor, and the visible part.
struct ResponsePane: Equatable, Sendable {
    private(set) var tab = ResponseTab.body
    private var position = ListPosition()
    private var left = 0
    private var sentBody = SentBody()
    private(set) var list = HistoryList()
    private var size = Size(columns: 80, rows: 10)
    private var run: RunID?
    private var item: ItemID?
    /// The last stream, for which the pane went to the body.
    private var stream: RunID?
    /// True until the cursor of the timeline was placed on an attempt: the axis above is no row to act on.
    private var isUnplaced = true
    /// The lines of the reason why the run failed, where the tab does not begin with it.
    private var reason: [String] = []

    /// The completion of the path that a body is saved to.
    var completion = FieldCompletion(source: CompletionSource(kind: .file(after: "")))

    /// The rows of the tabs.
    private static let headRows = 1
    /// Columns per step sideways.
    private static let sideStep = 8

    /// The rows above those of the tab: the tabs, the reason of a failure, and the filter of the history.
    private var head: Int { filterRow + (tab == .history && list.filter != nil ? 1 : 0) }

    private var filterRow: Int { Self.headRows + reason.count }

    private var page: Int { max(1, size.rows - head) }

    /// Follows the run of the selected request and the size of the pane.
    mutating func follow(_ view: ResponseView, size: Size) {
        if run != view.run?.id {
            run = view.run?.id
            isUnplaced = true
            // A further run of the request is one more in its history, and moves no cursor there.
            if tab != .history || item == nil || item != view.run?.item { (position, left) = (ListPosition(), 0) }
        }
        followItem(view.run)
        reason = tab == .body ? [] : Self.reason(of: view.run, columns: view.columns, rows: size.rows)
        followTimeline(view)
        followStream(view.run)
        if tab == .sent { sentBody.follow(view.run) }
        if tab == .history { followHistory(view) }
        if typedPath(view) == nil { completion.close() }
        guard size != self.size else { return }
        self.size = size
        scroll(by: 0, view)
    }

    /// Keeps the cursor on its run; at the top it is on the newest one.
    private mutating func followHistory(_ view: ResponseView) {
        let entry = position.cursor > 0 ? list.entries[safe: position.cursor]?.id : nil
        list.follow(view.history, shown: view.run?.recorded?.entry.id, marked: view.marked, columns: view.columns)
        let row = entry.flatMap { id in list.entries.firstIndex { $0.id == id } }
        position.place(at: row ?? position.cursor, count: list.rows.count, page: page)
    }

    /// Shows the body of another request where the tab of expectations would say that there are none.
    private mutating func followItem(_ run: RunState?) {
        // The expectations of a run that goes on are not known yet.
        guard item != run?.item, run?.isRunning != true else { return }
        item = run?.item
        if tab == .expect, let run, run.expectations.isEmpty { show(.body) }
    }

    /// At most a quarter of the pane; the last line has the rest.
    private static func reason(of run: RunState?, columns: Int, rows: Int) -> [String] {
        let lines = WrappedText.lines(of: run?.reason ?? "", columns: columns)
        let maximum = max(1, rows / 4)
        guard lines.count > maximum else { return lines }
        return lines.prefix(maximum - 1) + [lines.dropFirst(maximum - 1).joined(separator: " ")]
    }

    private mutating func followTimeline(_ view: ResponseView) {
        guard isUnplaced, tab == .timeline, let run = view.run else { return }
        guard let row = tab.firstAttempt(of: run, view) else { return }
        isUnplaced = false
        position.place(at: row, count: rowCount(view), page: page)
    }

    /// Shows what begins to arrive without an end, and takes messages: in another tab nothing would come.
    private mutating func followStream(_ run: RunState?) {
        guard let run, run.isRunning, run.isOpenEnded, stream != run.id, !list.isTyping else { return }
        stream = run.id
        if tab != .body, tab != .timeline { show(.body) }
    }

    static func bodySize(in size: Size) -> Size { Rect(size).dropTop(headRows).size }

    // MARK: Actions

    mutating func perform(_ action: ResponseAction) -> [Outcome] {
        switch action {
        case .nextTab: show(tab.next)
        case .previousTab: show(tab.previous)
        case .showTab(let number):
            if let tab = ResponseTab.allCases[safe: number - 1], tab != self.tab { show(tab) }
            return [.focus(.response)]
        // The others need the request, too.
        default: break
        }
        return []
    }

    /// True where Enter goes to the part of the response that the expectation under the cursor is about.
    func showsExpectations(_ view: ResponseView) -> Bool { tab == .expect && !(view.run?.expectations.isEmpty ?? true) }

    /// The attempt under the cursor of the timeline; nil elsewhere, and while the run goes on.
    func attempt(_ view: ResponseView) -> AttemptReport? {
        guard tab == .timeline, let run = view.run, !run.isRunning else { return nil }
        return tab.attempt(atRow: position.cursor, of: run, view)
    }

    /// The place of the redirect under the cursor of the timeline among those of the run; nil elsewhere.
    func redirect(_ view: ResponseView) -> Int? {
        guard tab == .timeline, let run = view.run, !run.isRunning else { return nil }
        return tab.redirect(atRow: position.cursor, of: run, view)
    }

    /// True where Enter opens an attempt.
    func showsAttempts(_ run: RunState?) -> Bool {
        tab == .timeline && run?.isRunning == false && run?.finished.isEmpty == false
    }

    /// The address under the cursor of Statistics; nil elsewhere.
    func address(_ view: ResponseView) -> String? {
        guard tab == .statistics, case .value(let address, StatisticsTab.addressName)? = row(view)?.content else {
            return nil
        }
        return address
    }

    func cookie(in cookies: [KeptCookie]) -> KeptCookie? { tab == .cookies ? cookies[safe: position.cursor] : nil }

    var entry: HistoryEntry? { tab == .history ? list.entries[safe: position.cursor] : nil }

    /// True while the filter of the history is typed.
    var isFiltering: Bool { tab == .history && list.isTyping }

    /// True where the tab lists runs, or would without its filter.
    var showsEntries: Bool { tab == .history && (list.filter != nil || !list.entries.isEmpty) }

    /// True where the filter of the history leaves no run.
    var showsNoEntry: Bool { showsEntries && list.entries.isEmpty }

    /// The run before the one under the cursor.
    var olderEntry: HistoryEntry? { tab == .history ? list.entries[safe: position.cursor + 1] : nil }

    /// Handles an action on the filter of the history; nil for any other.
    mutating func filterHistory(_ action: Action) -> [Outcome]? {
        guard tab == .history else { return nil }
        let row = position.cursor
        switch action {
        case .response(.filterHistory): list.openFilter()
        case .text(let edit) where list.isTyping:
            list.perform(edit)
            position = ListPosition()
        case .accept where list.isTyping: list.keepFilter()
        case .leave where list.filter != nil:
            let entry = list.entries[safe: row]
            list.endFilter()
            position.place(
                at: list.entries.firstIndex { $0.id == entry?.id } ?? 0, count: list.entries.count, page: page)
        default: return nil
        }
        return []
    }

    /// Shows a response that was opened from the list of them; stepping from one to the next keeps the tab.
    mutating func showOpened() {
        if tab.showsHistory { show(.body) }
    }

    /// Shows that part: a value of the body, the headers, or the times. One with no such part is edited.
    mutating func showExpected(_ view: ResponseView, in runs: inout Runs) -> [Outcome] {
        guard let result = view.run?.expectations[safe: position.cursor] else { return [] }
        switch result.place {
        case .header: show(.headers)
        case .time: show(.timeline)
        case .status, .size, .certificate:
            let editing = Self.field(of: result).map {
                [Outcome.perform(.request(.goTo(field: "expect.\($0)"))), .perform(.request(.edit))]
            }
            // "Expected status 200, got 200" would read like a failure.
            let verdict: [Outcome] = result.isMet ? [] : .notify(.info, result.sentence.asSentence)
            return verdict + (editing ?? [])
        case .body(nil): return .notify(.info, "There is no such value in the body: \(result.sentence)")
        case .body(let offset?):
            show(.body)
            guard let id = view.run?.viewer?.id else { return [] }
            return runs.withViewer(of: view.run?.item) { $0.show(byte: offset) }?.outcomes(of: id) ?? []
        }
        return []
    }

    /// True where Enter goes to the expectation in the request.
    func editsExpectation(_ view: ResponseView) -> Bool {
        guard tab == .expect, let result = view.run?.expectations[safe: position.cursor] else { return false }
        return Self.field(of: result) != nil
    }

    /// The field of an expectation about which no tab of the response has more to say; nil for any other.
    private static func field(of result: ExpectationResult) -> String? {
        guard result.statement == nil else { return nil }
        return switch result.place {
        case .status: "status"
        case .size: "size in bytes"
        case .certificate: "certificate days"
        case .time, .header, .body: nil
        }
    }

    /// Shows the response that is awaited: what the other tabs show is about other runs, or the connection.
    mutating func showBegun() {
        if [.history, .statistics, .cookies, .tls].contains(tab) { show(.body) }
    }

    mutating func show(_ tab: ResponseTab) {
        self.tab = tab
        (position, left, isUnplaced) = (ListPosition(), 0, true)
    }

    /// Shows the timeline again, with the cursor on the attempt, or on the redirect, whose response was open.
    mutating func returnToTimeline(from number: Int, _ redirect: Int?, _ view: ResponseView) {
        guard tab != .timeline, let run = view.run else { return }
        show(.timeline)
        let place = redirect.flatMap { tab.row(ofRedirect: $0, of: run, view) }
        guard let row = place ?? tab.row(ofAttempt: number, of: run, view) else { return }
        reason = Self.reason(of: run, columns: view.columns, rows: size.rows)
        isUnplaced = false
        position.place(at: row, count: rowCount(view), page: page)
    }

    mutating func move(_ movement: Movement, _ view: ResponseView) {
        switch movement {
        case .left: left = max(0, left - Self.sideStep)
        case .right: left += Self.sideStep
        default:
            isUnplaced = false
            position.move(movement, count: rowCount(view), page: page)
        }
    }

    private mutating func scroll(by rows: Int, _ view: ResponseView) {
        position.scroll(by: rows, count: rowCount(view), page: page)
    }

    mutating func scroll(by lines: Int, _ view: ResponseView, in runs: inout Runs) {
        guard showsBody(view) else { return scroll(by: lines, view) }
        _ = runs.withViewer(of: view.run?.item) { $0.scroll(by: lines) }
    }

    /// Handles a click at a point inside the border: on a tab, or on a row.
    mutating func click(_ point: Point, _ view: ResponseView, in runs: inout Runs) {
        if point.row == 0 {
            let columns = max(0, view.columns)
            if let index = tabBar(view, columns: columns).index(at: point.column) { show(ResponseTab.allCases[index]) }
        } else if showsBody(view) {
            drag(point, view, in: &runs) { $0.click($1) }
        } else {
            let row = position.offset + point.row - head
            let count = rowCount(view)
            if point.row >= head, row < count { position.place(at: row, count: count, page: page) }
        }
    }

    /// Selects rows of a body.
    func drag(
        _ point: Point, _ view: ResponseView, in runs: inout Runs,
        _ change: (inout Viewer, Point) -> Void = { $0.drag($1) }
    ) {
        guard showsBody(view) else { return }
        _ = runs.withViewer(of: view.run?.item) {
            change(&$0, Point(column: point.column, row: point.row - Self.headRows))
        }
    }

    // MARK: Copying

    func copy(_ view: ResponseView) -> [Outcome] {
        guard let copy = row(view)?.copies.first else { return .notify(.info, "Nothing to copy here") }
        return [.perform(copy.action)]
    }

    private func row(_ view: ResponseView) -> ResponseRow? {
        let shown = view.run.map { rows(of: $0, view) } ?? (tab.showsHistory ? tab.historyRows(view, list.rows) : [])
        return shown[safe: position.cursor]
    }

    func copies(_ view: ResponseView) -> [PickerOverlay.Item] {
        guard let run = view.run else { return entry == nil ? [] : historyCopies(tab.historyRows(view, list.rows)) }
        if showsBody(view) { return (run.viewer?.copies ?? []) + headers(run) }
        let rows = rows(of: run, view)
        if tab == .history { return historyCopies(rows) }
        let here = row(view)?.copies ?? []
        let all = rows.map { $0.spans.map(\.text).joined() }.joined(separator: "\n")
        switch tab {
        case .headers: return here + headers(run)
        case .sent:
            let sent = [
                PickerOverlay.Item.copying(rows.headerLines, "all headers as sent", note: "secrets masked"),
                run.sent?.body.map { .copying($0, "the body as sent", note: "secrets masked") },
            ]
            return here + sent.compactMap { $0 } + TraceRows.copies(run, of: nil)
        case .timeline:
            return here + TraceRows.copies(run, of: attempt(view)) + [.copying(all, "all of \(tab.title(for: nil))")]
        default: return here + [.copying(all, "all of \(tab.title(for: nil))")]
        }
    }

    private func historyCopies(_ rows: [ResponseRow]) -> [PickerOverlay.Item] {
        let curl = entry.map {
            PickerOverlay.Item(
                name: "curl as sent", note: "masked", action: .response(.copyRecorded($0.id))
            )
        }
        let all = rows.map { $0.spans.map(\.text).joined() }.joined(separator: "\n")
        return (curl.map { [$0] } ?? []) + (rows[safe: position.cursor]?.copies ?? [])
            + [.copying(all, "all of History")]
    }

    private func headers(_ run: RunState) -> [PickerOverlay.Item] {
        let lines = HeadersTab.rows(run).headerLines
        return lines.isEmpty ? [] : [.copying(lines, "all response headers", note: "as they came")]
    }
}

/// The content of the response pane: the last run of the request, and the time.
struct ResponseView {
    var run: RunState?
    var now: Duration
    var columns: Int
    /// The description of the request; nil without a request.
    var description: String?
    /// The cookies of the environment; nil where none are kept.
    var cookies: [KeptCookie]?
    /// The history of the request; nil until it was read.
    var history: RequestHistory?
    /// The reason why runs of it are not kept; nil where they are.
    var unrecorded: String?
    var marked: HistoryEntry.ID?
    /// The environment that the run was sent to, where another is in use.
    var otherEnvironment: String?
    var documented: [DocumentedResponse] = []
}

extension ResponsePane {
    func showsBody(_ view: ResponseView) -> Bool { tab == .body && view.run?.showsBody ?? false }

    /// The number of rows in the current tab that scroll.
    private func rowCount(_ view: ResponseView) -> Int {
        guard let run = view.run else { return tab.showsHistory ? tab.historyRows(view, list.rows).count : 0 }
        return showsBody(view) ? 0 : rows(of: run, view).count
    }

    /// Draws the pane and returns the cursor's position while the body has a prompt.
    func draw(_ view: ResponseView, on surface: inout Surface, in rect: Rect, focused: Bool) -> Point? {
        tabBar(view, columns: rect.columns).draw(on: &surface, in: rect.top(1))
        for (index, line) in reason.enumerated() {
            let row = rect.dropTop(Self.headRows).line(index)
            surface.write(line, at: row.origin, style: Style(.failure), limit: row.columns, clip: row)
        }
        let body = rect.dropTop(head)
        let cursor = tab == .history ? list.drawFilter(on: &surface, in: rect.dropTop(filterRow).top(1)) : nil
        guard let run = view.run else {
            if tab.showsHistory {
                draw(tab.historyRows(view, list.rows), on: &surface, in: body, focused: focused)
                return cursor
            }
            drawUnsent(view, on: &surface, in: body)
            return nil
        }
        if showsBody(view) { return run.viewer?.draw(on: &surface, in: body, focused: focused) }
        draw(rows(of: run, view), on: &surface, in: body, focused: focused)
        return cursor
    }

    /// The place in the rows of the tab; empty where all of them show, and of a body, which says so itself.
    func place(in view: ResponseView, focused: Bool) -> [Span] {
        // With room for the tabs alone there is no row that could be marked.
        guard !showsBody(view), size.rows > head else { return [] }
        let count = rowCount(view)
        return count > page ? position.mark(count: count, page: page, focused: focused) : []
    }

    private func tabBar(_ view: ResponseView, columns: Int) -> TabBar {
        TabBar(
            ResponseTab.allCases.map { $0.title(for: view.run, cookies: view.cookies, history: view.history) },
            current: tab.position,
            columns: columns)
    }

    private static let unsent = "Not sent yet. s sends it."

    private func drawUnsent(_ view: ResponseView, on surface: inout Surface, in rect: Rect) {
        let lines = WrappedText.lines(of: view.description ?? "", columns: rect.columns)
        let hint = view.description == nil ? "Choose a request; s sends it." : Self.unsent
        for (index, line) in (lines + (lines.isEmpty ? [] : [""])).enumerated() {
            surface.write(line, at: rect.line(index).origin, limit: rect.columns, clip: rect)
        }
        let row = rect.line(lines.isEmpty ? 0 : lines.count + 1)
        surface.write(hint, at: row.origin, style: Style(.dim), limit: rect.columns, clip: rect)
        let first = row.row - rect.row + 2
        guard !view.documented.isEmpty, first < rect.rows else { return }
        for (index, spans) in DocumentedRows.rows(view.documented, maximum: rect.rows - first).enumerated() {
            var pen = Pen(rect.line(first + index))
            pen.write(spans, on: &surface)
        }
    }

    /// The rows of the current tab; one without rows says why.
    private func rows(of run: RunState, _ view: ResponseView) -> [ResponseRow] {
        if run.isExampleOnly, tab.isAboutRun { return [.hint(Self.unsent)] }
        let rows = tab.rows(run, view, sentBody: sentBody, list: list.rows)
        guard rows.isEmpty, !tab.showsHistory else { return rows.foldingHint(columns: view.columns) }
        return [.hint(run.isRunning ? "Nothing yet. x cancels it." : "No response. s sends it again.")]
    }

    private func draw(_ rows: [ResponseRow], on surface: inout Surface, in rect: Rect, focused: Bool) {
        // Live rows come and go between the actions that place the cursor.
        let top = min(position.offset, max(0, rows.count - rect.rows))
        for line in 0..<rect.rows where top + line < rows.count {
            var pen = Pen(rect.line(line))
            pen.write(rows[top + line].spans.dropping(left), on: &surface)
            // On a hint no key does anything.
            if focused, top + line == position.cursor, rows[top + line].content != .hint {
                surface.restyle(rect.line(line), adding: .highlight)
            }
        }
    }
}

extension [Span] {
    /// The spans without their first `columns` characters.
    func dropping(_ columns: Int) -> [Span] {
        var left = columns
        return compactMap { span in
            guard left > 0 else { return span }
            let dropped = Swift.min(left, span.text.count)
            left -= dropped
            let rest = span.text.dropFirst(dropped)
            return rest.isEmpty ? nil : Span(text: String(rest), role: span.role)
        }
    }
}
