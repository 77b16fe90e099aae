import Foundation
import Testing

extension EndToEnd {
    /// No output and no file of Ombi has a secret in any form, wherever it came from.
    @Suite struct SecretLeakTests {
        private static let secret = "hu/sh 47+11\"ü=?&"

        private static var forms: [String] {
            let data = Data(secret.utf8)
            let unreserved = CharacterSet(
                charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
            let percent = secret.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
            return [
                secret, data.base64EncodedString(), percent, percent.replacing("%20", with: "+"), percent.lowercased(),
                secret.replacing("\"", with: "\\\""), "hu\\/sh 47+11",
            ]
        }

        private static func shop(port: Int) -> String {
            """
            { "version": 1, "name": "shop",
              "environments": [
                { "name": "base", "abstract": true, "host": "http://127.0.0.1:\(port)", "envFile": ".env",
                  "additionalHeaders": { "X-Command": "{{command}}", "X-Env": "{{ENV_TOKEN}}" },
                  "secrets": { "command": { "command": ["cat", "vault"] }, "variable": { "env": "SHOP_TOKEN" } } },
                { "name": "local", "inherits": "base" },
                { "name": "down", "inherits": "base", "host": "http://127.0.0.1:1" } ],
              "items": [
                { "request": "echo", "method": "POST", "path": "/echo",
                  "query": [{ "name": "q", "value": "{{variable}}" }],
                  "authentication": { "basic": { "username": "me", "password": "{{local}}" } },
                  "body": { "json": { "a": "{{command}}", "b": "{{ENV_TOKEN}}", "c": "{{local}}" } } } ] }
            """
        }

        private func play(_ body: (Scene) throws -> Void) throws {
            try Scene.play { scene in
                try scene.write("shop.json", Self.shop(port: try scene.port()))
                try scene.write("vault", Self.secret + "\nsecond line\n")
                try scene.write(".env", "export ENV_TOKEN='\(Self.secret)'\r\n")
                let value = Self.secret.replacing("\"", with: "\\\"")
                try scene.write("shop.local.json", "{ \"secrets\": { \"local\": { \"value\": \"\(value)\" } } }")
                try body(scene)
            }
        }

        private static let sources: Set<String> = ["vault", ".env", "shop.local.json"]

        /// The places in which a form of the secret is, among texts and all files below the folder but the sources.
        private func leaks(in texts: [String], _ scene: Scene) throws -> [String] {
            var found = texts.flatMap { text in Self.forms.filter { text.contains($0) }.map { "output has \($0)" } }
            let files = FileManager.default.enumerator(atPath: scene.folder)
            while let name = files?.nextObject() as? String {
                guard !Self.sources.contains(name), let data = FileManager.default.contents(atPath: scene.path(name))
                else {
                    continue
                }
                found += Self.forms.filter { data.range(of: Data($0.utf8)) != nil }.map { "\(name) has \($0)" }
            }
            return found
        }

        @Test func `a headless run sends the secrets and tells none`() throws {
            try play { scene in
                let environment = ["SHOP_TOKEN": Self.secret]
                let body = try scene.ombi("run", "shop.json", "--trust", "--body", environment: environment)
                #expect(body.status == 0, "\(body.errors)")
                let got = try #require(JSONSerialization.jsonObject(with: Data(body.output.utf8)) as? [String: Any])
                let headers = "\(got)"
                #expect(headers.contains("hu/sh 47+11"), "the server got it")
                var texts: [String] = []
                let formats = ["http", "har", "hurl", "postman", "markdown", "httpie", "python", "fetch"]
                let exports = formats.flatMap { format in
                    [[], ["--resolved", "--trust"]].map { ["export", "--as", format, "shop.json"] + $0 }
                }
                for arguments in [
                    ["run", "shop.json", "--trust"], ["run", "shop.json", "--trust", "--output", "json"],
                    ["run", "shop.json", "--trust", "-e", "down"], ["run", "shop.json"], ["check", "shop.json"],
                    ["run", "shop.json", "--trust", "--report", "html=-", "--report", "junit=run.xml"],
                    ["run", "shop.json", "--trust", "--report", "tap=-", "--report", "html=run.html"],
                    ["export", "--as", "curl", "shop.json"],
                    ["export", "--as", "curl", "--resolved", "--trust", "shop.json"],
                    ["export", "--as", "swift", "shop.json"], ["export", "--as", "openapi", "shop.json"], ["list"],
                    ["trust", "--list"],
                ] + exports {
                    let outcome = try scene.background(Program.ombi, arguments, environment: environment).outcome()
                    texts += [outcome.output, outcome.errors]
                }
                #expect(try leaks(in: texts, scene) == [])
            }
        }

        @Test func `the screen asks for trust once, and shows and keeps no secret`() throws {
            try play { scene in
                let ombi = try scene.explore("shop.json", environment: ["SHOP_TOKEN": Self.secret])
                try ombi.see("echo")
                ombi.type("s")
                try ombi.see("runs cat vault", "$SHOP_TOKEN", "y allow it")
                ombi.type("y")
                try ombi.see("200 OK")
                ombi.type("s", "2", "]", "E", "\t")
                try ombi.see("command cat vault")
                ombi.type("q")
                try ombi.see("2 Request")
                try ombi.seeGone("x cancel")
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
                // The body of the response is the server's own: it is not shown here.
                let state = scene.path(".local/state/ombi/trust.json")
                #expect(FileManager.default.fileExists(atPath: state))
                #expect(try leaks(in: [], scene) == [])
                let trusted = try scene.ombi("run", "shop.json", environment: ["SHOP_TOKEN": Self.secret])
                #expect(trusted.status == 0, "\(trusted.errors)")
                try scene.write(
                    "shop.json", try scene.read("shop.json").replacing("[\"cat\", \"vault\"]", with: "[\"cat\", \"x\"]")
                )
                let changed = try scene.ombi("run", "shop.json", environment: ["SHOP_TOKEN": Self.secret])
                #expect(changed.status == 2 && changed.output == "")
                #expect(
                    changed.errors.contains("shop.json may not send the output of cat x to http://127.0.0.1"))
                #expect(
                    try scene.ombi("trust", "--revoke", "shop.json").errors.contains("grants revoked"))
            }
        }

