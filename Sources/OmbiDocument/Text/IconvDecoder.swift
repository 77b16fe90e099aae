#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

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

    /// Writes letters that are held back until it is known whether a mark follows.
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
