/// The state of the screen that outlives the program, by the names in the files, which outlive it, too. It has no values of
/// variables, no URLs and no responses.
package struct WorkspaceMemory: Sendable, Equatable {
    /// The names of the environments by the paths of the files.
    package var environments: [String: String] = [:]
    package var selected: ItemPath?
    /// The folded files and folders, or, when that is shorter, those that are not.
    package var folds: [ItemPath] = []
    /// True when `folds` are those that are open.
    package var foldsOthers = false
    package var dividers: [String: Int] = [:]
    package var requestTab: String?
    package var responseTab: String?
    /// The name of the pane that takes the whole screen.
    package var fullScreen: String?
    /// The texts typed into prompts, oldest first, by their kinds.
    package var prompts: [String: [String]] = [:]

    package init() {}

    /// Takes over the texts that another program has added to the file, before those that this one has added.
    /// - Parameter start: the memory from which both began.
    mutating func addPrompts(of others: WorkspaceMemory, since start: WorkspaceMemory?) {
        for (kind, theirs) in others.prompts {
            let (own, known) = (prompts[kind] ?? [], Set(start?.prompts[kind] ?? []))
            let new = theirs.filter { !known.contains($0) && !own.contains($0) }
            let index = own.firstIndex { !known.contains($0) } ?? own.endIndex
            prompts[kind] = own[..<index] + new + own[index...]
        }
    }

    private static let maximumFolds = 500
    private static let maximumTexts = 50
    /// In bytes.
    private static let maximumText = 200

    /// Returns a copy that is short enough for a file, without what may be a secret.
    func bounded() -> WorkspaceMemory {
        var memory = self
        if folds.count > Self.maximumFolds { (memory.folds, memory.foldsOthers) = ([], false) }
        memory.prompts = prompts.mapValues { texts in
            texts.filter { $0.utf8.count <= Self.maximumText && !Self.mayBeSecret($0) }.suffix(Self.maximumTexts)
        }
        return memory
    }

    /// Returns true for a URL with credentials, and for a text with a long word of letters and digits, such as a token.
    private static func mayBeSecret(_ text: String) -> Bool {
        if text.contains("://"), text.contains("@") { return true }
        let words = text.split { !($0.isLetter || $0.isNumber || "+/_=-".contains($0)) }
        return words.contains { word in
            word.utf8.count >= 20 && word.contains(where: \.isNumber) && word.contains(where: \.isLetter)
        }
    }
}

extension WorkspaceMemory: JSONObjectConvertible {
    init(reading object: ObjectReader) {
        self.init()
        environments = object.members("environments") { $0.string }
        selected = object.value("selected", as: ItemPath.self)
        folds = object.list("folds", of: ItemPath.self)
        foldsOthers = object.bool("foldsOthers") ?? false
        dividers = object.members("dividers") { $0.digits.flatMap { Int($0) } }
        let tabs = object.object("tabs")
        (requestTab, responseTab) = (tabs?.string("request"), tabs?.string("response"))
        fullScreen = object.string("fullScreen")
        prompts = object.members("prompts") { $0.kind == .array ? $0.elements.compactMap(\.string) : nil }
    }

    var json: JSONValue {
        var writer = ObjectWriter()
        writer.add("environments", members: environments.mapValues(JSONValue.string))
        writer.add("selected", selected?.json)
        writer.add("folds", list: folds.map(\.json))
        writer.add("foldsOthers", foldsOthers ? .bool(true) : nil)
        writer.add("dividers", members: dividers.mapValues { .number($0) })
        writer.add("tabs", tabs)
        writer.add("fullScreen", text: fullScreen)
        writer.add("prompts", members: prompts.mapValues { .array($0.map(JSONValue.string)) })
        return writer.object(UnknownMembers())
    }
}

extension WorkspaceMemory {
    /// Not a dictionary, the first of which costs a start a tenth of a millisecond.
    private var tabs: JSONValue? {
        var writer = ObjectWriter()
        writer.add("request", text: requestTab)
        writer.add("response", text: responseTab)
        return requestTab == nil && responseTab == nil ? nil : writer.object(UnknownMembers())
    }
}

extension ItemPath: JSONObjectConvertible {
    init(reading object: ObjectReader) {
        self.init(file: object.requiredString("file"), path: (object.array("path") ?? []).compactMap(\.string))
    }

    var json: JSONValue {
        var writer = ObjectWriter()
        writer.add("file", text: file)
        writer.add("path", list: path.map(JSONValue.string))
        return writer.object(UnknownMembers())
    }
}

extension ObjectReader {
    /// The members of an object as a dictionary; those that `read` does not understand are left out.
    fileprivate func members<Value>(_ key: String, _ read: (FileValue) -> Value?) -> [String: Value] {
        guard let entries = object(key)?.entries, !entries.isEmpty else { return [:] }
        return Dictionary(entries.compactMap { entry in read(entry.value).map { (entry.key, $0) } }) { $1 }
    }
}

extension ObjectWriter {
    fileprivate mutating func add(_ key: String, members: [String: JSONValue]) {
        let members = members.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, $0.value) }
        add(key, members.isEmpty ? nil : .object(members))
    }
}

/// The file of one workspace's memory, readable by its owner only.
///
/// If two programs share a workspace, the last one to end wins. Texts typed into prompts are kept from both.
package struct MemoryFile: Sendable {
    package let path: String
    /// The paths that were opened, absolute and without links.
    private let workspace: [String]
    private let folder: String
    private let fileSystem: any FileSystem

    /// The maximum number of files that workspaces share, so that they stay bounded without a clean-up.
    private static let maximumFiles: UInt64 = 1024
    private static let maximumSize = 256 << 10

    /// - Parameters:
    ///   - folder: Created with the first file.
    ///   - paths: The paths of the command line.
    package init(folder: String, paths: [String], fileSystem: any FileSystem = PosixFileSystem()) {
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
    package static func standard(for paths: [String]) -> MemoryFile? {
        StateFolder.path.map { MemoryFile(folder: $0 + "/workspaces", paths: paths) }
    }

    /// Returns the memory of the workspace; nil when there is none.
    package func read() throws(DamagedMemory) -> WorkspaceMemory? {
        guard let bytes = try? fileSystem.read(path) else { return nil }
        guard bytes.count <= Self.maximumSize else { throw damaged("is too large") }
        let document: JSONDocument
        do throws(JSONSyntaxError) { document = try JSONDocument(checking: Bytes(bytes)) } catch {
            throw DamagedMemory(problem: Problem(file: path, position: error.position, message: error.reason))
        }
        let log = ProblemLog(file: path, document: document)
        guard let object = ObjectReader(rootOf: log) else {
            throw log.problems.first.map(DamagedMemory.init) ?? damaged("is empty")
        }
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
    package func write(_ memory: WorkspaceMemory, since start: WorkspaceMemory? = nil) throws(FileError) {
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
        try fileSystem.makeFolder(folder)
        try FileReplacement.replace(path, with: Array(text.utf8), newFileMode: 0o600, fileSystem)
    }
}

/// The reason why a memory is ignored.
package struct DamagedMemory: Error, Sendable, Equatable {
    package let problem: Problem
}

extension DamagedMemory: CustomStringConvertible {
    package var description: String { "the memory of this workspace is damaged and was ignored: \(problem)" }
}
