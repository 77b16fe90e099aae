#if canImport(CCurl)
internal import CCurl
import OmbiPlatform

// Mapping of `Connection.TLS` to the options of a handle after a reset.
extension CurlSetup {
    func setTLS(_ connection: Connection, _ trust: Hop.Trust) throws(TransportError) {
        guard features.has(CURL_VERSION_SSL) else { return }
        let tls = connection.tls
        let verifies = tls.verifiesServer || trust != .own
        handle.set(CURLOPT_SSL_VERIFYPEER, verifies)
        handle.set(CURLOPT_SSL_VERIFYHOST, verifies ? 2 : 0)
        try handle.check("tls.verifiesServer")
        try setMinimumVersion(tls.minimumVersion, isHTTP1: connection.httpVersion == .http1)
        try setAuthorities(tls.caFile)
        if trust != .foreign, !tls.pinnedPublicKeys.isEmpty {
            handle.set(CURLOPT_PINNEDPUBLICKEY, tls.pinnedPublicKeys.joined(separator: ";"))
            try handle.check("tls.pinnedPublicKeys")
        }
        if trust == .own, let certificate = tls.clientCertificate { try setCertificate(certificate) }
    }

    /// Sets the minimum version, and for HTTP/1.1 a distinct value of no maximum: libcurl reuses a connection offering
    /// only HTTP/1.1 for a request that may use HTTP/2, unless the maximum versions differ.
    private func setMinimumVersion(_ version: Connection.TLS.Version, isHTTP1: Bool) throws(TransportError) {
        let number =
            switch version {
            case .v1_0: CURL_SSLVERSION_TLSv1_0
            case .v1_1: CURL_SSLVERSION_TLSv1_1
            case .v1_2: CURL_SSLVERSION_TLSv1_2
            case .v1_3: CURL_SSLVERSION_TLSv1_3
            }
        let highest = isHTTP1 ? CURL_SSLVERSION_MAX_DEFAULT : CURL_SSLVERSION_MAX_NONE
        handle.set(CURLOPT_SSLVERSION, Int(number) | Int(highest))
        try handle.check("tls.minimumVersion")
        setProxyOption(CURLOPT_PROXY_SSLVERSION) { handle.set($0, Int(number)) }
        if version == .v1_0 || version == .v1_1, handle.library.openSSL != nil {
            // At a higher level, OpenSSL rejects the signature algorithms of these versions.
            handle.set(CURLOPT_SSL_CIPHER_LIST, "DEFAULT:@SECLEVEL=0")
            try handle.check("tls.minimumVersion")
        }
    }

    /// Sets the authorities, for servers and proxies alike.
    private func setAuthorities(_ file: String?) throws(TransportError) {
        let environment = CurlAuthorities.ofEnvironment
        if let file = file ?? environment.file {
            try Self.requireFile(file, "tls.caFile")
            handle.set(CURLOPT_CAINFO, file)
            setProxyOption(CURLOPT_PROXY_CAINFO) { handle.set($0, file) }
            try handle.check("tls.caFile")
        }
        // The system's folder would be trusted in addition to the file.
        for option in [CURLOPT_CAPATH, CURLOPT_PROXY_CAPATH] {
            if file != nil {
                handle.set(option, UnsafeRawPointer?.none)
            } else if let folder = environment.folder {
                handle.set(option, folder)
            }
        }
        // Libraries without support for folders trust none.
        handle.forgetRefusals()
    }

    private func setCertificate(_ certificate: Connection.ClientCertificate) throws(TransportError) {
        let password: String?
        switch certificate {
        case .pem(let file, let key, let keyPassword):
            try Self.requireFile(file, "tls.clientCertificate")
            if let key { try Self.requireFile(key, "tls.clientCertificate") }
            handle.set(CURLOPT_SSLCERT, file)
            if let key { handle.set(CURLOPT_SSLKEY, key) }
            password = keyPassword
        case .pkcs12(let file, let filePassword):
            try Self.requireFile(file, "tls.clientCertificate")
            handle.set(CURLOPT_SSLCERT, file)
            handle.set(CURLOPT_SSLCERTTYPE, "P12")
            password = filePassword
        }
        // Without a password OpenSSL would ask for it on the terminal.
        handle.set(CURLOPT_KEYPASSWD, password ?? "")
        try handle.check("tls.clientCertificate")
    }

    /// Throws for a path of anything but a file: to open a pipe would stop all requests until something writes to it, and
    /// to read a terminal would take its keys. What is missing is an error of libcurl.
    private static func requireFile(_ path: String, _ member: String) throws(TransportError) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
        throw Connection.unsupported(member, "names \(path.excerpt()), which is not a regular file")
    }

    /// Sets an option unless the library does not support TLS to proxies.
    private func setProxyOption(_ option: CURLoption, _ set: (CURLoption) -> Void) {
        if features.has(CURL_VERSION_HTTPS_PROXY) { set(option) }
    }
}

/// The certificate authorities in the environment, read as by curl.
struct CurlAuthorities: Sendable {
    let file: String?
    let folder: String?

    /// The authorities, read once.
    static let ofEnvironment = {
        func value(_ name: String) -> String? {
            getenv(name).flatMap { $0.pointee == 0 ? nil : String(cString: $0) }
        }
        if let bundle = value("CURL_CA_BUNDLE") { return CurlAuthorities(file: bundle, folder: nil) }
        return CurlAuthorities(file: value("SSL_CERT_FILE"), folder: value("SSL_CERT_DIR"))
    }()
}
#endif
