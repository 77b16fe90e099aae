#if canImport(CCurl)
internal import CCurl

/// The mapping of requests to the options of an easy handle: those of every request, those of a manager's `Connection`,
/// and those of each hop.
struct CurlSetup {
    let handle: CurlHandle

    func applyAlways(_ configuration: CurlTransport.Configuration) throws(TransportError) {
        handle.set(CURLOPT_NOSIGNAL, true)
        handle.set(CURLOPT_FOLLOWLOCATION, false)
        handle.set(CURLOPT_PROTOCOLS, Int(CURLPROTO_HTTP | CURLPROTO_HTTPS))
        handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
        let idle = configuration.idleConnectionLifetime.nanosecondsClamped / 1_000_000_000
        handle.set(CURLOPT_MAXAGE_CONN, max(min(idle, Int(Int32.max)), 1))
        setCallbacks()
        try handle.check()
        setWhatMayBeMissing()
    }

    /// Sets the options of a hop. The loop enforces all other time limits.
    func apply(_ hop: Hop, connectLimit: Duration) throws(TransportError) {
        handle.errorBuffer.pointee = 0
        let address = hop.url.absoluteString
        handle.set(CURLOPT_URL, address)
        // Without TLS it is unknown before the first response whether a connection can be shared, and all other
        // requests would wait for it. The fifth letter is that of "https".
        handle.set(CURLOPT_PIPEWAIT, address.utf8.dropFirst(4).first.map { $0 | 0x20 } == UInt8(ascii: "s"))
        handle.set(CURLOPT_CONNECTTIMEOUT_MS, Self.milliseconds(connectLimit))
        setMethodAndBody(hop)
        handle.setHeaders(hop.headers.fields) { headerLines(hop.headers) }
        try handle.check()
    }

    /// Sets up a request that makes libcurl check its connections and is never sent: the handle has no transfer, so
    /// that it gets no socket.
    func applySweep() throws(TransportError) {
        try handle.use(.standard, .own)
        handle.set(CURLOPT_URL, "http://127.0.0.1/")
        handle.reconnect()
        try handle.check()
    }

    /// Returns the milliseconds, rounded down and at least 1: libcurl takes 0 for no limit.
    static func milliseconds(_ duration: Duration) -> Int {
        max(min(duration.nanosecondsClamped / 1_000_000, Int(Int32.max)), 1)
    }

    /// Sets the method, and the body for any but HEAD, whose response libcurl would then expect to have a body, too.
    private func setMethodAndBody(_ hop: Hop) {
        let wantsLength = [.post, .put, .patch].contains(hop.method)
        if hop.method == .head {
            handle.set(CURLOPT_NOBODY, true)
        } else if let stream = hop.bodyStream {
            handle.set(CURLOPT_POST, true)
            handle.set(CURLOPT_POSTFIELDS, UnsafeRawPointer?.none)
            // Without a length libcurl sends chunks over HTTP/1.1 (RFC 9112 §7.1).
            handle.set(CURLOPT_POSTFIELDSIZE_LARGE, size: stream.length ?? -1)
        } else if let body = hop.body ?? (wantsLength ? Data() : nil) {
            handle.set(CURLOPT_POST, true)
            handle.set(CURLOPT_POSTFIELDSIZE_LARGE, size: body.count)
            let bytes = body.isEmpty ? Data([0]) : body
            bytes.withUnsafeBytes { handle.set(CURLOPT_COPYPOSTFIELDS, $0.baseAddress) }
        } else {
            handle.set(CURLOPT_HTTPGET, true)
        }
        handle.set(CURLOPT_NOPROGRESS, hop.bodyLength == 0)
        // After 417 libcurl would send the same request again, endlessly.
        handle.set(CURLOPT_MAXREDIRS, hop.expectsContinue ? 0 : -1)
        handle.setMethod(hop.method)
    }

    /// Returns every field as given, and lines that disable libcurl's own.
    private func headerLines(_ headers: RequestHeaders) -> [String] {
        var lines: [String] = []
        for field in headers.fields where field.key != .contentLength {
            // Without a value, and with spaces alone, libcurl would leave the field out.
            let isBlank = field.value.text.utf8.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            lines.append(isBlank ? "\(field.key);" : "\(field.key): \(field.value.text)")
        }
        for key: RequestHeaders.Key in ["Expect", .contentType, .acceptType, .acceptEncoding]
        where headers[key] == nil {
            lines.append("\(key):")
        }
        return lines
    }

