internal import CCurl

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// libcurl, loaded when the first request is sent: linking it would cost every start of the program 7 ms.
///
/// libcurl's functions may be called from any thread as long as no two threads use the same handle.
struct CurlLibrary: Sendable {
    typealias Handle = UnsafeMutableRawPointer
    typealias HeaderList = UnsafeMutablePointer<curl_slist>

    let easyInit: @convention(c) @Sendable () -> Handle?
    let easyReset: @convention(c) @Sendable (Handle?) -> Void
    let easyCleanup: @convention(c) @Sendable (Handle?) -> Void
    let easyStrerror: @convention(c) @Sendable (CURLcode) -> UnsafePointer<CChar>?
    let multiInit: @convention(c) @Sendable () -> Handle?
    let multiCleanup: @convention(c) @Sendable (Handle?) -> CURLMcode
    let multiAdd: @convention(c) @Sendable (Handle?, Handle?) -> CURLMcode
    let multiRemove: @convention(c) @Sendable (Handle?, Handle?) -> CURLMcode
    let multiPerform: @convention(c) @Sendable (Handle?, UnsafeMutablePointer<CInt>?) -> CURLMcode
    let multiPoll:
        @convention(c) @Sendable (
            Handle?, UnsafeMutablePointer<curl_waitfd>?, CUnsignedInt, CInt, UnsafeMutablePointer<CInt>?
        ) -> CURLMcode
    let multiWakeup: @convention(c) @Sendable (Handle?) -> CURLMcode
    let multiInfoRead: @convention(c) @Sendable (Handle?, UnsafeMutablePointer<CInt>?) -> UnsafeMutablePointer<CURLMsg>?
    /// Steps of the connections beneath WebSockets, which have a multi handle each.
    let multiSocketAction:
        @convention(c) @Sendable (Handle?, curl_socket_t, CInt, UnsafeMutablePointer<CInt>?) -> CURLMcode
    let easySend: @convention(c) @Sendable (Handle?, UnsafeRawPointer?, Int, UnsafeMutablePointer<Int>?) -> CURLcode
    let easyReceive:
        @convention(c) @Sendable (Handle?, UnsafeMutableRawPointer?, Int, UnsafeMutablePointer<Int>?) -> CURLcode
    let listAppend: @convention(c) @Sendable (HeaderList?, UnsafePointer<CChar>?) -> HeaderList?
    let listFree: @convention(c) @Sendable (HeaderList?) -> Void
    private let setoptAddress: UInt
    private let getinfoAddress: UInt
    private let multiSetoptAddress: UInt
    /// nil where it is not known how the library for TLS offers it.
    let sha1: SHA1?
    /// What this build decodes, as a value of `Accept-Encoding`.
    let acceptedEncodings: String

    /// Loaded once; the error says what to install.
    static let shared: Result<CurlLibrary, TransportError> = Result { () throws(TransportError) in try CurlLibrary() }

    #if canImport(Darwin)
    private static let names = ["libcurl.4.dylib", "libcurl.dylib"]
    private static let advice = "install curl, for instance with: brew install curl"
    #else
    private static let names = ["libcurl.so.4", "libcurl-gnutls.so.4"]
    private static let advice = "install it with: apt-get install libcurl4"
    #endif

    private init() throws(TransportError) {
        guard let library = Self.names.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first else {
            throw TransportError(
                code: .transportUnavailable, message: "libcurl could not be loaded; \(Self.advice)")
        }
        let symbols = Symbols(library: library)
        let globalInit: @convention(c) @Sendable (CLong) -> CURLcode = try symbols.find("curl_global_init")
        guard globalInit(CLong(CURL_GLOBAL_DEFAULT)) == CURLE_OK else {
            throw TransportError(code: .transportUnavailable, message: "libcurl could not be set up")
        }
        easyInit = try symbols.find("curl_easy_init")
        easyReset = try symbols.find("curl_easy_reset")
        easyCleanup = try symbols.find("curl_easy_cleanup")
        easyStrerror = try symbols.find("curl_easy_strerror")
        multiInit = try symbols.find("curl_multi_init")
        multiCleanup = try symbols.find("curl_multi_cleanup")
        multiAdd = try symbols.find("curl_multi_add_handle")
        multiRemove = try symbols.find("curl_multi_remove_handle")
        multiPerform = try symbols.find("curl_multi_perform")
        multiPoll = try symbols.find("curl_multi_poll")
        multiWakeup = try symbols.find("curl_multi_wakeup")
        multiInfoRead = try symbols.find("curl_multi_info_read")
        multiSocketAction = try symbols.find("curl_multi_socket_action")
        easySend = try symbols.find("curl_easy_send")
        easyReceive = try symbols.find("curl_easy_recv")
        listAppend = try symbols.find("curl_slist_append")
        listFree = try symbols.find("curl_slist_free_all")
        setoptAddress = UInt(bitPattern: try symbols.address("curl_easy_setopt"))
        getinfoAddress = UInt(bitPattern: try symbols.address("curl_easy_getinfo"))
        multiSetoptAddress = UInt(bitPattern: try symbols.address("curl_multi_setopt"))
        sha1 = SHA1(symbols)
        acceptedEncodings = Self.encodings(try symbols.find("curl_version_info"))
    }

    /// Variadic functions, which only the wrappers in C can call.
    var setopt: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: setoptAddress) }
    var getinfo: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: getinfoAddress) }
    var multiSetopt: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: multiSetoptAddress) }

    private typealias VersionInfo =
        @convention(c) @Sendable (CURLversion) -> UnsafeMutablePointer<curl_version_info_data>?

    private static func encodings(_ versionInfo: VersionInfo) -> String {
        guard let features = versionInfo(CURLVERSION_FIRST)?.pointee.features else { return "identity" }
        let known: [(Int32, String)] = [
            (CURL_VERSION_BROTLI, "br"), (CURL_VERSION_ZSTD, "zstd"), (CURL_VERSION_LIBZ, "gzip"),
            (CURL_VERSION_LIBZ, "deflate"),
        ]
        let names = known.filter { features & $0.0 != 0 }.map(\.1)
        return names.isEmpty ? "identity" : names.joined(separator: ", ")
    }
}
