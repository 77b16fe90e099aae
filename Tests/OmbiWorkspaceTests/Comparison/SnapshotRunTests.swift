import Foundation
import OmbiCore
import Testing

@testable import OmbiWorkspace

/// The files of a run's snapshots.
@Suite struct SnapshotRunTests {
    private static let text = """
        { "version": 1, "name": "Shop", "items": [
          { "request": "list", "path": "/l", "compare": { "ignore": ["$.at"] } },
          { "folder": "v1.2 Users", "items": [{ "request": "GET /users", "path": "/u" }] }] }
        """

    private let collection: Collection

    init() throws {
        collection = try #require(CollectionFile.read(Array(Self.text.utf8), file: "shop.json").collection)
    }

    private func order(_ path: String..., row: Int? = nil) throws -> RunOrder {
        guard case .request(let request)? = collection.item(atPath: path) else { throw CocoaError(.featureUnsupported) }
        var order = RunOrder(id: 1, request: request, collection: collection, environment: nil, file: "shop.json")
        order.row = row.map { DataRow(number: $0, variables: []) }
        return order
    }

    private func run(_ folder: String, _ mode: SnapshotRun.Mode = .write) throws -> SnapshotRun {
        try SnapshotRun(folder + "/snaps", mode: mode, of: ["shop.json": collection])
    }

    private static func answer(_ body: String, failure: String? = nil) -> SessionResult {
        var result = SessionResult(.response(TransportResponse(statusCode: 200, body: Data(body.utf8))))
        if let failure { result.failures.append(failure) }
        return result
    }

