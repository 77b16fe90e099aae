import Dispatch

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

/// Reads a body whose bytes come in their own time: from a pipe, a socket, another task.
///
///     final class Lines: WaitingBodyReader {
///         func read(into buffer: UnsafeMutableRawBufferPointer, wake: @escaping @Sendable () -> Void) throws -> Int? {
///             …
///         }
///     }
public protocol WaitingBodyReader: BodyReader {
    /// Writes the next bytes to the start of the buffer and gives their number, 0 at the end.
    ///
    /// Gives nil when there is nothing yet. Then `wake` is to be called when there is something, once, from any thread; it
    /// may be called before this returns. Other transfers go on meanwhile, and the time does not count for
    /// `TransportRequest.idleTimeout`.
    func read(into buffer: UnsafeMutableRawBufferPointer, wake: @escaping @Sendable () -> Void) throws -> Int?
}

extension WaitingBodyReader {
    /// Waits until there is something to read.
    public func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            let isAwake = DispatchSemaphore(value: 0)
            if let count = try read(into: buffer, wake: { isAwake.signal() }) { return count }
            isAwake.wait()
        }
    }
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
    /// nil when a reader that may wait has nothing yet.
    func readOrWait(
        into buffer: UnsafeMutableRawBufferPointer, wake: @escaping @Sendable () -> Void
    ) throws -> Int? {
        guard let waiting = self as? any WaitingBodyReader else { return try read(into: buffer) }
        return try waiting.read(into: buffer, wake: wake)
    }
}
