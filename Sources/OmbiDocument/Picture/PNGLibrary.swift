internal import CImages

/// libpng through its simplified interface, which needs no long jumps.
struct PNGLibrary: Sendable {
    private typealias Image = UnsafeMutablePointer<omb_png_image>

    private let begin: @convention(c) @Sendable (Image?, UnsafeRawPointer?, Int) -> CInt
    private let finish:
        @convention(c) @Sendable (
            Image?, UnsafePointer<omb_png_color>?, UnsafeMutableRawPointer?, Int32, UnsafeMutableRawPointer?
        ) -> CInt
    private let free: @convention(c) @Sendable (Image?) -> Void

    /// Loaded once.
    static let shared: Result<PNGLibrary, PictureError> = Result { () throws(PictureError) in try PNGLibrary() }

    #if canImport(Darwin)
    private static let names = ["libpng16.16.dylib", "/opt/homebrew/lib/libpng16.16.dylib"]
    private static let advice = "brew install libpng"
    #else
    private static let names = ["libpng16.so.16"]
    private static let advice = "install libpng16-16"
    #endif

    /// The background of transparent pixels: logos are drawn for light or dark pages, and on gray both can be seen.
    private static let background = omb_png_color(red: 0x70, green: 0x70, blue: 0x70)

    private init() throws(PictureError) {
        let library = try SharedLibrary(Self.names, advice: Self.advice)
        begin = try library.find("png_image_begin_read_from_memory")
        finish = try library.find("png_image_finish_read")
        free = try library.find("png_image_free")
    }

    func picture(_ bytes: Bytes, isCancelled: () -> Bool) throws(PictureError) -> Picture {
        // It must not move: the library keeps its address.
        let image = Image.allocate(capacity: 1)
        image.initialize(to: omb_png_image())
        image.pointee.version = UInt32(OMB_PNG_VERSION)
        defer {
            free(image)
            image.deallocate()
        }
        return try bytes.withUnsafeBytes(0..<bytes.count) { input in
            Result { () throws(PictureError) in try picture(input, image, isCancelled) }
        }.get()
    }

    private func picture(
        _ input: UnsafeRawBufferPointer, _ image: Image, _ isCancelled: () -> Bool
    ) throws(PictureError) -> Picture {
        guard begin(image, input.baseAddress, input.count) != 0 else { throw Self.damage(image) }
        let size = PixelSize(width: Int(image.pointee.width), height: Int(image.pointee.height))
        try Picture.check(size, bytesPerPixel: 3)
        if isCancelled() { throw .cancelled }
        image.pointee.format = UInt32(OMB_PNG_RGB)
        let memory = try UnsafeMutableRawBufferPointer.requested(3 * size.width * size.height)
        defer { memory.free() }
        var background = Self.background
        guard finish(image, &background, memory.baseAddress, 0, nil) != 0 else { throw Self.damage(image) }
        let area = PixelArea(size: size, samples: UnsafeRawBufferPointer(memory))
        guard let bitmap = area.scaled(to: size.fitted(into: Picture.largest), isCancelled: isCancelled) else {
            throw .cancelled
        }
        return Picture(bitmap: bitmap, size: size)
    }

    private static func damage(_ image: Image) -> PictureError {
        let message = withUnsafeBytes(of: image.pointee.message) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        return .damaged(message.isEmpty ? "it is no PNG" : message)
    }
}
