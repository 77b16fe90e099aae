/// The deflate format with stored blocks: every decoder reads it, and no compression library is needed.
enum Deflate {
    /// RFC 1951 §3.2.4.
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var begin = 0
        repeat {
            let end = min(begin + 65_535, bytes.count)
            let length = UInt16(end - begin)
            result.append(end == bytes.count ? 1 : 0)
            result += littleEndian(length) + littleEndian(~length) + bytes[begin..<end]
            begin = end
        } while begin < bytes.count
        return result
    }

    /// RFC 1952.
    static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255] + stored(bytes) + littleEndian(Checksum.crc32(bytes))
            + littleEndian(UInt32(truncatingIfNeeded: bytes.count))
    }

    /// RFC 1950: called “deflate” in HTTP, and used by PNG.
    static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        [0x78, 0x01] + stored(bytes) + littleEndian(Checksum.adler32(bytes)).reversed()
    }

    private static func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
        (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