    private func setCallbacks() {
        let context = UnsafeRawPointer(Unmanaged.passUnretained(handle).toOpaque())
        handle.set(CURLOPT_ERRORBUFFER, UnsafeRawPointer(handle.errorBuffer))
        for option in [
            CURLOPT_PRIVATE, CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_READDATA, CURLOPT_SEEKDATA,
            CURLOPT_XFERINFODATA, CURLOPT_OPENSOCKETDATA,
        ] {
            handle.set(option, context)
        }
        handle.set(CURLOPT_WRITEFUNCTION, CurlCallbacks.write)
        handle.set(CURLOPT_HEADERFUNCTION, CurlCallbacks.header)
        handle.set(CURLOPT_READFUNCTION, CurlCallbacks.read)
        handle.set(CURLOPT_XFERINFOFUNCTION) { omb_setopt_progress($0, $1, CurlCallbacks.progress) }
        handle.set(CURLOPT_SEEKFUNCTION) { omb_setopt_seek($0, $1, CurlCallbacks.seek) }
        handle.set(CURLOPT_OPENSOCKETFUNCTION) { omb_setopt_open_socket($0, $1, CurlCallbacks.openSocket) }
    }

    /// Sets options that some libraries lack: older ones do not report all phases, those on a TLS library other than
    /// OpenSSL not that of TLS. A handle that could not connect keeps its buffer.
    private func setWhatMayBeMissing() {
        // Otherwise ending an attempt during a slow name lookup would block the whole loop until the lookup ends.
        handle.set(OMB_OPT_QUICK_EXIT, true)
        handle.set(CURLOPT_BUFFERSIZE, 64 << 10)
        let context = UnsafeRawPointer(Unmanaged.passUnretained(handle).toOpaque())
        for option in [CURLOPT_PREREQDATA, CURLOPT_RESOLVER_START_DATA, CURLOPT_SSL_CTX_DATA] {
            handle.set(option, context)
        }
        handle.set(CURLOPT_PREREQFUNCTION) { omb_setopt_prereq($0, $1, CurlCallbacks.prereq) }
        handle.set(CURLOPT_RESOLVER_START_FUNCTION) { omb_setopt_resolver($0, $1, CurlCallbacks.resolver) }
        handle.set(CURLOPT_SSL_CTX_FUNCTION) { omb_setopt_tls($0, $1, CurlCallbacks.tls) }
        handle.forgetRefusals()
    }
}

// Mapping of `Connection` to the options of a handle after a reset.
extension CurlSetup {
    func apply(_ connection: Connection, _ trust: Hop.Trust) throws(TransportError) {
        try connection.check()
        try setProxy(connection)
        try setTLS(connection, trust)
        try setVersion(connection.httpVersion)
        try setAddresses(connection)
        // libcurl may support codings that Ombi cannot decode.
        if connection.acceptsCompression, handle.library.codings.names.isEmpty {
            handle.set(CURLOPT_ACCEPT_ENCODING, "")
        }
        try handle.check("acceptsCompression")
        if let rate = connection.maximumReceiveRate { handle.set(CURLOPT_MAX_RECV_SPEED_LARGE, size: rate) }
        if let rate = connection.maximumSendRate { handle.set(CURLOPT_MAX_SEND_SPEED_LARGE, size: rate) }
        try handle.check("maximumReceiveRate or maximumSendRate")
    }

    var features: CurlFeatures { handle.library.features }

    func require(_ feature: Int32, _ member: String, _ value: String) throws(TransportError) {
        guard !features.has(feature) else { return }
        throw Connection.unsupported(
            member, "asks for \(value), which the libcurl of this system (\(features.version)) does not have")
    }

    private func setVersion(_ version: Connection.HTTPVersion) throws(TransportError) {
        switch version {
        case .automatic:
            handle.set(
                CURLOPT_HTTP_VERSION,
                Int(features.has(CURL_VERSION_HTTP2) ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1))
        case .http1: handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        case .http2:
            try require(CURL_VERSION_HTTP2, "httpVersion", "HTTP/2")
            handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2_0))
        case .http2PriorKnowledge:
            try require(CURL_VERSION_HTTP2, "httpVersion", "HTTP/2")
            handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE))
            if features.breaksPriorKnowledge { handle.set(CURLOPT_FRESH_CONNECT, true) }
            // The tunnel prevents HTTP/2 to a proxy.
            handle.set(CURLOPT_HTTPPROXYTUNNEL, true)
        case .http3:
            try require(CURL_VERSION_HTTP3, "httpVersion", "HTTP/3")
            handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_3))
        }
        try handle.check("httpVersion")
    }

    private func setAddresses(_ connection: Connection) throws(TransportError) {
        if let path = connection.unixSocket {
            try require(CURL_VERSION_UNIX_SOCKETS, "unixSocket", "a Unix domain socket")
            handle.set(CURLOPT_UNIX_SOCKET_PATH, path)
            try handle.check("unixSocket")
        }
        if !connection.addresses.isEmpty {
            handle.setAddresses(connection.addresses.map(Self.line))
            try handle.check("addresses")
        }
        if let name = connection.networkInterface { handle.set(CURLOPT_INTERFACE, name) }
        try handle.check("networkInterface")
        switch connection.addressFamily {
        case .any: break
        case .ipv4: handle.set(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V4))
        case .ipv6:
            try require(CURL_VERSION_IPV6, "addressFamily", "IPv6")
            handle.set(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V6))
        }
    }

    /// Returns a line for `CURLOPT_CONNECT_TO`; one for `--resolve` would stay in libcurl's cache and affect other
    /// requests.
    private static func line(_ pair: Connection.AddressOverride) -> String {
        let host = pair.host.contains(":") && !pair.host.hasPrefix("[") ? "[\(pair.host)]" : HostName.ascii(pair.host)
        let address = pair.isIPv6 ? "[\(pair.address)]" : pair.address
        return "\(host):\(pair.port):\(address):\(pair.port)"
    }
}

