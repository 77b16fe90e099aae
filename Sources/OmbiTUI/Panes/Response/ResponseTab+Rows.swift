import OmbiCore
import OmbiTerminal
import OmbiWorkspace

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
            run.opened.map { AttemptRows.rows($0, columns: view.columns) } ?? AttemptsPage.rows(run, view)
        case .headers: HeadersTab.rows(run)
        case .expect: ExpectTab.rows(run)
        case .timeline:
            CaptureRows.dependencies(run, view) + Timeline(run, view).rows.map { ResponseRow($0) }
                + RedirectRows.timeline(run) + CaptureRows.captured(run)
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

    /// The attempt that a row of the timeline is about; nil before there is one.
    func attempt(atRow row: Int, of run: RunState, _ view: ResponseView) -> AttemptReport? {
        let own = row - CaptureRows.dependencies(run, view).count
        let starts = Timeline(run, view).starts
        let number = (starts.last { $0.row <= own } ?? starts.first)?.number
        return run.finished.last { $0.number == number }
    }

    /// The rows of the tabs that need no run of this session.
    func historyRows(_ view: ResponseView, _ list: [ResponseRow]) -> [ResponseRow] {
        self == .history ? list : StatisticsTab.rows(view.history, columns: view.columns)
    }
}
