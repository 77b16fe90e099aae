/// Holds a reader to the length that was announced, and names its errors. What would complete a body is held back until
/// the reader says that it has ended, so that no server takes a body that is too long for whole.
final class CheckedReader: BodyReader {
    fileprivate let reader: any BodyReader
    private let length: Int?
    private var position = 0
    /// The last of the announced bytes, while the reader does not know whether there are more.
    private var lastByte: UInt8?

    init(_ reader: any BodyReader, length: Int?) throws {
        self.reader = reader
        self.length = length
        if length == 0 { _ = try hasEnded(reader.readOrEnd) }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        try read(into: buffer) { try reader.read(into: $0) } ?? 0
    }

    /// - Parameter next: Asks the reader; nil when it has nothing yet.
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

    /// False when the reader has nothing yet.
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

/// The same around a reader that may have to wait.
final class WaitingCheckedReader: WaitingBodyReader {
    private let checked: CheckedReader

    init(_ checked: CheckedReader) { self.checked = checked }

    func read(into buffer: UnsafeMutableRawBufferPointer, wake: @escaping @Sendable () -> Void) throws -> Int? {
        try checked.read(into: buffer) { try checked.reader.readOrWait(into: $0, wake: wake) }
    }
}

extension BodyReader {
    /// A reader that has nothing yet is taken to have ended: nobody could wait for it.
    fileprivate func readOrEnd(into buffer: UnsafeMutableRawBufferPointer) throws -> Int? {
        try readOrWait(into: buffer, wake: {})
    }
}
