import Foundation
import Testing

@testable import OmbiWorkspace

/// The files that secrets are moved into, in a folder that anyone may have filled.
@Suite struct PlainSecretsFileTests {
    private static let secrets = [(name: "token", value: "s3cret")]

    /// Adds a secret beside a collection.
    private static func add(to folder: borrowing TemporaryFolder, _ name: String = "shop.json") throws {
        let local = try #require(OverlayFile.path(for: folder.path + "/" + name))
        try OverlayFile.add(secrets, to: local, PosixFileSystem())
    }

    @Test(
        arguments: ["a file", "nothing", "a file of secrets", "a folder", "itself"], ["shop.local.json", ".gitignore"])
    func `a link is not followed, and no secret leaves the folder`(target: String, name: String) throws {
        let folder = try TemporaryFolder()
        let bashrc = try folder.file("home/.bashrc", "alias ll='ls -l'\n")
        let other = try folder.file("home/other.local.json", "{\"secrets\": {\"mine\": {\"value\": \"m1ne\"}}}")
        _ = try folder.file("repository/shop.json", "{}")
        let places = ["a file": bashrc, "a file of secrets": other, "a folder": folder.path + "/home", "itself": name]
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/repository/" + name,
            withDestinationPath: places[target] ?? folder.path + "/home/nothing")
        let before = try Self.contents(of: folder.path + "/home")
        let error = #expect(throws: FileError.self) { try Self.add(to: folder, "repository/shop.json") }
        #expect(
            error?.code == FileError.isLink && error?.path.hasSuffix("/" + name) == true, "\(String(describing: error))"
        )
        #expect(error?.description.contains("it is a symbolic link") == true)
        #expect(try Self.contents(of: folder.path + "/home") == before)
        let link = try FileManager.default.destinationOfSymbolicLink(atPath: folder.path + "/repository/" + name)
        #expect(!link.isEmpty, "the link is as it was")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path + "/repository") {
            let text = folder.text("repository/" + name) ?? ""
            #expect(!text.contains("s3cret"), "\(name)")
        }
    }

    private static func contents(of folder: String) throws -> [String: String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try String(contentsOfFile: folder + "/" + $0, encoding: .utf8)) })
    }

    @Test func `what cannot be read is not written over`() throws {
        let folder = try TemporaryFolder()
        for name in [".gitignore", "shop.local.json"] {
            let path = folder.path + "/" + name
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            #expect(throws: FileError.self) { try Self.add(to: folder) }
            try FileManager.default.removeItem(atPath: path)
            #expect(mkfifo(path, 0o600) == 0)
            #expect(throws: FileError.self) { try Self.add(to: folder) }
            try FileManager.default.removeItem(atPath: path)
        }
    }

    @Test func `a .gitignore in another encoding, and without an end of line, keeps its bytes`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/.gitignore"
        let bytes = Data([0x62, 0xFC, 0x63, 0x68, 0x65, 0x72])
        try bytes.write(to: URL(filePath: path))
        try Self.add(to: folder)
        try Self.add(to: folder)
        #expect(try Data(contentsOf: URL(filePath: path)) == bytes + Data("\nshop.local.json\n".utf8))
    }

    private static let names = [
        "shop", "#shop", "!shop", " shop", "a b ", "*", "a?", "[a-z]", "a;id>pwned;", "a\\b", "a\nb", "a\r", "\t", "é",
        "a\"b'c", "$(id)", "-rf", "a\u{7F}\u{1B}[31m", "~", "**", "a#b!",
    ]

    @Test(arguments: names) func `git ignores the file of any name, and no other`(_ name: String) throws {
        let folder = try TemporaryFolder()
        _ = try folder.file(name + ".json", "{}")
        try Self.add(to: folder, name + ".json")
        let text = folder.text(".gitignore")
        let list = try #require(text)
        #expect(list.split(separator: "\n").count == 1 && !list.dropLast().contains { $0.isNewline }, "\(list)")
        guard try Self.git(folder.path, ["init", "-q"]) == 0 else { return }
        #expect(try Self.git(folder.path, ["check-ignore", "-q", "--", "./\(name).local.json"]) == 0, "\(list)")
        for other in ["b", "xshop", "axb", ".gitignore", name + ".json"] where other != name {
            #expect(try Self.git(folder.path, ["check-ignore", "-q", "--", "./\(other)"]) == 1, "\(other): \(list)")
        }
    }

    /// Returns the exit code; that of a shell where there is no git.
    private static func git(_ folder: String, _ arguments: [String]) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["git", "-C", folder] + arguments
        process.environment = ["PATH": "/usr/bin:/bin", "HOME": folder, "GIT_CONFIG_NOSYSTEM": "1"]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }
}
