import OmbiDocument
import Testing

@testable import OmbiViewer

/// Bodies in portions.
@Suite struct BodyWriterTests {
    private static let text = "{\"a\": [1,\n {\"b\": 2}, \"x\"]}"

    private static func document(filter path: String? = nil, _ text: String = text) -> BodyDocument {
        var document = BodyDocument(Bytes(text.utf8), contentType: "application/json")
        guard let path else { return document }
        ViewerJobs.filter(path, document, 1, CancelFlag()) {
            if case .filtered(.matches(_, let filtered, _, _), _) = $0 { document = filtered }
        }
        return document
    }

    private static func written(_ document: BodyDocument, _ form: BodyForm, portion: Int) -> String {
        var writer = BodyWriter(document, form)
        var bytes: [UInt8] = []
        while let more = writer.next(portion) { bytes += more }
        #expect(writer.written == bytes.count)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: [1, 5, 1 << 20])
    func `a body and what a filter selected are the same in portions of any size`(portion: Int) {
        #expect(Self.written(Self.document(), .raw, portion: portion) == Self.text)
        #expect(
            Self.written(Self.document(), .formatted, portion: portion)
                == "{\n  \"a\": [\n    1,\n    {\n      \"b\": 2\n    },\n    \"x\"\n  ]\n}\n")
        let matches = Self.document(filter: "$.a[*]")
        #expect(Self.written(matches, .raw, portion: portion) == "1\n{\"b\": 2}\n\"x\"\n")
        #expect(Self.written(matches, .formatted, portion: portion) == "1\n{\n  \"b\": 2\n}\n\"x\"\n")
        #expect(Self.written(Self.document(filter: "$.z"), .raw, portion: portion).isEmpty)
    }

    @Test func `what is no good JSON is written as it is`() {
        let broken = Self.document(filter: nil, "{\"a\": [1, oops")
        #expect(Self.written(broken, .formatted, portion: 4) == "{\"a\": [1, oops")
        let utf16 = BodyDocument(Bytes([0xFF, 0xFE, 0x61, 0, 0xE9, 0]), contentType: "text/plain")
        #expect(Self.written(utf16, .formatted, portion: 4) == "aé")
    }

    private static func written(_ writer: BodyWriter, portion: Int) -> String {
        var (writer, bytes) = (writer, [UInt8]())
        while let more = writer.next(portion) { bytes += more }
        #expect(writer.progress.total ?? bytes.count == bytes.count)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: [1, 5, 1 << 20])
    func `lines and digits are the same in portions of any size`(portion: Int) {
        #expect(Self.written(BodyWriter(Bytes("a\nb".utf8), endsLine: true), portion: portion) == "a\nb\n")
        #expect(Self.written(BodyWriter(.empty, endsLine: true), portion: portion) == "\n")
        let digits = "00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f\n10 ff\n"
        #expect(Self.written(BodyWriter(digitsOf: Bytes(Array(0...16) + [255])), portion: portion) == digits)
        #expect(Self.written(BodyWriter(digitsOf: .empty), portion: portion).isEmpty)
    }

    @Test func `of rows that are selected no more is made than is asked for`() {
        let bytes = Bytes(repeatElement(UInt8(ascii: "x"), count: 1 << 20))
        let rows = HexRows(bytes: bytes)
        var writer = rows.writer(from: .start, through: rows.last)
        #expect((48...51).contains(writer.next(48)?.count ?? 0))
        #expect(writer.progress.summary == "51 B of 3.1 MB", "\(writer.progress.summary)")
    }

    @Test func `it knows how far it is`() {
        var raw = BodyWriter(Self.document(), .raw)
        _ = raw.next(11)
        #expect(raw.progress.summary == "11 B of 26 B")
        var matches = BodyWriter(Self.document(filter: "$.a[*]"), .raw)
        _ = matches.next(1)
        #expect(matches.progress.summary == "1 B, 33%")
        while matches.next() != nil {}
        #expect(matches.progress.summary == "15 B, 100%")
    }
}
