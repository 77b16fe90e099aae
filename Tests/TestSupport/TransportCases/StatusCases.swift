import OmbiCore

/// Statuses that a transport passes on, whatever they mean.
enum StatusCases {
    static let all = plain + withoutBody + challenges

    private static let plain = [200, 201, 299, 300, 400, 404, 418, 500, 503, 599].map { status in
        TransportCase("\(status) is a response", expects: ["head \(status)", "finished \(status) \"text\""]) { stage in
            let server = try stage.server { _ in .status(status, "text") }
            await stage.attempt(server.request(), at: server)
        }
    }

    private static let withoutBody = [204, 304].map { status in
        TransportCase("\(status) has no body", expects: ["head \(status)", "finished \(status) \"\""]) { stage in
            let server = try stage.server { _ in .status(status) }
            await stage.attempt(server.request(), at: server)
        }
    }

    /// Credentials are not the transport's business.
    private static let challenges = [
        (401, "WWW-Authenticate", "Basic realm=\"x\""),
        (401, "WWW-Authenticate", "Digest realm=\"x\", nonce=\"y\", qop=\"auth\""),
        (401, "WWW-Authenticate", "Bearer error=\"invalid_token\""), (401, "X-Other", "nothing"),
        (407, "Proxy-Authenticate", "Basic realm=\"x\""),
    ].map { status, name, value in
        TransportCase(
            "\(status) with \(value.prefix { $0 != " " }) is a response",
            expects: ["head \(status)", "finished \(status) \"denied\"", "\(name): \(value)", "1 request"]
        ) { stage in
            let server = try stage.server { _ in .status(status, headers: [(name, value)], "denied") }
            let response = await stage.attempt(server.request(), at: server).finalResponse
            stage.note("\(name): \(response?[RequestHeaders.Key(name)]?.text ?? "none")")
            stage.note("\(server.requests.count) request")
        }
    }
}
