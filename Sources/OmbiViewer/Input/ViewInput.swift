import OmbiCore
import OmbiPlatform

/// The input of `ombi view`: a mapped file, or a pipe that is shown while it is read. Bytes of a pipe are stored like a
/// large response: in memory up to a limit, then in an unnamed file.
package final class ViewInput: Sendable {
    /// Held while a portion is read, which takes as long as a pipe waits.
    private let source: Lock<Source>
    private let isStream: Bool
    private let capacity: Int
    private let published = Lock(Bytes.empty)
    /// True when nothing more is shown: the input has ended, or was stopped.
    private let hasEnded = Lock(false)
    private let queue = DispatchQueue(label: "ombi.input")

    /// A lock holds copies or references, and there is one descriptor.
    private final class Source {
        var input: FilterInput
        let store: ResponseStore

        init(_ input: consuming FilterInput, _ store: ResponseStore) {
            self.input = input
            self.store = store
        }
    }

    private static let portion = 1 << 20

    /// - Parameters:
    ///   - path: `-` is standard input, duplicated because descriptor 0 may become the terminal.
    ///   - capacity: The maximum bytes of a stream that can be shown.
    ///   - memoryLimit: The maximum of them kept in memory.
    package init(
        _ path: String, capacity: Int = JSONIndex.maximumByteCount, memoryLimit: Int = 32 << 20
    ) throws(FilterInputError) {
        // No program that is started gets it.
        let opened = try FilterInput(
            path, standardInput: path == "-" ? fcntl(0, F_DUPFD_CLOEXEC, 3) : 0, room: [Self.portion])
        isStream = opened.isStream
        self.capacity = capacity
        source = Lock(Source(opened, ResponseStore(capacity: capacity, memoryLimit: memoryLimit)))
    }

    /// The bytes so far.
    var bytes: Bytes { published.withLock { $0 } }

    /// Reads to the end.
    /// - Parameter onMore: Called when `bytes` has grown, with true at the end.
    func read(onMore: @escaping @Sendable (Bool) -> Void, onFailure: @escaping @Sendable (String) -> Void) {
        queue.async {
            do throws(FilterInputError) {
                while let bytes = try self.next() {
                    guard !self.hasEnded.withLock({ $0 }) else { return }
                    self.published.withLock { $0 = bytes }
                    // A file is complete at once, and reported once: no part of it shows first.
                    if self.isStream { onMore(false) }
                }
            } catch {
                onFailure(error.description)
            }
            if self.end() { onMore(true) }
        }
    }

    /// Treats the received part as the whole input, and stops reading a pipe.
    /// - Returns: True if there may have been more.
    func end() -> Bool {
        hasEnded.withLock { hasEnded in
            defer { hasEnded = true }
            return !hasEnded
        }
    }

    package func all() throws(FilterInputError) -> Bytes {
        var all = Bytes.empty
        while let bytes = try next() { all = bytes }
        return all
    }

    /// Passes the whole input on in portions, and keeps none of it.
    /// - Parameter write: Returns false to stop.
    package func copy(to write: (UnsafeRawBufferPointer) -> Bool) throws(FilterInputError) {
        try source.withLock { source throws(FilterInputError) in
            while let count = try source.input.read(atMost: Self.portion) {
                let goesOn = source.input.bytes.withUnsafeBytes(0..<count) { write(UnsafeRawBufferPointer($0)) }
                guard goesOn else { return }
                source.input.drop(count)
            }
        }
    }

    /// Waits for more and returns all bytes so far; nil at the end. A file is returned at once.
    private func next() throws(FilterInputError) -> Bytes? {
        try source.withLock { source throws(FilterInputError) in
            guard isStream else { return try source.input.read(atMost: .max).map { _ in source.input.bytes } }
            guard let count = try source.input.read(atMost: Self.portion) else {
                source.store.finish()
                return nil
            }
            try keep(source.input.bytes, in: source.store, source.input.name)
            source.input.drop(count)
            return Bytes(source.store)
        }
    }

    private func keep(_ bytes: Bytes, in store: ResponseStore, _ name: String) throws(FilterInputError) {
        let result = bytes.withUnsafeBytes(0..<bytes.count) { bytes in
            Result { () throws(TransportError) in try store.append(UnsafeRawBufferPointer(bytes)) }
        }
        guard case .failure(let error) = result else { return }
        let reason =
            error.code == .responseTooLarge
            ? "more than \(capacity) bytes cannot be shown"
            : "there is no room to keep it; set TMPDIR to a folder that has some"
        throw FilterInputError(name: name, reason: reason)
    }
}

