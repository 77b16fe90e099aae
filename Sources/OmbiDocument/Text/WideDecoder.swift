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
