/// The connection of a request, from the options of curl.
extension CurlRequestReader {
    mutating func connection() throws(ImportError) -> SavedConnection? {
        var connection = SavedConnection()
        connection.connectTimeout = try duration(.connectTimeout)
        try readProxy(&connection)
        readTrust(&connection)
        if let limit = operation.last(.maximumRedirects), try number(limit) >= 0 {
            connection.maximumRedirects = Int(min(1000, try number(limit)))
        }
        connection.unixSocket = path(.unixSocket)
        if SavedConnection.isOn(connection.unixSocket), SavedConnection.isOn(connection.proxy) {
            connection.proxy = nil
            if let (argument, _) = lastProxy {
                log.remark(argument, "left out: a Unix domain socket has no proxy in curl, either")
            }
        }
        try readAddresses(&connection)
        try readInterface(&connection)
        readVersions(&connection)
        readCookies(&connection)
        if let rate = operation.last(.limitRate), Double(rate.value?.text ?? "") != 0 {
            guard let bytes = Self.bytes(rate.value?.text ?? "") else {
                throw log.error(rate.offset, "\(rate.written) takes bytes per second, such as 100k")
            }
            (connection.maximumReceiveRate, connection.maximumSendRate) = (bytes, bytes)
        }
        return connection == SavedConnection() ? nil : connection
    }

    /// curl keeps cookies in a file from one command to the next.
    private mutating func readCookies(_ connection: inout SavedConnection) {
        if let jar = operation.last(.cookieJar) {
            connection.cookies = true
            log.loss(jar, "cookies are kept while Ombi runs; no file of them is written")
        }
        let files = operation.all(.cookie).compactMap(\.value?.text).filter { !$0.isEmpty && !$0.contains("=") }
        if !files.isEmpty { connection.cookies = true }
    }

    private func text(_ part: CurlOption.Part) -> String? {
        operation.last(part)?.value.map { TemplateText.escaped($0.text) }
    }

    /// The path of a file; nil, with a remark, for an empty one. The name `none` would say that there is no file.
    private mutating func path(_ part: CurlOption.Part) -> String? {
        guard let text = text(part) else { return nil }
        if text.isEmpty { note(part, "left out: the path is empty") }
        return text.isEmpty ? nil : text == ConnectionText.none ? "./" + text : text
    }

    private mutating func note(_ part: CurlOption.Part, _ message: String) {
        guard let argument = operation.last(part) else { return }
        log.remark(argument, message)
    }

    private mutating func readProxy(_ connection: inout SavedConnection) throws(ImportError) {
        if let bypass = operation.last(.noproxy), let hosts = bypass.value?.text {
            if hosts == "*" { return connection.proxy = ConnectionText.none }
            log.loss(
                bypass, of: hosts.excerpt(40), "a proxy is for all hosts; write none for it in the requests to these")
        }
        guard let (argument, scheme) = lastProxy, let value = argument.value?.text else {
            if let user = operation.last(.proxyUser) {
                log.loss(user, "there is no -x; write the proxy as a URL in Connection")
            }
            return
        }
        if value.isEmpty { return connection.proxy = ConnectionText.none }
        var proxy = value.contains("://") ? value : "\(scheme)://" + value
        readUser(of: &proxy)
        do throws(FieldError) { try ConnectionText.checkProxy(proxy) } catch {
            throw log.error(argument.offset, "\(argument.written): \(error.message)")
        }
        // curl's own port.
        let authority = proxy.suffix(from: proxy.firstRange(of: "://")?.upperBound ?? proxy.startIndex)
        let host = authority.split(separator: "@").last.map(String.init) ?? ""
        let hasPort = host.split(separator: "]").last?.contains(":") ?? false
        while proxy.hasSuffix("/") { proxy.removeLast() }
        connection.proxy = hasPort || proxy.hasPrefix("socks") ? proxy : proxy + ":1080"
    }

    /// The option that comes last, with the scheme that it stands for.
    private var lastProxy: (argument: CurlArgument, scheme: String)? {
        let schemes: [(CurlOption.Part, String)] = [
            (.proxy, "http"), (.socks4, "socks4"), (.socks4a, "socks4a"), (.socks5, "socks5"),
            (.socks5Hostname, "socks5h"),
        ]
        let found = schemes.compactMap { part, scheme in operation.last(part).map { (argument: $0, scheme: scheme) } }
        return found.max { $0.argument.offset < $1.argument.offset }
    }

    /// Puts the user into the URL of a proxy; takes it out where curl would not sign in with Basic.
    private mutating func readUser(of proxy: inout String) {
        guard let start = proxy.firstRange(of: "://")?.upperBound else { return }
        let others: [CurlOption.Part] = [.proxyAnyauth, .proxyDigest, .proxyNegotiate, .proxyNTLM]
        if proxy.hasPrefix("http"), let other = others.first(where: { operation.isOn($0) }) {
            if let argument = operation.last(other) {
                log.loss(argument, "Ombi signs in to a proxy with Basic alone; the user and the password are left out")
            }
            if let at = proxy.lastIndex(of: "@") { proxy.removeSubrange(start...at) }
            return
        }
        // curl prefers the user in the URL.
        guard let user = operation.last(.proxyUser)?.value?.text, !proxy.contains("@") else { return }
        let parts = user.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        proxy.insert(
            contentsOf: parts.map { PercentEncoding.escape(String($0)) }.joined(separator: ":") + "@", at: start)
    }

