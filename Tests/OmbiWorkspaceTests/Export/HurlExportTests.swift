import Foundation
import OmbiCore
import OmbiDocument
import TestSupport
import Testing

@testable import OmbiWorkspace

/// Files of Hurl, judged by a reader of its grammar.
@Suite struct HurlExportTests {
    private static let reader = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Peers/hurl_reader.py").path
    private static let hasPython = ChildProgram.find("python3") != nil

    private static let texts = [
        "]]>", "\u{1}\u{1B}[31m", "%", "\"'", "a\nb\r\nc", "</script>", "\u{202E}a\u{2066}", "{{", "}}", "\\",
        "\\u{41}",
        "#", "`", "```", "a b", " a ", "\t", "é→😀", "+/=?&;:@", "[a]", "HTTP 200", "GET http://x", "file,a;",
        "\u{2028}",
        "\0", "{\"a\":1}", "${x}", "*/", String(repeating: "x", count: 1 << 16),
    ]

    private static func order(_ request: SavedRequest) -> RunOrder {
        RunOrder(
            id: 1, request: request,
            collection: Collection(name: "c", environments: [Environment(name: "e", host: "https://a.test")]),
            environment: "e", file: "c.json")
    }

    private static func exported(_ requests: [SavedRequest]) throws -> ExportedText {
        Session.exported(requests.map(order), as: try #require(Exporter.named("hurl")))
    }

    /// Returns method, URL, headers, sections and body of each request.
    private static func read(_ text: String) async throws -> [[JSONValue]] {
        let python = try #require(ChildProgram.find("python3"))
        let result = try await ChildProgram.run(python, [reader], input: text)
        #expect(result.status == 0, "\(result.errors.prefix(500))")
        return try result.output.split(separator: "\n").map { try JSONValue.parse(String($0)).elements ?? [] }
    }

    @Test(.enabled(if: hasPython, "apt-get install python3"))
    func `a reader of the grammar finds texts as they were`() async throws {
        let requests = Self.texts.flatMap { text -> [SavedRequest] in
            let escaped = text.replacing("{{", with: "\\{{")
            let request = SavedRequest(
                name: text, description: text, method: .post, path: "/a", query: [Field(escaped, escaped)],
                headers: [Field("X-A", escaped)],
                authentication: .basic(
                    BasicAuthentication(username: escaped.replacing(":", with: ""), password: "{{password}}")))
            let parts = [MultipartPart(escaped, .text(escaped)), MultipartPart("f", .file(escaped))]
            let bodies: [SavedBody] = [
                .text(TextContent(escaped)), .form(FormContent([Field(escaped, escaped)])),
                .multipart(MultipartContent(parts)),
            ]
            return bodies.map { body in
                var request = request
                request.body = body
                return request
            }
        }
        let found = try await Self.read(try Self.exported(requests).text)
        try #require(found.count == requests.count)
        for (index, text) in Self.texts.enumerated() {
            let row = JSONValue.strings([text, text])
            let three = found[(3 * index)..<(3 * index + 3)]
            for request in three {
                #expect(request[2].elements?.contains(.strings(["X-A", text])) == true)
                let user = JSONValue.strings([text.replacing(":", with: ""), "{{password}}"])
                #expect(request[3]["BasicAuth"]?.elements == [user])
            }
            #expect(three[three.startIndex][4] == .string(text))
            #expect(three[three.startIndex + 1][3]["FormParams"]?.elements == [row])
            let parts = three[three.startIndex + 2][3]["MultipartFormData"]?.elements
            let file = parts?.last?.elements?.dropFirst().first
            #expect(parts?.first == row && file == .string(text), "\(text): \(parts ?? [])")
        }
    }

    @Test(.enabled(if: hasPython, "apt-get install python3"))
    func `what Hurl cannot read is left out, and a loss`() async throws {
        var request = SavedRequest(
            name: "r", method: .post, path: "/a",
            body: .multipart(
                MultipartContent([
                    MultipartPart("a", .file("b"), contentType: "application/vnd.a+json"),
                    MultipartPart("b", .file("b"), contentType: "text/plain; charset=utf-8"),
                    MultipartPart("", .text("1")),
                ])))
        request.connection = SavedConnection { $0.proxy = "none" }
        let form = SavedRequest(
            name: "f", method: .post, path: "/a", body: .form(FormContent([Field("", "1"), Field("a", "2")])))
        let search = SavedRequest(name: "s", method: "M-SEARCH", path: "/a")
        let exported = try Self.exported([request, form, search])
        for loss in [
            "r: the type of the part a is left out", "r: a part without a name is left out",
            "r: the proxy of the environment is not switched off", "f: fields without a name are left out",
            "s is left out: Hurl has no method M-SEARCH",
        ] { #expect(exported.losses.contains(loss), "\(loss): \(exported.losses)") }
        let found = try await Self.read(exported.text)
        #expect(found.count == 2)
        let parts: JSONValue = [["a", "b", .null], ["b", "b", "text/plain; charset=utf-8"]]
        #expect(found.first?[3]["MultipartFormData"] == parts, "\(exported.text)")
    }
}
