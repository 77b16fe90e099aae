import OmbiCore
import OmbiWorkspace

/// The parts of a request, one at a time.
enum RequestTab: String, CaseIterable, Equatable, Sendable {
    case params, headers, body, auth, policy, capture, expect, connection, about

    /// The tabs of a request, or of the settings of a folder or a collection.
    static func tabs(ofSettings: Bool) -> [RequestTab] {
        ofSettings ? allCases.filter { ![.body, .capture, .expect].contains($0) } : allCases
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

    /// The name of the tab, with a summary of its contents.
    private func title(for request: SavedRequest, _ inheritance: Inheritance?, ofSettings: Bool) -> String {
        switch self {
        case .params:
            Self.count(ofSettings ? "Variables" : "Params", request.pathParameters.count + request.query.count)
        case .headers: Self.count("Headers", request.headers.count)
        case .body where request.hasMessages: Self.count("Messages", request.webSocket?.messages.count ?? 0)
        case .body: "Body" + (request.body == nil ? "" : " " + (request.body?.kind.rawValue ?? ""))
        case .auth: "Auth" + Self.auth(request, inheritance)
        case .policy: "Policy" + (request.policy?.retries.map { " \($0)×" } ?? "")
        case .expect: Self.count("Expect", request.expect?.count ?? 0)
        case .capture: Self.count("Capture", request.captures.count)
        case .connection: "Connection"
        case .about: "About"
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
