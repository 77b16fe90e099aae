import Testing

@testable import OmbiWorkspace

/// Commands as documents print them.
@Suite struct PrintedCommandTests {
    private static let plain = "curl http://a.test/a -H \"A: 1\" -d x=1"

    @Test(arguments: [
        "$ curl http://a.test/a \\\n>   -H \"A: 1\" \\\n>   -d x=1\n",
        "% curl http://a.test/a \\\n> -H \"A: 1\" \\\n  -d x=1\n",
        "me@host:~/x$ curl http://a.test/a \\\n> -H \"A: 1\" -d x=1\n",
        "[me@host x]$ curl http://a.test/a -H \"A: 1\" -d x=1",
        "root@host:/# curl http://a.test/a -H \"A: 1\" -d x=1",
        "# curl http://a.test/a \\\n> -H \"A: 1\" -d x=1", "➜ curl http://a.test/a -H \"A: 1\" -d x=1",
        "➜  ~ curl http://a.test/a -H \"A: 1\" -d x=1", "❯ curl http://a.test/a -H \"A: 1\" -d x=1",
        "~/x ❯ curl http://a.test/a -H \"A: 1\" -d x=1", "~> curl http://a.test/a -H \"A: 1\" -d x=1",
        "me@host ~/x> curl http://a.test/a -H \"A: 1\" -d x=1",
        "PS C:\\> curl.exe http://a.test/a -H \"A: 1\" -d x=1",
        "C:\\x>curl http://a.test/a -H \"A: 1\" -d x=1",
        "C:\\x>curl http://a.test/a ^\nMore? -H \"A: 1\" ^\nMore? -d x=1",
        "PS C:\\> curl.exe http://a.test/a `\n>>   -H \"A: 1\" `\n>> -d x=1\n",
        "PS> curl.exe http://a.test/a `\n>>-H \"A: 1\" -d x=1",
        "~~~ sh\ncurl http://a.test/a -H \"A: 1\" -d x=1\n~~~\n",
        "```bash\ncurl http://a.test/a -H \"A: 1\" \\\n  -d x=1\n```\n",
        "curl http://a.test/a —header \"A: 1\" –data x=1\n", "curl http://a.test/a –H \"A: 1\" −d x=1\n",
        "curl http://a.test/a \u{2010}H \"A: 1\" \u{2011}d x=1", "curl http://a.test/a －－header \"A: 1\" ﹣d x=1\n",
        "curl http://a.test/a\u{A0}-H\u{A0}\"A: 1\"\u{A0}-d x=1\n",
    ])
    func `what surrounds a command is no part of it`(text: String) throws {
        #expect(CurlImport.recognizes(text))
        let read = try CurlImport.read(text)
        let expected = try CurlImport.read(Self.plain)
        #expect(read.requests.count == 1 && !read.notes.contains { $0.kind == .loss }, "\(read)")
        let (one, other) = (try #require(read.requests.first), try #require(expected.requests.first))
        #expect(CurlExport.shown(one, in: nil) == CurlExport.shown(other, in: nil))
    }

    @Test(arguments: [
        "$ curl http://a.test/a -d '{\n> \"a\": 1\n> }'", "% curl http://a.test/a -d '{\nquote> \"a\": 1\nquote> }'",
        "$ curl http://a.test/a \\\n> -d '{\n> \"a\": 1\n> }'", "$ curl http://a.test/a -d '{\n\"a\": 1\n}'",
        "% curl http://a.test/a -d \"{\ndquote> \\\"a\\\": 1\ndquote> }\"",
        "$ curl http://a.test/a --data-binary @- <<'EOF'\n> {\n> \"a\": 1\n> }\n> EOF",
    ])
    func `the marks of a shell are no part of a quoted text`(text: String) throws {
        let body = try #require(try CurlImport.read(text).requests.first?.body?.text)
        #expect(body.split(separator: "\n") == ["{", "\"a\": 1", "}"])
    }

    @Test(arguments: ["$ curl http://a.test/a -d 'a\n> b\nc'", "curl http://a.test/a -d 'a\n> b'"])
    func `a mark that not all lines have belongs to the text`(text: String) throws {
        #expect(try CurlImport.read(text).requests.first?.body?.text?.contains("\n> b") == true)
    }

    @Test(arguments: [
        "curl http://a.test/a -d 'a – b\u{A0}c'", "curl http://a.test/a -d \"— $ curl \"",
        "# $ curl\ncurl http://a.test/–",
    ])
    func `quoted text stays`(text: String) { #expect(PrintedCommand.read(text).text == text) }

    @Test(arguments: [
        ("curl -H “A: 1” http://a.test/a -d x=1", "“…”"), ("curl -H ‘A: 1’ http://a.test/a -d x=1", "‘…’"),
        ("curl -H „A: 1“ „http://a.test/a“ -d x=1", "„…“"), ("curl http://a.test/a -d x=1 --header=“A: 1”", "“…”"),
        ("curl -H «A: 1» http://a.test/a -d x=1", "«…»"), ("curl -H ＂A: 1＂ http://a.test/a -d x=1", "＂…＂"),
        ("curl -H ›A: 1‹ http://a.test/a -d x=1", "›…‹"),
        ("curl http://a.test/\u{200B}a -d x=1 -H 'A: 1'", "an invisible character"),
    ])
    func `the quotes of a word processor are those of the shell, with a remark`(text: String, subject: String) throws {
        let read = try CurlImport.read(text)
        let request = try #require(read.requests.first)
        #expect(read.requests.count == 1 && request.headers == [Field("A", "1")], "\(read)")
        #expect(request.path == "http://a.test/a" && read.notes.map(\.subject).contains(subject))
    }

    @Test func `quotes within the quotes of a word processor are part of the text`() throws {
        let text = "curl http://a.test -H ‘Content-Type: application/json’ -d ‘{“a”: \"it’s\"}’"
        #expect(try CurlImport.read(text).requests.first?.body?.text?.contains("\"a\": \"it’s\"") == true)
    }

    @Test(arguments: [("-d —x", "—x"), ("--data —x", "—x"), ("-sd –data", "–data"), ("-d x—", "x—")])
    func `the dash of a value stays`(options: String, body: String) throws {
        #expect(try CurlImport.read("curl http://a.test \(options)").requests.first?.body?.text == body)
    }

    @Test(arguments: ["–", "––", "—", "-–", "——"]) func `one dash or two are those of an option`(dash: String) throws {
        let read = try CurlImport.read("curl http://a.test \(dash)header 'A: 1' -d x=1")
        #expect(read.requests.first?.headers == [Field("A", "1")])
    }

    @Test(arguments: ["\u{2003}", "\u{3000}", "\u{A0}", "\u{2009}"])
    func `every space ends a word`(space: String) throws {
        let read = try CurlImport.read("curl\(space)http://a.test/a\(space)-d\(space)x=1")
        #expect(read.requests.map(\.path) == ["http://a.test/a"])
    }

    @Test func `an unknown option is named with its whole character`() {
        let error = #expect(throws: ImportError.self) { try CurlImport.read("curl http://a.test -é") }
        #expect(error?.message == "curl has no option -é")
    }

    @Test func `notes keep their places`() {
        let text = "$ curl –data x=1 \\\n> http://a.test"
        #expect(PrintedCommand.read(text).text.utf8.count == text.utf8.count)
    }
}
