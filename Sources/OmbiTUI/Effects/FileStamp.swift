#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The attributes that change when a file is written or replaced.
struct FileStamp: Equatable {
    private let number: UInt64
    private let size: Int64
    /// The time of the last change, in nanoseconds since 1970.
    let time: Int

    /// Nil when there is no file.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        (number, size) = (UInt64(status.st_ino), Int64(status.st_size))
        #if canImport(Darwin)
        time = Self.nanoseconds(status.st_mtimespec)
        #else
        time = Self.nanoseconds(status.st_mtim)
        #endif
    }

    /// The present in the clock of the files, which lags behind by up to a hundredth of a second.
    static var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return nanoseconds(time) - 10_000_000
    }

    private static func nanoseconds(_ time: timespec) -> Int { time.tv_sec &* 1_000_000_000 &+ time.tv_nsec }
}
