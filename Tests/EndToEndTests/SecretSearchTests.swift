import Foundation
import OmbiCore
import TestSupport
import Testing

extension EndToEnd {
    /// Every feature is used with secrets of every source against a server that repeats them wherever it can. Then every
    /// output, every file, and what was seen of the processes is searched for them.
    @Suite struct SecretSearchTests {
        private static let secrets = [
            "env": "e1/sh 47+11\"ü=?&-env", "file": "f2/sh 47+11\"ü=?&-file", "command": "c3/sh 47+11\"ü=?&-command",
            "late": "l4/sh 47+11\"ü=?&-late", "dotenv": "d5/sh 47+11\"ü=?&-dotenv",
            "local": "o6/sh 47+11\"ü=?&-local", "body": "b7/sh 47+11\"ü=?&-body", "header": "h8/47+11=\"x\"~header",
            "cookie": "k9/47+11==~cookie", "access": "a0/47+11==~access", "refresh": "r1/47+11==~refresh",
        ]
        private static let hunt = SecretHunt(secrets)
        /// The requests for what has a fallback: only the first is answered well.
        private static let rates = Lock(0)

        private static func quoted(_ name: String) -> String {
            (secrets[name] ?? "").replacing("\"", with: "\\\"")
        }

        // MARK: The server

        /// Repeats what it got in headers and in the body.
        private static func reply(_ request: LoopbackRequest) -> LoopbackReply {
            let path = request.target.prefix { $0 != "?" }
            let json = ("Content-Type", "application/json")
            let echo = [
                json, ("X-Seen-Authorization", request.headers["authorization"] ?? "none"),
                ("X-Seen-Target", request.target), ("X-Seen-Header", request.headers["x-late"] ?? "none"),
                ("X-Token", secrets["header"] ?? ""),
            ]
            switch path {
            case "/login":
                return .status(
                    200,
                    headers: echo + [
                        ("X-Session", secrets["header"] ?? ""), ("Set-Cookie", "sid=\(secrets["cookie"] ?? "")"),
                        ("X-Again", secrets["cookie"] ?? ""),
                    ], "{\"token\": \"\(quoted("body"))\", \"again\": \"\(quoted("body"))\"}")
            case "/hop":
                return .status(
                    302,
                    headers: [
                        ("Location", "/landing?" + request.target.dropFirst(5)), ("X-Hop", secrets["header"] ?? ""),
                        ("Set-Cookie", "sid=\(secrets["cookie"] ?? "")"),
                    ], "moved")
            case "/oauth/token":
                return .status(
                    200, headers: [json],
                    "{\"access_token\": \"\(secrets["access"] ?? "")\", \"refresh_token\": \"\(secrets["refresh"] ?? "")\", "
                        + "\"token_type\": \"Bearer\", \"expires_in\": 3600}")
            case "/pages":
                let next = request.target.contains("page=3") ? "" : "{\"n\": 1}"
                return .status(200, headers: echo, "{\"items\": [\(next)], \"seen\": \"\(quoted("file"))\"}")
            case "/events":
                return .status(
                    200, headers: [("Content-Type", "text/event-stream"), ("X-Seen-Target", request.target)],
                    "data: {\"n\": 1}\n\ndata: {\"n\": 2}\n\n")
            case "/rates":
                rates.withLock { $0 += 1 }
                let isFirst = rates.withLock { $0 == 1 }
                return .status(isFirst ? 200 : 503, headers: echo, "{\"seen\": \"\(quoted("file"))\"}")
            case "/forms": return echoes()
            case "/quiet": return .status(200, headers: echo, "{\"quiet\": true}")
            case "/refuse":
                return .status(
                    401, headers: echo + [("WWW-Authenticate", "Bearer realm=\"\(request.target)\"")],
                    "{\"error\": \"\(quoted("file"))\"}")
            default:
                guard case .response(let status, _, let body) = LoopbackReply.echo(request) else { return .drop }
                return .response(status: status, headers: echo, body: body)
            }
        }

        /// Repeats a secret in every form.
        private static func echoes() -> LoopbackReply {
            let forms = SecretEchoes.forms(of: secrets["file"] ?? "").values.sorted()
            let body = (try? JSONSerialization.data(withJSONObject: ["forms": forms])) ?? Data()
            let headers = forms.enumerated().map { ("X-Form-\($0.offset)", $0.element) }
            return .status(
                200, headers: [("Content-Type", "application/json")] + headers, String(decoding: body, as: UTF8.self))
        }

