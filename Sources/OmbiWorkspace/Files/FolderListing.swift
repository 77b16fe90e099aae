/// The names in a folder, to complete a path.
public struct FolderListing: Sendable, Equatable {
    public struct Entry: Sendable, Equatable {
        public var name: String
        public var isFolder: Bool

        public init(_ name: String, isFolder: Bool = false) {
            self.name = name
            self.isFolder = isFolder
        }
    }

    /// The path of the folder, as it was asked for.
    public var folder: String
    /// Sorted by name; empty for a folder that cannot be read.
    public var entries: [Entry]

    /// More names than anybody looks through.
    private static let maximumEntries = 4000

    public init(folder: String, entries: [Entry]) {
        self.folder = folder
        self.entries = entries
    }

    /// Reads the folder at a path.
    init(reading folder: String, at path: String, fileSystem: some FileSystem = PosixFileSystem()) {
        let names = (try? fileSystem.names(in: path)) ?? []
        let first = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.prefix(Self.maximumEntries)
        self.init(
            folder: folder, entries: first.map { Entry($0, isFolder: fileSystem.isFolder(path + "/" + $0)) })
    }
}