// Proxies.
extension CurlSetup {
    private func setProxy(_ connection: Connection) throws(TransportError) {
        switch connection.proxy {
        case .environment:
            // libcurl reads the variables itself. A Unix socket bypasses every proxy.
            if connection.unixSocket != nil { handle.set(CURLOPT_PROXY, "") }
        case .none: handle.set(CURLOPT_PROXY, "")
        case .server(let server):
            if server.scheme == .https { try require(CURL_VERSION_HTTPS_PROXY, "proxy", "TLS to a proxy") }
            handle.set(CURLOPT_PROXY, "\(server.scheme.rawValue)://\(try place(of: server))")
            if let name = server.username { handle.set(CURLOPT_PROXYUSERNAME, name) }
            if let password = server.password { handle.set(CURLOPT_PROXYPASSWORD, password) }
            // "" keeps libcurl from reading the environment.
            let bypasses = server.bypasses.contains("*") ? "*" : server.bypasses.joined(separator: ",")
            handle.set(CURLOPT_NOPROXY, bypasses)
        }
        try handle.check("proxy")
    }

    private func place(of server: Connection.Proxy.Server) throws(TransportError) -> String {
        if let path = server.socketPath {
            guard features.number >= 0x075400 else {
                throw Connection.unsupported(
                    "proxy", "is a Unix domain socket, which needs libcurl 7.84; this system has \(features.version)")
            }
            return "localhost" + PercentEncoding.escapePath(path)
        }
        let isAddress = server.host.contains(":") && !server.host.hasPrefix("[")
        return (isAddress ? "[\(server.host)]" : HostName.ascii(server.host)) + ":\(server.port)"
    }
}

// Schemes that libcurl negotiates for a connection.
extension CurlSetup {
    /// Sets the options of one hop; they are gone with its settings. libcurl uses the scheme alone, and never Basic.
    ///
    /// Negotiate belongs to a connection, as NTLM does, but not every libcurl keeps its connections apart: each hop makes
    /// one of its own, and closes it.
    func apply(_ authentication: ConnectionAuthentication, _ connection: Connection) throws(TransportError) {
        try CurlTransport.check(authentication, features)
        guard [.automatic, .http1].contains(connection.httpVersion) else {
            throw authentication.unsupported(
                "needs HTTP/1.1; Connection.httpVersion asks for \(connection.httpVersion.rawValue)")
        }
        handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        switch authentication.scheme {
        case .negotiate:
            handle.set(CURLOPT_HTTPAUTH, OMB_AUTH_NEGOTIATE)
            // Without a user libcurl sends nothing; the ticket names the user.
            handle.set(CURLOPT_USERPWD, ":")
        case .ntlm(let username, let password):
            handle.set(CURLOPT_HTTPAUTH, OMB_AUTH_NTLM)
            handle.set(CURLOPT_USERNAME, username)
            handle.set(CURLOPT_PASSWORD, password)
        }
        // The requests of a negotiation count as redirects; a server could ask for ever more of them.
        handle.set(CURLOPT_MAXREDIRS, Self.maximumRounds(of: authentication.scheme))
        handle.set(CURLOPT_FORBID_REUSE, true)
        handle.reconnect()
        guard !handle.hasRefused else {
            handle.forgetRefusals()
            throw authentication.unsupported(CurlTransport.lacking(features))
        }
    }

    /// The requests after the first one. NTLM needs one, with the proof; each further proof could count as a wrong
    /// password, and lock the account.
    private static func maximumRounds(of scheme: ConnectionAuthentication.Scheme) -> Int {
        switch scheme {
        case .negotiate: 10
        case .ntlm: 1
        }
    }
}

extension CurlTransport {
    /// Returns the error of every request with a scheme that the libcurl of this system was built without; nil if it has the
    /// scheme. Loads libcurl, and sends nothing.
    package static func refusal(of scheme: ConnectionAuthentication.Scheme) -> TransportError? {
        do throws(TransportError) {
            try check(ConnectionAuthentication(scheme), try CurlLibrary.shared.get().features)
            return nil
        } catch {
            return error
        }
    }

    /// Throws for a scheme that a libcurl was built without.
    static func check(
        _ authentication: ConnectionAuthentication, _ features: CurlFeatures
    ) throws(TransportError) {
        let feature =
            switch authentication.scheme {
            case .negotiate: CURL_VERSION_SPNEGO
            case .ntlm: CURL_VERSION_NTLM
            }
        guard !features.has(feature) else { return }
        throw authentication.unsupported(lacking(features))
    }

    fileprivate static func lacking(_ features: CurlFeatures) -> String {
        "is not in the libcurl of this system (\(features.version)); nothing was sent"
    }
}
#endif
