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
    typealias HeaderList = UnsafeMutablePointer<curl_slist>

    private let functions: omb_curl_functions
    /// The content codings that this build decodes, as a value of `Accept-Encoding`.
    let acceptedEncodings: String

    /// Loaded once; the error says what to install.
    static let shared: Result<CurlLibrary, TransportError> = Result { () throws(TransportError) in try CurlLibrary() }

    private init() throws(TransportError) {
        functions = try Self.find()
        guard functions.globalInit(CLong(CURL_GLOBAL_DEFAULT)) == CURLE_OK else {
            throw TransportError(code: .transportUnavailable, message: "libcurl could not be set up")
        }
        acceptedEncodings = Self.encodings(functions.versionInfo(CURLVERSION_FIRST)?.pointee.features ?? 0)
    }

    subscript<Function>(dynamicMember function: KeyPath<omb_curl_functions, Function>) -> Function {
        functions[keyPath: function]
    }

    /// Variadic functions, which only the wrappers in C can call.
    var setopt: UnsafeMutableRawPointer { UnsafeMutableRawPointer(functions.easySetopt) }
    var getinfo: UnsafeMutableRawPointer { UnsafeMutableRawPointer(functions.easyGetinfo) }

    private static func encodings(_ features: CInt) -> String {
        let known: [(Int32, String)] = [
            (CURL_VERSION_BROTLI, "br"), (CURL_VERSION_ZSTD, "zstd"), (CURL_VERSION_LIBZ, "gzip"),
            (CURL_VERSION_LIBZ, "deflate"),
        ]
        let names = known.filter { features & $0.0 != 0 }.map(\.1)
        return names.isEmpty ? "identity" : names.joined(separator: ", ")
    }
}

extension CurlLibrary {
    private static func find() throws(TransportError) -> omb_curl_functions {
        let table = UnsafeMutablePointer<omb_curl_functions>.allocate(capacity: 1)
        defer { table.deallocate() }
        #if LinkedCurl
        omb_curl_link(table)
        #else
        if let missing = omb_curl_load(table, try load()) {
            throw TransportError(
                code: .transportUnavailable,
                message:
                    "the libcurl of this system is too old: it has no \(String(cString: missing)); 7.68 or newer is needed"
            )
        }
        #endif
        return table.pointee
    }

    #if !LinkedCurl
    private static func load() throws(TransportError) -> Handle {
        guard let library = names.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first else {
            throw TransportError(code: .transportUnavailable, message: "libcurl could not be loaded; \(advice)")
        }
        return library
    }

    #if canImport(Darwin)
    private static let names = ["libcurl.4.dylib", "libcurl.dylib"]
    private static let advice = "install curl, for instance with: brew install curl"
    #else
    private static let names = ["libcurl.so.4", "libcurl-gnutls.so.4"]
    private static let advice = "install it with: apt-get install libcurl4"
    #endif
    #endif
}
#endif
