#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The processors of this machine.
package enum Processors {
    /// The number that was online when it was first asked for, at least 1.
    package static let count = max(Int(sysconf(CInt(_SC_NPROCESSORS_ONLN))), 1)
}
