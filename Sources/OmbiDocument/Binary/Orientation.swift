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
