import OmbiCore

extension SavedRequest {
    /// Returns the URL with its query, escaped as it is sent.
    /// - Parameters:
    ///   - host: that of the environment.
    ///   - hidesSecrets: true for values in place of secrets that the collection has in clear.
    func address(host: String, hidesSecrets: Bool) -> ExportText {
        let (target, host) = (self.target, RequestTarget.host(host))
        let text = target.text.prefix { $0 != "#" }
        let path = text.prefix { $0 != "?" }
        let written = path.count < text.count ? String(text.dropFirst(path.count + 1)) : nil
        var items = written.map { hidesSecrets ? Self.items(of: $0) : [Self.written($0)] } ?? []
        items += query.filter(\.enabled).map { field in
            let secret = hidesSecrets ? field.secretName : nil
            if field.isRaw { return Self.raw(field, secret: secret, hidesSecrets: hidesSecrets) }
            let value = ExportText(field.value, secret: secret).encoded(.parameter)
            return [ExportText(field.name).encoded(.parameter), value].joined(separator: "=")
        }
        let filled = filledPath(String(path), hidesUser: hidesSecrets && target.isURL)
        let start = filled.templates
        var server = target.isURL || start.hasPrefix("{{") ? ExportText() : ExportText(host)
        if host.hasSuffix("/"), !server.isEmpty { server = ExportText(String(host.dropLast())) }
        let slash = server.isEmpty || start.isEmpty || start.hasPrefix("/") ? "" : "/"
        let address = server + slash + filled
        return items.isEmpty ? address : [address, items.joined(separator: "&")].joined(separator: "?")
    }

    private func filledPath(_ path: String, hidesUser: Bool) -> ExportText {
        let parameters = Dictionary(
            pathParameters.filter(\.enabled).map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        // A template in front may hold a whole URL.
        let values: ExportEncoding = path.hasPrefix("{{") || path.contains("://") ? .none : .path
        let (start, rest) = hidesUser ? Self.splitUser(in: path) : (ExportText(), path)
        var filled = start
        for part in PathPattern(rest).parts {
            switch part {
            case .text(let text): filled = filled + ExportText(text).encoded(.path, values: values)
            case .parameter(let name):
                let value = parameters[name].map { ExportText($0).encoded(.segment) }
                filled = filled + (value ?? ExportText(plain: ":" + name))
            }
        }
        return filled
    }

    /// Returns the start of a URL with a value in place of a user name and a password, and the rest of it.
    private static func splitUser(in url: String) -> (start: ExportText, rest: String) {
        guard let scheme = url.firstRange(of: "://") else { return (ExportText(), url) }
        let authority = url[scheme.upperBound...].prefix { $0 != "/" }
        guard let at = authority.lastIndex(of: "@") else { return (ExportText(), url) }
        let user = ExportText(String(authority[..<at]), secret: "userinfo")
        return (ExportText(plain: String(url[..<scheme.upperBound])) + user, String(url[at...]))
    }

    /// Returns the parts of a query that is written in the path.
    private static func items(of query: String) -> [ExportText] {
        query.split(separator: "&", omittingEmptySubsequences: false).map { item in
            let name = String(item.prefix { $0 != "=" })
            let field = Field(name, String(item.dropFirst(name.count + 1)))
            guard item.count > name.count, let secret = field.secretName else { return written(String(item)) }
            return written(name + "=") + ExportText(field.value, secret: secret).encoded(.writtenQuery)
        }
    }

    private static func raw(_ field: Field, secret: String?, hidesSecrets: Bool) -> ExportText {
        // Its value may have further parameters.
        if hidesSecrets, field.value.contains("&"), !field.value.contains("{{") {
            return items(of: field.rawText).joined(separator: "&")
        }
        guard let secret, !field.value.isEmpty else { return written(field.rawText) }
        let value = ExportText(field.value, secret: secret).encoded(.writtenQuery, values: .parameter)
        return written(field.name) + "=" + value
    }

    private static func written(_ text: String) -> ExportText {
        ExportText(text).encoded(.writtenQuery, values: .parameter)
    }
}

extension Field {
    /// The name for a value of the field that must not be in an export; nil for one that may.
    var secretName: String? { RequestHeaders.Key(name).isSensitive ? name : nil }
}
