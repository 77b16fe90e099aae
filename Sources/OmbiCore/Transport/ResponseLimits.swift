#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// How large a response may be, and where it is kept: what the configurations of the transports have in common.
package struct ResponseLimits: Sendable, Hashable {
    package var maximumBytes: Int
    package var memoryLimit: Int
    package var memoryBudget: MemoryBudget
    package var temporaryFolder: String

    package init(maximumBytes: Int, memoryLimit: Int, memoryBudget: MemoryBudget, temporaryFolder: String) {
        self.maximumBytes = maximumBytes
        self.memoryLimit = memoryLimit
        self.memoryBudget = memoryBudget
        self.temporaryFolder = temporaryFolder
    }

    /// `TMPDIR`, or `/tmp`.
    package static var defaultTemporaryFolder: String {
        guard let folder = getenv("TMPDIR"), folder.pointee != 0 else { return "/tmp" }
        return String(cString: folder)
    }
}

extension ResponseStore {
    /// For a body of at most `capacity` bytes, within the limits.
    package convenience init(capacity: Int, limits: ResponseLimits) {
        self.init(
            capacity: min(capacity, limits.maximumBytes), memoryLimit: limits.memoryLimit, budget: limits.memoryBudget,
            temporaryFolder: limits.temporaryFolder)
    }
}
