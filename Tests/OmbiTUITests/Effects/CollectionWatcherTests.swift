import Dispatch
import Foundation
import OmbiCore
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// Real files in a folder of their own, changed as editors, git and others do.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct CollectionWatcherTests {
    /// A folder that is watched, and what was read in it.
    @MainActor
    private final class Workspace {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ombi-watch-\(UUID().uuidString)").path
        private let watcher: CollectionWatcher
        private let news: AsyncStream<LoadedCollection>

        init(load: @escaping @Sendable (String) -> LoadedCollection = { CollectionFile.load($0) }) throws {
            let (stream, continuation) = AsyncStream.makeStream(of: LoadedCollection.self)
            news = stream
            watcher = CollectionWatcher(
                on: BriefWork(on: DispatchQueue(label: "test")), patience: .milliseconds(1), load: load
            ) { continuation.yield($0) }
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }

        func path(_ name: String) -> String { folder + "/" + name }

        func write(_ name: String, _ collection: String, atomically: Bool = false) throws {
            let text = OmbiWorkspace.Collection(name: collection).text
            try text.write(toFile: path(name), atomically: atomically, encoding: .utf8)
        }

        func watch(_ paths: String..., open: [String] = [], since start: Int = .max) {
            watcher.watch(paths, open: open.map(path), since: start)
        }

        func watchFolders(of name: String) { watcher.watchDocuments(of: CollectionFile.load(path(name))) }

        /// Waits until a file is read for which the condition holds.
        func until(_ condition: (LoadedCollection) -> Bool) async -> LoadedCollection? {
            for await next in news where condition(next) { return next }
            return nil
        }

        func until(_ name: String, holds collection: String) async -> Bool {
            await until { $0.path == self.path(name) && $0.collection?.name == collection } != nil
        }

        func remove() {
            watcher.stop()
            try? FileManager.default.removeItem(atPath: folder)
        }
    }

    @Test func `a file is read again that was written in place, replaced, removed and made anew`() async throws {
        let workspace = try Workspace()
        defer { workspace.remove() }
        try workspace.write("a.json", "one")
        workspace.watch(open: ["a.json"])
        try workspace.write("a.json", "two")
        #expect(await workspace.until("a.json", holds: "two"))
        try workspace.write("a.json", "three", atomically: true)
        #expect(await workspace.until("a.json", holds: "three"))
        try workspace.write(".a.json.swp", "four")
        try FileManager.default.removeItem(atPath: workspace.path("a.json"))
        #expect(await workspace.until { $0.isMissing }?.path == workspace.path("a.json"))
        try FileManager.default.moveItem(atPath: workspace.path(".a.json.swp"), toPath: workspace.path("a.json"))
        #expect(await workspace.until("a.json", holds: "four"))
    }

    @Test(arguments: ["a.local.json", ".env"]) func `a file is read again when what lies beside it changes`(
        _ name: String
    ) async throws {
        let workspace = try Workspace()
        defer { workspace.remove() }
        let text = """
            { "version": 1, "name": "one", "items": [],
              "environments": [{ "name": "local", "host": "http://h", "envFile": ".env" }] }
            """
        try text.write(toFile: workspace.path("a.json"), atomically: false, encoding: .utf8)
        workspace.watch(open: ["a.json"])
        let content = name == ".env" ? "token=x" : "{ \"secrets\": { \"token\": { \"value\": \"x\" } } }"
        try content.write(toFile: workspace.path(name), atomically: true, encoding: .utf8)
        let read = await workspace.until {
            $0.collection?.environment(named: "local")?.secrets.map(\.name) == ["token"]
        }
        #expect(read?.path == workspace.path("a.json"))
    }

    @Test func `a file that is written in pieces is read when it is whole`() async throws {
        let workspace = try Workspace()
        defer { workspace.remove() }
        try workspace.write("a.json", "one")
        workspace.watch(open: ["a.json"])
        let text = Data(OmbiWorkspace.Collection(name: "two").text.utf8)
        let file = try #require(FileHandle(forWritingAtPath: workspace.path("a.json")))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: text.prefix(10))
        try file.write(contentsOf: text.dropFirst(10))
        try file.close()
        #expect(await workspace.until { _ in true }?.collection?.name == "two", "nothing is read before")
    }

    @Test func `collections that appear in an opened folder are read, and its other files are not`() async throws {
        let workspace = try Workspace()
        defer { workspace.remove() }
        workspace.watch(workspace.folder)
        try "{}".write(toFile: workspace.path("package.json"), atomically: false, encoding: .utf8)
        try "text".write(toFile: workspace.path("notes.txt"), atomically: false, encoding: .utf8)
        try workspace.write("b.json", "new")
        #expect(await workspace.until { _ in true }?.path == workspace.path("b.json"))
        try workspace.write("b.json", "newer")
        #expect(await workspace.until("b.json", holds: "newer"))
        try FileManager.default.createDirectory(
            atPath: workspace.path("collections"), withIntermediateDirectories: true)
        try workspace.write("collections/c.json", "inside")
        #expect(await workspace.until("collections/c.json", holds: "inside"))
    }

    @Test func `a collection of another tool is read again when a file in any of its folders changes`() async throws {
        let workspace = try Workspace { CollectionFile.load($0).readInPlace }
        defer { workspace.remove() }
        let make = { (name: String) in
            try FileManager.default.createDirectory(
                atPath: workspace.path(name), withIntermediateDirectories: true)
        }
        let write = { (name: String, text: String) in
            try text.write(toFile: workspace.path(name), atomically: false, encoding: .utf8)
        }
        try make("users")
        try write("bruno.json", "{\"version\": \"1\", \"name\": \"b\"}")
        try write("users/a.bru", "get {\n  url: https://a.test/a\n}\n")
        let known = try #require(CollectionFile.load(workspace.path("bruno.json")).readInPlace.fingerprint.content)
        workspace.watch(open: ["bruno.json"])
        workspace.watchFolders(of: "bruno.json")
        try write("users/a.bru", "get {\n  url: https://a.test/other\n}\n")
        let changed = await workspace.until { $0.collection?.requests.map(\.path) == ["/other"] }
        #expect(changed?.path == workspace.path("bruno.json"))
        #expect(changed?.fingerprint != Fingerprint(known))
        try make("users/new")
        try write("users/new/b.bru", "get {\n  url: https://a.test/b\n}\n")
        #expect(await workspace.until { $0.collection?.requests.count == 2 } != nil)
        try FileManager.default.removeItem(atPath: workspace.path("users/a.bru"))
        #expect(await workspace.until { $0.collection?.requests.map(\.name) == ["b"] } != nil)
    }

    @Test func `a folder that is replaced by another is watched again`() async throws {
        let workspace = try Workspace()
        defer { workspace.remove() }
        let inner = workspace.path("inner")
        try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
        try workspace.write("inner/a.json", "one")
        workspace.watch(open: ["inner/a.json"])
        try FileManager.default.moveItem(atPath: inner, toPath: workspace.path("old"))
        #expect(await workspace.until { $0.isMissing } != nil)
        try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
        try workspace.write("inner/a.json", "two")
        #expect(await workspace.until("inner/a.json", holds: "two"))
        try workspace.write("inner/a.json", "three")
        #expect(await workspace.until("inner/a.json", holds: "three"))
    }

    @Test func `the file behind a link is watched, too`() async throws {
        let workspace = try Workspace()
        defer { workspace.remove() }
        try FileManager.default.createDirectory(atPath: workspace.path("real"), withIntermediateDirectories: true)
        try workspace.write("real/shop.json", "one")
        try FileManager.default.createSymbolicLink(
            atPath: workspace.path("a.json"), withDestinationPath: "real/shop.json")
        workspace.watch(open: ["a.json"])
        try workspace.write("real/shop.json", "two", atomically: true)
        #expect(await workspace.until("a.json", holds: "two"))
    }

    @Test func `what was written between reading and watching is not missed`() async throws {
        let workspace = try Workspace()
        defer { workspace.remove() }
        let start = FileStamp.now - 1_000_000_000
        try workspace.write("a.json", "one")
        workspace.watch(open: ["a.json"], since: start)
        #expect(await workspace.until("a.json", holds: "one"))
    }

    @Test func `many changes at once are all noticed`() async throws {
        let workspace = try Workspace()
        defer { workspace.remove() }
        let names = (0..<200).map { "c\($0).json" }
        workspace.watch(workspace.folder)
        for name in names { try workspace.write(name, "one") }
        var left = Set(names.map(workspace.path))
        while !left.isEmpty, let loaded = await workspace.until({ _ in true }) { left.remove(loaded.path) }
        #expect(left.isEmpty)
    }
}
