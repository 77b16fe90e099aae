import Foundation
import OmbiCore
import Testing

@testable import OmbiWorkspace

@Suite struct MemoryFileTests {
    private static var memory: WorkspaceMemory {
        var memory = WorkspaceMemory()
        memory.environments = ["shop.json": "live"]
        memory.selected = .init(file: "shop.json", path: ["users", "list"])
        memory.folds = [.init(file: "shop.json", path: ["orders"]), .init(file: "b.json")]
        memory.foldsOthers = true
        memory.dividers = ["tree": 40, "rows": 12]
        memory.requestTab = "body"
        memory.fullScreen = "response"
        memory.prompts = ["search": ["Ada", "名前"], "filter": ["$.items[*]"]]
        return memory
    }

    private static func file(_ folder: String, _ paths: String...) -> MemoryFile {
        MemoryFile(folder: folder + "/state/workspaces", paths: paths)
    }

    @Test func `what was written is read again, in the same workspace only`() throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("one/a.json", "{}")
        let file = Self.file(folder.path, folder.path + "/one")
        #expect(try file.read() == nil)
        try file.write(Self.memory)
        #expect(try file.read() == Self.memory)
        #expect(try Self.file(folder.path, folder.path + "/one/../one").read() == Self.memory)
        #expect(try Self.file(folder.path, folder.path).read() == nil)
        var later = Self.memory
        later.selected = nil
        try Self.file(folder.path, folder.path + "/one").write(later)
        #expect(try file.read() == later, "the last one counts, whole")
    }

    @Test func `what two programs have typed into prompts is kept of both`() throws {
        let folder = try TemporaryFolder()
        let file = Self.file(folder.path, folder.path)
        try file.write(Self.memory)
        let start = try file.read()
        var (first, second) = (Self.memory, Self.memory)
        first.prompts["search"] = ["Ada", "名前", "Bob"]
        first.prompts["replace"] = ["new"]
        // Of the second the oldest text is typed again, and the limit is reached.
        second.prompts["search"] = ["名前", "Ada"] + (0..<48).map { "\($0)" }
        try file.write(first, since: start)
        try file.write(second, since: start)
        let read = try file.read()
        #expect(read?.prompts["search"] == ["Ada", "Bob"] + (0..<48).map { "\($0)" })
        #expect(read?.prompts["replace"] == ["new"] && read?.prompts["filter"] == ["$.items[*]"])
    }

    @Test func `programs that end at the same time lose no text`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        DispatchQueue.concurrentPerform(iterations: 8) { number in
            var memory = WorkspaceMemory()
            memory.prompts = ["search": ["text \(number)"]]
            try? Self.file(path, path).write(memory)
        }
        #expect(try Self.file(path, path).read()?.prompts["search"]?.sorted() == (0..<8).map { "text \($0)" })
    }

    @Test func `it is for its owner alone`() throws {
        let folder = try TemporaryFolder()
        let file = Self.file(folder.path, folder.path)
        try file.write(Self.memory)
        for (path, mode) in [(file.path, 0o600), (folder.path + "/state/workspaces", 0o700)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == mode)
        }
    }

    @Test func `texts that may be secrets are not kept, nor are long ones and many`() throws {
        let folder = try TemporaryFolder()
        let file = Self.file(folder.path, folder.path)
        var memory = WorkspaceMemory()
        let secrets = [
            "https://ada:hunter2@example.com/", "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
            "token=abcdefghij0123456789",
            String(repeating: "long ", count: 100),
        ]
        memory.prompts = ["search": secrets + (0..<80).map { "text \($0)" }]
        memory.folds = (0..<10_000).map { .init(file: "a.json", path: ["f\($0)"]) }
        try file.write(memory)
        let read = try #require(try file.read())
        #expect(read.prompts["search"]?.first == "text 30" && read.prompts["search"]?.count == 50)
        #expect(read.folds.isEmpty)
        let text = try String(contentsOfFile: file.path, encoding: .utf8)
        #expect(secrets.allSatisfy { !text.contains($0) } && text.utf8.count < 10_000)
    }

    @Test(arguments: ["", "{", "[]", "null", #"{"folds": 7, "workspace": []}"#, #"{"selected": {"path": []}}"#])
    func `a damaged file is an error that names it, and the next one replaces it`(text: String) throws {
        let folder = try TemporaryFolder()
        let file = Self.file(folder.path, folder.path)
        try file.write(Self.memory)
        try text.write(toFile: file.path, atomically: false, encoding: .utf8)
        let error = #expect(throws: DamagedMemory.self) { try file.read() }
        #expect(error?.description.contains(file.path) == true)
        try file.write(Self.memory)
        #expect(try file.read() == Self.memory)
    }

    @Test(arguments: 1..<8) func `a write that fails leaves the memory of before`(step: Int) throws {
        let folder = try TemporaryFolder()
        try Self.file(folder.path, folder.path).write(Self.memory)
        let failing = MemoryFile(
            folder: folder.path + "/state/workspaces", paths: [folder.path],
            fileSystem: FailingFileSystem(failing: step, isKilled: true))
        try? failing.write(WorkspaceMemory())
        let read = try Self.file(folder.path, folder.path).read()
        #expect(read == Self.memory || read == WorkspaceMemory())
    }
}
