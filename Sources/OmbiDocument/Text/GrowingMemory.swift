#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Memory that grows and never moves: addresses are reserved for the maximum size, and pages of it are opened when they
/// are written to.
// Proof of Sendable: one thread, that of the DecodedText, writes, after the end of all views that were handed out; the
// memory is freed with the last of them.
final class GrowingMemory: @unchecked Sendable {
    let base: UnsafeMutablePointer<UInt8>
    /// The number of bytes written.
    private(set) var count = 0
    private var reserved: Int
    private var opened = 0

    private static let step = 1 << 20
    private static let pageSize = max(Int(sysconf(CInt(_SC_PAGESIZE))), 4096)

    /// Returns nil when not even a step can be reserved.
    /// - Parameter capacity: The maximum size. Where addresses are limited (ulimit -v), it may be less.
    init?(capacity: Int) {
        var length = Self.rounded(max(1, capacity), to: Self.pageSize)
        var range = Self.reserve(length)
        while range == nil, length > Self.step {
            length = Self.rounded(length / 2, to: Self.pageSize)
            range = Self.reserve(length)
        }
        guard let range else { return nil }
        base = range.assumingMemoryBound(to: UInt8.self)
        reserved = length
    }

    deinit { munmap(base, reserved) }

    /// Lends the memory after the written bytes.
    /// - Returns: false when there is no room for so many more.
    func append(atMost most: Int, _ write: (inout TextSink) -> Void) -> Bool {
        guard open(count + most) else { return false }
        var sink = TextSink(base + count, room: most)
        write(&sink)
        count += sink.count
        return true
    }

    private func open(_ end: Int) -> Bool {
        guard end > opened else { return true }
        guard end <= reserved else { return false }
        let target = min(Self.rounded(end, to: Self.step), reserved)
        guard mprotect(base + opened, target - opened, PROT_READ | PROT_WRITE) == 0 else { return false }
        opened = target
        return true
    }

    /// Frees the unused memory of a complete text.
    func trim() {
        let used = max(Self.pageSize, Self.rounded(count, to: Self.pageSize))
        guard used < reserved else { return }
        munmap(base + used, reserved - used)
        (reserved, opened) = (used, min(opened, used))
    }

    private static func reserve(_ length: Int) -> UnsafeMutableRawPointer? {
        #if canImport(Darwin)
        let flags = MAP_PRIVATE | MAP_NORESERVE | MAP_ANON
        #else
        let flags = MAP_PRIVATE | MAP_NORESERVE | MAP_ANONYMOUS
        #endif
        let range = mmap(nil, length, PROT_NONE, flags, -1, 0)
        return range == MAP_FAILED ? nil : range
    }

    private static func rounded(_ count: Int, to size: Int) -> Int { (count + size - 1) / size * size }
}
