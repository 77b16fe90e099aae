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
    var name: String { self == .tls ? "TLS" : rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

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
}
