/// The parts of a request, one at a time.
enum RequestTab: String, CaseIterable, Equatable, Sendable {
    case params, headers, body, auth, policy, capture, expect, connection, about

    /// The tabs of a request, or of the settings of a folder or a collection.
    static func tabs(ofSettings: Bool) -> [RequestTab] {
        ofSettings ? allCases.filter { ![.body, .capture, .expect].contains($0) } : allCases
    }

    /// Its place among the tabs of a request, from 1.
    var number: Int { position + 1 }

    /// Its name for most requests.
    var usualName: String { name(isWebSocket: false, ofSettings: false) }

    /// Other words for what it holds, by which the palette finds it.
    var words: [String] {
        switch self {
        case .params: ["query", "parameters"]
        case .headers: ["request headers"]
        case .body: ["form", "multipart", "upload", "GraphQL", "messages"]
        case .auth: ["authentication", "credentials", "bearer", "OAuth", "login", "password"]
        case .policy: ["retries", "timeout", "SLA", "backoff", "breaker", "redirect policy", "pagination"]
        case .capture: ["extract", "chain"]
        case .expect: ["expectations", "assertions", "tests", "JSON Schema"]
        case .connection: ["proxy", "client certificate", "DNS", "HTTP version"]
        case .about: ["description", "tags", "notes", "disable", "enable"]
        }
    }

    /// The tab some places further on, around the end.
    func stepped(by distance: Int, ofSettings: Bool) -> RequestTab {
        let tabs = Self.tabs(ofSettings: ofSettings)
        let index = tabs.firstIndex(of: self) ?? 0
        return tabs[(index + distance + tabs.count) % tabs.count]
    }

    func name(isWebSocket: Bool, ofSettings: Bool) -> String {
        switch self {
        case .params: ofSettings ? "Variables" : "Params"
        case .headers: "Headers"
        case .body: isWebSocket ? "Messages" : "Body"
        case .auth: "Auth"
        case .policy: "Policy"
        case .capture: "Capture"
        case .expect: "Expect"
        case .connection: "Connection"
        case .about: "About"
        }
    }
}

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
                "eventually", "failures", "its error budget", "SLA", "objective", "distribution", "bench", "load",
            ]
        case .cookies: ["cookie jar", "session"]
        case .tls: ["certificate", "SSL", "HTTPS"]
        case .sent: ["raw request", "request as sent"]
        }
    }
}
