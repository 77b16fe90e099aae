#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The attributes that change when a file is written or replaced.
struct FileStamp: Equatable {
    private let number: UInt64
    private let size: Int64
    /// The time of the last change, in seconds since 1970.
    let seconds: Int
    private let nanoseconds: Int

    /// Nil when there is no file.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        (number, size) = (UInt64(status.st_ino), Int64(status.st_size))
        #if canImport(Darwin)
        (seconds, nanoseconds) = (status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec)
        #else
        (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        #endif
    }
}
