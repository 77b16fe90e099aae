import Foundation
import OmbiCore

/// Redirects by the rules of `RedirectPolicy` (RFC 9110 §15.4).
enum RedirectCases {
    static let all =
        methods + targets + [
            credentials, credentialsAtHome, credentialsKept, originHeaders, none, methodKept, circle, noLocation, chain,
            stream, body, refused, report,
        ]

    private static func follow(
        _ stage: Stage, _ status: Int, to location: String = "/end", _ method: RequestMethod = .get,
        headers: RequestHeaders = [:], body: String? = nil, _ change: (inout Connection) -> Void = { _ in }
    ) async throws {
        let server = try stage.server { request in
            request.target == "/start" ? .redirect(status, to: location) : .ok("there")
        }
        var request = server.request(method, "/start", headers: headers, body: body)
        change(&request.connection)
        let response = await stage.attempt(request, at: server).finalResponse
        stage.note(server.arrivals)
        if let url = response?.url { stage.note("from \(stage.hidden(server)(url.absoluteString))") }
    }

    private static let methods = [
        (301, RequestMethod.get, "GET", ""), (301, .post, "GET", ""), (302, .post, "GET", ""), (303, .put, "GET", ""),
        (307, .post, "POST", " \"body\""), (308, .put, "PUT", " \"body\""), (301, .put, "PUT", " \"body\""),
        (303, .head, "HEAD", ""), (307, .delete, "DELETE", " \"body\""),
    ].map { (status, method, next, sent) -> TransportCase in
        let first = method == .get || method == .head ? "" : " \"body\""
        return TransportCase(
            "\(status) after \(method.rawValue) leads to \(next)", needsNetwork: true, needs: [.redirects],
            expects: [
                "redirected \(status) to \(next) http://SERVER/end", "head 200",
                next == "HEAD" ? "finished 200 \"\"" : "finished 200 \"there\"", "\(method.rawValue) /start\(first)",
                "\(next) /end\(sent)", "from http://SERVER/end",
            ]
        ) { stage in
            try await follow(stage, status, method, body: first.isEmpty ? nil : "body")
        }
    }

    private static func follow(_ stage: Stage, _ status: Int, _ method: RequestMethod, body: String?) async throws {
        try await follow(stage, status, to: "/end", method, body: body)
    }

    private static let targets =
        [
            ("end?x=1", "/end?x=1"), ("/a/../end", "/end"), ("?only=query", "/start?only=query"),
            ("//SERVER/end", "/end"), ("http://SERVER/end", "/end"), ("HTTP://SERVER/end", "/end"),
        ].map { location, target in
            TransportCase(
                "the location \(location) is resolved", needsNetwork: true, needs: [.redirects],
                expects: ["head 200", "finished 200 \"there\"", "GET /start", "GET \(target)"]
            ) { stage in
                let place = LoopbackLock("")
                let server = try stage.server { request in
                    request.number == 1
                        ? .redirect(302, to: location.replacingOccurrences(of: "SERVER", with: place.withLock { $0 }))
                        : .ok("there")
                }
                place.withLock { $0 = server.place }
                let events = await stage.transport(for: server).allEvents(of: server.request(.get, "/start"))
                stage.note(events.outline(stage.hidden(server)).filter { !$0.hasPrefix("redirected") })
                stage.note(server.arrivals)
            }
        }
        + [
            ("file:///etc/passwd", "file:///etc/passwd"), ("gopher://x/", "gopher://x/"),
            ("javascript:alert(1)", "javascript:alert(1)"),
        ].map { location, shown in
            TransportCase(
                "the location \(location) is refused", needsNetwork: true,
                expects: [
                    "failed unsupportedURL: SERVER redirects to \"\(shown)\", which is not an HTTP URL",
                    "part 302 \"moved\"", "GET /start",
                ]
            ) { stage in
                try await follow(stage, 302, to: location)
            }
        }

