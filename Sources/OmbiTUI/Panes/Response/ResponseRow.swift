/// A row of a tab of the response, and what is copied of it.
struct ResponseRow: Equatable, Sendable {
    enum Content: Equatable, Sendable {
        /// A line that is copied as it shows.
        case line
        case header(String, String)
        /// A line that says what to do here.
        case hint
        /// A value under a name.
        case value(String, named: String)
    }

    var spans: [Span]
    var content = Content.line

    init(_ spans: [Span], _ content: Content = .line) {
        self.spans = spans
        self.content = content
    }

    static func hint(_ text: String) -> ResponseRow { ResponseRow([Span(text: text, role: .dim)], .hint) }

    /// The row, then its parts.
    var copies: [PickerOverlay.Item] {
        switch content {
        case .header(let name, let value):
            [.copying("\(name): \(value)", "header \(name)"), .copying(value, "the value of \(name)")]
        case .value(let text, let name): text.isEmpty ? [] : [.copying(text, name)]
        case .hint: []
        case .line:
            text.isEmpty ? [] : [.copying(text, "the line")]
        }
    }

    private var text: String {
        let text = spans.map(\.text).joined()
        return String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}

extension [ResponseRow] {
    /// `Name: value`, a line each.
    var headerLines: String {
        compactMap { if case .header(let name, let value) = $0.content { "\(name): \(value)" } else { nil } }
            .joined(separator: "\n")
    }

    /// A hint in place of rows takes as many lines as it needs.
    func foldingHint(columns: Int) -> [ResponseRow] {
        guard count == 1, let hint = first, hint.content == .hint else { return self }
        return WrappedText.lines(of: hint.spans.map(\.text).joined(), columns: columns).map { .hint($0) }
    }
}

/// The titles and the rows of tabs.
extension ResponseTab {
    func title(for run: RunState?, cookies: [KeptCookie]? = nil, history: RequestHistory? = nil) -> String {
        switch self {
        case .body, .statistics, .sent: name
        case .headers: (run?.headers?.fields.count).map { "\(name) \($0)" } ?? name
        case .expect: ExpectTab.title(run)
        case .timeline: (run?.finished.count).flatMap { $0 > 1 ? "\(name) \($0)" : nil } ?? name
        case .history: HistoryTab.title(history)
        case .cookies: CookiesTab.title(cookies)
        case .tls: run?.finished.last?.metrics.tls?.isVerified == false ? "\(name) ✗" : name
        }
    }

    /// The rows of the tab; of the body those that show in its place.
    /// - Parameter list: those of the history.
    func rows(
        _ run: RunState, _ view: ResponseView, sentBody: SentBody, list: [ResponseRow] = []
    ) -> [ResponseRow] {
        switch self {
        case .body:
            run.opened.map { AttemptRows.rows($0, isRedirect: run.openedHop != nil, columns: view.columns) }
                ?? AttemptsPage.rows(run, view)
        case .headers: HeadersTab.rows(run)
        case .expect: ExpectTab.rows(run)
        case .timeline:
            CaptureRows.dependencies(run, view) + Timeline(run, view).rows.map { ResponseRow($0) }
                + RedirectRows.timeline(run) + TraceRows.rows(run) + CaptureRows.captured(run)
        case .history, .statistics: historyRows(view, list)
        case .cookies: CookiesTab.rows(view.cookies)
        case .tls: TLSTab.rows(run)
        case .sent: SentTab.rows(run, body: sentBody)
        }
    }

    /// The row of the first attempt in the timeline; nil before there is one.
    func firstAttempt(of run: RunState, _ view: ResponseView) -> Int? {
        Timeline(run, view).firstAttempt.map { CaptureRows.dependencies(run, view).count + $0 }
    }

    /// The first row of an attempt in the timeline; nil if it has none.
    func row(ofAttempt number: Int, of run: RunState, _ view: ResponseView) -> Int? {
        let start = Timeline(run, view).starts.last { $0.number == number }
        return start.map { CaptureRows.dependencies(run, view).count + $0.row }
    }

    /// The attempt that a row of the timeline is about; nil before there is one.
    func attempt(atRow row: Int, of run: RunState, _ view: ResponseView) -> AttemptReport? {
        let own = row - CaptureRows.dependencies(run, view).count
        let starts = Timeline(run, view).starts
        let number = (starts.last { $0.row <= own } ?? starts.first)?.number
        return run.finished.last { $0.number == number }
    }

    /// The place among the redirects of the run of the one that a row of the timeline is about; nil for any other row.
    func redirect(atRow row: Int, of run: RunState, _ view: ResponseView) -> Int? {
        let own = row - redirectStart(of: run, view)
        guard own < RedirectRows.timeline(run).count else { return nil }
        return RedirectRows.starts(run).lastIndex { $0 <= own }
    }

    /// The row of a redirect in the timeline; nil if it has none.
    func row(ofRedirect place: Int, of run: RunState, _ view: ResponseView) -> Int? {
        RedirectRows.starts(run)[safe: place].map { redirectStart(of: run, view) + $0 }
    }

    private func redirectStart(of run: RunState, _ view: ResponseView) -> Int {
        CaptureRows.dependencies(run, view).count + Timeline(run, view).rows.count
    }

    /// The rows of the tabs that need no run of this session.
    func historyRows(_ view: ResponseView, _ list: [ResponseRow]) -> [ResponseRow] {
        if let reason = view.unrecorded, view.history?.count == 0 {
            return [ResponseRow.hint(reason)].foldingHint(columns: view.columns)
        }
        let rows = self == .history ? list : StatisticsTab.rows(view.history, columns: view.columns)
        return rows.foldingHint(columns: view.columns)
    }
}

/// The rows that show one value over time: the newest first, a row for each change.
enum ValueRows {
    static func rows(_ history: ValueHistory) -> [[Span]] {
        guard let newest = history.periods.first else {
            return [[Span(text: "No response of this request is in the history yet.", role: .dim)]]
        }
        let changes = history.periods.count - 1
        var rows: [[Span]] = []
        if history.numbers.count > 1 {
            rows.append([Span(text: Sparkline.text(history.numbers, columns: 60), role: .phaseWait)])
        }
        let summary =
            changes == 0
            ? "the same in \(Count.of(history.runs, "run"))"
            : "\(Count.of(changes, "change")) in \(Count.of(history.runs, "run")); the last one "
                + HistoryTab.time(newest.first)
        rows.append([Span(text: summary, role: .dim)])
        rows.append([])
        rows += history.periods.map { period in
            [
                Span(text: HistoryTab.time(period.first) + "  ", role: .dim),
                period.value.map { Span(text: $0, role: .plain) } ?? Span(text: "no such value", role: .warning),
                Span(text: period.runs > 1 ? "  \(period.runs)×" : "", role: .dim),
            ]
        }
        if history.isCut { rows.append([Span(text: "Older responses were not looked at.", role: .dim)]) }
        return rows
    }
}
