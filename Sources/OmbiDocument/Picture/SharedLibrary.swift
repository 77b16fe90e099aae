#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A library of the system, loaded while the program runs, and its functions by name.
struct SharedLibrary {
    private let handle: UnsafeMutableRawPointer
    private let advice: String

    /// - Parameter advice: what to install where none of these is there.
    init(_ names: [String], advice: String) throws(PictureError) {
        guard let handle = names.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first else {
            throw .missingLibrary(advice: advice)
        }
        self.handle = handle
        self.advice = advice
    }

    /// The caller names the C type of the function, as the library's header declares it.
    func find<Function>(_ name: String) throws(PictureError) -> Function {
        guard let address = dlsym(handle, name) else { throw .missingLibrary(advice: "\(advice) in a newer version") }
        return unsafeBitCast(address, to: Function.self)
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Memory that may be too much to ask for; the caller frees it.
    static func requested(_ count: Int) throws(PictureError) -> UnsafeMutableRawBufferPointer {
        guard let base = malloc(count) else { throw .damaged("there is not enough memory") }
        return UnsafeMutableRawBufferPointer(start: base, count: count)
    }

    func free() { systemFree(baseAddress) }
}

private let systemFree = free