    private static let secrets: RequestHeaders = [
        "Authorization": "Bearer x", "Cookie": "a=1", "X-Api-Key": "k", "X-Trace": "t",
    ]

    /// Redirects to another server. Notes what of the fields arrived there.
    private static func cross(
        _ stage: Stage, headers: RequestHeaders, originHeaders: Set<RequestHeaders.Key> = [],
        _ change: (inout Connection) -> Void = { _ in }
    ) async throws {
        let other = try stage.server { _ in .ok("there") }
        let target = other.host + "/end"
        let server = try stage.server { _ in .redirect(307, to: target) }
        var request = server.request(headers: headers) { $0.originHeaders = originHeaders }
        change(&request.connection)
        await stage.attempt(request, at: server)
        let names = headers.fields.map { $0.key.name.lowercased() }
        let arrived = other.requests.first?.headers ?? [:]
        stage.note(names.filter { arrived[$0] != nil }.sorted().map { "\($0) arrived" })
    }

    private static let credentials = TransportCase(
        "credentials stay with their origin", needsNetwork: true, needs: [.redirects],
        expects: [
            "redirected 307 to GET http://OTHER/end without authorization cookie x-api-key", "head 200",
            "finished 200 \"there\"", "x-trace arrived",
        ]
    ) { stage in
        try await cross(stage, headers: secrets)
    }

    private static let credentialsKept = TransportCase(
        "credentials cross where the policy says so", needsNetwork: true, needs: [.redirects],
        expects: [
            "redirected 307 to GET http://OTHER/end", "head 200", "finished 200 \"there\"", "authorization arrived",
            "cookie arrived", "x-api-key arrived", "x-trace arrived",
        ]
    ) { stage in
        try await cross(stage, headers: secrets) { $0.redirects.keepsCredentialsAcrossOrigins = true }
    }

    private static let originHeaders = TransportCase(
        "fields of the origin stay with it", needsNetwork: true, needs: [.redirects],
        expects: [
            "redirected 307 to GET http://OTHER/end without x-acme", "head 200", "finished 200 \"there\"",
            "x-trace arrived",
        ]
    ) { stage in
        try await cross(stage, headers: ["X-Acme": "1", "X-Trace": "t"], originHeaders: ["x-acme"])
    }

    private static let credentialsAtHome = TransportCase(
        "credentials are kept within an origin", needsNetwork: true,
        expects: ["Bearer x", "Bearer x"]
    ) { stage in
        let server = try stage.server { $0.target == "/start" ? .redirect(307, to: "/end") : .ok("there") }
        let request = server.request(.get, "/start", headers: ["Authorization": "Bearer x"])
        _ = await stage.transport(for: server).allEvents(of: request)
        stage.note(server.requests.map { $0.headers["authorization"] ?? "none" })
    }

    private static let none = TransportCase(
        "a policy of none makes the redirect the response", needsNetwork: true, needs: [.redirects],
        expects: [
            "head 302", "finished 302 \"moved\"", "GET /start", "from http://SERVER/start",
        ]
    ) { stage in
        try await follow(stage, 302) { $0.redirects = .none }
    }

    private static let methodKept = TransportCase(
        "a policy may keep the method", needsNetwork: true, needs: [.redirects],
        expects: [
            "redirected 302 to POST http://SERVER/end", "head 200", "finished 200 \"there\"", "POST /start \"body\"",
            "POST /end \"body\"", "from http://SERVER/end",
        ]
    ) { stage in
        try await follow(stage, 302, to: "/end", .post, body: "body") { $0.redirects.keepsMethod = true }
    }

    private static let circle = TransportCase(
        "a circle ends", needsNetwork: true, needs: [.redirects],
        expects: [
            "redirected 302 to GET http://SERVER/", "redirected 302 to GET http://SERVER/",
            "redirected 302 to GET http://SERVER/",
            "failed tooManyRedirects: http://SERVER/ redirects more than 3 times", "part 302 \"moved\"", "4 requests",
        ]
    ) { stage in
        let server = try stage.server { _ in .redirect(302, to: "/") }
        var request = server.request()
        request.connection.redirects.maximum = 3
        await stage.attempt(request, at: server)
        stage.note("\(server.requests.count) requests")
    }

