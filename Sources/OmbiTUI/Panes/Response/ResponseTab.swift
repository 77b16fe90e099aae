import OmbiTerminal
import OmbiWorkspace

/// The parts of a response, one at a time.
enum ResponseTab: String, CaseIterable, Equatable, Sendable {
    case body, headers, expect, timeline, history, statistics, cookies, tls, sent

    /// True where the runs of the history show, not the last one.
    var showsHistory: Bool { self == .history || self == .statistics }

    /// True where the page and the code of a sign-in show.
    var showsSignIn: Bool { self == .body || self == .timeline }

    /// Its place among the tabs, from 1.
    var number: Int { position + 1 }

    /// Its name, without what it holds.
    var name: String { title(for: nil) }

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
                "eventually", "failures", "error budget", "SLA", "objective", "distribution", "bench", "load",
            ]
        case .cookies: ["cookie jar", "session"]
        case .tls: ["certificate", "SSL", "HTTPS"]
        case .sent: ["raw request", "request as sent"]
        }
    }

    func title(for run: RunState?, cookies: [KeptCookie]? = nil, history: RequestHistory? = nil) -> String {
        switch self {
        case .body: "Body"
        case .headers: (run?.headers?.fields.count).map { "Headers \($0)" } ?? "Headers"
        case .expect: ExpectTab.title(run)
        case .timeline: (run?.finished.count).flatMap { $0 > 1 ? "Timeline \($0)" : nil } ?? "Timeline"
        case .history: HistoryTab.title(history)
        case .statistics: "Statistics"
        case .cookies: CookiesTab.title(cookies)
        case .tls: run?.finished.last?.metrics.tls?.isVerified == false ? "TLS ✗" : "TLS"
        case .sent: "Sent"
        }
    }

    /// The rows of the tab; of the body those that show in its place.
    /// - Parameter list: those of the history.
    func rows(
        _ run: RunState, _ view: ResponseView, sentBody: SentBody, list: [ResponseRow] = []
    ) -> [ResponseRow] {
        switch self {
        case .body: AttemptsPage.rows(run, view)
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

    /// The rows of the tabs that need no run of this session.
    func historyRows(_ view: ResponseView, _ list: [ResponseRow]) -> [ResponseRow] {
        self == .history ? list : StatisticsTab.rows(view.history, columns: view.columns)
    }
}
