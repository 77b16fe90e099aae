import Foundation
import Testing

@testable import OmbiWorkspace

/// A folder that goes away with the test.
struct TemporaryFolder: ~Copyable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "ombi-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String, _ text: String) throws -> String {
        let file = path + "/" + name
        try FileManager.default.createDirectory(
            atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: file))
        return file
    }

    func text(_ name: String) -> String? { try? String(contentsOfFile: path + "/" + name, encoding: .utf8) }

    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? [] }
}

/// The real file system, up to a step: that one fails, and then either everything goes on or the process is as dead.
final class FailingFileSystem: FileSystem, @unchecked Sendable {
    // Used by one test on one thread.
    private let real = PosixFileSystem()
    private(set) var steps: [String] = []
    private let failing: Int
    private let code: Int32
    private let isKilled: Bool

    init(failing: Int, code: Int32 = ENOSPC, isKilled: Bool = false) {
        self.failing = failing
        self.code = code
        self.isKilled = isKilled
    }

    /// Whether this step happens.
    private func step(_ name: String) -> Bool {
        steps.append(name)
        return isKilled ? steps.count < failing : steps.count != failing
    }

    private func check(_ name: String, _ path: String) throws(FileError) {
        if !step(name) { throw FileError(operation: "write", path: path, code: code) }
    }

    func read(_ path: String) throws(FileError) -> [UInt8] {
        try check("read", path)
        return try real.read(path)
    }

    func names(in folder: String) throws(FileError) -> [String] { try real.names(in: folder) }
    func isFolder(_ path: String) -> Bool { real.isFolder(path) }
    func isLink(_ path: String) -> Bool { real.isLink(path) }
    func size(_ path: String) -> Int { real.size(path) }

    func makeFolder(_ path: String) throws(FileError) {
        try check("makeFolder", path)
        try real.makeFolder(path)
    }

    func resolve(_ path: String) throws(FileError) -> String {
        try check("resolve", path)
        return try real.resolve(path)
    }

    func modeForReplacing(_ path: String) throws(FileError) -> UInt32? {
        try check("mode", path)
        return try real.modeForReplacing(path)
    }

    func create(_ path: String, mode: UInt32?, _ next: () throws(FileError) -> [UInt8]?) throws(FileError) {
        guard step("create") else {
            // A disk that is full, or a process that dies, leaves a part of the new file.
            var part = try next().map { Array($0.prefix($0.count / 2)) }
            try real.create(path, mode: mode) { () throws(FileError) in part.take() }
            throw FileError(operation: "write", path: path, code: code)
        }
        try real.create(path, mode: mode, next)
    }

    func rename(_ path: String, to target: String) throws(FileError) {
        try check("rename", path)
        try real.rename(path, to: target)
    }

    func renameWithoutReplacing(_ path: String, to target: String) throws(FileError) {
        try check("rename", path)
        try real.renameWithoutReplacing(path, to: target)
    }

    func synchronize(folder: String) { if step("synchronize") { real.synchronize(folder: folder) } }
    func remove(_ path: String) { if step("remove") { real.remove(path) } }
    func removeLeftovers(in folder: String, of process: (String) -> Int32?) {
        real.removeLeftovers(in: folder, of: process)
    }
}

@Suite struct SaveTests {
    private let old = "{ \"version\": 1, \"name\": \"old\", \"items\": [] }"
    private let new = "{ \"version\": 1, \"name\": \"new\", \"items\": [] }"

    private func loaded(_ file: String) throws -> (Collection, Fingerprint) {
        let loaded = CollectionFile.load(file)
        var collection = try #require(loaded.collection)
        collection.name = "new"
        return (collection, loaded.fingerprint)
    }

