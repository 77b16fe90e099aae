internal import OmbiBase

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
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
    /// Allocates memory, which the caller frees. Throws when there is not enough.
    static func requested(_ count: Int) throws(PictureError) -> UnsafeMutableRawBufferPointer {
        guard let base = malloc(count) else { throw .damaged("there is not enough memory") }
        return UnsafeMutableRawBufferPointer(start: base, count: count)
    }

    func free() { systemFree(baseAddress) }
}

private let systemFree = free
