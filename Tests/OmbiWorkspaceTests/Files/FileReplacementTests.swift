import Foundation
import Testing

@testable import OmbiWorkspace

@Suite struct FileReplacementTests {
    /// Some portions, then a failure or the end.
    private static func save(_ portions: [String], failing code: Int32? = nil, to path: String) throws(FileError) {
        var left = portions[...]
        try FileReplacement.save(to: path) { () throws(FileError) in
            if let portion = left.popFirst() { return Array(portion.utf8) }
            if let code { throw FileError(operation: "write", path: path, code: code) }
            return nil
        }
    }

    @Test func `portions become one file`() throws {
        let folder = try TemporaryFolder()
        try Self.save(["one ", "two ", "three"], to: folder.path + "/a")
        #expect(folder.text("a") == "one two three")
        try Self.save([], to: folder.path + "/a")
        #expect(folder.text("a") == "" && folder.names == ["a"])
    }

    @Test func `a file that somebody made meanwhile is left alone unless told to`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a"
        for made in ["theirs", nil] {
            var portions = ["ours"]
            // The second time it is there from the beginning.
            let error = #expect(throws: FileError.self) {
                try FileReplacement.save(to: path, overwriting: false) { () throws(FileError) in
                    if let made { try Self.save([made], to: path) }
                    return portions.popLast().map { Array($0.utf8) }
                }
            }
            #expect(error?.code == FileError.isThere)
            #expect(error?.description == "cannot write \(path): it is there already")
            #expect(folder.text("a") == "theirs" && folder.names == ["a"])
        }
        var portions = ["ours"]
        try FileReplacement.save(to: folder.path + "/b", overwriting: false) { () throws(FileError) in
            portions.popLast().map { Array($0.utf8) }
        }
        #expect(folder.text("b") == "ours" && folder.names == ["a", "b"])
    }

    @Test func `what a program that is gone has left behind goes with the next save`() throws {
        let folder = try TemporaryFolder()
        // No system counts its processes so far.
        let (gone, fresh, own) = (".ombi-2000000000-1.tmp", ".ombi-2000000000-2.tmp", ".ombi-\(getpid())-3.tmp")
        let others = [".ombi-2000000000-x.tmp", ".ombi-0-4.tmp", "a.tmp"]
        for name in [gone, fresh, own] + others { _ = try folder.file(name, "") }
        let hours = timeval(tv_sec: time(nil) - 7200, tv_usec: 0)
        for name in [gone, own] + others { #expect(utimes(folder.path + "/" + name, [hours, hours]) == 0) }
        try Self.save(["new"], to: folder.path + "/a")
        #expect(Set(folder.names) == Set([fresh, own, "a"] + others))
    }

    @Test func `what stops in the middle leaves nothing of it`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("a", "old")
        let error = #expect(throws: FileError.self) { try Self.save(["half"], failing: ECANCELED, to: path) }
        #expect(error?.code == ECANCELED && error?.path == path)
        #expect(folder.text("a") == "old" && folder.names == ["a"])
    }

    @Test func `links are followed and permissions kept`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("a", "old")
        #expect(chmod(path, 0o640) == 0 && symlink(path, folder.path + "/link") == 0)
        try Self.save(["new"], to: folder.path + "/link")
        #expect(folder.text("a") == "new")
        var status = stat()
        #expect(lstat(folder.path + "/link", &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o640)
    }

    @Test func `nothing is put in the place of what is no file`() throws {
        let folder = try TemporaryFolder()
        #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
        for path in [folder.path + "/pipe", "/dev/null"] {
            let error = #expect(throws: FileError.self) { try Self.save(["x"], to: path) }
            #expect(error?.description == "cannot write \(path): it is not a regular file")
        }
        #expect(throws: FileError.self) { try Self.save(["x"], to: folder.path) }
        #expect(folder.names == ["pipe"])
    }
}