        // MARK: The collection

        private static func shop(port: Int, peer: Int) -> String {
            """
            { "version": 1, "name": "shop",
              "environments": [
                { "name": "base", "abstract": true, "host": "http://127.0.0.1:\(port)", "envFile": ".env",
                  "additionalHeaders": { "X-Env": "{{DOTENV_TOKEN}}" },
                  "secrets": { "command": { "command": ["sh", "vault.sh", "command"] }, "env": { "env": "SHOP_TOKEN" },
                    "late": { "command": ["sh", "vault.sh", "late"] }, "file": { "file": "vault-file" } } },
                { "name": "local", "inherits": "base" },
                { "name": "down", "inherits": "base", "host": "http://127.0.0.1:1" },
                { "name": "proxied", "inherits": "base", "host": "http://shop.test",
                  "connection": { "proxy": "http://me:{{local}}@127.0.0.1:1" } } ],
              "items": [
                { "request": "log in", "method": "POST", "path": "/login", "body": { "json": { "a": "{{command}}" } },
                  "capture": { "token": { "path": "$.token", "secret": true },
                    "session": { "header": "X-Session", "secret": true },
                    "sid": { "cookie": "sid", "secret": true } } },
                { "request": "use", "path": "/use/:token", "pathParameters": { "token": "{{token}}" },
                  "query": [{ "name": "q", "value": "{{session}}" }, { "name": "env", "value": "{{env}}" }],
                  "headers": [{ "name": "X-Sid", "value": "{{sid}}" }, { "name": "X-Late", "value": "{{late}}" }],
                  "authentication": { "basic": { "username": "{{token}}", "password": "{{late}}" } },
                  "expect": { "headers": { "X-Seen-Authorization": "nothing", "X-Seen-Header": "nothing" },
                    "body": [{ "path": "$.target", "equals": "nothing" }, { "path": "$.headers", "contains": "x" },
                      { "path": "$.body", "type": "number" }] } },
                { "request": "basic", "method": "POST", "path": "/echo",
                  "authentication": { "basic": { "username": "me", "password": "{{local}}" } },
                  "headers": [{ "name": "X-Encoded", "value": "{{$base64('me:', command)}}" }],
                  "body": { "multipart": [{ "name": "a", "value": "{{file}}" }, { "name": "b", "value": "{{env}}" }] } },
                { "request": "form", "method": "POST", "path": "/echo",
                  "authentication": { "apiKey": { "name": "key", "value": "{{local}}", "in": "query" } },
                  "body": { "form": [{ "name": "a", "value": "{{file}} {{env}}" }] } },
                { "request": "graph", "method": "POST", "path": "/echo",
                  "authentication": { "aws": { "accessKeyID": "AKIDEXAMPLE", "secretAccessKey": "{{local}}",
                    "region": "eu-central-1", "service": "execute-api" } },
                  "body": { "graphql": "query A { a }", "variables": { "a": "{{file}}", "b": "{{DOTENV_TOKEN}}" } } },
                { "request": "text", "method": "PUT", "path": "/echo",
                  "authentication": { "digest": { "username": "me", "password": "{{local}}" } },
                  "body": { "text": "padding{{file}}{{command}}", "contentType": "text/plain" } },
                { "request": "hop", "path": "/hop", "query": [{ "name": "x", "value": "{{file}}" }],
                  "connection": { "cookies": true }, "headers": [{ "name": "X-Token", "value": "{{session}}" }] },
                { "request": "signed in", "path": "/echo", "authentication": { "oauth2": { "grant": "clientCredentials",
                    "tokenURL": "/oauth/token", "clientID": "shop", "clientSecret": "{{local}}" } } },
                { "request": "pages", "path": "/pages", "query": [{ "name": "file", "value": "{{file}}" }],
                  "pages": { "parameter": "page", "items": "$.items" } },
                { "request": "events", "path": "/events", "query": [{ "name": "k", "value": "{{file}}" }] },
                { "request": "refused", "path": "/refuse", "query": [{ "name": "k", "value": "{{file}}" }],
                  "authentication": { "bearer": "{{env}}" } },
                \(sockets(peer)) ] }
            """
        }

