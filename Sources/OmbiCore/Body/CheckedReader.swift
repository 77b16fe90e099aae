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

    /// Returns false if the reader has neither bytes nor an end yet. Throws if it has more bytes.
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

/// A `CheckedReader` around a reader that may have to wait.
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
