import Foundation
import OmbiDocument
import TestSupport
import Testing

@testable import OmbiWorkspace

@Suite("Reading files of the machine")
struct PosixFileSystemTests {
    @Test(arguments: [0, 1, 4096, 65_535, 65_536, 300_000])
    func `the whole content, whatever its size`(size: Int) throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let folder = try TemporaryFolder()
        let path = folder.path + "/file"
        try Data(bytes).write(to: URL(filePath: path))
        let content = try PosixFileSystem().content(path)
        #expect(content.hasBytes(of: Bytes(bytes)))
        expectSame(Data(try PosixFileSystem().read(path)), Data(bytes))
    }

    @Test func `what has been read of a large file so far is passed on, and does not change`() throws {
        let bytes = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let folder = try TemporaryFolder()
        let path = folder.path + "/file"
        try Data(bytes).write(to: URL(filePath: path))
        var portions: [Bytes] = []
        _ = try PosixFileSystem().content(path) { portions.append($0) }
        #expect(portions.map(\.count) == [262_144, 524_288])
        for portion in portions { #expect(portion.hasBytes(of: Bytes(bytes.prefix(portion.count)))) }
        var small: [Bytes] = []
        _ = try PosixFileSystem().content(folder.file("small", "text")) { small.append($0) }
        #expect(small.isEmpty)
    }

    @Test func `a pipe is read to its end by a program that waits for it, and by no other`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/pipe"
        #expect(mkfifo(path, 0o600) == 0)
        #expect(throws: FileError(operation: "read", path: path, code: EINVAL)) { try PosixFileSystem().read(path) }
        let text = String(repeating: "0123456789", count: 20_000)
        PipedFileTests.write(text, to: path)
        #expect(try PosixFileSystem(readsPipes: true).read(path) == Array(text.utf8))
        #expect(throws: FileError(operation: "read", path: "/dev/zero", code: EINVAL)) {
            try PosixFileSystem(readsPipes: true).read("/dev/zero")
        }
    }

    @Test func `a file that is too large names the limit`() {
        #expect(
            FileError(operation: "read", path: "a", code: EFBIG).description
                == "cannot read a: it is larger than 256 MiB")
        #expect(FileError(operation: "write", path: "a", code: EFBIG).reason.contains("ulimit -f"))
    }

    #if os(Linux)
    @Test func `a file whose size the system does not know is read to its end`() throws {
        let text = String(decoding: try PosixFileSystem().read("/proc/self/status"), as: UTF8.self)
        #expect(text.hasPrefix("Name:") && text.contains("\nThreads:"))
    }
    #endif

    @Test func `a file has the same path before it exists as after`() throws {
        let folder = try TemporaryFolder()
        let link = folder.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path)
        let names = ["\(folder.path)/file", "\(link)/file", "\(folder.path)/./link//file"]
        let before = try names.map { try PosixFileSystem().resolve($0) }
        _ = try folder.file("file", "text")
        #expect(try before == names.map { try PosixFileSystem().resolve($0) } && Set(before).count == 1)
        let here = FileManager.default.currentDirectoryPath
        #expect(try PosixFileSystem().resolve("no such file") == PosixFileSystem().resolve(here) + "/no such file")
        #expect(try PosixFileSystem().resolve("/no such file") == "/no such file")
        #expect(try PosixFileSystem().resolve("no such folder/file") == "no such folder/file")
    }

    @Test func `equal content is equal, and no file is another thing than an empty one`() {
        #expect(Fingerprint(bytes: [1, 2, 3]) == Fingerprint(bytes: [1, 2, 3]))
        #expect(Fingerprint(bytes: [1, 2, 3]) != Fingerprint(bytes: [1, 2, 4]))
        #expect(Fingerprint(bytes: [1, 2]) != Fingerprint(bytes: [1, 2, 3]))
        #expect(Fingerprint(bytes: []) != .absent && Fingerprint.absent == .absent)
    }
}
