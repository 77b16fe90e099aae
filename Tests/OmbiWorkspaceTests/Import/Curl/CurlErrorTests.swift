import OmbiDocument
import TestSupport
import Testing

@testable import OmbiWorkspace

/// Mistakes in a command line, and the notes on it.
@Suite struct CurlErrorTests {
    @Test(arguments: [
        ("curl 'http://a", "line 1, column 6: the ' is not closed"),
        ("curl \\\n -d \"a http://a", "line 2, column 5: the \" is not closed"),
        ("curl -d $'a http://a", "line 1, column 9: the $' is not closed"),
        ("curl http://a -X", "line 1, column 15: -X needs a value"),
        ("curl http://a --heder 'A: b'", "line 1, column 15: curl has no option --heder; did you mean \"header\"?"),
        ("curl http://a -?", "line 1, column 15: curl has no option -?"),
        ("curl -d a=1", "line 1, column 1: the command has no URL"),
        ("curl http://a --next", "line 1, column 15: the command has no URL"),
        ("curl ftp://a/b", "line 1, column 6: only http:// and https:// can be sent, not ftp://"),
        ("curl -X 'A B' http://a", "line 1, column 6: -X: \"A B\" is not a method; it is made of capital letters, "),
        ("curl -I -d a=1 http://a", "line 1, column 9: -d and -I exclude each other; curl refuses them, too"),
        ("curl --retry many http://a", "line 1, column 6: --retry takes a number"),
        ("curl -d @- http://a <<EOF\na=1", "line 1, column 23: the text after << does not end with a line EOF"),
        ("wget http://a", "line 1, column 1: there is no curl command here"),
        ("", "line 1, column 1: there is no curl command here"),
        ("curl é é 'a", "line 1, column 10: the ' is not closed"),
        ("curl http://a 'A: 1'", "line 1, column 15: the port \" 1\" of \"http://A: 1\" is not a number"),
        ("curl 'http://a b/c'", "line 1, column 6: \"http://a b\" is not a URL"),
        ("curl a.test:x", "line 1, column 6: the port \"x\" of \"http://a.test:x\" is not a number"),
    ])
    func `a mistake is an error with its position`(line: String, message: String) {
        let error = #expect(throws: ImportError.self) { try CurlImport.read(line) }
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
    }

    @Test func `an error shows its line with a caret`() {
        let error = #expect(throws: ImportError.self) { try CurlImport.read("curl \\\n\t-H 'a http://a") }
        #expect(error?.excerpt == " -H 'a http://a\n    ^")
    }

    @Test(arguments: ["curl -d 'a=É' http://a", "curl http://a/É", "curl -H 'A: É' http://a"])
    func `a file in another encoding than Unicode is refused, and one in UTF-16 is read`(line: String) throws {
        let parts = line.split(separator: "É", omittingEmptySubsequences: false).map { Array($0.utf8) }
        let latin = Array(parts.joined(separator: [0xE9]))
        let error = #expect(throws: ImportError.self) { try CurlImport.text(latin) }
        #expect(error?.position.column == parts[0].count + 1)
        #expect(error?.message == "the text is neither UTF-8 nor UTF-16 with a byte order mark")
        for isMarked in [true, false] {
            let units = Array(((isMarked ? "\u{FEFF}" : "") + line).utf16)
            let little = units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
            let big = units.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
            #expect(try CurlImport.text(little) == line && CurlImport.text(big) == line)
            #expect(throws: ImportError.self) { try CurlImport.text(little + [0x20]) }
        }
    }

    @Test func `a long line is cut around the error`() {
        let long = String(repeating: "x", count: 500)
        let error = #expect(throws: ImportError.self) { try CurlImport.read("curl \(long) -! \(long)") }
        let lines = error?.excerpt.split(separator: "\n") ?? []
        #expect(lines.first.map { $0.count } == 122 && lines.first?.contains("x -! x") == true)
        #expect(lines.last?.count == 62)
    }

