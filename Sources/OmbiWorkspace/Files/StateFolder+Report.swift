#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The folder of what outlives the program, as it is now.
public struct StateFolderReport: Sendable, Equatable {
    /// Nil without a home folder.
    public var path: String?
    public var exists = false
    /// True where Ombi can write into it, or make it.
    public var isWritable = false
    /// True where others than its owner may read it.
    public var isOpen = false

    public static var current: StateFolderReport { StateFolderReport(path: StateFolder.path) }

    init(path: String?) {
        self.path = path
        guard let path else { return }
        var status = stat()
        exists = stat(path, &status) == 0
        isOpen = exists && status.st_mode & 0o077 != 0
        var nearest = path
        while access(nearest, F_OK) != 0, let slash = nearest.lastIndex(of: "/"), slash > nearest.startIndex {
            nearest = String(nearest[..<slash])
        }
        isWritable = access(nearest, W_OK | X_OK) == 0
    }
}