    @Test func `a save replaces the file and nothing else`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.json", old)
        let (collection, fingerprint) = try loaded(file)
        let next = try CollectionFile.save(collection, to: file, expecting: fingerprint)
        #expect(folder.text("a.json") == new)
        #expect(folder.names == ["a.json"])
        var again = collection
        again.name = "newer"
        _ = try CollectionFile.save(again, to: file, expecting: next)
        #expect(CollectionFile.load(file).collection?.name == "newer")
    }

    @Test func `what could not be read again is not written`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.json", old)
        let loaded = CollectionFile.load(file)
        var collection = try #require(loaded.collection)
        collection.items.append(.request(SavedRequest(name: "r", method: .get, path: "/", query: [Field("", "z")])))
        let error = #expect(throws: SaveError.self) {
            try CollectionFile.save(collection, to: file, expecting: loaded.fingerprint)
        }
        #expect(error?.description.contains("could not be read again: \"name\": the name is empty, on line") == true)
        #expect(folder.text("a.json") == old)
    }

    @Test func `a new file is made`() throws {
        let folder = try TemporaryFolder()
        _ = try CollectionFile.save(Collection(name: "n"), to: folder.path + "/n.json", expecting: .absent)
        #expect(
            folder.text("n.json")
                == "{\n  \"$schema\": \"./ombi.schema.json\",\n  \"version\": 1,\n  \"name\": \"n\",\n  \"items\": []\n}\n"
        )
    }

    @Test func `permissions are kept and a link is followed`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("sub/real.json", old)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/link.json", withDestinationPath: "sub/real.json")
        let (collection, fingerprint) = try loaded(folder.path + "/link.json")
        _ = try CollectionFile.save(collection, to: folder.path + "/link.json", expecting: fingerprint)
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: folder.path + "/link.json") == "sub/real.json")
        #expect(folder.text("sub/real.json") == new)
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o640)
    }

    @Test func `what somebody else wrote is not overwritten unless told to`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.json", old)
        let (collection, fingerprint) = try loaded(file)
        let theirs = old + " "
        _ = try folder.file("a.json", theirs)
        let error = #expect(throws: SaveError.self) {
            try CollectionFile.save(collection, to: file, expecting: fingerprint)
        }
        #expect(error == .changedOnDisk(file))
        #expect(folder.text("a.json") == theirs)
        _ = try CollectionFile.save(collection, to: file, expecting: fingerprint, overwriting: true)
        #expect(folder.text("a.json") == new)
    }

    @Test func `a file that appeared or went away is somebody else's doing`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.json", old)
        let (collection, fingerprint) = try loaded(file)
        #expect(throws: SaveError.changedOnDisk(file)) {
            try CollectionFile.save(collection, to: file, expecting: .absent)
        }
        try FileManager.default.removeItem(atPath: file)
        #expect(throws: SaveError.removedOnDisk(file)) {
            try CollectionFile.save(collection, to: file, expecting: fingerprint)
        }
        #expect(folder.names == [])
    }

    @Test(arguments: 1...5)
    func `a step that fails leaves the old file and nothing beside it`(step: Int) throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.json", old)
        let (collection, fingerprint) = try loaded(file)
        let fileSystem = FailingFileSystem(failing: step)
        let error = #expect(throws: SaveError.self) {
            try CollectionFile.save(collection, to: file, expecting: fingerprint, fileSystem: fileSystem)
        }
        #expect(
            error?.description
                == "cannot write \(file): no space left; free some and try again; nothing was changed on disk")
        #expect(folder.text("a.json") == old)
        #expect(folder.names == ["a.json"])
    }

    @Test(arguments: 1...7)
    func `a process killed at any step leaves the old file or the new one`(step: Int) throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.json", old)
        let (collection, fingerprint) = try loaded(file)
        let fileSystem = FailingFileSystem(failing: step, isKilled: true)
        _ = try? CollectionFile.save(collection, to: file, expecting: fingerprint, fileSystem: fileSystem)
        #expect(folder.text("a.json") == (step <= 5 ? old : new))
        #expect(CollectionFinder.load([folder.path]).map(\.path) == [file])
    }

    @Test func `the steps of a save are known`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.json", old)
        let (collection, fingerprint) = try loaded(file)
        let fileSystem = FailingFileSystem(failing: 0)
        _ = try CollectionFile.save(collection, to: file, expecting: fingerprint, fileSystem: fileSystem)
        #expect(fileSystem.steps == ["resolve", "read", "mode", "create", "rename", "synchronize"])
    }

    @Test func `a folder that is not there or in the way is told`() throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("sub/a.json", old)
        for (path, message) in [
            ("\(folder.path)/none/a.json", "there is no folder \(folder.path)/none; create it"),
            ("\(folder.path)/sub", "it is a folder, not a file"),
            ("\(folder.path)/sub/a.json/b.json", "a part of the path is a file, not a folder"),
        ] {
            let error = #expect(throws: SaveError.self) {
                try CollectionFile.save(Collection(name: "n"), to: path, expecting: .absent, overwriting: true)
            }
            #expect(error?.description == "cannot write \(path): \(message); nothing was changed on disk")
        }
    }

    @Test func `a link to nowhere is not replaced`() throws {
        let folder = try TemporaryFolder()
        let link = folder.path + "/link.json"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "none.json")
        #expect(throws: SaveError.self) {
            try CollectionFile.save(Collection(name: "n"), to: link, expecting: .absent)
        }
        #expect(folder.names == ["link.json"])
    }
}
