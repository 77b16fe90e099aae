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

    /// For a transport of one's own, which tells it with `TransportEvent.body`, fills it, and finishes it.
    /// - Parameters:
    ///   - capacity: The longest body that fits, in bytes.
    ///   - memoryLimit: How much of it stays in memory, in bytes, as long as the budget has as much.
    ///   - budget: The memory that it shares with other stores.
    ///   - temporaryFolder: Where the rest of it goes; nil is that of `TMPDIR`, or `/tmp`.
    public init(
        capacity: Int = 1 << 30, memoryLimit: Int = 32 << 20, budget: MemoryBudget = .standard,
        temporaryFolder: String? = nil
    ) {
        pages = Lock(
            StorePages(
                capacity: capacity, memoryLimit: memoryLimit, budget: budget,
                temporaryFolder: temporaryFolder ?? ResponseLimits.defaultTemporaryFolder))
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

    /// Adds to what has arrived. Throws `responseTooLarge` beyond the capacity, and `responseNotStored` when there is no
    /// memory or no room for the temporary file, or when the store is finished; then it is as it was, or has a part more.
    public func append(_ bytes: UnsafeRawBufferPointer) throws(TransportError) {
        guard !bytes.isEmpty else { return }
        let result = pages.withLock { pages in
            Result { () throws(TransportError) in
                try pages.append(bytes)
                published.withLock { $0 = (pages.address, pages.count) }
            }
        }
        try result.get()
    }

    /// The same for bytes in memory.
    public func append(_ data: Data) throws(TransportError) {
        let result = data.withUnsafeBytes { bytes in Result { () throws(TransportError) in try append(bytes) } }
        try result.get()
    }

    /// Nothing more comes: gives back what was reserved and not used. The bytes stay as they are.
    public func finish() { pages.withLock { $0.finish() } }
}

extension ResponseStore: Hashable {
    public static func == (left: ResponseStore, right: ResponseStore) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
