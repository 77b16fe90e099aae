/// A decoded image of a body, scaled down to the pixels that a terminal can show.
///
/// libpng reads PNG, libturbojpeg reads JPEG. Both are loaded for the first picture and may be missing;
/// a build without the package trait `Pictures` uses neither.
package struct Picture: Sendable {
    /// The picture itself, no larger than `largest`. Transparent parts lie on gray.
    package let bitmap: Bitmap
    /// The original size of the image.
    package let size: PixelSize
    /// The library's warning about a damaged image that can still be shown.
    package let damage: String?

    /// A pixel takes half a cell: a screen of 512 columns and 256 rows.
    static let largest = PixelSize(width: 512, height: 512)
    /// The maximum at 3 bytes per pixel, which makes 300 MB; images that take more bytes per pixel may have fewer.
    static let maximumPixels = 100_000_000

    /// Decodes a complete image.
    /// - Parameter isCancelled: Polled between the steps.
    package init(_ bytes: Bytes, _ kind: ImageKind, isCancelled: () -> Bool = { false }) throws(PictureError) {
        switch kind.format {
        case .png: self = try PNGLibrary.shared.get().picture(bytes, isCancelled: isCancelled)
        case .jpeg: self = try JPEGLibrary.shared.get().picture(bytes, isCancelled: isCancelled)
        case .gif, .webP, .bmp: throw .unknownFormat
        }
    }

    init(bitmap: Bitmap, size: PixelSize, damage: String? = nil) {
        self.bitmap = bitmap
        self.size = size
        self.damage = damage
    }

    /// Rejects sizes that a few bytes can declare and no memory can hold.
    /// - Parameter bytesPerPixel: The memory that decoding takes per pixel.
    static func check(_ size: PixelSize, bytesPerPixel: Int) throws(PictureError) {
        guard size.width > 0, size.height > 0 else { throw .damaged("it has no pixels") }
        let most = bytesPerPixel > 3 ? maximumPixels * 3 / bytesPerPixel : maximumPixels
        guard size.width <= most / size.height else { throw .tooLarge(limit: "\(most / 1_000_000) megapixels") }
    }
}

/// A reason not to show a picture.
package enum PictureError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The library that reads this format is not installed; `advice` says how to install it.
    case missingLibrary(advice: String)
    /// This build has no decoders: it was made without the package trait `Pictures`.
    case leftOut
    /// Decoding would take too much memory.
    case tooLarge(limit: String)
    /// The message of the library.
    case damaged(String)
    /// Formats other than PNG and JPEG.
    case unknownFormat
    case cancelled

    /// Follows `PNG image, 640x480 pixels; `.
    package var description: String {
        switch self {
        case .missingLibrary(let advice): "\(advice) to see it"
        case .leftOut: "shown as hexadecimal: this build draws no pictures"
        case .tooLarge(let limit): "more than \(limit) are not drawn"
        case .damaged(let reason): "cannot be drawn: \(reason)"
        case .unknownFormat: "is not drawn"
        case .cancelled: "nobody waits for it"
        }
    }
}

/// The libraries that decode pictures.
package enum PictureSupport {
    /// The formats, each with the reason why it is not drawn; nil for one that is. Loads the libraries.
    package static var formats: [(name: String, problem: PictureError?)] {
        [("PNG", problem(with: PNGLibrary.shared)), ("JPEG", problem(with: JPEGLibrary.shared))]
    }

    private static func problem<Library>(with library: Result<Library, PictureError>) -> PictureError? {
        if case .failure(let error) = library { error } else { nil }
    }
}