        /// WebSockets, and a request whose response has secrets in its headers alone.
        private static func sockets(_ peer: Int) -> String {
            """
            { "request": "forms", "path": "/forms", "query": [{ "name": "k", "value": "{{file}}" }] },
            { "request": "socket", "path": "ws://127.0.0.1:\(peer)/close?code=1000&reason=bye",
              "query": [{ "name": "k", "value": "{{file}}" }], "headers": [{ "name": "X-Late", "value": "{{late}}" }],
              "authentication": { "bearer": "{{env}}" }, "expect": { "status": 101 },
              "webSocket": { "messages": [{ "name": "m", "text": "hello {{command}} {{env}}" }] } },
            { "folder": "others", "items": [
                { "request": "quiet", "path": "/quiet", "query": [{ "name": "k", "value": "{{file}}" }],
                  "headers": [{ "name": "X-Late", "value": "{{late}}" }, { "name": "X-Local", "value": "{{local}}" }],
                  "authentication": { "basic": { "username": "{{command}}", "password": "{{env}}" } } },
                { "request": "echo", "tags": ["endless"], "path": "ws://127.0.0.1:\(peer)/echo", "policy": { "sla": "1s" },
                  "webSocket": { "messages": [{ "name": "m", "text": "hello {{file}} {{env}}" }] } } ] }
            """
        }

        /// Requests that cannot be sent, each for a reason that could quote a secret.
        private static func wrong(port: Int) -> String {
            """
            { "version": 1, "name": "wrong",
              "environments": [{ "name": "local", "host": "http://127.0.0.1:\(port)",
                "secrets": { "file": { "file": "vault-file" } } }],
              "items": [
                { "request": "kind", "method": "POST", "path": "/", "body": { "json": { "n": "{{file:number}}" } } },
                { "request": "json", "method": "POST", "path": "/", "body": { "json": { "n": "{{file:json}}" } } },
                { "request": "host", "path": "http://{{file}}/" },
                { "request": "argument", "path": "/{{$randomString(file)}}" },
                { "request": "read", "path": "/{{$file(file)}}" },
                { "request": "upload", "method": "POST", "path": "/", "body": { "file": "{{file}}" } },
                { "request": "proxy", "path": "/", "connection": { "proxy": "http://127.0.0.1:{{file}}" } },
                { "request": "scheme", "path": "/", "connection": { "proxy": "{{file}}://127.0.0.1" } },
                { "request": "via", "path": "/", "connection": { "via": "ssh://{{file}}" } },
                { "request": "header", "path": "/", "headers": [{ "name": "{{file}}", "value": "x" }] } ] }
            """
        }

        /// Notes the command lines and environments of all processes, then writes a secret.
        private static let vault = """
            for p in /proc/[0-9]*; do cat $p/cmdline $p/environ; echo; done >> seen-processes 2>/dev/null
            cat vault-$1
            """

        private static let sources: Set<String> = [
            "vault-command", "vault-late", "vault-file", ".env", "shop.local.json",
        ]

