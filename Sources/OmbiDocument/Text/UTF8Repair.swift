/// UTF-8 to UTF-8: what is none is replaced.
struct UTF8Repair: TextDecoding {
    func decode(_ bytes: Bytes, isLast: Bool, into output: inout [UInt8], bad: inout Int?) -> Int {
        var offset = 0
        while offset < bytes.count {
            let invalid = UTF8Reader.firstInvalid(in: bytes, offset..<bytes.count) ?? bytes.count
            output.append(contentsOf: bytes.buffer(offset..<invalid))
            guard invalid < bytes.count else { return bytes.count }
            let length = UTF8Reader.scalar(in: bytes, at: invalid, before: bytes.count).length
            if !isLast, invalid + length == bytes.count, bytes[invalid] >= 0xC2, bytes[invalid] <= 0xF4 {
                return invalid
            }
            appendReplacement(to: &output, at: invalid, bad: &bad)
            offset = invalid + length
        }
        return offset
    }
}
