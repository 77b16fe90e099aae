/// A name or a literal of an expression as UTF-8, at an address that stays: it is compared with the body in place.
struct JSONPathBytes: Sendable {
    private let stable: StableBytes
    private let count: Int

    init(_ text: String) {
        let bytes = Array(text.utf8)
        stable = StableBytes(copying: bytes)
        count = bytes.count
    }

    @inline(__always) func withBuffer<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        withExtendedLifetime(stable) { body(UnsafeBufferPointer(start: stable.base, count: count)) }
    }
}
