/// An image of a body, decoded: as many pixels of it as a terminal can show.
///
/// PNG is read by libpng, JPEG by libturbojpeg. Both are loaded for the first picture and may be missing.
public struct Picture: Sendable {
    /// The picture itself, no larger than `largest`. What lets the background through lies on grey.
    public let bitmap: Bitmap
    /// The size of the image as it came.
    public let size: PixelSize
    /// What is wrong with it, in the words of the library, though there is something to see.
    public let damage: String?

    /// A pixel takes half a cell: a screen of 512 columns and 256 rows.
    static let largest = PixelSize(width: 512, height: 512)
    /// The limit for what is decoded in strips; whatever has to be in memory at once may take 300 MB.
    static let mostPixels = 100_000_000

    /// Decodes an image that is there whole.
    /// - Parameter isCancelled: asked between the steps.
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

    /// Refuses what a few bytes can ask for and no memory can hold.
    /// - Parameter bytesPerPixel: what decoding takes for each.
    static func check(_ size: PixelSize, bytesPerPixel: Int) throws(PictureError) {
        guard size.width > 0, size.height > 0 else { throw .damaged("it has no pixels") }
        let most = bytesPerPixel > 3 ? mostPixels * 3 / bytesPerPixel : mostPixels
        guard size.width <= most / size.height else { throw .tooLarge(limit: "\(most / 1_000_000) megapixels") }
    }
}
