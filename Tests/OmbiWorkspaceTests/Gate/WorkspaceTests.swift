import Foundation
import Testing

@testable import OmbiWorkspace

@Suite struct WorkspaceTests {
    private let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
        .appending(path: "workspace-" + UUID().uuidString).path

    @Test func `a workspace is the nearest repository, or else the folder of the file`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder + "/repo/.git", withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: folder + "/repo/api/v1", withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: folder + "/plain/api", withIntermediateDirectories: true)
        let real = try #require(Workspace.real(folder))
        #expect(Workspace.root(of: folder + "/repo/api/v1") == real + "/repo")
        #expect(Workspace.root(of: folder + "/repo/api/v1/../..") == real + "/repo")
        #expect(Workspace.root(of: folder + "/plain/api") == real + "/plain/api")
        #expect(Workspace.root(of: folder + "/none") == nil)
    }

    @Test func `neither the root nor a home folder nor what is hidden below one is a workspace`() throws {
        #expect(Workspace.root(of: "/") == nil)
        let home = try #require(Workspace.home)
        #expect(Workspace.root(of: home) == nil)
        for folder in ["/home", "/root"] where FileManager.default.fileExists(atPath: folder) {
            #expect(Workspace.root(of: folder) == nil, "\(folder)")
        }
    }

    @Test(arguments: [
        ("/data", false), ("/data/homes", false), ("/data/homes/ada", false), ("/data/homes/ada/.config/x", false),
        ("/data/homes/ada/shop", true), ("/data/shop", true), ("/data/homes/adam", true), ("/home", false),
        ("/home/bob/.ssh/x", false), ("/data/homes/ada/Downloads", false), ("/data/homes/ada/Downloads/shop", true),
        ("/data/homes/ada/shop/Downloads", true), ("/home/bob/Desktop", false), ("/Users/bob/Documents", false),
        ("/Users/bob/Documents/shop", true),
    ])
    func `a folder that has a home folder in it is no workspace`(_ folder: String, _ isAllowed: Bool) {
        #expect(Workspace.isAllowed(folder, homes: ["/data/homes/ada"]) == isAllowed)
    }

    @Test func `a folder in which anybody may put files is no workspace, also with a repository`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let inside = folder + "/shop"
        for name in [inside, folder + "/.git"] {
            try FileManager.default.createDirectory(atPath: name, withIntermediateDirectories: true)
        }
        #expect(Workspace.root(of: inside) == Workspace.real(folder))
        try FileManager.default.setAttributes([.posixPermissions: 0o1777], ofItemAtPath: folder)
        #expect(Workspace.root(of: folder) == nil)
        #expect(Workspace.root(of: inside) == Workspace.real(inside))
    }

    @Test func `hidden and local files of a workspace are this machine's own`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let inside = ["a.txt", "data/b.json", "local.json", "c.localxjson"]
        let own = [".env", ".git/config", "data/.token", "c.local.json", "data/d.local.json", "e.Local.JSON"]
        for name in inside + own {
            let path = folder + "/" + name
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try "x".write(toFile: path, atomically: true, encoding: .utf8)
        }
        for name in inside { #expect(Workspace.source(name, folder: folder) == nil, "\(name)") }
        for name in own { #expect(Workspace.source(name, folder: folder) != nil, "\(name)") }
        #expect(Workspace.source("missing", folder: folder) == nil)
        #expect(Workspace.source("/etc/passwd", folder: folder) == .file("/etc/passwd"))
        #expect(Workspace.source("../../../../../../etc/passwd", folder: folder) == .file("/etc/passwd"))
    }

    #if os(Linux)
    @Test func `an open file that has lost its name is a source`() throws {
        let path = folder + "-unnamed"
        #expect(FileManager.default.createFile(atPath: path, contents: Data("kept".utf8)))
        let handle = try #require(FileHandle(forReadingAtPath: path))
        defer { try? handle.close() }
        try FileManager.default.removeItem(atPath: path)
        let place = "/proc/self/fd/\(handle.fileDescriptor)"
        #expect(FileManager.default.contents(atPath: place) == Data("kept".utf8))
        #expect(Workspace.source(place, folder: folder) == .file(place))
        #expect(SpecifiedOperations.source(of: place, in: folder) == .file(place))
    }
    #endif
}
