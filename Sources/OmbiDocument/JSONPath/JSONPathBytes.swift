/// A name or a literal of an expression as UTF-8, at a stable address: it is compared with the body in place.
struct JSONPathBytes: Sendable {
    private let bytes: Bytes

    init(_ text: String) { bytes = Bytes(text.utf8) }

    @inline(__always) func withBuffer<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        withExtendedLifetime(bytes) { body(UnsafeBufferPointer(start: bytes.base, count: bytes.count)) }
    }
}
