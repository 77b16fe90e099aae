import Foundation
import OmbiCore
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// A further import into a collection that was edited since the last one.
@Suite struct ImportMergeTests {
    /// An operation of a document.
    private struct Operation {
        var id: String?
        var path: String
        var summary: String
        var tag = "users"
        var limit = "1"

        var text: String {
            let id = id.map { "operationId: \($0), " } ?? ""
            return "  \(path): {get: {\(id)summary: \(summary), tags: [\(tag)], "
                + "parameters: [{name: limit, in: query, required: true, example: \(limit)}], responses: {}}}\n"
        }
    }

    private static let list = Operation(id: "list", path: "/users", summary: "List users")
    private static let one = Operation(id: "one", path: "/users/{id}", summary: "One user")
    private static let orders = Operation(path: "/orders", summary: "Orders", tag: "orders")

    private static func imported(_ operations: [Operation], host: String = "https://api.test") throws -> Imported {
        let head = "openapi: 3.0.3\ninfo: {title: Shop, version: '1'}\n"
        let servers = "servers: [{url: '\(host)', description: test}]\npaths:\n"
        let text = head + servers + operations.map(\.text).joined()
        return try Imported.joined([try Importer.read(Array(text.utf8), from: "api.yaml")])
    }

    /// Imports operations, edits the collection, and imports others into it.
    private static func merge(
        _ first: [Operation], _ second: [Operation], host: String = "https://api.test",
        edit: (inout Collection) -> Void = { _ in }
    ) throws -> (merge: ImportMerge, collection: Collection, isSame: Bool) {
        let folder = try TemporaryFolder()
        let path = folder.path + "/shop.json"
        #expect(try imported(first).write(to: path, keeping: .local))
        let loaded = CollectionFile.load(path)
        var collection = try #require(loaded.collection)
        edit(&collection)
        _ = try CollectionFile.save(collection, to: path, expecting: loaded.fingerprint)
        let before = folder.text("shop.json")
        let merge = try #require(try imported(second, host: host).merge(into: path, keeping: .local))
        let after = folder.text("shop.json")
        // The same again changes nothing.
        let again = try #require(try imported(second, host: host).merge(into: path, keeping: .local))
        #expect(!again.isChanged && again.conflicts == [] && again.dropped == merge.dropped)
        let last = folder.text("shop.json")
        #expect(last == after)
        return (merge, try #require(CollectionFile.load(path).collection), before == after)
    }

    @Test(arguments: [true, false])
    func `credentials that the local file lacks are added, and others than its own are named`(
        isSame: Bool
    ) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/shop.json"
        let imported = { (token: String, url: String) in
            let text = "GET https://a.test/\(url)\nAuthorization: Bearer \(token)\nX-Key: {{key}}\n"
            return try Imported.joined([try Importer.read(Array(text.utf8), from: "shop.http")])
        }
        let (first, second) = ("tk4Zr9QmW1xVb7Np2Ls8", "tk5Zr9QmW1xVb7Np2Ls9")
        #expect(try imported(first, "x").write(to: path, keeping: .local))
        let next = try imported(second, isSame ? "x" : "y")
        #expect(next.keptSecrets(beside: path).map(\.name) == ["token"])
        try FileManager.default.removeItem(atPath: folder.path + "/shop.local.json")
        #expect(next.keptSecrets(beside: path).isEmpty)
        if isSame {
            #expect(try !next.write(to: path, keeping: .local))
        } else {
            _ = try next.merge(into: path, keeping: .local)
        }
        #expect(next.keptSecrets(beside: path).isEmpty)
        let local = folder.text("shop.local.json") ?? ""
        #expect(local.contains(second))
    }

    private static func edit(
        _ name: String, _ change: @escaping (inout SavedRequest) -> Void
    ) -> (inout Collection) -> Void {
        { collection in
            guard let id = collection.requests.first(where: { $0.name == name })?.id else { return }
            collection.update(id, change)
        }
    }

    private static func names(_ collection: Collection) -> [String] {
        collection.requests.map { collection.path(to: $0.id).joined(separator: "/") }
    }

    @Test func `the same source changes no byte, whatever was edited`() throws {
        let all = [Self.list, Self.one, Self.orders]
        let plain = try Self.merge(all, all)
        #expect(plain.isSame && !plain.merge.isChanged && plain.merge.dropped == [])
        let rename = Self.edit("One user") { request in
            request.name = "me"
            request.query[0].value = "9"
        }
        let edited = try Self.merge(all, all) { collection in
            rename(&collection)
            collection.variables.append(Field("own", "1"))
        }
        #expect(edited.isSame && Self.names(edited.collection) == ["users/List users", "users/me", "orders/Orders"])
        let deleted = try Self.merge(all, all) { collection in
            let first = collection.requests[0].id
            _ = collection.remove(first)
        }
        #expect(deleted.isSame && Self.names(deleted.collection) == ["users/One user", "orders/Orders"])
    }

