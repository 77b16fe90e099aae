import Foundation
import OmbiCore
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// Files that are written at the end of a command.
@Suite struct OutputFileTests {
    private static func store(_ bytes: Data) throws -> ResponseStore {
        let store = ResponseStore(capacity: .max, memoryLimit: 4096)
        try store.append(bytes)
        return store
    }

    @Test(arguments: [0, 1, 5000, 3 << 20]) func `what was too large for the memory replaces a file`(
        size: Int
    ) throws {
        let bytes = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let file = FileManager.default.temporaryDirectory.appending(path: "ombi-output-\(UUID())")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("before".utf8).write(to: file)
        try OutputFile.write(try Self.store(bytes), to: file.path)
        #expect(try Data(contentsOf: file) == bytes)
    }

    @Test(arguments: [("-", true), ("/dev/stderr", true), ("/dev/fd/63", true), ("./-", false)])
    func `a path names an open descriptor or a file`(path: String, isStream: Bool) {
        #expect(OutputFile.isStream(path) == isStream)
    }

    @Test func `a device is written into, and a FIFO without a reader is an error`() throws {
        try OutputFile.write(try Self.store(Data([1, 2])), to: "/dev/null")
        try OutputFile.write("text", to: "/dev/null", overwriting: false)
        let pipe = FileManager.default.temporaryDirectory.appending(path: "ombi-output-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: pipe) }
        #expect(mkfifo(pipe, 0o600) == 0)
        let error = #expect(throws: FileError.self) { try OutputFile.write("text", to: pipe, overwriting: true) }
        #expect(error?.reason == "no program reads from it; start that program first")
    }
}
