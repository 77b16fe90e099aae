extension OpenAPIReader {
    /// The credentials of the first alternative that Ombi has, and the keys that go with them. Nil inherits.
    mutating func credentials(_ list: ForeignValue?) -> (SavedAuthentication?, [APIKeyAuthentication]) {
        guard let list, list.kind == .array else { return (nil, []) }
        let alternatives = list.elements
        let real = alternatives.filter { !$0.members.isEmpty }
        guard !real.isEmpty else { return (.noAuthentication, []) }
        if real.count < alternatives.count {
            log.remark(list.offset, "security", "optional; credentials are sent")
        }
        if real.count > 1 { log.remark(list.offset, "security", "the first of several alternatives is taken") }
        let known = real.first { alternative in alternative.members.allSatisfy { isKnown($0.key) } } ?? real[0]
        var found: SavedAuthentication?
        var keys: [APIKeyAuthentication] = []
        for (name, scopes) in known.members {
            guard let authentication = credentials(name, scopes, at: known.offset) else { continue }
            switch (found, authentication) {
            case (nil, _): found = authentication
            case (_, .apiKey(let key)): keys.append(key)
            case (.apiKey(let key)?, _) where key.location == .cookie:
                keys.append(key)
                found = authentication
            default: log.loss(known.offset, name.excerpted, "left out: a request has one kind of credentials")
            }
        }
        return (found ?? .noAuthentication, keys)
    }

    private func scheme(_ name: String) -> ForeignValue? {
        let written = root["components"]?["securitySchemes"]?[name] ?? root["securityDefinitions"]?[name]
        return written?["$ref"]?.string.flatMap { target($0) } ?? written
    }

    func isKnown(_ name: String) -> Bool {
        guard let scheme = scheme(name), let type = scheme["type"]?.string else { return false }
        return ["apiKey", "http", "basic", "oauth2"].contains(type)
    }

    private mutating func credentials(
        _ name: String, _ scopes: ForeignValue, at offset: Int
    ) -> SavedAuthentication? {
        guard let written = scheme(name), let scheme = resolved(written) else {
            log.loss(offset, name.excerpted, "left out: the document does not describe this scheme")
            return nil
        }
        let variable = Self.variableName(name)
        switch scheme["type"]?.string ?? "" {
        case "apiKey": return key(scheme, variable)
        case "basic": return user("basic", variable)
        case "http": return http(scheme, variable)
        case "oauth2": return oauth2(scheme, variable, scopes)
        case let type:
            log.loss(scheme.offset, type.excerpted, "no such credentials; nothing is sent in their place")
            return nil
        }
    }

    private mutating func prompt(_ name: String) -> String {
        prompts.insert(name)
        return "{{\(name)}}"
    }

    private mutating func key(_ scheme: ForeignValue, _ variable: String) -> SavedAuthentication? {
        let name = Self.literal(ForeignText.line(scheme["name"]?.text ?? ""))
        guard !name.isEmpty else { return nil }
        let location = APIKeyAuthentication.Location(rawValue: scheme["in"]?.string ?? "") ?? .header
        guard location == .query || (try? Field.checkHeaderName(name)) != nil else {
            log.loss(scheme.offset, name.excerpted, "left out: no \(location.rawValue) has such a name")
            return nil
        }
        return .apiKey(APIKeyAuthentication(name: name, value: prompt(variable), location: location))
    }

    private mutating func user(_ kind: String, _ variable: String) -> SavedAuthentication? {
        SavedAuthentication(foreign: kind) { prompt(variable + ($0 == "username" ? "Username" : "Password")) }
    }

    private mutating func http(_ scheme: ForeignValue, _ variable: String) -> SavedAuthentication? {
        let name = ForeignText.line(scheme["scheme"]?.text ?? "").trimmed
        switch name.lowercased() {
        case "basic", "digest": return user(name.lowercased(), variable)
        case "bearer": return .bearer(BearerAuthentication(token: prompt(variable)))
        default:
            log.remark(scheme.offset, name.excerpted, "sent as the header Authorization")
            let prefix = name.isEmpty ? "" : Self.literal(name) + " "
            return .apiKey(APIKeyAuthentication(name: "Authorization", value: prefix + prompt(variable)))
        }
    }

    // MARK: OAuth 2

    private mutating func oauth2(
        _ scheme: ForeignValue, _ variable: String, _ scopes: ForeignValue
    ) -> SavedAuthentication? {
        let former = scheme["flow"]?.string.map { [($0, scheme)] }
        let flows = former ?? (scheme["flows"]?.members ?? []).map { ($0.key, $0.value) }
        let order = [
            "authorizationCode", "accessCode", "clientCredentials", "application", "deviceAuthorization", "password",
            "implicit",
        ]
        let found = order.lazy.compactMap { name in flows.first { $0.0 == name } }.first
        guard let (name, flow) = found else {
            log.loss(scheme.offset, "oauth2", "left out: none of its flows is known")
            return nil
        }
        var result = OAuth2Authentication(
            tokenURL: url("tokenUrl", of: flow), authorizationURL: url("authorizationUrl", of: flow),
            clientID: prompt(variable + "ClientID"),
            scope: scopes.elements.map { Self.literal(ForeignText.line($0.text)) }.joined(separator: " "))
        switch name {
        case "clientCredentials", "application":
            result.grant = .clientCredentials
            result.clientSecret = prompt(variable + "ClientSecret")
        case "password":
            result.grant = .password
            result.username = prompt(variable + "Username")
            result.password = prompt(variable + "Password")
        case "deviceAuthorization":
            result.grant = .deviceCode
            result.deviceURL = url("deviceAuthorizationUrl", of: flow)
        default:
            result.grant = .authorizationCode
            if name == "implicit" {
                log.loss(flow.offset, "implicit", "no such flow; give the token URL for authorizationCode")
            }
        }
        if flows.count > 1 { log.remark(scheme.offset, "flows", "\(name) is taken") }
        return .oauth2(result)
    }

    /// A URL of a flow. Names in braces are typed in: a document has values for those of its servers alone.
    private mutating func url(_ key: String, of flow: ForeignValue) -> String {
        var text = Self.literal(ForeignText.line(flow[key]?.text ?? "").trimmed)
        for name in Self.names(inBraces: text) {
            text = text.replacing("{\(name)}", with: prompt(Self.variableName(name)))
            log.remark(flow[key]?.offset ?? flow.offset, "{\(name.excerpted)}", "a variable, which is typed in")
        }
        return text.hasPrefix("{{") ? text : Self.absoluteURL(text, at: server)
    }
}

