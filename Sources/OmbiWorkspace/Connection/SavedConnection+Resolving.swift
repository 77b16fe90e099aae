extension SavedConnection {
    /// Returns this connection, with its nil values taken from `base`.
    package func merging(over base: SavedConnection?) -> SavedConnection {
        guard let base else { return self }
        var merged = self
        merged.connectTimeout = connectTimeout ?? base.connectTimeout
        merged.proxy = proxy ?? base.proxy
        merged.via = via ?? base.via
        merged.caFile = caFile ?? base.caFile
        merged.clientCertificate = clientCertificate ?? base.clientCertificate
        merged.pins = pins ?? base.pins
        merged.minimumTLS = minimumTLS ?? base.minimumTLS
        merged.httpVersion = httpVersion ?? base.httpVersion
        merged.maximumRedirects = maximumRedirects ?? base.maximumRedirects
        merged.unixSocket = unixSocket ?? base.unixSocket
        merged.resolve = resolve ?? base.resolve
        merged.addressFamily = addressFamily ?? base.addressFamily
        merged.interface = interface ?? base.interface
        merged.cookies = cookies ?? base.cookies
        merged.maximumReceiveRate = maximumReceiveRate ?? base.maximumReceiveRate
        merged.maximumSendRate = maximumSendRate ?? base.maximumSendRate
        return merged
    }

    /// The part that also applies to a host other than the environment's: without the client's identity and without
    /// trust settings.
    var foreign: SavedConnection {
        var connection = self
        (connection.caFile, connection.clientCertificate, connection.pins) = (nil, nil, nil)
        connection.unixSocket = nil
        return connection
    }

    /// Returns the settings of the engine.
    /// - Parameter folder: the start of relative paths.
    func resolved(
        _ fill: TemplateFill, request: String, folder: String
    ) throws(ResolveError) -> Connection {
        var connection = Connection()
        connection.connectTimeout = connectTimeout
        connection.httpVersion = httpVersion ?? .automatic
        connection.addressFamily = addressFamily ?? .any
        connection.maximumReceiveRate = maximumReceiveRate
        connection.maximumSendRate = maximumSendRate
        if let maximumRedirects { connection.redirects.maximum = maximumRedirects }
        if let minimumTLS { connection.tls.minimumVersion = minimumTLS }
        connection.tls.pinnedPublicKeys = pins ?? []
        if let caFile, caFile != ConnectionText.none {
            connection.tls.caFile = RelativePath.resolve(try fill(caFile, "connection caFile"), folder: folder)
        }
        if let unixSocket, unixSocket != ConnectionText.none {
            connection.unixSocket = RelativePath.resolve(
                try fill(unixSocket, "connection unixSocket"), folder: folder)
        }
        if let interface, interface != ConnectionText.none {
            connection.networkInterface = try fill(interface, "connection interface")
        }
        if let clientCertificate, !clientCertificate.isOff {
            connection.tls.clientCertificate = try clientCertificate.resolved(fill, folder: folder)
        }
        do throws(FieldError) {
            for text in resolve ?? [] { connection.addresses.append(try ConnectionText.address(text)) }
        } catch {
            throw ResolveError(request: request, field: "connection resolve", reason: error.message)
        }
        connection.proxy = try resolvedProxy(fill, request: request)
        return connection
    }

    /// Values of templates in a user name and a password are taken as they are; where templates make more of the URL, it is
    /// read once they are filled in.
    private func resolvedProxy(_ fill: TemplateFill, request: String) throws(ResolveError) -> Connection.Proxy {
        guard let proxy else { return .environment }
        let field = "connection proxy"
        if case .server(var server)? = try? ConnectionText.proxy(proxy) {
            server.host = try fill(server.host, field)
            if let username = server.username { server.username = try fill(username, field) }
            if let password = server.password { server.password = try fill(password, field) }
            return .server(server)
        }
        let text = try fill(proxy, field)
        do throws(FieldError) { return try ConnectionText.proxy(text) } catch {
            throw ResolveError(request: request, field: field, reason: error.message)
        }
    }
}

extension SavedConnection {
    /// The host of ssh that connections go through; nil for none.
    func resolvedVia(_ fill: TemplateFill, request: String) throws(ResolveError) -> SSHHost? {
        guard let via, via != ConnectionText.none else { return nil }
        let field = "connection via"
        let refusal = { ResolveError(request: request, field: field, reason: $0) }
        for (name, other) in [("proxy", proxy), ("unixSocket", unixSocket)] where Self.isOn(other) {
            throw refusal("and \(name) exclude each other; \"none\" switches an inherited one off")
        }
        let text = try fill(via, field)
        do throws(FieldError) { return try SSHHost(text) } catch { throw refusal(error.message) }
    }
}

extension Connection.Proxy {
    /// A SOCKS proxy that listens on a Unix domain socket and looks names up itself.
    static func socket(_ path: String) -> Connection.Proxy { .server(.init(scheme: .socks5h, host: path, port: 0)) }
}

extension SavedCertificate {
    fileprivate func resolved(
        _ fill: TemplateFill, folder: String
    ) throws(ResolveError) -> Connection.ClientCertificate {
        let place = "connection clientCertificate "
        let file = RelativePath.resolve(try fill(file, place + "file"), folder: folder)
        let password = if let password { try fill(password, place + "password") } else { String?.none }
        if isPKCS12 { return .pkcs12(file: file, password: password) }
        guard let key else { return .pem(certificate: file, password: password) }
        let keyFile = RelativePath.resolve(try fill(key, place + "key"), folder: folder)
        return .pem(certificate: file, key: keyFile, password: password)
    }
}

extension Connection {
    /// The passwords in it, which no message may show.
    var passwords: [String] {
        var passwords: [String?] = []
        if case .server(let server) = proxy { passwords.append(server.password) }
        switch tls.clientCertificate {
        case .pem(_, _, let password)?, .pkcs12(_, let password)?: passwords.append(password)
        case nil: break
        }
        return passwords.compactMap { $0 }.filter { !$0.isEmpty }
    }
}
