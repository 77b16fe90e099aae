#if canImport(CCurl)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The file descriptors of this process.
enum Descriptors {
    /// The maximum number of connections for the process: half of the descriptors within its limit, after a reserve for
    /// files and the rest of the program. A connection takes two during setup (IPv6 and IPv4, or a name lookup).
    static var connectionLimit: Int {
        var limit = rlimit()
        #if canImport(Glibc)
        let code = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #else
        let code = getrlimit(RLIMIT_NOFILE, &limit)
        #endif
        guard code == 0, let count = Int(exactly: limit.rlim_cur), count < 1 << 20 else { return 1 << 19 }
        return max((count - min(count / 2, 64)) / 2, 1)
    }

    /// True if fewer than two are left.
    static var areUsedUp: Bool {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { return errno == EMFILE || errno == ENFILE }
        for end in ends { close(end) }
        return false
    }
}
#endif