    private static let noLocation = TransportCase(
        "a redirect that leads nowhere is a response", expects: ["head 302", "finished 302 \"lost\""]
    ) { stage in
        let server = try stage.server { _ in .status(302, "lost") }
        await stage.attempt(server.request(), at: server)
    }

    private static let chain = TransportCase(
        "redirects are followed in turn", needsNetwork: true, needs: [.redirects],
        expects: [
            "redirected 301 to GET http://SERVER/1", "redirected 302 to GET http://SERVER/2",
            "redirected 303 to GET http://SERVER/3", "head 200", "finished 200 \"there\"",
        ]
    ) { stage in
        let server = try stage.server { request in
            request.number < 4 ? .redirect(300 + request.number, to: "/\(request.number)") : .ok("there")
        }
        await stage.attempt(server.request(), at: server)
    }

    private static let stream = TransportCase(
        "a stream is opened anew for a redirect that keeps the body", needsNetwork: true, needs: [.redirects],
        expects: [
            "redirected 307 to POST http://SERVER/end", "head 200", "finished 200 \"there\"",
            "POST /start \"streamed\"",
            "POST /end \"streamed\"", "opened twice",
        ]
    ) { stage in
        let server = try stage.server { $0.target == "/start" ? .redirect(307, to: "/end") : .ok("there") }
        let opened = LoopbackLock(0)
        let source = BodyStream(data: Data("streamed".utf8))
        let request = server.request(.post, "/start") {
            $0.bodyStream = BodyStream(length: 8) {
                opened.withLock { $0 += 1 }
                return try source.open()
            }
        }
        await stage.attempt(request, at: server)
        stage.note(server.arrivals)
        stage.note("opened \(opened.withLock { $0 } == 2 ? "twice" : "\(opened.withLock { $0 }) times")")
    }

    private static let body = TransportCase(
        "the body of a redirect is passed over", needsNetwork: true, needs: [.redirects],
        expects: ["redirected 302 to GET http://SERVER/end", "head 200", "finished 200 \"there\"", "received 5 of 5"]
    ) { stage in
        let server = try stage.server { request in
            guard request.target == "/start" else { return .ok("there") }
            return .response(
                status: 302, headers: [("Location", "/end")], body: Data(repeating: 7, count: 1_000_000))
        }
        let events = await stage.attempt(server.request(.get, "/start"), at: server)
        stage.note(events.progress)
    }

    private static let refused = TransportCase(
        "a redirect to a port where nobody listens fails", needsNetwork: true, needs: [.redirects],
        expects: [
            "redirected 302 to GET http://127.0.0.1:1/end",
            "failed cannotConnectToHost: could not connect to 127.0.0.1:1 (connection refused)", "part 302 \"\"",
        ]
    ) { stage in
        let server = try stage.server { _ in .redirect(302, to: "http://127.0.0.1:1/end") }
        await stage.attempt(server.request(), at: server)
    }

    private static let report = TransportCase(
        "every redirect is in the metrics", needsNetwork: true, needs: [.redirects],
        expects: ["1 redirect", "302 from http://SERVER/start", "Location: /end", "part of the whole"]
    ) { stage in
        let server = try stage.server { $0.target == "/start" ? .redirect(302, to: "/end") : .ok("there") }
        let events = await stage.transport(for: server).allEvents(of: server.request(.get, "/start"))
        guard let metrics = events.finalMetrics else { return }
        stage.note("\(metrics.redirects.count) redirect")
        for report in metrics.redirects {
            stage.note("\(report.head.statusCode) from \(stage.hidden(server)(report.head.url.absoluteString))")
            stage.note("Location: \(report.head.headers[.location]?.text ?? "none")")
            stage.note(report.timings.total <= metrics.timings.total ? "part of the whole" : "more than the whole")
        }
    }
}
