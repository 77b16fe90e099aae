/// The parts of a response, one at a time.
enum ResponseTab: String, CaseIterable, Equatable, Sendable {
    case body, headers, expect, timeline, history, statistics, cookies, tls, sent

    /// True where the runs of the history show, not the last one.
    var showsHistory: Bool { self == .history || self == .statistics }

    /// True where nothing shows before the request was sent.
    var isAboutRun: Bool { [.expect, .timeline, .tls, .sent].contains(self) }

    /// True where the page and the code of a sign-in show.
    var showsSignIn: Bool { self == .body || self == .timeline }

    /// Its place among the tabs, from 1.
    var number: Int { position + 1 }

    /// Its name, without what it holds.
    var name: String { self == .tls ? "TLS" : rawValue.asSentence }

    /// Other words for what it shows, by which the palette finds it.
    var words: [String] {
        switch self {
        case .body: ["response", "content", "JSON"]
        case .headers: ["response headers"]
        case .expect: ["results", "assertions", "tests", "checks"]
        case .timeline: ["attempts", "phases", "waits", "timing", "waterfall", "redirects"]
        case .history: ["runs", "earlier responses"]
        case .statistics:
            [
                "percentiles", "p50", "p95", "p99", "median", "maximum", "latency", "success rate", "first try",
                "eventually", "failures", "its error budget", "SLA", "objective", "distribution", "bench", "load",
            ]
        case .cookies: ["cookie jar", "session"]
        case .tls: ["certificate", "SSL", "HTTPS"]
        case .sent: ["raw request", "request as sent"]
        }
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

extension Keymap {
    static let responseTabs = ResponseTab.allCases.map { tab in
        key(of: tab.number, tab.name, in: .response, does: .response(.showTab(tab.number)))
    }
}