        private static func play(_ body: (Scene, _ server: LoopbackServer) throws -> Void) throws {
            let server = try LoopbackServer { reply($0) }
            defer { server.stop() }
            let python = try #require(ChildProgram.find("python3"), "python3 is the peer of the WebSockets")
            let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .appending(path: "OmbiCoreTests/Peers/plain_websocket_peer.py").path
            let peer = try ServerProcess(python, [script])
            defer { peer.stop() }
            try Scene.play { scene in
                try scene.write("shop.json", shop(port: server.port, peer: peer.port))
                try scene.write("wrong.json", wrong(port: server.port))
                try scene.write("vault.sh", vault)
                for name in ["command", "late", "file"] {
                    try scene.write("vault-\(name)", (secrets[name] ?? "") + "\n")
                }
                try scene.write(".env", "DOTENV_TOKEN='\(secrets["dotenv"] ?? "")'\n")
                try scene.write(
                    "shop.local.json", "{ \"secrets\": { \"local\": { \"value\": \"\(quoted("local"))\" } } }")
                try scene.write("rows.csv", "row\n1\n2\n")
                let config = scene.path("config/ombi")
                try FileManager.default.createDirectory(atPath: config, withIntermediateDirectories: true)
                try scene.write("config/ombi/config.json", #"{ "tokens": "file" }"#)
                try body(scene, server)
            }
        }

        private static func environment(_ scene: Scene) -> [String: String] {
            [
                "SHOP_TOKEN": secrets["env"] ?? "", "XDG_CONFIG_HOME": scene.path("config"),
                "XDG_STATE_HOME": scene.path("state"),
            ]
        }

        /// The secrets in the files below the folder, but for those that they come from.
        private static func findings(inFilesOf scene: Scene) -> [String] {
            var found: [String] = []
            let files = FileManager.default.enumerator(atPath: scene.folder)
            while let name = files?.nextObject() as? String {
                guard !sources.contains(name), let data = FileManager.default.contents(atPath: scene.path(name)) else {
                    continue
                }
                // Whoever sets a variable gives it to all that is started.
                let allowed: Set<String> = ["seen-processes", "seen-variables"].contains(name) ? ["env"] : []
                found += hunt.findings(in: data, except: allowed).map { "\(name): \($0)" }
            }
            return found
        }

        // MARK: Tests

        @Test func `the search finds what is there, in any form`() {
            for (name, secret) in Self.secrets {
                for prefix in ["", "n", "no"] {
                    let encoded = Data((prefix + secret + "more").utf8).base64EncodedString()
                    #expect(Self.hunt.findings(in: "x\(encoded)y").contains { $0.hasPrefix(name) })
                }
                #expect(Self.hunt.findings(in: "a \(secret) b").contains { $0.hasPrefix(name) })
            }
            #expect(Self.hunt.findings(in: "nothing") == [])
        }

        /// Further words of runs.
        private static let runs: [[String]] = [
            ["--output", "json"], ["--dry-run"], ["--dry-run", "--output", "json"], ["-e", "down"],
            ["-e", "proxied"], ["--data", "rows.csv", "--threshold", "p95<1ms"],
            ["--watch", "50ms", "--until-fails"], ["--watch", "50ms", "--until-fails", "--output", "json"],
            ["--stream", "--events", "2", "--output", "json", "--concurrency", "4"], ["--fail-fast"],
            ["--report", "html=-"], ["--report", "junit=-"], ["--report", "tap=-"],
            ["--report", "github=-", "--report", "json=run.json"], ["--snapshot", "snaps"],
            ["--snapshot", "snaps", "--report", "html=snaps.html"],
        ]

        @Test func `nothing that the command line leaves behind has a secret`() throws {
            try Self.play { scene, server in
                let environment = Self.environment(scene)
                func ombi(_ arguments: [String]) throws -> Outcome {
                    let outcome = try scene.background(Program.ombi, arguments, environment: environment).outcome()
                    let texts = outcome.output + "\n" + outcome.errors
                    let found = Self.hunt.findings(in: texts)
                    #expect(found == [], "ombi \(arguments.joined(separator: " ")):\n\(texts)")
                    return outcome
                }
                // A server that repeats messages: they are its own here, and masked in the history.
                let echoes = try scene.background(
                    Program.ombi, ["run", "shop.json/others/echo", "--trust", "--events", "1"], environment: environment
                ).outcome()
                #expect(echoes.output.contains("received"), "\(echoes.output)\(echoes.errors)")
                let run = try ombi(["run", "shop.json", "--trust", "--tag", "!endless"])
                #expect(run.output.contains("14 requests, 2 failed"), "\(run.output)\(run.errors)")
                let targets = server.requests.map(\.target).joined(separator: "\n")
                #expect(targets.contains("/use/b7%2Fsh%2047"), "the server got the secrets")
                for more in Self.runs {
                    _ = try ombi(["run", "shop.json", "--trust", "--tag", "!endless"] + more)
                }
                _ = try ombi(["run", "shop.json"])
                for name in ["kind", "json", "host", "argument", "read", "upload", "proxy", "scheme", "via", "header"] {
                    let outcome = try ombi(["run", "wrong.json/\(name)", "--trust"])
                    #expect(outcome.status != 0, "\(name)")
                    _ = try ombi(["run", "wrong.json/\(name)", "--trust", "--dry-run"])
                    _ = try ombi(["export", "--as", "curl", "--resolved", "--trust", "wrong.json/\(name)"])
                }
                for arguments in [
                    ["check", "."], ["check", ".", "--report", "junit=check.xml", "--report", "html=check.html"],
                    ["check", ".", "--report", "json=-"], ["list"], ["trust", "--list"],
                    ["doctor"], ["export", "--as", "curl", "shop.json"],
                    ["export", "--as", "curl", "--resolved", "--trust", "shop.json"],
                    ["export", "--as", "swift", "shop.json"], ["export", "--as", "openapi", "shop.json"],
                ] { _ = try ombi(arguments) }
                try searchExports(ombi)
                try searchLoads(scene)
                try searchHistory(ombi)
                try searchFallback(scene, port: server.port, ombi)
                #expect(Self.findings(inFilesOf: scene) == [])
                #expect(try scene.read("seen-processes").contains("vault.sh"), "the processes were looked at")
                #expect(FileManager.default.fileExists(atPath: scene.path("state/ombi")))
            }
        }

        private func searchExports(_ ombi: ([String]) throws -> Outcome) throws {
            for format in ["http", "har", "hurl", "postman", "markdown", "httpie", "python", "fetch", "k6", "locust"] {
                _ = try ombi(["export", "--as", format, "shop.json"])
                _ = try ombi(["export", "--as", format, "--resolved", "--trust", "shop.json"])
            }
        }

        /// A program in the place of an engine. It notes the command lines of all processes, its script and its variables
        /// but for those of the script, and repeats all of them.
        private static let engine = """
            #!/bin/sh
            for p in /proc/[0-9]*; do cat $p/cmdline; echo; done > "$HOME/seen-lines" 2>/dev/null
            cp "$3" "$HOME/seen-load.js"
            env | grep -v '^OMBI_VALUE_' > "$HOME/seen-variables"
            env
            figures='{"count": 1, "failed": 0, "maxMs": 1, "percentiles": {"50": 1, "95": 1, "99": 1}}'
            printf '{"requests": [%s], "total": %s}' "$figures" "$figures" > "$OMBI_RESULT"

            """

        /// A load hands secrets to its engine in variables: they are nowhere else.
        private func searchLoads(_ scene: Scene) throws {
            try FileManager.default.createDirectory(atPath: scene.path("bin"), withIntermediateDirectories: true)
            try scene.write("bin/k6", Self.engine)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: scene.path("bin/k6"))
            var environment = Self.environment(scene)
            environment["PATH"] = scene.path("bin") + ":/usr/bin:/bin"
            let load = ["load", "shop.json/others/quiet", "--trust", "--users", "1", "--duration", "1s", "--engine"]
            for more in [["k6"], ["k6", "--output", "json"], ["k6", "--dry-run"], ["locust", "--dry-run"]] {
                let outcome = try scene.background(Program.ombi, load + more, environment: environment).outcome()
                #expect(outcome.status == 0, "\(more): \(outcome.errors)")
                #expect(Self.hunt.findings(in: outcome.output + "\n" + outcome.errors) == [], "\(outcome)")
                #expect(more.contains("--dry-run") || outcome.errors.contains("OMBI_VALUE_FILE=•"), "\(outcome.errors)")
            }
            #expect(try scene.read("seen-variables").contains("OMBI_RESULT="), "the variables were looked at")
            #expect(try scene.read("seen-lines").contains("k6"), "the processes were looked at")
        }

