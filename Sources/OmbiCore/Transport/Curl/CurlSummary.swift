#if canImport(CCurl)
internal import CCurl

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
        ]
        features = known.filter { library.features.has($0.0) }.map(\.1)
        missing = known.filter { !library.features.has($0.0) }.map(\.1)
    }
}
#endif
