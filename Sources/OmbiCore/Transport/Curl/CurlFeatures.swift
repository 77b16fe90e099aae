#if canImport(CCurl)
internal import CCurl

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

    /// Loads the library.
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
#endif
