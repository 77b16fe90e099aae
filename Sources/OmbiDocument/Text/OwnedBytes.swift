/// Memory for `Bytes` views. It is freed with the last view.
// Proof of Sendable: each byte is written only before there is a view that has it.
final class OwnedBytes: @unchecked Sendable {
    let base: UnsafePointer<UInt8>
    let memory: UnsafeMutableRawBufferPointer

    init(capacity: Int) {
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, capacity))
        base = UnsafePointer(bytes)
        memory = UnsafeMutableRawBufferPointer(start: bytes, count: capacity)
    }

    deinit { base.deallocate() }
}
