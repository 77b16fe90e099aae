/// An image recognized by its first bytes: its format, and its size in pixels if the header gives it.
public struct ImageKind: Sendable, Equatable {
    public enum Format: String, Sendable {
        case png = "PNG"
        case jpeg = "JPEG"
        case gif = "GIF"
        case webP = "WebP"
        case bmp = "BMP"
    }

    public var format: Format
    public var width: Int?
    public var height: Int?

    /// Such as `PNG image`.
    public var name: String { "\(format.rawValue) image" }

    /// Returns nil unless the bytes are PNG, JPEG, GIF, WebP or BMP.
    public init?(_ bytes: Bytes) {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            format = .png
            if bytes.count >= 24 { (width, height) = (bytes.bigEndian(16, 4), bytes.bigEndian(20, 4)) }
        } else if bytes.starts(with: Array("GIF87a".utf8)) || bytes.starts(with: Array("GIF89a".utf8)) {
            format = .gif
            if bytes.count >= 10 { (width, height) = (bytes.littleEndian(6, 2), bytes.littleEndian(8, 2)) }
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            format = .jpeg
            if let header = JPEGHeader(bytes) { (width, height) = (header.size.width, header.size.height) }
        } else if bytes.starts(with: Array("RIFF".utf8)), bytes.starts(with: Array("WEBP".utf8), at: 8) {
            format = .webP
            if let size = Self.webPSize(bytes) { (width, height) = size }
        } else if bytes.starts(with: Array("BM".utf8)), bytes.count >= 26, bytes.littleEndian(14, 4) >= 12,
            bytes.littleEndian(14, 4) <= 124, bytes.littleEndian(6, 4) == 0
        {
            format = .bmp
            (width, height) = (bytes.littleEndian(18, 4), bytes.littleEndian(22, 4))
        } else {
            return nil
        }
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
