#if canImport(CCurl)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The functions of a loaded library and its dependencies, by name.
struct Symbols {
    /// nil for a statically linked program, in which no function is found.
    let library: UnsafeMutableRawPointer?

    /// Returns a function; the caller states its C type as declared in the header.
    func find<Function>(_ name: String) throws(TransportError) -> Function {
        unsafeBitCast(try address(name), to: Function.self)
    }

    /// Returns nil if there is no function of that name.
    func findIfThere<Function>(_ name: String) -> Function? {
        library.flatMap { dlsym($0, name) }.map { unsafeBitCast($0, to: Function.self) }
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
