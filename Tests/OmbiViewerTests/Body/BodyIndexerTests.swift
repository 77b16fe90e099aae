import OmbiDocument
import Testing

@testable import OmbiViewer

@Suite struct BodyIndexerTests {
    @Test(arguments: [
        ("[[[[1]]]]", "application/json", "JSON nested deeper than 3 levels"),
        ("<a><b><c><d>\n</d></c></b></a>", "application/xml", "XML nested deeper than 3 levels"),
    ])
    func `what is nested too deep is shown as text, with the reason`(body: String, type: String, reason: String) {
        let bytes = Bytes(body.utf8)
        for portion in [1, 1000] {
            let indexer = BodyIndexer(contentType: type, limits: IndexLimits(depth: 3))
            var document = BodyDocument.empty
            repeat {
                document = indexer.read(bytes, isComplete: true, budget: portion)
            } while indexer.left(of: bytes) > 0
            guard case .text(nil) = document.shape else {
                Issue.record("shown as \(document.shape)")
                return
            }
            #expect(document.note == "shown as text: this is \(reason)")
            #expect(document.isComplete)
        }
    }

    private static func text(_ bytes: Bytes) -> String { bytes.text(0..<bytes.count) }

    /// What each row of JSON that is laid out says.
    private static func rows(_ document: BodyDocument) -> [String] {
        guard case .json(let tree) = document.shape else { return [] }
        let rows = JSONRows(tree, bytes: document.text, columns: 12)
        var position = rows.aligned(.start)
        var texts: [String] = []
        while true {
            let spans = rows.spans(at: position, skipping: 0, columns: 80, finder: nil)
            texts.append((rows.label(at: position) ?? "") + " " + spans.map(\.text).joined())
            guard position < rows.last else { return texts }
            position = rows.position(position, movedBy: 1)
        }
    }

    @Test func `a body is the same whether it is read at once or in pieces`() {
        let text = "[" + (0..<2000).map { "{\"n\": \($0), \"s\": \"é\"}" }.joined(separator: ",\n") + "]"
        let bytes = Bytes(text.utf8)
        let indexer = BodyIndexer(contentType: "application/json")
        var document = indexer.read(bytes, isComplete: true, budget: 100)
        #expect(!document.isComplete)
        while indexer.left(of: bytes) > 0 { document = indexer.read(bytes, isComplete: true, budget: 777) }
        let whole = BodyDocument(bytes, contentType: "application/json")
        #expect(document == whole)
        #expect(Self.rows(document) == Self.rows(whole))
        #expect(Self.rows(whole).count > 2000)
        #expect(document.json?.entryCount == whole.json?.entryCount)
        #expect(document.lines.lineCount(in: document.text) == 2000)
    }

    @Test func `a text in another encoding is indexed while it arrives`() {
        let text = "[" + (0..<10_000).map { "{\"n\": \($0), \"s\": \"é\"}" }.joined(separator: ",\n") + "]"
        let bytes = Bytes([0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
        let indexer = BodyIndexer(contentType: "application/json")
        var counts: [Int] = []
        var bases: Set<UnsafePointer<UInt8>> = []
        while indexer.left(of: bytes) > 0 {
            let document = indexer.read(bytes, isComplete: true, budget: 77_777)
            counts.append(document.json?.entryCount ?? 0)
            bases.insert(document.text.base)
        }
        #expect(counts.count > 4)
        #expect(zip(counts, counts.dropFirst()).allSatisfy { $0 < $1 }, "\(counts)")
        #expect(counts.last == 40_002)
        #expect(bases.count == 1, "the text does not move")
    }

    @Test func `a text in an encoding that nobody knows is shown as UTF-8`() {
        let document = BodyDocument(Bytes("größe".utf8), contentType: "text/plain; charset=klingon")
        #expect(Self.text(document.text) == "größe")
        #expect(document.note == "the charset \"klingon\" of the Content-Type is not known")
    }

    @Test func `markup is indexed while it arrives`() throws {
        let text = "<feed>\n" + (0..<2000).map { "<item><n>\($0)</n>\n</item>\n" }.joined() + "</feed>"
        let bytes = Bytes(text.utf8)
        let indexer = BodyIndexer(contentType: "application/xml")
        guard case .markup(let early) = indexer.read(bytes, isComplete: true, budget: 20_000).shape,
            case .markup(let index) = indexer.read(bytes, isComplete: true, budget: .max).shape
        else {
            Issue.record("it is not shown as markup")
            return
        }
        #expect(early.rows.count > 1500)
        #expect(index.rows.count == 6002)
        #expect(index.problem == nil)
    }

    @Test func `a text in another encoding is decoded and its encoding told`() {
        let bytes: [UInt8] = [0xFF, 0xFE] + "[\"é\"]".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let document = BodyDocument(Bytes(bytes), contentType: nil)
        #expect(document.kind == .json)
        #expect(Self.text(document.text) == "[\"é\"]")
        #expect(document.note?.contains("UTF-16") == true, "\(document.note ?? "no note")")
    }
}
