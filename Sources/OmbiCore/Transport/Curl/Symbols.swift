#if canImport(CCurl)
internal import OmbiBase

/// The functions of libcurl and of the libraries that it has loaded, by name.
struct Symbols {
    /// nil for a statically linked program, in which no function is found.
    let library: SharedLibrary?

    /// Returns a function; the caller states its C type as declared in the header.
    func find<Function>(_ name: String) throws(TransportError) -> Function {
        guard let function: Function = findIfThere(name) else { throw Self.tooOld(missing: name) }
        return function
    }

    /// Returns nil if there is no function of that name.
    func findIfThere<Function>(_ name: String) -> Function? {
        guard let library else { return nil }
        return library.find(name)
    }

    static func tooOld(missing name: String) -> TransportError {
        TransportError(
            code: .transportUnavailable,
            message: "the libcurl of this system is too old: it has no \(name); 7.68 or newer is needed")
    }
}
#endif
