import OmbiCore
import OmbiWorkspace

/// The titles of tabs, and the tabs of each kind of request.
extension RequestTab {
    /// The names of the tabs, each with a summary of its contents.
    static func titles(of subject: SavedRequest, _ inheritance: Inheritance?, ofSettings: Bool) -> [String] {
        tabs(ofSettings: ofSettings).map { $0.title(for: subject, inheritance, ofSettings: ofSettings) }
    }

    func name(of request: SavedRequest, ofSettings: Bool) -> String {
        name(isWebSocket: request.hasMessages, ofSettings: ofSettings)
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
