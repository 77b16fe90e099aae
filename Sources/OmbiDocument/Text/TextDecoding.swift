/// One encoding: how its bytes become UTF-8.
protocol TextDecoding {
    /// Appends the text of some bytes and answers how many it took. It leaves the start of a letter at the end, unless
    /// these are the last bytes. `bad` is set to the first offset that is no text.
    func decode(_ bytes: Bytes, isLast: Bool, into output: inout [UInt8], bad: inout Int?) -> Int
}

extension TextDecoding {
    func append(_ value: UInt32, to output: inout [UInt8]) {
        switch value {
        case 0..<0x80: output.append(UInt8(value))
        case 0x80..<0x800:
            output.append(0xC0 | UInt8(value >> 6))
            output.append(0x80 | UInt8(value & 0x3F))
        case 0x800..<0x10000:
            output.append(0xE0 | UInt8(value >> 12))
            output.append(0x80 | UInt8(value >> 6 & 0x3F))
            output.append(0x80 | UInt8(value & 0x3F))
        default:
            output.append(0xF0 | UInt8(value >> 18 & 0x07))
            output.append(0x80 | UInt8(value >> 12 & 0x3F))
            output.append(0x80 | UInt8(value >> 6 & 0x3F))
            output.append(0x80 | UInt8(value & 0x3F))
        }
    }

    func appendReplacement(to output: inout [UInt8], at offset: Int, bad: inout Int?) {
        if bad == nil { bad = offset }
        append(0xFFFD, to: &output)
    }
}
