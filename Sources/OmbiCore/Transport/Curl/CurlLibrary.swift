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

/// The version and the build options of the loaded libcurl.
struct CurlFeatures: Sendable {
    /// "7.88.1"
    let version: String
    /// 0x075801 for 7.88.1.
    let number: UInt32
    private let bits: Int32

    init(_ versionInfo: UnsafeMutablePointer<curl_version_info_data>?) {
        let info = versionInfo?.pointee
        self.init(
            version: info?.version.map { String(cString: $0) } ?? "of an unknown version",
            number: info?.version_num ?? 0, bits: info?.features ?? 0)
    }

    init(version: String, number: UInt32, bits: Int32) {
        self.version = version
        self.number = number
        self.bits = bits
    }

    /// - Parameter feature: One of the constants `CURL_VERSION_…`.
    func has(_ feature: Int32) -> Bool { bits & feature != 0 }

    var hasHTTP3: Bool { has(CURL_VERSION_HTTP3) }

    /// 7.88 takes bytes received on an idle connection for the response to the next request.
    var takesUnaskedResponses: Bool { is7_88 }

    /// 7.88 cannot send a second request over an HTTP/2 connection without TLS made with prior knowledge.
    var breaksPriorKnowledge: Bool { is7_88 }

    private var is7_88: Bool { number >> 8 == 0x0758 }

    /// The content codings that libcurl itself decodes.
    var contentCodings: [String] {
        let known: [(Int32, String)] = [
            (CURL_VERSION_BROTLI, "br"), (CURL_VERSION_ZSTD, "zstd"), (CURL_VERSION_LIBZ, "gzip"),
            (CURL_VERSION_LIBZ, "deflate"),
        ]
        return known.filter { has($0.0) }.map(\.1)
    }
}

/// The libcurl of the system: its version and what it was built with.
package struct CurlSummary: Sendable, Equatable {
    package var version: String
    /// The TLS library with its version: "OpenSSL/3.0.15"; nil for none.
    package var tls: String?
    /// The parts that are there: "HTTP/2", "brotli".
    package var features: [String]
    /// Those of the parts that Ombi can use and this libcurl lacks.
    package var missing: [String]

    package init() throws(TransportError) {
        let library = try CurlLibrary.shared.get()
        let info = library.versionInfo(CURLVERSION_FIRST)?.pointee
        version = library.features.version
        tls = info?.ssl_version.map { String(cString: $0) }
        let known: [(Int32, String)] = [
            (CURL_VERSION_HTTP2, "HTTP/2"), (CURL_VERSION_HTTP3, "HTTP/3"), (CURL_VERSION_LIBZ, "gzip"),
            (CURL_VERSION_BROTLI, "brotli"), (CURL_VERSION_ZSTD, "zstd"), (CURL_VERSION_IPV6, "IPv6"),
            (CURL_VERSION_UNIX_SOCKETS, "Unix sockets"), (CURL_VERSION_HTTPS_PROXY, "HTTPS proxies"),
            (CURL_VERSION_SPNEGO, "Negotiate"), (CURL_VERSION_NTLM, "NTLM"),
        ]
        features = known.filter { library.features.has($0.0) }.map(\.1)
        missing = known.filter { !library.features.has($0.0) }.map(\.1)
    }
}

/// The functions of libcurl and of the libraries that it has loaded, by name.
struct Symbols {
    /// nil for a statically linked program, in which no function is found.
    let library: SharedLibrary?

    /// Returns a function; the caller states its C type as declared in the header.
    func find<Function>(_ name: String) throws(TransportError) -> Function {
        guard let function: Function = library?.find(name) else { throw Self.tooOld(missing: name) }
        return function
    }

    static func tooOld(missing name: String) -> TransportError {
        TransportError(
            code: .transportUnavailable,
            message: "the libcurl of this system is too old: it has no \(name); 7.68 or newer is needed")
    }
}
#endif
