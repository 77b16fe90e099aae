import Foundation
import TestSupport
import Testing

@testable import OmbiAuthentication

/// What the program curl answers to a challenge: with its nonce, Ombi must come to the same response. It knows no session
/// algorithms without a `qop`.
@Suite(.enabled(if: ChildProgram.find("curl") != nil, "curl is not installed: apt-get install curl"))
struct DigestCurlTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var challenge: String
        var user = "Mufasa"
        var password = "Circle of Life"
        var target = "/dir/index.html"
        var method = "GET"
        var body: String?

        var testDescription: String { "\(method) \(target) \(user):\(password) \(challenge)" }
    }

    static let cases: [Case] =
        ["MD5", "MD5-sess", "SHA-256", "SHA-256-sess"].flatMap { algorithm in
            ["auth", "auth,auth-int", "auth-int", nil].filter { $0 != nil || !algorithm.hasSuffix("sess") }.map { qop in
                Case(
                    challenge: "realm=\"lions\", nonce=\"abc+/=\", opaque=\"o p\", algorithm=\(algorithm)"
                        + (qop.map { ", qop=\"\($0)\"" } ?? ""))
            }
        } + [
            Case(challenge: "realm=\"lions\", nonce=\"n\""), Case(challenge: "realm=\"\", nonce=\"\", qop=auth"),
            Case(challenge: "realm=\"a \\\"quoted\\\" realm\", nonce=\"n\", qop=auth"),
            Case(challenge: "realm=\"lions\", nonce=\"n\", qop=auth", user: "a\"b"),
            Case(
                challenge: "realm=\"lions\", nonce=\"n\", qop=auth, charset=UTF-8", user: "J\u{E4}s\u{F8}n",
                password: "\u{2603}"),
            Case(challenge: "realm=\"lions\", nonce=\"n\", qop=auth", password: "with:colon \"and\" \\ more"),
            Case(challenge: "realm=\"lions\", nonce=\"n\", qop=auth", password: ""),
            Case(challenge: "realm=\"lions\", nonce=\"n\", qop=auth, userhash=true, algorithm=SHA-256"),
            Case(challenge: "realm=\"lions\", nonce=\"n\", qop=auth", target: "/"),
            Case(challenge: "realm=\"lions\", nonce=\"n\", qop=auth", target: "/a?b=c&d=%20e"),
            Case(challenge: "realm=\"lions\", nonce=\"n\", qop=auth", target: "/%C3%A9"),
            Case(challenge: "realm=\"lions\", nonce=\"n\", qop=auth", method: "DELETE"),
            Case(challenge: "realm=\"lions\", nonce=\"n\", qop=auth", method: "POST", body: "a=b"),
        ]

    @Test(arguments: cases) func `the response is that of curl`(_ sample: Case) async throws {
        let challenge = "Digest \(sample.challenge)"
        let server = try LoopbackServer { request in
            request.headers["authorization"]?.contains("response=") == true
                ? .ok("") : .status(401, headers: [("WWW-Authenticate", challenge)])
        }
        defer { server.stop() }
        let address = server.host + sample.target
        let curl = try #require(ChildProgram.find("curl"))
        let data = sample.body.map { ["--data", $0] } ?? []
        let result = try await ChildProgram.run(
            curl,
            ["-s", "--noproxy", "*", "--digest", "-u", "\(sample.user):\(sample.password)", "-X", sample.method] + data
                + [address])
        let theirs = try #require(
            server.requests.last?.headers["authorization"].flatMap {
                AuthenticationChallenge.parse($0).first?.parameters
            },
            "\(result)")

        let authenticator = DigestAuthenticator(
            username: sample.user, password: sample.password, clientNonce: { theirs["cnonce"] ?? "" })
        let request = TransportRequest(
            url: try #require(URL(string: address)), method: RequestMethod(stringLiteral: sample.method),
            body: sample.body.map { Data($0.utf8) })
        let outcome = try await AuthenticatedRun(authenticator: authenticator, transport: CurlTransport()).send(request)
        #expect(outcome.response.statusCode == 200 && outcome.sent.count == 2)
        let arrived = try #require(server.requests.last?.headers["authorization"])
        let ours = try #require(AuthenticationChallenge.parse(arrived).first?.parameters)
        for name in ["realm", "nonce", "uri", "response", "algorithm", "qop", "nc", "cnonce", "opaque", "userhash"] {
            #expect(ours[name] == theirs[name], "\(name)")
        }
        #expect(server.requests.last?.target == sample.target)
    }
}

