#if canImport(CCurl)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The functions of a loaded library, and of those that it has loaded itself, by name.
struct Symbols {
    /// nil for a program that is linked statically, in which nothing is found.
    let library: UnsafeMutableRawPointer?

    /// The caller names the C type of the function, as its header declares it.
    func find<Function>(_ name: String) throws(TransportError) -> Function {
        unsafeBitCast(try address(name), to: Function.self)
    }

    func address(_ name: String) throws(TransportError) -> UnsafeMutableRawPointer {
        guard let library, let address = dlsym(library, name) else { throw Self.tooOld(missing: name) }
        return address
    }

    static func tooOld(missing name: String) -> TransportError {
        TransportError(
            code: .transportUnavailable,
            message: "the libcurl of this system is too old: it has no \(name); 7.68 or newer is needed")
    }
}
#endif