/// Pixels in rows, from the top left corner.
package struct Bitmap: Sendable, Equatable {
    package let size: PixelSize
    /// Red, green and blue of each pixel, a byte each.
    private let samples: [UInt8]

    /// - Parameter samples: Three bytes per pixel. Returns nil for any other number.
    package init?(size: PixelSize, samples: [UInt8]) {
        guard size.width > 0, size.height > 0, samples.count == 3 * size.width * size.height else { return nil }
        self.size = size
        self.samples = samples
    }

    /// The pixel at a position, from 0; black outside of the bitmap.
    package subscript(column: Int, row: Int) -> RGB {
        guard (0..<size.width).contains(column), (0..<size.height).contains(row) else { return RGB(0, 0, 0) }
        let index = 3 * (row * size.width + column)
        return RGB(samples[index], samples[index + 1], samples[index + 2])
    }

    /// Returns the picture in another size; each pixel is the average of the area that it covers.
    package func scaled(to size: PixelSize) -> Bitmap {
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

/// A color in sRGB.
package struct RGB: Sendable, Hashable {
    package var red: UInt8
    package var green: UInt8
    package var blue: UInt8

    package init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// The perceived brightness, from 0 to 255.
    package var luminance: Int { (299 * Int(red) + 587 * Int(green) + 114 * Int(blue)) / 1000 }
}

/// Pixels in borrowed memory, three bytes each, to be scaled from there.
struct PixelArea {
    let size: PixelSize
    let samples: UnsafeRawBufferPointer

    /// Scales the pixels. Each pixel of the result is the average of the area that it covers, fractions of pixels
    /// included, so that nothing flickers or gets lost at any factor.
    /// - Returns: nil when cancelled, or when a size is wrong.
    func scaled(to target: PixelSize, isCancelled: () -> Bool = { false }) -> Bitmap? {
        guard size.width > 0, size.height > 0, target.width > 0, target.height > 0,
            samples.count >= 3 * size.width * size.height
        else { return nil }
        let columns = Self.shares(of: size.width, among: target.width)
        var output: [UInt8] = []
        output.reserveCapacity(3 * target.width * target.height)
        var sums = [Float](repeating: 0, count: 3 * size.width)
        for share in Self.shares(of: size.height, among: target.height) {
            if isCancelled() { return nil }
            addRows(share, to: &sums)
            Self.appendRow(sums, columns, to: &output)
        }
        return Bitmap(size: target, samples: output)
    }

    /// The pixels of a side that one target pixel covers: the first, the last and the fractions of these two.
    private struct Share {
        var first: Int
        var last: Int
        var ofFirst: Float
        var ofLast: Float

        func weight(_ index: Int) -> Float { index == first ? ofFirst : index == last ? ofLast : 1 }
    }

    /// Returns one share for each part. Its weights add up to `count / parts`, by which sums are divided.
    private static func shares(of count: Int, among parts: Int) -> [Share] {
        let length = Double(count) / Double(parts)
        return (0..<parts).map { part in
            let (start, end) = (Double(part) * length, min(Double(count), Double(part + 1) * length))
            let first = min(count - 1, Int(start))
            let last = max(first, min(count - 1, Int(end.rounded(.up)) - 1))
            let ofFirst = min(end, Double(first + 1)) - start
            return Share(first: first, last: last, ofFirst: Float(ofFirst), ofLast: Float(end - Double(last)))
        }
    }

    /// Averages some rows, column by column.
    private func addRows(_ share: Share, to sums: inout [Float]) {
        let count = sums.count
        sums.withUnsafeMutableBufferPointer { sums in
            sums.update(repeating: 0)
            var total: Float = 0
            for row in share.first...share.last {
                let weight = share.weight(row)
                total += weight
                let start = row * count
                for index in 0..<count { sums[index] += weight * Float(samples[start + index]) }
            }
            let factor = 1 / max(total, .leastNormalMagnitude)
            for index in 0..<count { sums[index] *= factor }
        }
    }

    private static func appendRow(_ row: [Float], _ columns: [Share], to output: inout [UInt8]) {
        row.withUnsafeBufferPointer { row in
            for share in columns {
                var (red, green, blue, total) = (Float(0), Float(0), Float(0), Float(0))
                for column in share.first...share.last {
                    let weight = share.weight(column)
                    total += weight
                    red += weight * row[3 * column]
                    green += weight * row[3 * column + 1]
                    blue += weight * row[3 * column + 2]
                }
                let factor = 1 / max(total, .leastNormalMagnitude)
                for sum in [red, green, blue] { output.append(UInt8(min(255, max(0, (sum * factor).rounded())))) }
            }
        }
    }
}
