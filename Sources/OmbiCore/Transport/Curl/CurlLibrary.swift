#if canImport(CCurl)
internal import CCurl
internal import OmbiBase

/// The functions of libcurl, by the names in the list of `shim.h`: `library.easyInit()`.
///
/// The library is loaded with the first request, because linking it would cost every launch of a program 7 ms. The
/// trait `LinkedCurl` links it instead. The functions may be called from any thread as long as no two threads use the
/// same handle.
@dynamicMemberLookup
struct CurlLibrary: Sendable {
    typealias Handle = UnsafeMutableRawPointer
    typealias List = UnsafeMutablePointer<curl_slist>

    private let functions: omb_curl_functions
    let features: CurlFeatures
    /// OpenSSL; nil if libcurl uses another TLS library.
    let openSSL: OpenSSL?
    let codings: ContentCodings
    /// The supported codings, as a value of `Accept-Encoding`.
    let acceptedEncodings: String

    /// The library, loaded once; the error names the package to install. A temporary failure, a lack of descriptors, is
    /// retried.
    static var shared: Result<CurlLibrary, TransportError> {
        guard case .failure(let error) = first, error.code == .noDescriptors else { return first }
        return again.withLock { again in
            if case .success = again { return again }
            again = make()
            return again
        }
    }

    private static let first = make()
    private static let again = Lock(first)

    private static func make() -> Result<CurlLibrary, TransportError> {
        Result { () throws(TransportError) in try CurlLibrary() }
    }

    private init() throws(TransportError) {
        let library = try Self.load()
        functions = try Self.functions(of: library)
        let symbols = Symbols(library: library)
        Self.keepOpenSSL(symbols)
        guard functions.globalInit(CLong(CURL_GLOBAL_DEFAULT)) == CURLE_OK else {
            throw TransportError(code: .transportUnavailable, message: "libcurl could not be set up")
        }
        features = CurlFeatures(functions.versionInfo(CURLVERSION_FIRST))
        openSSL = OpenSSL(symbols)
        codings = ContentCodings(symbols)
        let names = codings.names.isEmpty ? features.contentCodings : codings.names
        acceptedEncodings = names.isEmpty ? "identity" : names.joined(separator: ", ")
    }

    subscript<Function>(dynamicMember function: KeyPath<omb_curl_functions, Function>) -> Function {
        functions[keyPath: function]
    }

    /// The variadic functions, which only the C wrappers can call.
    var setopt: UnsafeMutableRawPointer { UnsafeMutableRawPointer(functions.easySetopt) }
    var getinfo: UnsafeMutableRawPointer { UnsafeMutableRawPointer(functions.easyGetinfo) }
    var multiSetopt: UnsafeMutableRawPointer { UnsafeMutableRawPointer(functions.multiSetoptFunction) }
    var shareSetopt: UnsafeMutableRawPointer { UnsafeMutableRawPointer(functions.shareSetoptFunction) }

    /// Returns nil for no lines, and if there is no memory for all of them.
    func list(_ lines: [String]) -> List? {
        var list: List?
        for line in lines {
            guard let longer = functions.listAppend(list, line) else {
                functions.listFree(list)
                return nil
            }
            list = longer
        }
        return list
    }

    /// Leaves OpenSSL's cleanup to the system: its exit handler would free locks while loops may still be running. Must
    /// run before OpenSSL is initialized.
    private static func keepOpenSSL(_ symbols: Symbols) {
        typealias Start = @convention(c) @Sendable (UInt64, UnsafeRawPointer?) -> CInt
        guard let start: Start = try? symbols.find("OPENSSL_init_crypto") else { return }
        let noAtExit: UInt64 = 0x80000
        _ = start(noAtExit, nil)
    }
}

#if LinkedCurl
extension CurlLibrary {
    /// Returns the program itself, which gives access to libcurl's dependencies; nil for a static one.
    private static func load() throws(TransportError) -> SharedLibrary? { SharedLibrary.program }

    private static func functions(of library: SharedLibrary?) throws(TransportError) -> omb_curl_functions {
        let table = UnsafeMutablePointer<omb_curl_functions>.allocate(capacity: 1)
        defer { table.deallocate() }
        omb_curl_link(table)
        return table.pointee
    }
}
#else
extension CurlLibrary {
    #if canImport(Darwin)
    private static let names = ["libcurl.4.dylib", "libcurl.dylib"]
    private static let advice = "install curl, for instance with: brew install curl"
    #else
    private static let names = ["libcurl.so.4", "libcurl-gnutls.so.4"]
    private static let advice = "install it with: apt-get install libcurl4"
    #endif

    private static func load() throws(TransportError) -> SharedLibrary {
        guard let library = SharedLibrary(names) else {
            if Descriptors.areUsedUp { throw .noDescriptors("libcurl could not be loaded") }
            throw TransportError(code: .transportUnavailable, message: "libcurl could not be loaded; \(advice)")
        }
        return library
    }

    private static func functions(of library: SharedLibrary) throws(TransportError) -> omb_curl_functions {
        let table = UnsafeMutablePointer<omb_curl_functions>.allocate(capacity: 1)
        defer { table.deallocate() }
        if let missing = omb_curl_load(table, library.handle) {
            throw Symbols.tooOld(missing: String(cString: missing))
        }
        return table.pointee
    }
}
#endif
#endif
