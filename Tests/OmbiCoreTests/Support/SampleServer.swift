import OmbiCore
import TestSupport

/// The server that the samples of the documentation talk to. The samples themselves import nothing but OmbiCore.
enum SampleServer {
    /// A request as it arrived.
    struct Arrival: Sendable {
        /// "POST /posts/update"
        let line: String
        /// Names in lower case.
        let headers: [String: String]
        /// The body as JSON; nil when there was none.
        let json: AnyJSON?
    }

    /// Starts the server, and hands over its address and a look at what has arrived.
    static func run(_ use: (String, () -> [Arrival]) async throws -> Void) async throws {
        try await RealServer.scripted(answer) { server in
            try await use(server.host) { server.requests.map(arrival) }
        }
    }

    private static func arrival(_ request: LoopbackRequest) -> Arrival {
        Arrival(
            line: "\(request.method) \(request.target)", headers: request.headers,
            json: try? BodyDecoder<AnyJSON>.default.decode(request.body))
    }

    private static let json = [("Content-Type", "application/json; charset=utf-8")]

    @Sendable private static func answer(_ request: LoopbackRequest) -> LoopbackReply {
        switch request.target.split(separator: "?").first {
        case "/posts/update": .ok("updated")
        case "/login" where request.body.isEmpty: .status(401, headers: json, #"{"token": ""}"#)
        case "/login", "/token": .ok(#"{"token": "MyToken"}"#, headers: json)
        case "/mirror": .ok(request.text)
        case "/users":
            .ok(#"[{"id": 1, "name": "Leanne", "username": "Bret", "email": "leanne@example.com"}]"#, headers: json)
        case "/rate_limit": .ok(#"{"rate": {"limit": 60, "remaining": 59}}"#, headers: json)
        case "/search/repositories": .ok(#"{"items": [{"name": "swift"}, {"name": "swift-format"}]}"#, headers: json)
        case "/silence": .silence
        default: .status(404, "there is nothing here")
        }
    }
}
