import OmbiCore
import OmbiPlatform

/// The input of `ombi view`: a mapped file, or a pipe that is read while its bytes are shown. Bytes of a pipe are kept like
/// a large response: in memory up to a limit, then in an unnamed file.
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
    ///   - path: `-` is standard input, which is kept: descriptor 0 may become the terminal.
    ///   - capacity: the maximum bytes of a stream that can be shown.
    ///   - memoryLimit: the maximum of them kept in memory.
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
    /// - Parameter onMore: called when there is more in `bytes`, with true when that is all.
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

    /// Treats what has arrived as the whole input; a pipe that still delivers is left alone.
    /// - Returns: true if there may have been more.
    func end() -> Bool {
        hasEnded.withLock { hasEnded in
            defer { hasEnded = true }
            return !hasEnded
        }
    }

    /// Returns the whole input.
    package func all() throws(FilterInputError) -> Bytes {
        var all = Bytes.empty
        while let bytes = try next() { all = bytes }
        return all
    }

    /// Passes the whole input on in portions, and keeps none of it.
    /// - Parameter write: returns false when it takes no more.
    package func copy(to write: (UnsafeRawBufferPointer) -> Bool) throws(FilterInputError) {
        try source.withLock { source throws(FilterInputError) in
            while let count = try source.input.read(atMost: Self.portion) {
                let goesOn = source.input.bytes.withUnsafeBytes(0..<count) { write(UnsafeRawBufferPointer($0)) }
                guard goesOn else { return }
                source.input.drop(count)
            }
        }
    }

    /// Waits for more and returns all bytes so far; nil at the end. A file arrives at once.
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
        MappedMemory(size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON | MAP_NORESERVE, -1)
    }

    deinit { munmap(base, size) }
}
