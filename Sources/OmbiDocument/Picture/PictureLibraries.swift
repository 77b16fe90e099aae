import OmbiPlatform

#if Pictures
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
        let library = try PictureFunctions(Self.names, advice: Self.advice)
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

/// libturbojpeg, which decodes a large photograph directly at a small size.
struct JPEGLibrary: Sendable {
    private typealias Handle = UnsafeMutableRawPointer
    private typealias Input = UnsafePointer<UInt8>
    private typealias Number = UnsafeMutablePointer<CInt>

    private let start: @convention(c) @Sendable () -> Handle?
    private let readHeader:
        @convention(c) @Sendable (Handle?, Input?, CUnsignedLong, Number?, Number?, Number?, Number?) -> CInt
    private let decompress:
        @convention(c) @Sendable (
            Handle?, Input?, CUnsignedLong, UnsafeMutablePointer<UInt8>?, CInt, CInt, CInt, CInt, CInt
        ) -> CInt
    private let message: @convention(c) @Sendable (Handle?) -> UnsafePointer<CChar>?
    private let code: @convention(c) @Sendable (Handle?) -> CInt
    private let end: @convention(c) @Sendable (Handle?) -> CInt

    /// Loaded once.
    static let shared: Result<JPEGLibrary, PictureError> = Result { () throws(PictureError) in try JPEGLibrary() }

    #if canImport(Darwin)
    private static let names = ["libturbojpeg.0.dylib", "/opt/homebrew/lib/libturbojpeg.0.dylib"]
    private static let advice = "brew install jpeg-turbo"
    #else
    private static let names = ["libturbojpeg.so.0"]
    private static let advice = "install libturbojpeg0 or libturbojpeg"
    #endif

    private init() throws(PictureError) {
        let library = try PictureFunctions(Self.names, advice: Self.advice)
        start = try library.find("tjInitDecompress")
        readHeader = try library.find("tjDecompressHeader3")
        decompress = try library.find("tjDecompress2")
        message = try library.find("tjGetErrorStr2")
        code = try library.find("tjGetErrorCode")
        end = try library.find("tjDestroy")
    }

    func picture(_ bytes: Bytes, isCancelled: () -> Bool) throws(PictureError) -> Picture {
        guard let handle = start() else { throw .damaged("there is not enough memory") }
        defer { _ = end(handle) }
        let header = JPEGHeader(bytes)
        return try bytes.withUnsafeBytes(0..<bytes.count) { input in
            Result { () throws(PictureError) in
                try picture(input, handle, header, isCancelled)
            }
        }.get()
    }

    private func picture(
        _ input: UnsafeRawBufferPointer, _ handle: Handle, _ header: JPEGHeader?, _ isCancelled: () -> Bool
    ) throws(PictureError) -> Picture {
        let base = input.bindMemory(to: UInt8.self).baseAddress
        let count = CUnsignedLong(input.count)
        var (width, height, subsampling, space): (CInt, CInt, CInt, CInt) = (0, 0, 0, 0)
        if readHeader(handle, base, count, &width, &height, &subsampling, &space) != 0 {
            _ = try damage(handle, isDrawn: width > 0 && height > 0)
        }
        let size = PixelSize(width: Int(width), height: Int(height))
        // An image of several scans is kept as coefficients of two bytes per color until the last of them.
        try Picture.check(size, bytesPerPixel: header?.isSequential ?? false ? 3 : 6)
        if isCancelled() { throw .cancelled }
        let target = size.fitted(into: Picture.largest)
        let decoded = Self.size(of: size, for: target)
        let isPrinted = [OMB_TJ_SPACE_CMYK, OMB_TJ_SPACE_YCCK].contains(Int(space))
        let memory = try UnsafeMutableRawBufferPointer.requested(
            (isPrinted ? 4 : 3) * decoded.width * decoded.height)
        defer { memory.free() }
        // A truncated image ends before its last rows, which must not show previous contents of the memory.
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        var problem: String?
        let format = CInt(isPrinted ? OMB_TJ_CMYK : OMB_TJ_RGB)
        let output = memory.bindMemory(to: UInt8.self).baseAddress
        let (columns, rows) = (CInt(decoded.width), CInt(decoded.height))
        let flags = CInt(OMB_TJ_LIMIT_SCANS)
        if decompress(handle, base, count, output, columns, 0, rows, format, flags) != 0 {
            problem = try damage(handle, isDrawn: true)
        }
        if isPrinted { Self.turnToRGB(memory) }
        let area = PixelArea(size: decoded, samples: UnsafeRawBufferPointer(memory))
        guard let bitmap = area.scaled(to: target, isCancelled: isCancelled) else { throw .cancelled }
        let orientation = header?.orientation ?? .upright
        return Picture(bitmap: orientation.turned(bitmap), size: orientation.turned(size), damage: problem)
    }

    /// Returns the library's warning about an image that can still be shown. Throws any other error.
    private func damage(_ handle: Handle, isDrawn: Bool) throws(PictureError) -> String {
        let words = message(handle).map { String(cString: $0) } ?? "it is no JPEG"
        guard isDrawn, code(handle) == CInt(OMB_TJ_WARNING) else { throw .damaged(words) }
        return words
    }

    /// Returns the smallest of the sizes that the library decodes to quickly, but none below `target`.
    private static func size(of size: PixelSize, for target: PixelSize) -> PixelSize {
        let sizes = [8, 4, 2].map { PixelSize(width: (size.width + $0 - 1) / $0, height: (size.height + $0 - 1) / $0) }
        return sizes.first { $0.width >= target.width && $0.height >= target.height } ?? size
    }

    /// Converts four inks, inverted as nearly all programs write them, to three colors, in place.
    private static func turnToRGB(_ memory: UnsafeMutableRawBufferPointer) {
        for pixel in 0..<memory.count / 4 {
            let black = Int(memory[4 * pixel + 3])
            for color in 0..<3 { memory[3 * pixel + color] = UInt8(Int(memory[4 * pixel + color]) * black / 255) }
        }
    }
}
#else
/// The decoder of a build without the trait `Pictures`, which has none.
struct MissingLibrary: Sendable {
    static let shared: Result<MissingLibrary, PictureError> = .failure(.leftOut)

    func picture(_ bytes: Bytes, isCancelled: () -> Bool) throws(PictureError) -> Picture { throw .leftOut }
}

typealias PNGLibrary = MissingLibrary
typealias JPEGLibrary = MissingLibrary
#endif

/// The functions of a library that decodes pictures, by name.
struct PictureFunctions {
    private let library: SharedLibrary
    private let advice: String

    /// - Parameter advice: The installation command or package for the error when none of the names is found.
    init(_ names: [String], advice: String) throws(PictureError) {
        guard let library = SharedLibrary(names) else { throw .missingLibrary(advice: advice) }
        self.library = library
        self.advice = advice
    }

    /// Returns a function by name. The caller gives its C type, as the library's header declares it.
    func find<Function>(_ name: String) throws(PictureError) -> Function {
        guard let function: Function = library.find(name) else {
            throw .missingLibrary(advice: "\(advice) in a newer version")
        }
        return function
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Allocates memory, which the caller frees; throws if there is not enough.
    static func requested(_ count: Int) throws(PictureError) -> UnsafeMutableRawBufferPointer {
        guard let base = malloc(count) else { throw .damaged("there is not enough memory") }
        return UnsafeMutableRawBufferPointer(start: base, count: count)
    }

    func free() { systemFree(baseAddress) }
}

private let systemFree = free
