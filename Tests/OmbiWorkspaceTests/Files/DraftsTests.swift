import Foundation
import OmbiCore
import OmbiDocument
import Testing

@testable import OmbiWorkspace

@Suite("Drafts of edits that were not saved")
struct DraftsTests {
    /// As a later program sees them: the one that keeps them has ended.
    private static func drafts(in folder: String, _ fileSystem: any FileSystem = PosixFileSystem()) -> Drafts {
        Drafts(folder: folder, fileSystem: fileSystem, isRunning: { _ in false })
    }

    /// The drafts as each of several programs has them, by its number; all others have ended.
    private static func programs(in folder: String) -> (Int32) -> Drafts {
        { Drafts(folder: folder, process: $0, isRunning: { _ in false }) }
    }

    private static func text(_ name: String) -> String {
        "{\n  \"version\": 1,\n  \"name\": \"\(name)\",\n  \"items\": []\n}\n"
    }

    private static func edited(_ loaded: LoadedCollection) throws -> Collection {
        var collection = try #require(loaded.collection)
        collection.name = "edited"
        return collection
    }

    @Test func `drafts come back with the file they were made from, whichever way it is named`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("shop/orders.json", Self.text("orders"))
        let drafts = Self.drafts(in: folder.path + "/state/drafts")
        let loaded = CollectionFile.load(path)
        #expect(drafts.draft(of: loaded) == nil)
        try drafts.keep(Self.edited(loaded), of: path, since: loaded.fingerprint)
        let link = folder.path + "/link.json"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        for name in [path, link, folder.path + "/shop/../shop/orders.json"] {
            let draft = drafts.draft(of: CollectionFile.load(name))
            #expect(draft?.collection.name == "edited", "as \(name)")
            #expect(draft?.isOfThisFile == true, "as \(name)")
        }
        let other = try folder.file("orders.json", Self.text("others"))
        #expect(drafts.draft(of: CollectionFile.load(other)) == nil)
    }

    @Test func `drafts say when the file was changed since, and are nothing once it holds the same`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("orders.json", Self.text("orders"))
        let drafts = Self.drafts(in: folder.path + "/drafts")
        let loaded = CollectionFile.load(path)
        let edited = try Self.edited(loaded)
        try drafts.keep(edited, of: path, since: loaded.fingerprint)
        _ = try folder.file("orders.json", Self.text("theirs"))
        let draft = drafts.draft(of: CollectionFile.load(path))
        #expect(draft?.isOfThisFile == false && draft?.base?.name == "orders", "it knows what was edited")
        #expect(draft?.fingerprint == loaded.fingerprint)
        _ = try folder.file("orders.json", "{ broken")
        #expect(drafts.draft(of: CollectionFile.load(path)) == nil, "a file that is not open takes no edits")
        _ = try folder.file("orders.json", edited.text)
        #expect(drafts.draft(of: CollectionFile.load(path)) == nil)
    }

    @Test func `drafts of a file that was removed are those of the file once it is back, and go when it is saved`()
        throws
    {
        let folder = try TemporaryFolder()
        let path = try folder.file("orders.json", Self.text("orders"))
        let link = folder.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path)
        let drafts = Self.drafts(in: folder.path + "/drafts")
        let loaded = CollectionFile.load(link + "/orders.json")
        try FileManager.default.removeItem(atPath: path)
        try drafts.keep(Self.edited(loaded), of: loaded.path, since: loaded.fingerprint.removed)
        _ = try folder.file("orders.json", Self.text("orders"))
        let draft = drafts.draft(of: CollectionFile.load(path))
        #expect(draft?.collection.name == "edited" && draft?.isOfThisFile == true)
        _ = try folder.file("orders.json", Self.text("theirs"))
        #expect(drafts.draft(of: CollectionFile.load(path))?.base?.name == "orders")
        drafts.discardOwn(loaded.path)
        #expect(drafts.draft(of: CollectionFile.load(path)) == nil)
    }

    @Test func `drafts are for their owner alone, and go when they are discarded`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("orders.json", Self.text("orders"))
        let drafts = Self.drafts(in: folder.path + "/state/ombi/drafts")
        let loaded = CollectionFile.load(path)
        for _ in 0..<2 { try drafts.keep(Self.edited(loaded), of: path, since: loaded.fingerprint) }
        let kept = folder.path + "/state/ombi/drafts"
        let names = try FileManager.default.contentsOfDirectory(atPath: kept)
        #expect(names.count == 1)
        for (name, mode) in [(kept, 0o700), (kept + "/" + (names.first ?? ""), 0o600)] {
            #expect(try FileManager.default.attributesOfItem(atPath: name)[.posixPermissions] as? Int == mode)
        }
        drafts.discard(try #require(drafts.draft(of: loaded)))
        #expect(drafts.draft(of: loaded) == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: kept) == [])
    }

    @Test func `drafts are kept by many at once, of whom none has a folder yet`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        let collection = try #require(
            CollectionFile.load(try folder.file("orders.json", Self.text("orders"))).collection)
        for round in 0..<50 {
            let drafts = Self.drafts(in: path + "/\(round)/ombi/drafts")
            await withTaskGroup(of: FileError?.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        do throws(FileError) {
                            try drafts.keep(collection, of: path + "/\(number).json", since: .absent)
                            return nil
                        } catch { return error }
                    }
                }
                for await error in group { #expect(error == nil) }
            }
        }
    }

    @Test func `drafts of several programs go one by one`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("orders.json", Self.text("orders"))
        let loaded = CollectionFile.load(path)
        let drafts = Self.programs(in: folder.path + "/drafts")
        for process: Int32 in [7, 8] {
            var edited = try Self.edited(loaded)
            edited.name = "by \(process)"
            try drafts(process).keep(edited, of: path, since: loaded.fingerprint)
        }
        for name in ["by 7", "by 8"] {
            let draft = try #require(drafts(9).draft(of: loaded))
            #expect(draft.collection.name == name)
            drafts(9).discard(draft)
        }
        #expect(drafts(9).draft(of: loaded) == nil)
    }

    @Test func `drafts of an earlier form are read, without what was edited`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("orders.json", Self.text("orders"))
        let loaded = CollectionFile.load(path)
        let drafts = Self.drafts(in: folder.path + "/drafts")
        try drafts.keep(Self.edited(loaded), of: path, since: loaded.fingerprint)
        let file = try #require(drafts.draft(of: loaded)?.file)
        var lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        lines = [lines[0]] + (try Self.edited(loaded)).text.split(separator: "\n")
        try lines.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
        #expect(drafts.draft(of: loaded)?.collection.name == "edited")
        _ = try folder.file("orders.json", Self.text("theirs"))
        let draft = try #require(drafts.draft(of: CollectionFile.load(path)))
        #expect(draft.collection.name == "edited" && draft.base == nil && !draft.isOfThisFile)
    }

    @Test func `drafts that cannot be read are kept, say where they are wrong, and hide no others`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("orders.json", Self.text("orders"))
        let loaded = CollectionFile.load(path)
        let drafts = Self.programs(in: folder.path + "/drafts")
        try drafts(7).keep(Self.edited(loaded), of: path, since: loaded.fingerprint)
        let file = try #require(drafts(9).draft(of: loaded)?.file)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try text.replacing("\"version\":", with: "\"version\";").write(toFile: file, atomically: true, encoding: .utf8)
        var problems: [Problem] = []
        let found = drafts(9).draft(of: loaded) { problems.append($0) }
        #expect(found == nil && problems.map(\.file) == [file])
        #expect(problems.first?.position == TextPosition(line: 4, column: 12), "\(problems)")
        try drafts(8).keep(Self.edited(loaded), of: path, since: loaded.fingerprint)
        #expect(drafts(9).draft(of: loaded)?.collection.name == "edited")
        problems = []
        let taken = drafts(9).takeOver(path) {
            problems.append($0)
        } combine: {
            $0[0]
        }
        #expect(taken?.name == "edited" && problems.count == 1)
        #expect(FileManager.default.fileExists(atPath: file))
        try Data([0x7B]).write(to: URL(filePath: file))
        _ = drafts(10).draft(of: loaded) { problems.append($0) }
        #expect(problems.last == Problem(file: file, message: "this is no draft of Ombi"))
    }

    @Test func `drafts of no file are taken over together by the next program`() throws {
        let folder = try TemporaryFolder()
        let drafts = { (process: Int32, running: Set<Int32>) in
            Drafts(folder: folder.path + "/drafts", process: process, isRunning: { running.contains($0) })
        }
        func combine(_ all: [Collection]) -> Collection { Collection(name: all.map(\.name).joined(separator: "+")) }
        for process: Int32 in [6, 7, 8] {
            try drafts(process, []).keep(Collection(name: "\(process)"), of: folder.path, since: .absent)
        }
        #expect(drafts(9, [6]).takeOver(folder.path, combine: combine)?.name == "7+8")
        #expect(drafts(9, [6, 9]).takeOver(folder.path, combine: combine) == nil, "they are this program's now")
        #expect(drafts(10, [6]).takeOver(folder.path, combine: combine)?.name == "7+8", "which was killed")
        #expect(drafts(11, [6]).takeOver(folder.path + "/none", combine: combine) == nil)
    }

    @Test func `drafts are taken over by one of the programs that start at the same time`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        let drafts: @Sendable (Int32) -> Drafts = {
            Drafts(folder: path + "/drafts", process: $0, isRunning: { $0 >= 100 })
        }
        for process: Int32 in 1...5 {
            try drafts(process).keep(Collection(name: "\(process)"), of: path, since: .absent)
        }
        let taken = Lock<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { number in
            let found = drafts(100 + Int32(number)).takeOver(path) { all in
                Collection(name: all.map(\.name).joined(separator: "+"))
            }
            if let found { taken.withLock { $0.append(found.name) } }
        }
        #expect(taken.withLock { $0 } == ["1+2+3+4+5"])
    }

    @Test(arguments: 1...5)
    func `drafts that cannot be written leave nothing behind, and the one before them alone`(step: Int) throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("orders.json", Self.text("orders"))
        let loaded = CollectionFile.load(path)
        let before = try Self.edited(loaded)
        try Self.drafts(in: folder.path + "/drafts").keep(before, of: path, since: loaded.fingerprint)
        var after = before
        after.name = "edited again"
        let failing = Self.drafts(in: folder.path + "/drafts", FailingFileSystem(failing: step))
        #expect(throws: FileError.self) { try failing.keep(after, of: path, since: loaded.fingerprint) }
        #expect(Self.drafts(in: folder.path + "/drafts").draft(of: loaded)?.collection.name == "edited")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/drafts").count == 1)
    }

    @Test func `drafts are nobody else's while the program that keeps them runs`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("orders.json", Self.text("orders"))
        let loaded = CollectionFile.load(path)
        let running = Lock<Set<Int32>>([7, 8])
        func drafts(of process: Int32) -> Drafts {
            Drafts(folder: folder.path + "/drafts", process: process) { process in
                running.withLock { $0.contains(process) }
            }
        }
        for process: Int32 in [7, 8] {
            var edited = try Self.edited(loaded)
            edited.name = "by \(process)"
            try drafts(of: process).keep(edited, of: path, since: loaded.fingerprint)
        }
        #expect(drafts(of: 7).draft(of: loaded) == nil && drafts(of: 9).draft(of: loaded) == nil)
        running.withLock { $0 = [8] }
        #expect(drafts(of: 8).draft(of: loaded)?.collection.name == "by 7")
        drafts(of: 8).discard(try #require(drafts(of: 8).draft(of: loaded)))
        #expect(drafts(of: 8).draft(of: loaded) == nil)
        running.withLock { $0 = [] }
        #expect(drafts(of: 9).draft(of: loaded)?.collection.name == "by 8", "its own was left alone")
        drafts(of: 8).discardOwn(path)
        #expect(drafts(of: 9).draft(of: loaded) == nil)
    }

    @Test func `drafts are those of a program that was killed, by the numbers of this machine`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("orders.json", Self.text("orders"))
        let loaded = CollectionFile.load(path)
        try Drafts(folder: folder.path).keep(Self.edited(loaded), of: path, since: loaded.fingerprint)
        #expect(Drafts(folder: folder.path).draft(of: loaded) == nil, "this process runs")
        // No process has this number: it is above what Linux and macOS give.
        try Drafts(folder: folder.path, process: 0x7FFF_FFF0)
            .keep(Self.edited(loaded), of: path, since: loaded.fingerprint)
        #expect(Drafts(folder: folder.path).draft(of: loaded) != nil)
    }

    @Test func `drafts of a program that runs are not offered, and name it to the others`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("orders.json", Self.text("orders"))
        let drafts = { (process: Int32) in
            Drafts(folder: folder.path + "/drafts", process: process, isRunning: { $0 == 7 })
        }
        let loaded = CollectionFile.load(path)
        #expect(drafts(8).editor(of: path) == nil)
        try drafts(7).keep(Self.edited(loaded), of: path, since: loaded.fingerprint)
        #expect(drafts(8).editor(of: path) == 7)
        #expect(drafts(8).draft(of: loaded) == nil)
        #expect(drafts(7).editor(of: path) == nil, "its own edits are no news")
        try drafts(9).keep(Self.edited(loaded), of: path, since: loaded.fingerprint)
        drafts(7).discardOwn(path)
        #expect(drafts(8).editor(of: path) == nil)
        #expect(drafts(8).draft(of: loaded) != nil, "process 9 has ended")
    }

    @Test func `drafts of a program that was killed are offered before anybody has waited for it`() throws {
        #expect(ProcessState.isRunning(getpid()))
        let process = try Self.zombie()
        defer { waitpid(process, nil, 0) }
        #expect(kill(process, 0) == 0, "the system still knows it")
        #if os(Linux)
        #expect(!ProcessState.isRunning(process))
        #endif
    }

    /// A child that has ended, and that nobody has waited for.
    private static func zombie() throws -> Int32 {
        var process: pid_t = 0
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
        defer { free(arguments[0]) }
        try #require(posix_spawnp(&process, "true", nil, nil, &arguments, nil) == 0)
        var end = siginfo_t()
        #expect(waitid(P_PID, id_t(process), &end, WEXITED | WNOWAIT) == 0)
        return process
    }
}