        /// Contents of the history are compressed in its file, so they are searched as they are told.
        private func searchHistory(_ ombi: ([String]) throws -> Outcome) throws {
            let runs = try ombi(["history", "list", "--limit", "1000", "--output", "json"]).json()["runs"]
            let ids = (runs as? [[String: Any]] ?? []).compactMap { $0["id"] as? Int }
            #expect(ids.count > 50)
            let export = try ombi(["history", "export"])
            #expect(export.output.split(separator: "\n").count == ids.count)
            for id in ids.suffix(16) {
                _ = try ombi(["history", "show", "\(id)"])
                _ = try ombi(["history", "show", "\(id)", "--output", "json"])
                _ = try ombi(["history", "show", "\(id)", "--body"])
            }
            for arguments in [
                ["list", "--text", "use"], ["stats"], ["stats", "--output", "json"],
                ["stats", "--output", "prometheus"],
                ["values", "$.target"], ["values", "$.headers", "--output", "json"], ["simulate", "--retries", "2"],
                ["compare", "shop.json", "-e", "local", "-e", "down"],
                ["compare", "\(ids[ids.count - 2])", "\(ids[0])", "--report", "junit=compare.xml"],
                ["compare", "shop.json", "-e", "local", "-e", "down", "--report", "html=-"],
                ["replay", "shop.json", "--trust", "--all-methods", "--report", "tap=replay.tap"]
                    + [
                        "--report", "html=replay.html", "--report", "json=replay.json", "--report", "github=replay.txt",
                    ],
                ["export", "--output", "har"],
            ] { _ = try ombi(["history"] + arguments) }
            for form in ["--markdown", "--html", "--har"] {
                _ = try ombi(["incident", "1h..", form])
                // The file is searched with all others.
                _ = try ombi(["incident", "1h..", form, "--out", "incident\(form)"])
            }
            let bundle = try ombi(["incident", "1h..", "--bundle", "incident.bundle.json"])
            #expect(bundle.status == 0, "\(bundle.errors)")
        }