    @Test func `a missing snapshot is written, and the next run compares`() throws {
        let list = try order("list")
        let folder = try TemporaryFolder()
        let first = try run(folder.path)
        #expect(first.failures(of: Self.answer("{\"at\":1,\"a\":1}"), list) == [])
        #expect(first.summary().written == ["shop/list.snap"])
        #expect(folder.text("snaps/shop/list.snap") == "HTTP 200\n\n{\n  \"a\": 1,\n  \"at\": \"(ignored)\"\n}\n")
        let second = try run(folder.path)
        #expect(second.failures(of: Self.answer("{\"at\":2,\"a\":1}"), list) == [])
        #expect(
            second.failures(of: Self.answer("{\"a\":2}"), list) == [
                "differs from its snapshot shop/list.snap: $.a: 1 → 2"
            ])
        var summary = SnapshotRun.Summary()
        (summary.same, summary.differing) = (1, 1)
        #expect(second.summary() == summary)
    }

    @Test func `each row of data has a snapshot of its own`() throws {
        let folder = try TemporaryFolder()
        let run = try run(folder.path)
        for row in 1...2 {
            let order = try order("list", row: row)
            #expect(run.failures(of: Self.answer("\(row)"), order) == [])
        }
        #expect(run.summary().written == ["shop/list@1.snap", "shop/list@2.snap"] && run.summary().obsolete == [])
    }

    @Test func `a request that runs again is compared with its first response`() throws {
        let list = try order("list")
        let folder = try TemporaryFolder()
        for mode in [SnapshotRun.Mode.write, .update] {
            let run = try run(folder.path, mode)
            #expect(run.failures(of: Self.answer("1"), list) == [])
            #expect(run.failures(of: Self.answer("2"), list).count == 1)
            #expect(folder.text("snaps/shop/list.snap") == "HTTP 200\n\n1\n")
        }
    }

    @Test func `only a response that passed becomes a snapshot`() throws {
        let list = try order("list")
        let folder = try TemporaryFolder()
        for mode in [SnapshotRun.Mode.write, .update] {
            let run = try run(folder.path, mode)
            #expect(run.failures(of: Self.answer("1", failure: "no"), list) == [])
            #expect(run.failures(of: SessionResult(.cancelled), list) == [])
            #expect(run.summary() == SnapshotRun.Summary())
        }
        #expect(folder.names == [])
    }

    @Test func `in CI a missing snapshot fails, and nothing is written`() throws {
        let list = try order("list")
        let folder = try TemporaryFolder()
        let run = try run(folder.path, .check)
        #expect(
            run.failures(of: Self.answer("1"), list) == [
                "there is no snapshot shop/list.snap; --update-snapshots writes it"
            ])
        #expect(run.summary().missing == 1)
        #expect(folder.names == [])
    }

    @Test func `an update writes what differs, and nothing else`() throws {
        let list = try order("list")
        let folder = try TemporaryFolder()
        _ = try folder.file("snaps/shop/list.snap", "HTTP 200\n\n1\n")
        let user = try order("v1.2 Users", "GET /users")
        let first = try run(folder.path, .update)
        #expect(first.failures(of: Self.answer("1"), list) == [])
        #expect(first.failures(of: Self.answer("2"), user) == [])
        #expect(first.summary().same == 1 && first.summary().written == ["shop/v1-2-users/get-users.snap"])
        let second = try run(folder.path, .update)
        #expect(second.failures(of: Self.answer("3"), user) == [])
        #expect(second.summary().updated == ["shop/v1-2-users/get-users.snap"] && second.summary().written == [])
        #expect(folder.text("snaps/shop/v1-2-users/get-users.snap") == "HTTP 200\n\n3\n")
    }

    @Test func `a snapshot that no request has is reported, and stays`() throws {
        let folder = try TemporaryFolder()
        for name in ["shop/list@7.snap", "shop/old.snap", "shop/gone/x.snap", "other/y.snap", "shop/read.me"] {
            _ = try folder.file("snaps/\(name)", "HTTP 200\n\n")
        }
        let summary = try run(folder.path).summary()
        #expect(summary.obsolete == ["shop/gone/x.snap", "shop/old.snap"])
        #expect(folder.text("snaps/shop/old.snap") != nil)
    }

    @Test func `no symbolic link is followed out of the folder`() throws {
        let folder = try TemporaryFolder()
        let orders = [try order("list"), try order("v1.2 Users", "GET /users")]
        let elsewhere = try folder.file("secret", "HTTP 200\n\n1\n")
        _ = try folder.file("snaps/shop/read.me", "")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/snaps/shop/list.snap", withDestinationPath: elsewhere)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/snaps/shop/v1-2-users", withDestinationPath: folder.path)
        for mode in [SnapshotRun.Mode.write, .update, .check] {
            let run = try run(folder.path, mode)
            for order in orders {
                let failures = run.failures(of: Self.answer("2"), order)
                #expect(failures.count == 1 && failures[0].contains("symbolic link"), "\(failures)")
            }
            #expect(run.summary().hasError)
        }
        #expect(folder.text("secret") == "HTTP 200\n\n1\n")
        #expect(folder.names == ["secret", "snaps"])
    }

    @Test func `a damaged snapshot is said to be none`() throws {
        let list = try order("list")
        let folder = try TemporaryFolder()
        _ = try folder.file("snaps/shop/list.snap", "<<<<<<< HEAD")
        let failures = try run(folder.path).failures(of: Self.answer("1"), list)
        #expect(failures == ["shop/list.snap is no snapshot; --update-snapshots writes it again"])
    }

    @Test func `a file in the place of the folder, and two collections of one name, are errors at once`() throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("snaps", "")
        let path = folder.path
        #expect(throws: SnapshotRun.Failure.self) { _ = try run(path) }
        let twice = ["a.json": collection, "b.json": collection]
        #expect(throws: SnapshotRun.Failure.self) { _ = try SnapshotRun(path, mode: .write, of: twice) }
    }

    // MARK: Names

    @Test(arguments: [
        ("list users", "list-users"), ("GET /users/{{id}}", "get-users-id"), ("../../etc", "etc"), ("a--b_C", "a-b_c"),
        ("v1.2", "v1-2"), ("CON", "con"), (" - a - ", "a"),
    ]) func `a name becomes a word`(name: String, word: String) { #expect(SnapshotNames.word(name) == word) }

    @Test func `a name of which something is lost has a hash`() {
        for name in ["größe", "🙂", "", "..", String(repeating: "n", count: 300)] {
            let word = SnapshotNames.word(name)
            #expect(word.utf8.count <= 89 && word.utf8.allSatisfy { $0 < 0x80 } && !word.isEmpty, "\(word)")
            #expect(word == SnapshotNames.word(name))
        }
        #expect(SnapshotNames.word("größe") != SnapshotNames.word("grüße"))
    }

    @Test func `siblings never share a file, and neither do a folder and a request`() {
        let names = ["a", "A", "a b", "a-b", "a"].map { SavedRequest(name: $0, path: "/") }
        let inner = SavedRequest(name: "x", path: "/")
        let folders = [Folder(name: "a", items: [.request(inner)]), Folder(name: "A", items: [.request(inner)])]
        let collection = Collection(
            name: "c", items: names.map(CollectionItem.request) + folders.map(CollectionItem.folder))
        let found = names.map { SnapshotNames(collection).file(of: $0.id, row: nil) }
        #expect(found == ["c/a.snap", "c/a~2.snap", "c/a-b.snap", "c/a-b~2.snap", "c/a~3.snap"])
    }
}
