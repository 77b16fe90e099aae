/// An image recognized by its first bytes: its format, and its size in pixels if the header gives it.
package struct ImageKind: Sendable, Equatable {
    package enum Format: String, Sendable {
        case png = "PNG"
        case jpeg = "JPEG"
        case gif = "GIF"
        case webP = "WebP"
        case bmp = "BMP"
    }

    package var format: Format
    package var width: Int?
    package var height: Int?

    /// Such as `PNG image`.
    package var name: String { "\(format.rawValue) image" }

    /// Returns nil unless the bytes are PNG, JPEG, GIF, WebP or BMP.
    package init?(_ bytes: Bytes) {
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

/// The markers of a JPEG before its pixels.
struct JPEGHeader {
    /// The size of the upright image.
    private(set) var size = PixelSize(width: 0, height: 0)
    /// True for an image in one scan, from top to bottom; false until the scan has begun.
    private(set) var isSequential = false
    private(set) var orientation = Orientation.upright

    /// Returns nil if there is no frame header (SOF) among these bytes.
    init?(_ bytes: Bytes) {
        var offset = 2
        var frame: Int?
        scan: while offset + 9 < bytes.count {
            guard bytes[offset] == 0xFF else { break }
            let marker = bytes[offset + 1]
            switch marker {
            case 0xFF: offset += 1
            case 0x01, 0xD0...0xD7: offset += 2
            case 0xD9: break scan
            case 0xDA:
                if let frame {
                    let isProgressive = [0xC2, 0xC6, 0xCA, 0xCE].contains(bytes[frame + 1])
                    isSequential = !isProgressive && bytes[offset + 4] == bytes[frame + 9]
                }
                break scan
            default:
                // Markers C0 to CF except C4, C8 and CC.
                if marker & 0xF0 == 0xC0, marker & 3 != 0 || marker == 0xC0 { frame = frame ?? offset }
                let length = max(2, bytes.bigEndian(offset + 2, 2))
                if marker == 0xE1, orientation == .upright {
                    orientation = Orientation(exif: bytes[offset + 4..<offset + max(4, 2 + length)])
                }
                offset += 2 + length
            }
        }
        guard let frame else { return nil }
        size = orientation.turned(
            PixelSize(width: bytes.bigEndian(frame + 7, 2), height: bytes.bigEndian(frame + 5, 2)))
    }
}

/// The Exif orientation of an image: cameras store pixels as the sensor lies, and record how to turn them.
struct Orientation: Equatable {
    private(set) var swapsSides = false
    private(set) var flipsColumns = false
    private(set) var flipsRows = false

    static let upright = Orientation()

    private init() {}

    /// - Parameter number: The Exif value; anything but 1 to 8 is upright.
    init(number: Int) {
        swapsSides = (5...8).contains(number)
        flipsColumns = [2, 3, 7, 8].contains(number)
        flipsRows = [3, 4, 6, 7].contains(number)
    }

    /// - Parameter exif: The content of an APP1 segment of a JPEG.
    init(exif: Bytes) {
        self.init()
        guard exif.starts(with: Array("Exif\0\0".utf8)) else { return }
        let tiff = exif[6..<exif.count]
        let isBig = tiff.starts(with: Array("MM".utf8))
        let number = { (offset: Int, length: Int) in
            isBig ? tiff.bigEndian(offset, length) : tiff.littleEndian(offset, length)
        }
        let directory = number(4, 4)
        for entry in 0..<number(directory, 2) {
            let offset = directory + 2 + 12 * entry
            guard offset < tiff.count else { return }
            guard number(offset, 2) == 0x0112 else { continue }
            self = Orientation(number: number(offset + 8, 2))
            return
        }
    }

    func turned(_ size: PixelSize) -> PixelSize {
        swapsSides ? PixelSize(width: size.height, height: size.width) : size
    }
}

/// A width and a height in pixels.
package struct PixelSize: Sendable, Equatable {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Returns the largest size of the same shape that exceeds neither this one nor `room`. No side is below 1.
    package func fitted(into room: PixelSize) -> PixelSize {
        let (roomWidth, roomHeight) = (max(1, room.width), max(1, room.height))
        guard width > roomWidth || height > roomHeight else { return self }
        let (width, height) = (Double(max(1, width)), Double(max(1, height)))
        let scale = min(Double(roomWidth) / width, Double(roomHeight) / height)
        return PixelSize(
            width: min(roomWidth, max(1, Int((width * scale).rounded()))),
            height: min(roomHeight, max(1, Int((height * scale).rounded()))))
    }
}

/// The first bytes that identify file formats.
enum BinarySignature {
    static func name(of bytes: Bytes) -> String? {
        if bytes.starts(with: Array("ustar".utf8), at: 257) { return "tar archive" }
        if bytes.starts(with: Array("ftyp".utf8), at: 4) { return "MP4 video" }
        if bytes.starts(with: Array("RIFF".utf8)), bytes.starts(with: Array("WAVE".utf8), at: 8) { return "WAV audio" }
        return all.first { bytes.starts(with: $0.bytes) }?.name
    }

    private static let all: [(bytes: [UInt8], name: String)] = [
        (Array("%PDF-".utf8), "PDF document"),
        ([0x50, 0x4B, 0x03, 0x04], "ZIP archive"),
        ([0x50, 0x4B, 0x05, 0x06], "ZIP archive"),
        ([0x1F, 0x8B, 0x08], "gzip data"),
        ([0x28, 0xB5, 0x2F, 0xFD], "Zstandard data"),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "XZ data"),
        (Array("BZh".utf8), "bzip2 data"),
        ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "7-Zip archive"),
        (Array("Rar!\u{1A}\u{07}".utf8), "RAR archive"),
        ([0x00, 0x00, 0x01, 0x00], "icon"),
        ([0x7F, 0x45, 0x4C, 0x46], "ELF program"),
        ([0x00, 0x61, 0x73, 0x6D], "WebAssembly module"),
        (Array("SQLite format 3\0".utf8), "SQLite database"),
        (Array("PAR1".utf8), "Parquet data"),
        ([0x49, 0x49, 0x2A, 0x00], "TIFF image"),
        ([0x4D, 0x4D, 0x00, 0x2A], "TIFF image"),
        (Array("OggS".utf8), "Ogg media"),
        (Array("fLaC".utf8), "FLAC audio"),
        (Array("ID3".utf8), "MP3 audio"),
        ([0x1A, 0x45, 0xDF, 0xA3], "Matroska video"),
        (Array("wOFF".utf8), "WOFF font"),
        (Array("wOF2".utf8), "WOFF2 font"),
    ]
}
