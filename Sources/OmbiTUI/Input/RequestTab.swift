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
        case .params where ofSettings: "Variables"
        case .body where isWebSocket: "Messages"
        default: rawValue.asSentence
        }
    }
}
