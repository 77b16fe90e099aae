#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The body of a large response, in one range of addresses in which it grows without ever being moved: in memory up to a
/// limit, and from there in a temporary file that is mapped behind it and has no name any more.
///
/// Whoever has it may read what has arrived so far, from any thread, without copying and while more arrives. It goes
/// with its last reference. Two stores are equal when they are the same object.
public final class ResponseStore: Sendable {
    private let pages: Lock<StorePages>
    /// The bytes that are whole and readable; behind a lock, so that whoever sees the number sees the bytes.
    private let published = Lock((address: UInt(0), count: 0))

    /// For at most `capacity` bytes, of which `memoryLimit` stay in memory as long as the budget has as much; the file
    /// lies in `temporaryFolder`.
    init(capacity: Int, memoryLimit: Int, budget: MemoryBudget = .standard, temporaryFolder: String) {
        pages = Lock(
            StorePages(
                capacity: capacity, memoryLimit: memoryLimit, budget: budget, temporaryFolder: temporaryFolder))
    }

    /// How many bytes have arrived.
    public var count: Int { published.withLock { $0.count } }

    /// The bytes that have arrived when it is called. They must not be used after `body` has returned.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(self) { try body(bytes) }
    }

    /// The bytes that have arrived, without a copy: the data keeps the store alive.
    public var data: Data {
        let bytes = bytes
        guard let address = bytes.baseAddress, !bytes.isEmpty else { return Data() }
        return Data(
            bytesNoCopy: UnsafeMutableRawPointer(mutating: address), count: bytes.count,
            deallocator: .custom { _, _ in withExtendedLifetime(self) {} })
    }

    private var bytes: UnsafeRawBufferPointer {
        let (address, count) = published.withLock { $0 }
        return UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: count)
    }

    package func append(_ bytes: UnsafeRawBufferPointer) throws(TransportError) {
        let result = pages.withLock { pages in
            Result { () throws(TransportError) in
                try pages.append(bytes)
                return (pages.address, pages.count)
            }
        }
        let (address, count) = try result.get()
        published.withLock { $0 = (address, count) }
    }

    /// Nothing more comes: gives back what was reserved and not used.
    package func close() { pages.withLock { $0.trim() } }
}

extension ResponseStore: Hashable {
    public static func == (left: ResponseStore, right: ResponseStore) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
