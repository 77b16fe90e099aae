import OmbiDocument
import TestSupport
import Testing

@testable import OmbiWorkspace

/// Parts of a form as rows, and in the file.
@Suite struct MultipartPartTests {
    @Test(arguments: [
        ("@./ada.png", MultipartPart("f", .file("./ada.png"))),
        ("@./ada.png;type=image/png", MultipartPart("f", .file("./ada.png"), contentType: "image/png")),
        (
            "@a.csv;type=text/csv; charset=utf-8;filename=b.csv",
            MultipartPart("f", .file("a.csv"), contentType: "text/csv; charset=utf-8", fileName: "b.csv")
        ),
        ("@\"a;b.png\"", MultipartPart("f", .file("a;b.png"))),
        ("plain; text", MultipartPart("f", .text("plain; text"))),
        ("\\@ada", MultipartPart("f", .text("@ada"))),
        ("\\\\@ada", MultipartPart("f", .text("\\@ada"))),
        ("\\a", MultipartPart("f", .text("\\a"))),
        ("@", MultipartPart("f", .file(""))),
    ]) func `a row is text, or a file behind an at sign`(row: String, part: MultipartPart) {
        #expect(MultipartPart(row: Field("f", row)) == part)
        #expect(part.row.value == row)
    }

    @Test func `what a row does not show is kept with it`() {
        var part = MultipartPart("f", .text("a"), contentType: "text/csv", fileName: "a.csv", enabled: false)
        part.unknown.entries.append(.init(previousKey: nil, member: .init("x", .null)))
        #expect(MultipartPart(row: part.row) == part)
    }

    /// Any texts and files of awkward characters.
    @Test func `a part is read from its row and from the file`() throws {
        var random = SeededRandom(seed: 7)
        let pieces = ["@", "\\", ";", "\"", "type=", "filename=", "a", " ", "=", "é", "{{x}}", ","]
        func text() -> String {
            (0..<random.next() % 6).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
        }
        for _ in 0..<2000 {
            let path = "p" + text()
            let isFile = Bool.random(using: &random)
            let type = Bool.random(using: &random) ? "text/\(isFile ? "x" : text())" : nil
            let part = MultipartPart(
                "n" + text(), isFile ? .file(path) : .text(text()), contentType: type,
                fileName: Bool.random(using: &random) ? "f" + text() : nil, enabled: .random(using: &random))
            #expect(MultipartPart(row: part.row) == part, "\(part.row.value)")
            let body = SavedBody.multipart(MultipartContent([part]))
            let collection = Collection(name: "c", items: [.request(SavedRequest(name: "r", path: "/", body: body))])
            let read = CollectionFile.read(Array(collection.text.utf8), file: "c.json")
            #expect(read.collection?.requests.first?.body == body, "\(read.problems)")
        }
    }

    @Test(arguments: [
        ("{\"name\": \"a\"}", "a part has a \"value\" or a \"file\", found neither"),
        ("{\"name\": \"a\", \"value\": \"\", \"file\": \"x\"}", "a part has a \"value\" or a \"file\", not both"),
        ("{\"name\": \"a\", \"file\": \"\"}", "\"file\": no file is named"),
        ("{\"value\": \"a\"}", "missing key \"name\""),
    ]) func `an invalid part is named`(part: String, message: String) {
        let text = """
            {"version": 1, "name": "c", "items": [
              {"request": "r", "path": "/", "body": {"multipart": [\(part)]}}]}
            """
        #expect(CollectionFile.read(Array(text.utf8), file: "c").problems.map(\.message) == [message])
    }
}
