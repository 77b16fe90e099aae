import Foundation
import Testing

extension EndToEnd {
    /// `ombi send`: one request that is written as words.
    @Suite struct SendTests {
        /// The request as the server received it.
        private static func echo(
            _ outcome: Outcome
        ) throws -> (method: String?, headers: [String: String], body: Any?) {
            let json = try outcome.json()
            let headers = json["headers"] as? [String: String] ?? [:]
            let pairs = headers.map { ($0.key.lowercased(), $0.value) }
            return (json["method"] as? String, Dictionary(pairs) { first, _ in first }, json["body"])
        }

        private static func secret(port: Int) -> String {
            """
            { "version": 1, "name": "api", "environments": [
                { "name": "e", "host": "http://127.0.0.1:\(port)", "additionalHeaders": { "X-Team": "blue" },
                  "secrets": { "token": { "env": "TOK" } } } ], "items": [] }
            """
        }

        @Test func `items become the request, and a pipe gets the body alone`() throws {
            try Scene.play { scene in
                let url = "127.0.0.1:\(try scene.port())/echo"
                let sent = try scene.ombi("send", url, "word=x", "n:=1.5", "q==a b", "X-A:1")
                #expect(sent.status == 0 && sent.errors == "", "\(sent.errors)")
                let (method, headers, body) = try Self.echo(sent)
                #expect(method == "POST" && headers["x-a"] == "1" && headers["content-type"] == "application/json")
                #expect((body as? [String: Any])?["word"] as? String == "x")
                let plain = try Self.echo(try scene.ombi("send", url))
                #expect(plain.method == "GET" && plain.body is NSNull)
                let form = try Self.echo(try scene.ombi("send", "PUT", url, "a=b c", "--form"))
                #expect(form.method == "PUT")
                #expect(["a=b+c", "a=b%20c"].contains(form.body as? String))
                let raw = try scene.shell("printf text | \"$0\" send \(url) --raw -")
                #expect(try Self.echo(raw).body as? String == "text")
            }
        }

        @Test func `a file that is named goes to the server without a grant`() throws {
            try Scene.play { scene in
                let url = "127.0.0.1:\(try scene.port())/echo"
                try scene.write("note.txt", "hello")
                let part = try scene.ombi("send", url, "f@note.txt", "a=b")
                #expect(part.status == 0, "\(part.errors)")
                let sent = try Self.echo(part)
                #expect(sent.headers["content-type"]?.hasPrefix("multipart/form-data") ?? false)
                #expect((sent.body as? String)?.contains("hello") ?? false)
                #expect(try Self.echo(try scene.ombi("send", url, "@note.txt")).body as? String == "hello")
                let embedded = try Self.echo(try scene.ombi("send", url, "X-Note:@note.txt"))
                #expect(embedded.headers["x-note"] == "hello")
                for word in ["@gone.txt", "f@gone.txt"] {
                    let unsent = try scene.ombi("send", url, word)
                    #expect(unsent.status == 2, "\(unsent.errors)")
                    #expect(unsent.errors.contains("paths start at the working folder"), "\(unsent.errors)")
                }
            }
        }

        @Test func `an environment gives host, headers and secrets, and needs its grants`() throws {
            try Scene.play { scene in
                try scene.write("api.json", Self.secret(port: try scene.port()))
                let sent = try Self.echo(try scene.ombi("send", "/echo", "--in", "api", "-e", "e"))
                #expect(sent.headers["x-team"] == "blue")
                let left = try Self.echo(try scene.ombi("send", "/echo", "X-Team:", "--in", "api/"))
                #expect(left.headers["x-team"] == nil)
                let words = ["send", "/echo", "X-T:{{token}}", "--in", "api"]
                let refused = try scene.background(Program.ombi, words, environment: ["TOK": "s3cret"]).outcome()
                #expect(refused.status == 2 && refused.output == "", "\(refused.errors)")
                let trusted = try scene.background(Program.ombi, words + ["--trust"], environment: ["TOK": "s3cret"])
                #expect(try Self.echo(try trusted.outcome()).headers["x-t"] == "s3cret")
            }
        }

        @Test func `the exit status says how it went`() throws {
            try Scene.play { scene in
                let host = "127.0.0.1:\(try scene.port())"
                let missing = try scene.ombi("send", host + "/users/9999")
                #expect(missing.status == 1 && missing.errors.contains("404 Not Found"))
                let item = try scene.ombi("send", host + "/echo", "word")
                #expect(item.status == 2 && item.output == "" && item.errors.contains("write name=value"))
                #expect(try scene.ombi("send", host, "-e", "local").errors.contains("add --in COLLECTION"))
                #expect(try scene.ombi("send", host + "/echo", "a=@missing").status == 3)
                let typo = try scene.ombi("send", "PROPF", host + "/echo", "--dry-run")
                #expect(typo.status == 0 && typo.errors.contains("PROPF; did you mean \"PROPFIND\"?"), "\(typo.errors)")
                #expect(try scene.ombi("send", host + "/echo", "--save", "x").status == 2)
            }
        }

