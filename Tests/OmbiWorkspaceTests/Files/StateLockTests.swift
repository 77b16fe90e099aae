import Foundation
import Testing

@testable import OmbiWorkspace

@Suite struct StateLockTests {
    private struct Refused: Error, Equatable {}

    private final class Folder {
        let path = FileManager.default.temporaryDirectory.appending(path: "ombi-lock-\(UUID())").path
        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    @Test func `changes of one file take turns, and each sees the one before`() throws {
        let folder = Folder()
        let path = folder.path + "/state/number"
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<25 {
                StateLock.exclusively(path) {
                    let number = (try? String(contentsOfFile: path, encoding: .utf8)).flatMap { Int($0) } ?? 0
                    try? "\(number + 1)".write(toFile: path, atomically: true, encoding: .utf8)
                }
            }
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "200")
    }

    @Test func `a change hands on its result and its error, and the next one runs`() throws {
        let folder = Folder()
        let path = folder.path + "/state/file"
        #expect(throws: Refused()) {
            try StateLock.exclusively(path) { () throws(Refused) -> Int in throw Refused() }
        }
        #expect(StateLock.exclusively(path) { 5 } == 5)
    }

    @Test(arguments: ["/dev/null/file", "/proc/ombi/file"])
    func `a change runs where no lock can be made`(path: String) {
        #expect(StateLock.exclusively(path) { true })
    }
}