    @Test func `a change of the source arrives, and an edit of another request stays`() throws {
        var changed = Self.list
        (changed.limit, changed.summary) = ("5", "All users")
        let new = Operation(id: "new", path: "/new", summary: "New")
        let found = try Self.merge(
            [Self.list, Self.one], [changed, Self.one, new], edit: Self.edit("One user") { $0.query[0].value = "9" })
        #expect(Self.names(found.collection) == ["users/All users", "users/One user", "users/New"])
        #expect(found.collection.requests.map { $0.query[0].value } == ["5", "9", "1"])
        #expect(found.merge.changes == "1 changed, 1 added" && found.merge.conflicts == [])
    }

    @Test func `what both sides changed stays as it is here, and is named once`() throws {
        var changed = Self.list
        changed.limit = "5"
        let found = try Self.merge([Self.list], [changed], edit: Self.edit("List users") { $0.query[0].value = "9" })
        #expect(found.isSame && found.merge.conflicts == ["users › List users"])
        #expect(found.collection.requests[0].query[0].value == "9")
    }

    @Test func `what the source dropped stays, and is named`() throws {
        let found = try Self.merge([Self.list, Self.one, Self.orders], [Self.list])
        #expect(found.isSame && found.merge.dropped == ["users › One user", "orders › Orders"])
    }

    @Test func `a request that was renamed is recognized by its ID in the source, or by its path`() throws {
        var (list, orders) = (Self.list, Self.orders)
        (list.path, orders.summary) = ("/people", "All orders")
        let found = try Self.merge(
            [Self.list, Self.orders], [list, orders], edit: Self.edit("List users") { $0.name = "people" })
        // The edit and the change are of one request.
        #expect(Self.names(found.collection) == ["users/people", "orders/All orders"])
        #expect(found.merge.conflicts == [] && found.collection.requests[0].path == "/people")
    }

    @Test func `edits and changes of one request are brought together`() throws {
        var changed = Self.one
        (changed.limit, changed.summary, changed.path) = ("5", "A user", "/people/{id}")
        let edited = try Self.merge(
            [Self.one], [changed],
            edit: Self.edit("One user") { request in
                request.query.append(Field("own", "1"))
                request.tags = ["mine"]
            })
        let request = try #require(edited.collection.requests.first)
        #expect(edited.merge.conflicts == [] && edited.merge.changes == "A user changed")
        #expect(request.query == [Field("limit", "5"), Field("own", "1")] && request.tags == ["mine"])
        #expect(request.path == "/people/:id")
        let both = try Self.merge([Self.one], [changed], edit: Self.edit("One user") { $0.query[0].value = "9" })
        #expect(both.merge.conflicts == ["users › A user"] && both.merge.isChanged)
        #expect(both.collection.requests.first?.query == [Field("limit", "9")])
        #expect(both.collection.requests.first?.path == "/people/:id")
    }

    @Test func `credentials of one's own stay when the source changes`() throws {
        var changed = Self.list
        changed.limit = "5"
        let own = SavedAuthentication.bearer(BearerAuthentication(token: "{{mine}}"))
        let found = try Self.merge([Self.list], [changed], edit: Self.edit("List users") { $0.authentication = own })
        #expect(found.collection.requests.map(\.authentication) == [own] && found.merge.conflicts == [])
        #expect(found.collection.requests.map { $0.query[0].value } == ["5"])
    }

    @Test func `a new request that has the name of one's own is another one`() throws {
        let new = Operation(id: "new", path: "/new", summary: "Mine", tag: "orders")
        let mine = SavedRequest(name: "Mine", method: .get, path: "/mine")
        let found = try Self.merge([Self.list, Self.orders], [Self.list, Self.orders, new]) { collection in
            guard case .folder(let folder)? = collection.items.last else { return }
            collection.update(folder: folder.id) { $0.items.insert(.request(mine), at: 0) }
        }
        #expect(Self.names(found.collection) == ["users/List users", "orders/Mine", "orders/Orders", "orders/Mine 2"])
        #expect(found.merge.conflicts == [] && found.merge.changes == "Mine 2 added")
        #expect(found.collection.requests.map(\.path) == ["/users", "/mine", "/orders", "/new"])
    }

    @Test func `a path goes with its parameters`() throws {
        var changed = Self.one
        changed.path = "/people/{person}"
        let found = try Self.merge(
            [Self.one], [changed],
            edit: Self.edit("One user") { request in
                request.path = "/members/:id"
                request.pathParameters = [Field("id", "7")]
            })
        #expect(found.isSame && found.merge.conflicts == ["users › One user"])
        #expect(found.collection.requests.first?.pathParameters == [Field("id", "7")])
    }

    @Test func `environments are merged by their names`() throws {
        let found = try Self.merge([Self.list], [Self.list], host: "https://new.test")
        #expect(found.collection.environments.map(\.host) == ["https://new.test"] && found.merge.isChanged)
    }