/// A range of memory that is unmapped when its last owner is released.
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
        MappedMemory(size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON | MAP_NORESERVE, -1)
    }

    deinit { munmap(base, size) }
}

/// The bytes that `ombi filter` and `ombi view` read: a mapped file, or a stream that grows within a reserved range.
/// Their address does not change until they are released.
package struct FilterInput: ~Copyable {
    /// The sizes to try for a stream's range. No memory is taken until it is written.
    static let reservations = [JSONIndex.maximumByteCount, 1 << 30, 1 << 28]

    /// True when more may arrive during reading.
    package let isStream: Bool
    let name: String
    private let descriptor: Int32
    private let memory: MappedMemory
    /// The offset of `bytes` in the memory; 0 for a stream.
    private var start = 0
    private var end = 0

    /// - Parameters:
    ///   - path: `-` is standard input.
    ///   - isMapped: true maps a file; false reads it like a stream.
    ///   - standardInput: its descriptor, when that is no longer 0.
    ///   - room: the sizes to try for a stream; the first that the system grants is the limit.
    package init(
        _ path: String, isMapped: Bool = true, standardInput: Int32 = 0, room: [Int] = Self.reservations
    ) throws(FilterInputError) {
        name = path == "-" ? "standard input" : path
        descriptor = path == "-" ? standardInput : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FilterInputError(name: name, reason: Self.lastError) }
        if Self.isFolder(descriptor) {
            if path != "-" { close(descriptor) }
            throw FilterInputError(name: name, reason: "it is a folder")
        }
        if isMapped, let memory = Self.map(descriptor) {
            (self.memory, isStream) = (memory, false)
            Self.guardAgainstShrinking()
        } else if let memory = Self.reserve(room) {
            (self.memory, isStream) = (memory, true)
        } else {
            throw FilterInputError(name: name, reason: Self.lastError)
        }
    }

    deinit {
        if descriptor > 0 { close(descriptor) }
    }

    private static func isFolder(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The bytes read and not dropped. They outlive the input.
    package var bytes: Bytes { Bytes(base: memory.base + start, count: end - start, owner: memory) }

    /// - Returns: the number of bytes that arrived; nil at the end.
    package mutating func read(atMost count: Int) throws(FilterInputError) -> Int? {
        guard isStream else {
            let more = min(count, memory.size - end)
            end += more
            return more > 0 ? more : nil
        }
        guard end < memory.size else {
            throw FilterInputError(name: name, reason: "one value takes more than \(memory.size) bytes")
        }
        while true {
            let more = OmbiPlatform.read(descriptor, memory.base + end, min(count, memory.size - end))
            if more > 0 {
                end += more
                return more
            }
            if more == 0 { return nil }
            guard errno == EINTR else { throw FilterInputError(name: name, reason: Self.lastError) }
        }
    }

    /// Drops the first `count` bytes: earlier values of `bytes` must no longer be used.
    package mutating func drop(_ count: Int) {
        guard isStream else {
            start += count
            return
        }
        memmove(memory.base, memory.base + count, end - count)
        end -= count
    }

    /// The exit status of a program that could not read its input.
    private static let lostInput: Int32 = 3

    private static var lastError: String {
        errno == ENOENT ? "no such file or folder" : String(cString: strerror(errno))
    }

    /// Maps a regular file that is read from its beginning.
    private static func map(_ descriptor: Int32) -> MappedMemory? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0,
            lseek(descriptor, 0, SEEK_CUR) == 0
        else { return nil }
        return MappedMemory(Int(status.st_size), PROT_READ, MAP_PRIVATE, descriptor)
    }

    private static func reserve(_ room: [Int]) -> MappedMemory? {
        room.lazy.compactMap(MappedMemory.reserve).first
    }

    /// Handles a mapped file that another program truncates, which the kernel reports with a signal.
    private static func guardAgainstShrinking() {
        signal(SIGBUS) { _ in
            let text: StaticString = "ombi: the file became shorter while it was read\n"
            _ = OmbiPlatform.write(2, text.utf8Start, text.utf8CodeUnitCount)
            _exit(FilterInput.lostInput)
        }
    }
}

/// A reason why an input cannot be read.
package struct FilterInputError: Error, CustomStringConvertible {
    let name: String
    let reason: String

    package var description: String { "cannot read \(name): \(reason)" }
}
