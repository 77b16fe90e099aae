import OmbiDocument

/// The files below a folder that an importer may read: none outside of it, not by `..` nor by a symbolic link.
public struct ImportFolder: Sendable {
    /// The path as it was given, without slashes at its end.
    public let path: String
    /// The absolute path.
    private let root: String
    private let fileSystem: any FileSystem

    /// The error of a file that is not read.
    struct Failure: Error, Sendable, Equatable {
        let reason: String
    }

    /// In bytes, of one file.
    private static let maximumSize = 64 << 20
    private static let maximumDepth = 100
    private static let maximumFiles = 20_000
    private static let ignored: Set<String> = [".git", "node_modules"]

    /// Nil for a path at which there is no folder.
    public init?(_ path: String, fileSystem: any FileSystem = PosixFileSystem()) {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        guard fileSystem.isFolder(path), let root = try? fileSystem.resolve(path) else { return nil }
        (self.path, self.root, self.fileSystem) = (path, root, fileSystem)
    }

    /// The folder of a file.
    public init?(of file: String, fileSystem: any FileSystem = PosixFileSystem()) {
        guard let slash = file.lastIndex(of: "/") else {
            self.init(".", fileSystem: fileSystem)
            return
        }
        self.init(slash == file.startIndex ? "/" : String(file[..<slash]), fileSystem: fileSystem)
    }

    /// The last part of its path.
    var name: String { root.split(separator: "/").last.map(String.init) ?? "imported" }

    // MARK: Names

    /// Returns the path of a reference from a file, both below the folder; nil for one that leads out of it.
    static func path(of reference: String, from file: String) -> String? {
        guard !reference.isEmpty, !reference.hasPrefix("/") else { return nil }
        var parts = file.split(separator: "/").dropLast().map(String.init)
        for part in reference.split(separator: "/") where part != "." {
            if part == ".." {
                guard parts.popLast() != nil else { return nil }
            } else {
                parts.append(String(part))
            }
        }
        return parts.isEmpty ? nil : parts.joined(separator: "/")
    }

    func full(_ name: String) -> String { name.isEmpty ? path : CollectionFinder.path(of: name, in: path) }

    func hasFolder(_ name: String) -> Bool { fileSystem.isFolder(full(name)) }

    /// The names in a folder below it, sorted.
    func names(in folder: String = "") -> [String] {
        let names = (try? fileSystem.names(in: full(folder))) ?? []
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Returns the folder at a path below it; nil for none, and for one that a link leads to.
    func folder(_ name: String) -> ImportFolder? {
        let isInside = (try? fileSystem.resolve(full(name))).map(holds) ?? false
        return isInside ? ImportFolder(full(name), fileSystem: fileSystem) : nil
    }

    // MARK: Files

    /// Reads a file at a path below it.
    func content(_ name: String) throws(Failure) -> [UInt8] {
        let file = full(name)
        guard holds(try resolved(file)) else { throw Failure(reason: "it is outside of \(path)") }
        guard fileSystem.size(file) <= Self.maximumSize else { throw Failure(reason: "it is longer than 64 MiB") }
        do throws(FileError) { return try fileSystem.read(file) } catch { throw Failure(reason: error.reason) }
    }

    private func resolved(_ file: String) throws(Failure) -> String {
        do throws(FileError) { return try fileSystem.resolve(file) } catch { throw Failure(reason: error.reason) }
    }

    /// Returns true for an absolute path in the folder.
    private func holds(_ resolved: String) -> Bool {
        resolved == root || resolved.hasPrefix(root == "/" ? "/" : root + "/")
    }

    /// The files below the folder.
    struct Listing {
        /// In the order of their names, those of a folder together.
        var paths: [String] = []
        /// Those that are not read, with the reason.
        var left: [(path: String, reason: String)] = []
    }

    /// Lists the files whose names are taken. Links and the folders of version control are left out.
    func files(_ isTaken: (_ name: String) -> Bool) -> Listing {
        var listing = Listing()
        list("", depth: 0, isTaken, &listing)
        return listing
    }

    private func list(_ folder: String, depth: Int, _ isTaken: (String) -> Bool, _ listing: inout Listing) {
        guard depth < Self.maximumDepth else {
            return listing.left.append((folder, "more than \(Self.maximumDepth) folders are in each other"))
        }
        for name in names(in: folder) where !Self.ignored.contains(name) {
            let path = folder.isEmpty ? name : "\(folder)/\(name)"
            let isFolder = fileSystem.isFolder(full(path))
            guard isFolder || isTaken(name) else { continue }
            if fileSystem.isLink(full(path)) {
                listing.left.append((path, "symbolic links are not followed"))
            } else if isFolder {
                list(path, depth: depth + 1, isTaken, &listing)
            } else if listing.paths.count < Self.maximumFiles {
                listing.paths.append(path)
            } else {
                return listing.left.append((path, "more than \(Self.maximumFiles) files are in the folder"))
            }
        }
    }
}
