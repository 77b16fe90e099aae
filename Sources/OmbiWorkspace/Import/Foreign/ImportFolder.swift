/// The files below a folder that an importer may read: none outside of it, not by `..` nor by a symbolic link.
package struct ImportFolder: Sendable {
    /// The path as it was given, without slashes at its end.
    package let path: String
    /// The absolute path.
    private let root: String
    private let fileSystem: any FileSystem

    /// In bytes, of one file, and of all files of an import together.
    private static let maximumSize = 64 << 20
    private static let maximumDepth = 100
    private static let maximumFiles = 20_000
    /// The hidden folder that belongs to a collection: that of Postman 3.
    private static let hidden = ".resources"

    /// Nil for a path at which there is no folder.
    package init?(_ path: String, fileSystem: any FileSystem = PosixFileSystem()) {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        guard fileSystem.isFolder(path), let root = try? fileSystem.resolve(path) else { return nil }
        (self.path, self.root, self.fileSystem) = (path, root, fileSystem)
    }

    package init?(of file: String, fileSystem: any FileSystem = PosixFileSystem()) {
        let folder = file.lastIndex(of: "/").map { $0 == file.startIndex ? "/" : String(file[..<$0]) }
        self.init(folder ?? ".", fileSystem: fileSystem)
    }

    /// The last part of its path.
    var name: String { root.split(separator: "/").last.map(String.init) ?? "imported" }

    /// The folder around it in the repository that it belongs to; nil at the root of that, and outside of one.
    var parent: ImportFolder? {
        guard let repository = Workspace.root(of: path), root.hasPrefix(repository + "/") else { return nil }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let isNamed = parts.last.map { ![".", ".."].contains($0) } ?? false
        let above = isNamed ? parts.dropLast().joined(separator: "/") : path + "/.."
        let folder = ImportFolder(above.isEmpty ? "." : above, fileSystem: fileSystem)
        // A link has another folder around it.
        return folder.flatMap { root.hasPrefix($0.root + "/") ? $0 : nil }
    }

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
    func names(in folder: String = "") -> [String] { (try? sortedNames(in: folder)) ?? [] }

    private func sortedNames(in folder: String) throws(FileError) -> [String] {
        try fileSystem.names(in: full(folder)).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Returns the folder at a path below it; nil for none, and for one that a link leads to.
    func folder(_ name: String) -> ImportFolder? {
        let isInside = (try? fileSystem.resolve(full(name))).map(holds) ?? false
        return isInside ? ImportFolder(full(name), fileSystem: fileSystem) : nil
    }

    // MARK: Files

    /// Reads a file at a path below it.
    /// - Parameter read: the bytes of the files of the import that were read before.
    func content(_ name: String, after read: Int = 0) throws(ImportError) -> [UInt8] {
        let file = full(name)
        let real = try resolved(file)
        guard holds(real) else {
            // A path without its folder has no other one.
            throw Self.error(real == file ? "no such file or folder" : "it is outside of \(path)")
        }
        let size = fileSystem.size(file)
        guard size <= Self.maximumSize else { throw Self.error("it is longer than 64 MiB") }
        guard size + read <= Self.maximumSize else {
            throw Self.error("all files together are longer than 64 MiB")
        }
        do throws(FileError) { return try fileSystem.read(file) } catch { throw Self.error(error.reason) }
    }

    private func resolved(_ file: String) throws(ImportError) -> String {
        do throws(FileError) { return try fileSystem.resolve(file) } catch { throw Self.error(error.reason) }
    }

    private static func error(_ reason: String) -> ImportError { ImportLog([]).error(0, reason) }

    /// Returns true for an absolute path in the folder.
    private func holds(_ resolved: String) -> Bool {
        resolved == root || resolved.hasPrefix(root == "/" ? "/" : root + "/")
    }

    /// A file below the folder, with its content.
    struct File: Sendable {
        /// `users/create.bru`
        let path: String
        let bytes: [UInt8]

        /// `create.bru`
        var name: String { path.split(separator: "/").last.map(String.init) ?? path }
        /// The names of the folders that the file is in.
        var folders: [String] { path.split(separator: "/").dropLast().map(String.init) }
    }

    /// Reads the files whose names are taken, and notes those that are not read as losses.
    /// - Parameter inner: false for the files of the folder itself alone.
    func contents(inner: Bool = true, _ isTaken: (_ name: String) -> Bool) -> (files: [File], notes: [ImportNote]) {
        var listing = self.files(inner: inner, isTaken)
        var (files, size) = ([File](), 0)
        for path in listing.paths {
            do throws(ImportError) {
                let bytes = try content(path, after: size)
                size += bytes.count
                files.append(File(path: path, bytes: bytes))
            } catch { listing.left.append((path, error.message)) }
        }
        let losses = listing.left.map { path, reason in
            ImportNote.loss(path.excerpted, "left out: \(reason)", file: full(path))
        }
        return (files, losses)
    }

    struct Listing {
        /// In the order of their names, those of a folder together.
        var paths: [String] = []
        /// Those that are not read, with the reason.
        var left: [(path: String, reason: String)] = []
        /// The folders that were looked into, the outer one first.
        var folders: [String] = []
    }

    /// Lists the files whose names are taken. Links, and folders of other programs, are left out.
    /// - Parameter inner: false for the files of the folder itself alone.
    func files(inner: Bool = true, _ isTaken: (_ name: String) -> Bool) -> Listing {
        var listing = Listing()
        list("", depth: 0, inner: inner, isTaken, &listing)
        return listing
    }

    private func list(
        _ folder: String, depth: Int, inner: Bool, _ isTaken: (String) -> Bool, _ listing: inout Listing
    ) {
        guard depth < Self.maximumDepth else {
            return listing.left.append((folder, "more than \(Self.maximumDepth) folders are in each other"))
        }
        let names: [String]
        do throws(FileError) { names = try sortedNames(in: folder) } catch {
            return listing.left.append((folder, error.reason))
        }
        listing.folders.append(folder)
        for name in names {
            let path = folder.isEmpty ? name : "\(folder)/\(name)"
            let isFolder = fileSystem.isFolder(full(path))
            guard isFolder ? inner && !Self.isForeign(name) : isTaken(name) else { continue }
            if fileSystem.isLink(full(path)) {
                listing.left.append((path, "symbolic links are not followed"))
            } else if isFolder {
                list(path, depth: depth + 1, inner: inner, isTaken, &listing)
            } else if listing.paths.count < Self.maximumFiles {
                listing.paths.append(path)
            } else {
                return listing.left.append((path, "more than \(Self.maximumFiles) files are in the folder"))
            }
        }
    }

    /// Returns true for a folder of other programs, such as one of version control.
    private static func isForeign(_ name: String) -> Bool {
        name == "node_modules" || name.hasPrefix(".") && name != hidden
    }
}
