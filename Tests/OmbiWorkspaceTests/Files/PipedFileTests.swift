import Foundation
import TestSupport
import Testing

@testable import OmbiWorkspace

/// Files that come in a pipe.
@Suite struct PipedFileTests {
    /// Writes to a FIFO once it has a reader.
    static func write(_ text: String, to path: String) {
        DispatchQueue.global().async {
            guard let file = fopen(path, "w") else { return }
            fputs(text, file)
            fclose(file)
        }
    }

    @Test(arguments: [
        ("-", "-", []), ("-/f/r", "-", ["f", "r"]), ("/dev/stdin", "/dev/stdin", []),
        ("/dev/stdin/f", "/dev/stdin", ["f"]),
    ])
    func `a selection names a pipe and an item of its collection`(text: String, pipe: String, path: [String]) throws {
        let split = try #require(PipedFile.split(text))
        #expect(split.pipe == pipe && split.path == path)
        #expect(PipedFile.name(of: split.pipe) == "standard input")
    }

    @Test(arguments: ["shop", "shop/f/r", "./-", "/dev/null", "/no/such/file", ""])
    func `other selections name files`(text: String) { #expect(PipedFile.split(text) == nil) }

    @Test func `the name of a collection in a pipe is in the current folder`() {
        for path in ["-", "/dev/stdin", "/dev/fd/63", "a/pipe.json"] {
            let name = PipedFile.name(of: path)
            #expect(PipedFile.isName(name) && !name.contains("/") && OverlayFile.path(for: name) == nil, "\(name)")
        }
        #expect(!PipedFile.isName("shop.json") && !PipedFile.isName("."))
    }

    @Test func `a collection in a pipe has its problems with line and column`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/pipe"
        #expect(mkfifo(path, 0o600) == 0)
        Self.write("{\"version\": 1, \"name\": \"c\", \"items\": []}", to: path)
        let loaded = CollectionFinder.loadOnce([path])
        #expect(loaded.map(\.collection?.name) == ["c"] && loaded.map(\.path) == [PipedFile.name(of: path)])
        let broken = folder.path + "/broken"
        #expect(mkfifo(broken, 0o600) == 0)
        Self.write("{\"version\": 1,\n\"name\": nope}", to: broken)
        let found = try #require(CollectionFinder.loadOnce([broken]).first)
        #expect(found.collection == nil && found.problems.first?.position?.line == 2)
        #expect(found.problems.first?.file == PipedFile.name(of: broken))
    }

    @Test func `a secret in a pipe is read once, however often it is asked for`() throws {
        let folder = try TemporaryFolder()
        #expect(mkfifo(folder.path + "/token", 0o600) == 0)
        Self.write("s3cret\n", to: folder.path + "/token")
        let reader = SecretReader.readingPipes(folder: folder.path)
        for _ in 1...3 { #expect(try reader.value(of: Secret("t", .file("token"))) == "s3cret") }
        #expect(throws: SecretError.self) {
            try SecretReader.system(folder: folder.path).value(of: Secret("t", .file("token")))
        }
    }

    @Test func `a pipe that no program writes to is given up`() throws {
        let folder = try TemporaryFolder()
        #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
        let error = #expect(throws: FileError.self) {
            try PosixFileSystem(readsPipes: true, within: 1).read(folder.path + "/pipe")
        }
        #expect(error?.reason.contains("no program writes") == true)
    }

    @Test func `a pipe is a file of this machine for the gate`() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/own", withIntermediateDirectories: true)
        #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
        #expect(Workspace.source("../pipe", folder: folder.path + "/own") != nil)
        #expect(Workspace.source("../nothing", folder: folder.path + "/own") == nil)
    }
}
