import OmbiPlatform

// Checks for settings that no transport can honor.
extension Connection {
    /// Throws `TransportError.Code.unsupportedOption`, with a sentence that names the member.
    package func check() throws(TransportError) {
        if let connectTimeout { try Self.require(connectTimeout > .zero, "connectTimeout", "is not above 0") }
        for (name, rate) in [("maximumReceiveRate", maximumReceiveRate), ("maximumSendRate", maximumSendRate)] {
            if let rate { try Self.require(rate > 0, name, "is \(rate); give more than 0, or nil for no limit") }
        }
        if let count = maximumConnectionsPerHost {
            try Self.require(count > 0, "maximumConnectionsPerHost", "is \(count); give more than 0")
        }
        for address in addresses { try address.check() }
        for pin in tls.pinnedPublicKeys { try Self.checkPin(pin) }
        if case .server(let server) = proxy {
            try server.check()
            try Self.require(unixSocket == nil, "unixSocket", "and Connection.proxy exclude each other")
        }
        if let unixSocket { try Self.checkSocket(unixSocket) }
    }

    package static func unsupported(_ member: String, _ problem: String) -> TransportError {
        TransportError(code: .unsupportedOption, message: "Connection.\(member) \(problem)")
    }

    fileprivate static func require(
        _ isFine: Bool, _ member: String, _ problem: @autoclosure () -> String
    ) throws(TransportError) {
        guard !isFine else { return }
        throw unsupported(member, problem())
    }

    /// Throws for a pin without the prefix, which libcurl would take for a file name.
    private static func checkPin(_ pin: String) throws(TransportError) {
        let prefix = "sha256//"
        let hash = pin.hasPrefix(prefix) ? Data(base64Encoded: String(pin.dropFirst(prefix.count))) : nil
        try require(
            hash?.count == 32, "tls.pinnedPublicKeys",
            "has \"\(pin.excerpt())\", which is not sha256// and the Base64 of 32 bytes")
    }

    fileprivate static func checkSocket(_ path: String, _ member: String = "unixSocket") throws(TransportError) {
        let maximum = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1
        try require(
            1...maximum ~= path.utf8.count, member,
            "is a path of \(path.utf8.count) bytes; the system takes 1 to \(maximum)")
    }
}

extension Connection.AddressOverride {
    fileprivate func check() throws(TransportError) {
        let member = "addresses"
        try Connection.require(!host.isEmpty, member, "has an empty host")
        try Connection.require(
            1...65_535 ~= port, member, "has the port \(port) for \(host.excerpt()), which is not from 1 to 65535")
        try Connection.require(
            isIPv4 || isIPv6, member, "has \"\(address.excerpt())\" for \(host.excerpt()), which is not an IP address")
    }

    private var isIPv4: Bool {
        var bytes = in_addr()
        return inet_pton(AF_INET, address, &bytes) == 1
    }

    var isIPv6: Bool {
        var bytes = in6_addr()
        return inet_pton(AF_INET6, address, &bytes) == 1
    }
}

extension Connection.Proxy.Server {
    fileprivate func check() throws(TransportError) {
        if let socketPath {
            try Connection.require(scheme.isSOCKS, "proxy", "has a socket, which a proxy of HTTP cannot have")
            return try Connection.checkSocket(socketPath, "proxy")
        }
        let isName =
            !host.isEmpty && host.unicodeScalars.allSatisfy { !$0.isControl && !" /?#@".unicodeScalars.contains($0) }
        try Connection.require(isName, "proxy", "has the host \"\(host.excerpt())\", which is no name or address")
        try Connection.require(
            1...65_535 ~= port, "proxy", "has the port \(port), which is not from 1 to 65535")
        let isUsername = scheme.isSOCKS || username?.contains(":") != true
        try Connection.require(isUsername, "proxy", "has a user name with a colon, which ends it (RFC 7617)")
    }
}

extension Connection.Proxy.Scheme {
    fileprivate var isSOCKS: Bool { self != .http && self != .https }
}
