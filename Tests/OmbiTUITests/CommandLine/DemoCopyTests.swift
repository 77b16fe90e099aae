import Foundation
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// The copy of the collection that the demo works on.
@Suite struct DemoCopyTests {
    @Test func `each start is the first, and the original stays`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ombi-\(UUID().uuidString)").path()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(
            atPath: folder + "/collections/certificates", withIntermediateDirectories: true)
        let original = folder + "/collections/demo.json"
        let text = #"{ "version": 1, "name": "demo", "items": [] }"#
        try text.write(toFile: original, atomically: true, encoding: .utf8)
        for _ in 1...2 {
            let copy = try #require(DemoCopy.make(of: original, in: folder + "/state/demo"))
            #expect(copy == folder + "/state/demo/demo.json")
            #expect(try String(contentsOfFile: copy, encoding: .utf8) == text)
            #expect(FileManager.default.fileExists(atPath: folder + "/state/demo/certificates"))
            try "{}".write(toFile: copy, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOfFile: original, encoding: .utf8) == text)
    }

    @Test func `the edits of a demo that was killed are not offered`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ombi-\(UUID().uuidString)").path()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = folder + "/demo.json"
        try Collection(name: "demo", items: []).text.write(toFile: path, atomically: true, encoding: .utf8)
        let loaded = try #require(CollectionFinder.load([path]).first)
        let killed = Drafts(folder: folder + "/drafts", process: 1, isRunning: { _ in false })
        try killed.keep(Collection(name: "edited", items: []), of: path, since: loaded.fingerprint)
        let drafts = Drafts(folder: folder + "/drafts", isRunning: { _ in false })
        #expect(drafts.draft(of: loaded) != nil)
        DemoCopy.discard(drafts, of: path)
        #expect(drafts.draft(of: loaded) == nil)
    }
}
