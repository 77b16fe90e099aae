import OmbiCore

/// Cookies go with each hop, and each response may set some.
enum CookieCases {
    static let all = [hops, own]

    private static let hops = TransportCase(
        "a jar stores what each response sets, and sends it with each hop", needsNetwork: true, needs: [.redirects],
        expects: [
            "redirected 302 to GET http://SERVER/end", "head 200", "finished 200 \"there\"", "/start has a=1",
            "/end has a=1; b=2", "the jar has a b c",
        ]
    ) { stage in
        let server = try stage.server { request in
            request.target == "/start"
                ? .status(302, headers: [("Location", "/end"), ("Set-Cookie", "b=2")])
                : .ok("there", headers: [("Set-Cookie", "c=3; Path=/")])
        }
        let request = server.request(.get, "/start") { $0.cookieJar = CookieJar() }
        request.cookieJar?.store(["a=1; Path=/"], from: request.url)
        await stage.attempt(request, at: server)
        for arrived in server.requests { stage.note("\(arrived.target) has \(arrived.headers["cookie"] ?? "none")") }
        let names = request.cookieJar?.cookies.map(\.name).sorted() ?? []
        stage.note("the jar has \(names.joined(separator: " "))")
    }

    private static let own = TransportCase(
        "a Cookie field of the request comes before those of the jar", needsNetwork: true,
        expects: ["head 200", "finished 200 \"there\"", "own=1; a=1"]
    ) { stage in
        let server = try stage.server { _ in .ok("there") }
        let request = server.request(headers: [.cookie: "own=1"]) { $0.cookieJar = CookieJar() }
        request.cookieJar?.store(["a=1", "own=2"], from: request.url)
        await stage.attempt(request, at: server)
        stage.note(server.requests.first?.headers["cookie"] ?? "none")
    }
}
