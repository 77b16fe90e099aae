import OmbiDocument

/// The file of one workspace's memory, readable by its owner only.
///
/// Of two programs in one workspace the one that ends last counts. Texts typed into prompts are kept of both.
public struct MemoryFile: Sendable {
    public let path: String
    /// The paths that were opened, absolute and without links.
    private let workspace: [String]
    private let folder: String
    private let fileSystem: any FileSystem

    /// Workspaces share so many files: what is kept stays bounded without being cleaned up.
    private static let maximumFiles: UInt64 = 1024
    private static let maximumSize = 256 << 10

    /// - Parameters:
    ///   - folder: created with the first file.
    ///   - paths: those of the command line.
    public init(folder: String, paths: [String], fileSystem: any FileSystem = PosixFileSystem()) {
        workspace = paths.map { path in
            guard let real = try? fileSystem.resolve(path), real.hasPrefix("/") else {
                return ((try? fileSystem.resolve(".")) ?? "") + "/" + path
            }
            return real
        }
        self.folder = folder
        self.fileSystem = fileSystem
        // Joined by hand: the first `joined` of a program looks through the conformances of all its types.
        let text = workspace.dropFirst().reduce(workspace.first ?? "") { $0 + "\n" + $1 }
        let number = ContentHash.of(text.utf8) % Self.maximumFiles
        path = "\(folder)/\(number).json"
    }

    /// The file of the user's workspace, in `$XDG_STATE_HOME/ombi/workspaces`. Nil without a home folder.
    public static func standard(for paths: [String]) -> MemoryFile? {
        StateFolder.path.map { MemoryFile(folder: $0 + "/workspaces", paths: paths) }
    }

    /// Returns the memory of the workspace; nil when there is none.
    public func read() throws(DamagedMemory) -> WorkspaceMemory? {
        guard let bytes = try? fileSystem.read(path) else { return nil }
        guard bytes.count <= Self.maximumSize else { throw damaged("is too large") }
        let document: JSONDocument
        do throws(JSONSyntaxError) { document = try JSONDocument(checking: Bytes(bytes)) } catch {
            throw DamagedMemory(problem: Problem(file: path, position: error.position, message: error.reason))
        }
        let log = ProblemLog(file: path, document: document)
        guard let root = document.firstRoot,
            let object = ObjectReader(FileValue(node: root, kind: document.kind(of: root), log: log))
        else { throw log.problems.first.map(DamagedMemory.init) ?? damaged("is empty") }
        let known = (object.array("workspace") ?? []).compactMap(\.string)
        let memory = WorkspaceMemory(reading: object)
        if let problem = log.problems.first(where: { $0.severity == .error }) { throw DamagedMemory(problem: problem) }
        return known == workspace ? memory : nil
    }

    private func damaged(_ message: String) -> DamagedMemory {
        DamagedMemory(problem: Problem(file: path, message: message))
    }

    /// Replaces the file in one step.
    /// - Parameter start: the memory that was read; texts that came into the file since are kept.
    public func write(_ memory: WorkspaceMemory, since start: WorkspaceMemory? = nil) throws(FileError) {
        try StateLock.exclusively(folder, fileSystem) { () throws(FileError) in
            var memory = memory
            if let others = try? read() { memory.addPrompts(of: others, since: start) }
            try replace(memory.bounded())
        }
    }

    private func replace(_ memory: WorkspaceMemory) throws(FileError) {
        guard case .object(let members) = memory.json else { return }
        let head = JSONValue.Member("workspace", .array(workspace.map(JSONValue.string)))
        let text = JSONValue.object([head] + members).text
        guard text.utf8.count <= Self.maximumSize else { return }
        var content: [UInt8]? = Array(text.utf8)
        try fileSystem.makeFolder(folder)
        try FileReplacement.replace(path, newFileMode: 0o600, fileSystem) { () throws(FileError) in content.take() }
    }
}

/// The reason why a memory is ignored.
public struct DamagedMemory: Error, Sendable, Equatable {
    public let problem: Problem
}

extension DamagedMemory: CustomStringConvertible {
    public var description: String { "the memory of this workspace is damaged and was ignored: \(problem)" }
}
