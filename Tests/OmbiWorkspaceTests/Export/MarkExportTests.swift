import OmbiCore
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Texts in which a mark follows a sign: in Swift both are one character, and for every other program the sign is one.
@Suite struct MarkExportTests {
    private static func exported(_ request: SavedRequest, as name: String) throws -> ExportedText {
        let collection = Collection(name: "c", environments: [Environment(name: "e", host: "https://a.test")])
        let order = RunOrder(id: 1, request: request, collection: collection, environment: "e", file: "c.json")
        return Session.exported([order], as: try #require(Exporter.named(name)))
    }

    private static func form(_ parts: MultipartPart...) -> SavedRequest {
        SavedRequest(name: "r", method: .post, path: "/a", body: .multipart(MultipartContent(parts)))
    }

    private static func has(_ text: String, _ part: String) -> Bool { text.utf8.contains(part.utf8) }

    @Test func `HTTPie reads no file that a header names, and takes no part for an option`() throws {
        let headers = [Field("X-A", "@\u{301}f"), Field("X-B", "a\\:\u{301}")]
        let request = try Self.exported(SavedRequest(name: "r", path: "/a", headers: headers), as: "httpie")
        #expect(Self.has(request.text, "'X-A:\\@\u{301}f'"), "\(request.text)")
        #expect(request.losses == ["r: HTTPie drops a backslash in front of : ; = and @"])
        let form = try Self.exported(Self.form(MultipartPart("-\u{301}z", .text("1"))), as: "httpie").text
        #expect(form.contains("-- POST https://a.test/a"), "\(form)")
    }

    @Test func `the path of a file ends in no command of curl before its end`() throws {
        let text = try Self.exported(Self.form(MultipartPart("f", .file("./a;\u{301}b"))), as: "curl").text
        #expect(Self.has(text, "f=@\"./a;\u{301}b\""), "\(text)")
    }

    @Test func `Hurl reads no file that a part names, and keeps a space in front`() throws {
        let form = Self.form(MultipartPart("f", .text("file,\u{301}x;")), MultipartPart("s", .text(" \u{301}x")))
        let text = try Self.exported(form, as: "hurl").text
        #expect(Self.has(text, "f: file\\u{2c}\u{301}x;\n"), "\(text)")
        #expect(Self.has(text, "s: \\u{20}\u{301}x"), "\(text)")
    }

    @Test func `no part of a .http file ends at a boundary in its text`() throws {
        let form = Self.form(MultipartPart("a", .text("x\n--ombi-boundary--\n#\u{301}")))
        let exported = try Self.exported(form, as: "http")
        #expect(exported.text.contains("boundary=ombi-boundary-x\n"), "\(exported.text)")
        #expect(exported.text.hasSuffix("\n--ombi-boundary-x--"))
        #expect(exported.losses.contains("r: a line of the body begins with a sign that has a meaning here"))
    }

    @Test(arguments: ["fetch", "markdown", "har", "swift", "k6"])
    func `the query of a path begins at its question mark`(_ name: String) throws {
        let request = SavedRequest(name: "r", path: "/a?\u{301}x=1&\u{301}y=2#\u{301}z")
        let text = try Self.exported(request, as: name).text
        #expect(!Self.has(text, "%3F") && !Self.has(text, "\u{301}z") && !text.contains("%CC%81z"), "\(text)")
        #expect(Self.has(text, "a?"), "\(text)")
    }
}
