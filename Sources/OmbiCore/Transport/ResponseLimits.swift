#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The size limits and storage of responses: the common part of the transports' configurations.
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

    /// The value of `TMPDIR`, or `/tmp`.
    package static var defaultTemporaryFolder: String {
        guard let folder = getenv("TMPDIR"), folder.pointee != 0 else { return "/tmp" }
        return String(cString: folder)
    }
}

extension ResponseStore {
    /// Creates a store for at most `capacity` bytes, within the limits.
    package convenience init(capacity: Int, limits: ResponseLimits) {
        self.init(
            capacity: min(capacity, limits.maximumBytes), memoryLimit: limits.memoryLimit, budget: limits.memoryBudget,
            temporaryFolder: limits.temporaryFolder)
    }
}
