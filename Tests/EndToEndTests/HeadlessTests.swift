import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The command line in scripts and CI: exit codes, tables, JSON, and no secret in any of them.
    @Suite struct HeadlessTests {
        @Test func `a table tells each request, and 0 that all went well`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: try scene.port()))
                let outcome = try scene.ombi("run", "shop.json/users")
                #expect(outcome.status == 0)
                #expect(outcome.errors == "")
                let lines = outcome.output.split(separator: "\n")
                #expect(lines.count == 4)
                #expect(lines[0].hasPrefix("✓ GET   shop/users/list users  200"))
                #expect(lines[2].hasPrefix("✓ POST  shop/users/echo"))
                #expect(lines[3].hasPrefix("3 requests, all passed, "))
                #expect(!outcome.output.contains("\u{1B}"))
            }
        }

        @Test func `a locale without symbols gets none, on no stream`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: try scene.port()))
                let locale = ["LC_ALL": "C"]
                let run = try scene.ombi("run", "shop.json/users", "shop.json/trouble/missing", environment: locale)
                #expect(run.output.hasPrefix("+ GET   shop/users/list users  200"), "\(run.output)")
                #expect(run.output.contains("\nx GET   shop/trouble/missing "), "\(run.output)")
                let list = try scene.ombi("history", "list", environment: locale)
                let compared = try scene.ombi("history", "compare", "1", "2", environment: locale)
                #expect(compared.output.hasPrefix("x shop.json: ") && compared.output.contains(" > shop.json: "))
                let help = try scene.ombi("import", "curl", "--help", environment: locale)
                for outcome in [run, list, help] {
                    let text = outcome.output + outcome.errors
                    #expect(!text.isEmpty && text.utf8.allSatisfy { $0 < 0x80 }, "\(text)")
                }
            }
        }

        @Test func `1 says that a request failed, and the table why`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: try scene.port()))
                let missing = try scene.ombi("run", "shop/trouble/missing")
                #expect(missing.status == 1)
                #expect(missing.output.contains("✗ GET   shop/trouble/missing  404"))
                #expect(missing.output.contains("404 Not Found"))
                #expect(missing.output.contains("1 request, 1 failed"))
                let down = try scene.ombi("run", "shop/users/one user", "-e", "down")
                #expect(down.status == 1)
                #expect(down.output.contains("could not connect to 127.0.0.1:1 (connection refused)"))
            }
        }

        @Test func `2 says that nothing was sent`() throws {
            try Scene.play { scene in
                let server = try SilentServer()
                defer { server.stop() }
                try scene.write("shop.json", Samples.shop(port: server.port))
                let unknown = try scene.ombi("run", "shop.json", "-e", "staging")
                #expect(unknown.status == 2)
                #expect(unknown.errors.contains("shop has no environment \"staging\"; it has local, down"))
                let item = try scene.ombi("run", "shop/nobody")
                #expect(item.status == 2)
                #expect(item.errors.contains("shop has no \"nobody\"; `ombi list` lists its requests"))
                for (name, meant) in [("usres/one user", "users/one user"), ("one user", "users/one user")] {
                    let outcome = try scene.ombi("run", "shop/" + name)
                    #expect(outcome.status == 2 && outcome.errors.contains("did you mean \"\(meant)\"?"), "\(name)")
                }
                let typos = [("shpo/users", "shop/users"), ("one user", "shop/users/one user"), ("sho", "shop")]
                for (name, meant) in typos {
                    let errors = try scene.ombi("run", name).errors
                    #expect(errors.contains("here; did you mean \"\(meant)\"?"), "\(errors)")
                }
                for words in [["shop"], ["check", "shop"], ["trust", "shop"]] {
                    let outcome = try scene.background(Program.ombi, words).outcome()
                    let text = outcome.output + outcome.errors
                    #expect(outcome.status != 0 && text.contains("did you mean \"shop.json\"?"), "\(text)")
                }
                #expect(try scene.ombi("run", "--repeat", "0").status == 2)
                #expect(try scene.ombi("run", "--set", "novalue").errors.contains("write NAME=VALUE"))
                #expect(try scene.ombi("run", "--no-such-option").status == 2)
                #expect(try scene.ombi("run", "elsewhere").errors.contains("no collection named \"elsewhere\" here"))
            }
        }

        @Test func `3 says that a file could not be read`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: 1))
                let program = scene.path("run-without-rights")
                try scene.write(
                    "run-without-rights",
                    getuid() == 0
                        ? "#!/bin/sh\nexec setpriv --bounding-set -all --inh-caps -all \"$@\"\n"
                        : "#!/bin/sh\nexec \"$@\"\n")
                chmod(program, 0o755)
                chmod(scene.path("shop.json"), 0)
                for command in ["run", "check", "list"] {
                    let outcome = try scene.background(program, [Program.ombi, command, "shop.json"]).outcome()
                    #expect(outcome.status == 3, "\(command)")
                    let words = outcome.output + outcome.errors
                    #expect(words.contains("shop.json: error: permission denied"), "\(command)")
                }
            }
        }

        @Test(arguments: [SIGINT, SIGTERM], 1...3)
        func `130 and 143 say that a signal ended it, and what was running is cancelled`(signal: Int32, time: Int)
            throws
        {
            try Scene.play { scene in
                let server = try SilentServer()
                defer { server.stop() }
                try scene.write("shop.json", Samples.shop(port: server.port))
                let run = try scene.background(Program.ombi, ["run", "shop/trouble/slow", "shop/users"])
                #expect(server.waitForRequest())
                run.signal(signal)
                let outcome = try run.outcome()
                #expect(outcome.status == 128 + signal)
                #expect(outcome.output.contains("✗ GET   shop/trouble/slow"))
                #expect(outcome.output.contains("cancelled"))
                #expect(server.waitForEndOfConnection())
            }
        }

        @Test func `JSON tells programs the same`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: try scene.port()))
                let outcome = try scene.ombi(
                    "run", "shop/users/one user", "shop/trouble/missing", "--output", "json", "--repeat", "3",
                    "--concurrency", "2")
                #expect(outcome.status == 1)
                let json = try outcome.json()
                #expect(json["passed"] as? Int == 3)
                #expect(json["failed"] as? Int == 3)
                let requests = try #require(json["requests"] as? [[String: Any]])
                #expect(requests.compactMap { $0["status"] as? Int } == [200, 200, 200, 404, 404, 404])
                #expect(requests.compactMap { $0["name"] as? String }.first == "shop/users/one user")
                let attempts = try #require(requests[0]["attempts"] as? [[String: Any]])
                #expect(attempts.count == 1)
                #expect(attempts[0]["outcome"] as? String == "succeeded")
            }
        }

        @Test(arguments: [SIGINT, SIGTERM])
        func `a run that is repeated very often begins at once, and ends with its JSON`(signal: Int32) throws {
            try Scene.play { scene in
                let server = try SilentServer()
                defer { server.stop() }
                try scene.write("shop.json", Samples.shop(port: server.port))
                let run = try scene.background(
                    Program.ombi, ["run", "shop/users/one user", "--repeat", "1000000", "--output", "json"])
                #expect(server.waitForRequest())
                run.signal(signal)
                let outcome = try run.outcome()
                #expect(outcome.status == 128 + signal)
                #expect(try outcome.json()["failed"] as? Int == 1)
            }
        }

        @Test(arguments: [
            "list shop.json", "run shop.json/users", "run shop.json/users --output json",
            "run shop.json/users --body", "view shop.json", "--help", "diff shop.json other.json",
            "filter $.name shop.json",
        ])
        func `3 says that the output could not be written`(arguments: String) throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: try scene.port()))
                try scene.write("other.json", "{}")
                let outcome = try scene.shell("\"$0\" \(arguments.replacing("$", with: "\\$")) > /dev/full")
                #expect(outcome.status == 3)
                #expect(outcome.errors.hasSuffix("ombi: cannot write the output: No space left on device\n"))
            }
        }

        @Test func `what the command line complains about obeys nothing`() throws {
            try Scene.play { scene in
                for option in ["--set", "--sla", "--output", "--\u{1B}[2J"] {
                    let outcome = try scene.ombi("run", option, "\u{1B}]0;X\u{7}")
                    #expect(outcome.status == 2)
                    #expect(!outcome.errors.contains("\u{1B}") && outcome.errors.contains("␛"), "\(option)")
                }
            }
        }

        @Test func `retries can be given for one run`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: try scene.port()))
                let none = try scene.ombi("run", "shop/trouble/flaky", "--retries", "0", "--output", "json")
                #expect(none.status == 1)
                let one = try scene.ombi("run", "shop/trouble/flaky", "--retries", "1", "--output", "json")
                #expect(one.status == 0)
                let requests = try #require(try one.json()["requests"] as? [[String: Any]])
                let attempts = try #require(requests[0]["attempts"] as? [[String: Any]])
                #expect(attempts.compactMap { $0["status"] as? Int } == [503, 200])
                #expect((attempts[0]["waitMs"] as? Double ?? 0) >= 1000)
            }
        }

        @Test func `variables can be set for one run`() throws {
            try Scene.play { scene in
                try scene.write(
                    "shop.json",
                    Samples.shop(port: try scene.port())
                        .replacing("\"id\": \"42\"", with: "\"id\": \"{{user}}\""))
                let outcome = try scene.ombi("run", "shop/users/one user", "--set", "user=7", "--body")
                #expect(outcome.status == 0)
                #expect(try outcome.json()["id"] as? Int == 7)
                #expect(!outcome.errors.contains("changes nothing"))
                let typo = try scene.ombi("run", "shop/users/one user", "--set", "user=7", "--set", "usr=8")
                #expect(typo.status == 0)
                #expect(typo.errors.contains("ombi: --set usr changes nothing; did you mean \"user\"?"))
                let without = try scene.ombi("run", "shop/users/one user")
                #expect(without.status == 2)
                #expect(without.errors.contains("user"))
            }
        }

        @Test func `an SLA can be given for one run`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: try scene.port()))
                let outcome = try scene.ombi("run", "shop/trouble/slow", "--sla", "50ms")
                #expect(outcome.status == 1)
                #expect(outcome.output.contains("SLA"))
            }
        }

        @Test func `the demo without a terminal prints a table and leaves no server behind`() throws {
            try Scene.play { scene in
                let outcome = try scene.shell("\"$0\" demo </dev/null | cat")
                #expect(outcome.status == 0)
                #expect(outcome.output.contains("✓ GET   demo/users/list users"))
                #expect(outcome.output.contains("requests, all passed"))
                #expect(outcome.errors == "")
                #expect(scene.processes() == [])
            }
        }

        @Test func `a mistake that a file repeats is printed 20 times, but to a program by check every time`() throws {
            try Scene.play { scene in
                let items = (1...30).map { "{ \"request\": \"r\($0)\", \"path\": \"/\", \"method\": 5 }" }
                try scene.write(
                    "shop.json",
                    "{ \"version\": 1, \"name\": \"shop\", \"items\": [\n\(items.joined(separator: ",\n"))\n] }\n")
                for command in ["run", "list", "trust"] {
                    let outcome = try scene.ombi(command, "shop.json")
                    #expect(outcome.status == 2)
                    let lines = outcome.errors.split(separator: "\n")
                    #expect(lines.count == 21 && lines[0].hasPrefix("shop.json:2:"), "\(command): \(outcome)")
                    #expect(lines.last == "shop.json: 10 more problems; `ombi check` prints all", "\(command)")
                }
                #expect(try scene.ombi("check", "shop.json").output.split(separator: "\n").count == 30)
            }
        }

        @Test func `check tells every mistake with its place`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: 1))
                let good = try scene.ombi("check", "shop.json")
                #expect(good.status == 0)
                #expect(good.errors.contains("1 file, 9 requests, 0 broken"))
                try scene.write(
                    "wrong.json",
                    """
                    {
                      "version": 1,
                      "name": "wrong",
                      "items": [
                        { "request": "a", "path": 7 },
                        { "request": "b", "path": "/", "policy": { "sla": "soon" } }
                      ]
                    }

                    """)
                let outcome = try scene.ombi("check", "shop.json", "wrong.json")
                #expect(outcome.status == 2)
                let lines = outcome.output.split(separator: "\n")
                #expect(lines.count == 2)
                #expect(lines.first?.hasPrefix("wrong.json:5:31: ") ?? false)
                #expect(lines.last?.hasPrefix("wrong.json:6:55: ") ?? false)
                #expect(outcome.errors.contains("2 files, 9 requests, 1 broken"))
                #expect(try scene.ombi("run", "wrong.json").status == 2)
                for path in ["nowhere.json", "./nowhere.json", scene.path("nowhere.json"), "./nowhere"] {
                    for command in ["check", "run", "list"] {
                        let missing = try scene.ombi(command, path)
                        let told = missing.output + missing.errors
                        #expect(missing.status == 3 && told.contains("\(path): error: no such file"), "\(told)")
                    }
                }
            }
        }

        @Test(arguments: [["--output", "text"], ["--output", "json"], ["--body"]])
        func `what failed is told without the secret in its name`(format: [String]) throws {
            try Scene.play { scene in
                let file = Samples.shop(port: 1).replacing(
                    "\"host\": \"http://127.0.0.1:1\"",
                    with: "\"host\": \"http://{{token}}.localhost:1\", "
                        + "\"secrets\": { \"token\": { \"env\": \"SHOP_TOKEN\" } }")
                try scene.write("shop.json", file)
                let outcome = try scene.background(
                    Program.ombi, ["run", "shop/users/list users", "-e", "down", "--trust"] + format,
                    environment: ["SHOP_TOKEN": "Hush4711"]
                ).outcome()
                #expect(outcome.status == 1)
                let told = (outcome.output + outcome.errors).lowercased()
                #expect(told.contains("••••••.localhost") && !told.contains("hush4711"), "\(told)")
            }
        }

        @Test(arguments: ["text", "json"])
        func `a secret is sent, and never shown`(format: String) throws {
            try Scene.play { scene in
                let secret = "hush-4711-hush"
                let file = Samples.shop(port: try scene.port()).replacing(
                    "\"x-colour\": \"teal\"",
                    with: """
                        "additionalHeaders": { "Authorization": "Bearer {{token}}" },
                              "secrets": { "token": { "env": "SHOP_TOKEN" } }
                        """
                ).replacing("\"value\": \"2\"", with: "\"value\": \"{{token}}\"")
                    .replacing(
                        "\"host\": \"http://127.0.0.1:1\"",
                        with: "\"host\": \"http://127.0.0.1:1\", "
                            + "\"secrets\": { \"token\": { \"env\": \"SHOP_TOKEN\" } }")
                try scene.write("shop.json", file)
                let environment = ["SHOP_TOKEN": secret]
                let sent = try scene.ombi("run", "shop/users/echo", "--body", "--trust", environment: environment)
                #expect(sent.status == 0)
                #expect(sent.output.contains("Bearer \(secret)"), "the server got it: the body is its own")
                let outcome = try scene.ombi(
                    "run", "shop.json/users", "--trust", "--output", format, environment: environment)
                #expect(!(outcome.output + outcome.errors).contains(secret))
                let down = try scene.ombi(
                    "run", "shop/users/list users", "--trust", "--output", format, "-e", "down",
                    environment: environment)
                #expect(!(down.output + down.errors).contains(secret))
                let untrusted = try scene.ombi("run", "shop/users/echo", environment: environment)
                #expect(untrusted.status == 2 && untrusted.output == "")
                #expect(untrusted.errors.contains("`ombi trust shop.json` shows"))
                // The remedy that it names is one.
                let option = try #require(untrusted.errors.firstMatch(of: /--grant (\S+) or --trust/)?.1)
                let granted = try scene.ombi(
                    "run", "shop/users/echo", "--grant", String(option), environment: environment)
                #expect(granted.status == 0, "\(granted.errors)")
                #expect(!untrusted.errors.contains(secret))
                let without = try scene.ombi("run", "shop/users/echo", "--trust")
                #expect(without.status == 2)
                #expect(without.errors.contains("SHOP_TOKEN"))
            }
        }

        @Test func `--trust allows what is captured during the run`() throws {
            try Scene.play { scene in
                let login = try LoopbackServer { _ in .ok("{\"t\":\"t0ken-1234\"}") }
                defer { login.stop() }
                let shop = try LoopbackServer { _ in .ok("{}") }
                defer { shop.stop() }
                try scene.write(
                    "c.json",
                    """
                    { "version": 1, "name": "c", "environments": [{ "name": "e", "host": "\(login.host)" }], "items": [
                      { "request": "log in", "path": "/", "capture": { "t": { "path": "$.t", "secret": true } } },
                      { "request": "use", "path": "\(shop.host)/", "headers": [{ "name": "X", "value": "{{t}}" }] }] }
                    """)
                #expect(try scene.ombi("run", "c.json/use").status == 1 && shop.requests.isEmpty)
                let trusted = try scene.ombi("run", "c.json/use", "--trust")
                #expect(trusted.status == 0 && trusted.errors.contains("the captured t from \(login.host)"))
                #expect(shop.requests.map { $0.headers["x"] } == ["t0ken-1234"])
            }
        }
    }
}
