/// The output of a decoder: memory with room for the UTF-8 of the bytes to decode.
struct TextSink {
    private(set) var next: UnsafeMutablePointer<UInt8>
    private let start: UnsafeMutablePointer<UInt8>
    private let end: UnsafeMutablePointer<UInt8>

    init(_ start: UnsafeMutablePointer<UInt8>, room: Int) {
        (next, self.start, end) = (start, start, start + room)
    }

    /// Room beyond that for the bytes: for what a decoder has held back, and for the longest letter.
    static let reserve = 64

    var count: Int { next - start }
    /// The number of bytes that still fit. Callers that append make sure that it is enough.
    var room: Int { end - next }

    /// Counts bytes that others wrote to `next`.
    mutating func advance(by count: Int) { next += count }

    @inline(__always)
    mutating func append(byte: UInt8) {
        next[0] = byte
        next += 1
    }

    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let source = bytes.baseAddress else { return }
        next.update(from: source, count: bytes.count)
        next += bytes.count
    }

    /// Appends a scalar, in up to four bytes.
    @inline(__always)
    mutating func append(_ value: UInt32) {
        switch value {
        case 0..<0x80: append(byte: UInt8(truncatingIfNeeded: value))
        case 0x80..<0x800:
            append(byte: 0xC0 | UInt8(truncatingIfNeeded: value >> 6))
            appendRest(value)
        case 0x800..<0x10000:
            append(byte: 0xE0 | UInt8(truncatingIfNeeded: value >> 12))
            appendRest(value >> 6)
            appendRest(value)
        default:
            append(byte: 0xF0 | UInt8(truncatingIfNeeded: value >> 18 & 0x07))
            appendRest(value >> 12)
            appendRest(value >> 6)
            appendRest(value)
        }
    }

    @inline(__always)
    private mutating func appendRest(_ value: UInt32) { append(byte: 0x80 | UInt8(truncatingIfNeeded: value & 0x3F)) }

    /// Appends U+FFFD for invalid bytes.
    mutating func appendReplacement(at offset: Int, bad: inout Int?) {
        if bad == nil { bad = offset }
        append(0xFFFD)
    }
}
