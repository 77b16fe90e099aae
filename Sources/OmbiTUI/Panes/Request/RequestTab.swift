import OmbiCore
import OmbiWorkspace

/// The parts of a request, one at a time.
enum RequestTab: String, CaseIterable, Equatable, Sendable {
    case params, headers, body, auth, policy, capture, about

    /// The name of the tab, with a summary of its contents.
    func title(for request: SavedRequest, environment: Environment?) -> String {
        switch self {
        case .params: Self.count("Params", request.pathParameters.count + request.query.count)
        case .headers: Self.count("Headers", request.headers.count)
        case .body: "Body" + (request.body == nil ? "" : " " + (request.body?.kind.rawValue ?? ""))
        case .auth: "Auth" + Self.auth(request, environment)
        case .policy: "Policy" + (request.policy?.retries.map { " \($0)×" } ?? "")
        case .capture: Self.count("Capture", request.captures.count)
        case .about: "About"
        }
    }

    private static func count(_ name: String, _ count: Int) -> String {
        count == 0 ? name : "\(name) \(count)"
    }

    private static func auth(_ request: SavedRequest, _ environment: Environment?) -> String {
        if let authentication = request.authentication { return " " + authentication.kind.rawValue }
        return environment?.headers(sentWith: request).isEmpty ?? true ? "" : " ↑env"
    }
}
