#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A folder of snapshot files in a repository. Below it no symbolic link is followed: a file from elsewhere is neither
/// shown in a comparison nor overwritten.
struct SnapshotFolder: Sendable {
    private let root: String
    private let fileSystem = PosixFileSystem()

    /// The maximum number of files that are looked at for those that no request has.
    private static let maximumFiles = 100_000

    /// The folder itself may be a link: it is named by the user.
    init(_ path: String) throws(FileError) {
        let system = PosixFileSystem()
        root = try system.resolve(path)
        if !system.isFolder(root), try system.modeForReplacing(root) != nil {
            throw FileError(operation: "write", path: path, code: ENOTDIR)
        }
    }

    /// Returns nil where there is no such file.
    func read(_ name: String) throws(FileError) -> [UInt8]? {
        let path = try path(of: name, "read")
        var content: [UInt8]?
        do throws(FileError) { content = try fileSystem.read(path) } catch  where error.isAbsence {}
        return content
    }

    /// Writes a file in one step, and the folders that it is in.
    func write(_ text: String, to name: String) throws(FileError) {
        let path = try path(of: name, "write")
        if let slash = path.lastIndex(of: "/") { try fileSystem.makeFolder(String(path[..<slash])) }
        let content = Array(text.utf8)
        try FileReplacement.change(path, fileSystem) { (_: [UInt8]?) throws(FileError) in content }
    }

    /// Returns the path of a file, none of whose folders below this one is a link.
    private func path(of name: String, _ operation: String) throws(FileError) -> String {
        var path = root
        for part in name.split(separator: "/") {
            path += "/\(part)"
            guard !fileSystem.isLink(path) else {
                throw FileError(operation: operation, path: path, code: FileError.isLink)
            }
        }
        return path
    }

    /// Returns the snapshots in a folder and below it, sorted.
    func files(in folder: String) -> [String] {
        var (found, left) = ([String](), [folder])
        while let folder = left.popLast(), found.count < Self.maximumFiles {
            guard !fileSystem.isLink(root + "/" + folder) else { continue }
            for name in (try? fileSystem.names(in: root + "/" + folder)) ?? [] where !name.hasPrefix(".") {
                let path = folder + "/" + name
                if name.hasSuffix(SnapshotNames.suffix) {
                    found.append(path)
                } else if fileSystem.isFolder(root + "/" + path) {
                    left.append(path)
                }
            }
        }
        return found.sorted()
    }
}
