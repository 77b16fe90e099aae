import OmbiCore
import Testing

@testable import OmbiWorkspace

@Suite struct CollectionMergeTests {
    /// a, users ( list, get ), orders ( pay )
    private static let text = """
        { "version": 1, "name": "shop", "variables": { "a": "1", "b": "2" },
          "environments": [{ "name": "local", "host": "http://l" }, { "name": "live", "host": "https://h" }],
          "items": [
            { "request": "a", "path": "/a" },
            { "folder": "users", "items": [{ "request": "list", "path": "/l" }, { "request": "get", "path": "/g" }] },
            { "folder": "orders", "items": [{ "request": "pay", "path": "/p" }] }] }
        """

    private let base = read(text)

    private static func read(_ text: String) -> Collection {
        CollectionFile.read(Array(text.utf8), file: "f").collection ?? Collection(name: "unreadable")
    }

    /// Theirs as it comes from the file: with identities of its own, matched with those of the base.
    private func theirs(_ change: (inout Collection) -> Void) -> Collection {
        var copy = base
        change(&copy)
        return Self.read(copy.text).withIdentities(of: base)
    }

    private func mine(_ change: (inout Collection) -> Void) -> Collection {
        var copy = base
        change(&copy)
        return copy
    }

    private func id(_ path: String...) throws -> ItemID { try #require(base.item(atPath: path)).id }

    private func outline(_ items: [CollectionItem]) -> String {
        items.map { item in
            if case .folder(let folder) = item { "\(item.name)(\(outline(folder.items)))" } else { item.name }
        }.joined(separator: " ")
    }

    private func outline(_ collection: Collection) -> String { outline(collection.items) }

    @Test func `edits of different requests are both kept`() throws {
        let (list, get) = (try id("users", "list"), try id("users", "get"))
        let merge = mine { $0.update(list) { $0.path = "/mine" } }
            .merging(theirs { $0.update(get) { $0.path = "/theirs" } }, since: base)
        #expect(merge.conflicts.isEmpty)
        #expect(merge.collection.requests.map(\.path) == ["/a", "/mine", "/theirs", "/p"])
    }

    @Test func `what both changed is a conflict, and mine stays`() throws {
        let list = try id("users", "list")
        let theirs = theirs { $0.update(list) { $0.path = "/theirs" } }
        var merge = mine { $0.update(list) { $0.path = "/mine" } }.merging(theirs, since: base)
        #expect(merge.conflicts == [.item(list)])
        #expect(merge.collection.request(list)?.path == "/mine")
        #expect(merge.collection.name(of: .item(list)) == "users › list")
        #expect(merge.theirs.text(of: .item(list))?.contains("\"/theirs\"") == true)
        merge.collection.take(.item(list), from: merge.theirs)
        #expect(merge.collection.json == theirs.json)
        let same = mine { $0.update(list) { $0.path = "/theirs" } }.merging(theirs, since: base)
        #expect(same.conflicts.isEmpty, "the same change is none")
    }

    @Test func `requests are added at their places, and order and folders follow who moved them`() throws {
        let (a, list, get, pay) = (
            try id("a"), try id("users", "list"), try id("users", "get"), try id("orders", "pay")
        )
        let new = { (name: String) in CollectionItem.request(SavedRequest(name: name, path: "/")) }
        let merge = mine {
            $0.insert(new("mine"), .after(list))
            $0.remove(pay)
        }.merging(
            theirs {
                if let item = $0.item(get) { $0.put([item], .before(list)) }
                $0.insert(new("theirs"), .after(a))
            }, since: base)
        #expect(merge.conflicts.isEmpty)
        #expect(outline(merge.collection) == "a theirs users(get list mine) orders()")
    }

    @Test func `a moved request and a renamed folder are recognized in the file`() throws {
        let (users, list, pay) = (try id("users"), try id("users", "list"), try id("orders", "pay"))
        let orders = try id("orders")
        let moved = theirs {
            if let item = $0.remove(pay) { $0.insert(item, .into(users)) }
            $0.rename(orders, "bills")
        }
        #expect(moved.ancestors(of: pay) == [users])
        let renamed = theirs {
            $0.rename(users, "people")
            $0.rename(list, "all")
        }
        #expect(renamed.item(users)?.name == "people" && renamed.item(list)?.name == "all")
        let merge = mine { $0.update(list) { $0.path = "/mine" } }.merging(moved, since: base)
        #expect(outline(merge.collection) == "a users(list get pay) bills()")
        #expect(merge.collection.request(list)?.path == "/mine")
    }

    @Test func `deleted by one and changed by the other is a conflict, and the choice is kept`() throws {
        let (users, list) = (try id("users"), try id("users", "list"))
        let edited = { (collection: inout Collection) in
            collection.update(list) { $0.path = "/edited" }
            return
        }
        var merge = mine { $0.remove(users) }.merging(theirs(edited), since: base)
        #expect(merge.conflicts == [.item(list)] && outline(merge.collection) == "a orders(pay)")
        merge.collection.take(.item(list), from: merge.theirs)
        #expect(outline(merge.collection) == "a users(list) orders(pay)", "it comes back, in its folder")
        merge = mine(edited).merging(theirs { $0.remove(users) }, since: base)
        #expect(merge.conflicts == [.item(list)] && outline(merge.collection) == "a users(list) orders(pay)")
        merge.collection.take(.item(list), from: merge.theirs)
        #expect(outline(merge.collection) == "a orders(pay)", "it goes, with its folder")
    }

    @Test func `a folder that one side deleted stays with what the other added to it`() throws {
        let users = try id("users")
        let new = CollectionItem.request(SavedRequest(name: "new", path: "/new"))
        let added = { (collection: inout Collection) in
            collection.insert(new, .into(users))
            return
        }
        for merge in [
            mine { $0.remove(users) }.merging(theirs(added), since: base),
            mine(added).merging(theirs { $0.remove(users) }, since: base),
        ] {
            #expect(merge.conflicts.isEmpty && outline(merge.collection) == "a users(new) orders(pay)")
        }
    }

    @Test func `folders that were moved into each other come to no circle`() throws {
        let (users, orders) = (try id("users"), try id("orders"))
        func moving(_ id: ItemID, into folder: ItemID) -> (inout Collection) -> Void {
            { if let item = $0.remove(id) { $0.insert(item, .into(folder)) } }
        }
        let merge = mine(moving(users, into: orders)).merging(theirs(moving(orders, into: users)), since: base)
        #expect(outline(merge.collection) == "a orders(pay users(list get))")
    }

    @Test func `a request that both added under one name is one, and a conflict where it differs`() throws {
        let users = try id("users")
        func adding(_ path: String) -> (inout Collection) -> Void {
            { $0.insert(.request(SavedRequest(name: "new", path: path)), .into(users)) }
        }
        let same = mine(adding("/n")).merging(theirs(adding("/n")), since: base)
        #expect(same.conflicts.isEmpty && outline(same.collection) == "a users(list get new) orders(pay)")
        let other = mine(adding("/n")).merging(theirs(adding("/m")), since: base)
        let conflict = try #require(other.conflicts.first)
        #expect(other.conflicts.count == 1 && other.theirs.text(of: conflict)?.contains("\"/m\"") == true)
    }

    @Test func `environments, variables and settings are merged by their names`() throws {
        let merge = mine {
            $0.environments[0].host = "http://mine"
            $0.variables[0].value = "mine"
            $0.description = "mine"
        }.merging(
            theirs {
                $0.environments[0].host = "http://theirs"
                $0.environments.insert(Environment(name: "test", host: "http://t"), at: 1)
                $0.variables.removeLast()
                $0.name = "theirs"
                $0.description = "theirs"
            }, since: base)
        #expect(merge.conflicts == [.environment("local"), .setting(.description)])
        #expect(merge.collection.environments.map(\.name) == ["local", "test", "live"])
        #expect(merge.collection.variables.map(\.value) == ["mine"])
        #expect(merge.collection.name == "theirs")
        var resolved = merge.collection
        for part in merge.conflicts { resolved.take(part, from: merge.theirs) }
        #expect(resolved.environments[0].host == "http://theirs" && resolved.description == "theirs")
    }

    @Test func `every key of the file has its part in the merge`() {
        let apart = ["version", "variables", "environments", "items"]
        #expect(
            Set(Collection.keys) == Set(MergePart.Setting.allCases.map(\.rawValue) + apart).subtracting(["other keys"]))
    }

    @Test func `what changed is counted for a message`() throws {
        let (a, list) = (try id("a"), try id("users", "list"))
        let other = theirs {
            $0.update(list) { $0.path = "/x" }
            $0.remove(a)
            $0.insert(.request(SavedRequest(name: "new", path: "/new")), .root)
        }
        #expect(other.requestChanges(since: base) == "1 changed, 1 added, 1 deleted")
        #expect(theirs { $0.update(list) { $0.path = "/x" } }.requestChanges(since: base) == "list changed")
        #expect(theirs { $0.remove(a) }.requestChanges(since: base) == "a deleted")
        #expect(theirs { $0.name = "x" }.requestChanges(since: base) == nil)
    }
}
