import OmbiPlatform

/// A decoder of one encoding to UTF-8.
protocol TextDecoding {
    /// Appends the text of some bytes and returns the number of bytes consumed. It leaves an incomplete letter at the
    /// end, unless these are the last bytes, and anything that does not fit. Sets `bad` to the first invalid offset.
    /// - Parameter output: Must have room for four bytes for each byte, and `TextSink.reserve` more.
    func decode(_ bytes: Bytes, isLast: Bool, into output: inout TextSink, bad: inout Int?) -> Int
}

/// The output of a decoder: memory with room for the UTF-8 of the bytes to decode.
struct TextSink {
    private(set) var next: UnsafeMutablePointer<UInt8>
    private let start: UnsafeMutablePointer<UInt8>
    private let end: UnsafeMutablePointer<UInt8>

    init(_ start: UnsafeMutablePointer<UInt8>, room: Int) {
        (next, self.start, end) = (start, start, start + room)
    }

    /// Extra room for bytes that a decoder has held back, and for the longest letter.
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

/// Every other encoding, by the converter of the C library (iconv). It keeps the shift state between calls.
final class IconvDecoder: TextDecoding {
    private let converter: iconv_t

    init?(name: String) {
        guard let converter = iconv_open("UTF-8", name), converter != iconv_t(bitPattern: -1) else { return nil }
        self.converter = converter
    }

    deinit { iconv_close(converter) }

    func decode(_ bytes: Bytes, isLast: Bool, into output: inout TextSink, bad: inout Int?) -> Int {
        var offset = 0
        while offset < bytes.count {
            let problem = convert(bytes, &offset, into: &output)
            if problem == 0 { break }
            // The rest may need more room than there is, or more bytes than there are.
            if output.room < TextSink.reserve || problem == EINVAL && !isLast { return offset }
            // Anything else is an invalid byte, whichever error a C library reports.
            output.appendReplacement(at: offset, bad: &bad)
            offset = min(offset + 1, bytes.count)
        }
        if isLast { flush(into: &output) }
        return offset
    }

    /// Converts as much as is valid and fits. Returns 0 when it was everything, or the error number of iconv.
    private func convert(_ bytes: Bytes, _ offset: inout Int, into output: inout TextSink) -> Int32 {
        let start = UnsafeMutableRawPointer(mutating: bytes.base + offset)
        var input: UnsafeMutablePointer<CChar>? = start.assumingMemoryBound(to: CChar.self)
        var inputLeft = bytes.count - offset
        let result = withTarget(&output) { iconv(converter, &input, &inputLeft, &$0, &$1) }
        let problem = result == -1 ? errno : 0
        offset = bytes.count - inputLeft
        return problem
    }

    /// Writes letters that were held back because a mark might follow.
    private func flush(into output: inout TextSink) {
        _ = withTarget(&output) { iconv(converter, nil, nil, &$0, &$1) }
    }

    private func withTarget(
        _ output: inout TextSink, _ body: (inout UnsafeMutablePointer<CChar>?, inout Int) -> Int
    ) -> Int {
        var target: UnsafeMutablePointer<CChar>? = UnsafeMutableRawPointer(output.next)
            .assumingMemoryBound(to: CChar.self)
        let room = output.room
        var left = room
        let result = body(&target, &left)
        output.advance(by: room - left)
        return result
    }
}

/// UTF-16 and UTF-32, in either byte order.
struct WideDecoder: TextDecoding {
    let size: Int
    let isLittleEndian: Bool

    func decode(_ bytes: Bytes, isLast: Bool, into output: inout TextSink, bad: inout Int?) -> Int {
        var offset = 0
        while offset + size <= bytes.count {
            if size == 2 {
                copyASCII(bytes, &offset, into: &output)
                guard offset + size <= bytes.count else { break }
            }
            let first = unit(bytes, offset)
            var length = size
            var value = first
            if size == 2, first >> 10 == 0x36 {
                if offset + 4 <= bytes.count {
                    let second = unit(bytes, offset + 2)
                    if second >> 10 == 0x37 {
                        value = 0x10000 + (first & 0x3FF) << 10 + second & 0x3FF
                        length = 4
                    }
                } else if !isLast {
                    return offset
                }
            }
            if value >> 11 == 0x1B || value > 0x10FFFF {
                output.appendReplacement(at: offset, bad: &bad)
            } else {
                output.append(value)
            }
            offset += length
        }
        guard isLast, offset < bytes.count else { return offset }
        output.appendReplacement(at: offset, bad: &bad)
        return bytes.count
    }

    /// Copies ASCII in UTF-16, four letters at a time.
    @inline(__always)
    private func copyASCII(_ bytes: Bytes, _ offset: inout Int, into output: inout TextSink) {
        let other: UInt64 = isLittleEndian ? 0xFF80_FF80_FF80_FF80 : 0x80FF_80FF_80FF_80FF
        while offset + 8 <= bytes.count {
            var word = ByteScan.word(bytes.base, offset)
            guard word & other == 0 else { return }
            if !isLittleEndian { word >>= 8 }
            output.append(byte: UInt8(truncatingIfNeeded: word))
            output.append(byte: UInt8(truncatingIfNeeded: word >> 16))
            output.append(byte: UInt8(truncatingIfNeeded: word >> 32))
            output.append(byte: UInt8(truncatingIfNeeded: word >> 48))
            offset += 8
        }
    }