    @Test func `a note has the option's position, and says what to do`() throws {
        let notes = try CurlImport.read("curl https://a.test \\\n  -k -F 'a=(' | jq .").notes
        #expect(
            notes.map(\.position) == [2, 2, 2].enumerated().map { TextPosition(line: $1, column: [3, 6, 15][$0]) })
        #expect(
            notes.map(\.description) == [
                "-k: certificates are verified; set verifyTLS: false in its environment",
                "-F a=(: a form within a form cannot be saved",
                "| jq .: left out; | in the response filters the body",
            ])
        #expect(notes.map(\.kind) == [.loss, .loss, .remark])
    }

    @Test func `credentials and templates are remarked on`() throws {
        let notes = try CurlImport.read("curl -H \"Authorization: Bearer $A\" -u a:b {{host}}/x --next -u a:b a.test")
            .notes
        #expect(
            notes.map(\.description) == [
                "$A: became {{A}}; define it as a variable or a secret",
                "{{host}}: filled in as a template; write \\{{ for plain braces",
                "-u: stays in the request as it is; the palette (:) moves it to a secret",
            ])
    }

    @Test(arguments: [
        ("curl -L -X POST a.test", ["-X POST: after a 301, 302 or 303 Ombi goes on with GET, curl with POST"]),
        ("curl -L -X PUT a.test", ["-X PUT: after a 303 Ombi goes on with GET, curl with PUT"]),
        ("curl -L -X GET a.test", []), ("curl -X POST a.test", []), ("curl -L -d a=1 a.test", []),
        ("curl --no-location -X POST a.test", []), ("curl --retry 2 -X PUT a.test", []),
        (
            "curl --retry 2 -d a=1 a.test",
            ["--retry: a POST is repeated if nothing was sent, or with a header Idempotency-Key"]
        ),
        ("curl --retry 2 -d a=1 -H 'idempotency-key: 7' a.test", []), ("curl --retry 0 -d a=1 a.test", []),
    ])
    func `a note says where curl would repeat what Ombi does not`(line: String, notes: [String]) throws {
        #expect(try CurlImport.read(line).notes.map(\.description) == notes)
    }

    @Test(arguments: [
        ("curl https://a", true), ("curl.exe -V", true), ("$ curl x", true), (" curl\t-d", true), ("curl", false),
        ("curly x", false), ("/usr/bin/curl x", true), ("https://a", false), ("", false), ("cu rl", false),
        ("# a comment\n \n  # it's another\r\n$ curl x", true), ("# curl x", false), ("#\nwget x", false),
        ("(curl x)", true), ("( curl x )", true), ("\u{FEFF}curl x", true), ("\u{FEFF}# a\ncurl x", true),
        ("timeout 5 curl a.test", true), ("sudo -u www -E curl -s a.test", true), ("time curl a.test", true),
        ("$ TOKEN=x curl a.test", true), ("me@host:~$ timeout 3 curl a.test", true),
        ("T=$(curl -s a.test)", true), ("echo '{}' | curl -d @- a.test", true),
        ("kubectl exec -n b pod/a -- curl localhost:80/", true), ("command -v curl", false),
        ("if curl is there, take it", false), ("sudo apt install curl -y", false), ("the time curl a.test", false),
    ])
    func `a command of curl is recognized`(text: String, isCommand: Bool) {
        #expect(CurlImport.recognizes(text) == isCommand)
    }

    @Test func `damaged commands give an error or a collection that can be read`() throws {
        var random = SeededRandom(seed: 7)
        let pieces = [
            "'", "\"", "\\", "$", "$'", "{{", "}}", "\n", "^", "`", " ", "-", "@", "&", "|", "<<E", "é", "\u{0}", "=",
        ]
        for round in 0..<3000 {
            var line = Array(CurlCase.all[round % CurlCase.all.count].line)
            for _ in 0...round % 4 {
                let place = Int(random.next() % UInt64(line.count + 1))
                if random.next() % 2 == 0, place < line.count { line.remove(at: place) }
                line.insert(contentsOf: random.pick(1, of: pieces)[0], at: min(place, line.count))
            }
            let text = String(line).replacing("HOST", with: "http://a.test")
            guard let requests = try? CurlImport.read(text).requests else { continue }
            let collection = Collection(name: "c", items: requests.map(CollectionItem.request))
            let problems = CollectionFile.read(Array(collection.text.utf8), file: "c.json").problems
            #expect(!problems.contains { $0.severity == .error }, "\(text): \(problems)")
        }
    }
}
