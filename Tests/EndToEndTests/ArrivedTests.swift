import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// What came of a response stays in every output, and every command reads files and names in the same way.
    @Suite struct ArrivedTests {
        private static func collection(_ host: String, _ request: String, more: String = "") -> String {
            """
            {"version": 1, "name": "c", "environments": [{"name": "l", "host": "\(host)"\(more)}], "items": [\(request)]}
            """
        }

        @Test func `a response that breaks off keeps its status, its headers and its bytes`() throws {
            try Scene.play { scene in
                let server = try RawServer { connection in
                    guard connection.readHead() != nil else { return }
                    connection.send("HTTP/1.1 200 OK\r\nX-Id: 7\r\nContent-Length: 100000\r\n\r\nhello")
                }
                defer { server.stop() }
                try scene.write("c.json", Self.collection(server.host, #"{"request": "r", "path": "/x"}"#))
                let table = try scene.ombi("run", "c.json")
                #expect(
                    table.status == 1 && table.output.contains("  200  ") && table.output.contains("5 of 100000 bytes"))
                let body = try scene.ombi("run", "c.json", "--body")
                #expect(body.status == 1 && body.output == "hello" && body.errors.contains("5 of 100000 bytes"))
                let shown = try scene.ombi("history", "show")
                #expect(shown.output.contains("200 OK\nX-Id: 7\n") && shown.output.contains("5 B of body"))
                #expect(try scene.ombi("history", "show", "--body").output == "hello")
                let json = try scene.ombi("run", "c.json", "--output", "json").output
                #expect(json.contains("\"status\": 200") && json.contains("\"bytes\": 5"))
            }
        }

        @Test func `a body in an unknown coding is printed as it came, with a remark`() throws {
            try Scene.play { scene in
                let server = try LoopbackServer { _ in .ok("{\"a\":1}", headers: [("Content-Encoding", "utf-8")]) }
                defer { server.stop() }
                try scene.write("c.json", Self.collection(server.host, #"{"request": "r", "path": "/x"}"#))
                let body = try scene.ombi("run", "c.json", "--body")
                #expect(body.status == 0 && body.output == "{\"a\":1}")
                #expect(body.errors.contains("the body is as it came, as its Content-Encoding \"utf-8\" is unknown"))
                #expect(try scene.ombi("history", "show").output.contains("Content-Encoding \"utf-8\" is unknown"))
            }
        }

        @Test func `each name that list prints is one that run takes`() throws {
            try Scene.play { scene in
                let server = try LoopbackServer { _ in .ok("") }
                defer { server.stop() }
                let names = [
                    "🏳️‍🌈 pride", "a\\nb", "a\\tb", "c/d", "\\u202Ex", "e\\u0301", "é", "\\u001B[1m", "x\\u200By", "日本",
                ]
                let requests = names.map { "{\"request\": \"\($0)\", \"path\": \"/x\"}" }.joined(separator: ", ")
                try scene.write("c.json", Self.collection(server.host, requests))
                let listed = try scene.ombi("list").output.split(separator: "\n").map {
                    String($0.drop { $0 != " " }.drop { $0 == " " })
                }
                #expect(listed.count == names.count)
                for name in listed { #expect(try scene.ombi("run", name).status == 0, "\(name)") }
            }
        }

        @Test func `files that are read once may be pipes`() throws {
            try Scene.play { scene in
                let server = try LoopbackServer { _ in .ok("") }
                defer { server.stop() }
                let request = #"{"request": "r", "path": "/{{a}}", "headers": [{"name": "X-T", "value": "{{t}}"}]}"#
                let secrets = #", "variables": [{"name": "a", "value": "x"}], "secrets": {"t": {"env": "SHOP_T"}}"#
                try scene.write("c.json", Self.collection(server.host, request, more: secrets))
                let run = "\"$0\" run c.json --trust"
                for script in [
                    "printf 'SHOP_T=abc\\n' | \(run) --env-file -",
                    "printf 'SHOP_T=abc\\n' | \(run) --env-file /dev/stdin",
                    "mkfifo p; (printf 'SHOP_T=abc\\n' >p &); \(run) --env-file p",
                    "printf 'a\\n1\\n2\\n' | SHOP_T=abc \(run) --data -",
                    "mkfifo q; (printf 'a\\n1\\n2\\n' >q &); SHOP_T=abc \(run) --data q",
                ] {
                    let outcome = try scene.shell(script)
                    #expect(outcome.status == 0, "\(script): \(outcome.output)\(outcome.errors)")
                }
                #expect(server.requests.count == 7 && server.requests.allSatisfy { $0.headers["x-t"] == "abc" })
            }
        }

        @Test func `a collection may come in a pipe, whose paths start at the current folder`() throws {
            try Scene.play { scene in
                let server = try LoopbackServer { _ in .ok("") }
                defer { server.stop() }
                try scene.write("body.txt", "hello")
                let request = #"{"request": "r", "method": "POST", "path": "/x", "body": {"file": "body.txt"}}"#
                try scene.write("c.json", Self.collection(server.host, #"{"folder": "f", "items": [\#(request)]}"#))
                for script in [
                    "cat c.json | \"$0\" run --trust -", "\"$0\" run --trust - <c.json",
                    "cat c.json | \"$0\" run --trust /dev/stdin", "cat c.json | \"$0\" run --trust /dev/stdin/f/r",
                    "mkfifo p; (cat c.json >p &); \"$0\" run --trust p",
                    "mkfifo q; (cat c.json >q &); \"$0\" run --trust /dev/fd/3/f 3<q",
                ] {
                    let outcome = try scene.shell(script)
                    #expect(outcome.status == 0, "\(script): \(outcome.output)\(outcome.errors)")
                }
                #expect(server.requests.map(\.text) == Array(repeating: "hello", count: 6))
                #expect(try scene.ombi("history", "show").output.contains("200 OK"))
                #expect(try scene.shell("cat c.json | \"$0\" list -").output.contains("c/f/r"))
                let refused = try scene.shell("cat c.json | \"$0\" run -")
                #expect(refused.status != 0 && refused.errors.contains("standard input may not send"))
                #expect(!refused.errors.contains("ombi trust"), "\(refused.errors)")
                let good = try scene.shell("cat c.json | \"$0\" check -")
                #expect(good.status == 0 && good.errors.contains("1 file, 1 request, 0 broken"), "\(good.errors)")
                let broken = try scene.shell("printf '{\"version\": 1,\\n\"name\": nope}' | \"$0\" check -")
                #expect(broken.status == 2 && broken.output.hasPrefix("standard input:2:"), "\(broken.output)")
            }
        }

        @Test func `a collection that is typed ends with Ctrl+D, and is asked for`() throws {
            try Scene.play { scene in
                let ombi = try scene.start(Program.ombi, ["list", "-"])
                try ombi.see("reads standard input from the terminal; Ctrl+D ends it")
                ombi.type(Self.collection("http://127.0.0.1", #"{"request": "r", "path": "/"}"#), "\n", "\u{4}")
                try ombi.see("GET     c/r")
                #expect(try ombi.waitForExit() == 0)
            }
        }

        @Test func `a secret and a body may come in a pipe`() throws {
            try Scene.play { scene in
                let server = try LoopbackServer { _ in .ok("") }
                defer { server.stop() }
                let secrets = #", "secrets": {"t": {"file": "./t"}}"#
                let body = #""body": {"file": "./b"}, "authentication": {"bearer": "{{t}}"}"#
                let request = #"{"request": "r", "method": "POST", "path": "/", \#(body)}"#
                try scene.write("c.json", Self.collection(server.host, request, more: secrets))
                for script in [
                    "mkfifo b t; (printf hello >b &); (printf s3cret >t &); \"$0\" run c.json --trust",
                    "printf hello | \"$0\" send \(server.host)/ @-",
                    "mkfifo p; (printf hello >p &); \"$0\" send \(server.host)/ @p",
                    "printf hello | \"$0\" send \(server.host)/ file@-",
                ] {
                    let outcome = try scene.shell(script)
                    #expect(outcome.status == 0, "\(script): \(outcome.output)\(outcome.errors)")
                }
                #expect(server.requests.first?.headers["authorization"] == "Bearer s3cret")
                #expect(server.requests.prefix(3).map(\.text) == ["hello", "hello", "hello"])
                #expect(server.requests.last?.text.contains("\r\n\r\nhello\r\n--") == true)
            }
        }

        @Test func `a byte order mark is no part of a secret`() throws {
            try Scene.play { scene in
                let server = try LoopbackServer { _ in .ok("") }
                defer { server.stop() }
                try scene.write("token.txt", "\u{FEFF}s3cret\r\n")
                try scene.write(
                    "c.json",
                    Self.collection(
                        server.host, #"{"request": "r", "path": "/", "authentication": {"bearer": "{{t}}"}}"#,
                        more: #", "secrets": {"t": {"file": "./token.txt"}}"#))
                #expect(try scene.ombi("run", "c.json", "--trust").status == 0)
                #expect(server.requests.first?.headers["authorization"] == "Bearer s3cret")
            }
        }

        @Test func `the time of an incident is given as that of the history is`() throws {
            try Scene.play { scene in
                let server = try LoopbackServer { _ in .ok("") }
                defer { server.stop() }
                try scene.write("c.json", Self.collection(server.host, #"{"request": "r", "path": "/"}"#))
                _ = try scene.ombi("run", "c.json")
                for time in [
                    ["1h"], ["1h.."], ["--since", "1h"], ["--last", "1h"], ["--since", "1h", "c.json"],
                    ["2h", "c.json"],
                ] {
                    let outcome = try scene.background(Program.ombi, ["incident"] + time).outcome()
                    #expect(outcome.status == 0 && outcome.output.contains("1 run"), "\(time): \(outcome.errors)")
                }
                for time in [
                    [], ["1h", "c.json", "--last", "1h"], ["--last", "1h", "--since", "2h"], ["--until", "1h"],
                ] {
                    #expect(try scene.background(Program.ombi, ["incident"] + time).outcome().status == 2, "\(time)")
                }
            }
        }
    }
}