        @Test func `ombi trust shows what a file would do, and asks`() throws {
            try play { scene in
                let environment = ["SHOP_TOKEN": "x"]
                let none = try scene.ombi("trust", "--list")
                #expect(none.status == 0 && none.output == "" && none.errors.contains("no collection has a grant"))
                let refused = try scene.start(Program.ombi, ["trust", "shop.json"], columns: 120)
                try refused.see("runs cat vault", "Allow it? [y/N]")
                refused.type("n", "\r")
                #expect(try refused.waitForExit() == 1)
                #expect(try scene.ombi("run", "shop.json", environment: environment).status == 2)
                let trusted = try scene.start(Program.ombi, ["trust", "shop.json"], columns: 120)
                try trusted.see("[y/N]")
                trusted.type("y", "\r")
                #expect(try trusted.waitForExit() == 0)
                #expect(try scene.ombi("run", "shop.json", environment: environment).status == 0)
                #expect(
                    try scene.ombi("trust", "--list").output.contains("    sends the output of cat vault"))
                #expect(try scene.ombi("trust", "shop.json").errors.contains("shop.json is trusted already"))
            }
        }

        @Test func `a grant of a name that is not used is refused with those that are`() throws {
            try play { scene in
                let refused = try scene.ombi("trust", "shop.json", "--grant", "SHOP=https://shop.test")
                #expect(refused.status == 1 && refused.errors.contains("shop.json uses nothing of that name"))
                let grants = refused.errors.split(separator: "\n").filter { $0.hasPrefix("    ") }
                #expect(grants.contains { $0.hasPrefix("    SHOP_TOKEN=http://127.0.0.1:") }, "\(refused.errors)")
                for grant in grants {
                    #expect(try scene.ombi("trust", "shop.json", "--grant", String(grant.dropFirst(4))).status == 0)
                }
                #expect(try scene.ombi("run", "shop.json", environment: ["SHOP_TOKEN": "x"]).status == 0)
            }
        }

        @Test func `a secret is asked for on the terminal`() throws {
            try play { scene in
                try scene.write(
                    "shop.json",
                    try scene.read("shop.json").replacing(
                        "{ \"command\": [\"cat\", \"vault\"] }", with: "{ \"prompt\": \"The vault\" }"))
                let ombi = try scene.start(
                    "/bin/sh", ["-c", "\"$0\" run shop.json --trust", Program.ombi], columns: 200,
                    environment: ["SHOP_TOKEN": "x"])
                try ombi.see(
                    "shop.json asks for the secret command, which goes to http://127.0.0.1", "(local): \"The vault\"")
                ombi.type("typed-secret", "\r")
                try ombi.see("1 request, all passed")
                #expect(try ombi.waitForExit() == 0)
                #expect(!String(decoding: ombi.terminal.bytes, as: UTF8.self).contains("typed-secret"))
                let without = try scene.ombi("run", "shop.json", "--trust", environment: ["SHOP_TOKEN": "x"])
                #expect(without.status == 2)
                #expect(without.errors.contains("is typed when it is needed, and was not; --set command=… gives it"))
                let set = try scene.ombi(
                    "run", "shop.json", "--trust", "--set", "command=x", environment: ["SHOP_TOKEN": "x"])
                #expect(set.status == 0)
            }
        }

        @Test func `ombi check warns of a secret in clear, and --fix moves it after a yes`() throws {
            try Scene.play { scene in
                let token = "ghp" + "_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
                let file = Samples.shop(port: try scene.port()).replacing(
                    "\"x-colour\": \"teal\"", with: "\"additionalHeaders\": { \"Authorization\": \"Bearer \(token)\" }")
                try scene.write("shop.json", file)
                let checked = try scene.ombi("check", "shop.json")
                #expect(checked.status == 0)
                #expect(
                    checked.output.contains("warning: this looks like a GitHub token in plain text; write {{token}}"))
                #expect(!(checked.output + checked.errors).contains(token))
                #expect(try scene.ombi("check", "shop.local.json").output == checked.output)
                let fix = try scene.start(Program.ombi, ["check", "--fix", "shop.json"], columns: 200)
                try fix.see("move a GitHub token into the local file, and write {{token}}? [y/N]")
                fix.type("y", "\r")
                try fix.see("moved 1 secret out of shop.json")
                #expect(try fix.waitForExit() == 0)
                #expect(!(try scene.read("shop.json")).contains(token))
                #expect(try scene.read("shop.local.json").contains(token))
                #expect(try scene.read(".gitignore") == "shop.local.json\n")
                #expect(try scene.ombi("run", "shop/users/echo", "--body").output.contains("Bearer \(token)"))
            }
        }
    }
}
