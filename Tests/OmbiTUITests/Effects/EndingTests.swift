import Dispatch
import Foundation
import OmbiCore
import OmbiDocument
import OmbiTerminal
import OmbiViewer
import OmbiWorkspace
import TestSupport
import Testing

@testable import OmbiTUI

/// What is under way when the program ends.
@MainActor
@Suite struct EndingTests {
    @Test(arguments: [false, true])
    func `a copy that no program opens any more goes`(isWritten: Bool) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let hasBeenWritten = DispatchSemaphore(value: 0)
        let outputs = OutputRunner(
            emit: { if case .viewer(_, .saving(nil)) = $0 { hasBeenWritten.signal() } }, temporaryFolder: folder,
            open: { _ in Issue.record("it was opened") })
        let size = isWritten ? 10 : 200 << 20
        let body = BodyDocument(
            Bytes([UInt8](repeating: 0x61, count: size)), contentType: "text/plain")
        outputs.run(.open(.pager, body), for: ViewerID(1))
        if isWritten {
            hasBeenWritten.wait()
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
        }
        outputs.finish()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }

    @Test func `a collection that is being saved is written to its end`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/a.json"
        let collection = OmbiWorkspace.Collection(name: String(repeating: "long ", count: 1 << 20))
        let runner = EffectRunner(display: NoDisplay(), session: { Session() })
        runner.run(.save(path: path, collection, .absent, overwriting: false))
        runner.finish()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a.json"])
        #expect(CollectionFile.load(path).collection?.name == collection.name)
    }
}

/// A terminal that nobody looks at.
private final class NoDisplay: Display {
    var size: Size { Size(columns: 80, rows: 24) }
    func show(_ surface: Surface, cursor: Point?) {}
    func suspend() {}
    func resume() {}
    func stop() -> Bool { false }
    func adapt(to background: Background?) -> Bool { false }
    func use(_ theme: ThemeChoice) {}
    func resized() {}
    func close() {}
}