extension SavedRequest {
    /// Adds a key next to the credentials.
    mutating func add(_ key: APIKeyAuthentication) {
        let field = Field(key.name, key.value)
        switch key.location {
        case .header: headers.append(field)
        case .query: query.append(field)
        case .cookie: cookies.append(field)
        }
    }
}

extension OpenAPIReader {
    /// An environment for each server; its host is the URL.
    mutating func environments() -> [Environment] {
        let servers = version == .two ? formerServers() : (root["servers"]?.elements ?? []).map { environment($0) }
        guard !servers.isEmpty else {
            if let url = absolute("", written: "/") { return [Environment(name: Self.host(of: url), host: url)] }
            return [relative("", named: "default", at: root.offset)]
        }
        return servers.uniquelyNamed(\.name)
    }

    private mutating func environment(_ server: ForeignValue) -> Environment {
        noteQuery(of: server["url"])
        let written = serverURL(server)
        let url = Self.isWhole(written) ? written : absolute(written, written: server["url"]?.text ?? "") ?? written
        let title = (server["name"] ?? server["description"])?.string ?? ""
        let name = ForeignText.name(String(title.trimmed.prefix { !$0.isNewline }.prefix(60)), or: Self.host(of: url))
        guard Self.isWhole(url) else {
            var environment = relative(url, named: name, at: server.offset)
            environment.variables += serverVariables(server).filter { $0.name != "host" }
            return environment
        }
        return Environment(name: name, host: url, variables: serverVariables(server))
    }

    /// The URL of a relative one; nil for a document that was not read from a URL.
    /// - Parameter written: the same with the slash or the dot at its end.
    private func absolute(_ url: String, written: String) -> String? {
        guard documentURL.contains("://") else { return nil }
        let target = !url.isEmpty ? url : written.hasPrefix(".") ? "./" : "/"
        let origin = Self.origin(of: documentURL)
        let whole = Self.absoluteURL(target, at: String(documentURL.prefix { $0 != "?" && $0 != "#" }))
        var path = RequestTarget.withoutDotSegments(
            whole.hasPrefix(origin) ? String(whole.dropFirst(origin.count)) : whole)
        while path.last == "/" { path.removeLast() }
        return origin + path
    }

    /// Paths are put behind the URL of a server, so it has neither query nor fragment.
    private static func withoutQuery(_ url: ForeignValue?) -> String {
        String((url?.text ?? "").prefix { $0 != "?" && $0 != "#" }).trimmed
    }

    private mutating func noteQuery(of url: ForeignValue?) {
        guard let url, url.text.contains(where: { $0 == "?" || $0 == "#" }) else { return }
        log.loss(url.offset, url.text.excerpted, "a server has no query and no fragment")
    }

