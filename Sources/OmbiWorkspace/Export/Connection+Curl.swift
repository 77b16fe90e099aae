extension Connection {
    /// The options of curl for what differs from the defaults, but for trust and redirects.
    /// - Parameter text: applied to what may hold secrets.
    func curlOptions(_ text: (String) -> String) -> [String] {
        let standard = Connection()
        var options: [String] = []
        if let connectTimeout { options.append("--connect-timeout " + CurlLine.seconds(connectTimeout)) }
        options += proxy.curlOptions(text) + tls.curlOptions(text)
        switch httpVersion {
        case .automatic: break
        case .http1: options.append("--http1.1")
        case .http2: options.append("--http2")
        case .http2PriorKnowledge: options.append("--http2-prior-knowledge")
        case .http3: options.append("--http3")
        }
        if redirects.maximum != standard.redirects.maximum, redirects.maximum > 0 {
            options.append("--max-redirs \(redirects.maximum)")
        }
        if let unixSocket { options.append("--unix-socket " + ShellQuotes.word(text(unixSocket))) }
        options += addresses.map { "--resolve " + ShellQuotes.word("\($0.host):\($0.port):\($0.address)") }
        switch addressFamily {
        case .any: break
        case .ipv4: options.append("-4")
        case .ipv6: options.append("-6")
        }
        if let networkInterface { options.append("--interface " + ShellQuotes.word(text(networkInterface))) }
        // curl has one limit for both ways.
        if let rate = [maximumReceiveRate, maximumSendRate].compactMap({ $0 }).min() {
            options.append("--limit-rate \(rate)")
        }
        return options
    }
}

extension Connection.Proxy {
    fileprivate func curlOptions(_ text: (String) -> String) -> [String] {
        switch self {
        case .environment: return []
        case .none: return ["-x ''"]
        case .server(let server):
            let address = "-x " + ShellQuotes.word("\(server.scheme.rawValue)://\(text(server.host)):\(server.port)")
            guard let username = server.username else { return [address] }
            let user = text(username) + (server.password.map { ":" + text($0) } ?? "")
            return [address, "-U " + ShellQuotes.word(user)]
        }
    }
}

extension Connection.TLS {
    fileprivate func curlOptions(_ text: (String) -> String) -> [String] {
        var options = caFile.map { ["--cacert " + ShellQuotes.word(text($0))] } ?? []
        switch clientCertificate {
        case .pem(let file, let key, let password)?:
            options.append("-E " + Self.certificateWord(text(file)))
            if let key { options.append("--key " + ShellQuotes.word(text(key))) }
            if let password { options.append("--pass " + ShellQuotes.word(text(password))) }
        case .pkcs12(let file, let password)?:
            options += ["-E " + Self.certificateWord(text(file)), "--cert-type P12"]
            if let password { options.append("--pass " + ShellQuotes.word(text(password))) }
        case nil: break
        }
        if !pinnedPublicKeys.isEmpty {
            options.append("--pinnedpubkey " + ShellQuotes.word(pinnedPublicKeys.joined(separator: ";")))
        }
        if minimumVersion != Self().minimumVersion { options.append("--tlsv\(minimumVersion.rawValue)") }
        return options
    }
}

extension Connection.TLS {
    /// A colon without a backslash begins the password.
    private static func certificateWord(_ file: String) -> String {
        ShellQuotes.word(file.replacing("\\", with: "\\\\").replacing(":", with: "\\:"))
    }
}

extension SavedConnection {
    /// The same, as the file has it, with its templates.
    var curlOptions: [String] {
        var known = self
        let whole = proxy.flatMap { $0.contains("://") || $0 == ConnectionText.none ? nil : $0 }
        if whole != nil { known.proxy = nil }
        guard let connection = try? known.resolved({ text, _ in text }, request: "", folder: "") else { return [] }
        let passwords = connection.passwords.filter { !$0.contains("{{") }
        return (whole.map { ["-x " + ShellQuotes.word($0)] } ?? [])
            + connection.curlOptions { passwords.contains($0) ? LogMask.mask : $0 }
    }
}

extension PreparedBody {
    /// - Parameter plain: applied to every text, for its secrets.
    func curl(_ plain: (String) -> String) -> CurlLine.Body {
        switch form {
        case .json, .text, .form: .text(plain(text))
        case .file(let path, _): .file(plain(path))
        case .multipart(let parts): .form(parts.map { $0.curlField(plain) })
        }
    }
}

/// A part of a form as an option of curl.
extension MultipartPart {
    /// - Parameter plain: applied to every text, for its templates or its secrets.
    func curlField(_ plain: (String) -> String) -> CurlLine.FormField {
        let name = plain(name)
        let attributes =
            (contentType.map { ";type=" + plain($0) } ?? "") + (fileName.map { ";filename=" + quoted(plain($0)) } ?? "")
        switch content {
        case .text(let text) where attributes.isEmpty:
            return CurlLine.FormField(option: "--form-string", name: name, value: plain(text))
        case .text(let text):
            return CurlLine.FormField(
                option: "-F", name: name, value: quoted(plain(text), always: true) + attributes,
                hasTypeOfName: contentType == nil)
        case .file(let path) where fileName == Self.absent:
            let type = contentType ?? FileType.named(path)
            return CurlLine.FormField(
                option: "-F", name: name,
                value: "<" + quoted(plain(path)) + (type == Self.absent ? "" : ";type=" + plain(type)))
        case .file(let path):
            let type = contentType == nil ? ";type=" + FileType.named(path) : ""
            return CurlLine.FormField(option: "-F", name: name, value: "@" + quoted(plain(path)) + type + attributes)
        }
    }

    /// Quotation marks keep semicolons, commas and outer spaces in the text.
    private func quoted(_ text: String, always: Bool = false) -> String {
        // With a mark behind it, a sign is another character.
        let scalars = text.unicodeScalars
        let isPlain = !scalars.contains { $0 == ";" || $0 == "," } && scalars.first != "\""
        let ends = [scalars.first, scalars.last].compactMap { $0 }
        let hasSpace = ends.contains(where: \.properties.isWhitespace)
        if isPlain, !hasSpace, !always { return text }
        return "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
