import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Each way to sign in and to send, once on the command line and once on the screen.
    @Suite struct FeatureTests {
        /// A request with what its response says.
        struct Feature: CustomTestStringConvertible, Sendable {
            var name: String
            /// Its members beside the name.
            var members: String
            /// In the body, laid out or not.
            var expected: String
            /// On the first screen of the body; nil for the same.
            var shown: String?
            /// Requests that it needs.
            var before = ""

            var testDescription: String { name }
        }

        static let features = [
            Feature(
                name: "my session",
                members: #""path": "/auth/session", "authentication": { "bearer": "{{sessionToken}}" }"#,
                expected: "authenticated",
                before: #"""
                    { "request": "log in", "method": "POST", "path": "/auth/login",
                      "capture": { "sessionToken": { "path": "$.token", "secret": true } } },
                    """#),
            Feature(
                name: "signed",
                members: #"""
                    "path": "/auth/signed", "query": [{ "name": "a", "value": "b c" }],
                    "authentication": { "aws": { "accessKeyID": "demo", "secretAccessKey": "demo", "region": "local",
                      "service": "demo" } }
                    """#, expected: "authenticated"),
            Feature(
                name: "upload",
                members: #"""
                    "method": "POST", "path": "/echo",
                    "body": { "multipart": [{ "name": "note", "value": "with words" }, { "name": "file", "file": "./up.txt" }] }
                    """#, expected: "the text of the file", shown: "multipart/form-data"),
            Feature(
                name: "file", members: #""method": "PUT", "path": "/echo", "body": { "file": "./up.txt" }"#,
                expected: "the text of the file"),
            Feature(
                name: "redirects", members: #""path": "/redirect/3""#, expected: "redirected"),
        ]

        private static func shop(_ feature: Feature, port: Int) -> String {
            """
            { "version": 1, "name": "shop",
              "environments": [{ "name": "local", "host": "http://127.0.0.1:\(port)" }],
              "items": [\(feature.before) { "request": "\(feature.name)", \(feature.members),
                "expect": { "status": 200 } }] }
            """
        }

        /// Writes the collection, and sends it both ways.
        private static func play(
            _ feature: Feature, host: Int? = nil, files: [String: String] = [:], asks: Bool = false,
            _ location: SourceLocation = #_sourceLocation
        ) throws {
            try Scene.play { scene in
                for (name, text) in files { try scene.write(name, text) }
                try scene.write("up.txt", "the text of the file")
                try scene.write("shop.json", shop(feature, port: try host ?? scene.port()))
                // A home folder is no workspace, whose files a collection may send.
                let places = ["HOME": scene.path("home"), "XDG_STATE_HOME": scene.path("state")]
                let words = ["run", "shop.json/\(feature.name)", "--body"] + (asks ? ["--trust"] : [])
                let run = try scene.background(Program.ombi, words, environment: places).outcome()
                #expect(run.status == 0, "\(run.output)\(run.errors)", sourceLocation: location)
                #expect(
                    run.output.contains(feature.expected), "\(run.output)\(run.errors)", sourceLocation: location)
                // With a history of its own, which has no response of the run before.
                let own = places.merging(["XDG_STATE_HOME": scene.path("screen")]) { $1 }
                let ombi = try scene.explore("shop.json", environment: own)
                try ombi.see(feature.name)
                ombi.type("/", feature.name, Keys.enter)
                try ombi.seeCursor(on: feature.name)
                ombi.type("1", "s")
                if asks {
                    try ombi.see("y allow it")
                    ombi.type("y")
                }
                try ombi.see("200 OK", feature.shown ?? feature.expected)
                try ombi.seeGone("x cancel")
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0, sourceLocation: location)
            }
        }

        @Test(arguments: features) func `a feature of the demo works headless and on the screen`(
            _ feature: Feature
        ) throws { try Self.play(feature) }

        @Test(
            .enabled(if: ChildProgram.find("lighttpd") != nil, "lighttpd is not installed: apt-get install lighttpd"))
        func `digest lets into lighttpd`() throws {
            let server = try ServerProcess(
                try #require(ChildProgram.find("lighttpd")), ["-D", "-f", "lighttpd.conf"],
                files: [
                    "root/lions": "roar",
                    // The hash is that of demo:lions:demo.
                    "users": "demo:lions:06e6e3f6a0b7628b95f925c6a43271a1\n",
                    "lighttpd.conf": """
                    server.document-root = var.CWD + "/root"
                    server.bind = "/dev/stdin"
                    server.modules = ( "mod_auth", "mod_authn_file" )
                    server.errorlog = "error.log"
                    auth.backend = "htdigest"
                    auth.backend.htdigest.userfile = "users"
                    auth.require = ( "/lions" => ( "method" => "digest", "realm" => "lions",
                      "require" => "valid-user", "algorithm" => "MD5" ) )
                    """,
                ])
            defer { server.stop() }
            let members =
                #""path": "/lions", "authentication": { "digest": { "username": "demo", "password": "demo" } }"#
            try Self.play(Feature(name: "digest", members: members, expected: "roar"), host: server.port)
        }

        @Test(.enabled(if: NginxServer.isInstalled, "nginx is not installed: apt-get install nginx-light"))
        func `a client certificate is shown to nginx`() throws {
            let nginx = try NginxServer([.clientCertificate])
            defer { nginx.stop() }
            let members = """
                "path": "\(nginx.host(.clientCertificate))/", "connection": { "caFile": "\(nginx.authorityFile)",
                  "clientCertificate": { "file": "\(nginx.file("client.pem"))", "key": "\(nginx.file("client.key"))" } }
                """
            try Self.play(
                Feature(name: "certified", members: members, expected: "Ombi test client"), host: 1, asks: true)
        }

        @Test func `cookies that are set come along, headless and on the screen`() throws {
            try Scene.play { scene in
                let text = """
                    { "version": 1, "name": "shop", "connection": { "cookies": true },
                      "environments": [{ "name": "local", "host": "http://127.0.0.1:\(try scene.port())" }],
                      "items": [{ "request": "set", "path": "/cookies/set", "query": [{ "name": "flavour", "value": "oat" }] },
                        { "request": "came along", "path": "/cookies" }] }
                    """
                try scene.write("shop.json", text)
                let run = try scene.ombi("run", "shop.json", "--body")
                #expect(run.status == 0 && run.output.contains("flavour=oat"), "\(run.output)\(run.errors)")
                let ombi = try scene.explore("shop.json", environment: ["XDG_STATE_HOME": scene.path("screen")])
                try ombi.see("came along")
                ombi.type("s")
                try ombi.see("200 OK")
                ombi.type("j", "s")
                try ombi.see("✓ GET   came along")
                try ombi.see("flavour=oat")
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
            }
        }

        #if os(Linux)
        @Test func `a device code is entered elsewhere, headless and on the screen`() throws {
            try Scene.play { scene in
                let members = #"""
                    "path": "/oauth/protected", "authentication": { "oauth2": { "grant": "deviceCode",
                      "tokenURL": "/oauth/token", "deviceURL": "/oauth/device", "clientID": "demo", "clientSecret": "demo" } }
                    """#
                let port = try scene.port()
                try scene.write(
                    "shop.json", Self.shop(Feature(name: "tv", members: members, expected: ""), port: port))
                let run = try scene.start(Program.ombi, ["run", "shop.json", "--body"], columns: 200)
                try Self.enterCode(on: run, scene, port: port)
                try run.see("authenticated")
                #expect(try run.waitForExit() == 0)
                let ombi = try scene.explore("shop.json")
                try ombi.see("tv")
                ombi.type("s")
                try Self.enterCode(on: ombi, scene, port: port)
                try ombi.see("200 OK", "authenticated")
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
            }
        }

        @Test(.enabled(if: Authlib.isInstalled, "\(Authlib.hint)"))
        func `a device is approved at a server that is not Ombi's, and the screen goes on`() throws {
            let server = try Authlib.server()
            defer { server.stop() }
            try Scene.play { scene in
                let members = #"""
                    "path": "/me", "authentication": { "oauth2": { "grant": "deviceCode", "tokenURL": "/token",
                      "deviceURL": "/device_authorization", "clientID": "public", "scope": "read" } }
                    """#
                try scene.write(
                    "shop.json", Self.shop(Feature(name: "me", members: members, expected: ""), port: server.port))
                let ombi = try scene.explore("shop.json")
                try ombi.see("me")
                ombi.type("s")
                let screen = try ombi.see("127.0.0.1:\(server.port)/device").text
                let words = screen.split { $0.isWhitespace || $0 == "│" || $0 == "┃" }.map(String.init)
                let isCode = { (word: String) in word.count == 9 && word.dropFirst(4).first == "-" }
                let code = try #require(words.first(where: isCode), "\(screen)")
                let page = try scene.shell("curl -s -X POST '\(server.host)/approve/\(code)'")
                #expect(page.output == "approved", "\(page)\n\(server.log)")
                try ombi.see("200 OK", "Ada")
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
            }
        }

        /// Does in a browser what the screen says.
        private static func enterCode(on session: Session, _ scene: Scene, port: Int) throws {
            let screen = try session.see("/oauth/verify").text
            let letters = Set("BCDFGHJKLMNPQRSTVWXZ")
            let words = screen.split { !$0.isLetter }.map(String.init)
            let code = try #require(
                words.first { $0.count == 4 && letters.isSuperset(of: $0) && $0 != "HTTP" }, "\(screen)")
            let page = try scene.shell("curl -s 'http://127.0.0.1:\(port)/oauth/verify?code=\(code)'")
            #expect(page.output.contains("Signed in"), "\(page.output)")
        }
        #endif
    }
}
