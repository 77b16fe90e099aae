import OmbiCore

/// The engine on top of a transport.
enum ManagerCases {
    static let all = [decoded, validated, retried, undecodable, posted]

    private struct List: HTTPRequest {
        typealias ResponseBody = [Int]
        let path = "/list"
        let method = RequestMethod.get
    }

    private struct Posted: HTTPRequest {
        typealias RequestBody = [String: Int]
        typealias ResponseBody = String
        let path = "/post"
        let method = RequestMethod.post
        let body: [String: Int]? = ["a": 1]
    }

    /// Answers with the statuses in turn; the last one repeats.
    private static func play<T: HTTPRequest>(
        _ stage: Stage, _ statuses: [Int], _ text: String, _ request: T, retries: Int = 0
    ) async throws where T.ResponseBody: Sendable {
        let server = try stage.server { .status(statuses[min($0.number - 1, statuses.count - 1)], text) }
        let manager = RequestManager(host: server.host, transport: stage.transport(for: server))
        do {
            let response = try await manager.response(for: request, retries: retries)
            stage.note("\(response.statusCode ?? 0) \(response.body.map { "\($0)" } ?? "nothing")")
        } catch {
            stage.note("error in \(error.stage)")
        }
        stage.note(server.requests.map { "\($0.method) \($0.target)" })
    }

    private static let decoded = TransportCase("a body is decoded", expects: ["200 [1, 2]", "GET /list"]) { stage in
        try await play(stage, [200], "[1, 2]", List())
    }

    private static let validated = TransportCase(
        "a status is validated", expects: ["error in validation", "GET /list"]
    ) { stage in
        try await play(stage, [404], "[1, 2]", List())
    }

    private static let retried = TransportCase(
        "a retry succeeds", expects: ["200 [1, 2]", "GET /list", "GET /list", "GET /list"]
    ) { stage in
        try await play(stage, [503, 500, 200], "[1, 2]", List(), retries: 2)
    }

    private static let undecodable = TransportCase(
        "a body that cannot be decoded fails in parsing", expects: ["error in parsing", "GET /list"]
    ) { stage in
        try await play(stage, [200], "{}", List())
    }

    private static let posted = TransportCase("a body is encoded", expects: ["201 {\"a\":1}", "POST /post"]) { stage in
        let server = try stage.server { .status(201, $0.text) }
        let manager = RequestManager(host: server.host, transport: stage.transport(for: server))
        let response = try await manager.response(for: Posted())
        stage.note("\(response.statusCode ?? 0) \(response.body ?? "nothing")")
        stage.note(server.requests.map { "\($0.method) \($0.target)" })
    }
}