    /// The URL with templates for its variables, and without a slash at its end.
    func serverURL(_ server: ForeignValue) -> String {
        var url = Self.withoutQuery(server["url"])
        for name in (server["variables"]?.members ?? []).map({ $0.key }) + Self.undescribed(in: server) {
            url = url.replacing("{\(name)}", with: "{{\(Self.variableName(name))}}")
        }
        if url.hasPrefix("//") { url = "https:" + url }
        // WebSockets are opened over the same connections as other requests.
        for scheme in ["wss", "ws"] where url.lowercased().hasPrefix(scheme + "://") {
            url = (scheme == "ws" ? "http" : "https") + url.dropFirst(scheme.count)
        }
        while url.last == "/" { url.removeLast() }
        return url == "." ? "" : ForeignText.line(url)
    }

    /// The names of the variables in a URL that the document says nothing of.
    private static func undescribed(in server: ForeignValue) -> [String] {
        names(inBraces: server["url"]?.text ?? "").filter { !(server["variables"]?.has($0) ?? false) }
    }

    /// The names in single braces, each once.
    static func names(inBraces text: String) -> [String] {
        var (names, rest): ([String], Substring) = ([], text[...])
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let name = String(rest[rest.index(after: open)..<close])
            rest = rest[rest.index(after: close)...]
            if !names.contains(name), !name.isEmpty, !name.contains("{") { names.append(name) }
        }
        return names
    }

    /// The variables of a URL with their defaults.
    mutating func serverVariables(_ server: ForeignValue) -> [Variable] {
        var found: [Variable] = []
        for (name, value) in server["variables"]?.members ?? [] {
            let changed = Self.variableName(name)
            guard !found.contains(where: { $0.name == changed }) else { continue }
            if changed != name { log.remark(value.offset, name.excerpted, "renamed to \(changed)") }
            let values = value["enum"]?.elements ?? []
            let first = value["default"] ?? values.first
            let variable = Field(changed, Self.literal(ForeignText.line(first?.text ?? "")))
            let list = "One of " + values.map { ForeignText.line($0.text) }.joined(separator: ", ")
            let texts = [description(of: value), values.count > 1 ? list : ""].filter { !$0.isEmpty }
            found.append(variable.described(texts.joined(separator: "\n\n")))
        }
        for name in Self.undescribed(in: server) where !found.contains(where: { $0.name == Self.variableName(name) }) {
            log.loss(server.offset, "{\(name.excerpted)}", "no value: the document does not describe it")
            found.append(Field(Self.variableName(name), ""))
        }
        return found
    }

    /// An environment for a path on a server that is not known.
    private mutating func relative(_ path: String, named name: String, at offset: Int) -> Environment {
        log.loss(offset, "servers", "no host: give the variable host the URL of the server")
        let separator = path.isEmpty || path.hasPrefix("/") ? "" : "/"
        let start = path.hasPrefix("./") ? String(path.dropFirst(1)) : separator + path
        return Environment(name: name, host: "{{host}}" + start, variables: [Field("host", "")])
    }

    /// The addresses of Swagger 2.0: `schemes`, `host` and `basePath`.
    private mutating func formerServers() -> [Environment] {
        noteQuery(of: root["basePath"])
        var path = ForeignText.line(Self.withoutQuery(root["basePath"]))
        while path.last == "/" { path.removeLast() }
        if !path.isEmpty, !path.hasPrefix("/") { path = "/" + path }
        var host = ForeignText.line(root["host"]?.text ?? "").trimmed
        var found = (root["schemes"]?.elements ?? []).compactMap(\.string).filter { ["https", "http"].contains($0) }
        // A whole URL is no host, and yet it is written there.
        if let url = root["host"], let scheme = ["https", "http"].first(where: { host.hasPrefix($0 + "://") }) {
            host = String(host.dropFirst(scheme.count + 3))
            while host.last == "/" { host.removeLast() }
            if found.isEmpty { found = [scheme] }
            log.remark(url.offset, "host", "without the scheme, which has a place of its own")
        }
        // A document that leaves them out means those of its own URL.
        if let scheme = documentURL.firstRange(of: "://") {
            if host.isEmpty { host = Self.host(of: documentURL) }
            if found.isEmpty { found = [documentURL[..<scheme.lowerBound].lowercased()] }
        }
        guard !host.isEmpty else { return [relative(path, named: "default", at: root.offset)] }
        // https comes first.
        let schemes = found.isEmpty ? ["https"] : ["https", "http"].filter { found.contains($0) }
        return schemes.map { scheme in
            Environment(
                name: scheme == schemes.first ? host : "\(host) (\(scheme))",
                host: "\(scheme)://\(host)\(path)")
        }
    }

    private static func isWhole(_ url: String) -> Bool { url.contains("://") || url.hasPrefix("{{") }

    private static func host(of url: String) -> String {
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        let host = String(rest.prefix { $0 != "/" })
        return host.isEmpty ? "default" : host
    }
}
