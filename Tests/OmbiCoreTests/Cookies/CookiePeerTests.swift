import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// The cookie engine of the program curl as a judge, where the two should agree. It knows older rules: what a later draft
/// changed (cookies without a name, `SameSite=None`, 400 days at most) is not among the cases, and neither is where it
/// differs from all of them: newer cookies first, `Path=x` for all paths.
@Suite(.enabled(if: ChildProgram.find("curl") != nil, "curl is not installed: apt-get install curl"))
struct CookiePeerTests {
    /// Requests in order, each with the cookies that its response sets.
    struct Case: Sendable, CustomTestStringConvertible {
        let steps: [(url: String, sets: [String])]

        init(_ url: String, _ sets: String..., to targets: String...) {
            steps = [(url, sets)] + targets.map { ($0, []) }
        }

        init(steps: [(url: String, sets: [String])]) { self.steps = steps }

        var testDescription: String { steps.map { "\($0.url) \($0.sets)" }.joined(separator: " -> ") }
    }

    private static let host = "http://a.example.com/"

    static let cases: [Case] = [
        Case(host, "n=v", to: host, "http://b.example.com/", "http://x.a.example.com/", "http://example.com/"),
        Case(host, "n=v; Domain=example.com", to: host, "http://b.example.com/", "http://example.com/"),
        Case(host, "n=v; Domain=.example.com", to: "http://b.example.com/", "http://badexample.com/"),
        Case(host, "n=v; domain=EXAMPLE.com", to: "http://b.example.com/"),
        Case(host, "n=v; Domain=a.example.com", to: "http://x.a.example.com/", "http://example.com/"),
        Case(host, "n=v; Domain=b.example.com", to: "http://b.example.com/", host),
        Case(host, "n=v; Domain=x.a.example.com", to: "http://x.a.example.com/", host),
        Case(host, "n=v; Domain=com", to: host, "http://b.com/"),
        Case("http://a.co.uk/", "n=v; Domain=co.uk", to: "http://a.co.uk/", "http://b.co.uk/"),
        Case("http://a.b.co.uk/", "n=v; Domain=b.co.uk", to: "http://c.b.co.uk/", "http://b.co.uk/"),
        Case("http://me.github.io/", "n=v; Domain=github.io", to: "http://you.github.io/", "http://me.github.io/"),
        Case(host, "n=v; Domain=xample.com", to: host),
        Case("http://127.0.0.1/", "n=v", to: "http://127.0.0.1/", "http://127.0.0.2/"),
        Case("http://127.0.0.1/", "n=v; Domain=127.0.0.1", to: "http://127.0.0.1/"),
        Case("http://127.0.0.1/", "n=v; Domain=0.0.1", to: "http://127.0.0.1/", "http://0.0.1/"),
        Case(host, "n=v", to: "http://A.EXAMPLE.com/"),
        Case(host, "n=v", to: "http://a.example.com:8080/"),
        Case(host + "a/b", "n=v", to: host, host + "a", host + "a/", host + "a/c", host + "ab"),
        Case(host + "a/b/", "n=v", to: host + "a/b", host + "a/b/", host + "a/"),
        Case(host + "a/b?c/d", "n=v", to: host + "a/x", host + "a/b"),
        Case(host, "n=v; Path=/a", to: host, host + "a", host + "a/", host + "a/b", host + "ab", host + "A"),
        Case(host, "n=v; Path=/a/", to: host + "a/b", host + "ab"),
        Case(host, "n=v; path=/x; Path=/y", to: host + "x", host + "y"),
        Case(host, "n=v; Path=/%61", to: host + "a", host + "%61"),
        Case(host, "n=v; Path=/a", to: host + "a?q=/b"),
        Case(host, "n=1", "n=2", to: host),
        Case(host, "n=1; Path=/", "n=2; Path=/a", "n=3; Path=/a/b", to: host + "a/b/c", host + "a", host),
        Case(host, "b=1; Path=/x", "a=2; Path=/", "c=3; Path=/x/y", to: host + "x/y"),
        Case(host, "a=1; Domain=a.example.com", "a=2; Domain=example.com", to: host),
        Case(host, "n=v; Secure", to: host, "https://a.example.com/"),
        Case("http://localhost/", "n=v; Secure", to: "http://localhost/"),
        Case("http://127.0.0.1/", "n=v; Secure", to: "http://127.0.0.1/"),
        Case(host, "n=v; HttpOnly", to: host),
        Case(host, "n=v; httponly=whatever; Unknown=1", to: host),
        Case(host, "n=v; Max-Age=100", to: host),
        Case(host, "n=v; Max-Age=0", to: host),
        Case(host, "n=v; Max-Age=-1", to: host),
        Case(host, "n=v; Expires=Thu, 01 Jan 1970 00:00:10 GMT", to: host),
        Case(host, "n=v; Expires=Wed, 01 Jan 2098 00:00:00 GMT", to: host),
        Case(host, "n=v; Expires=Wednesday, 01-Jan-98 00:00:00 GMT", to: host),
        Case(host, "n=v; Expires=Thu Jan  1 00:00:10 1970", to: host),
        Case(host, "n=v; Expires=rubbish", to: host),
        Case(host, "n=v; Max-Age=100; Expires=Thu, 01 Jan 1970 00:00:10 GMT", to: host),
        Case(host, "n=v; Expires=Thu, 01 Jan 1970 00:00:10 GMT; Max-Age=100", to: host),
        Case(host, "n=v; Expires=Wed, 01 Jan 2098 00:00:00 GMT; Max-Age=0", to: host),
        Case(steps: [(host, ["n=1"]), (host, ["n=; Max-Age=0"]), (host, [])]),
        Case(steps: [(host, ["n=1", "m=2; Path=/x"]), (host, ["n=new"]), (host + "x", [])]),
        Case(steps: [(host, ["n=1; Path=/a"]), (host, ["n=; Path=/b; Max-Age=0"]), (host + "a", [])]),
        Case(steps: [
            (host, ["n=1; Domain=example.com"]), ("http://b.example.com/", ["n=2; Domain=example.com"]), (host, []),
        ]),
        Case(steps: [(host, ["a=1"]), (host + "x/", ["b=2"]), (host + "x/y/", ["c=3"]), (host + "x/y/z", [])]),
        Case(host, "n=a=b==", to: host), Case(host, "n=", to: host), Case(host, "n=\"quoted\"", to: host),
        Case(host, "n=with space", to: host), Case(host, "  n  =  v  ", to: host),
        Case(host, "n=v;;; Path=/ ;", to: host),
        Case(host, "n=a,b", to: host), Case(host, "n=v,m=w; Path=/", to: host), Case(host, "n=\u{E4}", to: host),
        Case(host, "__Secure-n=v", to: host), Case(host, "__Host-n=v; Path=/", to: host),
        Case("http://localhost/", "__Secure-n=v; Secure", to: "http://localhost/"),
        Case("http://localhost/", "__Host-n=v; Secure; Path=/", to: "http://localhost/"),
        Case("http://localhost/", "__Host-n=v; Secure; Path=/x", to: "http://localhost/x"),
        Case(host, "n=\(String(repeating: "v", count: 4000))", to: host),
        Case(host, "n=\(String(repeating: "v", count: 5000))", to: host),
    ]

    @Test(arguments: cases) func `the program curl sends the same cookies`(_ sample: Case) async throws {
        let steps = sample.steps
        let server = try LoopbackServer { request in
            let sets = steps.indices.contains(request.number - 1) ? steps[request.number - 1].sets : []
            return .ok("", headers: sets.map { ("Set-Cookie", $0) })
        }
        defer { server.stop() }
        // What is sent over TLS is not looked at: the server has none.
        let plain = steps.filter { $0.url.hasPrefix("http:") }
        let curl = try #require(ChildProgram.find("curl"))
        let result = try await ChildProgram.run(
            curl, ["-s", "-b", "", "--connect-to", "::127.0.0.1:\(server.port)", "--noproxy", "*"] + plain.map(\.url))
        try #require(result.status == 0 && server.requests.count == plain.count, "\(result)")

        let jar = CookieJar()
        for (step, arrived) in zip(plain, server.requests) {
            let url = try #require(URL(string: step.url))
            #expect(jar.header(for: url) == arrived.headers["cookie"], "to \(step.url)")
            jar.store(step.sets, from: url)
        }
    }
}
