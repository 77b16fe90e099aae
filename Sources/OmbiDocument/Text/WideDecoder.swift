/// UTF-16 and UTF-32, in either order of bytes.
struct WideDecoder: TextDecoding {
    let size: Int
    let isLittleEndian: Bool

    func decode(_ bytes: Bytes, isLast: Bool, into output: inout [UInt8], bad: inout Int?) -> Int {
        var offset = 0
        while offset + size <= bytes.count {
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
                appendReplacement(to: &output, at: offset, bad: &bad)
            } else {
                append(value, to: &output)
            }
            offset += length
        }
        guard isLast, offset < bytes.count else { return offset }
        appendReplacement(to: &output, at: offset, bad: &bad)
        return bytes.count
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
