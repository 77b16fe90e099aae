/// An image by its first bytes: its format, and its size in pixels where the header says it.
public struct ImageKind: Sendable, Equatable {
    /// Such as `PNG image`.
    public var name: String
    public var width: Int?
    public var height: Int?

    /// Nil when the bytes are none of PNG, JPEG, GIF, WebP, BMP.
    public init?(_ bytes: Bytes) {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            name = "PNG image"
            if bytes.count >= 24 { (width, height) = (bytes.bigEndian(16, 4), bytes.bigEndian(20, 4)) }
        } else if bytes.starts(with: Array("GIF87a".utf8)) || bytes.starts(with: Array("GIF89a".utf8)) {
            name = "GIF image"
            if bytes.count >= 10 { (width, height) = (bytes.littleEndian(6, 2), bytes.littleEndian(8, 2)) }
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            name = "JPEG image"
            if let frame = Self.jpegFrame(bytes) {
                (width, height) = (bytes.bigEndian(frame + 3, 2), bytes.bigEndian(frame + 1, 2))
            }
        } else if bytes.starts(with: Array("RIFF".utf8)), bytes.starts(with: Array("WEBP".utf8), at: 8) {
            name = "WebP image"
            if let size = Self.webPSize(bytes) { (width, height) = size }
        } else if bytes.starts(with: Array("BM".utf8)), bytes.count >= 26, bytes.littleEndian(14, 4) >= 12,
            bytes.littleEndian(14, 4) <= 124, bytes.littleEndian(6, 4) == 0
        {
            name = "BMP image"
            (width, height) = (bytes.littleEndian(18, 4), bytes.littleEndian(22, 4))
        } else {
            return nil
        }
    }

    /// The offset of what a frame header (SOF) holds behind its length: precision, height, width.
    private static func jpegFrame(_ bytes: Bytes) -> Int? {
        var offset = 2
        while offset + 9 < bytes.count {
            guard bytes[offset] == 0xFF else { return nil }
            let marker = bytes[offset + 1]
            switch marker {
            case 0xFF: offset += 1
            case 0x01, 0xD0...0xD7: offset += 2
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF: return offset + 4
            case 0xD9, 0xDA: return nil
            default: offset += 2 + max(2, bytes.bigEndian(offset + 2, 2))
            }
        }
        return nil
    }

    private static func webPSize(_ bytes: Bytes) -> (Int, Int)? {
        guard bytes.count >= 30 else { return nil }
        switch bytes.text(12..<16) {
        case "VP8 ": return (bytes.littleEndian(26, 2) & 0x3FFF, bytes.littleEndian(28, 2) & 0x3FFF)
        case "VP8L":
            let bits = bytes.littleEndian(21, 4)
            return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
        case "VP8X": return (bytes.littleEndian(24, 3) + 1, bytes.littleEndian(27, 3) + 1)
        default: return nil
        }
    }
}