    @inline(__always)
    private func unit(_ bytes: Bytes, _ offset: Int) -> UInt32 {
        let pointer = UnsafeRawPointer(bytes.base + offset)
        if size == 2 {
            let unit = pointer.loadUnaligned(as: UInt16.self)
            return UInt32(isLittleEndian ? UInt16(littleEndian: unit) : UInt16(bigEndian: unit))
        }
        let unit = pointer.loadUnaligned(as: UInt32.self)
        return isLittleEndian ? UInt32(littleEndian: unit) : UInt32(bigEndian: unit)
    }
}

/// The scalars that take two columns (East Asian Width W and F, and emoji shown as pictures), as ranges in order. The
/// ranges follow the C library of Linux, with its gaps filled, because the terminal must agree with Ombi about the cursor
/// position.
enum WideScalars {
    static func contains(_ value: UInt32) -> Bool {
        let index = ranges.partitioningIndex { $0.last >= value }
        return index < ranges.count && ranges[index].first <= value
    }

    private static let ranges: [(first: UInt32, last: UInt32)] = [
        (0x1100, 0x115F), (0x231A, 0x231B), (0x2329, 0x232A), (0x23E9, 0x23EC), (0x23F0, 0x23F0), (0x23F3, 0x23F3),
        (0x25FD, 0x25FE), (0x2614, 0x2615), (0x2648, 0x2653), (0x267F, 0x267F), (0x2693, 0x2693), (0x26A1, 0x26A1),
        (0x26AA, 0x26AB), (0x26BD, 0x26BE), (0x26C4, 0x26C5), (0x26CE, 0x26CE), (0x26D4, 0x26D4), (0x26EA, 0x26EA),
        (0x26F2, 0x26F3), (0x26F5, 0x26F5), (0x26FA, 0x26FA), (0x26FD, 0x26FD), (0x2705, 0x2705), (0x270A, 0x270B),
        (0x2728, 0x2728), (0x274C, 0x274C), (0x274E, 0x274E), (0x2753, 0x2755), (0x2757, 0x2757), (0x2795, 0x2797),
        (0x27B0, 0x27B0), (0x27BF, 0x27BF), (0x2B1B, 0x2B1C), (0x2B50, 0x2B50), (0x2B55, 0x2B55), (0x2E80, 0x3029),
        (0x302E, 0x303E), (0x3041, 0x3096), (0x309B, 0xA4C6), (0xA960, 0xA97C), (0xAC00, 0xD7A3), (0xF900, 0xFAD9),
        (0xFE10, 0xFE19), (0xFE30, 0xFE6B), (0xFF01, 0xFF60), (0xFFE0, 0xFFE6), (0x16FE0, 0x16FE3),
        (0x16FF0, 0x1B2FB), (0x1F004, 0x1F004), (0x1F0CF, 0x1F0CF), (0x1F18E, 0x1F18E), (0x1F191, 0x1F19A),
        (0x1F200, 0x1F320), (0x1F32D, 0x1F335), (0x1F337, 0x1F37C), (0x1F37E, 0x1F393), (0x1F3A0, 0x1F3CA),
        (0x1F3CF, 0x1F3D3), (0x1F3E0, 0x1F3F0), (0x1F3F4, 0x1F3F4), (0x1F3F8, 0x1F43E), (0x1F440, 0x1F440),
        (0x1F442, 0x1F4FC), (0x1F4FF, 0x1F53D), (0x1F54B, 0x1F54E), (0x1F550, 0x1F567), (0x1F57A, 0x1F57A),
        (0x1F595, 0x1F596), (0x1F5A4, 0x1F5A4), (0x1F5FB, 0x1F64F), (0x1F680, 0x1F6C5), (0x1F6CC, 0x1F6CC),
        (0x1F6D0, 0x1F6D2), (0x1F6D5, 0x1F6DF), (0x1F6EB, 0x1F6EC), (0x1F6F4, 0x1F6FC), (0x1F7E0, 0x1F7F0),
        (0x1F90C, 0x1F93A), (0x1F93C, 0x1F945), (0x1F947, 0x1F9FF), (0x1FA70, 0x1FAFF), (0x20000, 0x3FFFD),
    ]
}

/// windows-1252, as in the Encoding Standard: every byte is a letter, five of them control characters.
struct Windows1252Decoder: TextDecoding {
    func decode(_ bytes: Bytes, isLast: Bool, into output: inout TextSink, bad: inout Int?) -> Int {
        var offset = 0
        while offset < bytes.count {
            let next = ByteScan.firstNotASCII(in: bytes, offset..<bytes.count) ?? bytes.count
            output.append(bytes.buffer(offset..<next))
            offset = next
            while offset < bytes.count, bytes.base[offset] >= 0x80 {
                let byte = Int(bytes.base[offset])
                output.append(byte < 0xA0 ? Self.table[byte - 0x80] : UInt32(byte))
                offset += 1
            }
        }
        return offset
    }

    private static let table: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0x9D, 0x017E, 0x0178,
    ]
}