    @Test func `requests of one path are told apart by their names, in whichever order they come`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/shop.json"
        let all = #"{"name": "All", "request": "https://api.test/u"}"#
        let page = { (number: Int) in #"{"name": "Page", "request": "https://api.test/u?p=\#(number)"}"# }
        let imported = { (items: String) in
            let info = #"{"name": "Shop", "schema": "https://schema.getpostman.com/collection/v2.1.0/"}"#
            let text = "{\"info\": \(info), \"item\": [\(items)]}"
            return try Imported.joined([try Importer.read(Array(text.utf8), from: "a.json")])
        }
        let first = "{\"name\": \"A\", \"item\": [\(all), \(page(1))]}, {\"name\": \"B\", \"item\": [\(all)]}"
        #expect(try imported(first).write(to: path, keeping: .local))
        let loaded = CollectionFile.load(path)
        var collection = try #require(loaded.collection)
        let own = try #require(collection.requests.first)
        collection.update(own.id) { $0.headers = [Field("X-Mine", "1")] }
        _ = try CollectionFile.save(collection, to: path, expecting: loaded.fingerprint)
        let second = "{\"name\": \"B\", \"item\": [\(all)]}, {\"name\": \"A\", \"item\": [\(page(2)), \(all)]}"
        let merge = try #require(try imported(second).merge(into: path, keeping: .local))
        #expect(merge.dropped == [] && merge.conflicts == [])
        let requests = try #require(CollectionFile.load(path).collection?.requests)
        #expect(requests.filter { !$0.headers.isEmpty }.count == 1 && requests.count == 3)
        let merged = try #require(CollectionFile.load(path).collection)
        let names = merged.requests.filter { !$0.headers.isEmpty || !$0.query.isEmpty }.map {
            merged.path(to: $0.id) + $0.query.map(\.value)
        }
        #expect(Set(names) == [["A", "All"], ["A", "Page", "2"]])
    }

    @Test func `an environment of its own is added, and nothing else is said to be gone`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/shop.json"
        #expect(try Self.imported([Self.list, Self.orders]).write(to: path, keeping: .local))
        let values = #"[{"key": "base", "value": "https://prod.test"}, {"key": "t", "value": "x9", "type": "secret"}]"#
        let text = #"{"name": "prod", "values": \#(values), "_postman_variable_scope": "environment"}"#
        let environment = try Imported.joined([try Importer.read(Array(text.utf8), from: "prod.json")])
        for isChanged in [true, false] {
            let merge = try #require(try environment.merge(into: path, keeping: .local))
            #expect(merge.isChanged == isChanged && merge.dropped == [] && merge.otherSource == nil)
        }
        let collection = try #require(CollectionFile.load(path).collection)
        #expect(collection.name == "Shop" && collection.requests.count == 2)
        #expect(collection.environments.map(\.name) == ["test", "prod"])
    }

    @Test func `another collection is not brought into that of the last import, and one that was renamed is`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/shop.json"
        let request = { (name: String) in "{\"name\": \"\(name)\", \"request\": \"https://api.test/\(name)\"}" }
        let imported = { (name: String, requests: [String]) in
            let info = "{\"name\": \"\(name)\", \"schema\": \"https://schema.getpostman.com/collection/v2.1.0/\"}"
            let text = "{\"info\": \(info), \"item\": [\(requests.map(request).joined(separator: ", "))]}"
            return try Imported.joined([try Importer.read(Array(text.utf8), from: "a.json")])
        }
        #expect(try imported("Shop", ["a", "b", "c"]).write(to: path, keeping: .local))
        let before = [folder.text("shop.json"), folder.text("shop.import.json")]
        let other = try #require(try imported("Pay", ["c", "d", "e", "f"]).merge(into: path, keeping: .local))
        #expect(other.otherSource == "Shop" && !other.isChanged)
        let after = [folder.text("shop.json"), folder.text("shop.import.json")]
        #expect(before == after)
        let renamed = try #require(try imported("Store", ["a", "b", "d"]).merge(into: path, keeping: .local))
        #expect(renamed.otherSource == nil && renamed.dropped == ["c"])
        #expect(CollectionFile.load(path).collection?.name == "Store")
    }

    @Test func `a file that no import has made is left alone`() throws {
        let folder = try TemporaryFolder()
        let text = #"{ "version": 1, "name": "c", "items": [] }"#
        let path = try folder.file("shop.json", text)
        let merge = try Self.imported([Self.list]).merge(into: path, keeping: .local)
        #expect(merge?.changes == nil && merge?.dropped == nil)
        let names = folder.names
        #expect(names == ["shop.json"])
    }

    @Test func `the record of the import is no collection, and has no key of the source in the collection`() throws {
        let folder = try TemporaryFolder()
        _ = try Self.imported([Self.list, Self.orders]).write(to: folder.path + "/shop.json", keeping: .local)
        let (collection, record) = (folder.text("shop.json") ?? "", folder.text("shop.import.json") ?? "")
        #expect(!collection.contains("\"source\""))
        #expect(record.contains("\"source\": \"list\"") && record.contains("\"source\": \"GET /orders\""))
        let found = CollectionFinder.load([folder.path]).map { $0.path.hasSuffix("/shop.json") }
        #expect(found == [true])
    }
}
