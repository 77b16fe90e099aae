#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads a body once, from its first byte to its last.
public protocol BodyReader: AnyObject {
    /// Writes the next bytes to the start of the buffer, at least one unless the body has ended. Gives their number, 0
    /// at the end.
    ///
    /// It is called on the thread that drives all transfers of the transport: it must not wait for long.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int
}

/// Reads bytes in memory.
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

/// Reads one stream after the other.
final class ChainReader: BodyReader {
    private var rest: ArraySlice<BodyStream>
    private var reader: (any BodyReader)?

    init(_ streams: [BodyStream]) { rest = streams[...] }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            if let count = try reader?.read(into: buffer), count > 0 { return count }
            guard let next = rest.popFirst() else { return 0 }
            reader = try next.open()
        }
    }
}

/// Holds a reader to the length that was announced. What would complete a body that is too long is held back, so that
/// no server takes the request for whole.
final class ExactReader: BodyReader {
    private let reader: any BodyReader
    private let length: Int
    private var position = 0

    init(length: Int, _ open: () throws -> any BodyReader) throws {
        self.length = length
        reader = try Self.naming { try open() }
        if length == 0 { try checkEnd() }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let wanted = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(length - position))
        guard !wanted.isEmpty else { return 0 }
        let count = try Self.naming { try reader.read(into: wanted) }
        guard (1...wanted.count).contains(count) else {
            throw BodyStreamError.endedEarly(after: position, length: length)
        }
        position += count
        if position == length { try checkEnd() }
        return count
    }

    private func checkEnd() throws {
        try withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { byte in
            let count = try Self.naming { try reader.read(into: byte) }
            if count > 0 { throw BodyStreamError.deliversMore(length: length) }
        }
    }

    private static func naming<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as BodyStreamError {
            throw error
        } catch {
            throw BodyStreamError.unreadable("\(error)")
        }
    }
}
