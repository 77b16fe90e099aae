import OmbiPlatform

/// The bytes that `ombi filter` and `ombi view` read: a mapped file, or a stream that grows within a reserved range.
/// Either way they keep their address until they are dropped.
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
    /// The offset up to which the input has been read.
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

    /// A mapped file that another program truncates cannot be read to its end: the kernel says so with a signal.
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
