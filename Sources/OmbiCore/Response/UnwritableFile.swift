#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file that a download could not write.
public struct UnwritableFile: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The folder does not exist.
        case folderNotFound
        /// The folder or the file is not writable, or the file system is read-only.
        case permissionDenied
        /// The disk is full, or a quota or the file size limit is reached.
        case noSpace
        /// The path is empty, or names a folder, a device or a pipe.
        case notAFile
        /// Another download to the same file is in progress.
        case inUse
        /// The partial file of another request exists; remove it, or choose another path.
        case otherDownload
        /// Any other failure; see the reason.
        case failed
    }

    /// The kind of failure, for decisions.
    public let code: Code
    /// The path as given, or that of its partial file.
    public let path: String
    /// The system's message: "No space left on device".
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
