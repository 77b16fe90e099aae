/// A copy of bytes for `Bytes` views. It is freed with the last view.
// Proof of Sendable: the memory is written in `init` only.
final class OwnedBytes: @unchecked Sendable {
    let base: UnsafePointer<UInt8>
    let count: Int
    private let memory: UnsafeMutablePointer<UInt8>

    init(_ bytes: [UInt8]) {
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, bytes.count))
        bytes.withUnsafeBufferPointer { source in
            if let start = source.baseAddress { memory.initialize(from: start, count: source.count) }
        }
        count = bytes.count
        base = UnsafePointer(memory)
        self.memory = memory
    }

    deinit { memory.deallocate() }
}
