import Testing

@testable import OmbiWorkspace

@Suite struct EditingTests {
    /// a, b ( c, d ( e ) ), f
    private let tree: Collection = {
        func request(_ name: String) -> CollectionItem { .request(SavedRequest(name: name, path: "/\(name)")) }
        let inner = CollectionItem.folder(Folder(name: "d", items: [request("e")]))
        let outer = CollectionItem.folder(Folder(name: "b", items: [request("c"), inner]))
        return Collection(name: "n", items: [request("a"), outer, request("f")])
    }()

    private func id(_ path: String...) throws -> ItemID { try #require(tree.item(atPath: path)).id }

    private func outline(_ items: [CollectionItem]) -> String {
        items.map { $0.items.isEmpty ? $0.name : "\($0.name)(\(outline($0.items)))" }.joined(separator: " ")
    }

    @Test func `items are found by path and by identity`() throws {
        #expect(outline(tree.items) == "a b(c d(e)) f")
        #expect(tree.requests.map(\.name) == ["a", "c", "e", "f"] && tree.requestCount == 4)
        #expect(tree.path(to: try id("b", "d", "e")) == ["b", "d", "e"])
        #expect(tree.request(try id("b", "d", "e"))?.path == "/e")
        #expect(tree.request(try id("b")) == nil)
        #expect(tree.item(atPath: []) == nil)
        #expect(tree.item(atPath: ["b", "x"]) == nil)
        #expect(tree.item(atPath: ["a", "c"]) == nil)
        #expect(tree.path(to: ItemID()) == [])
    }

    @Test func `a request is changed and keeps its identity`() throws {
        var changed = tree
        let id = try id("b", "d", "e")
        #expect(changed.update(id) { $0 = SavedRequest(name: "other", path: "/x") } == true)
        #expect(changed.request(id)?.path == "/x")
        #expect(outline(changed.items) == "a b(c d(other)) f")
        #expect(changed.rename(try self.id("b"), "B") == true)
        #expect(outline(changed.items) == "a B(c d(other)) f")
    }

    @Test func `items are put in everywhere`() throws {
        var changed = tree
        func item(_ name: String) -> CollectionItem { .request(SavedRequest(name: name, path: "")) }
        #expect(changed.insert(item("1"), .root) == true)
        #expect(changed.insert(item("2"), .after(try id("b", "c"))) == true)
        #expect(changed.insert(item("3"), .into(try id("b", "d"))) == true)
        #expect(outline(changed.items) == "a b(c 2 d(e 3)) f 1")
        #expect(changed.insert(item("4"), .into(try id("a"))) == false)
        #expect(changed.insert(item("4"), .after(ItemID())) == false)
        #expect(outline(changed.items) == "a b(c 2 d(e 3)) f 1")
    }

    @Test func `items are removed with all that is in them`() throws {
        var changed = tree
        #expect(changed.remove(try id("b", "d"))?.items.map(\.name) == ["e"])
        #expect(outline(changed.items) == "a b(c) f")
        #expect(changed.remove(ItemID()) == nil)
    }

    @Test func `a copy has identities and a name of its own`() throws {
        var changed = tree
        let copy = try #require(changed.duplicate(try id("b")))
        #expect(outline(changed.items) == "a b(c d(e)) b copy(c d(e)) f")
        _ = changed.duplicate(try id("b"))
        #expect(outline(changed.items) == "a b(c d(e)) b copy 2(c d(e)) b copy(c d(e)) f")
        let ids = changed.requests.map(\.id)
        #expect(Set(ids).count == ids.count)
        #expect(changed.item(copy)?.name == "b copy")
        #expect(changed.duplicate(ItemID()) == nil)
    }

    @Test func `items of the same name in the same folder take over the identities, the first of the first`() throws {
        let text = """
            {"version": 1, "name": "n", "items": [
              {"request": "a", "path": "/1"}, {"request": "a", "path": "/2"},
              {"folder": "f", "items": [{"request": "a", "path": "/3"}, {"request": "gone", "path": "/4"}]}]}
            """
        let before = try #require(CollectionFile.read(Array(text.utf8), file: "f").collection)
        let edited = text.replacing("\"gone\", \"path\": \"/4\"", with: "\"new\", \"path\": \"/5\"")
            .replacing("/2", with: "/two")
        let after = try #require(CollectionFile.read(Array(edited.utf8), file: "f").collection).withIdentities(
            of: before)
        #expect(after.text.contains("/two"))
        func ids(_ items: [CollectionItem]) -> [ItemID] { items.flatMap { [$0.id] + ids($0.items) } }
        let (old, new) = (ids(before.items), ids(after.items))
        #expect(old.count == 5 && Array(old[..<4]) == Array(new[..<4]) && old[4] != new[4])
        #expect(after.request(old[0]) == before.request(old[0]) && after.request(old[1]) != before.request(old[1]))
    }

    @Test func `a request with another name and other contents is known by a method and path of its own`() throws {
        let text = """
            {"version": 1, "name": "n", "items": [
              {"request": "a", "path": "/1"}, {"request": "b", "path": "/2"}, {"request": "c", "path": "/2"}]}
            """
        let before = try #require(CollectionFile.read(Array(text.utf8), file: "f").collection)
        let edited = text.replacing("\"a\", \"path\"", with: "\"x\", \"query\": [], \"description\": \"y\", \"path\"")
            .replacing("\"b\", \"path\"", with: "\"z\", \"description\": \"y\", \"path\"")
        let read = try #require(CollectionFile.read(Array(edited.utf8), file: "f").collection)
        let (old, new) = (before.requests.map(\.id), read.withIdentities(of: before).requests.map(\.id))
        #expect(old[0] == new[0] && old[1] != new[1] && old[2] == new[2])
    }
}
