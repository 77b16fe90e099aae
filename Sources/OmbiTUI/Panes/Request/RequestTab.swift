import OmbiCore
import OmbiWorkspace

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
        case .policy: ["retries", "timeout", "SLA", "backoff", "redirect policy", "pagination"]
        case .capture: ["extract", "chain"]
        case .expect: ["expectations", "assertions", "tests", "JSON Schema"]
        case .connection: ["proxy", "client certificate", "DNS", "HTTP version"]
        case .about: ["description", "tags", "notes"]
        }
    }

    /// The tab some places further on, around the end.
    func stepped(by distance: Int, ofSettings: Bool) -> RequestTab {
        let tabs = Self.tabs(ofSettings: ofSettings)
        let index = tabs.firstIndex(of: self) ?? 0
        return tabs[(index + distance + tabs.count) % tabs.count]
    }

    /// The names of the tabs, each with a summary of its contents.
    static func titles(of subject: SavedRequest, _ inheritance: Inheritance?, ofSettings: Bool) -> [String] {
        tabs(ofSettings: ofSettings).map { $0.title(for: subject, inheritance, ofSettings: ofSettings) }
    }

    func name(of request: SavedRequest, ofSettings: Bool) -> String {
        name(isWebSocket: request.hasMessages, ofSettings: ofSettings)
    }

    private func name(isWebSocket: Bool, ofSettings: Bool) -> String {
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

    /// The name of the tab, with a summary of its contents.
    private func title(for request: SavedRequest, _ inheritance: Inheritance?, ofSettings: Bool) -> String {
        let name = name(of: request, ofSettings: ofSettings)
        switch self {
        case .params: return Self.count(name, request.pathParameters.count + request.query.count)
        case .headers: return Self.count(name, request.headers.count)
        case .body where request.hasMessages: return Self.count(name, request.webSocket?.messages.count ?? 0)
        case .body: return name + (request.body == nil ? "" : " " + (request.body?.kind.rawValue ?? ""))
        case .auth: return name + Self.auth(request, inheritance)
        case .policy: return name + (request.policy?.retries.map { " \($0)×" } ?? "")
        case .expect: return Self.count(name, request.expect?.count ?? 0)
        case .capture: return Self.count(name, request.captures.count)
        case .connection, .about: return name
        }
    }

    private static func count(_ name: String, _ count: Int) -> String {
        count == 0 ? name : "\(name) \(count)"
    }

    private static func auth(_ request: SavedRequest, _ inheritance: Inheritance?) -> String {
        if let authentication = request.authentication { return " " + authentication.kind.rawValue }
        guard let sent = inheritance?.sent(with: request) else { return "" }
        if let inherited = sent.authentication { return " ↑" + inherited.value.kind.rawValue }
        let hasHeaders = sent.headers.contains { if case .environment = $0.source { true } else { false } }
        return hasHeaders ? " ↑env" : ""
    }
}

extension SavedRequest {
    /// True for a WebSocket: it has saved messages in the place of a body.
    var hasMessages: Bool { isWebSocket && body == nil }
}