    private mutating func readTrust(_ connection: inout SavedConnection) {
        connection.caFile = path(.caFile)
        readCertificate(&connection)
        guard let argument = operation.last(.pins), let pins = argument.value?.text else { return }
        let list = pins.split(separator: ";").map(String.init)
        if !list.isEmpty, list.allSatisfy({ (try? ConnectionText.checkPin($0)) != nil }) {
            connection.pins = list
        } else {
            log.loss(
                argument, of: pins.excerpt(40),
                "a file of a public key is not read; write sha256// and the hash in Connection")
        }
    }

    private mutating func readCertificate(_ connection: inout SavedConnection) {
        guard let written = operation.last(.certificate)?.value?.text else {
            for part in [CurlOption.Part.key, .pass] {
                guard let argument = operation.last(part) else { continue }
                log.loss(argument, "there is no -E for it; fill in Connection")
            }
            return
        }
        let (file, password) = Self.fileAndPassword(written)
        guard !file.isEmpty else { return note(.certificate, "left out: the path is empty") }
        var certificate = SavedCertificate(
            file: TemplateText.escaped(file == ConnectionText.none ? "./" + file : file), key: path(.key),
            password: text(.pass) ?? password.map { TemplateText.escaped($0) })
        if certificate.isPKCS12, certificate.key != nil {
            certificate.key = nil
            note(.key, "left out: a PKCS#12 file has its key in itself")
        }
        connection.clientCertificate = certificate
    }

    /// Splits at the first colon that has no backslash in front. A backslash stands for itself but before a colon and
    /// another backslash.
    private static func fileAndPassword(_ text: String) -> (file: String, password: String?) {
        var file = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            switch character {
            case ":": return (file, rest.isEmpty ? nil : String(rest))
            case "\\" where rest.first == ":" || rest.first == "\\": file.append(rest.removeFirst())
            default: file.append(character)
            }
        }
        return (file, nil)
    }

    /// All of them count. A plus sign in front is for addresses that time out.
    private mutating func readAddresses(_ connection: inout SavedConnection) throws(ImportError) {
        var addresses: [String] = []
        for argument in operation.all(.resolve) {
            guard let text = argument.value?.text else { continue }
            let value = text.hasPrefix("+") ? String(text.dropFirst()) : text
            if value.hasPrefix("*:") {
                log.loss(
                    argument, of: value.excerpt(40),
                    "an address is that of one host; write HOST:PORT:ADDRESS under Connection")
                continue
            }
            do throws(FieldError) { try ConnectionText.checkAddress(value) } catch {
                throw log.error(argument.offset, "\(argument.written): \(error.message)")
            }
            addresses.append(value)
        }
        if !addresses.isEmpty { connection.resolve = addresses }
    }

    private func readInterface(_ connection: inout SavedConnection) throws(ImportError) {
        guard let argument = operation.last(.interface), let name = argument.value?.text else { return }
        do throws(FieldError) { try ConnectionText.checkInterface(name) } catch {
            throw log.error(argument.offset, "\(argument.written): \(error.message)")
        }
        connection.interface = TemplateText.escaped(name)
    }

    private func readVersions(_ connection: inout SavedConnection) {
        let versions: [(CurlOption.Part, Connection.HTTPVersion)] = [
            (.http1, .http1), (.http2, .http2), (.http2PriorKnowledge, .http2PriorKnowledge), (.http3, .http3),
        ]
        connection.httpVersion = latest(of: versions)
        connection.addressFamily = latest(of: [(.ipv4, .ipv4), (.ipv6, .ipv6)])
        connection.minimumTLS = latest(
            of: [(.tls1_0, .v1_0), (.tls1_1, .v1_1), (.tls1_2, .v1_2), (.tls1_3, .v1_3)])
    }

    /// The value of the option that comes last.
    private func latest<Value>(of options: [(CurlOption.Part, Value)]) -> Value? {
        options.compactMap { part, value in operation.last(part).map { ($0.offset, value) } }.max { $0.0 < $1.0 }?.1
    }

    /// Reads `100k`, `2M`; nil for another text.
    private static func bytes(_ text: String) -> Int? {
        let units: [Character: Int] = ["k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "b": 1]
        let unit = text.lowercased().last.flatMap { units[$0] }
        guard let number = Double(unit == nil ? text : String(text.dropLast())), number > 0, number < 1e12 else {
            return nil
        }
        return max(1, Int(exactly: (number * Double(unit ?? 1)).rounded(.down)) ?? .max)
    }
}
