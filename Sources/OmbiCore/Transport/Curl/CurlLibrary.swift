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
    typealias List = UnsafeMutablePointer<curl_slist>

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
    let listAppend: @convention(c) @Sendable (List?, UnsafePointer<CChar>?) -> List?
    let listFree: @convention(c) @Sendable (List?) -> Void
    let shareInit: @convention(c) @Sendable () -> Handle?
    let shareCleanup: @convention(c) @Sendable (Handle?) -> CURLSHcode
    /// nil where libcurl has another library for TLS.
    let openSSL: OpenSSL?
    private let setoptAddress: UInt
    private let shareSetoptAddress: UInt
    private let getinfoAddress: UInt
    let urlInit: @convention(c) @Sendable () -> OpaquePointer?
    let urlCleanup: @convention(c) @Sendable (OpaquePointer?) -> Void
    let urlSet: @convention(c) @Sendable (OpaquePointer?, CURLUPart, UnsafePointer<CChar>?, CUnsignedInt) -> CURLUcode
    let urlGet:
        @convention(c) @Sendable (
            OpaquePointer?, CURLUPart, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, CUnsignedInt
        ) -> CURLUcode
    let free: @convention(c) @Sendable (UnsafeMutableRawPointer?) -> Void
    let features: CurlFeatures
    let codings: ContentCodings
    /// What can be decoded, as a value of `Accept-Encoding`.
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
        listAppend = try symbols.find("curl_slist_append")
        listFree = try symbols.find("curl_slist_free_all")
        urlInit = try symbols.find("curl_url")
        urlCleanup = try symbols.find("curl_url_cleanup")
        urlSet = try symbols.find("curl_url_set")
        urlGet = try symbols.find("curl_url_get")
        free = try symbols.find("curl_free")
        shareInit = try symbols.find("curl_share_init")
        shareCleanup = try symbols.find("curl_share_cleanup")
        shareSetoptAddress = UInt(bitPattern: try symbols.address("curl_share_setopt"))
        setoptAddress = UInt(bitPattern: try symbols.address("curl_easy_setopt"))
        getinfoAddress = UInt(bitPattern: try symbols.address("curl_easy_getinfo"))
        features = CurlFeatures(try symbols.find("curl_version_info"))
        openSSL = OpenSSL(symbols)
        codings = ContentCodings(symbols)
        let names = codings.names.isEmpty ? features.contentCodings : codings.names
        acceptedEncodings = names.isEmpty ? "identity" : names.joined(separator: ", ")
    }

    /// Variadic functions, which only the wrappers in C can call.
    var setopt: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: setoptAddress) }
    var getinfo: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: getinfoAddress) }
    /// nil for no lines.
    func list(_ lines: [String]) -> List? {
        lines.reduce(nil) { list, line in listAppend(list, line) ?? list }
    }

    var shareSetopt: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: shareSetoptAddress) }
}