        @Test func `a request is saved, and nothing else of the file changes`() throws {
            try Scene.play { scene in
                let port = try scene.port()
                let before = Samples.shop(port: port)
                try scene.write("shop.json", before)
                let dry = try scene.ombi(
                    "send", "/echo", "a=b", "--in", "shop", "--save", "shop/users/new", "--dry-run")
                #expect(dry.status == 0 && dry.output.contains("POST http://127.0.0.1:\(port)/echo"))
                #expect(try scene.read("shop.json") == before)
                let sent = try scene.ombi(
                    "send", "http://127.0.0.1:\(port)/echo", "a=b", "--save", "shop/users/new", "--retries", "2")
                #expect(sent.status == 0 && sent.errors == "added 1 request to shop.json/users\n", "\(sent.errors)")
                let lines = try scene.read("shop.json").split(separator: "\n").map(String.init)
                let kept = before.split(separator: "\n").map(String.init).filter { !lines.contains($0) }
                #expect(kept.count <= 1, "\(kept)")
                let again = try scene.ombi("send", "http://127.0.0.1:\(port)/echo", "--save", "shop/users/new")
                #expect(again.errors == "added 1 request to shop.json/users, new as new 2\n", "\(again.errors)")
                let run = try scene.ombi("run", "shop/users/new", "--body")
                #expect(run.status == 0 && run.output.contains("\"b\""), "\(run.errors)")
            }
        }

        @Test func `a run is recorded unless it must not be`() throws {
            try Scene.play { scene in
                let url = "127.0.0.1:\(try scene.port())/echo"
                _ = try scene.ombi("send", url, "--no-record")
                let unrecorded = try scene.ombi("history", "list")
                #expect(!unrecorded.output.contains("echo"))
                _ = try scene.ombi("send", url)
                #expect(try scene.ombi("history", "list").output.contains("echo"))
            }
        }

        @Test func `a terminal shows the status, the headers and the body laid out`() throws {
            try Scene.play { scene in
                let url = "127.0.0.1:\(try scene.port())/echo"
                let ombi = try scene.explore("send", url, "a:={\"b\":1}", rows: 50)
                try ombi.see("HTTP/1.1 200 OK", "application/json", "\"method\": \"POST\"", "    \"b\": 1")
                #expect(try ombi.waitForExit() == 0)
                #expect(String(decoding: ombi.terminal.bytes, as: UTF8.self).contains("\u{1B}[38;5;"))
                let plain = try scene.explore("send", url, "a:={\"b\":1}", "--body")
                try plain.see("\"method\"")
                #expect(try plain.waitForExit() == 0)
                #expect(!String(decoding: plain.terminal.bytes, as: UTF8.self).contains("HTTP/1.1"))
            }
        }

        @Test func `a request that is saved has the saved name in what is printed`() throws {
            try Scene.play { scene in
                try scene.write("shop.json", Samples.shop(port: try scene.port()))
                let sent = try scene.ombi("send", "/users/9999", "--in", "shop", "--save", "shop/users/nobody")
                #expect(sent.status == 1 && sent.errors.contains("nobody: "), "\(sent.errors)")
            }
        }

        @Test func `a new collection is begun, and no file is replaced`() throws {
            try Scene.play { scene in
                let new = try scene.ombi("new", "My shop!", "--host", "127.0.0.1:1")
                #expect(new.status == 0 && new.output == "my-shop.json\n", "\(new.errors)")
                #expect(new.errors.contains("`ombi my-shop.json` opens it"))
                let text = try scene.read("my-shop.json")
                #expect(text.contains("\"My shop!\"") && text.contains("\"http://127.0.0.1:1\""))
                let again = try scene.ombi("new", "my shop")
                #expect(again.status == 2 && again.errors.contains("my-shop.json exists"))
                #expect(try scene.read("my-shop.json") == text)
                _ = try scene.shell("mkdir sub")
                #expect(try scene.ombi("new", "sub/v1.2").output == "sub/v1-2.json\n")
                #expect(try scene.read("sub/v1-2.json").contains("\"v1.2\""))
                #expect(try scene.ombi("new", "sub/c d.json").errors.contains("`ombi 'sub/c d.json'` opens it"))
                let nowhere = try scene.ombi("new", "none/x")
                #expect(
                    nowhere.status == 2 && nowhere.errors.contains("no folder none; create it"), "\(nowhere.errors)")
                #expect(try scene.ombi("new", "direct.json").output == "direct.json\n")
                #expect(try scene.read("direct.json").contains("\"direct\""))
                #expect(try scene.ombi("new", "x", "--host", "ftp://a.test").status == 2)
                #expect(try scene.ombi("new", "no/folder.json").status == 3)
            }
        }
    }
}
