import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Secrets and kept tokens in the keyring of a desktop.
    @Suite(.enabled(if: Keyring.isInstalled, "\(Keyring.hint)")) struct KeyringTests {
        private static let secret = "k1/sh 47+11\"ü=?&-keyring"
        private static let hunt = SecretHunt(["keyring": secret])

        private static func shop(port: Int) -> String {
            """
            { "version": 1, "name": "shop",
              "environments": [{ "name": "local", "host": "http://127.0.0.1:\(port)",
                "secrets": { "token": { "keyring": { "service": "shop", "account": "me" } } } }],
              "items": [
                { "request": "one", "method": "POST", "path": "/echo", "body": { "text": "{{token}}" } },
                { "request": "tv", "path": "/oauth/protected",
                  "authentication": { "oauth2": { "grant": "deviceCode", "tokenURL": "/oauth/token",
                    "deviceURL": "/oauth/device", "clientID": "demo", "clientSecret": "demo" } } } ] }
            """
        }

        private static func files(_ scene: Scene) -> [String] {
            let names = FileManager.default.enumerator(atPath: scene.folder)?.compactMap { $0 as? String } ?? []
            return names.filter { !$0.hasPrefix("home") }
        }

        @Test func `a secret comes from the keyring, after trust, and stays out of every file`() throws {
            let keyring = try Keyring()
            defer { keyring.stop() }
            let server = try LoopbackServer { LoopbackReply.echo($0) }
            defer { server.stop() }
            try Scene.play { scene in
                try scene.write("shop.json", Self.shop(port: server.port))
                let places = keyring.environment.merging(["XDG_STATE_HOME": scene.path("state")]) { $1 }
                let untrusted = try scene.ombi("run", "shop.json/one", environment: places)
                #expect(untrusted.status == 2 && untrusted.errors.contains("may not send the keyring entry shop of me"))
                let missing = try scene.ombi("run", "shop.json/one", "--trust", environment: places)
                #expect(missing.status == 2)
                #expect(missing.errors.contains("the keyring has no entry for it; `secret-tool store"), "\(missing)")
                try keyring.add(Self.secret, service: "shop", account: "me")
                let found = try scene.ombi(
                    "run", "shop.json/one", "--trust", "--output", "json", environment: places)
                #expect(found.status == 0, "\(found)")
                #expect(Self.hunt.findings(in: found.output + found.errors) == [])
                let ombi = try scene.explore("shop.json", environment: places)
                try ombi.see("one")
                ombi.type("s")
                try ombi.see("reads the keyring entry shop of me", "y allow it")
                ombi.type("y")
                try ombi.see("200 OK")
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
                for name in Self.files(scene) {
                    let data = FileManager.default.contents(atPath: scene.path(name)) ?? Data()
                    #expect(Self.hunt.findings(in: data) == [], "\(name)")
                }
            }
        }

        @Test func `tokens are sealed with a key of the keyring, and of no use without it`() throws {
            let keyring = try Keyring()
            defer { keyring.stop() }
            try Scene.play { scene in
                try scene.write("shop.json", Self.shop(port: try scene.port()))
                let state = ["XDG_STATE_HOME": scene.path("state")]
                let places = keyring.environment.merging(state) { $1 }
                let run = try scene.start(
                    Program.ombi, ["run", "shop.json/tv", "--body", "--trust"], environment: places)
                let line = try run.see("and enter").text
                let words = line.split(whereSeparator: \.isWhitespace)
                let code = try #require(words.firstIndex(of: "enter").map { words[$0 + 1] })
                let page = try #require(words.first { $0.hasSuffix("/verify") })
                #expect(try scene.shell("curl -s '\(page)?code=\(code)'").status == 0)
                try run.see("authenticated")
                #expect(try run.waitForExit() == 0)
                let key = try #require(try keyring.secret(service: "ombi", account: "tokens"))
                #expect(Data(base64Encoded: key)?.count == 32)
                let second = try scene.ombi("run", "shop.json/tv", "--body", "--trust", environment: places)
                #expect(second.status == 0 && second.output.contains("authenticated"), "\(second)")
                let locked = try scene.ombi("run", "shop.json/tv", "--trust", environment: state)
                #expect(locked.status == 1 && locked.output.contains("there is no valid token"), "\(locked)")
                for name in Self.files(scene) {
                    let data = FileManager.default.contents(atPath: scene.path(name)) ?? Data()
                    #expect(data.range(of: Data(key.utf8)) == nil, "\(name)")
                }
            }
        }
    }
}
