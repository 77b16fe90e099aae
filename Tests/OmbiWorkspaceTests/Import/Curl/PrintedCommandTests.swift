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
        "~~~ sh\ncurl http://a.test/a -H \"A: 1\" -d x=1\n~~~\n",
        "```bash\ncurl http://a.test/a -H \"A: 1\" \\\n  -d x=1\n```\n",
        "curl http://a.test/a —header \"A: 1\" –data x=1\n", "curl http://a.test/a –H \"A: 1\" −d x=1\n",
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
        #expect(body.trimmed == "{\n\"a\": 1\n}")
    }

    @Test(arguments: ["$ curl http://a.test/a -d 'a\n> b\nc'", "curl http://a.test/a -d 'a\n> b'"])
    func `a mark that not all lines have belongs to the text`(text: String) throws {
        #expect(try CurlImport.read(text).requests.first?.body?.text?.contains("\n> b") == true)
    }

    @Test(arguments: [
        "curl http://a.test/a -d 'a – b\u{A0}c'", "curl http://a.test/a -d \"— $ curl \"",
        "# $ curl\ncurl http://a.test/–",
    ])
    func `quoted text stays`(text: String) { #expect(PrintedCommand.plain(text) == text) }

    @Test func `notes keep their places`() {
        let text = "$ curl –data x=1 \\\n> http://a.test"
        #expect(PrintedCommand.plain(text).utf8.count == text.utf8.count)
    }
}
