import Dispatch

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
