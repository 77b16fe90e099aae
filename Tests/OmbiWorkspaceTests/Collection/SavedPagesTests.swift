import OmbiCore
import Testing

@testable import OmbiWorkspace

/// The way to the next page in collection files, and as lines of text.
@Suite struct SavedPagesTests {
    private static func read(_ pages: String) -> (SavedRequest?, [String]) {
        let text = """
            { "version": 1, "name": "c", "items": [{ "request": "r", "path": "/", "pages": \(pages) }] }
            """
        let read = CollectionFile.read(Array(text.utf8), file: "c.json")
        guard case .request(let request)? = read.collection?.items.first else {
            return (nil, read.problems.map(\.description))
        }
        return (request, read.problems.map(\.description))
    }

    @Test(
        arguments: [
            (#"{"link":"next"}"#, SavedPages(.link("next"))),
            (#"{"path":"$.next","maximum":3,"x-1":1}"#, SavedPages(.url(path: "$.next"), maximum: 3)),
            (
                #"{"path":"$.cursor","parameter":"after","items":"$.items"}"#,
                SavedPages(.token(path: "$.cursor", parameter: "after"), items: "$.items")
            ),
            (
                #"{"parameter":"offset","start":0,"step":20,"total":"$.total"}"#,
                SavedPages(.count(parameter: "offset", start: 0, step: 20), total: "$.total")
            ),
        ])
    func `each way to the next page is read and written`(text: String, pages: SavedPages) throws {
        let (request, problems) = Self.read(text)
        var read = try #require(request?.pages)
        #expect(problems == [])
        #expect(request?.json.compact.contains("\"pages\":" + text) ?? false, "\(request?.json.compact ?? "")")
        read.unknown = UnknownMembers()
        #expect(read == pages)
    }

    @Test(
        arguments: [
            (#"{}"#, "\"link\", \"path\" or \"parameter\""),
            (#"{"link":"next","path":"$.next"}"#, "say how the next one is found"),
            (#"{"link":"a b"}"#, "a relation is one word"),
            (#"{"path":"next"}"#, "is no JSONPath"),
            (#"{"parameter":"page"}"#, "pages that are counted need an end"),
            (#"{"parameter":"page","items":"$","step":0}"#, "a whole number from 1"),
            (#"{"link":"next","maximum":0}"#, "a whole number from 1 to 10000"),
            (#"{"link":"next","maximun":3}"#, "did you mean \"maximum\""),
        ])
    func `what cannot work is a problem with what to write`(text: String, problem: String) {
        let (_, problems) = Self.read(text)
        #expect(problems.contains { $0.contains(problem) }, "\(problems)")
    }

    @Test(
        arguments: [
            "link next", "link more", "$.next", "$['next page']", "$.cursor in after", "parameter page",
            "parameter offset from 0 by 20",
        ])
    func `a way is one line of text, in both directions`(text: String) throws {
        #expect(try SavedPages.Next(text).text == text)
    }

    @Test(arguments: ["", "next", "$.", "$.a in", "parameter", "parameter a from", "parameter a from x", "link a b"])
    func `other lines are refused`(text: String) {
        #expect(throws: FieldError.self) { try SavedPages.Next(text) }
    }

    @Test func `fields change the pages, and an empty next page removes them`() throws {
        var pages: SavedPages?
        let fields = Dictionary(uniqueKeysWithValues: SavedPages.fields.map { ($0.label, $0) })
        #expect(throws: FieldError.self) { try fields["maximum pages"]?.write(&pages, "3") }
        try fields["next page"]?.write(&pages, "parameter page")
        #expect(pages == SavedPages(.count(parameter: "page", start: 1, step: 1), items: "$"))
        #expect(throws: FieldError.self) { try fields["page items"]?.write(&pages, "") }
        try fields["page total"]?.write(&pages, "$.total")
        try fields["page items"]?.write(&pages, "")
        try fields["maximum pages"]?.write(&pages, "3")
        #expect(pages?.summary == "parameter page, at most 3")
        try fields["next page"]?.write(&pages, "")
        #expect(pages == nil)
    }
}
