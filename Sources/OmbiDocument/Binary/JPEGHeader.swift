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
