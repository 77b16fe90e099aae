import OmbiCore
import Testing

@testable import OmbiWorkspace

/// Words by which requests are found and chosen.
@Suite struct TagTests {
    private static let file = """
        {
          "version": 1,
          "name": "shop",
          "tags": ["api"],
          "items": [
            {
              "folder": "users",
              "tags": ["users", "smoke"],
              "items": [
                { "request": "list", "tags": ["smoke", "fast"], "path": "/users" },
                { "request": "report", "tags": ["slow"], "path": "/report" }
              ]
            },
            { "request": "health", "path": "/health" }
          ]
        }

        """

    private static func read(_ text: String) -> (collection: Collection?, problems: [Problem]) {
        CollectionFile.read(Array(text.utf8), file: "shop.json")
    }

    private static func tags(of name: String, in collection: Collection) throws -> [String] {
        let request = try #require(collection.requests.first { $0.name == name })
        return collection.tags(of: request, in: collection.folders(of: request.id) ?? [])
    }

    @Test func `a request has its own tags, those of its folders and of the collection, each once`() throws {
        let (read, problems) = Self.read(Self.file)
        let collection = try #require(read)
        #expect(problems == [])
        #expect(try Self.tags(of: "list", in: collection) == ["smoke", "fast", "users", "api"])
        #expect(try Self.tags(of: "report", in: collection) == ["slow", "users", "smoke", "api"])
        #expect(try Self.tags(of: "health", in: collection) == ["api"])
    }

    @Test func `tags are written as they were read, and left out where there are none`() throws {
        let collection = try #require(Self.read(Self.file).collection)
        let again = try #require(Self.read(collection.text).collection)
        #expect(again.text == collection.text)
        #expect(try Self.tags(of: "list", in: again) == ["smoke", "fast", "users", "api"])
        #expect(!Collection(name: "c", items: [.request(SavedRequest(name: "r", path: "/"))]).text.contains("tags"))
    }

    @Test(arguments: [
        (#""smoke""#, "expected an array"), (#"["a b"]"#, "a tag is a word"), (#"["!slow"]"#, "a tag is a word"),
        (#"[""]"#, "a tag is a word"), ("[1]", "expected a string"), (#"["a,b"]"#, "a tag is a word"),
    ]) func `a tag is a word`(tags: String, message: String) {
        let text = #"{ "version": 1, "name": "c", "items": [{ "request": "r", "path": "/", "tags": \#(tags) }] }"#
        let problems = Self.read(text).problems.map(\.description)
        #expect(problems.count == 1 && problems[0].contains(message), "\(problems)")
    }

    @Test(arguments: [
        ([], ["list", "report", "health"]), (["smoke"], ["list", "report"]), (["!slow"], ["list", "health"]),
        (["smoke", "!slow"], ["list"]), (["fast", "slow"], ["list", "report"]), (["Smoke"], []), (["!api"], []),
        (["slow", "!slow"], []),
    ]) func `a filter takes what has one of its tags, and none of those with a mark`(
        texts: [String], names: [String]
    ) throws {
        let collection = try #require(Self.read(Self.file).collection)
        let filter = try TagFilter(texts)
        let accepted = try collection.requests.map(\.name).filter {
            try filter.accepts(Self.tags(of: $0, in: collection))
        }
        #expect(accepted == names)
    }

    @Test(arguments: ["", "!", "a b", "#a"]) func `a filter refuses what is no tag`(text: String) {
        #expect(throws: FieldError.self) { try TagFilter([text]) }
    }

    @Test(arguments: [("smoke  fast", ["smoke", "fast"]), ("a, b,a", ["a", "b"]), (" ", [])])
    func `tags are typed with spaces or commas between them`(text: String, tags: [String]) throws {
        #expect(try Tag.list(text) == tags)
    }

    @Test func `tags of the collection are merged as its other settings`() throws {
        let base = try #require(Self.read(Self.file).collection)
        var theirs = base
        theirs.tags = ["api", "v2"]
        var mine = base
        mine.take(.setting(.tags), from: theirs)
        #expect(mine.tags == ["api", "v2"])
        #expect(mine.text(of: .setting(.tags))?.contains("v2") == true)
    }
}
