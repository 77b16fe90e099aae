#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file that a download could not write.
public struct UnwritableFile: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The folder does not exist.
        case folderNotFound
        /// The folder or the file may not be written, or the file system is read-only.
        case permissionDenied
        /// The disk is full, or the quota or the limit of a file's size is reached.
        case noSpace
        /// The path is empty, or names a folder, a device or a pipe.
        case notAFile
        /// Another download into the same file is under way.
        case inUse
        /// What a download of another request has left beside the file; remove it, or choose another path.
        case otherDownload
        /// Anything else; the reason says what.
        case failed
    }

    /// What to decide by.
    public let code: Code
    /// As it was given for the file, or with the suffix of its partial file.
    public let path: String
    /// The system's words: "No space left on device".
    public let reason: String

    public var description: String { "the file \(path) cannot be written (\(reason))" }

    init(_ code: Code, path: String, reason: String) {
        self.code = code
        self.path = path
        self.reason = reason
    }

    /// - Parameter number: `errno`.
    init(path: String, errno number: CInt) {
        let code: Code =
            switch number {
            case ENOENT, ENOTDIR: .folderNotFound
            case EACCES, EPERM, EROFS: .permissionDenied
            case ENOSPC, EDQUOT, EFBIG: .noSpace
            case EISDIR, ELOOP, ENXIO: .notAFile
            default: .failed
            }
        self.init(code, path: path, reason: strerror(number).map { String(cString: $0) } ?? "error \(number)")
    }
}
