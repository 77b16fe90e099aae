import Testing

@testable import OmbiWorkspace

/// Tags of documents as folders.
@Suite struct OpenAPITagsTests {
    /// The names of folders and requests, each indented by its level.
    private static func outline(_ items: [CollectionItem], _ indent: String = "") -> [String] {
        items.flatMap { [indent + $0.name] + outline($0.items, indent + "  ") }
    }

    /// The outline of a document with one operation for each tag, which is its name, too.
    private static func outline(of tags: [String], _ more: String) throws -> [String] {
        let paths = tags.map { tag in
            "\"/\(tag)\": {\"get\": {\"summary\": \"a\", \"tags\": [\"\(tag)\"], \"responses\": {}}}"
        }
        let document = OpenAPISample.document(paths.joined(separator: ", "), ", " + more, version: "3.2.0")
        return outline(try OpenAPISample.imported(document).imported.collection.items)
    }

    @Test func `a tag is in the folder of its parent, which may have no request`() throws {
        let tags =
            #""tags": [{"name": "goods"}, {"name": "fruit", "parent": "goods"}, {"name": "pears", "parent": "fruit"}]"#
        #expect(
            try Self.outline(of: ["fruit", "pears"], tags) == ["goods", "  fruit", "    pears", "      a", "    a"])
    }

    @Test
    func `an operation with several tags is in the folder of the first, and names that are the same have numbers`()
        throws
    {
        let operation = { (tags: String) in
            "{\"summary\": \"same.\\nmore\", \"tags\": [\(tags)], \"responses\": {}}"
        }
        let (both, one, none) = (operation("\"x\", \"y\""), operation("\"x\""), operation(""))
        let paths =
            "\"/a\": {\"get\": \(both), \"post\": \(one)}, \"/b\": {\"get\": \(none), \"put\": \(none)}"
        let items = try OpenAPISample.imported(OpenAPISample.document(paths)).imported.collection.items
        #expect(Self.outline(items) == ["x", "  same.", "  same. 2", "same.", "same. 2"])
    }

    @Test func `parents in a circle end`() throws {
        let tags =
            #""tags": [{"name": "a", "parent": "b"}, {"name": "b", "parent": "a"}, {"name": "c", "parent": "c"}]"#
        #expect(try Self.outline(of: ["a", "c"], tags) == ["b", "  a", "    a", "c", "  a"])
    }

    @Test func `names with slashes and groups of tags nest`() throws {
        let groups = #""x-tagGroups": [{"name": "Shop", "tags": ["users/admin", "orders"]}]"#
        let outline = try Self.outline(of: ["users/admin", "orders", "users", "/"], groups)
        #expect(
            outline == [
                "Shop", "  users", "    admin", "      a", "  orders", "    a", "users", "  a", "/", "  a",
            ])
    }

    @Test func `a name with very many slashes is one folder, and a parent has its description`() throws {
        let long = Array(repeating: "x", count: 100).joined(separator: "/")
        #expect(try Self.outline(of: [long], "\"x\": 1").count == 2)
        let tags = #""tags": [{"name": "goods", "description": "all"}, {"name": "fruit", "parent": "goods"}]"#
        let paths = #""/a": {"get": {"tags": ["fruit"], "responses": {}}}"#
        let read = try OpenAPISample.imported(OpenAPISample.document(paths, ", " + tags, version: "3.2.0"))
        guard case .folder(let folder)? = read.imported.collection.items.first else {
            Issue.record("there is no folder")
            return
        }
        #expect(folder.name == "goods" && folder.settings.description == "all")
    }
}
