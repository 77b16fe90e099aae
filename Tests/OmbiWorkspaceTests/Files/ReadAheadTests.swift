import OmbiDocument
import Testing

@testable import OmbiWorkspace

@Suite("Indexing a file while it is read")
struct ReadAheadTests {
    private static let whole = Bytes(
        "[\(String(repeating: "{\"key\": \"ä\\n\", \"n\": 1.5e3}, ", count: 200))null]".utf8)

    @Test(arguments: [1, 7, 1000])
    func `wherever the portions end, the document is that of the whole`(size: Int) throws {
        let ahead = ReadAhead()
        for end in stride(from: size, to: Self.whole.count, by: size) { ahead.append(Self.whole[0..<end]) }
        let document = try ahead.document(of: Self.whole)
        let root = try #require(document.firstRoot)
        let other = try JSONDocument(checking: Self.whole)
        #expect(document.entryCount == other.entryCount && document.value(of: root) == other.value(of: root))
    }

    @Test(arguments: [0, 10, 3000, 5000])
    func `an error in any portion is the error of the whole`(place: Int) {
        var text = Self.whole.array(0..<Self.whole.count)
        text.insert(0x01, at: place)
        let bytes = Bytes(text)
        let ahead = ReadAhead()
        for end in stride(from: 500, to: bytes.count, by: 500) { ahead.append(bytes[0..<end]) }
        let wanted = #expect(throws: JSONSyntaxError.self) { try JSONDocument(checking: bytes) }
        let error = #expect(throws: JSONSyntaxError.self) { try ahead.document(of: bytes) }
        #expect(error?.description == wanted?.description)
    }

    @Test(arguments: [
        "{\"a\": yes}", "{\"a\": undefined}", "{\"a\": 1, // c\n}", "{\"a\": 1 /* c */}",
        "{\"a\": \u{201C}b\u{201D}}",
        "[\"\\é\"]", "[trueish1]", "[xxxxxxxxxxxxxxxx]", "[01]", "[1 2]", "{a: 1}", "[nul]",
    ])
    func `an error is told by what stands behind its portion, too, which is other memory then`(text: String) {
        let bytes = Bytes(text.utf8)
        let wanted = #expect(throws: JSONSyntaxError.self) { try JSONDocument(checking: bytes) }
        for end in 1..<bytes.count {
            let ahead = ReadAhead()
            ahead.append(Bytes(bytes.array(0..<end)))
            let error = #expect(throws: JSONSyntaxError.self) { try ahead.document(of: bytes) }
            #expect(error?.description == wanted?.description, "\(end) bytes first")
        }
    }

    @Test func `a large file that is cut off says so, and where`() throws {
        let folder = try TemporaryFolder()
        let items = String(repeating: "{\"request\": \"r\", \"path\": \"/\"},\n", count: 20_000)
        let path = try folder.file("c.json", "{\"version\": 1, \"name\": \"n\", \"items\": [\n\(items)")
        let loaded = CollectionFile.load(path)
        #expect(loaded.collection == nil && loaded.problems.count == 1)
        #expect(loaded.problems.first?.position?.line == 20_002)
    }
}
