import Foundation

/// The picture libraries of this system, and the build that uses them.
public enum PictureLibraries {
    #if Pictures
    public static let areBuiltIn = true
    #else
    public static let areBuiltIn = false
    #endif
    public static let hasPNG = isThere("libpng16.so.16", "libpng16.16.dylib")
    public static let hasJPEG = isThere("libturbojpeg.so.0", "libturbojpeg.0.dylib")

    public static let withoutPNG = "libpng is not installed: apt-get install libpng16-16"
    public static let withoutJPEG = "libturbojpeg is not installed: apt-get install libturbojpeg0"

    private static func isThere(_ names: String...) -> Bool {
        areBuiltIn && names.contains { dlopen($0, RTLD_LAZY) != nil }
    }
}
