import OmbiDocument

/// The files of a folder in which another tool keeps a collection. No symbolic link is followed: it may lead anywhere.
struct ForeignFolder: Sendable {
    struct File: Sendable {
        /// In the folder: `users/create.bru`.
        let path: String
        let bytes: [UInt8]

        /// `create.bru`
        var name: String { path.split(separator: "/").last.map(String.init) ?? path }
        /// The names of the folders that the file is in.
        var folders: [String] { path.split(separator: "/").dropLast().map(String.init) }
    }

    /// The name for a collection that has none.
    let name: String
    /// Sorted by their names, those of inner folders among them.
    private(set) var files: [File] = []
    /// The parts that were not read.
    private(set) var notes: [ImportNote] = []

    private let root: String
    private var size = 0

    private static let maximumDepth = 100
    private static let maximumFiles = 20_000
    /// In bytes, of all files together.
    private static let maximumSize = 64 << 20
    /// The ends of the names of files that formats have.
    private static let endings = [".bru", ".yml", ".yaml", ".json"]

    /// Reads the files whose names may be those of a collection.
    init(reading path: String, _ fileSystem: some FileSystem) throws(ImportError) {
        root = path
        let resolved = (try? fileSystem.resolve(path)) ?? path
        name = resolved.split(separator: "/").last.map(String.init) ?? "imported"
        try read("", depth: 0, fileSystem)
    }

    /// Returns the file at a path in the folder.
    subscript(path: String) -> File? { files.first { $0.path == path } }

    // MARK: Reading

    private mutating func read(
        _ folder: String, depth: Int, _ fileSystem: some FileSystem
    ) throws(ImportError) {
        let place = folder.isEmpty ? root : CollectionFinder.path(of: folder, in: root)
        let names: [String]
        do throws(FileError) { names = try fileSystem.names(in: place) } catch {
            guard !folder.isEmpty else { throw Self.error("the folder cannot be read: \(error.reason)") }
            return leaveOut(folder, error.reason)
        }
        for name in names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) where !Self.isForeign(name) {
            let inner = folder.isEmpty ? name : "\(folder)/\(name)"
            let path = CollectionFinder.path(of: name, in: place)
            let isFolder = fileSystem.isFolder(path)
            guard isFolder || Self.isWanted(name) else { continue }
            if fileSystem.isLink(path) {
                leaveOut(inner, "symbolic links are not followed")
            } else if isFolder {
                guard depth < Self.maximumDepth else {
                    throw Self.error("more than \(Self.maximumDepth) folders are in each other")
                }
                try read(inner, depth: depth + 1, fileSystem)
            } else {
                try add(inner, at: path, fileSystem)
            }
        }
    }

    private mutating func add(_ file: String, at path: String, _ fileSystem: some FileSystem) throws(ImportError) {
        guard files.count < Self.maximumFiles else {
            throw Self.error("the folder has more than \(Self.maximumFiles) files, the limit of an import")
        }
        size += fileSystem.size(path)
        guard size <= Self.maximumSize else {
            throw Self.error("the files of the folder are longer than 64 MiB together, the limit of an import")
        }
        do throws(FileError) { files.append(File(path: file, bytes: try fileSystem.read(path))) } catch {
            leaveOut(file, error.reason)
        }
    }

    /// Returns true for what belongs to other programs.
    private static func isForeign(_ name: String) -> Bool {
        name == "node_modules" || name.hasPrefix(".") && !isEnvironment(name)
    }

    private static func isWanted(_ name: String) -> Bool {
        isEnvironment(name) || endings.contains { name.hasSuffix($0) }
    }

    /// `.env`, `.env.staging`
    private static func isEnvironment(_ name: String) -> Bool { name == ".env" || name.hasPrefix(".env.") }

    private mutating func leaveOut(_ file: String, _ reason: String) {
        var note = ImportNote(
            position: TextPosition(line: 1, column: 1), kind: .loss, subject: file.excerpted,
            message: "left out: \(reason)")
        note.file = file
        notes.append(note)
    }

    private static func error(_ message: String) -> ImportError { ImportLog([]).error(0, message) }
}
