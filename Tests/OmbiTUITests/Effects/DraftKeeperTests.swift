import Dispatch
import Foundation
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// Drafts while the program runs.
@MainActor
@Suite struct DraftKeeperTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    private let writing = DispatchGroup()

    /// What another program would be offered.
    private var offered: String? {
        writing.wait()
        return drafts.draft(of: CollectionFile.load(path))?.collection.name
    }
    private var drafts: Drafts { Drafts(folder: folder + "/drafts", isRunning: { _ in false }) }
    private var path: String { folder + "/a.json" }

    private func keeper() throws -> DraftKeeper {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Collection(name: "a").text.write(toFile: path, atomically: true, encoding: .utf8)
        return DraftKeeper(drafts, on: DispatchQueue(label: "test"), writing: writing, interval: .milliseconds(1))
    }

    private func unsaved(_ name: String) -> UnsavedFile {
        UnsavedFile(
            path: path, collection: Collection(name: name), fingerprint: CollectionFile.load(path).fingerprint)
    }

    @Test func `an edit is kept, the next in its place, and none once it is saved or undone`() throws {
        let keeper = try keeper()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        keeper.update([unsaved("one")])
        #expect(offered == "one")
        keeper.update([unsaved("two")])
        #expect(offered == "two")
        keeper.update([])
        #expect(offered == nil)
    }

    @Test func `it goes at the end, unless it is for the next start`() throws {
        let keeper = try keeper()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        keeper.update([unsaved("one")])
        keeper.end()
        #expect(offered == nil)
        keeper.update([unsaved("two")])
        keeper.keepForGood(unsaved("three"))
        keeper.end()
        #expect(offered == "three")
    }

    @Test func `edits that are restored get a draft of their own in place of the one that was left`() throws {
        let keeper = try keeper()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let left = Drafts(folder: folder + "/drafts", process: 0x7FFF_FFF0)
        try left.keep(Collection(name: "left"), of: path, since: CollectionFile.load(path).fingerprint)
        let draft = try #require(drafts.draft(of: CollectionFile.load(path)))
        keeper.replace(draft.file, by: unsaved("restored"))
        #expect(offered == "restored")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/drafts").count == 1)
        keeper.update([])
        #expect(offered == nil, "they are undone")
    }

    @Test(.timeLimit(.minutes(10))) func `what is edited is looked at once a while, however much is typed`()
        async throws
    {
        let keeper = try keeper()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var looks = 0
        await withCheckedContinuation { continuation in
            for _ in 0..<100 {
                keeper.keep(isEdited: true) {
                    looks += 1
                    continuation.resume()
                    return [self.unsaved("typed")]
                }
            }
        }
        #expect(offered == "typed" && looks == 1)
        keeper.update([])
        keeper.keep(isEdited: false) {
            Issue.record("with nothing to do it wakes up")
            return []
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(20)) { continuation.resume() }
        }
    }
}
