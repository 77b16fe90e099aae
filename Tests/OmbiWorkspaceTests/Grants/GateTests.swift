import Foundation
import OmbiCore
import TestSupport
import Testing

@testable import OmbiWorkspace

/// What a collection of somebody else may send before anything is granted.
@Suite struct GateTests {
    /// A request that reaches for something of this machine, and the source that the question names.
    private static let reaches: [(String, String, String)] = [
        ("a header", Stranger.file(), "$TOK"),
        ("the query", Stranger.file(request: #""query":[{"name":"q","value":"{{token}}"}]"#), "$TOK"),
        ("the path", Stranger.file(request: "", path: "/{{token}}"), "$TOK"),
        ("a path parameter", Stranger.file(request: #""pathParameters":{"id":"{{token}}"}"#, path: "/:id"), "$TOK"),
        ("a JSON body", Stranger.file(request: #""method":"POST","body":{"json":{"a":"{{token}}"}}"#), "$TOK"),
        (
            "a form", Stranger.file(request: #""method":"POST","body":{"form":[{"name":"a","value":"{{token}}"}]}"#),
            "$TOK"
        ),
        ("a text", Stranger.file(request: #""method":"POST","body":{"text":"{{token}}"}"#), "$TOK"),
        (
            "a part",
            Stranger.file(request: #""method":"POST","body":{"multipart":[{"name":"a","value":"{{token}}"}]}"#), "$TOK"
        ),
        (
            "GraphQL",
            Stranger.file(request: #""method":"POST","body":{"graphql":"{a}","variables":{"a":"{{token}}"}}"#), "$TOK"
        ),
        ("a function", Stranger.file(request: #""headers":[{"name":"X","value":"{{$base64('u:', token)}}"}]"#), "$TOK"),
        (
            "nested functions",
            Stranger.file(request: #""headers":[{"name":"X","value":"{{$sha256($base64(token))}}"}]"#), "$TOK"
        ),
        (
            "a variable of it",
            Stranger.file(
                request: #""headers":[{"name":"X","value":"{{v}}"}]"#, more: #","variables":{"v":"a{{token}}b"}"#),
            "$TOK"
        ),
        (
            "the name of a header",
            Stranger.file(
                request: #""headers":[{"name":"{{token}}","value":"1"}]"#.replacing("{{token}}", with: "{{plain}}")
            )
            .replacing(#""TOK"}"#, with: #""TOK"},"plain":{"env":"NAME"}"#), "$NAME"
        ),
        ("bearer credentials", Stranger.file(request: #""authentication":{"bearer":"{{token}}"}"#), "$TOK"),
        (
            "basic credentials",
            Stranger.file(request: #""authentication":{"basic":{"username":"u","password":"{{token}}"}}"#),
            "$TOK"
        ),
        (
            "digest credentials",
            Stranger.file(request: #""authentication":{"digest":{"username":"u","password":"{{token}}"}}"#), "$TOK"
        ),
        (
            "a signature",
            Stranger.file(
                request:
                    #""authentication":{"aws":{"accessKeyID":"a","secretAccessKey":"{{token}}","region":"r","service":"s"}}"#
            ), "$TOK"
        ),
        (
            "a profile of AWS",
            Stranger.file(
                environment: "",
                request: #""authentication":{"aws":{"profile":"dev","region":"r","service":"s"}}"#), "the file "
        ),
        (
            "a .netrc file",
            Stranger.file(environment: "", request: #""authentication":{"netrc":{}}"#), "the file "
        ),
        (
            "a Kerberos ticket", Stranger.file(environment: "", request: #""authentication":{"negotiate":{}}"#),
            "the Kerberos ticket"
        ),
        (
            "a password of NTLM",
            Stranger.file(request: #""authentication":{"ntlm":{"username":"u","password":"{{token}}"}}"#), "$TOK"
        ),
        (
            "a key in the query",
            Stranger.file(request: #""authentication":{"apiKey":{"name":"k","value":"{{token}}","in":"query"}}"#),
            "$TOK"
        ),
        (
            "headers of the environment",
            Stranger.file(environment: Stranger.token + #","additionalHeaders":{"X":"{{token}}"}"#, request: ""), "$TOK"
        ),
        (
            "a client secret",
            Stranger.file(
                request:
                    #""authentication":{"oauth2":{"grant":"clientCredentials","tokenURL":"/t","clientID":"i","clientSecret":"{{token}}"}}"#
            ), "$TOK"
        ),
        ("a body of a file", Stranger.file(request: #""method":"POST","body":{"file":"ABOVE/outside"}"#), "the file "),
        (
            "a body of a file above", Stranger.file(request: #""method":"POST","body":{"file":"../outside"}"#),
            "the file "
        ),
        (
            "a part of a file",
            Stranger.file(request: #""method":"POST","body":{"multipart":[{"name":"f","file":"../outside"}]}"#),
            "the file "
        ),
        ("a link", Stranger.file(request: #""method":"POST","body":{"file":"link"}"#), "the file "),
        ("a hidden file", Stranger.file(request: #""method":"POST","body":{"file":".netrc"}"#), "the file "),
        ("the local file", Stranger.file(request: #""method":"POST","body":{"file":"c.local.json"}"#), "the file "),
        (
            "a file by a function above",
            Stranger.file(environment: "", request: #""headers":[{"name":"X","value":"{{$file('../outside')}}"}]"#),
            "the file "
        ),
        (
            "a hidden file by a function",
            Stranger.file(
                environment: "", request: #""method":"POST","body":{"text":"{{$base64($file('.netrc'))}}"}"#),
            "the file "
        ),
        (
            "a link by a function in the path", Stranger.file(environment: "", request: "", path: "/{{$file('link')}}"),
            "the file "
        ),
        (
            "a file by a function in a variable",
            Stranger.file(
                environment: "", request: #""headers":[{"name":"X","value":"{{v}}"}]"#,
                more: #","variables":{"v":"{{$sha256($file('ABOVE/outside'))}}"}"#), "the file "
        ),
        ("a secret of a file", Stranger.file(environment: #""secrets":{"token":{"file":"../outside"}}"#), "the file "),
        (
            "a secret of a file beside", Stranger.file(environment: #""secrets":{"token":{"file":"inside"}}"#),
            "the file "
        ),
        ("a secret of a .env file", Stranger.file(environment: #""envFile":".env""#), "token in "),
        (
            "a secret of the local file",
            Stranger.file(environment: "", request: #""headers":[{"name":"X","value":"{{mine}}"}]"#),
            "mine of the local file"
        ),
        (
            "a variable of the local file",
            Stranger.file(environment: "", request: #""headers":[{"name":"X","value":"{{own}}"}]"#),
            "own of the local file"
        ),
        (
            "a header of the local file",
            Stranger.file(host: "GOOD", environment: "", request: "").replacing(#""name":"e""#, with: #""name":"l""#),
            "X-Local of the local file"
        ),
        (
            "a Unix socket", Stranger.file(environment: #""connection":{"unixSocket":"/tmp/none.sock"}"#, request: ""),
            "the socket /tmp/none.sock"
        ),
        (
            "a socket as proxy",
            Stranger.file(environment: #""connection":{"proxy":"socks5://x"}"#, request: "").replacing(
                "socks5://x", with: "socks5h:///tmp/none.sock"), "the socket /tmp/none.sock"
        ),
        (
            "ssh", Stranger.file(environment: #""connection":{"via":"ssh://bastion"}"#, request: ""),
            "ssh to ssh://bastion"
        ),
        (
            "a client certificate",
            Stranger.file(
                host: "https://127.0.0.1:1", environment: #""connection":{"clientCertificate":{"file":"../outside"}}"#,
                request: ""), "the client certificate "
        ),
        ("a command", Stranger.file(environment: command), "the output of sh "),
        (
            "a command for the name of a file",
            Stranger.file(environment: command + #","connection":{"caFile":"{{token}}"}"#, request: ""),
            "the output of sh "
        ),
        (
            "a command for a password that nothing needs",
            Stranger.file(
                environment: command + #","connection":{"clientCertificate":{"file":"a.p12","password":"{{token}}"}}"#,
                request: ""), "the output of sh "
        ),
        (
            "a command for credentials that a header replaces",
            Stranger.file(
                environment: command,
                request:
                    #""headers":[{"name":"Authorization","value":"a"}],"authentication":{"bearer":"{{token}}"}"#),
            "the output of sh "
        ),
        (
            "a command for a variable that the request captures itself",
            Stranger.file(
                environment: command,
                request:
                    #""headers":[{"name":"X","value":"{{token}}"}],"capture":{"token":{"path":"$.a"}}"#),
            "the output of sh "
        ),
        (
            "a command for a variable that a request captures which waits for this one",
            Stranger.file(
                environment: command,
                request: #""capture":{"token":{"path":"$.a"}}},{"request":"s","path":"/","#
                    + #""headers":[{"name":"X","value":"{{token}}"}],"capture":{"x":{"path":"$.a"}}"#,
                path: "/{{x}}"), "the output of sh "
        ),
        (
            "a keyring", Stranger.file(environment: #""secrets":{"token":{"keyring":{"service":"s"}}}"#),
            "the keyring entry s"
        ),
        (
            "a WebSocket's message",
            Stranger.file(
                request: #""webSocket":{"messages":[{"name":"m","text":"{{token}}"}]}"#,
                path: "ws://127.0.0.1:GOODPORT/"), "$TOK"
        ),
    ]

    private static let command = #""secrets":{"token":{"command":["sh","-c","touch ABOVE/ran; echo token"]}}"#

    @Test(arguments: reaches.indices) func `what is this machine's own is asked for before anything leaves`(
        _ index: Int
    ) async throws {
        let (name, text, source) = Self.reaches[index]
        let stranger = try Stranger()
        defer { stranger.remove() }
        try Self.furnish(stranger, hasHeader: name == "a header of the local file")
        try stranger.write(text)
        let asked = Lock<[GateQuestion]>([])
        var steps = stranger.steps()
        steps.askForGrants = { _, question in
            asked.withLock { $0.append(question) }
            return .refused
        }
        let result: SessionResult
        do { result = try await stranger.send(nil, stranger.session(steps)) } catch let error as Stranger.Broken {
            Issue.record("\(name): \(error)")
            return
        }
        #expect(!result.passed, "\(name)")
        let sources = asked.withLock { $0.flatMap { $0.flows.map(\.source.text) } }
        if name == "a socket as proxy", result.failures.first?.contains("proxy") == true, sources.isEmpty { return }
        #expect(sources.contains { $0.hasPrefix(source) }, "\(name): \(sources) \(result.failures)")
        #expect(stranger.good.requests.isEmpty && stranger.evil.requests.isEmpty, "\(name)")
        #expect(!FileManager.default.fileExists(atPath: stranger.folder + "/ran"), "\(name)")
    }

    private static func furnish(_ stranger: Stranger, hasHeader: Bool) throws {
        let header = #""environments":[{"name":"l","additionalHeaders":{"X-Local":"HUSH"}}],"#
        try Stranger.secret.write(toFile: stranger.folder + "/outside", atomically: true, encoding: .utf8)
        try stranger.write(Stranger.secret, to: "inside")
        try stranger.write("default login u password \(Stranger.secret)", to: ".netrc")
        let keys = "[dev]\naws_access_key_id = AKIDEXAMPLE\naws_secret_access_key = \(Stranger.secret)\n"
        try stranger.write(keys, to: ".aws/credentials")
        try stranger.write("token=\(Stranger.secret)\n", to: ".env")
        try stranger.write(
            """
            {"version":1,\(hasHeader ? header : "")
             "secrets":{"mine":{"value":"\(Stranger.secret)"}},"variables":{"own":"\(Stranger.secret)"}}
            """, to: "c.local.json")
        try FileManager.default.createSymbolicLink(
            atPath: stranger.folder + "/shop/link", withDestinationPath: stranger.folder + "/outside")
    }

    /// Requests with nothing of this machine.
    private static let free: [(String, String)] = [
        ("a literal", Stranger.file(environment: "", request: #""headers":[{"name":"X","value":"literal"}]"#)),
        ("literal credentials", Stranger.file(environment: "", request: #""authentication":{"bearer":"literal"}"#)),
        (
            "a file of the workspace",
            Stranger.file(environment: "", request: #""method":"POST","body":{"file":"photo.txt"}"#)
        ),
        ("a file below it", Stranger.file(environment: "", request: #""method":"POST","body":{"file":"data/a.txt"}"#)),
        ("an unused secret", Stranger.file(request: "")),
        ("a proxy", Stranger.file(environment: #""connection":{"proxy":"none"}"#, request: "")),
        (
            "functions",
            Stranger.file(environment: "", request: #""headers":[{"name":"X","value":"{{$uuid}} {{$base64('a')}}"}]"#)
        ),
        (
            "a file by a function",
            Stranger.file(environment: "", request: #""headers":[{"name":"X","value":"{{$file('photo.txt')}}"}]"#)
        ),
    ]

    @Test(arguments: free.indices) func `what belongs to the file needs no grant`(_ index: Int) async throws {
        let (name, text) = Self.free[index]
        let stranger = try Stranger()
        defer { stranger.remove() }
        try stranger.write("photo", to: "photo.txt")
        try stranger.write("data", to: "data/a.txt")
        try stranger.write(text)
        let result = try await stranger.send()
        #expect(result.passed && stranger.good.requests.count == 1, "\(name): \(result.failures)")
    }

    @Test func `what the command line sets goes where the file says`() async throws {
        let stranger = try Stranger()
        defer { stranger.remove() }
        try stranger.write(Stranger.file())
        let collection = try stranger.collection()
        let session = Session(
            transport: CurlTransport(), overrides: Overrides(variables: [Variable("token", "typed")]),
            steps: stranger.steps())
        let order = RunOrder(
            id: 1, request: collection.requests[0], collection: collection, environment: "e", file: stranger.file)
        _ = await session.events(of: order)
        #expect(stranger.good.requests.map { $0.headers["x"] } == ["typed"])
    }
}
