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
    let easyPause: @convention(c) @Sendable (Handle?, CInt) -> CURLcode
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
    let multiStrerror: @convention(c) @Sendable (CURLMcode) -> UnsafePointer<CChar>?
    let listAppend: @convention(c) @Sendable (HeaderList?, UnsafePointer<CChar>?) -> HeaderList?
    let listFree: @convention(c) @Sendable (HeaderList?) -> Void
    private let setoptAddress: UInt
    private let getinfoAddress: UInt
    private let multiSetoptAddress: UInt
    /// What this build decodes, as a value of `Accept-Encoding`.
    let acceptedEncodings: String

    /// Loaded once; the error says what to install. What may pass, a lack of descriptors, is tried again.
    static var shared: Result<CurlLibrary, TransportError> {
        guard case .failure(let error) = first, error.code == .noDescriptors else { return first }
        return again.withLock { again in
            if case .success = again { return again }
            again = load()
            return again
        }
    }

    private static let first = load()
    private static let again = Lock(first)

    private static func load() -> Result<CurlLibrary, TransportError> {
        Result { () throws(TransportError) in try CurlLibrary() }
    }

    #if canImport(Darwin)
    private static let names = ["libcurl.4.dylib", "libcurl.dylib"]
    private static let advice = "install curl, for instance with: brew install curl"
    #else
    private static let names = ["libcurl.so.4", "libcurl-gnutls.so.4"]
    private static let advice = "install it with: apt-get install libcurl4"
    #endif

    private init() throws(TransportError) {
        guard let library = Self.names.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first else {
            if Descriptors.areUsedUp { throw .noDescriptors("libcurl could not be loaded") }
            throw TransportError(
                code: .transportUnavailable, message: "libcurl could not be loaded; \(Self.advice)")
        }
        let symbols = Symbols(library: library)
        Self.keepOpenSSL(library)
        let globalInit: @convention(c) @Sendable (CLong) -> CURLcode = try symbols.find("curl_global_init")
        guard globalInit(CLong(CURL_GLOBAL_DEFAULT)) == CURLE_OK else {
            throw TransportError(code: .transportUnavailable, message: "libcurl could not be set up")
        }
        easyInit = try symbols.find("curl_easy_init")
        easyReset = try symbols.find("curl_easy_reset")
        easyCleanup = try symbols.find("curl_easy_cleanup")
        easyStrerror = try symbols.find("curl_easy_strerror")
        easyPause = try symbols.find("curl_easy_pause")
        multiInit = try symbols.find("curl_multi_init")
        multiCleanup = try symbols.find("curl_multi_cleanup")
        multiAdd = try symbols.find("curl_multi_add_handle")
        multiRemove = try symbols.find("curl_multi_remove_handle")
        multiPerform = try symbols.find("curl_multi_perform")
        multiPoll = try symbols.find("curl_multi_poll")
        multiWakeup = try symbols.find("curl_multi_wakeup")
        multiInfoRead = try symbols.find("curl_multi_info_read")
        multiStrerror = try symbols.find("curl_multi_strerror")
        listAppend = try symbols.find("curl_slist_append")
        listFree = try symbols.find("curl_slist_free_all")
        setoptAddress = UInt(bitPattern: try symbols.address("curl_easy_setopt"))
        getinfoAddress = UInt(bitPattern: try symbols.address("curl_easy_getinfo"))
        multiSetoptAddress = UInt(bitPattern: try symbols.address("curl_multi_setopt"))
        acceptedEncodings = Self.encodings(try symbols.find("curl_version_info"))
    }

    /// Variadic functions, which only the wrappers in C can call.
    var setopt: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: setoptAddress) }
    var getinfo: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: getinfoAddress) }
    var multiSetopt: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: multiSetoptAddress) }

    /// OpenSSL frees its locks when the process exits, while loops may still be at work; told before anybody else starts it,
    /// it leaves that to the system.
    private static func keepOpenSSL(_ library: UnsafeMutableRawPointer) {
        guard let address = dlsym(library, "OPENSSL_init_crypto") else { return }
        let initialize = unsafeBitCast(
            address, to: (@convention(c) @Sendable (UInt64, UnsafeRawPointer?) -> CInt).self)
        let noAtExit: UInt64 = 0x80000
        _ = initialize(noAtExit, nil)
    }

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

/// The functions of a loaded library, by name.
private struct Symbols {
    let library: UnsafeMutableRawPointer

    func address(_ name: String) throws(TransportError) -> UnsafeMutableRawPointer {
        guard let address = dlsym(library, name) else {
            throw TransportError(
                code: .transportUnavailable,
                message: "the libcurl of this system is too old: it has no \(name); 7.68 or newer is needed")
        }
        return address
    }

    /// The caller names the C type of the function, as curl.h declares it.
    func find<Function>(_ name: String) throws(TransportError) -> Function {
        unsafeBitCast(try address(name), to: Function.self)
    }
}
