import OmbiCore

/// What goes out: methods, and whether they have a body.
enum MethodCases {
    static let all = bodies + lengths + [getWithBody, head, headWithBody]

    /// Methods that send a body.
    private static let bodies = ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"].map { name in
        TransportCase(
            "\(name) carries a body",
            expects: ["head 200", "finished 200 \"done\"", "\(name) /x?y=z \"body\""]
        ) { stage in
            let server = try stage.server { _ in .ok("done") }
            await stage.attempt(
                server.request(RequestMethod(rawValue: name) ?? .get, "/x?y=z", body: "body"), at: server)
            stage.note(server.arrivals)
        }
    }

    /// RFC 9110 §8.6: methods that are made for a body announce that there is none.
    private static let lengths = [
        ("GET", "none"), ("DELETE", "none"), ("OPTIONS", "none"), ("PROPFIND", "none"), ("POST", "0"), ("PUT", "0"),
        ("PATCH", "0"),
    ].map { name, length in
        TransportCase(
            "\(name) without a body announces \(length == "0" ? "an empty one" : "none")", needsNetwork: true,
            expects: ["head 200", "finished 200 \"done\"", "content-length: \(length)"]
        ) { stage in
            let server = try stage.server { _ in .ok("done") }
            await stage.attempt(server.request(RequestMethod(rawValue: name) ?? .get), at: server)
            stage.note("content-length: \(server.requests.first?.headers["content-length"] ?? "none")")
        }
    }

    private static let getWithBody = TransportCase(
        "GET carries a body", expects: ["head 200", "finished 200 \"done\"", "GET / \"body\""]
    ) { stage in
        let server = try stage.server { _ in .ok("done") }
        await stage.attempt(server.request(.get, body: "body"), at: server)
        stage.note(server.arrivals)
    }

    private static let head = TransportCase(
        "HEAD waits for no body", needsNetwork: true,
        expects: ["head 200", "finished 200 \"\"", "content-length: 8", "HEAD /"]
    ) { stage in
        let server = try stage.server { _ in .ok("not sent") }
        let response = await stage.attempt(server.request(.head), at: server).finalResponse
        stage.note("content-length: \(response?[.contentLength]?.text ?? "none")")
        stage.note(server.arrivals)
    }

    private static let headWithBody = TransportCase(
        "HEAD sends no body", expects: ["head 200", "finished 200 \"\"", "HEAD /"]
    ) { stage in
        let server = try stage.server { _ in .ok("not sent") }
        await stage.attempt(server.request(.head, body: "body"), at: server)
        stage.note(server.arrivals)
    }
}
