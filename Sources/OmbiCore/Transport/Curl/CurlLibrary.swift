#if canImport(CCurl)
internal import CCurl

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// libcurl's functions, by the names in the list of `shim.h`: `library.easyInit()`.
///
/// The library is loaded when the first request is sent, because linking it would cost every start of a program 7 ms.
/// The trait `LinkedCurl` links it instead. The functions may be called from any thread as long as no two threads use
/// the same handle.
@dynamicMemberLookup
struct CurlLibrary: Sendable {
    typealias Handle = UnsafeMutableRawPointer
    typealias List = UnsafeMutablePointer<curl_slist>

    private let functions: omb_curl_functions
    let features: CurlFeatures
    /// nil where libcurl has another library for TLS.
    let openSSL: OpenSSL?
    let codings: ContentCodings
    /// What can be decoded, as a value of `Accept-Encoding`.
    let acceptedEncodings: String

    /// Loaded once; the error says what to install.
    static let shared: Result<CurlLibrary, TransportError> = Result { () throws(TransportError) in try CurlLibrary() }

    private init() throws(TransportError) {
        let library = try Self.load()
        functions = try Self.functions(of: library)
        guard functions.globalInit(CLong(CURL_GLOBAL_DEFAULT)) == CURLE_OK else {
            throw TransportError(code: .transportUnavailable, message: "libcurl could not be set up")
        }
        features = CurlFeatures(functions.versionInfo(CURLVERSION_FIRST))
        let symbols = Symbols(library: library)
        openSSL = OpenSSL(symbols)
        codings = ContentCodings(symbols)
        let names = codings.names.isEmpty ? features.contentCodings : codings.names
        acceptedEncodings = names.isEmpty ? "identity" : names.joined(separator: ", ")
    }

    subscript<Function>(dynamicMember function: KeyPath<omb_curl_functions, Function>) -> Function {
        functions[keyPath: function]
    }

    /// Variadic functions, which only the wrappers in C can call.
    var setopt: UnsafeMutableRawPointer { UnsafeMutableRawPointer(functions.easySetopt) }
    var getinfo: UnsafeMutableRawPointer { UnsafeMutableRawPointer(functions.easyGetinfo) }
    var shareSetopt: UnsafeMutableRawPointer { UnsafeMutableRawPointer(functions.shareSetoptFunction) }

    /// nil for no lines.
    func list(_ lines: [String]) -> List? {
        lines.reduce(nil) { list, line in functions.listAppend(list, line) ?? list }
    }
}

#if LinkedCurl
extension CurlLibrary {
    /// The program itself, in which the libraries are found that libcurl brings along; nil for a static one.
    private static func load() throws(TransportError) -> Handle? { dlopen(nil, RTLD_NOW) }

    private static func functions(of library: Handle?) throws(TransportError) -> omb_curl_functions {
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

    private static func load() throws(TransportError) -> Handle {
        guard let library = names.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first else {
            throw TransportError(code: .transportUnavailable, message: "libcurl could not be loaded; \(advice)")
        }
        return library
    }

    private static func functions(of library: Handle) throws(TransportError) -> omb_curl_functions {
        let table = UnsafeMutablePointer<omb_curl_functions>.allocate(capacity: 1)
        defer { table.deallocate() }
        if let missing = omb_curl_load(table, library) { throw Symbols.tooOld(missing: String(cString: missing)) }
        return table.pointee
    }
}
#endif
#endif
