import OmbiPlatform

/// A library of the system that is loaded at run time, and its functions by name.
///
/// A library that is linked costs every launch of a program, and the program does not run where it is not installed.
package struct SharedLibrary {
    /// The library as the dynamic loader knows it.
    package let handle: UnsafeMutableRawPointer

    /// Loads the first of the libraries that is installed. It stays loaded. Returns nil if none is.
    package init?(_ names: [String]) {
        let paths = Self.paths(of: names, in: Self.folders)
        guard let handle = paths.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first else { return nil }
        self.handle = handle
    }

    /// The folders with the libraries that are named without one; nil where the loader knows them. The loader of macOS
    /// looks in the working directory, too, whose files may be anyone's.
    #if canImport(Darwin)
    private static let folders: [String]? = ["/usr/lib/", "/usr/local/lib/", "/opt/homebrew/lib/"]
    #else
    private static let folders: [String]? = nil
    #endif

    static func paths(of names: [String], in folders: [String]?) -> [String] {
        guard let folders else { return names }
        return names.flatMap { name in
            name.utf8.contains(UInt8(ascii: "/")) ? [name] : folders.map { $0 + name }
        }
    }

    private init(handle: UnsafeMutableRawPointer) { self.handle = handle }

    /// The program itself with all that is linked to it; nil for a statically linked program.
    package static var program: SharedLibrary? { dlopen(nil, RTLD_NOW).map(SharedLibrary.init(handle:)) }

    /// Returns a function of the library or of its dependencies; nil if there is none of that name. The caller states
    /// its C type as declared in the header.
    package func find<Function>(_ name: String) -> Function? {
        dlsym(handle, name).map { unsafeBitCast($0, to: Function.self) }
    }
}
