import OmbiAuthentication
import OmbiPlatform

/// The files that belong to a collection: those below the nearest folder above it that is a repository, or else below
/// its own folder. Never a whole home folder, its downloads, `/tmp` or the file system, and no file that is hidden or
/// belongs to this machine only.
enum Workspace {
    static var home: String? {
        getenv("HOME").map { String(cString: $0) }.flatMap { real($0) }.flatMap { $0 == "/" ? nil : $0 }
    }

    /// Returns the source that a file is; nil for a file of the workspace.
    /// - Parameter path: as a collection writes it, or absolute.
    static func source(_ path: String, folder: String) -> Source? {
        source(at: RelativePath.resolve(path, folder: folder), folder: folder)
    }

    /// - Parameter place: the path with the folder in front of it.
    static func source(at place: String, folder: String) -> Source? {
        // A pipe that a shell made and an open file that has lost its name have no real path, and can be read.
        guard let real = real(place) else { return access(place, F_OK) == 0 ? .file(place) : nil }
        return contains(real, folder: folder) ? nil : .file(real)
    }

    /// The same, and a pipe anywhere, because its writer is unknown.
    static func sourceOfContent(_ path: String, folder: String) -> Source? {
        let place = RelativePath.resolve(path, folder: folder)
        return isPipe(place) ? .file(real(place) ?? place) : source(at: place, folder: folder)
    }

    /// Returns true for a pipe, without opening it.
    static func isPipe(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }

    /// Returns true for a file that the collection in a folder may read without asking.
    /// - Parameter real: a path without links and dots.
    static func contains(_ real: String, folder: String) -> Bool {
        root(of: folder).map { isOpen(real, below: $0) } ?? false
    }

    /// Returns true for a file below a folder that is neither hidden nor belongs to this machine only.
    static func isOpen(_ real: String, below root: String) -> Bool {
        guard real.hasPrefix(root + "/") else { return false }
        let parts = real.dropFirst(root.count + 1).split(separator: "/")
        let isHidden = parts.contains { $0.hasPrefix(".") }
        // Some file systems do not tell cases apart.
        return !isHidden && !real.lowercased().hasSuffix(".local.json")
    }

    /// Returns the root folder of a workspace; nil if it is too large or too private to be one.
    static func root(of folder: String) -> String? {
        guard let own = real(folder.isEmpty ? "." : folder), isAllowed(own) else { return nil }
        var next = own
        while isAllowed(next) {
            if repositories.contains(where: { access(next + "/" + $0, F_OK) == 0 }) { return next }
            guard let slash = next.lastIndex(of: "/"), slash > next.startIndex else { break }
            next = String(next[..<slash])
        }
        return own
    }

    private static let repositories = [".git", ".hg", ".jj", ".svn"]

    /// The folders of a home folder that hold files of any origin: a collection that was saved there belongs to none of them.
    private static let mixed = ["Desktop", "Documents", "Downloads"]

    /// False for the root folder, a home folder or a folder around one, anything below a hidden folder of a home, and
    /// folders with files of any origin.
    static func isAllowed(_ folder: String, homes: [String] = [Workspace.home, "/root"].compactMap { $0 }) -> Bool {
        if folder == "/" || folder == "/home" || folder == "/Users" || homes.contains(folder) { return false }
        let parts = folder.split(separator: "/")
        if parts.count == 2, parts[0] == "home" || parts[0] == "Users" { return false }
        for home in homes where folder.hasPrefix(home + "/.") || home.hasPrefix(folder + "/") { return false }
        if parts.count > 2, parts[0] == "home" || parts[0] == "Users", parts[2].hasPrefix(".") { return false }
        if let name = parts.last.map(String.init), mixed.contains(name) {
            let isInHome = parts.count == 3 && (parts[0] == "home" || parts[0] == "Users")
            if isInHome || homes.contains(String(folder.dropLast(name.count + 1))) { return false }
        }
        return !isForAll(folder)
    }

    /// True for a folder in which anybody may put files, such as `/tmp`: it has the sticky bit.
    private static func isForAll(_ folder: String) -> Bool {
        var status = stat()
        return stat(folder, &status) == 0 && status.st_mode & 0o1002 == 0o1002
    }

    /// The path without links and dots; nil, with `errno` set, if it does not exist.
    static func real(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}

/// The content of files that a grant depends on.
enum WorkspaceContent {
    /// Returns the first digits of the SHA-256 of a regular file; nil for none that can be read.
    static func digest(of path: String) -> String? {
        var status = stat()
        // A URL would take `link/..` for the folder of the link.
        guard let real = Workspace.real(path), stat(real, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size <= maximumSize, let data = try? Data(contentsOf: URL(filePath: real))
        else { return nil }
        return digest(data)
    }

    private static let maximumSize = 64 << 20

    static func digest(_ data: Data) -> String { String(HashFunction.sha256.hex(data).prefix(16)) }
}

/// A path as a collection file writes it: relative to the folder of that file, or to the home folder after `~/`.
enum RelativePath {
    static func resolve(
        _ path: String, folder: String, home: String? = getenv("HOME").map { String(cString: $0) }
    ) -> String {
        if path.hasPrefix("~/"), let home { return home + path.dropFirst() }
        return path.hasPrefix("/") || folder.isEmpty ? path : folder + "/" + path
    }

    /// Returns the folder of a file; empty for one without.
    static func folder(of path: String) -> String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "" }

    /// Returns the way from one folder to another, such as `../api/`; empty for the same one, and where one is missing.
    static func way(from folder: String, to other: String) -> String {
        func components(_ folder: String) -> [Substring]? {
            Workspace.real(folder.isEmpty ? "." : folder)?.split(separator: "/")
        }
        guard let start = components(folder), let end = components(other) else { return "" }
        let shared = zip(start, end).prefix { $0.0 == $0.1 }.count
        let up = String(repeating: "../", count: start.count - shared)
        return up + end.dropFirst(shared).map { "\($0)/" }.joined(separator: "")
    }
}
