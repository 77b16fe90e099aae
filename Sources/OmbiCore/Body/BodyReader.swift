import OmbiPlatform

/// A single pass over a body, from its first byte to its last.
public protocol BodyReader: AnyObject {
    /// Writes the next bytes to the start of the buffer, at least one unless the body has ended. Returns their number,
    /// 0 at the end.
    ///
    /// Called on the thread that drives all transfers of the transport: it must not block for long.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int
}

/// A reader of a body whose bytes arrive over time: from a pipe, a socket, another task.
///
///     final class Lines: WaitingBodyReader {
///         func read(into buffer: UnsafeMutableRawBufferPointer, wake: @escaping @Sendable () -> Void) throws -> Int? {
///             …
///         }
///     }
public protocol WaitingBodyReader: BodyReader {
    /// Writes the next bytes to the start of the buffer and returns their number, 0 at the end.
    ///
    /// Returns nil if there are none yet. Then `wake` must be called once there are, one time, from any thread; it may
    /// be called before this returns. Other transfers continue meanwhile, and the time does not count for
    /// `TransportRequest.idleTimeout`.
    func read(into buffer: UnsafeMutableRawBufferPointer, wake: @escaping @Sendable () -> Void) throws -> Int?
}

extension WaitingBodyReader {
    /// Blocks until there are bytes to read.
    public func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            let isAwake = DispatchSemaphore(value: 0)
            if let count = try read(into: buffer, wake: { isAwake.signal() }) { return count }
            isAwake.wait()
        }
    }
}

/// A reader of bytes in memory.
final class DataReader: BodyReader {
    private let data: Data
    private var position: Int

    init(_ data: Data) {
        self.data = data
        position = data.startIndex
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let end = position + min(buffer.count, data.endIndex - position)
        defer { position = end }
        return data.copyBytes(to: buffer, from: position..<end)
    }
}

/// A reader of several streams, one after the other.
final class ChainReader: WaitingBodyReader {
    private var rest: ArraySlice<BodyStream>
    private var reader: (any BodyReader)?

    init(_ streams: [BodyStream]) { rest = streams[...] }

    func read(into buffer: UnsafeMutableRawBufferPointer, wake: @escaping @Sendable () -> Void) throws -> Int? {
        while true {
            if let reader {
                guard let count = try reader.readOrWait(into: buffer, wake: wake) else { return nil }
                if count > 0 { return count }
            }
            guard let next = rest.popFirst() else { return 0 }
            reader = try next.open()
        }
    }
}

extension BodyReader {
    /// Returns nil if a reader that may wait has no bytes yet.
    func readOrWait(
        into buffer: UnsafeMutableRawBufferPointer, wake: @escaping @Sendable () -> Void
    ) throws -> Int? {
        guard let waiting = self as? any WaitingBodyReader else { return try read(into: buffer) }
        return try waiting.read(into: buffer, wake: wake)
    }
}

/// A wrapper that holds a reader to the announced length, and maps its errors to `BodyStreamError`. It withholds the
/// last byte until the reader reports its end, so that no server takes an overlong body for a complete one.
final class CheckedReader: BodyReader {
    fileprivate let reader: any BodyReader
    private let length: Int?
    private var position = 0
    /// The last announced byte, until the reader has reported its end.
    private var lastByte: UInt8?

    init(_ reader: any BodyReader, length: Int?) throws {
        self.reader = reader
        self.length = length
        if length == 0 { _ = try hasEnded(reader.readOrEnd) }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        try read(into: buffer) { try reader.read(into: $0) } ?? 0
    }

    /// - Parameter next: Reads from the reader; nil when it has no bytes yet.
    fileprivate func read(
        into buffer: UnsafeMutableRawBufferPointer, _ next: (UnsafeMutableRawBufferPointer) throws -> Int?
    ) throws -> Int? {
        if let lastByte {
            guard try hasEnded(next) else { return nil }
            buffer[0] = lastByte
            self.lastByte = nil
            return 1
        }
        let room = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(length.map { $0 - position } ?? buffer.count))
        guard !room.isEmpty else { return 0 }
        guard let count = try Self.naming({ try next(room) }) else { return nil }
        if count == 0, length == nil { return 0 }
        guard (1...room.count).contains(count) else {
            throw BodyStreamError.endedEarly(after: position, length: length ?? position)
        }
        position += count
        guard position == length, try !hasEnded(next) else { return count }
        lastByte = room[count - 1]
        return count > 1 ? count - 1 : nil
    }

    /// Returns false while neither bytes nor the end have arrived. Throws if it has more bytes.
    private func hasEnded(_ next: (UnsafeMutableRawBufferPointer) throws -> Int?) throws -> Bool {
        try withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { byte in
            let count = try Self.naming { try next(byte) }
            if let count, count > 0, let length { throw BodyStreamError.deliversMore(length: length) }
            return count != nil
        }
    }

    static func naming<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as BodyStreamError {
            throw error
        } catch {
            throw BodyStreamError.unreadable("\(error)")
        }
    }
}

final class WaitingCheckedReader: WaitingBodyReader {
    private let checked: CheckedReader

    init(_ checked: CheckedReader) { self.checked = checked }

    func read(into buffer: UnsafeMutableRawBufferPointer, wake: @escaping @Sendable () -> Void) throws -> Int? {
        try checked.read(into: buffer) { try checked.reader.readOrWait(into: $0, wake: wake) }
    }
}

extension BodyReader {
    /// Treats a reader without bytes as ended, since nothing could wait for it.
    fileprivate func readOrEnd(into buffer: UnsafeMutableRawBufferPointer) throws -> Int? {
        try readOrWait(into: buffer, wake: {})
    }
}

/// A file to send that cannot be read.
public struct UnreadableFile: Error, Sendable, Hashable, CustomStringConvertible {
    /// The path as given.
    public let path: String
    /// The system's message: "No such file or directory".
    public let reason: String

    public var description: String { "the file \(path) cannot be read (\(reason))" }
}

extension UnreadableFile {
    init(path: String, code: Int32) {
        self.init(path: path, reason: strerror(code).map { String(cString: $0) } ?? "error \(code)")
    }
}

/// A reader of a regular file.
final class FileReader: BodyReader {
    /// The size when the file was opened, in bytes.
    let length: Int
    private let path: String
    private let descriptor: CInt

    init(path: String) throws(UnreadableFile) {
        // Opening a pipe without a writer would otherwise block.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw UnreadableFile(path: path, code: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw UnreadableFile(path: path, reason: "not a regular file")
        }
        self.path = path
        self.descriptor = descriptor
        length = Int(status.st_size)
    }

    deinit { close(descriptor) }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            let count = OmbiPlatform.read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            guard errno == EINTR else { throw UnreadableFile(path: path, code: errno) }
        }
    }
}
