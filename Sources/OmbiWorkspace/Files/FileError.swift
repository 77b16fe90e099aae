import OmbiPlatform

/// A failed file operation. Its description names the remedy.
package struct FileError: Error, Sendable, Equatable {
    /// The operation that failed: "read", "write", …
    package var operation: String
    package var path: String
    /// The `errno` of the failed call.
    package var code: Int32

    /// The code of a cancelled operation.
    package static let cancelled = ECANCELED

    /// The code of an existing file that may not be overwritten.
    package static let isThere = EEXIST

    /// The code of a symbolic link where none is followed.
    static let isLink = ENOLINK

    /// The code of a pipe that has no grant.
    static let isWithheld = ENOMSG

    /// The code of a pipe that received no data in time.
    static let isUnwritten = ETIME

    /// True when there is no file at the path.
    package var isAbsence: Bool { code == ENOENT || code == ENOTDIR }

    var isFull: Bool { code == ENOSPC || code == EDQUOT }

    package init(operation: String, path: String, code: Int32) {
        self.operation = operation
        self.path = path
        self.code = code
    }
}

extension FileError: CustomStringConvertible {
    package var description: String { "cannot \(operation) \(path): \(reason)" }

    /// The cause, without the path.
    package var reason: String {
        switch code {
        case ENOENT: missingFolder.map { "there is no folder \($0); create it" } ?? "no such file or folder"
        case ENOTDIR: "a part of the path is a file, not a folder"
        case EISDIR: "it is a folder, not a file"
        case EACCES, EPERM: "permission denied; check who may \(operation) it (ls -l)"
        case ENOSPC, EDQUOT: "no space left; free some and try again"
        case EROFS: "the file system is read-only; choose another place"
        case ENAMETOOLONG: "the name is too long"
        case Self.isLink: "it is a symbolic link, which may lead anywhere; put a regular file in its place"
        case Self.isWithheld: "it is a pipe, which needs a grant; ombi trust, --grant or --trust gives one"
        case Self.isUnwritten: "it is a pipe that no program writes to; start that program first"
        case ELOOP: "its symbolic links go in a circle"
        case EFBIG where operation == "read": "it is larger than \(PosixFileSystem.maximumFileSize >> 20) MiB"
        case EFBIG: "it would be larger than this file system or the process allows (ulimit -f)"
        case EIO: "the disk or the network drive failed"
        case EMFILE, ENFILE: "too many files are open; close some programs and try again"
        case ECANCELED: "it was cancelled"
        case EEXIST: "it is there already"
        case EINVAL: "it is not a regular file"
        case ENXIO: "no program reads from it; start that program first"
        default: String(cString: strerror(code))
        }
    }

    /// The folder without which the file cannot be written; nil where it is there.
    private var missingFolder: String? {
        guard operation == "write", let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return nil }
        let folder = String(path[..<slash])
        return PosixFileSystem().isFolder(folder) ? nil : folder
    }
}

/// Why a collection was not saved. The file on disk is unchanged.
package enum SaveError: Error, Sendable, Equatable {
    /// Another program changed the file since it was loaded.
    case changedOnDisk(String)
    /// Another program removed the file since it was loaded.
    case removedOnDisk(String)
    case failed(FileError)
    /// The file could not be read again.
    case unreadable(Problem)
    /// The file belongs to another tool.
    case foreign(String)
}

extension SaveError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .changedOnDisk(let path):
            "\(path) was changed on disk since it was opened; reload it, or overwrite it"
        case .removedOnDisk(let path):
            "\(path) was removed from disk since it was opened; overwrite to write it again"
        case .failed(let error):
            "\(error); nothing was changed on disk"
        case .unreadable(let problem):
            "\(problem.file) could not be read again: \(problem.message)"
                + (problem.position.map { ", on line \($0.line) of what would be written" } ?? "")
                + "; nothing was changed on disk"
        case .foreign(let path):
            "\(path) is a file of another tool, which is never written; "
                + "`ombi import \(ShellQuotes.word(path)) --to NAME.json` makes a collection of it"
        }
    }
}
