/// Bytes whose address never changes while more are appended behind them: a reserved range of memory, a mapped file.
///
/// What has been handed over by a count is never written again, so any thread may read it.
// Proof of Sendable: the pointer is only read through, and only below counts that the owner has handed over; the owner
// is itself Sendable and keeps the memory for as long as a copy of this value lives.
public struct StableBytes: @unchecked Sendable {
    /// The first byte. Reading is allowed below the count that was last handed over.
    public let base: UnsafePointer<UInt8>
    /// What keeps the memory.
    let owner: (any AnyObject & Sendable)?

    /// - Parameters:
    ///   - base: The address of the first byte; it stays valid while `owner` lives.
    ///   - owner: What frees the memory when the last copy of this value has gone; nil for memory that is never freed.
    public init(base: UnsafePointer<UInt8>, owner: (any AnyObject & Sendable)?) {
        self.base = base
        self.owner = owner
    }

    /// A copy of `bytes`, for bodies that are at hand whole.
    public init(copying bytes: some Collection<UInt8>) {
        let copy = CopiedBytes(bytes)
        self.init(base: copy.base, owner: copy)
    }
}

// Proof of Sendable: the memory is written in `init` only.
private final class CopiedBytes: @unchecked Sendable {
    let base: UnsafePointer<UInt8>

    init(_ bytes: some Collection<UInt8>) {
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: max(bytes.count, 1))
        _ = UnsafeMutableBufferPointer(start: memory, count: bytes.count).initialize(from: bytes)
        base = UnsafePointer(memory)
    }

    deinit { base.deallocate() }
}