/// A real server: lighttpd with mod_auth.
@Suite(
    .enabled(if: ChildProgram.find("lighttpd") != nil, "lighttpd is not installed: apt-get install lighttpd"))
struct DigestServerTests {
    private static let configuration = """
        server.document-root = var.CWD + "/root"
        server.bind = "/dev/stdin"
        server.modules = ( "mod_auth", "mod_authn_file" )
        server.errorlog = "error.log"
        auth.backend = "htdigest"
        auth.backend.htdigest.userfile = "users"
        auth.require = (
            "/md5" => ( "method" => "digest", "realm" => "lions", "require" => "valid-user", "algorithm" => "MD5" ),
            "/sha256" => ( "method" => "digest", "realm" => "lions", "require" => "valid-user",
                "algorithm" => "SHA-256", "userhash" => "enable" ),
            "/both" => ( "method" => "digest", "realm" => "lions", "require" => "valid-user",
                "algorithm" => "MD5|SHA-256" ),
        )
        """

    private static func users() -> String {
        let users = [("Mufasa", "Circle of Life"), ("J\u{E4}s\u{F8}n Doe", "Secret, or not?")]
        return users.flatMap { name, password in
            [HashFunction.md5, .sha256].map { function in
                "\(name):lions:\(function.hex("\(name):lions:\(password)")):\(function.hex("\(name):lions"))\n"
            }
        }.joined()
    }

    private func withServer(_ use: (ServerProcess) async throws -> Void) async throws {
        let pages = ["md5", "sha256", "both"].map { ("root/\($0)", "the \($0) page") }
        let server = try ServerProcess(
            try #require(ChildProgram.find("lighttpd")), ["-D", "-f", "lighttpd.conf"],
            files: ["lighttpd.conf": Self.configuration, "users": Self.users(), "root/open": "open"]
                .merging(pages) { $1 })
        defer { server.stop() }
        do {
            try await use(server)
        } catch {
            Issue.record("\(error); lighttpd: \(server.log)")
        }
    }

    private func request(_ server: ServerProcess, _ path: String) -> TransportRequest {
        TransportRequest(url: URL(string: server.host + path)!)
    }

    @Test(
        arguments: ["/md5", "/sha256", "/both"],
        [
            ("Mufasa", "Circle of Life", 200), ("Mufasa", "wrong", 401), ("Scar", "Circle of Life", 401),
            ("J\u{E4}s\u{F8}n Doe", "Secret, or not?", 200),
        ])
    func `lighttpd lets in who knows the password, as curl finds, too`(
        path: String, user: (name: String, password: String, status: Int)
    ) async throws {
        try await withServer { server in
            let run = AuthenticatedRun(
                authenticator: DigestAuthenticator(username: user.name, password: user.password),
                transport: CurlTransport())
            let outcome = try await run.send(request(server, path))
            #expect(outcome.response.statusCode == user.status)
            #expect(outcome.sent.count == 2)
            // curl writes a name outside ASCII as it is, which lighttpd does not read.
            guard let curl = ChildProgram.find("curl"), user.name.utf8.allSatisfy({ $0 < 0x80 }) else { return }
            let result = try await ChildProgram.run(
                curl,
                [
                    "-s", "-o", "/dev/null", "-w", "%{http_code}", "--noproxy", "*", "--digest", "-u",
                    "\(user.name):\(user.password)", server.host + path,
                ])
            #expect(result.output == "\(user.status)")
        }
    }

    @Test func `later requests carry credentials at once, also many at a time`() async throws {
        try await withServer { server in
            let run = AuthenticatedRun(
                authenticator: DigestAuthenticator(username: "Mufasa", password: "Circle of Life"),
                transport: CurlTransport())
            #expect(try await run.send(request(server, "/sha256")).sent.count == 2)
            #expect(try await run.send(request(server, "/sha256?x=1")).sent.count == 1)
            let outcomes = try await withThrowingTaskGroup(of: AuthenticatedRun.Outcome.self) { group in
                for number in 0..<20 { group.addTask { try await run.send(request(server, "/sha256?n=\(number)")) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.allSatisfy { $0.response.statusCode == 200 && $0.sent.count == 1 })
            #expect(try await run.send(request(server, "/open")).response.statusCode == 200)
        }
    }
}
