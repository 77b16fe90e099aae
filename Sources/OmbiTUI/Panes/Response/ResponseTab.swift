import OmbiTerminal
import OmbiWorkspace

/// The parts of a response, one at a time.
enum ResponseTab: String, CaseIterable, Equatable, Sendable {
    case body, headers, expect, timeline, cookies, tls, sent

    func title(for run: RunState?, cookies: [KeptCookie]? = nil) -> String {
        switch self {
        case .body: "Body"
        case .headers: (run?.response?.headers?.fields.count).map { "Headers \($0)" } ?? "Headers"
        case .expect: ExpectTab.title(run)
        case .timeline: (run?.finished.count).flatMap { $0 > 1 ? "Timeline \($0)" : nil } ?? "Timeline"
        case .cookies: CookiesTab.title(cookies)
        case .tls: run?.finished.last?.metrics.tls?.isVerified == false ? "TLS ✗" : "TLS"
        case .sent: "Sent"
        }
    }

    /// The rows of the tab; of the body those that show in its place.
    func rows(_ run: RunState, _ view: ResponseView, sentBody: SentBody) -> [ResponseRow] {
        switch self {
        case .body: AttemptsPage.rows(run, view)
        case .headers: HeadersTab.rows(run)
        case .expect: ExpectTab.rows(run)
        case .timeline:
            CaptureRows.dependencies(run, view) + Timeline(run, view).rows.map { ResponseRow($0) }
                + RedirectRows.timeline(run) + CaptureRows.captured(run)
        case .cookies: CookiesTab.rows(view.cookies)
        case .tls: TLSTab.rows(run)
        case .sent: SentTab.rows(run, body: sentBody)
        }
    }
}
