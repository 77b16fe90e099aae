import Foundation
import OmbiDocument
import OmbiTerminal
import OmbiViewer
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// Saving bodies, and copies of them for programs.
@Suite struct BodyEffectTests {
    private static func document(_ text: String) -> BodyDocument {
        BodyDocument(Bytes(text.utf8), contentType: "application/json")
    }

    @Test func `a body is saved, and no file is overwritten by accident`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "body.json").path
        #expect(try BodyFile.save(Self.document("[1]"), .raw, to: path) == Notice(.success, "Saved 3 B to \(path)"))
        let second = #expect(throws: FileError.self) {
            try BodyFile.save(Self.document("[2]"), .formatted, to: path)
        }
        #expect(second?.code == FileError.isThere)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "[1]")
        #expect(try BodyFile.save(Self.document("[2]"), .formatted, to: path, overwriting: true).kind == .success)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "[2]\n")
        let nowhere = folder.path + "/no/body"
        let failure = #expect(throws: FileError.self) { try BodyFile.save(Self.document("[2]"), .raw, to: nowhere) }
        #expect(failure?.description == "cannot write \(nowhere): there is no folder \(folder.path)/no; create it")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["body.json"])
    }

    @Test func `a save that is cancelled leaves what was there`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "body.json").path
        #expect(try BodyFile.save(Self.document("[1]"), .raw, to: path).kind == .success)
        let flag = CancelFlag()
        flag.cancel()
        #expect(
            try BodyFile.save(Self.document("[2]"), .raw, to: path, overwriting: true, flag)
                == Notice(.info, "Not saved: cancelled"))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "[1]")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["body.json"])
    }

    @Test func `a save tells how far it is, and stops in the middle`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "body").path
        let body = BodyDocument(Bytes([UInt8](repeating: 0x61, count: 5 << 20)), contentType: "text/plain")
        let flag = CancelFlag()
        var told: [String] = []
        let notice = try BodyFile.save(body, .raw, to: path, flag, every: .zero) { progress in
            told.append(progress.summary)
            #expect(!FileManager.default.fileExists(atPath: path), "no half of it is under its name")
            if told.count == 3 { flag.cancel() }
        }
        #expect(told == ["0 B of 5.2 MB", "1.0 MB of 5.2 MB", "2.1 MB of 5.2 MB"])
        #expect(notice == Notice(.info, "Not saved: cancelled"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func `a copy for a program goes away with it`() throws {
        var path = ""
        do {
            let copy = try BodyCopy.make(of: Self.document("[1]"), for: .pager, CancelFlag()) { _ in }.get()
            path = copy.path
            #expect(path.hasSuffix("/body.json"))
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "[1]\n")
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
