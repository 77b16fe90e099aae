import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Traps that importers of files in text fell into.
@Suite struct ImportTrapTests {
    private static let files = [
        ("a.http", "GET https://a.test/x?b=%20c&d=é HTTP/1.1\nX-A: ü\n"),
        ("a.hurl", "GET https://a.test/x?b=%20c&d=é\nX-A: ü\nHTTP 200\n"),
        ("a.bru", "get {\n  url: https://a.test/x?b=%20c&d=é\n}\n\nheaders {\n  X-A: ü\n}\n"),
        ("a.posting.yaml", "name: a\nurl: https://a.test/x?b=%20c&d=é\nheaders:\n- name: X-A\n  value: ü\n"),
        ("slumber.yml", "requests:\n  a:\n    url: https://a.test/x?b=%20c&d=é\n    headers: { X-A: ü }\n"),
    ]

    private static func written(_ bytes: [UInt8], _ path: String) throws -> String {
        try Imported.joined([try Importer.read(bytes, from: path)]).written(keeping: .drop).text
    }

    @Test(arguments: files)
    func `byte order marks, UTF-16 and lines of Windows change nothing, and nothing is encoded twice`(
        path: String, text: String
    ) throws {
        let plain = try Self.written(Array(text.utf8), path)
        let windows = text.replacing("\n", with: "\r\n")
        let units = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(try Self.written([0xEF, 0xBB, 0xBF] + Array(text.utf8), path) == plain)
        #expect(try Self.written([0xFF, 0xFE] + units, path) == plain)
        #expect(try Self.written(Array(windows.utf8), path) == plain)
        #expect(plain.contains("ü") && !plain.contains("%25"))
    }

    @Test func `variables that refer to each other are empty, and losses`() throws {
        let (imported, notes) = try FolderSample.file("@a = {{b}}\n@b = {{a}}\nGET https://a.test/{{a}}\n", "a.http")
        #expect(imported.collection.variables.map(\.value) == ["", ""])
        #expect(notes.lose("a", "refers to itself") && notes.lose("b", "refers to itself"))
    }

    @Test func `a text of Bruno loses two spaces in front, also before an emoji`() throws {
        let text = """
            body:text {
              😀 x
                two
            \tt
             no
              } more
            }
            headers {
              ~"~key": v
              X-T: '''a'''
            }
            """
        let file = try BruFile(Array(text.utf8))
        #expect(file["body:text"]?.text == "😀 x\n  two\n\tt\nno\n} more")
        let pairs = try #require(file["headers"]?.pairs)
        #expect(pairs.map(\.name) == ["~key", "X-T"] && pairs.map(\.isEnabled) == [false, true])
        #expect(pairs.map(\.value) == ["v", "a"])
    }

    @Test(arguments: [
        ("a.bru", "get {\n  url: https://a.test/x\n}\n\nscript:pre-request {\n}\n\ntests {\n}\n\nheaders {\n}\n"),
        ("a.posting.yaml", "name: a\nmethod: null\nurl: https://a.test/x\nheaders: null\nbody: null\nscripts: null\n"),
        ("slumber.yml", "profiles: null\nrequests:\n  a: { url: https://a.test/x, headers: null, body: null }\n"),
        ("a.hurl", "GET https://a.test/x\nHTTP 200\n[Captures]\n[Asserts]\n"),
        (
            "atac.json",
            #"{"name": "a", "requests": [{"name": "r", "url": "https://a.test/x", "params": null, "protocol": null}]}"#
        ),
        (
            "bruno.json",
            #"{"name": "E", "version": "1", "exportedUsing": "Bruno", "environments": null, "items": [{"name": "a", "#
                + #""type": "http-request", "request": {"url": "https://a.test/x", "script": {"req": "", "res": null}, "#
                + #""tests": null, "body": null}}]}"#
        ),
    ])
    func `an empty script and a part that is null cost nothing`(path: String, text: String) throws {
        let (imported, notes) = try FolderSample.file(text, path)
        #expect(imported.collection.requests.map(\.path) == ["/x"] && notes.isEmpty, "\(notes)")
    }

    @Test func `what is no request among those of slumber is a loss`() throws {
        let (imported, notes) = try FolderSample.file(
            "requests:\n  a: { url: https://a.test/x }\n  b: null\n  c: []\n", "slumber.yml")
        #expect(imported.requestCount == 1)
        #expect(notes.filter { $0.kind == .loss }.map { "\($0.position.line) \($0.subject)" } == ["3 b", "4 c"])
    }

    @Test(arguments: [
        ("a.http", "POST https://a.test/x\n\n< ./a.json\n"),
        ("a.hurl", "POST https://a.test/x\nfile,a.json;\nHTTP 200\n"),
    ])
    func `a type that only Ombi sends with a file is said`(path: String, text: String) throws {
        let (_, notes) = try FolderSample.file(text, path)
        #expect(notes.contains { $0.kind == .remark && $0.message.contains("no Content-Type") }, "\(notes)")
        let typed = text.replacing("/x\n", with: "/x\nContent-Type: application/json\n")
        #expect(try !FolderSample.file(typed, path).notes.contains { $0.message.contains("no Content-Type") })
    }
}
