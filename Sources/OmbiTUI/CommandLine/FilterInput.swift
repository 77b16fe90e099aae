import OmbiDocument

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The bytes that `ombi filter` reads: a file that is mapped, or a stream that grows within a reserved range.
/// Either way they stay where they are until they are dropped.
struct FilterInput: ~Copyable {
    /// Ranges that are tried for a stream. Nothing of them takes memory until it is written.
    private static let reservations = [JSONIndex.maximumByteCount, 1 << 30, 1 << 28]

    /// Whether more may come while it is read.
    let isStream: Bool
    private let name: String
    private let descriptor: Int32
    private let base: UnsafeMutablePointer<UInt8>
    private let size: Int
    /// Where `bytes` begin: at 0 for a stream.
    private var start = 0
    /// How far has been read.
    private var end = 0

    /// - Parameters:
    ///   - path: `-` is standard input.
    ///   - isMapped: Whether a file is mapped; it is read like a stream otherwise.
    ///   - standardInput: its descriptor, where it is no longer 0.
    init(_ path: String, isMapped: Bool = true, standardInput: Int32 = 0) throws(FilterInputError) {
        name = path == "-" ? "standard input" : path
        descriptor = path == "-" ? standardInput : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FilterInputError(name: name, reason: Self.lastError) }
        if isMapped, let (memory, count) = Self.map(descriptor) {
            (base, size, isStream) = (memory, count, false)
            Self.guardAgainstShrinking()
        } else if let (memory, count) = Self.reserve() {
            (base, size, isStream) = (memory, count, true)
        } else {
            throw FilterInputError(name: name, reason: Self.lastError)
        }
    }

    deinit {
        munmap(base, size)
        if descriptor > 0 { close(descriptor) }
    }

    /// What has been read and not dropped.
    var bytes: Bytes { Bytes(base: base + start, count: end - start, owner: nil) }

    /// - Returns: How many bytes came; nil at the end.
    mutating func read(atMost count: Int) throws(FilterInputError) -> Int? {
        guard isStream else {
            let more = min(count, size - end)
            end += more
            return more > 0 ? more : nil
        }
        guard end < size else { throw FilterInputError(name: name, reason: "one value takes more than \(size) bytes") }
        while true {
            let more = systemRead(descriptor, base + end, min(count, size - end))
            if more > 0 {
                end += more
                return more
            }
            if more == 0 { return nil }
            guard errno == EINTR else { throw FilterInputError(name: name, reason: Self.lastError) }
        }
    }

    /// Lets the first `count` bytes go: what `bytes` was before is no longer used.
    mutating func drop(_ count: Int) {
        guard isStream else {
            start += count
            return
        }
        memmove(base, base + count, end - count)
        end -= count
    }

    private static var lastError: String { String(cString: strerror(errno)) }

    /// A regular file that is read from its beginning.
    private static func map(_ descriptor: Int32) -> (UnsafeMutablePointer<UInt8>, Int)? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0,
            lseek(descriptor, 0, SEEK_CUR) == 0
        else { return nil }
        return map(Int(status.st_size), PROT_READ, MAP_PRIVATE, descriptor)
    }

    private static func reserve() -> (UnsafeMutablePointer<UInt8>, Int)? {
        for size in reservations {
            let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
            if let range = map(size, PROT_READ | PROT_WRITE, flags, -1) { return range }
        }
        return nil
    }

    private static func map(
        _ size: Int, _ protection: Int32, _ flags: Int32, _ descriptor: Int32
    ) -> (UnsafeMutablePointer<UInt8>, Int)? {
        let memory = mmap(nil, size, protection, flags, descriptor, 0)
        guard let memory, memory != MAP_FAILED else { return nil }
        return (memory.assumingMemoryBound(to: UInt8.self), size)
    }

    /// A mapped file that another program makes shorter cannot be read to its end: the kernel says so with a signal.
    private static func guardAgainstShrinking() {
        signal(SIGBUS) { _ in
            let text: StaticString = "ombi: the file became shorter while it was read\n"
            _ = systemWrite(2, text.utf8Start, text.utf8CodeUnitCount)
            _exit(ExitStatus.inputOutput.rawValue)
        }
    }
}
