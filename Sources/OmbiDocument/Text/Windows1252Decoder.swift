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
