/// A decoded image of a body, scaled down to the pixels that a terminal can show.
///
/// libpng reads PNG, libturbojpeg reads JPEG. Both are loaded for the first picture and may be missing;
/// a build without the package trait `Pictures` uses neither.
public struct Picture: Sendable {
    /// The picture itself, no larger than `largest`. Transparent parts lie on gray.
    public let bitmap: Bitmap
    /// The original size of the image.
    public let size: PixelSize
    /// The library's warning about a damaged image that can still be shown.
    public let damage: String?

    /// A pixel takes half a cell: a screen of 512 columns and 256 rows.
    static let largest = PixelSize(width: 512, height: 512)
    /// The maximum at 3 bytes per pixel, which makes 300 MB; images that take more bytes per pixel may have fewer.
    static let maximumPixels = 100_000_000

    /// Decodes a complete image.
    /// - Parameter isCancelled: Polled between the steps.
    public init(_ bytes: Bytes, _ kind: ImageKind, isCancelled: () -> Bool = { false }) throws(PictureError) {
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