        /// A response of before that stands in, and a history whose file gets another name while no Ombi runs.
        private func searchFallback(_ scene: Scene, port: Int, _ ombi: ([String]) throws -> Outcome) throws {
            try scene.write(
                "rates.json",
                """
                { "version": 1, "name": "rates",
                  "environments": [{ "name": "local", "host": "http://127.0.0.1:\(port)",
                    "secrets": { "file": { "file": "vault-file" } } }],
                  "items": [{ "request": "rates", "path": "/rates", "query": [{ "name": "k", "value": "{{file}}" }],
                    "policy": { "retries": 0 }, "fallbackResponse": { "history": true } }] }
                """)
            _ = try ombi(["run", "rates.json", "--trust"])
            let failed = try ombi(["run", "rates.json", "--trust", "--body"])
            #expect(failed.status == 1 && failed.output.contains("seen"), "\(failed.output)\(failed.errors)")
            _ = try ombi(["run", "rates.json", "--trust", "--output", "json"])
            try FileManager.default.moveItem(atPath: scene.path("rates.json"), toPath: scene.path("moved.json"))
            _ = try ombi(["run", "moved.json", "--trust"])
            let moved = try ombi(["history", "list", "moved.json", "--output", "json"])
            let runs = try moved.json()["runs"] as? [Any]
            #expect(runs?.count == 4, "\(moved.output)")
        }

        @Test func `nothing that the screen leaves behind has a secret`() throws {
            try Self.play { scene, _ in
                let ombi = try scene.explore("shop.json", environment: Self.environment(scene))
                try ombi.see("log in")
                ombi.type("s")
                try ombi.see("y allow it")
                ombi.type("y")
                try ombi.see("200 OK")
                // Down to "use", whose expectations fail; its preview, and all tabs of its response.
                ombi.type("j", "p")
                try ombi.see("Preview of use", "••••••")
                ombi.type(Keys.escape)
                try ombi.seeGone("Preview of use")
                ombi.type("s")
                try ombi.see("y allow it")
                ombi.type("y")
                try ombi.see("Expect ✗ 5")
                ombi.type("3")
                for _ in 0..<12 { ombi.type("]") }
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
                #expect(Self.findings(inFilesOf: scene) == [])
            }
        }

        @Test func `no frame of the screen has a secret`() throws {
            try Self.play { scene, _ in
                let ombi = try scene.explore("shop.json", columns: 160, rows: 50, environment: Self.environment(scene))
                var found: Set<String> = []
                func see(_ texts: String...) throws {
                    try ombi.look { screen in
                        // The header of every response has one that nothing captures here, so nobody knows of it.
                        found.formUnion(Self.hunt.findings(in: Data(screen.text.utf8), except: ["header"]))
                        return texts.allSatisfy(screen.contains)
                    } orSay: {
                        texts.joined(separator: " and ")
                    }
                }
                try see("quiet")
                // Its body is all that it does not repeat secrets in.
                ombi.type("/", "quiet", Keys.enter, "1", "p")
                try see("Preview of quiet", "••••••", "asked before it is sent")
                ombi.type("s")
                try see("y allow it")
                ombi.type("y")
                try see("200 OK", "true")
                for pane in ["3", "2"] {
                    ombi.type(pane)
                    for _ in 0..<12 {
                        ombi.type("]")
                        try see("quiet")
                    }
                }
                // Esc and a letter at once would be a key with Alt.
                for (key, text) in [("E\t", "SHOP_TOKEN"), ("L", "─ Messages ─"), ("?", "Redraw the screen")] {
                    ombi.type(key)
                    try see(text)
                    ombi.type(Keys.escape)
                    try ombi.seeGone(text)
                }
                ombi.type("q")
                #expect(try ombi.waitForExit() == 0)
                #expect(found == [])
                #expect(Self.findings(inFilesOf: scene) == [])
            }
        }
    }
}
