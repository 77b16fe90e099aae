#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A system library, loaded at run time, and its functions by name.
struct SharedLibrary {
    private let handle: UnsafeMutableRawPointer
    private let advice: String

    /// - Parameter advice: The installation command or package for the error when none of the names is found.
    init(_ names: [String], advice: String) throws(PictureError) {
        guard let handle = names.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first else {
            throw .missingLibrary(advice: advice)
        }
        self.handle = handle
        self.advice = advice
    }

    /// Returns a function by name. The caller gives its C type, as the library's header declares it.
    func find<Function>(_ name: String) throws(PictureError) -> Function {
        guard let address = dlsym(handle, name) else { throw .missingLibrary(advice: "\(advice) in a newer version") }
        return unsafeBitCast(address, to: Function.self)
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
