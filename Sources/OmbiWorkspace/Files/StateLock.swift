#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The lock of a file that several programs read, change and write: each change takes over what the others have written.
enum StateLock {
    /// Runs a change while no other Ombi makes one of the same file. Where there are no locks, as on some network drives, it
    /// runs all the same.
    /// - Parameter path: the file. The lock is an empty file with the suffix `.lock` next to it, in a folder that is created.
    static func exclusively<Result, Failure: Error>(
        _ path: String, _ fileSystem: some FileSystem = PosixFileSystem(), _ change: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if let slash = path.lastIndex(of: "/") { try? fileSystem.makeFolder(String(path[..<slash])) }
        let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        defer { if lock >= 0 { close(lock) } }
        // A signal interrupts the wait.
        while lock >= 0, flock(lock, LOCK_EX) != 0, errno == EINTR {}
        return try change()
    }
}
