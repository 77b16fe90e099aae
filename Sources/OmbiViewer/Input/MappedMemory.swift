#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A range of memory that is unmapped when its last owner is gone.
// Proof of Sendable: it is constant. Only its creator writes to the memory behind it, and only beyond what it has
// shared with others; only `ombi filter`, which has one thread, moves shared bytes.
final class MappedMemory: @unchecked Sendable {
    let base: UnsafeMutablePointer<UInt8>
    let size: Int

    /// Nil when the system has none of that kind; `errno` has the cause.
    init?(_ size: Int, _ protection: Int32, _ flags: Int32, _ descriptor: Int32) {
        let memory = mmap(nil, size, protection, flags, descriptor, 0)
        guard let memory, memory != MAP_FAILED else { return nil }
        base = memory.assumingMemoryBound(to: UInt8.self)
        self.size = size
    }

    /// Reserves a range, which takes memory only as far as it is written.
    static func reserve(_ size: Int) -> MappedMemory? {
        MappedMemory(size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1)
    }

    deinit { munmap(base, size) }
}
