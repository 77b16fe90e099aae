#if canImport(CCurl)
internal import CCurl

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
#endif
