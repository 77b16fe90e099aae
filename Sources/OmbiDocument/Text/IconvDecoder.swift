#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Every other encoding, by the converter of the C library (iconv).
final class IconvDecoder: TextDecoding {
    private let converter: iconv_t

    init?(name: String) {
        guard let converter = iconv_open("UTF-8", name), converter != iconv_t(bitPattern: -1) else { return nil }
        self.converter = converter
    }

    deinit { iconv_close(converter) }

    func decode(_ bytes: Bytes, isLast: Bool, into output: inout [UInt8], bad: inout Int?) -> Int {
        var offset = 0
        while offset < bytes.count {
            let problem = convert(bytes, &offset, into: &output)
            if problem == 0 { return offset }
            if problem == EINVAL, !isLast { return offset }
            // E2BIG: there is more than the buffer holds. Anything else is a byte that is no letter.
            if problem != E2BIG {
                appendReplacement(to: &output, at: offset, bad: &bad)
                offset += 1
            }
        }
        return min(offset, bytes.count)
    }

    /// Converts as much as fits into 64 KiB. 0 when it was everything, or what iconv says is wrong.
    private func convert(_ bytes: Bytes, _ offset: inout Int, into output: inout [UInt8]) -> Int32 {
        var problem: Int32 = 0
        let start = offset
        var taken = 0
        let piece = [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
            var input: UnsafeMutablePointer<CChar>? = UnsafeMutableRawPointer(mutating: bytes.base + start)
                .assumingMemoryBound(to: CChar.self)
            var inputLeft = bytes.count - start
            var target: UnsafeMutablePointer<CChar>? = buffer.baseAddress.map {
                UnsafeMutableRawPointer($0).assumingMemoryBound(to: CChar.self)
            }
            var targetLeft = buffer.count
            let result = iconv(converter, &input, &inputLeft, &target, &targetLeft)
            problem = result == Int.max || Int(bitPattern: UInt(bitPattern: result)) == -1 ? errno : 0
            taken = bytes.count - start - inputLeft
            count = buffer.count - targetLeft
        }
        output += piece
        offset += taken
        return problem
    }
}
