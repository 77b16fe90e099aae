import Foundation

/// Whether this system can show pictures.
public enum PictureLibraries {
    public static let hasPNG = isThere("libpng16.so.16", "libpng16.16.dylib")
    public static let hasJPEG = isThere("libturbojpeg.so.0", "libturbojpeg.0.dylib")

    public static let withoutPNG = "libpng is not installed: apt-get install libpng16-16"
    public static let withoutJPEG = "libturbojpeg is not installed: apt-get install libturbojpeg0"

    private static func isThere(_ names: String...) -> Bool { names.contains { dlopen($0, RTLD_LAZY) != nil } }
}
