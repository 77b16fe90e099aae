/// Pixels in rows, from the top left corner.
public struct Bitmap: Sendable, Equatable {
    public let size: PixelSize
    /// Red, green and blue of each pixel, a byte each.
    private let samples: [UInt8]

    /// - Parameter samples: Three bytes per pixel. Returns nil for any other number.
    public init?(size: PixelSize, samples: [UInt8]) {
        guard size.width > 0, size.height > 0, samples.count == 3 * size.width * size.height else { return nil }
        self.size = size
        self.samples = samples
    }

    /// The pixel at a position, from 0; black outside of the bitmap.
    public subscript(column: Int, row: Int) -> RGB {
        guard (0..<size.width).contains(column), (0..<size.height).contains(row) else { return RGB(0, 0, 0) }
        let index = 3 * (row * size.width + column)
        return RGB(samples[index], samples[index + 1], samples[index + 2])
    }

    /// Returns the picture in another size; each pixel is the average of the area that it covers.
    public func scaled(to size: PixelSize) -> Bitmap {
        if size == self.size { return self }
        let scaled = samples.withUnsafeBytes { PixelArea(size: self.size, samples: $0).scaled(to: size) }
        return scaled ?? self
    }
}

extension Orientation {
    func turned(_ bitmap: Bitmap) -> Bitmap {
        if self == .upright { return bitmap }
        let size = turned(bitmap.size)
        var samples: [UInt8] = []
        samples.reserveCapacity(3 * size.width * size.height)
        for row in 0..<size.height {
            for column in 0..<size.width {
                let (across, down) = swapsSides ? (row, column) : (column, row)
                let pixel = bitmap[
                    flipsColumns ? bitmap.size.width - 1 - across : across,
                    flipsRows ? bitmap.size.height - 1 - down : down]
                samples += [pixel.red, pixel.green, pixel.blue]
            }
        }
        return Bitmap(size: size, samples: samples) ?? bitmap
    }
}
