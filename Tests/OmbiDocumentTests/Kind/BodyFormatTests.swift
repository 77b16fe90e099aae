import Testing

@testable import OmbiDocument

struct BodyFormatTests {
    @Test(
        arguments: [
            ("{\"a\": 1}", nil, BodyKind.json),
            ("[1, 2]", "text/plain", .json),
            ("[INFO] started", nil, .text),
            ("[link](there)", "text/markdown", .markdown),
            ("[true]", nil, .json),
            ("[try] it", nil, .text),
            ("{\"a\":1}\n{\"a\":2}\n", nil, .jsonLines),
            ("{\"a\":1}\n{\"a\":2}\n", "application/json", .jsonLines),
            ("{\"a\":1}", "application/x-ndjson", .jsonLines), ("{\"a\":1}", "application/ndjson", .jsonLines),
            ("{\"a\":1}", "application/geo+json-seq", .jsonLines),
            ("42", nil, .json),
            ("\"text\"", nil, .json),
            ("2024-01-01 it began", nil, .text),
            ("<?xml version='1.0'?><a/>", nil, .xml),
            ("<rss><channel/></rss>", "text/plain", .xml),
            ("<!DOCTYPE html><title>x</title>", nil, .html),
            ("<html><body>", "application/json", .html),
            ("<p>hello", nil, .html),
            ("<svg/>", "image/svg+xml", .xml),
            ("a: 1\nb: 2\n", "application/yaml", .yaml),
            ("---\na: 1\n", nil, .yaml),
            ("a,b,c\n1,2,3\n4,5,6\n", nil, .table(separator: 44)),
            ("a\tb\n1\t2\n3\t4\n", nil, .table(separator: 9)),
            ("a,b\n", "text/csv; header=present", .table(separator: 44)),
            ("Hello, world.\nThis, too, is prose.\nNo, it ends.", nil, .text),
            ("a=b&c=%20d", nil, .form),
            ("a=b", "application/x-www-form-urlencoded", .form),
            ("data: x\n\n", nil, .events),
            ("event: a\ndata: x\n\n", "text/event-stream", .events),
            ("hello", nil, .text),
            ("", "application/json", .empty),
            ("not json", "application/problem+json; charset=utf-8", .json),
        ] as [(String, String?, BodyKind)])
    func `texts are recognised`(text: String, type: String?, kind: BodyKind) {
        let format = BodyFormat(Bytes(text.utf8), contentType: type)
        #expect(format.kind == kind)
    }

    @Test func `a wrong content type is reported`() {
        let page = BodyFormat(Bytes("<html><h1>502".utf8), contentType: "application/json")
        #expect(page.note == "the Content-Type is application/json, but this looks like HTML")
        #expect(BodyFormat(Bytes("{}".utf8), contentType: "text/plain").note == nil)
    }

    private static let png: [UInt8] =
        [
            0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 2, 0x80, 0, 0, 1,
            0xE0,
        ]
    private static let jpeg: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF, 0xC0, 0, 17, 8, 0, 100, 0, 200, 3, 0, 0, 0, 0]
    private static let webP: [UInt8] =
        Array("RIFF".utf8) + [9, 9, 0, 0] + Array("WEBPVP8X".utf8) + [10, 0, 0, 0, 0, 0, 0, 0, 99, 0, 0, 49, 0, 0]

    @Test(arguments: [
        (png, "PNG image", 640, 480), (jpeg, "JPEG image", 200, 100), (webP, "WebP image", 100, 50),
        (Array("GIF89a".utf8) + [16, 0, 32, 0], "GIF image", 16, 32),
    ])
    func `images tell their size`(bytes: [UInt8], name: String, width: Int, height: Int) {
        let format = BodyFormat(Bytes(bytes), contentType: "text/plain")
        guard case .image(let image) = format.kind else {
            Issue.record("found \(format.kind.name)")
            return
        }
        #expect((image.name, image.width, image.height) == (name, width, height))
        #expect(format.note == "the Content-Type is text/plain, but this is \(name)")
        for version in Damage.versions(of: bytes) { _ = BodyFormat(Bytes(version), contentType: nil) }
    }

    @Test(
        arguments: [
            (Array("%PDF-1.7\n".utf8), "PDF document"), ([0x1F, 0x8B, 0x08, 0, 0xFF], "gzip data"),
            ([0x50, 0x4B, 3, 4, 0, 0], "ZIP archive"), ([1, 0, 2, 0xFF, 0xFE, 5], "binary"),
            (Array(repeating: 0, count: 257) + Array("ustar\0".utf8), "tar archive"),
        ] as [([UInt8], String)])
    func `other bytes are named`(bytes: [UInt8], name: String) {
        #expect(BodyFormat(Bytes(bytes), contentType: "application/octet-stream").kind.name == name)
    }

    @Test(
        arguments: [
            ("text/html; charset=ISO-8859-1", "<p>", Charset.windows1252, CharsetFinding.Source.header),
            ("application/json; charset=us-ascii", "{\"a\":\"é\"}", .utf8, .header),
            ("application/json; charset=iso-8859-1", "{\"a\":\"é\"}", .utf8, .header),
            ("text/plain; charset=US-ASCII", "é", .utf8, .header), ("text/plain; charset=ascii", "e", .utf8, .header),
            ("text/plain; charset=iso-8859-1", "é", .windows1252, .header),
            ("text/html", "<meta charset='shift_jis'>", .other("cp932"), .document),
            (nil, "<?xml version=\"1.0\" encoding=\"iso-8859-2\"?><a/>", .other("iso-8859-2"), .document),
            ("text/plain; charset=\"utf-8\"", "x", .utf8, .header),
            (nil, "größe", .utf8, .guess),
            ("text/plain; charset=utf-16", "plain ascii", .utf8, .header),
        ] as [(String?, String, Charset, CharsetFinding.Source)])
    func `the encoding is found`(type: String?, text: String, charset: Charset, source: CharsetFinding.Source) {
        let finding = BodyFormat(Bytes(text.utf8), contentType: type).charset
        #expect(finding?.charset == charset)
        #expect(finding?.source == source)
    }

    /// UTF-7 is none of the web, and what the C library makes of a mistake in it depends on the portions.
    @Test(arguments: ["klingon", "utf-7", "UTF7", "unicode-1-1-utf-7", "utf-7-imap", "csUTF7"])
    func `an encoding that nobody knows is reported`(label: String) {
        let format = BodyFormat(Bytes("größe".utf8), contentType: "text/plain; charset=\(label)")
        #expect(format.charset?.charset == .utf8)
        #expect(format.note == "the charset \"\(label)\" of the Content-Type is not known")
    }

    @Test func `bytes tell the encoding when nobody else does`() {
        let latin = BodyFormat(Bytes(Array("gr".utf8) + [0xF6, 0xDF] + Array("e of things".utf8)), contentType: nil)
        #expect(latin.charset?.charset == .windows1252)
        let wide = BodyFormat(Bytes([0x7B, 0, 0x7D, 0]), contentType: "application/json")
        #expect(wide.charset?.charset == .utf16LittleEndian)
        #expect(wide.kind == .json)
        let mark = BodyFormat(Bytes([0xFE, 0xFF, 0, 0x7B, 0, 0x7D]), contentType: "text/plain; charset=utf-8")
        #expect(mark.charset == CharsetFinding(charset: .utf16BigEndian, source: .mark, markLength: 2))
        #expect(mark.kind == .json)
    }
}
